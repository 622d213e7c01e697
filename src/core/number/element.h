/* SPDX-License-Identifier: MIT */
/* One element: from memory to the value type it is computed in, and from any value type back.
** locus_load_<dtype>(element) gives the value; LOCUS_STORE_<dtype>(value) the element. Storing in
** an integer truncates; the caller has checked that the value fits. */
#ifndef LOCUS_ELEMENT_H
#define LOCUS_ELEMENT_H

#include "core/dtype.h"
#include "core/number/half.h"

/* The bits of infinity in a float dtype; those of NaN, without the sign, are greater. */
LOCUS_INLINE uint64_t locus_infinity_bits(locus_dtype dtype)
{
  switch (dtype) {
  case LOCUS_f16: return 0x7c00;
  case LOCUS_bf16: return 0x7f80;
  case LOCUS_f32: return 0x7f800000;
  case LOCUS_f64: return 0x7ff0000000000000;
  case LOCUS_b8:
  case LOCUS_u8:
  case LOCUS_i8:
  case LOCUS_i16:
  case LOCUS_i32:
  case LOCUS_i64:
  case LOCUS_c64:
  case LOCUS_c128:
  case LOCUS_DTYPES: break;
  }
  return UINT64_MAX;
}

#define LOCUS_LOAD_AS_IS(id)                                  \
  LOCUS_INLINE locus_value_##id locus_load_##id(locus_##id x) \
  {                                                           \
    return x;                                                 \
  }
LOCUS_LOAD_AS_IS(u8)
LOCUS_LOAD_AS_IS(i8)
LOCUS_LOAD_AS_IS(i16)
LOCUS_LOAD_AS_IS(i32)
LOCUS_LOAD_AS_IS(i64)
LOCUS_LOAD_AS_IS(f32)
LOCUS_LOAD_AS_IS(f64)
LOCUS_LOAD_AS_IS(c64)
LOCUS_LOAD_AS_IS(c128)

/* Any nonzero byte is true. */
LOCUS_INLINE uint8_t locus_load_b8(uint8_t x)
{
  return x != 0;
}

LOCUS_INLINE float locus_load_f16(uint16_t x)
{
  return locus_f16_widen(x);
}

LOCUS_INLINE float locus_load_bf16(uint16_t x)
{
  return locus_bf16_widen(x);
}

LOCUS_INLINE uint16_t locus_f16_of_f64(double x)
{
  return locus_f16_narrow(locus_f32_odd(x));
}

/* The float is exact, or else beyond float16. */
LOCUS_INLINE uint16_t locus_f16_of_i64(int64_t x)
{
  return locus_f16_narrow((float)x);
}

LOCUS_INLINE uint16_t locus_bf16_of_f64(double x)
{
  return locus_bf16_narrow(locus_f32_odd(x));
}

LOCUS_INLINE uint16_t locus_bf16_of_i64(int64_t x)
{
  return locus_bf16_of_f64(locus_f64_odd(x));
}

LOCUS_INLINE locus_complex64 locus_pair_c64(float re, float im)
{
  const locus_complex64 pair = {re, im};
  return pair;
}

LOCUS_INLINE locus_complex128 locus_pair_c128(double re, double im)
{
  const locus_complex128 pair = {re, im};
  return pair;
}

/* The product, in which a factor of 1 changes nothing, not even beside infinity. */
LOCUS_INLINE locus_complex128 locus_times_c128(locus_complex128 a, locus_complex128 b)
{
  if (b.re == 1 && b.im == 0) return a;
  if (a.re == 1 && a.im == 0) return b;
  return locus_pair_c128(a.re * b.re + -a.im * b.im, a.re * b.im + a.im * b.re);
}

