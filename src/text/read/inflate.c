/* SPDX-License-Identifier: MIT */
/* The declarations of zlib.h, for a library that is found at run time. Their layout has not changed
** since version 1.0, and inflateInit2_ refuses one that it does not know. */
#include "text/read/inflate.h"

#include <dlfcn.h>
#include <stdatomic.h>
#include <string.h>

#include "core/memory.h"

typedef struct z_stream {
  const unsigned char *next_in;
  unsigned avail_in;
  unsigned long total_in;
  unsigned char *next_out;
  unsigned avail_out;
  unsigned long total_out;
  const char *msg;
  void *state;
  void *(*zalloc)(void *opaque, unsigned items, unsigned size);
  void (*zfree)(void *opaque, void *address);
  void *opaque;
  int data_type;
  unsigned long adler, reserved;
} z_stream;

enum { Z_OK = 0, Z_STREAM_END = 1, Z_MEM_ERROR = -4, Z_BUF_ERROR = -5 };

/* The name of each form, and the window bits that select it in zlib. */
static const char *const form_names[] = {[TEXT_GZIP] = "gzip", [TEXT_DEFLATE] = "deflate"};
static const int windows[] = {[TEXT_GZIP] = 15 + 16, [TEXT_DEFLATE] = -15};

typedef struct zlib {
  int (*init)(z_stream *stream, int window, const char *version, int size);
  int (*inflate)(z_stream *stream, int flush);
  int (*reset)(z_stream *stream);
  int (*end)(z_stream *stream);
} zlib;

struct text_inflater {
  zlib zlib;
  z_stream stream;
  text_compression compression;
  bool between;          /* members: nothing of the next one has been read */
  bool full;             /* the room has ended: more may come out without any more bytes */
  int64_t taken, member; /* bytes before now; before the current member, or behind the last one */
};

static int find_zlib(zlib *found, const char *form, locus_context *cx)
{
  static const char *const names[] = {"libz.so.1", "libz.so", "libz.1.dylib"};
  void *library = NULL;

  for (size_t i = 0; i < sizeof names / sizeof *names && !library; i++)
    library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
  if (!library)
    return locus_fail(cx, "is compressed by %s, and there is no zlib (libz.so.1) here", form);
  *(void **)&found->init = dlsym(library, "inflateInit2_");
  *(void **)&found->inflate = dlsym(library, "inflate");
  *(void **)&found->reset = dlsym(library, "inflateReset");
  *(void **)&found->end = dlsym(library, "inflateEnd");
  if (!found->init || !found->inflate || !found->reset || !found->end)
    return locus_fail(cx, "is compressed by %s, and libz here lacks inflate", form);
  return 0;
}

int locus_inflater_new(text_inflater **made, text_compression compression, locus_context *cx)
{
  const char *form = form_names[compression];
  zlib found;

  LOCUS_TRY(find_zlib(&found, form, cx));
  text_inflater *inflater = locus_memory_alloc(sizeof *inflater);
  if (!inflater) return locus_fail_memory(cx, sizeof *inflater);
  memset(inflater, 0, sizeof *inflater);
  inflater->zlib = found;
  inflater->compression = compression;
  const int status = found.init(&inflater->stream, windows[compression], "1", sizeof(z_stream));
  if (status == Z_OK) {
    *made = inflater;
    return 0;
  }
  locus_memory_free(inflater, sizeof *inflater);
  if (status == Z_MEM_ERROR) return locus_fail_memory(cx, 1 << 16);
  return locus_fail(cx, "is compressed by %s, and zlib here is not of version 1", form);
}

void locus_inflater_free(text_inflater *inflater)
{
  if (!inflater) return;
  inflater->zlib.end(&inflater->stream);
  locus_memory_free(inflater, sizeof *inflater);
}

bool locus_inflater_done(const text_inflater *inflater)
{
  return inflater->between;
}

static int damaged(const text_inflater *inflater, locus_context *cx)
{
  const char *why = inflater->stream.msg;

  if (inflater->compression == TEXT_GZIP) {
    return locus_fail(cx,
                      "cannot be read: the compressed bytes are damaged (%s, at offset %lld in the "
                      "gzip member that begins at %lld)",
                      why ? why : "of another form", (long long)inflater->taken,
                      (long long)inflater->member);
  }
  if (why) return locus_fail(cx, "cannot be read: the compressed bytes are damaged (%s)", why);
  return locus_fail(cx, "cannot be read: the compressed bytes are not of the form %s",
                    form_names[inflater->compression]);
}

int locus_inflater_cut(const text_inflater *inflater, locus_context *cx)
{
  static const char early[] = "cannot be read: the compressed bytes end too early";

  if (inflater->compression != TEXT_GZIP) return locus_fail(cx, early);
  return locus_fail(cx, "%s (at offset %lld in the gzip member that begins at %lld)", early,
                    (long long)inflater->taken, (long long)inflater->member);
}

/* Behind a member of gzip comes the next one, or zeros up to the end, as tapes leave them. Other
** bytes are an error, since rows may follow. */
static int leave_member(text_inflater *inflater, const char **from, int64_t *left,
                        locus_context *cx)
{
  const int64_t ended = inflater->member;

  for (; *left > 0 && **from == 0; ++*from, --*left) inflater->taken++;
  if (*left == 0) return 0;
  if (inflater->taken == ended && **from == '\x1f') {
    inflater->between = false;
    return 0;
  }
  return locus_fail(cx,
                    "cannot be read: the gzip member that ends at offset %lld is followed by no "
                    "other one, but by the byte 0x%02x at offset %lld%s",
                    (long long)ended, (unsigned)(unsigned char)**from, (long long)inflater->taken,
                    inflater->taken > ended ? " behind zeros" : "");
}

/* The bytes that zlib takes and gives at once. */
static int inflate_some(text_inflater *inflater, const char **from, int64_t *left, char *to,
                        int64_t room, int64_t *written, locus_context *cx)
{
  const unsigned in = *left < 1 << 30 ? (unsigned)*left : 1u << 30;
  const unsigned out = room < 1 << 30 ? (unsigned)room : 1u << 30;
  z_stream *z = &inflater->stream;

  z->next_in = (const unsigned char *)*from;
  z->avail_in = in;
  z->next_out = (unsigned char *)to;
  z->avail_out = out;
  const int status = inflater->zlib.inflate(z, 0);
  *from += in - z->avail_in;
  *left -= in - z->avail_in;
  inflater->taken += in - z->avail_in;
  *written += out - z->avail_out;
  inflater->full = z->avail_out == 0 && status != Z_STREAM_END;
  if (status == Z_STREAM_END) {
    inflater->zlib.reset(z);
    inflater->between = true;
    inflater->member = inflater->taken;
  } else if (status == Z_MEM_ERROR) {
    return locus_fail_memory(cx, 1 << 16);
  } else if (status != Z_OK && status != Z_BUF_ERROR) {
    return damaged(inflater, cx);
  }
  return 0;
}

int locus_inflate(text_inflater *inflater, const char **from, int64_t *left, char *to, int64_t room,
                  int64_t *written, locus_context *cx)
{
  *written = 0;
  while ((*left > 0 || inflater->full) && *written < room) {
    if (inflater->between && inflater->compression == TEXT_DEFLATE) break;
    if (inflater->between) LOCUS_TRY(leave_member(inflater, from, left, cx));
    if (inflater->between) break;
    LOCUS_TRY(inflate_some(inflater, from, left, to + *written, room - *written, written, cx));
  }
  return 0;
}
