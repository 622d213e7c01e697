/* SPDX-License-Identifier: MIT */
/* Frames of lz4 by liblz4, which verifies checksums and passes over skippable frames.
** Source: https://github.com/lz4/lz4/blob/dev/lib/lz4frame.h */
#include "text/pack/lz4.h"

typedef struct lz4_state {
  void *context;
} lz4_state;

enum { CREATE, DECOMPRESS, IS_ERROR, NAME, FREE };
typedef size_t create_function(void **context, unsigned version);
typedef size_t decompress_function(void *context, void *out, size_t *room, const void *in,
                                   size_t *left, const void *options);
typedef unsigned is_error_function(size_t code);
typedef const char *name_function(size_t code);
typedef size_t free_function(void *context);

enum { LZ4F_VERSION = 100, MEMORY = 9 };

static const pack_library library = {
    .name = "liblz4 (liblz4.so.1)",
    .package = "liblz4-1",
    .command = "io.popen(\"lz4 -dc FILE\")",
    .files = {"liblz4.so.1", "liblz4.so", "liblz4.1.dylib"},
    .functions = {"LZ4F_createDecompressionContext", "LZ4F_decompress", "LZ4F_isError",
                  "LZ4F_getErrorName", "LZ4F_freeDecompressionContext"},
};

static pack_status begin(pack_stream *stream, bool again)
{
  lz4_state *state = stream->state;

  if (again) return PACK_GOING;
  const size_t code = ((create_function *)stream->function[CREATE])(&state->context, LZ4F_VERSION);
  return ((is_error_function *)stream->function[IS_ERROR])(code) ? PACK_NO_MEMORY : PACK_GOING;
}

static pack_status step(pack_stream *stream, pack_bytes *bytes)
{
  const lz4_state *state = stream->state;
  size_t in = bytes->left, out = bytes->room;

  const size_t more = ((decompress_function *)stream->function[DECOMPRESS])(
      state->context, bytes->out, &out, bytes->in, &in, NULL);
  if (((is_error_function *)stream->function[IS_ERROR])(more)) {
    if (more == (size_t)0 - MEMORY) return PACK_NO_MEMORY;
    stream->why = ((name_function *)stream->function[NAME])(more);
    return PACK_DAMAGED;
  }
  bytes->in += in;
  bytes->left -= in;
  bytes->out += out;
  bytes->room -= out;
  return more == 0 ? PACK_ENDED : PACK_GOING;
}

static void end(pack_stream *stream)
{
  const lz4_state *state = stream->state;
  if (state->context) ((free_function *)stream->function[FREE])(state->context);
}

const pack_codec locus_lz4_codec = {
    .form = "lz4",
    .part = "lz4 frame",
    .first = "\4",
    .skips = true,
    .bytes = sizeof(lz4_state),
    .library = &library,
    .begin = begin,
    .step = step,
    .end = end,
};
