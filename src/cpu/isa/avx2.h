/* SPDX-License-Identifier: MIT */
/* Keeps the contract of isa.h. AVX2, BMI2 and POPCNT. */
#ifndef LOCUS_ISA_AVX2_H
#define LOCUS_ISA_AVX2_H

#include "cpu/isa/byte_positions.h"
#include "cpu/isa/x86.h"

/* -- conversions: halves ----------------------------------------------------------------------- */

static inline void widen_f16(void *to, const void *from, int64_t n)
{
  float *out = to;
  const uint16_t *in = from;
  int64_t i = 0;

  for (; i + 8 <= n; i += 8)
    _mm256_storeu_ps(out + i, _mm256_cvtph_ps(_mm_loadu_si128((const void *)(in + i))));
  for (; i < n; i++) out[i] = locus_f16_widen(in[i]);
}

static inline void narrow_f16(void *to, const void *from, int64_t n)
{
  uint16_t *out = to;
  const float *in = from;
  int64_t i = 0;

  for (; i + 8 <= n; i += 8)
    _mm_storeu_si128((void *)(out + i),
                     _mm256_cvtps_ph(_mm256_loadu_ps(in + i), _MM_FROUND_TO_NEAREST_INT));
  for (; i < n; i++) out[i] = locus_f16_narrow(in[i]);
}

/* -- searchsorted: registers of keys ----------------------------------------------------------- */

static ALWAYS_INLINE void put_half(int64_t *to, __m256i half, bool nontemporal)
{
  if (nontemporal) _mm256_stream_si256((void *)to, half);
  else _mm256_storeu_si256((void *)to, half);
}

#define WIDTH 4
#define BITS 32
#include "cpu/isa/avx2_lanes.h"
#undef WIDTH
#undef BITS
#define WIDTH 8
#define BITS 64
#include "cpu/isa/avx2_lanes.h"
#undef WIDTH
#undef BITS

#define REGISTERS 8
#define PARTITIONS 1

static inline __m256i before_f32(__m256i keys, __m256i values, bool right)
{
  const __m256 k = _mm256_castsi256_ps(keys), v = _mm256_castsi256_ps(values);
  return _mm256_castps_si256(right ? _mm256_cmp_ps(k, v, _CMP_LE_OQ)
                                   : _mm256_cmp_ps(k, v, _CMP_LT_OQ));
}

static inline __m256i before_f64(__m256i keys, __m256i values, bool right)
{
  const __m256d k = _mm256_castsi256_pd(keys), v = _mm256_castsi256_pd(values);
  return _mm256_castpd_si256(right ? _mm256_cmp_pd(k, v, _CMP_LE_OQ)
                                   : _mm256_cmp_pd(k, v, _CMP_LT_OQ));
}

static inline __m256i before_i32(__m256i keys, __m256i values, bool right)
{
  const __m256i all = _mm256_set1_epi32(-1);
  return right ? _mm256_xor_si256(_mm256_cmpgt_epi32(keys, values), all)
               : _mm256_cmpgt_epi32(values, keys);
}

static inline __m256i before_i64(__m256i keys, __m256i values, bool right)
{
  const __m256i all = _mm256_set1_epi32(-1);
  return right ? _mm256_xor_si256(_mm256_cmpgt_epi64(keys, values), all)
               : _mm256_cmpgt_epi64(values, keys);
}

#define KEYS(id, width, key, spread_key)                                                          \
  static inline void advance_##id(const key *keys, __m256i *at, const __m256i *values, int64_t n, \
                                  bool right)                                                     \
  {                                                                                               \
    const __m256i found = gather_##width(keys, *at);                                              \
    *at = add_where_##width(*at, before_##id(found, *values, right), n);                          \
  }                                                                                               \
  static inline int64_t node_rank_##id(const key *keys, key value, bool right)                    \
  {                                                                                               \
    const __m256i *node = (const __m256i *)keys, values = spread_key(value);                      \
    const __m256i low = before_##id(_mm256_loadu_si256(node), values, right);                     \
    const __m256i high = before_##id(_mm256_loadu_si256(node + 1), values, right);                \
    const unsigned bits = (unsigned)_mm256_movemask_epi8(_mm256_packs_epi32(low, high));          \
    return __builtin_popcount(bits) / (int)(sizeof(key) / 2);                                     \
  }
