/* SPDX-License-Identifier: MIT */
/* Streams of bzip2 by libbz2, which verifies checksums. The declarations are those of bzlib.h,
** unchanged since version 1.0.
** Source: https://sourceware.org/bzip2/manual/manual.html */
#include "text/pack/bzip2.h"

#include <limits.h>
#include <string.h>

typedef struct bz_stream {
  const char *next_in;
  unsigned avail_in, total_in_low, total_in_high;
  char *next_out;
  unsigned avail_out, total_out_low, total_out_high;
  void *state;
  void *(*alloc)(void *opaque, int items, int size);
  void (*free)(void *opaque, void *address);
  void *opaque;
} bz_stream;

enum { BZ_OK = 0, BZ_STREAM_END = 4, BZ_MEM_ERROR = -3 };

enum { INIT, DECOMPRESS, END };
typedef int init_function(bz_stream *stream, int verbosity, int small);
typedef int stream_function(bz_stream *stream);

static const pack_library library = {
    .name = "libbz2 (libbz2.so.1.0)",
    .package = "libbz2-1.0",
    .command = "io.popen(\"bzip2 -dc FILE\")",
    .files = {"libbz2.so.1.0", "libbz2.so.1", "libbz2.1.0.dylib"},
    .functions = {"BZ2_bzDecompressInit", "BZ2_bzDecompress", "BZ2_bzDecompressEnd"},
};

static void end(pack_stream *stream)
{
  bz_stream *bz = stream->state;

  if (bz->state) ((stream_function *)stream->function[END])(bz);
  memset(bz, 0, sizeof *bz);
}

static pack_status begin(pack_stream *stream, bool again)
{
  if (again) end(stream);
  const int status = ((init_function *)stream->function[INIT])(stream->state, 0, 0);
  return status == BZ_OK ? PACK_GOING : PACK_NO_MEMORY;
}

static pack_status step(pack_stream *stream, pack_bytes *bytes)
{
  bz_stream *bz = stream->state;
  const unsigned in = bytes->left < UINT_MAX ? (unsigned)bytes->left : UINT_MAX;
  const unsigned out = bytes->room < UINT_MAX ? (unsigned)bytes->room : UINT_MAX;

  bz->next_in = bytes->in;
  bz->avail_in = in;
  bz->next_out = bytes->out;
  bz->avail_out = out;
  const int status = ((stream_function *)stream->function[DECOMPRESS])(bz);
  bytes->in += in - bz->avail_in;
  bytes->left -= in - bz->avail_in;
  bytes->out += out - bz->avail_out;
  bytes->room -= out - bz->avail_out;
  if (status == BZ_STREAM_END) return PACK_ENDED;
  if (status == BZ_OK) return PACK_GOING;
  if (status == BZ_MEM_ERROR) return PACK_NO_MEMORY;
  stream->why = "a checksum or a block is wrong";
  return PACK_DAMAGED;
}

const pack_codec locus_bzip2_codec = {
    .form = "bzip2",
    .part = "bzip2 stream",
    .first = "B",
    .bytes = sizeof(bz_stream),
    .library = &library,
    .begin = begin,
    .step = step,
    .end = end,
};
