/* SPDX-License-Identifier: MIT */
/* Pseudorandom numbers from a key and a counter, with the same bits in C and on a device. They use
** only operations on integers, and + - * / sqrt of doubles, each rounded by itself. docs/chance.md
** is the specification. */
#ifndef LOCUS_CHANCE_H
#define LOCUS_CHANCE_H

#include <math.h>

#include "core/number/half.h"

/* Philox4x32 with 10 rounds: the block of four words of a counter below 2^64.
** Source: J. Salmon, M. Moraes, R. Dror, D. Shaw: Parallel random numbers: as easy as 1, 2, 3. */
#define LOCUS_PHILOX_ROUNDS 10
#define LOCUS_PHILOX_A 0xd2511f53u /* factors of two of the words */
#define LOCUS_PHILOX_C 0xcd9e8d57u
#define LOCUS_PHILOX_LOW 0x9e3779b9u /* added by each round to the key's halves */
#define LOCUS_PHILOX_HIGH 0xbb67ae85u

LOCUS_INLINE void locus_philox(uint64_t key, uint64_t counter, uint32_t words[4])
{
  uint32_t a = (uint32_t)counter, b = (uint32_t)(counter >> 32), c = 0, d = 0;
  uint32_t low = (uint32_t)key, high = (uint32_t)(key >> 32);

  for (int round = 0; round < LOCUS_PHILOX_ROUNDS; round++) {
    const uint64_t of_a = (uint64_t)a * LOCUS_PHILOX_A, of_c = (uint64_t)c * LOCUS_PHILOX_C;
    a = (uint32_t)(of_c >> 32) ^ b ^ low;
    b = (uint32_t)of_c;
    c = (uint32_t)(of_a >> 32) ^ d ^ high;
    d = (uint32_t)of_a;
    low += LOCUS_PHILOX_LOW;
    high += LOCUS_PHILOX_HIGH;
  }
  words[0] = a;
  words[1] = b;
  words[2] = c;
  words[3] = d;
}

/* The 64 bits of a number in float64. A single word stands for the middle of the 2^32 values that
** begin with it. */
LOCUS_INLINE uint64_t locus_long_of(const uint32_t *words)
{
  return words[0] | (uint64_t)words[1] << 32;
}

LOCUS_INLINE uint64_t locus_long_of_word(uint32_t word)
{
  return (uint64_t)word << 32 | 0x80000000;
}

