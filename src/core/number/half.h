/* SPDX-License-Identifier: MIT */
/* float16 and bfloat16 as bits. Widening is exact; narrowing, from any type, rounds once, to
** nearest even. Every backend shares this. */
#ifndef LOCUS_HALF_H
#define LOCUS_HALF_H

#include <stdint.h>
#include <string.h>

#include "core/inline.h"

LOCUS_INLINE uint32_t locus_bits_f32(float value)
{
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}

LOCUS_INLINE float locus_f32_of_bits(uint32_t bits)
{
  float value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

/* Rounds to odd in 14 bits: a later, coarser rounding to nearest then sees every bit that matters,
** subnormal halves included. */
LOCUS_INLINE float locus_f32_odd(double value)
{
  const uint64_t past = ((uint64_t)1 << 39) - 1;
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  bits = (bits & ~past) | (uint64_t)((bits & past) != 0) << 39;
  memcpy(&value, &bits, sizeof bits);
  return (float)value;
}

/* An integer as a double that a later, coarser rounding cannot tell from it: at 2^53 and above a
** sticky bit stands for the lowest eleven. */
LOCUS_INLINE double locus_f64_odd(int64_t value)
{
  const int64_t top = value >> 53, low = value & 0x7ff;
  const int64_t large = top != 0 && top != -1;
  return (double)(value - large * (low - (low != 0) * 0x400));
}

/* NaN becomes quiet, as in the machine's own conversions. */
LOCUS_INLINE float locus_f16_widen(uint16_t half)
{
  const uint32_t sign = (uint32_t)(half & 0x8000u) << 16, rest = half & 0x7fffu;
  const uint32_t special = rest >= 0x7c00u ? 0x38000000u : 0;
  const uint32_t quiet = rest > 0x7c00u ? 0x400000u : 0;
  const uint32_t normal = ((rest << 13) + 0x38000000u + special) | quiet;
  const float tiny = (float)(int32_t)rest * 0x1p-24f;
  return locus_f32_of_bits(sign | (rest < 0x400u ? locus_bits_f32(tiny) : normal));
}

LOCUS_INLINE uint16_t locus_f16_narrow(float value)
{
  const uint32_t bits = locus_bits_f32(value), rest = bits & 0x7fffffffu;
  const uint32_t nan = 0x7e00u | (rest >> 13 & 0x1ffu);
  const uint32_t normal = (rest - 0x38000000u + 0xfffu + (rest >> 13 & 1)) >> 13;
  /* subnormal: the sum's last bit weighs 2^-24 */
  const uint32_t tiny = locus_bits_f32(locus_f32_of_bits(rest) + 0.5f) - 0x3f000000u;
  const uint32_t finite = rest < 0x38800000u ? tiny : normal;
  const uint32_t real = rest >= 0x477ff000u ? 0x7c00u : finite; /* 65520 and more: infinity */
  return (uint16_t)((bits >> 16 & 0x8000u) | (rest > 0x7f800000u ? nan : real));
}

LOCUS_INLINE float locus_bf16_widen(uint16_t half)
{
  return locus_f32_of_bits((uint32_t)half << 16);
}

LOCUS_INLINE uint16_t locus_bf16_narrow(float value)
{
  uint32_t bits = locus_bits_f32(value);
  if ((bits & 0x7fffffffu) > 0x7f800000u) return (uint16_t)(bits >> 16 | 0x40u);
  return (uint16_t)((bits + 0x7fffu + (bits >> 16 & 1)) >> 16);
}

#endif
