/* SPDX-License-Identifier: MIT */
/* The system copies from its cache at the speed of one core for each call; several calls at once
** read pieces of a regular file to their places. */
#include "core/system/read_file.h"

#include <sys/stat.h>
#include <unistd.h>

#include "core/device.h"
#include "core/parallel.h"

/* Bytes of one call; those from which threads share. */
enum { PIECE = 1 << 20, LEAST = 1 << 21, LEAST_IN_TESTS = 1 << 4 };

typedef struct file_read {
  int file;
  off_t begin;
  char *to;
} file_read;

/* Reads all bytes begin .. end - 1, or fails: somebody else then says why. */
static int read_part(const void *job, int64_t begin, int64_t end, locus_context *cx)
{
  const file_read *r = job;

  while (begin < end) {
    const size_t most = end - begin < PIECE ? (size_t)(end - begin) : PIECE;
    const ssize_t got = pread(r->file, r->to + begin, most, r->begin + begin);
    LOCUS_TRY(locus_poll(cx));
    if (got <= 0) return locus_fail(cx, "the file ends");
    begin += got;
  }
  return 0;
}

static bool has_places(FILE *file, off_t *place)
{
  struct stat status;

  if (fstat(fileno(file), &status) || !S_ISREG(status.st_mode)) return false;
  *place = ftello(file);
  return *place >= 0;
}

size_t locus_read_file(char *to, size_t count, FILE *file, locus_context *cx)
{
  const size_t least = locus_small_pieces() ? LEAST_IN_TESTS : LEAST;
  off_t place;

  if (count < least || locus_cpu_threads() == 1 || !has_places(file, &place))
    return fread(to, 1, count, file);
  const file_read job = {fileno(file), place, to};
  if (locus_parallel(read_part, &job, (int64_t)count, PIECE, cx)) return fread(to, 1, count, file);
  return fseeko(file, place + (off_t)count, SEEK_SET) ? 0 : count;
}
