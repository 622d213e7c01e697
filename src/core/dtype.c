/* SPDX-License-Identifier: MIT */
/* Tables indexed by dtype. */
#include "core/dtype.h"

#include <string.h>

static const char *const names[LOCUS_DTYPES] = {
#define DTYPE(id, element, value, kind, name) name,
#include "core/dtype.def"
#undef DTYPE
};

const uint8_t locus_dtype_sizes[LOCUS_DTYPES] = {
#define DTYPE(id, element, value, kind, name) sizeof(element),
#include "core/dtype.def"
#undef DTYPE
};

const uint8_t locus_dtype_kinds[LOCUS_DTYPES] = {
#define DTYPE(id, element, value, kind, name) LOCUS_##kind,
#include "core/dtype.def"
#undef DTYPE
};

/* Row by column in ORDER DTYPE. */
#define ROW(a, b, c, d, e, f, g, h, i, j, k, l)                                          \
  {LOCUS_##a, LOCUS_##b, LOCUS_##c, LOCUS_##d, LOCUS_##e, LOCUS_##f,                      \
   LOCUS_##g, LOCUS_##h, LOCUS_##i, LOCUS_##j, LOCUS_##k, LOCUS_##l}
static const uint8_t promotion[LOCUS_DTYPES][LOCUS_DTYPES] = {
    ROW(b8, u8, i8, i16, i32, i64, f16, bf16, f32, f64, c64, c128),
    ROW(u8, u8, i16, i16, i32, i64, f16, bf16, f32, f64, c64, c128),
    ROW(i8, i16, i8, i16, i32, i64, f16, bf16, f32, f64, c64, c128),
    ROW(i16, i16, i16, i16, i32, i64, f16, bf16, f32, f64, c64, c128),
    ROW(i32, i32, i32, i32, i32, i64, f16, bf16, f32, f64, c64, c128),
    ROW(i64, i64, i64, i64, i64, i64, f16, bf16, f32, f64, c64, c128),
    ROW(f16, f16, f16, f16, f16, f16, f16, f32, f32, f64, c64, c128),
    ROW(bf16, bf16, bf16, bf16, bf16, bf16, f32, bf16, f32, f64, c64, c128),
    ROW(f32, f32, f32, f32, f32, f32, f32, f32, f32, f64, c64, c128),
    ROW(f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, c128, c128),
    ROW(c64, c64, c64, c64, c64, c64, c64, c64, c64, c128, c64, c128),
    ROW(c128, c128, c128, c128, c128, c128, c128, c128, c128, c128, c128, c128),
};

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
  switch (dtype) {
  case LOCUS_b8: return (locus_range){0, 1};
  case LOCUS_u8: return (locus_range){0, UINT8_MAX};
  case LOCUS_i8: return (locus_range){INT8_MIN, INT8_MAX};
  case LOCUS_i16: return (locus_range){INT16_MIN, INT16_MAX};
  case LOCUS_i32: return (locus_range){INT32_MIN, INT32_MAX};
  default: return (locus_range){INT64_MIN, INT64_MAX};
  }
}
