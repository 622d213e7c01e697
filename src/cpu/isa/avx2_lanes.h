/* SPDX-License-Identifier: MIT */
/* Template over the WIDTH of a key in bytes, BITS in bits, of avx2.h: a register of keys, of
** values, or of indices that are as wide. A mask has all bits of the lanes that it means. */
#define L(name) CAT(CAT(name, _), WIDTH)
#define EPI(name) CAT(CAT(_mm256_, name), CAT(_epi, BITS))

typedef __m256i L(vector);
typedef __m256i L(mask);
enum { L(LANES) = 32 / WIDTH, L(GROUPS) = 4, L(ROWS) = WIDTH == 4 ? 16 : 32 };

static inline L(vector) L(load)(const void *from)
{
  return _mm256_loadu_si256(from);
}

static inline L(vector) L(spread)(int64_t index)
{
#if WIDTH == 4
  return _mm256_set1_epi32((int32_t)index);
#else
  return _mm256_set1_epi64x(index);
#endif
}

static inline L(vector) L(numbers)(void)
{
#if WIDTH == 4
  return _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
#else
  return _mm256_setr_epi64x(0, 1, 2, 3);
#endif
}

static inline L(vector) L(load_some)(const void *from, int64_t n, L(vector) rest)
{
  const L(mask) first = EPI(cmpgt)(L(spread)(least(n, L(LANES))), L(numbers)());
  return _mm256_blendv_epi8(rest, EPI(maskload)(from, first), first);
}

static inline L(vector) L(root_first)(L(vector) sorted)
{
#if WIDTH == 4
  return _mm256_permutevar8x32_epi32(sorted, _mm256_setr_epi32(7, 3, 1, 5, 0, 2, 4, 6));
#else
  return _mm256_permute4x64_epi64(sorted, _MM_SHUFFLE(2, 0, 1, 3));
#endif
}

static inline L(vector) L(halve)(L(vector) a, L(vector) b, bool second)
{
#if WIDTH == 4
  const __m256 x = _mm256_castsi256_ps(a), y = _mm256_castsi256_ps(b);
  const __m256i mixed =
      _mm256_castps_si256(second ? _mm256_shuffle_ps(x, y, 0xdd) : _mm256_shuffle_ps(x, y, 0x88));
#else
  const __m256i mixed = second ? _mm256_unpackhi_epi64(a, b) : _mm256_unpacklo_epi64(a, b);
#endif
  return _mm256_permute4x64_epi64(mixed, _MM_SHUFFLE(3, 1, 2, 0));
}

static inline L(vector) L(pick1)(const L(vector) * keys, L(vector) index)
{
#if WIDTH == 8
  const __m256i half = _mm256_shuffle_epi32(_mm256_add_epi64(index, index), 0xa0);
  index = _mm256_add_epi32(half, _mm256_set1_epi64x((int64_t)1 << 32));
#endif
  return _mm256_permutevar8x32_epi32(keys[0], index);
}

/* b in the lanes whose index has the bit worth `bit`, a in the others. */
static inline L(vector) L(choose)(L(vector) index, int bit, L(vector) a, L(vector) b)
{
  const __m256i sign = EPI(slli)(index, BITS - 1 - __builtin_ctz((unsigned)bit));
#if WIDTH == 4
  return _mm256_castps_si256(
      _mm256_blendv_ps(_mm256_castsi256_ps(a), _mm256_castsi256_ps(b), _mm256_castsi256_ps(sign)));
#else
  return _mm256_castpd_si256(
      _mm256_blendv_pd(_mm256_castsi256_pd(a), _mm256_castsi256_pd(b), _mm256_castsi256_pd(sign)));
#endif
}

static inline L(vector) L(pick2)(const L(vector) * keys, L(vector) index)
{
  return L(choose)(index, L(LANES), L(pick1)(keys, index), L(pick1)(keys + 1, index));
}

static inline L(vector) L(pick4)(const L(vector) * keys, L(vector) index)
{
  return L(choose)(index, 2 * L(LANES), L(pick2)(keys, index), L(pick2)(keys + 2, index));
}

/* Into a register that is cleared first: a gather waits for its old contents. */
static inline L(vector) L(gather)(const void *keys, L(vector) index)
{
  const L(vector) none = _mm256_setzero_si256();
  L(mask) all = _mm256_set1_epi32(-1);
  __asm__("" : "+x"(all)); /* unseen, or the compiler leaves out the clearing */
#if WIDTH == 4
  return _mm256_mask_i32gather_epi32(none, keys, index, all, 4);
#else
  return _mm256_mask_i64gather_epi64(none, keys, index, all, 8);
#endif
}

static inline L(vector) L(add_where)(L(vector) index, L(mask) mask, int64_t n)
{
  return EPI(add)(index, _mm256_and_si256(mask, L(spread)(n)));
}

static inline L(vector) L(descend)(L(vector) node, L(mask) mask)
{
  return EPI(sub)(EPI(add)(node, node), mask);
}

static inline L(vector) L(plus)(L(vector) index, int64_t n)
{
  return EPI(add)(index, L(spread)(n));
}

