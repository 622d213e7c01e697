/* SPDX-License-Identifier: MIT */
/* Template over the WIDTH of a key in bytes, BITS in bits, of neon.h: a register of keys, of
** values, or of indices that are as wide. A mask has all bits of the lanes that it means. Operators
** work lane by lane. */
#define L(name) CAT(CAT(name, _), WIDTH)
#define S(name) CAT(CAT(name, _s), BITS)
#define INDEX CAT(CAT(int, BITS), _t)
#define EACH_LANE for (int j = 0; j < L(LANES); j++)

enum { L(LANES) = 16 / WIDTH, L(GROUPS) = 4 };

#if WIDTH == 4
typedef int32x4_t vector_4, mask_4;
#else
typedef int64x2_t vector_8, mask_8;
#endif

static inline L(vector) L(load)(const void *from)
{
  return S(vld1q)(from);
}

static inline L(vector) L(spread)(int64_t index)
{
  return S(vdupq_n)((INDEX)index);
}

static inline L(vector) L(load_some)(const void *from, int64_t n, L(vector) rest)
{
  if (n > 0) memcpy(&rest, from, (size_t)least(n, L(LANES)) * WIDTH);
  return rest;
}

static inline L(vector) L(numbers)(void)
{
#if WIDTH == 4
  return (int32x4_t){0, 1, 2, 3};
#else
  return (int64x2_t){0, 1};
#endif
}

static inline L(vector) L(root_first)(L(vector) sorted)
{
#if WIDTH == 4
  return __builtin_shuffle(sorted, (int32x4_t){3, 1, 0, 2});
#else
  return __builtin_shuffle(sorted, (int64x2_t){1, 0});
#endif
}

static inline L(vector) L(halve)(L(vector) a, L(vector) b, bool second)
{
  return second ? S(vuzp2q)(a, b) : S(vuzp1q)(a, b);
}

/* The places of the bytes of each lane's key among those of n keys: its index, modulo n, and the
** place within. */
static inline uint8x16_t L(bytes_of)(L(vector) index, int n)
{
#if WIDTH == 4
  const uint8x16_t first = {0, 0, 0, 0, 4, 4, 4, 4, 8, 8, 8, 8, 12, 12, 12, 12};
  const uint8x16_t within = {0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3};
#else
  const uint8x16_t first = {0, 0, 0, 0, 0, 0, 0, 0, 8, 8, 8, 8, 8, 8, 8, 8};
  const uint8x16_t within = {0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7};
#endif
  const L(vector) begin = (index & L(spread)(n - 1)) << (WIDTH == 4 ? 2 : 3);
  return vqtbl1q_u8((uint8x16_t)begin, first) + within;
}

static inline L(vector) L(pick1)(const L(vector) * keys, L(vector) index)
{
  return (L(vector))vqtbl1q_u8((uint8x16_t)keys[0], L(bytes_of)(index, L(LANES)));
}

static inline L(vector) L(pick2)(const L(vector) * keys, L(vector) index)
{
  const uint8x16x2_t table = {{(uint8x16_t)keys[0], (uint8x16_t)keys[1]}};
  return (L(vector))vqtbl2q_u8(table, L(bytes_of)(index, 2 * L(LANES)));
}

static inline L(vector) L(pick4)(const L(vector) * keys, L(vector) index)
{
  const uint8x16x4_t table = {
      {(uint8x16_t)keys[0], (uint8x16_t)keys[1], (uint8x16_t)keys[2], (uint8x16_t)keys[3]}};
  return (L(vector))vqtbl4q_u8(table, L(bytes_of)(index, 4 * L(LANES)));
}

static inline L(vector) L(gather)(const void *keys, L(vector) index)
{
  const INDEX *key = keys;
  EACH_LANE index[j] = key[index[j]];
  return index;
}

static inline L(vector) L(add_where)(L(vector) index, L(mask) mask, int64_t n)
{
  return index + (mask & L(spread)(n));
}

static inline L(vector) L(descend)(L(vector) node, L(mask) mask)
{
  return node + node - mask;
}

static inline L(vector) L(plus)(L(vector) index, int64_t n)
{
  return index + L(spread)(n);
}

/* For factors of at most 32 bits. */
static inline L(vector) L(times)(L(vector) index, int64_t n)
{
#if WIDTH == 4
  return index * L(spread)(n);
#else
  return vmull_s32(vmovn_s64(index), vdup_n_s32((int32_t)n));
#endif
}

static inline L(vector) L(at_most)(L(vector) index, int64_t n)
{
  const L(vector) most = L(spread)(n);
  const L(mask) above = index > most;
  return (most & above) | (index & ~above);
}

static inline bool L(differ)(L(vector) a, L(vector) b)
{
  return vmaxvq_u32((uint32x4_t)(a ^ b)) != 0;
}

static inline void L(put)(int64_t *to, L(vector) index, int64_t n, bool nontemporal)
{
  (void)nontemporal;
#if WIDTH == 4
  vst1q_s64(to, vmovl_s32(vget_low_s32(index)) + spread_8(n));
  vst1q_s64(to + 2, vmovl_high_s32(index) + spread_8(n));
#else
  vst1q_s64(to, index + spread_8(n));
#endif
}

#undef L
#undef S
#undef INDEX
#undef EACH_LANE
