/* SPDX-License-Identifier: MIT */
/* Keeps the contract of isa.h. Plain C for any CPU. */
#ifndef LOCUS_ISA_SCALAR_H
#define LOCUS_ISA_SCALAR_H

#include "cpu/block/kernel.h"

/* -- conversions: halves ----------------------------------------------------------------------- */

static inline void widen_f16(void *to, const void *from, int64_t n)
{
  float *restrict out = to;
  const uint16_t *restrict in = from;
  for (int64_t i = 0; i < n; i++) out[i] = locus_f16_widen(in[i]);
}

static inline void narrow_f16(void *to, const void *from, int64_t n)
{
  uint16_t *restrict out = to;
  const float *restrict in = from;
  for (int64_t i = 0; i < n; i++) out[i] = locus_f16_narrow(in[i]);
}

/* -- moves: squares of 16 by 16 bytes ---------------------------------------------------------- */

#define TRANSPOSE(width)                                                                  \
  static inline void transpose_##width(bits_##width *to, int64_t to_step,                 \
                                       const bits_##width *from, int64_t from_step)       \
  {                                                                                       \
    for (int c = 0; c < 16 / width; c++)                                                  \
      for (int r = 0; r < 16 / width; r++) to[r * to_step + c] = from[c * from_step + r]; \
  }
TRANSPOSE(1)
TRANSPOSE(2)
TRANSPOSE(4)
TRANSPOSE(8)
TRANSPOSE(16)
#undef TRANSPOSE

/* -- searchsorted: registers of keys ----------------------------------------------------------- */

#define WIDTH 4
#define BITS 32
#include "cpu/isa/scalar_lanes.h"
#undef WIDTH
#undef BITS
#define WIDTH 8
#define BITS 64
#include "cpu/isa/scalar_lanes.h"
#undef WIDTH
#undef BITS

#define REGISTERS 0
#define PARTITIONS 0

#define BEFORE(id, width, key)                                                                   \
  static inline mask_##width before_##id(vector_##width keys, vector_##width values, bool right) \
  {                                                                                              \
    mask_##width mask;                                                                           \
    for (int j = 0; j < LANES_##width; j++) {                                                    \
      mask.index[j] = -(right ? keys.id[j] <= values.id[j] : keys.id[j] < values.id[j]);         \
    }                                                                                            \
    return mask;                                                                                 \
  }                                                                                              \
  static inline void advance_##id(const key *keys, vector_##width *at,                           \
                                  const vector_##width *values, int64_t n, bool right)           \
  {                                                                                              \
    for (int j = 0; j < LANES_##width; j++) {                                                    \
      const key k = keys[at->index[j]], value = values->id[j];                                   \
      at->index[j] += (bits_##width)n & -(bits_##width)(right ? k <= value : k < value);         \
    }                                                                                            \
  }                                                                                              \
  static inline int64_t node_rank_##id(const key *keys, key value, bool right)                   \
  {                                                                                              \
    const key *at = keys;                                                                        \
    for (int half = 32 / width; half > 0; half /= 2)                                             \
      at += half & -(right ? at[half - 1] <= value : at[half - 1] < value);                      \
    return at - keys + (right ? *at <= value : *at < value);                                     \
  }
BEFORE(f32, 4, float)
BEFORE(f64, 8, double)
BEFORE(i32, 4, int32_t)
BEFORE(i64, 8, int64_t)
#undef BEFORE

/* -- nonzero: masks of 64 elements, and their positions ---------------------------------------- */

/* Eight bytes, 0 or 1, to a bit each. */
static inline uint64_t bits_of_bytes(const uint8_t *bytes)
{
  uint64_t eight;
  memcpy(&eight, bytes, sizeof eight);
  return eight * 0x0102040810204080u >> 56;
}

#define MASK64(width)                                                       \
  static inline uint64_t mask64_##width(const void *in, uint64_t keep)      \
  {                                                                         \
    const bits_##width *x = in;                                             \
    uint8_t set[64];                                                        \
    uint64_t word = 0;                                                      \
    for (int i = 0; i < 64; i++) set[i] = (x[i] & (bits_##width)keep) != 0; \
    for (int i = 0; i < 64; i += 8) word |= bits_of_bytes(set + i) << i;    \
    return word;                                                            \
  }
MASK64(1)
MASK64(2)
MASK64(4)
MASK64(8)
#undef MASK64

static inline int64_t count_bits(uint64_t word)
{
  word -= word >> 1 & 0x5555555555555555u;
  word = (word & 0x3333333333333333u) + (word >> 2 & 0x3333333333333333u);
  return (int64_t)(((word + (word >> 4)) & 0x0f0f0f0f0f0f0f0fu) * 0x0101010101010101u >> 56);
}

/* Bit by bit; a branch on every eighth only. */
static inline int64_t emit64(uint16_t *to, uint64_t word, int64_t start)
{
  const int64_t count = count_bits(word);
  for (int64_t k = 0; k < count; k += 8)
    for (int i = 0; i < 8; i++, word &= word - 1)
      to[k + i] = (uint16_t)(start + __builtin_ctzll(word | (uint64_t)1 << 63));
  return count;
}

/* -- random: words of Philox ------------------------------------------------------------------- */

typedef uint64_t longs;
enum { PHILOX_LANES = 1 };

static inline longs multiply_words(longs a, longs b)
{
  return (a & 0xffffffff) * (b & 0xffffffff);
}

static inline void put_pairs(uint64_t *to, longs a, longs b)
{
  to[0] = a;
  to[1] = b;
}

/* -- where, and all non-temporal stores -------------------------------------------------------- */

/* Without a comparison of 64 bits, which not every CPU has for vectors. */
#define SELECT(condition, a, b) ((b) ^ (((a) ^ (b)) & (0 - (uint64_t)((condition) != 0))))

/* Plain C has no non-temporal store. */
#define SELECT_LINES(width, ...) CAT(select_, width)(__VA_ARGS__)

static inline void copy_lines(void *to, const void *from, int64_t lines)
{
  memcpy(to, from, (size_t)lines * 64);
}

static inline void nontemporal_end(void)
{
}

#endif
