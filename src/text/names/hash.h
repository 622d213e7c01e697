/* SPDX-License-Identifier: MIT */
/* The hash of byte strings: a keyed folded multiply, the construction of wyhash and rapidhash, in a
** form of our own. A fold multiplies two words of 64 bits and xors the halves of the product. Each
** pair of words is masked with keys and folded into the sum. Two more folds take the words at the
** end, which may overlap:
**
**   sum    = key0 + length * key3
**   sum    = fold(word ^ key1, next word ^ sum)     while more than 16 bytes are left
**   result = fold(fold(a ^ key2, b ^ sum), key3)    a, b: the words at the end
**
** Claims. The four keys are 256 random bits from the system, drawn once per process. They are never
** shown, and no function answers a hash. We know of no way to choose colliding strings without the
** keys: only an attacker who knows the key that masks a factor can make it 0. That is experience,
** not a proof. The hash is no pseudorandom function like SipHash. Nothing is claimed against an
** attacker who knows the keys, or who can measure the time of many single calls. An index file
** (index.h) holds keys of its own: whoever can read the file knows them. If the system has no
** random bytes, keys come from time and addresses, a weaker secret.
**
** Colliding strings cost time, because each one passes all the others. Answers stay right, because
** the bytes are compared, and memory stays safe.
**
** SipHash-1-3 in its place doubled the time of a whole look-up: 12.0 ns instead of 5.9 among 1,000
** names of 8 bytes, and 17 instead of 9.3 with 24 bytes. (2 million look-ups, least of 5, in turns,
** x86-64-v3.)
**
** Sources: https://github.com/wangyi-fudan/wyhash and https://github.com/Nicoshev/rapidhash; J.-P.
** Aumasson and D. Bernstein, "SipHash: a Fast Short-Input PRF", INDOCRYPT 2012. */
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
/* New keys, drawn at each call: those that are written to a file, for instance. */
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

/* The folded multiply: the xor of the halves of the 128-bit product. */
static inline uint64_t locus_hash_fold(uint64_t a, uint64_t b)
{
  const unsigned __int128 product = (unsigned __int128)a * b;
  return (uint64_t)product ^ (uint64_t)(product >> 64);
}

/* Reads no byte outside the string. */
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
    a = (uint64_t)(unsigned char)at[0] << 16 | (uint64_t)(unsigned char)at[length / 2] << 8 |
        (unsigned char)at[length - 1];
  }
  return locus_hash_fold(locus_hash_fold(a ^ keys->key[2], b ^ sum), keys->key[3]);
}

#endif
