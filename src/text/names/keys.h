/* SPDX-License-Identifier: MIT */
/* Elements as keys of 64 bits, equal where the elements are. One of 16 bytes has two, one for each
** of its parts. */
#ifndef LOCUS_TEXT_KEYS_H
#define LOCUS_TEXT_KEYS_H

#include <string.h>

#include "core/element.h"

enum { KEY_BLOCK = 256 };

/* The bits of a float: one pattern for every NaN, and one for both zeros. */
static inline uint64_t locus_key_of_bits(uint64_t bits, uint64_t infinity, uint64_t sign)
{
  const uint64_t size = bits & ~sign;
  return size == 0 ? 0 : size > infinity ? infinity + 1 : bits;
}

static inline uint64_t locus_key_of_f32(float x)
{
  uint32_t bits;
  memcpy(&bits, &x, sizeof bits);
  return locus_key_of_bits(bits, locus_infinity_bits(LOCUS_f32), 1u << 31);
}

static inline uint64_t locus_key_of_f64(double x)
{
  uint64_t bits;
  memcpy(&bits, &x, sizeof bits);
  return locus_key_of_bits(bits, locus_infinity_bits(LOCUS_f64), (uint64_t)1 << 63);
}

static inline uint64_t locus_key_of_half(uint16_t bits, locus_dtype dtype)
{
  return locus_key_of_bits(bits, locus_infinity_bits(dtype), 1u << 15);
}

/* The keys of n elements, at most KEY_BLOCK: in memory as they are, or written to `keys`. `part` is
** 0, or 1 for the second half of those of 16 bytes. */
static inline const uint64_t *locus_load_keys(locus_dtype dtype, const char *elements, int n,
                                              int part, uint64_t *keys)
{
#define EACH(id, key)                                          \
  case LOCUS_##id: {                                           \
    const locus_##id *const x = (const locus_##id *)elements;  \
    for (int i = 0; i < n; i++) keys[i] = key;                 \
    return keys;                                               \
  }
  switch (dtype) {
    EACH(b8, x[i] != 0)
    EACH(u8, x[i])
    EACH(i8, (uint64_t)x[i])
    EACH(i16, (uint64_t)x[i])
    EACH(i32, (uint64_t)x[i])
  case LOCUS_i64: return (const uint64_t *)elements;
    EACH(f16, locus_key_of_half(x[i], LOCUS_f16))
    EACH(bf16, locus_key_of_half(x[i], LOCUS_bf16))
    EACH(f32, locus_key_of_f32(x[i]))
    EACH(f64, locus_key_of_f64(x[i]))
    EACH(c64, locus_key_of_f32(x[i].re) << 32 | locus_key_of_f32(x[i].im))
    EACH(c128, locus_key_of_f64(part ? x[i].im : x[i].re))
  case LOCUS_DTYPES: break;
  }
#undef EACH
  return keys;
}

#endif
