/* SPDX-License-Identifier: MIT */
/* The declarations of zlib.h. Their layout has not changed since version 1.0, and inflateInit2_ and
** deflateInit2_ refuse one that they do not know. */
#ifndef LOCUS_TEXT_ZLIB_H
#define LOCUS_TEXT_ZLIB_H

#include <limits.h>

#include "text/pack/codec.h"

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

/* The bytes that a step takes and gives at the utmost, which zlib counts in unsigned. */
typedef struct z_counts {
  unsigned in, out;
} z_counts;

static inline z_counts locus_z_take(z_stream *z, const pack_bytes *bytes)
{
  const z_counts counts = {bytes->left < UINT_MAX ? (unsigned)bytes->left : UINT_MAX,
                           bytes->room < UINT_MAX ? (unsigned)bytes->room : UINT_MAX};

  z->next_in = (const unsigned char *)bytes->in;
  z->avail_in = counts.in;
  z->next_out = (unsigned char *)bytes->out;
  z->avail_out = counts.out;
  return counts;
}

static inline void locus_z_give(const z_stream *z, z_counts counts, pack_bytes *bytes)
{
  bytes->in += counts.in - z->avail_in;
  bytes->left -= counts.in - z->avail_in;
  bytes->out += counts.out - z->avail_out;
  bytes->room -= counts.out - z->avail_out;
}

extern const pack_codec locus_gzip_codec, locus_deflate_codec;

#endif
