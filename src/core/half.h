/* SPDX-License-Identifier: MIT */
/* float16 and bfloat16 as bits: widening is exact, narrowing rounds once, to nearest even,
** whatever it comes from. Shared by every backend. */
#ifndef LOCUS_HALF_H
#define LOCUS_HALF_H

#include <stdint.h>
#include <string.h>

static inline uint32_t locus_bits_f32(float value)
{
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}

static inline float locus_f32_of_bits(uint32_t bits)
{
  float value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

/* Rounds to odd: a later, coarser rounding to nearest then sees every bit that matters. */
static inline float locus_f32_odd(double value)
{
  float near = (float)value;
  uint32_t bits = locus_bits_f32(near);
  if ((double)near == value || value != value || (bits & 1)) return near;
  if ((bits & 0x7fffffffu) >= 0x7f800000u) return near; /* beyond float is beyond both halves */
  int away = value < 0 ? (double)near < value : (double)near > value;
  return locus_f32_of_bits(away ? bits - 1 : bits + 1);
}

/* As locus_f32_odd, from an integer to a double. */
static inline double locus_f64_odd(int64_t value)
{
  uint64_t magnitude = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
  int shift = 0;
  while (magnitude >> shift >= (uint64_t)1 << 53) shift++;
  uint64_t kept = magnitude >> shift << shift;
  if (kept != magnitude) kept |= (uint64_t)1 << shift;
  return value < 0 ? -(double)kept : (double)kept;
}

static inline float locus_f16_widen(uint16_t half)
{
  uint32_t sign = (uint32_t)(half & 0x8000u) << 16;
  uint32_t rest = half & 0x7fffu;
  if (rest >= 0x7c00u) return locus_f32_of_bits(sign | 0x7f800000u | (rest & 0x3ffu) << 13);
  if (rest >= 0x400u) return locus_f32_of_bits(sign | ((rest << 13) + 0x38000000u));
  float tiny = (float)rest * 0x1p-24f;
  return locus_f32_of_bits(sign | locus_bits_f32(tiny));
}

static inline uint16_t locus_f16_narrow(float value)
{
  uint32_t bits = locus_bits_f32(value);
  uint16_t sign = (uint16_t)(bits >> 16 & 0x8000u);
  uint32_t rest = bits & 0x7fffffffu;
  if (rest > 0x7f800000u) return (uint16_t)(sign | 0x7e00u | (rest >> 13 & 0x1ffu));
  if (rest >= 0x477ff000u) return (uint16_t)(sign | 0x7c00u); /* 65520 and more: infinity */
  if (rest < 0x38800000u) { /* subnormal: the sum's last bit weighs 2^-24 */
    uint32_t sum = locus_bits_f32(locus_f32_of_bits(rest) + 0.5f);
    return (uint16_t)(sign | (sum - 0x3f000000u));
  }
  return (uint16_t)(sign | ((rest - 0x38000000u + 0xfffu + (rest >> 13 & 1)) >> 13));
}

static inline float locus_bf16_widen(uint16_t half)
{
  return locus_f32_of_bits((uint32_t)half << 16);
}

static inline uint16_t locus_bf16_narrow(float value)
{
  uint32_t bits = locus_bits_f32(value);
  if ((bits & 0x7fffffffu) > 0x7f800000u) return (uint16_t)(bits >> 16 | 0x40u);
  return (uint16_t)((bits + 0x7fffu + (bits >> 16 & 1)) >> 16);
}

#endif
