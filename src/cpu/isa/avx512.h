/* SPDX-License-Identifier: MIT */
/* Keeps the contract of isa.h. AVX-512 with BW, DQ, VL, VBMI and VBMI2. */
#ifndef LOCUS_ISA_AVX512_H
#define LOCUS_ISA_AVX512_H

#include "cpu/isa/byte_positions.h"
#include "cpu/isa/x86.h"

/* -- conversions: halves ----------------------------------------------------------------------- */

static inline void widen_f16(void *to, const void *from, int64_t n)
{
  float *out = to;
  const uint16_t *in = from;
  int64_t i = 0;

  for (; i + 16 <= n; i += 16)
    _mm512_storeu_ps(out + i, _mm512_cvtph_ps(_mm256_loadu_si256((const void *)(in + i))));
  for (; i < n; i++) out[i] = locus_f16_widen(in[i]);
}

static inline void narrow_f16(void *to, const void *from, int64_t n)
{
  uint16_t *out = to;
  const float *in = from;
  int64_t i = 0;

  for (; i + 16 <= n; i += 16)
    _mm256_storeu_si256((void *)(out + i),
                        _mm512_cvtps_ph(_mm512_loadu_ps(in + i), _MM_FROUND_TO_NEAREST_INT));
  for (; i < n; i++) out[i] = locus_f16_narrow(in[i]);
}

/* -- searchsorted: registers of keys ----------------------------------------------------------- */

typedef __mmask16 mask_4;
typedef __mmask8 mask_8;

static ALWAYS_INLINE void put_line(int64_t *to, __m512i line, bool nontemporal)
{
  if (nontemporal) _mm512_stream_si512((void *)to, line);
  else _mm512_storeu_si512(to, line);
}

#define WIDTH 4
#define BITS 32
#include "cpu/isa/avx512_lanes.h"
#undef WIDTH
#undef BITS
#define WIDTH 8
#define BITS 64
#include "cpu/isa/avx512_lanes.h"
#undef WIDTH
#undef BITS

#define REGISTERS 8
#define PARTITIONS 1

