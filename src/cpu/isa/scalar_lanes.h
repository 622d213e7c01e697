/* SPDX-License-Identifier: MIT */
/* Template over the WIDTH of a key in bytes, BITS in bits, of scalar.h: a row of keys, of
** values, or of indices that are as wide, in memory. A mask has -1 in the lanes that it means. */
#define L(name) CAT(CAT(name, _), WIDTH)
#define INDEX CAT(CAT(int, BITS), _t)
#define EACH_LANE for (int j = 0; j < L(LANES); j++)

enum { L(LANES) = 64 / WIDTH };

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

static inline L(vector) L(root_first)(L(vector) sorted)
{
  L(vector) tree;
  int lane = 1;
  for (int step = L(LANES); step > 1; step /= 2)
    for (int i = step / 2 - 1; i < L(LANES); i += step) tree.index[lane++] = sorted.index[i];
  tree.index[0] = sorted.index[L(LANES) - 1];
  return tree;
}

static inline L(vector) L(halve)(L(vector) a, L(vector) b, bool second)
{
  const int half = L(LANES) / 2;
  L(vector) picked;
  for (int j = 0; j < half; j++) {
    picked.index[j] = a.index[2 * j + second];
    picked.index[half + j] = b.index[2 * j + second];
  }
  return picked;
}

static inline L(vector) L(pick_of)(const L(vector) *keys, L(vector) index, int n)
{
  L(vector) picked;
  EACH_LANE {
    const int k = index.index[j] & (n - 1);
    picked.index[j] = keys[k / L(LANES)].index[k % L(LANES)];
  }
  return picked;
}

static inline L(vector) L(pick1)(const L(vector) *keys, L(vector) index)
{
  return L(pick_of)(keys, index, L(LANES));
}

static inline L(vector) L(pick2)(const L(vector) *keys, L(vector) index)
{
  return L(pick_of)(keys, index, 2 * L(LANES));
}

static inline L(vector) L(pick4)(const L(vector) *keys, L(vector) index)
{
  return L(pick_of)(keys, index, 4 * L(LANES));
}

static inline L(vector) L(gather)(const void *keys, L(vector) index)
{
  const INDEX *key = keys;
  EACH_LANE index.index[j] = key[index.index[j]];
  return index;
}

static inline L(vector) L(add_where)(L(vector) index, L(mask) mask, int64_t n)
{
  EACH_LANE index.index[j] += mask.index[j] & (INDEX)n;
  return index;
}

static inline L(vector) L(descend)(L(vector) node, L(mask) mask)
{
  EACH_LANE node.index[j] = 2 * node.index[j] - mask.index[j];
  return node;
}

static inline L(vector) L(plus)(L(vector) index, int64_t n)
{
  EACH_LANE index.index[j] += (INDEX)n;
  return index;
}

static inline L(vector) L(times)(L(vector) index, int64_t n)
{
  EACH_LANE index.index[j] *= (INDEX)n;
  return index;
}

static inline L(vector) L(at_most)(L(vector) index, int64_t n)
{
  EACH_LANE if (index.index[j] > n) index.index[j] = (INDEX)n;
  return index;
}

static inline void L(put)(int64_t *to, L(vector) index, int64_t n, bool nontemporal)
{
  (void)nontemporal;
  EACH_LANE to[j] = index.index[j] + n;
}

#undef L
#undef INDEX
#undef EACH_LANE
