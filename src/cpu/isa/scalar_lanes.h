/* SPDX-License-Identifier: MIT */
/* Template over the WIDTH of a key in bytes, BITS in bits, of scalar.h: a row of keys, of
** values, or of indices that are as wide, in memory. A mask has -1 in the lanes that it means. */
#define L(name) CAT(CAT(name, _), WIDTH)
#define INDEX CAT(CAT(int, BITS), _t)
#define EACH_LANE for (int j = 0; j < L(LANES); j++)

/* A line, or half of one: vectors of 16 bytes, as most CPUs have them, hold 4-byte keys and their
** positions well. */
#if WIDTH == 4
enum { L(LANES) = 16, L(GROUPS) = 2 };
#else
enum { L(LANES) = 4, L(GROUPS) = 4 };
#endif

typedef union L(vector) {
  INDEX index[L(LANES)];
#if WIDTH == 4
  float f32[L(LANES)];
  int32_t i32[L(LANES)];
#else
  double f64[L(LANES)];
  int64_t i64[L(LANES)];
#endif
} L(vector), L(mask);

static inline L(vector) L(load)(const void *from)
{
  L(vector) lanes;
  memcpy(&lanes, from, sizeof lanes);
  return lanes;
}

static inline L(vector) L(spread)(int64_t index)
{
  L(vector) lanes;
  EACH_LANE lanes.index[j] = (INDEX)index;
  return lanes;
}

static inline L(vector) L(load_some)(const void *from, int64_t n, L(vector) rest)
{
  if (n > 0) memcpy(&rest, from, (size_t)least(n, L(LANES)) * WIDTH);
  return rest;
}

static inline L(vector) L(add_where)(L(vector) index, L(mask) mask, int64_t n)
{
  EACH_LANE index.index[j] += mask.index[j] & (INDEX)n;
  return index;
}

static inline L(vector) L(at_most)(L(vector) index, int64_t n)
{
  EACH_LANE index.index[j] = index.index[j] < (INDEX)n ? index.index[j] : (INDEX)n;
  return index;
}

static inline bool L(differ)(L(vector) a, L(vector) b)
{
  INDEX bits = 0;
  EACH_LANE bits |= a.index[j] ^ b.index[j];
  return bits != 0;
}

static inline void L(put)(int64_t *to, L(vector) index, int64_t n, bool nontemporal)
{
  (void)nontemporal;
  EACH_LANE to[j] = index.index[j] + n;
}

#undef L
#undef INDEX
#undef EACH_LANE