LOCUS_INLINE double locus_chance_f64(uint64_t bits)
{
  double value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

LOCUS_INLINE uint64_t locus_chance_bits(double value)
{
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}

/* 1 + the first 52 bits / 2^52: there are no vectors of conversions from int64 before AVX-512. */
LOCUS_INLINE double locus_one_to_two(uint64_t x)
{
  return locus_chance_f64(x >> 12 | 0x3ff0000000000000);
}

/* The first 53 bits / 2^53, exactly. */
LOCUS_INLINE double locus_unit_f64(uint64_t x)
{
  const uint64_t last = 0 - (x >> 11 & 1); /* 2^-53 or nothing */
  return (locus_one_to_two(x) - 1) + locus_chance_f64(last & 0x3ca0000000000000);
}

/* The first `bits` bits, at most 24, / 2^bits, exactly. */
LOCUS_INLINE float locus_unit_f32(uint32_t word, int bits)
{
  return (float)(int32_t)(word >> (32 - bits)) * locus_f32_of_bits((uint32_t)(127 - bits) << 23);
}

/* a + b * u, which must not be rounded to more than `most`. */
LOCUS_INLINE float locus_uniform_f32(float u, float a, float b, float most)
{
  const float value = a + b * u;
  return value < most ? value : most;
}

LOCUS_INLINE double locus_uniform_f64(double u, double a, double b, double most)
{
  const double value = a + b * u;
  return value < most ? value : most;
}

/* (2 k + 1) / 2^53 of the first 52 bits k: neither 0 nor 1. */
LOCUS_INLINE double locus_unit_open(uint64_t x)
{
  return (locus_one_to_two(x) - 1) + 0x1p-53;
}

/* -log of a positive normal number, within 1 ulp.
** Source: the reduction and the polynomial of fdlibm's e_log.c, Sun Microsystems, 1993. */
LOCUS_INLINE double locus_minus_log(double u)
{
  /* u = 2^k m, with m from sqrt(1/2) to sqrt(2) */
  const uint64_t root = 0x3fe6a09e00000000, shifted = locus_chance_bits(u) - root;
  const uint64_t exponent = ((shifted >> 52) + 2048) & 4095; /* k + 2048 */
  const double k = locus_chance_f64(exponent | 0x4330000000000000) - (0x1p52 + 2048);
  const double f = locus_chance_f64((shifted & 0xfffffffffffff) + root) - 1;
  const double s = f / (2 + f), z = s * s, w = z * z, half = 0.5 * f * f;
  const double odd =
      z * (0x1.5555555555593p-1 +
           w * (0x1.2492494229359p-2 + w * (0x1.7466496cb03dep-3 + w * 0x1.2f112df3e5244p-3)));
  const double even =
      w * (0x1.999999997fa04p-2 + w * (0x1.c71c51d8e78afp-3 + w * 0x1.39a09d078c69fp-3));
  const double ln2_high = 0x1.62e42fee00000p-1, ln2_low = 0x1.a39ef35793c76p-33;

  return (half - (s * (half + (odd + even)) + k * ln2_low) - f) - k * ln2_high;
}

LOCUS_INLINE double locus_chance_exponential(uint64_t x)
{
  return locus_minus_log(locus_unit_open(x));
}

/* sin and cos of an angle from -pi/4 to pi/4, within 1 ulp.
** Source: the polynomials of fdlibm's k_sin.c and k_cos.c. */
LOCUS_INLINE double locus_chance_sin(double a)
{
  const double z = a * a;
  return a + a * z *
                 (-0x1.5555555555549p-3 +
                  z * (0x1.111111110f8a6p-7 +
                       z * (-0x1.a01a019c161d5p-13 +
                            z * (0x1.71de357b1fe7dp-19 +
                                 z * (-0x1.ae5e68a2b9cebp-26 + z * 0x1.5d93a5acfd57cp-33)))));
}

LOCUS_INLINE double locus_chance_cos(double a)
{
  const double z = a * a, half = 0.5 * z, near = 1 - half;
  const double rest = z * z *
                      (0x1.555555555554cp-5 +
                       z * (-0x1.6c16c16c15177p-10 +
                            z * (0x1.a01a019cb1590p-16 +
                                 z * (-0x1.27e4f809c52adp-22 +
                                      z * (0x1.1ee9ebdb4b1c4p-29 + z * -0x1.8fae9be8838d4p-37)))));
  return near + ((1 - near - half) + rest);
}

/* Two independent normal numbers, mean 0 and variance 1, from twice 64 bits: a radius, and an angle
** with a quadrant, the first 2 bits, and a place in it, the next 52.
** Source: G. Box, M. Muller: A note on the generation of random normal deviates. */
LOCUS_INLINE void locus_chance_normal(uint64_t x, uint64_t y, double *first, double *second)
{
  const double radius = sqrt(2 * locus_chance_exponential(x));
  const double angle = (locus_one_to_two(y << 2) - 1.5) * 0x1.921fb54442d18p0;
  const uint64_t quadrant = y >> 62, swapped = 0 - (quadrant & 1);
  const uint64_t c = locus_chance_bits(locus_chance_cos(angle));
  const uint64_t s = locus_chance_bits(locus_chance_sin(angle));
  const uint64_t change = (c ^ s) & swapped;

  *first = radius * locus_chance_f64(c ^ change ^ ((quadrant + 1) & 2) << 62);
  *second = radius * locus_chance_f64(s ^ change ^ (quadrant & 2) << 62);
}

/* The upper 64 bits of a product. */
LOCUS_INLINE uint64_t locus_upper(uint64_t a, uint64_t b)
{
  const uint64_t a0 = a & 0xffffffff, a1 = a >> 32, b0 = b & 0xffffffff, b1 = b >> 32;
  const uint64_t middle = a1 * b0 + (a0 * b0 >> 32), other = a0 * b1 + (middle & 0xffffffff);
  return a1 * b1 + (middle >> 32) + (other >> 32);
}

/* A whole number below `range`: x * range / 2^64 rounded down, of 64 bits, for a range below 2^32;
** x * range / 2^128 of 128 bits for others.
** Source: D. Lemire: Fast random integer generation in an interval. */
LOCUS_INLINE uint64_t locus_below(uint64_t x, uint64_t range)
{
  const uint64_t short_range = range & 0xffffffff; /* as the compiler should know */
  return ((x >> 32) * short_range + ((x & 0xffffffff) * short_range >> 32)) >> 32;
}

LOCUS_INLINE uint64_t locus_below_long(uint64_t low, uint64_t high, uint64_t range)
{
  const uint64_t product = high * range, sum = product + locus_upper(low, range);
  return locus_upper(high, range) + (sum < product);
}

#endif
