/* SPDX-License-Identifier: MIT */
/* Reading frames of zstd by libzstd. It verifies checksums, passes over skippable frames, and
** refuses windows of more than 128 MB. */
#include "text/pack/zstd.h"

enum { CREATE, DECOMPRESS, IS_ERROR, NAME, FREE };
typedef void *create_function(void);
typedef size_t decompress_function(void *stream, zstd_output *out, zstd_input *in);
typedef unsigned is_error_function(size_t code);
typedef const char *name_function(size_t code);
typedef size_t free_function(void *stream);

/* Errors are the codes of zstd_errors.h, taken from 0. */
#define ERROR(code) ((size_t)0 - (code))
enum { WINDOW_TOO_LARGE = 16, MEMORY = 64 };

static const pack_library library = {
    .name = "libzstd (libzstd.so.1)",
    .package = "libzstd1",
    .command = "io.popen(\"zstd -dc FILE\")",
    .files = {"libzstd.so.1", "libzstd.so", "libzstd.1.dylib"},
    .functions = {"ZSTD_createDStream", "ZSTD_decompressStream", "ZSTD_isError",
                  "ZSTD_getErrorName", "ZSTD_freeDStream"},
};

static pack_status begin(pack_stream *stream, bool again)
{
  zstd_state *state = stream->state;

  if (!again) state->stream = ((create_function *)stream->function[CREATE])();
  return state->stream ? PACK_GOING : PACK_NO_MEMORY;
}

static pack_status step(pack_stream *stream, pack_bytes *bytes)
{
  const zstd_state *state = stream->state;
  zstd_input in = {bytes->in, bytes->left, 0};
  zstd_output out = {bytes->out, bytes->room, 0};

  const size_t more =
      ((decompress_function *)stream->function[DECOMPRESS])(state->stream, &out, &in);
  bytes->in += in.pos;
  bytes->left -= in.pos;
  bytes->out += out.pos;
  bytes->room -= out.pos;
  if (!((is_error_function *)stream->function[IS_ERROR])(more))
    return more == 0 ? PACK_ENDED : PACK_GOING;
  if (more == ERROR(WINDOW_TOO_LARGE)) return PACK_TOO_LARGE;
  if (more == ERROR(MEMORY)) return PACK_NO_MEMORY;
  stream->why = ((name_function *)stream->function[NAME])(more);
  return PACK_DAMAGED;
}

static void end(pack_stream *stream)
{
  const zstd_state *state = stream->state;
  if (state->stream) ((free_function *)stream->function[FREE])(state->stream);
}

const pack_codec locus_zstd_codec = {
    .form = "zstd",
    .part = "zstd frame",
    .first = "\x28",
    .skips = true,
    .bound = "a window of more than 128 MB; write io.popen(\"zstd -dc --long=31 FILE\")",
    .bytes = sizeof(zstd_state),
    .library = &library,
    .begin = begin,
    .step = step,
    .end = end,
};
