/* SPDX-License-Identifier: MIT */
/* The hash of byte strings. Its keys are drawn once per process, so that nobody can choose strings
** that collide. */
#ifndef LOCUS_TEXT_HASH_H
#define LOCUS_TEXT_HASH_H

#include <stdint.h>
#include <string.h>

#include "core/ieee.h"

enum { LOCUS_HASH_KEYS = 4 };
typedef struct text_hash_keys {
  uint64_t key[LOCUS_HASH_KEYS];
} text_hash_keys;

/* The keys of this process, drawn at the first call. Any thread may ask. */
text_hash_keys locus_hash_keys(void);
/* Others, which nobody has had: those that are written down, say. */
text_hash_keys locus_hash_new_keys(void);

static inline uint64_t locus_read_8(const char *at)
{
  uint64_t word;
  memcpy(&word, at, sizeof word);
  return word;
}

static inline uint32_t locus_read_4(const char *at)
{
  uint32_t word;
  memcpy(&word, at, sizeof word);
  return word;
}

/* The product of 128 bits, its halves laid over each other: every bit of both factors counts. */
static inline uint64_t locus_hash_fold(uint64_t a, uint64_t b)
{
  const unsigned __int128 product = (unsigned __int128)a * b;
  return (uint64_t)product ^ (uint64_t)(product >> 64);
}

/* Pairs of words are multiplied, each with a key laid over it; the last two words may overlap.
** Nothing outside of the string is read. */
static inline uint64_t locus_hash(const char *at, int64_t length, const text_hash_keys *keys)
{
  uint64_t sum = keys->key[0] + (uint64_t)length * keys->key[3], a = 0, b = 0;

  for (; length > 16; at += 16, length -= 16)
    sum = locus_hash_fold(locus_read_8(at) ^ keys->key[1], locus_read_8(at + 8) ^ sum);
  if (length >= 8) {
    a = locus_read_8(at);
    b = locus_read_8(at + length - 8);
  } else if (length >= 4) {
    a = locus_read_4(at);
    b = locus_read_4(at + length - 4);
  } else if (length > 0) {
    a = (uint64_t)(unsigned char)at[0] << 16 | (uint64_t)(unsigned char)at[length / 2] << 8
        | (unsigned char)at[length - 1];
  }
  return locus_hash_fold(locus_hash_fold(a ^ keys->key[2], b ^ sum), keys->key[3]);
}

#endif
