/* SPDX-License-Identifier: MIT */
/* A form of compression as a stream of members, by a library of the system that is found at run
** time, at the first bytes of that form. */
#ifndef LOCUS_TEXT_CODEC_H
#define LOCUS_TEXT_CODEC_H

#include <stddef.h>

#include "core/error.h"

enum { PACK_FUNCTIONS = 5 };

/* A library and the functions that are needed of it, by their names. */
typedef struct pack_library {
  const char *name, *package, *command; /* of the file, of Debian's package, of the pipe */
  const char *const files[3];
  const char *const functions[PACK_FUNCTIONS + 1];
} pack_library;

/* The outcome of a step. */
typedef enum pack_status {
  PACK_GOING,
  PACK_ENDED, /* a member ends here */
  PACK_NO_MEMORY,
  PACK_TOO_LARGE, /* it needs more memory than the bound */
  PACK_DAMAGED,
} pack_status;

/* Bytes in and bytes out; a step moves them on. */
typedef struct pack_bytes {
  const char *in;
  size_t left;
  char *out;
  size_t room;
} pack_bytes;

typedef void (*pack_function)(void);

typedef struct pack_stream {
  pack_function function[PACK_FUNCTIONS]; /* in the order of the library's names */
  void *state;                            /* the bytes that the codec asked for, at first 0 */
  const char *why;                        /* what the library says of damage, or NULL */
} pack_stream;

typedef struct pack_codec {
  const char *form, *part; /* "zstd", "zstd frame" */
  const char *first;       /* the first bytes of a member */
  bool skips;              /* members may be frames to skip, which begin with 0x50 to 0x5f */
  int zeros;               /* that may follow a member: 0 none, 1 up to the end, 4 as many times */
  const char *bound;       /* the memory that it may take, and the pipe that takes more */
  int64_t bytes;           /* of the state */
  const pack_library *library;
  pack_status (*begin)(pack_stream *stream, bool again); /* before each member */
  pack_status (*step)(pack_stream *stream, pack_bytes *bytes);
  void (*end)(pack_stream *stream); /* also if it has not begun */
} pack_codec;

#endif
