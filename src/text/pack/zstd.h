/* SPDX-License-Identifier: MIT */
/* The declarations of zstd.h, whose ABI is stable from version 1.0 on.
** Source: https://facebook.github.io/zstd/zstd_manual.html */
#ifndef LOCUS_TEXT_ZSTD_H
#define LOCUS_TEXT_ZSTD_H

#include "text/pack/codec.h"

typedef struct zstd_input {
  const void *src;
  size_t size, pos;
} zstd_input;

typedef struct zstd_output {
  void *dst;
  size_t size, pos;
} zstd_output;

typedef struct zstd_state {
  void *stream; /* or context, of compression */
} zstd_state;

extern const pack_codec locus_zstd_codec;

#endif