#define SPREAD_PS(x) _mm256_castps_si256(_mm256_set1_ps(x))
#define SPREAD_PD(x) _mm256_castpd_si256(_mm256_set1_pd(x))
KEYS(f32, 4, float, SPREAD_PS)
KEYS(f64, 8, double, SPREAD_PD)
KEYS(i32, 4, int32_t, _mm256_set1_epi32)
KEYS(i64, 8, int64_t, _mm256_set1_epi64x)
#undef KEYS
#undef SPREAD_PS
#undef SPREAD_PD

/* -- nonzero: masks of 64 elements, and their positions ---------------------------------------- */

static inline __m256i zeros_2(const __m256i *x, __m256i bits)
{
  return _mm256_cmpeq_epi16(_mm256_and_si256(_mm256_loadu_si256(x), bits), _mm256_setzero_si256());
}

static inline __m256i zeros_4(const __m256i *x, __m256i bits)
{
  return _mm256_cmpeq_epi32(_mm256_and_si256(_mm256_loadu_si256(x), bits), _mm256_setzero_si256());
}

/* Eight elements of 8 bytes, as zeros_4 gives those of 4. */
static inline __m256i zeros_8(const __m256i *x, __m256i bits)
{
  const __m256i none = _mm256_setzero_si256();
  const __m256i a = _mm256_cmpeq_epi64(_mm256_and_si256(_mm256_loadu_si256(x), bits), none);
  const __m256i b = _mm256_cmpeq_epi64(_mm256_and_si256(_mm256_loadu_si256(x + 1), bits), none);
  const __m256 halves = _mm256_shuffle_ps(_mm256_castsi256_ps(a), _mm256_castsi256_ps(b), 0x88);
  return _mm256_permute4x64_epi64(_mm256_castps_si256(halves), 0xd8);
}

/* Four times eight lanes, all ones or all zeros, to a bit each. */
static inline uint64_t lanes_to_bits(__m256i a, __m256i b, __m256i c, __m256i d)
{
  const __m256i order = _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7);
  const __m256i all = _mm256_packs_epi16(_mm256_packs_epi32(a, b), _mm256_packs_epi32(c, d));
  return (uint32_t)_mm256_movemask_epi8(_mm256_permutevar8x32_epi32(all, order));
}

static inline uint64_t mask64_1(const void *in, uint64_t keep)
{
  const __m256i none = _mm256_setzero_si256(), bits = _mm256_set1_epi8((char)keep), *x = in;
  uint64_t zero = 0;
  for (int i = 0; i < 2; i++) {
    const __m256i kept = _mm256_and_si256(_mm256_loadu_si256(x + i), bits);
    zero |= (uint64_t)(uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(kept, none)) << 32 * i;
  }
  return ~zero;
}

static inline uint64_t mask64_2(const void *in, uint64_t keep)
{
  const __m256i bits = _mm256_set1_epi16((short)keep), *x = in;
  uint64_t zero = 0;
  for (int i = 0; i < 2; i++) {
    const __m256i both = _mm256_packs_epi16(zeros_2(x + 2 * i, bits), zeros_2(x + 2 * i + 1, bits));
    const __m256i ordered = _mm256_permute4x64_epi64(both, 0xd8);
    zero |= (uint64_t)(uint32_t)_mm256_movemask_epi8(ordered) << 32 * i;
  }
  return ~zero;
}

static inline uint64_t mask64_4(const void *in, uint64_t keep)
{
  const __m256i bits = _mm256_set1_epi32((int)keep), *x = in;
  uint64_t zero = 0;
  for (int i = 0; i < 2; i++, x += 4)
    zero |= lanes_to_bits(zeros_4(x, bits), zeros_4(x + 1, bits), zeros_4(x + 2, bits),
                          zeros_4(x + 3, bits))
            << 32 * i;
  return ~zero;
}

static inline uint64_t mask64_8(const void *in, uint64_t keep)
{
  const __m256i bits = _mm256_set1_epi64x((long long)keep), *x = in;
  uint64_t zero = 0;
  for (int i = 0; i < 2; i++, x += 8)
    zero |= lanes_to_bits(zeros_8(x, bits), zeros_8(x + 2, bits), zeros_8(x + 4, bits),
                          zeros_8(x + 6, bits))
            << 32 * i;
  return ~zero;
}

static inline int64_t count_bits(uint64_t word)
{
  return __builtin_popcountll(word);
}

