/* SPDX-License-Identifier: MIT */
/* Elements as keys of 64 bits, equal if the elements are. An element of 16 bytes has two keys, one
** for each of its parts. */
#ifndef LOCUS_TEXT_KEYS_H
#define LOCUS_TEXT_KEYS_H

#include <string.h>

#include "core/number/element.h"

enum { KEY_BLOCK = 256 };

/* The bits of a float: one pattern for every NaN, and one for both zeros. */
static inline uint64_t locus_key_of_bits(uint64_t bits, uint64_t infinity, uint64_t sign)
{
  const uint64_t size = bits & ~sign;
  return size == 0 ? 0 : size > infinity ? infinity + 1 : bits;
}

static inline uint64_t locus_key_of_float(const void *x, size_t size, locus_dtype dtype)
{
  uint16_t half;
  uint32_t single;
  uint64_t bits;

  switch (size) {
  case sizeof half: memcpy(&half, x, sizeof half), bits = half; break;
  case sizeof single: memcpy(&single, x, sizeof single), bits = single; break;
  default: memcpy(&bits, x, sizeof bits); break;
  }
  return locus_key_of_bits(bits, locus_infinity_bits(dtype), (uint64_t)1 << (8 * size - 1));
}

/* The key of an element x, by its kind; `part` is that of locus_load_keys. */
#define LOCUS_KEY_BOOL(id, x) ((x) != 0)
#define LOCUS_KEY_INTEGER(id, x) ((uint64_t)(x))
#define LOCUS_KEY_FLOAT(id, x) locus_key_of_float(&(x), sizeof(x), LOCUS_##id)
#define LOCUS_KEY_COMPLEX(id, x)                                                \
  (sizeof(x) == 16 ? locus_key_of_float(part ? &(x).im : &(x).re, 8, LOCUS_f64) \
                   : locus_key_of_float(&(x).re, 4, LOCUS_f32) << 32 |          \
                         locus_key_of_float(&(x).im, 4, LOCUS_f32))

/* The keys of n elements, at most KEY_BLOCK: in memory as they are, or written to `keys`. `part` is
** 0, or 1 for the second half of those of 16 bytes. */
static inline const uint64_t *locus_load_keys(locus_dtype dtype, const char *elements, int n,
                                              int part, uint64_t *keys)
{
  switch (dtype) {
/* clang-format off */
#define DTYPE(id, element, value, kind, name)                                            \
  case LOCUS_##id: {                                                                     \
    const element *const x = (const element *)elements;                                  \
    if (LOCUS_##kind == LOCUS_INTEGER && sizeof *x == 8)                                 \
      return (const uint64_t *)elements;                                                 \
    for (int i = 0; i < n; i++) keys[i] = LOCUS_KEY_##kind(id, x[i]);                    \
    return keys;                                                                         \
  }
#include "core/dtype.def"
    /* clang-format on */
  case LOCUS_DTYPES: break;
  }
  return keys;
}

#endif
