/* SPDX-License-Identifier: MIT */
/* Reading streams of xz by liblzma, which verifies checksums. The declarations are those of
** lzma/base.h; the ABI is that of liblzma.so.5.
** Source: https://github.com/tukaani-project/xz/blob/master/src/liblzma/api/lzma/base.h */
#include "text/pack/xz.h"

typedef struct lzma_stream {
  const unsigned char *next_in;
  size_t avail_in;
  uint64_t total_in;
  unsigned char *next_out;
  size_t avail_out;
  uint64_t total_out;
  const void *allocator;
  void *internal;
  void *reserved_pointers[4];
  uint64_t seek_pos, reserved_long;
  size_t reserved_sizes[2];
  int reserved_enums[2];
} lzma_stream;

enum {
  LZMA_OK = 0,
  LZMA_STREAM_END = 1,
  LZMA_UNSUPPORTED_CHECK = 3,
  LZMA_MEM_ERROR = 5,
  LZMA_MEMLIMIT_ERROR = 6,
  LZMA_OPTIONS_ERROR = 8,
  LZMA_BUF_ERROR = 10,
};
enum { LZMA_TELL_UNSUPPORTED_CHECK = 2, LZMA_RUN = 0 };

/* Above what xz -9 takes, 65 MB. */
static const uint64_t most_memory = (uint64_t)192 << 20;

enum { INIT, CODE, END };
typedef int init_function(lzma_stream *stream, uint64_t memory, uint32_t flags);
typedef int code_function(lzma_stream *stream, int action);
typedef void end_function(lzma_stream *stream);

static const pack_library library = {
    .name = "liblzma (liblzma.so.5)",
    .package = "liblzma5",
    .command = "io.popen(\"xz -dc FILE\")",
    .files = {"liblzma.so.5", "liblzma.so", "liblzma.5.dylib"},
    .functions = {"lzma_stream_decoder", "lzma_code", "lzma_end"},
};

static pack_status begin(pack_stream *stream, bool again)
{
  (void)again; /* a stream that has ended begins anew by the same call */
  const int status = ((init_function *)stream->function[INIT])(stream->state, most_memory,
                                                               LZMA_TELL_UNSUPPORTED_CHECK);
  return status == LZMA_OK ? PACK_GOING : PACK_NO_MEMORY;
}

static pack_status step(pack_stream *stream, pack_bytes *bytes)
{
  lzma_stream *lzma = stream->state;

  lzma->next_in = (const unsigned char *)bytes->in;
  lzma->avail_in = bytes->left;
  lzma->next_out = (unsigned char *)bytes->out;
  lzma->avail_out = bytes->room;
  const int status = ((code_function *)stream->function[CODE])(lzma, LZMA_RUN);
  bytes->in = (const char *)lzma->next_in;
  bytes->left = lzma->avail_in;
  bytes->out = (char *)lzma->next_out;
  bytes->room = lzma->avail_out;
  switch (status) {
  case LZMA_OK:
  case LZMA_BUF_ERROR: return PACK_GOING;
  case LZMA_STREAM_END: return PACK_ENDED;
  case LZMA_MEM_ERROR: return PACK_NO_MEMORY;
  case LZMA_MEMLIMIT_ERROR: return PACK_TOO_LARGE;
  case LZMA_UNSUPPORTED_CHECK:
    stream->why = "it has a checksum of another kind than liblzma here verifies";
    return PACK_DAMAGED;
  case LZMA_OPTIONS_ERROR:
    stream->why = "it has options that liblzma here does not know";
    return PACK_DAMAGED;
  default: stream->why = "a checksum or a block is wrong"; return PACK_DAMAGED;
  }
}

static void end(pack_stream *stream)
{
  ((end_function *)stream->function[END])(stream->state);
}

const pack_codec locus_xz_codec = {
    .form = "xz",
    .part = "xz stream",
    .first = "\xfd",
    .zeros = 4,
    .bound = "more than 192 MB of memory; write io.popen(\"xz -dc FILE\")",
    .bytes = sizeof(lzma_stream),
    .library = &library,
    .begin = begin,
    .step = step,
    .end = end,
};