/* Few bits one by one, many byte by byte; no branch on a single bit or byte. */
static inline int64_t emit64(uint16_t *to, uint64_t word, int64_t start)
{
  const int64_t count = count_bits(word);

  if (count <= 8) {
    for (int i = 0; i < 8; i++, word &= word - 1)
      to[i] = (uint16_t)(start + __builtin_ctzll(word | (uint64_t)1 << 63));
    return count;
  }
  for (int i = 0; i < 64; i += 8) {
    const uint64_t byte = word >> i & 0xff;
    const __m128i at = _mm_cvtepu8_epi16(_mm_cvtsi64_si128((long long)byte_positions[byte]));
    _mm_storeu_si128((__m128i *)to, _mm_add_epi16(at, _mm_set1_epi16((short)(start + i))));
    to += count_bits(byte);
  }
  return count;
}

/* -- random: words of Philox ------------------------------------------------------------------- */

typedef uint64_t longs __attribute__((vector_size(32)));
enum { PHILOX_LANES = 4 };

static inline longs multiply_words(longs a, longs b)
{
  return (longs)_mm256_mul_epu32((__m256i)a, (__m256i)b);
}

static inline void put_pairs(uint64_t *to, longs a, longs b)
{
  const __m256i low = _mm256_unpacklo_epi64((__m256i)a, (__m256i)b);
  const __m256i high = _mm256_unpackhi_epi64((__m256i)a, (__m256i)b);

  _mm256_storeu_si256((void *)to, _mm256_permute2x128_si256(low, high, 0x20));
  _mm256_storeu_si256((void *)(to + 4), _mm256_permute2x128_si256(low, high, 0x31));
}

/* -- where, and all non-temporal stores -------------------------------------------------------- */

#define SELECT(condition, a, b) ((condition) ? (a) : (b))

static inline __m256i repeat_16(bits_16 e)
{
  return _mm256_set_epi64x((int64_t)e.high, (int64_t)e.low, (int64_t)e.high, (int64_t)e.low);
}

/* The first 4 bytes. */
static inline __m128i first_4(const uint8_t *c)
{
  int32_t four;
  memcpy(&four, c, sizeof four);
  return _mm_cvtsi32_si128(four);
}

#define SELECT_LINES(width, ...) CAT(select_lines_, width)(__VA_ARGS__)

#define LINES(width, equal, repeat, conditions)                                                \
  static ALWAYS_INLINE void select_lines_##width(bits_##width *z, const uint8_t *c,            \
                                                 const bits_##width *x, int x_step,            \
                                                 const bits_##width *y, int y_step, int64_t n) \
  {                                                                                            \
    for (int64_t i = 0; i < n;)                                                                \
      for (int half = 0; half < 8; half++, i += 32 / width, c += 32 / width) {                 \
        const void *xs = x + i * x_step, *ys = y + i * y_step;                                 \
        const __m256i a = x_step ? _mm256_loadu_si256(xs) : repeat(*x);                        \
        const __m256i b = y_step ? _mm256_loadu_si256(ys) : repeat(*y);                        \
        const __m256i is_false = equal(conditions, _mm256_setzero_si256());                    \
        _mm256_stream_si256((void *)(z + i), _mm256_blendv_epi8(a, b, is_false));              \
      }                                                                                        \
  }
LINES(1, _mm256_cmpeq_epi8, _mm256_set1_epi8, _mm256_loadu_si256((const void *)c))
LINES(2, _mm256_cmpeq_epi16, _mm256_set1_epi16,
      _mm256_cvtepu8_epi16(_mm_loadu_si128((const void *)c)))
LINES(4, _mm256_cmpeq_epi32, _mm256_set1_epi32,
      _mm256_cvtepu8_epi32(_mm_loadl_epi64((const void *)c)))
LINES(8, _mm256_cmpeq_epi64, _mm256_set1_epi64x, _mm256_cvtepu8_epi64(first_4(c)))
LINES(16, _mm256_cmpeq_epi64, repeat_16, _mm256_set_epi64x(c[1], c[1], c[0], c[0]))
#undef LINES

static inline void copy_lines(void *to, const void *from, int64_t lines)
{
  __m256i *y = to;
  const __m256i *x = from;
  for (int64_t i = 0; i < 2 * lines; i++) _mm256_stream_si256(y + i, _mm256_loadu_si256(x + i));
}

static inline void nontemporal_end(void)
{
  _mm_sfence();
}

#endif
