/* SPDX-License-Identifier: MIT */
/* Reading gzip and deflate by zlib. */
#include "text/pack/zlib.h"

enum { INIT, INFLATE, RESET, END };
typedef int init_function(z_stream *stream, int window, const char *version, int size);
typedef int inflate_function(z_stream *stream, int flush);
typedef int stream_function(z_stream *stream);

static const pack_library library = {
    .name = "zlib (libz.so.1)",
    .package = "zlib1g",
    .command = "io.popen(\"gzip -dc FILE\")",
    .files = {"libz.so.1", "libz.so", "libz.1.dylib"},
    .functions = {"inflateInit2_", "inflate", "inflateReset", "inflateEnd"},
};

static pack_status begin_window(pack_stream *stream, bool again, int window)
{
  z_stream *z = stream->state;

  if (again) {
    ((stream_function *)stream->function[RESET])(z);
    return PACK_GOING;
  }
  const int status =
      ((init_function *)stream->function[INIT])(z, window, "1", (int)sizeof(z_stream));
  if (status == Z_MEM_ERROR) return PACK_NO_MEMORY;
  if (status != Z_OK) stream->why = "zlib here is not of version 1";
  return status == Z_OK ? PACK_GOING : PACK_DAMAGED;
}

/* The window bits select the form. */
static pack_status begin_gzip(pack_stream *stream, bool again)
{
  return begin_window(stream, again, 15 + 16);
}

static pack_status begin_deflate(pack_stream *stream, bool again)
{
  return begin_window(stream, again, -15);
}

static pack_status step(pack_stream *stream, pack_bytes *bytes)
{
  z_stream *z = stream->state;
  const z_counts counts = locus_z_take(z, bytes);
  const int status = ((inflate_function *)stream->function[INFLATE])(z, 0);
  locus_z_give(z, counts, bytes);
  stream->why = z->msg;
  if (status == Z_STREAM_END) return PACK_ENDED;
  if (status == Z_OK || status == Z_BUF_ERROR) return PACK_GOING;
  return status == Z_MEM_ERROR ? PACK_NO_MEMORY : PACK_DAMAGED;
}

static void end(pack_stream *stream)
{
  ((stream_function *)stream->function[END])(stream->state);
}

const pack_codec locus_gzip_codec = {
    .form = "gzip",
    .part = "gzip member",
    .first = "\x1f",
    .zeros = 1,
    .bytes = sizeof(z_stream),
    .library = &library,
    .begin = begin_gzip,
    .step = step,
    .end = end,
};

const pack_codec locus_deflate_codec = {
    .form = "deflate",
    .bytes = sizeof(z_stream),
    .library = &library,
    .begin = begin_deflate,
    .step = step,
    .end = end,
};
