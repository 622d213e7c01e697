/* SPDX-License-Identifier: MIT */
/* One element: from memory to the value type it is computed in, and from any value type back.
** locus_load_<dtype>(element) gives the value; LOCUS_STORE_<dtype>(value) the element. Storing in
** an integer truncates; the caller has made sure that the value fits. */
#ifndef LOCUS_ELEMENT_H
#define LOCUS_ELEMENT_H

#include "core/dtype.h"
#include "core/half.h"

#define LOCUS_LOAD_AS_IS(id)                                 \
  static inline locus_value_##id locus_load_##id(locus_##id x) \
  {                                                          \
    return x;                                                \
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
static inline uint8_t locus_load_b8(uint8_t x)
{
  return x != 0;
}

static inline float locus_load_f16(uint16_t x)
{
  return locus_f16_widen(x);
}

static inline float locus_load_bf16(uint16_t x)
{
  return locus_bf16_widen(x);
}

static inline uint16_t locus_f16_of_f64(double x)
{
  return locus_f16_narrow(locus_f32_odd(x));
}

/* Exact as a float, or beyond float16. */
static inline uint16_t locus_f16_of_i64(int64_t x)
{
  return locus_f16_narrow((float)x);
}

static inline uint16_t locus_bf16_of_f64(double x)
{
  return locus_bf16_narrow(locus_f32_odd(x));
}

static inline uint16_t locus_bf16_of_i64(int64_t x)
{
  return locus_bf16_of_f64(locus_f64_odd(x));
}

/* The real part of any value. */
#define LOCUS_REAL(v) \
  _Generic((v), locus_complex64: locus_real_c64, locus_complex128: locus_real_c128, \
           float: locus_real_f32, double: locus_real_f64, default: locus_real_i64)(v)
#define LOCUS_IMAGINARY(v) \
  _Generic((v), locus_complex64: locus_imaginary_c64, locus_complex128: locus_imaginary_c128, \
           default: locus_imaginary_real)(v)
static inline float locus_real_f32(float v) { return v; }
static inline double locus_real_f64(double v) { return v; }
static inline int64_t locus_real_i64(int64_t v) { return v; }
static inline float locus_real_c64(locus_complex64 v) { return v.re; }
static inline double locus_real_c128(locus_complex128 v) { return v.re; }
static inline float locus_imaginary_c64(locus_complex64 v) { return v.im; }
static inline double locus_imaginary_c128(locus_complex128 v) { return v.im; }
static inline float locus_imaginary_real(double v) { (void)v; return 0; }

#define LOCUS_STORE_b8(v) ((uint8_t)(LOCUS_REAL(v) != 0 || LOCUS_IMAGINARY(v) != 0))
#define LOCUS_STORE_u8(v) ((uint8_t)LOCUS_REAL(v))
#define LOCUS_STORE_i8(v) ((int8_t)LOCUS_REAL(v))
#define LOCUS_STORE_i16(v) ((int16_t)LOCUS_REAL(v))
#define LOCUS_STORE_i32(v) ((int32_t)LOCUS_REAL(v))
#define LOCUS_STORE_i64(v) ((int64_t)LOCUS_REAL(v))
#define LOCUS_STORE_f16(v) \
  _Generic(LOCUS_REAL(v), float: locus_f16_narrow, double: locus_f16_of_f64, \
           default: locus_f16_of_i64)(LOCUS_REAL(v))
#define LOCUS_STORE_bf16(v) \
  _Generic(LOCUS_REAL(v), float: locus_bf16_narrow, double: locus_bf16_of_f64, \
           default: locus_bf16_of_i64)(LOCUS_REAL(v))
#define LOCUS_STORE_f32(v) ((float)LOCUS_REAL(v))
#define LOCUS_STORE_f64(v) ((double)LOCUS_REAL(v))
#define LOCUS_STORE_c64(v) ((locus_complex64){(float)LOCUS_REAL(v), (float)LOCUS_IMAGINARY(v)})
#define LOCUS_STORE_c128(v) ((locus_complex128){(double)LOCUS_REAL(v), (double)LOCUS_IMAGINARY(v)})

#endif