/* For factors of at most 32 bits. */
static inline L(vector) L(times)(L(vector) index, int64_t n)
{
#if WIDTH == 4
  return _mm256_mullo_epi32(index, L(spread)(n));
#else
  return _mm256_mul_epu32(index, L(spread)(n));
#endif
}

static inline L(vector) L(at_most)(L(vector) index, int64_t n)
{
#if WIDTH == 4
  return _mm256_min_epi32(index, L(spread)(n));
#else
  return _mm256_blendv_epi8(index, L(spread)(n), _mm256_cmpgt_epi64(index, L(spread)(n)));
#endif
}

static inline bool L(differ)(L(vector) a, L(vector) b)
{
  return _mm256_movemask_epi8(EPI(cmpeq)(a, b)) != -1;
}

static inline void L(put)(int64_t *to, L(vector) index, int64_t n, bool nontemporal)
{
  const __m256i plus = _mm256_set1_epi64x(n);
#if WIDTH == 4
  const __m256i low = _mm256_cvtepi32_epi64(_mm256_castsi256_si128(index));
  const __m256i high = _mm256_cvtepi32_epi64(_mm256_extracti128_si256(index, 1));
  put_half(to, _mm256_add_epi64(low, plus), nontemporal);
  put_half(to + 4, _mm256_add_epi64(high, plus), nontemporal);
#else
  put_half(to, _mm256_add_epi64(index, plus), nontemporal);
#endif
}

static ALWAYS_INLINE L(vector) L(turn)(L(vector) v, int by)
{
#if WIDTH == 4
  if (by == 1) return _mm256_shuffle_epi32(v, _MM_SHUFFLE(2, 3, 0, 1));
  if (by == 2) return _mm256_shuffle_epi32(v, _MM_SHUFFLE(1, 0, 3, 2));
  if (by == 3) return _mm256_shuffle_epi32(v, _MM_SHUFFLE(0, 1, 2, 3));
  if (by == 4) return _mm256_permute4x64_epi64(v, _MM_SHUFFLE(1, 0, 3, 2));
  return _mm256_permutevar8x32_epi32(v, _mm256_xor_si256(L(numbers)(), L(spread)(by)));
#else
  if (by == 1) return _mm256_shuffle_epi32(v, _MM_SHUFFLE(1, 0, 3, 2));
  if (by == 2) return _mm256_permute4x64_epi64(v, _MM_SHUFFLE(1, 0, 3, 2));
  return _mm256_permute4x64_epi64(v, _MM_SHUFFLE(0, 1, 2, 3));
#endif
}

static ALWAYS_INLINE void L(order)(L(vector) * a, L(vector) * b, int against)
{
  const L(vector) x = *a, y = *b;
#if WIDTH == 4
  const __m256i low = _mm256_min_epi32(x, y), high = _mm256_max_epi32(x, y);
  *a = against == 1   ? _mm256_blend_epi32(low, high, 0xaa)
       : against == 2 ? _mm256_blend_epi32(low, high, 0xcc)
       : against == 4 ? _mm256_blend_epi32(low, high, 0xf0)
                      : low;
  *b = against == 1   ? _mm256_blend_epi32(high, low, 0xaa)
       : against == 2 ? _mm256_blend_epi32(high, low, 0xcc)
       : against == 4 ? _mm256_blend_epi32(high, low, 0xf0)
                      : high;
#else
  const __m256i bit = _mm256_set1_epi64x(against ? against : LANES_8);
  const __m256i other = _mm256_cmpeq_epi64(_mm256_and_si256(numbers_8(), bit), bit);
  const __m256d first = _mm256_castsi256_pd(x), second = _mm256_castsi256_pd(y);
  const __m256d swapped = _mm256_castsi256_pd(_mm256_xor_si256(_mm256_cmpgt_epi64(x, y), other));
  *a = _mm256_castpd_si256(_mm256_blendv_pd(first, second, swapped));
  *b = _mm256_castpd_si256(_mm256_blendv_pd(second, first, swapped));
#endif
}

/* Lanes of 8 bytes are two of 4. */
static ALWAYS_INLINE void *L(split)(L(vector) v, L(mask) mask, void *front, void *back)
{
  const unsigned bits = (unsigned)_mm256_movemask_ps(_mm256_castsi256_ps(mask));
  const __m128i order = _mm_loadl_epi64((const void *)&byte_positions[bits]);
  const __m256i packed = _mm256_permutevar8x32_epi32(v, _mm256_cvtepu8_epi32(order));
  _mm256_storeu_si256(front, packed);
  _mm256_storeu_si256((__m256i *)back - 1, packed);
  return (char *)front + 4 * (unsigned)__builtin_popcount(bits);
}

static ALWAYS_INLINE void L(store)(void *to, L(vector) v)
{
  _mm256_storeu_si256(to, v);
}

static ALWAYS_INLINE void L(store_some)(void *to, L(vector) v, int64_t n)
{
  const L(mask) first = EPI(cmpgt)(L(spread)(least(n, L(LANES))), L(numbers)());
  EPI(maskstore)(to, first, v);
}

#undef L
#undef EPI
