/* SPDX-License-Identifier: MIT */
/* Tables indexed by dtype. */
#include "core/dtype.h"

#include <string.h>

static const char *const names[LOCUS_DTYPES] = {
#define DTYPE(id, element, value, kind, name) name,
#include "core/dtype.def"
};

const uint8_t locus_dtype_sizes[LOCUS_DTYPES] = {
#define DTYPE(id, element, value, kind, name) sizeof(element),
#include "core/dtype.def"
};

const uint8_t locus_dtype_kinds[LOCUS_DTYPES] = {
#define DTYPE(id, element, value, kind, name) LOCUS_##kind,
#include "core/dtype.def"
};

/* The promotion of a row's dtype with each column's, in the order of dtype.def. */
#define ROW(id, ...)                                         \
  static const uint8_t with_##id[] = {COLUMNS(__VA_ARGS__)}; \
  _Static_assert(sizeof with_##id == LOCUS_DTYPES, "a column for each dtype");
#define COLUMNS(a, b, c, d, e, f, g, h, i, j, k, l)                                       \
  LOCUS_##a, LOCUS_##b, LOCUS_##c, LOCUS_##d, LOCUS_##e, LOCUS_##f, LOCUS_##g, LOCUS_##h, \
      LOCUS_##i, LOCUS_##j, LOCUS_##k, LOCUS_##l
/*        b8    u8    i8    i16   i32   i64   f16   bf16  f32   f64   c64   c128 */
/* clang-format off */
ROW(b8,   b8,   u8,   i8,   i16,  i32,  i64,  f16,  bf16, f32,  f64,  c64,  c128)
ROW(u8,   u8,   u8,   i16,  i16,  i32,  i64,  f16,  bf16, f32,  f64,  c64,  c128)
ROW(i8,   i8,   i16,  i8,   i16,  i32,  i64,  f16,  bf16, f32,  f64,  c64,  c128)
ROW(i16,  i16,  i16,  i16,  i16,  i32,  i64,  f16,  bf16, f32,  f64,  c64,  c128)
ROW(i32,  i32,  i32,  i32,  i32,  i32,  i64,  f16,  bf16, f32,  f64,  c64,  c128)
ROW(i64,  i64,  i64,  i64,  i64,  i64,  i64,  f16,  bf16, f32,  f64,  c64,  c128)
ROW(f16,  f16,  f16,  f16,  f16,  f16,  f16,  f16,  f32,  f32,  f64,  c64,  c128)
ROW(bf16, bf16, bf16, bf16, bf16, bf16, bf16, f32,  bf16, f32,  f64,  c64,  c128)
ROW(f32,  f32,  f32,  f32,  f32,  f32,  f32,  f32,  f32,  f32,  f64,  c64,  c128)
ROW(f64,  f64,  f64,  f64,  f64,  f64,  f64,  f64,  f64,  f64,  f64,  c128, c128)
ROW(c64,  c64,  c64,  c64,  c64,  c64,  c64,  c64,  c64,  c64,  c128, c64,  c128)
ROW(c128, c128, c128, c128, c128, c128, c128, c128, c128, c128, c128, c128, c128)
/* clang-format on */

static const uint8_t *const promotion[LOCUS_DTYPES] = {
#define DTYPE(id, element, value, kind, name) with_##id,
#include "core/dtype.def"
};

/* The range of an integer type; an unsigned one has a bit more for it. */
#define SIGNED(type) ((type)-1 < (type)1)
#define HIGH(type) (INT64_MAX >> (64 - 8 * sizeof(type) - !SIGNED(type)))
#define LOW(type) (SIGNED(type) ? -HIGH(type) - 1 : 0)
#define RANGE_OF_BOOL(type) {0, 1},
#define RANGE_OF_INTEGER(type) {LOW(type), HIGH(type)},
#define RANGE_OF_FLOAT(type) {INT64_MIN, INT64_MAX},
#define RANGE_OF_COMPLEX(type) {INT64_MIN, INT64_MAX},
static const locus_range ranges[LOCUS_DTYPES] = {
#define DTYPE(id, element, value, kind, name) RANGE_OF_##kind(element)
#include "core/dtype.def"
};

/* Integers of every dtype are converted through int64. */
#define HELD_BOOL(type) true
#define HELD_INTEGER(type) (sizeof(type) < sizeof(int64_t) || SIGNED(type))
#define HELD_FLOAT(type) true
#define HELD_COMPLEX(type) true
#define DTYPE(id, element, value, kind, name) \
  _Static_assert(HELD_##kind(element), "an int64 must hold every integer of a dtype");
#include "core/dtype.def"

const char *locus_dtype_name(locus_dtype dtype)
{
  return names[dtype];
}

const char *locus_dtype_article(locus_dtype dtype)
{
  return names[dtype][0] == 'i' ? "an" : "a";
}

bool locus_dtype_find(const char *name, locus_dtype *dtype)
{
  for (int i = 0; i < LOCUS_DTYPES; i++) {
    if (strcmp(name, names[i]) == 0) {
      *dtype = i;
      return true;
    }
  }
  return false;
}

locus_dtype locus_dtype_promote(locus_dtype a, locus_dtype b)
{
  return promotion[a][b];
}

locus_range locus_dtype_range(locus_dtype dtype)
{
  return ranges[dtype];
}