#define BEFORE(id, width, key, as_keys, spread_key, compare, less, less_or_equal)                 \
  static inline mask_##width before_##id(__m512i keys, __m512i values, bool right)                \
  {                                                                                               \
    return right ? compare(as_keys(keys), as_keys(values), less_or_equal)                         \
                 : compare(as_keys(keys), as_keys(values), less);                                 \
  }                                                                                               \
  static inline void advance_##id(const key *keys, __m512i *at, const __m512i *values, int64_t n, \
                                  bool right)                                                     \
  {                                                                                               \
    const __m512i found = gather_##width(keys, *at);                                              \
    *at = add_where_##width(*at, before_##id(found, *values, right), n);                          \
  }                                                                                               \
  static inline int64_t node_rank_##id(const key *keys, key value, bool right)                    \
  {                                                                                               \
    const __m512i values = spread_key(value);                                                     \
    return __builtin_popcount(before_##id(_mm512_loadu_si512(keys), values, right));              \
  }
#define AS_IS(x) (x)
#define SPREAD_PS(x) _mm512_castps_si512(_mm512_set1_ps(x))
#define SPREAD_PD(x) _mm512_castpd_si512(_mm512_set1_pd(x))
BEFORE(f32, 4, float, _mm512_castsi512_ps, SPREAD_PS, _mm512_cmp_ps_mask, _CMP_LT_OQ, _CMP_LE_OQ)
BEFORE(f64, 8, double, _mm512_castsi512_pd, SPREAD_PD, _mm512_cmp_pd_mask, _CMP_LT_OQ, _CMP_LE_OQ)
BEFORE(i32, 4, int32_t, AS_IS, _mm512_set1_epi32, _mm512_cmp_epi32_mask, _MM_CMPINT_LT,
       _MM_CMPINT_LE)
BEFORE(i64, 8, int64_t, AS_IS, _mm512_set1_epi64, _mm512_cmp_epi64_mask, _MM_CMPINT_LT,
       _MM_CMPINT_LE)
#undef BEFORE
#undef AS_IS
#undef SPREAD_PS
#undef SPREAD_PD

/* -- nonzero: masks of 64 elements, and their positions ---------------------------------------- */

static inline uint64_t mask64_1(const void *in, uint64_t keep)
{
  return _mm512_test_epi8_mask(_mm512_loadu_si512(in), _mm512_set1_epi8((char)keep));
}

static inline uint64_t mask64_2(const void *in, uint64_t keep)
{
  const __m512i bits = _mm512_set1_epi16((short)keep), *x = in;
  uint64_t low = _mm512_test_epi16_mask(_mm512_loadu_si512(x), bits);
  return low | (uint64_t)_mm512_test_epi16_mask(_mm512_loadu_si512(x + 1), bits) << 32;
}

static inline uint64_t mask64_4(const void *in, uint64_t keep)
{
  const __m512i bits = _mm512_set1_epi32((int)keep), *x = in;
  uint64_t word = 0;
  for (int i = 0; i < 4; i++)
    word |= (uint64_t)_mm512_test_epi32_mask(_mm512_loadu_si512(x + i), bits) << 16 * i;
  return word;
}

static inline uint64_t mask64_8(const void *in, uint64_t keep)
{
  const __m512i bits = _mm512_set1_epi64((long long)keep), *x = in;
  uint64_t word = 0;
  for (int i = 0; i < 8; i++)
    word |= (uint64_t)_mm512_test_epi64_mask(_mm512_loadu_si512(x + i), bits) << 8 * i;
  return word;
}

static inline int64_t count_bits(uint64_t word)
{
  return __builtin_popcountll(word);
}

/* The bytes 0 .. 63 compressed by the word, then widened. The compression merges into a register
** that is there anyway: zeroing would wait for an older result on some CPUs. */
static inline int64_t emit64(uint16_t *to, uint64_t word, int64_t start)
{
  static const _Alignas(64) uint8_t all[64] = {
      0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21,
      22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43,
      44, 45, 46, 47, 48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63};
  const __m512i bytes = _mm512_load_si512(all), first = _mm512_set1_epi16((short)start);
  const __m512i chosen = _mm512_mask_compress_epi8(bytes, word, bytes);
  const int64_t count = count_bits(word);
  const __m512i low = _mm512_cvtepu8_epi16(_mm512_castsi512_si256(chosen));
  _mm512_storeu_si512(to, _mm512_add_epi16(first, low));
  if (count > 24) { /* a branch that is hard to predict only if few words qualify */
    const __m512i high = _mm512_cvtepu8_epi16(_mm512_extracti64x4_epi64(chosen, 1));
    _mm512_storeu_si512(to + 32, _mm512_add_epi16(first, high));
  }
  return count;
}

/* -- random: words of Philox ------------------------------------------------------------------- */

typedef uint64_t longs __attribute__((vector_size(64)));
enum { PHILOX_LANES = 8 };

static inline longs multiply_words(longs a, longs b)
{
  return (longs)_mm512_mul_epu32((__m512i)a, (__m512i)b);
}

static inline void put_pairs(uint64_t *to, longs a, longs b)
{
  const __m512i front = _mm512_setr_epi64(0, 8, 1, 9, 2, 10, 3, 11);
  const __m512i back = _mm512_setr_epi64(4, 12, 5, 13, 6, 14, 7, 15);

  _mm512_storeu_si512(to, _mm512_permutex2var_epi64((__m512i)a, front, (__m512i)b));
  _mm512_storeu_si512(to + 8, _mm512_permutex2var_epi64((__m512i)a, back, (__m512i)b));
}

/* -- where, and all non-temporal stores -------------------------------------------------------- */

#define SELECT(condition, a, b) ((condition) ? (a) : (b))

static inline __m512i repeat_16(bits_16 e)
{
  return _mm512_broadcast_i64x2(_mm_set_epi64x((int64_t)e.high, (int64_t)e.low));
}

/* The first 4 bytes, each twice. */
static inline __m128i twice_4(const uint8_t *c)
{
  int32_t four;
  memcpy(&four, c, sizeof four);
  return _mm_unpacklo_epi8(_mm_cvtsi32_si128(four), _mm_cvtsi32_si128(four));
}

#define SELECT_LINES(width, ...) CAT(select_lines_, width)(__VA_ARGS__)

#define LINES(width, blend, repeat, test, conditions)                                          \
  static ALWAYS_INLINE void select_lines_##width(bits_##width *z, const uint8_t *c,            \
                                                 const bits_##width *x, int x_step,            \
                                                 const bits_##width *y, int y_step, int64_t n) \
  {                                                                                            \
    for (int64_t i = 0; i < n;)                                                                \
      for (int line = 0; line < 4; line++, i += 64 / width, c += 64 / width) {                 \
        const __m512i a = x_step ? _mm512_loadu_si512(x + i) : repeat(*x);                     \
        const __m512i b = y_step ? _mm512_loadu_si512(y + i) : repeat(*y);                     \
        _mm512_stream_si512((void *)(z + i), blend(test(conditions, conditions), b, a));       \
      }                                                                                        \
  }
LINES(1, _mm512_mask_blend_epi8, _mm512_set1_epi8, _mm512_test_epi8_mask, _mm512_loadu_si512(c))
LINES(2, _mm512_mask_blend_epi16, _mm512_set1_epi16, _mm256_test_epi8_mask,
      _mm256_loadu_si256((const void *)c))
LINES(4, _mm512_mask_blend_epi32, _mm512_set1_epi32, _mm_test_epi8_mask,
      _mm_loadu_si128((const void *)c))
LINES(8, _mm512_mask_blend_epi64, _mm512_set1_epi64, _mm_test_epi8_mask,
      _mm_loadl_epi64((const void *)c))
LINES(16, _mm512_mask_blend_epi64, repeat_16, _mm_test_epi8_mask, twice_4(c))
#undef LINES

static inline void copy_lines(void *to, const void *from, int64_t lines)
{
  __m512i *y = to;
  const __m512i *x = from;
  for (int64_t i = 0; i < lines; i++) _mm512_stream_si512(y + i, _mm512_loadu_si512(x + i));
}

static inline void nontemporal_end(void)
{
  _mm_sfence();
}

#endif
