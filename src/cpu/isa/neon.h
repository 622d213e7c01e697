/* SPDX-License-Identifier: MIT */
/* Keeps the contract of isa.h. Advanced SIMD, which every 64-bit Arm CPU has. */
#ifndef LOCUS_ISA_NEON_H
#define LOCUS_ISA_NEON_H

#include <arm_neon.h>

#include "cpu/isa/byte_positions.h"
#include "cpu/isa/transpose.h"

/* -- conversions: halves ----------------------------------------------------------------------- */

static inline void widen_f16(void *to, const void *from, int64_t n)
{
  float *out = to;
  const uint16_t *in = from;
  int64_t i = 0;

  for (; i + 4 <= n; i += 4) vst1q_f32(out + i, vcvt_f32_f16((float16x4_t)vld1_u16(in + i)));
  for (; i < n; i++) out[i] = locus_f16_widen(in[i]);
}

static inline void narrow_f16(void *to, const void *from, int64_t n)
{
  uint16_t *out = to;
  const float *in = from;
  int64_t i = 0;

  for (; i + 4 <= n; i += 4) vst1_u16(out + i, (uint16x4_t)vcvt_f16_f32(vld1q_f32(in + i)));
  for (; i < n; i++) out[i] = locus_f16_narrow(in[i]);
}

/* -- moves: squares of 16 by 16 bytes ---------------------------------------------------------- */

TRANSPOSE(1, uint8x16_t, vld1q_u8, vst1q_u8, vzip1q_u8, vzip2q_u8)
TRANSPOSE(2, uint16x8_t, vld1q_u16, vst1q_u16, vzip1q_u16, vzip2q_u16)
TRANSPOSE(4, uint32x4_t, vld1q_u32, vst1q_u32, vzip1q_u32, vzip2q_u32)
TRANSPOSE(8, uint64x2_t, vld1q_u64, vst1q_u64, vzip1q_u64, vzip2q_u64)

/* -- searchsorted: registers of keys ----------------------------------------------------------- */

#define WIDTH 8
#define BITS 64
#include "cpu/isa/neon_lanes.h"
#undef WIDTH
#undef BITS
#define WIDTH 4
#define BITS 32
#include "cpu/isa/neon_lanes.h"
#undef WIDTH
#undef BITS

#define REGISTERS 4
#define PARTITIONS 0

