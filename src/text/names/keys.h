/* SPDX-License-Identifier: MIT */
/* Elements as keys of 64 bits, equal if the elements are. An element of 16 bytes has two keys, one
** for each of its parts. Several integers of a row are the digits of one key, if the product of
** their ranges fits. */
#ifndef LOCUS_TEXT_KEYS_H
#define LOCUS_TEXT_KEYS_H

#include <string.h>

#include "core/number/element.h"
#include "core/once.h"

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
static inline __attribute__((always_inline)) const uint64_t *
locus_load_keys(locus_dtype dtype, const char *elements, int n, int part, uint64_t *keys)
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

/* One of the integers of each row: from `low` on, of `count` that follow each other. */
typedef struct key_digit {
  locus_dtype dtype;
  const char *elements;
  int64_t low;
  uint64_t count;
  bool is_id; /* of a name: `count` names in all */
} key_digit;

/* Rows to be numbered, in one of several calls perhaps: `before` came in earlier ones, `behind` are
** still to come. */
typedef struct key_source {
  locus_dtype dtype;
  const char *elements;
  int part;                /* that of locus_load_keys */
  const key_digit *digits; /* in place of the elements; NULL: none */
  int digit_count;
  int64_t count, before, behind;
} key_source;

/* One more digit of each key; whether it is none of those that there may be. */
static inline bool locus_add_digit(const key_digit *digit, int64_t row, int n, bool is_first,
                                   uint64_t *keys)
{
  uint64_t own[KEY_BLOCK];
  const char *elements = digit->elements + row * locus_dtype_size(digit->dtype);
  const uint64_t *loaded = locus_load_keys(digit->dtype, elements, n, 0, own);
  bool strays = false;

  if (loaded != own) memcpy(own, loaded, (size_t)n * sizeof *own);
  LOCUS_SETTLED(own);
  for (int i = 0; i < n; i++) {
    const uint64_t value = own[i] - (uint64_t)digit->low;
    strays |= value >= digit->count;
    keys[i] = is_first ? value : keys[i] * digit->count + value;
  }
  return strays;
}

/* The keys of n rows from `row` on, at most KEY_BLOCK. `strays` is set where a digit is none of
** those that there may be. */
static inline const uint64_t *locus_source_keys(const key_source *source, int64_t row, int n,
                                                uint64_t *keys, bool *strays)
{
  if (!source->digits) {
    const char *elements = source->elements + row * locus_dtype_size(source->dtype);
    return locus_load_keys(source->dtype, elements, n, source->part, keys);
  }
  for (int i = 0; i < source->digit_count; i++)
    *strays |= locus_add_digit(&source->digits[i], row, n, i == 0, keys);
  return keys;
}

#endif
