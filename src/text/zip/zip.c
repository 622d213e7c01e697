/* SPDX-License-Identifier: MIT */
/* Reading an entry, with its checksum on the way. */
#include "text/zip/zip.h"

#include <errno.h>
#include <string.h>

#include "core/memory.h"
#include "core/system/read_file.h"
#include "text/zip/crc.h"

enum { RAW = 1 << 16 };

int locus_zip_begin(text_zip *zip, int64_t packed, bool deflated, locus_context *cx)
{
  zip->packed = packed;
  if (!deflated) return 0;
  LOCUS_TRY(locus_inflater_new(&zip->inflater, TEXT_DEFLATE, cx));
  zip->raw = locus_memory_alloc(RAW);
  if (zip->raw) return 0;
  locus_zip_free(zip);
  return locus_fail_memory(cx, RAW);
}

void locus_zip_free(text_zip *zip)
{
  locus_inflater_free(zip->inflater);
  locus_memory_free(zip->raw, RAW);
  memset(zip, 0, sizeof *zip);
}

/* Bytes as they lie in the file, never beyond the entry's last one. */
static int read_packed(text_zip *zip, FILE *file, char *to, int64_t room, int64_t *got,
                       locus_context *cx)
{
  const int64_t wanted = zip->packed < room ? zip->packed : room;

  errno = 0;
  *got = (int64_t)locus_read_file(to, (size_t)wanted, file, cx);
  zip->packed -= *got;
  if (*got == wanted || !ferror(file)) return 0;
  return locus_fail(cx, "cannot be read: %s", errno ? strerror(errno) : "an error of the file");
}

/* *got is smaller than `room` only at the end of the stream. A long stream may inflate to nothing,
** so it is polled as it is read. */
static int read_deflated(text_zip *zip, FILE *file, char *to, int64_t room, int64_t *got,
                         locus_context *cx)
{
  *got = 0;
  for (;;) {
    int64_t written;
    const int status =
        locus_inflate(zip->inflater, &zip->piece, &zip->held, to + *got, room - *got, &written, cx);
    *got += written;
    if (status) return status;
    if (*got == room || locus_inflater_done(zip->inflater)) return 0;
    LOCUS_TRY(locus_poll(cx));
    zip->piece = zip->raw;
    LOCUS_TRY(read_packed(zip, file, zip->raw, RAW, &zip->held, cx));
    if (zip->held == 0) return locus_inflater_cut(zip->inflater, cx);
  }
}

int locus_zip_read(text_zip *zip, FILE *file, char *to, int64_t room, int64_t *got,
                   locus_context *cx)
{
  LOCUS_TRY((zip->inflater ? read_deflated : read_packed)(zip, file, to, room, got, cx));
  LOCUS_TRY(locus_crc32_shared(&zip->crc, to, *got, cx));
  if (*got == room || !zip->inflater) return 0;
  return locus_fail(cx, "inflates to fewer bytes than its directory says");
}

int locus_zip_finish(text_zip *zip, FILE *file, uint32_t crc, locus_context *cx)
{
  int64_t more = 0;
  char byte;

  if (zip->inflater) LOCUS_TRY(read_deflated(zip, file, &byte, 1, &more, cx));
  if (more > 0) return locus_fail(cx, "inflates to more bytes than its directory says");
  if (zip->held > 0 || zip->packed > 0)
    return locus_fail(cx, "has bytes behind the end of the compressed ones");
  if (zip->crc == crc) return 0;
  return locus_fail(cx, "is damaged: its checksum is not the one in its directory");
}