#define BEFORE(id, width, key, lanes, spread)                                                    \
  static inline mask_##width before_##id(vector_##width keys, vector_##width values, bool right) \
  {                                                                                              \
    return right ? (lanes)keys <= (lanes)values : (lanes)keys < (lanes)values;                   \
  }                                                                                              \
  static inline void advance_##id(const key *keys, vector_##width *at,                           \
                                  const vector_##width *values, int64_t n, bool right)           \
  {                                                                                              \
    const vector_##width found = gather_##width(keys, *at);                                      \
    *at = add_where_##width(*at, before_##id(found, *values, right), n);                         \
  }                                                                                              \
  static inline int64_t node_rank_##id(const key *keys, key value, bool right)                   \
  {                                                                                              \
    const vector_##width values = (vector_##width)spread(value);                                 \
    mask_##width counted = spread_##width(0);                                                    \
    for (int i = 0; i < 64 / width; i += LANES_##width)                                          \
      counted += before_##id(load_##width(keys + i), values, right);                             \
    return -CAT(vaddvq_s, CAT(BITS_OF_, width))(counted);                                        \
  }
#define BITS_OF_4 32
#define BITS_OF_8 64
BEFORE(f32, 4, float, float32x4_t, vdupq_n_f32)
BEFORE(f64, 8, double, float64x2_t, vdupq_n_f64)
BEFORE(i32, 4, int32_t, int32x4_t, vdupq_n_s32)
BEFORE(i64, 8, int64_t, int64x2_t, vdupq_n_s64)
#undef BEFORE
#undef BITS_OF_4
#undef BITS_OF_8

/* -- nonzero: masks of 64 elements, and their positions ---------------------------------------- */

/* set16_<width>: for each of 16 elements a byte, all bits set where it has any of `keep`. */
static inline uint8x16_t set16_1(const uint8_t *x, uint64_t keep)
{
  return vtstq_u8(vld1q_u8(x), vdupq_n_u8((uint8_t)keep));
}

static inline uint8x16_t set16_2(const uint16_t *x, uint64_t keep)
{
  const uint16x8_t bits = vdupq_n_u16((uint16_t)keep);
  const uint16x8_t a = vtstq_u16(vld1q_u16(x), bits), b = vtstq_u16(vld1q_u16(x + 8), bits);
  return vuzp1q_u8((uint8x16_t)a, (uint8x16_t)b);
}

/* 8 elements of two bytes each. */
static inline uint8x16_t set8_4(const uint32_t *x, uint32x4_t bits)
{
  const uint32x4_t a = vtstq_u32(vld1q_u32(x), bits), b = vtstq_u32(vld1q_u32(x + 4), bits);
  return (uint8x16_t)vuzp1q_u16((uint16x8_t)a, (uint16x8_t)b);
}

static inline uint8x16_t set16_4(const uint32_t *x, uint64_t keep)
{
  const uint32x4_t bits = vdupq_n_u32((uint32_t)keep);
  return vuzp1q_u8(set8_4(x, bits), set8_4(x + 8, bits));
}

/* 4 elements of four bytes each. */
static inline uint16x8_t set4_8(const uint64_t *x, uint64x2_t bits)
{
  const uint64x2_t a = vtstq_u64(vld1q_u64(x), bits), b = vtstq_u64(vld1q_u64(x + 2), bits);
  return (uint16x8_t)vuzp1q_u32((uint32x4_t)a, (uint32x4_t)b);
}

static inline uint8x16_t set16_8(const uint64_t *x, uint64_t keep)
{
  const uint64x2_t bits = vdupq_n_u64(keep);
  const uint16x8_t low = vuzp1q_u16(set4_8(x, bits), set4_8(x + 4, bits));
  const uint16x8_t high = vuzp1q_u16(set4_8(x + 8, bits), set4_8(x + 12, bits));
  return vuzp1q_u8((uint8x16_t)low, (uint8x16_t)high);
}

/* Neighbouring bytes are added until each has the bits of eight elements. */
#define MASK64(width)                                                                  \
  static inline uint64_t mask64_##width(const void *in, uint64_t keep)                 \
  {                                                                                    \
    const uint8x16_t bit = {1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128}; \
    const bits_##width *x = in;                                                        \
    const uint8x16_t a = set16_##width(x, keep) & bit;                                 \
    const uint8x16_t b = set16_##width(x + 16, keep) & bit;                            \
    const uint8x16_t c = set16_##width(x + 32, keep) & bit;                            \
    const uint8x16_t d = set16_##width(x + 48, keep) & bit;                            \
    const uint8x16_t sums = vpaddq_u8(vpaddq_u8(a, b), vpaddq_u8(c, d));               \
    return vgetq_lane_u64((uint64x2_t)vpaddq_u8(sums, sums), 0);                       \
  }
MASK64(1)
MASK64(2)
MASK64(4)
MASK64(8)
#undef MASK64

static inline int64_t count_bits(uint64_t word)
{
  return vaddv_u8(vcnt_u8(vcreate_u8(word)));
}

/* Byte by byte. */
static inline int64_t emit64(uint16_t *to, uint64_t word, int64_t start)
{
  const int64_t count = count_bits(word);

  for (int i = 0; i < 64; i += 8) {
    const uint64_t byte = word >> i & 0xff;
    const uint16x8_t at = vmovl_u8(vcreate_u8(byte_positions[byte]));
    vst1q_u16(to, at + vdupq_n_u16((uint16_t)(start + i)));
    to += count_bits(byte);
  }
  return count;
}

/* -- random: words of Philox ------------------------------------------------------------------- */

typedef uint64x2_t longs;
enum { PHILOX_LANES = 2 };

static inline longs multiply_words(longs a, longs b)
{
  return vmull_u32(vmovn_u64(a), vmovn_u64(b));
}

static inline void put_pairs(uint64_t *to, longs a, longs b)
{
  vst1q_u64(to, vzip1q_u64(a, b));
  vst1q_u64(to + 2, vzip2q_u64(a, b));
}

/* -- where, and all non-temporal stores -------------------------------------------------------- */

#define SELECT(condition, a, b) ((condition) ? (a) : (b))

/* Compilers have no intrinsic for a non-temporal store here. */
#define SELECT_LINES(width, ...) CAT(select_, width)(__VA_ARGS__)

static inline void copy_lines(void *to, const void *from, int64_t lines)
{
  memcpy(to, from, (size_t)lines * 64);
}

static inline void nontemporal_end(void)
{
}

#endif
