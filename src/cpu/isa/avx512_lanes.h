/* SPDX-License-Identifier: MIT */
/* Template over the WIDTH of a key in bytes, BITS in bits, of avx512.h: a register of keys, of
** values, or of indices that are as wide. */
#define L(name) CAT(CAT(name, _), WIDTH)
#define EPI(name) CAT(CAT(_mm512_, name), CAT(_epi, BITS))

typedef __m512i L(vector);
enum { L(LANES) = 64 / WIDTH, L(GROUPS) = 4, L(ROWS) = 32 };

static inline L(vector) L(load)(const void *from)
{
  return _mm512_loadu_si512(from);
}

static inline L(vector) L(load_some)(const void *from, int64_t n, L(vector) rest)
{
  const int64_t most = n < 0 ? 0 : least(n, L(LANES));
  return EPI(mask_loadu)(rest, (L(mask))((1u << most) - 1), from);
}

static inline L(vector) L(spread)(int64_t index)
{
  return EPI(set1)(index);
}

static inline L(vector) L(numbers)(void)
{
#if WIDTH == 4
  return _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
#else
  return _mm512_setr_epi64(0, 1, 2, 3, 4, 5, 6, 7);
#endif
}

static inline L(vector) L(root_first)(L(vector) sorted)
{
#if WIDTH == 4
  const L(vector) order = _mm512_setr_epi32(15, 7, 3, 11, 1, 5, 9, 13, 0, 2, 4, 6, 8, 10, 12, 14);
#else
  const L(vector) order = _mm512_setr_epi64(7, 3, 1, 5, 0, 2, 4, 6);
#endif
  return EPI(permutexvar)(order, sorted);
}

static inline L(vector) L(halve)(L(vector) a, L(vector) b, bool second)
{
#if WIDTH == 4
  const L(vector) even =
      _mm512_setr_epi32(0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30);
#else
  const L(vector) even = _mm512_setr_epi64(0, 2, 4, 6, 8, 10, 12, 14);
#endif
  return EPI(permutex2var)(a, EPI(add)(even, L(spread)(second)), b);
}

static inline L(vector) L(pick1)(const L(vector) * keys, L(vector) index)
{
  return EPI(permutexvar)(index, keys[0]);
}

static inline L(vector) L(pick2)(const L(vector) * keys, L(vector) index)
{
  return EPI(permutex2var)(keys[0], index, keys[1]);
}

static inline L(vector) L(pick4)(const L(vector) * keys, L(vector) index)
{
  const L(mask) high = CAT(EPI(test), _mask)(index, L(spread)(2 * L(LANES)));
  return EPI(mask_blend)(high, L(pick2)(keys, index), L(pick2)(keys + 2, index));
}

/* Into a register that is cleared first: a gather waits for its old contents. */
static inline L(vector) L(gather)(const void *keys, L(vector) index)
{
  const L(vector) none = _mm512_setzero_si512();
  L(mask) all = (L(mask)) - 1;
  __asm__("" : "+Yk"(all)); /* unseen, or the compiler leaves out the clearing */
#if WIDTH == 4
  return _mm512_mask_i32gather_epi32(none, all, index, keys, 4);
#else
  return _mm512_mask_i64gather_epi64(none, all, index, keys, 8);
#endif
}

static inline L(vector) L(add_where)(L(vector) index, L(mask) mask, int64_t n)
{
  return EPI(mask_add)(index, mask, index, L(spread)(n));
}

static inline L(vector) L(descend)(L(vector) node, L(mask) mask)
{
  return L(add_where)(EPI(add)(node, node), mask, 1);
}

static inline L(vector) L(plus)(L(vector) index, int64_t n)
{
  return EPI(add)(index, L(spread)(n));
}

static inline L(vector) L(times)(L(vector) index, int64_t n)
{
  return EPI(mullo)(index, L(spread)(n));
}

static inline L(vector) L(at_most)(L(vector) index, int64_t n)
{
  return EPI(min)(index, L(spread)(n));
}

static inline bool L(differ)(L(vector) a, L(vector) b)
{
  return CAT(EPI(cmpneq), _mask)(a, b) != 0;
}

static inline void L(put)(int64_t *to, L(vector) index, int64_t n, bool nontemporal)
{
  const __m512i plus = _mm512_set1_epi64(n);
#if WIDTH == 4
  const __m512i low = _mm512_cvtepi32_epi64(_mm512_castsi512_si256(index));
  const __m512i high = _mm512_cvtepi32_epi64(_mm512_extracti64x4_epi64(index, 1));
  put_line(to, _mm512_add_epi64(low, plus), nontemporal);
  put_line(to + 8, _mm512_add_epi64(high, plus), nontemporal);
#else
  put_line(to, _mm512_add_epi64(index, plus), nontemporal);
#endif
}

static ALWAYS_INLINE L(vector) L(turn)(L(vector) v, int by)
{
  return EPI(permutexvar)(_mm512_xor_si512(L(numbers)(), L(spread)(by)), v);
}

static ALWAYS_INLINE void L(order)(L(vector) * a, L(vector) * b, int against)
{
  const L(mask) all = (L(mask)) - 1;
  const L(mask) other = against ? (L(mask))(all / ((1 << against) + 1) << against) : 0;
  const L(vector) low = EPI(min)(*a, *b), high = EPI(max)(*a, *b);
  *a = EPI(mask_mov)(low, other, high);
  *b = EPI(mask_mov)(high, other, low);
}

/* By a register: compressing to memory takes some CPUs fifty times as long, and storing a part of a
** register twice as long. */
static ALWAYS_INLINE void *L(split)(L(vector) v, L(mask) mask, void *front, void *back)
{
  const unsigned count = (unsigned)__builtin_popcount(mask);
#if WIDTH == 4
  const __m512i turned = _mm512_sub_epi32(numbers_4(), spread_4(count));
  const __m512i rest = _mm512_maskz_compress_epi32((mask_4)~mask, v);
  const __m512i last = _mm512_permutexvar_epi32(turned, rest);
  const __m512i packed = _mm512_mask_compress_epi32(last, mask, v);
#else
  const __m128i order = _mm_loadl_epi64((const void *)&byte_positions[mask]);
  const __m512i packed = _mm512_permutexvar_epi64(_mm512_cvtepu8_epi64(order), v);
#endif
  _mm512_storeu_si512(front, packed);
  _mm512_storeu_si512((__m512i *)back - 1, packed);
  return (char *)front + WIDTH * count;
}

static ALWAYS_INLINE void L(store)(void *to, L(vector) v)
{
  _mm512_storeu_si512(to, v);
}

static ALWAYS_INLINE void L(store_some)(void *to, L(vector) v, int64_t n)
{
  const int64_t most = n < 0 ? 0 : least(n, L(LANES));
  EPI(mask_storeu)(to, (L(mask))((1u << most) - 1), v);
}

#undef L
#undef EPI