/* The real part of any value, an int64 for integers (in C an int for uint8 and bool: vectors make
** floats of those); its imaginary part; and the half, of either kind, that a real part rounds to.
** C chooses by _Generic, C++ by overloading. */
#ifdef __cplusplus
extern "C++" {
/* clang-format off */
LOCUS_INLINE float locus_real(float v) { return v; }
LOCUS_INLINE double locus_real(double v) { return v; }
LOCUS_INLINE float locus_real(locus_complex64 v) { return v.re; }
LOCUS_INLINE double locus_real(locus_complex128 v) { return v.re; }
template <class V> LOCUS_INLINE int64_t locus_real(V v) { return (int64_t)v; }
LOCUS_INLINE float locus_imaginary(locus_complex64 v) { return v.im; }
LOCUS_INLINE double locus_imaginary(locus_complex128 v) { return v.im; }
template <class V> LOCUS_INLINE float locus_imaginary(V) { return 0; }
LOCUS_INLINE uint16_t locus_f16_of(float v) { return locus_f16_narrow(v); }
LOCUS_INLINE uint16_t locus_f16_of(double v) { return locus_f16_of_f64(v); }
LOCUS_INLINE uint16_t locus_f16_of(int64_t v) { return locus_f16_of_i64(v); }
LOCUS_INLINE uint16_t locus_bf16_of(float v) { return locus_bf16_narrow(v); }
LOCUS_INLINE uint16_t locus_bf16_of(double v) { return locus_bf16_of_f64(v); }
LOCUS_INLINE uint16_t locus_bf16_of(int64_t v) { return locus_bf16_of_i64(v); }
/* clang-format on */
}
#define LOCUS_REAL(v) locus_real(v)
#define LOCUS_IMAGINARY(v) locus_imaginary(v)
#define LOCUS_F16_OF(v) locus_f16_of(v)
#define LOCUS_BF16_OF(v) locus_bf16_of(v)
#else
#define LOCUS_REAL(v)                         \
  _Generic((v), locus_complex64               \
           : locus_real_c64, locus_complex128 \
           : locus_real_c128, float           \
           : locus_real_f32, double           \
           : locus_real_f64, uint8_t          \
           : locus_real_u8, default           \
           : locus_real_i64)(v)
#define LOCUS_IMAGINARY(v)                         \
  _Generic((v), locus_complex64                    \
           : locus_imaginary_c64, locus_complex128 \
           : locus_imaginary_c128, default         \
           : locus_imaginary_real)(v)
static inline float locus_real_f32(float v)
{
  return v;
}
static inline double locus_real_f64(double v)
{
  return v;
}
static inline int locus_real_u8(uint8_t v)
{
  return v;
}
static inline int64_t locus_real_i64(int64_t v)
{
  return v;
}
static inline float locus_real_c64(locus_complex64 v)
{
  return v.re;
}
static inline double locus_real_c128(locus_complex128 v)
{
  return v.re;
}
static inline float locus_imaginary_c64(locus_complex64 v)
{
  return v.im;
}
static inline double locus_imaginary_c128(locus_complex128 v)
{
  return v.im;
}
static inline float locus_imaginary_real(double v)
{
  (void)v;
  return 0;
}
#define LOCUS_F16_OF(v) \
  _Generic((v), float : locus_f16_narrow, double : locus_f16_of_f64, default : locus_f16_of_i64)(v)
#define LOCUS_BF16_OF(v)                \
  _Generic((v), float                   \
           : locus_bf16_narrow, double  \
           : locus_bf16_of_f64, default \
           : locus_bf16_of_i64)(v)
#endif

#define LOCUS_STORE_b8(v) ((uint8_t)(LOCUS_REAL(v) != 0 || LOCUS_IMAGINARY(v) != 0))
#define LOCUS_STORE_u8(v) ((uint8_t)LOCUS_REAL(v))
#define LOCUS_STORE_i8(v) ((int8_t)LOCUS_REAL(v))
#define LOCUS_STORE_i16(v) ((int16_t)LOCUS_REAL(v))
#define LOCUS_STORE_i32(v) ((int32_t)LOCUS_REAL(v))
#define LOCUS_STORE_i64(v) ((int64_t)LOCUS_REAL(v))
#define LOCUS_STORE_f16(v) LOCUS_F16_OF(LOCUS_REAL(v))
#define LOCUS_STORE_bf16(v) LOCUS_BF16_OF(LOCUS_REAL(v))
#define LOCUS_STORE_f32(v) ((float)LOCUS_REAL(v))
#define LOCUS_STORE_f64(v) ((double)LOCUS_REAL(v))
#define LOCUS_STORE_c64(v) locus_pair_c64((float)LOCUS_REAL(v), (float)LOCUS_IMAGINARY(v))
#define LOCUS_STORE_c128(v) locus_pair_c128((double)LOCUS_REAL(v), (double)LOCUS_IMAGINARY(v))

#endif
