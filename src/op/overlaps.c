/* SPDX-License-Identifier: MIT */
/* An implicit interval tree: ranges lie in the order of their starts, LEAF of them in a leaf, and a
** heap above the leaves has the greatest rank of an end below each node, in place of the end
** itself. So a value skips every subtree whose ranges all end before it, and n matches take
** O(n log(ranges)) steps. How many there are is known from two searches, so the answers of all
** values have their places before any is looked for. */
#include "op/overlaps.h"

#include "core/memory.h"
#include "core/parallel.h"

enum { LEAF = 16, GRAIN = 257 /* values; cut anywhere */ };

typedef struct finding {
  const locus_overlaps *o;
  int64_t leaves; /* a power of two */
  int64_t *most;  /* of node k: the greatest rank; its children are 2k and 2k + 1, the root is 1 */
  int64_t *first; /* the place of the first pair of each value */
  int64_t *values, *ranges;
} finding;

static int64_t least(int64_t a, int64_t b)
{
  return a < b ? a : b;
}

static void build(const finding *f)
{
  for (int64_t leaf = 0; leaf < f->leaves; leaf++) {
    int64_t most = -1;
    for (int64_t i = leaf * LEAF; i < least(f->o->ranges, (leaf + 1) * LEAF); i++)
      if (f->o->rank[i] > most) most = f->o->rank[i];
    f->most[f->leaves + leaf] = most;
  }
  for (int64_t k = f->leaves - 1; k > 0; k--) {
    const int64_t a = f->most[2 * k], b = f->most[2 * k + 1];
    f->most[k] = a > b ? a : b;
  }
}

/* The ranges of one leaf that value j overlaps, up to its last place; answers the place behind
** them. */
static int64_t take_leaf(const finding *f, int64_t leaf, int64_t j, int64_t place)
{
  const locus_overlaps *const o = f->o;
  const int64_t end = f->first[j + 1];

  for (int64_t i = leaf * LEAF; i < least(o->until[j], (leaf + 1) * LEAF) && place < end; i++) {
    if (o->rank[i] < o->above[j]) continue;
    f->values[place] = j + o->base;
    f->ranges[place++] = o->row[i];
  }
  return place;
}

/* The next node in order that is not below this one; 0 behind the last. */
static int64_t next_of(int64_t node)
{
  while (node & 1) node >>= 1;
  return node ? node + 1 : 0;
}

/* All ranges of value j, in order, from its place on; false where these are fewer than counted. */
static bool find(const finding *f, int64_t j)
{
  int64_t place = f->first[j];
  const int64_t end = f->first[j + 1];

  for (int64_t node = 1; place < end && node > 0;) {
    if (f->most[node] < f->o->above[j]) {
      node = next_of(node);
    } else if (node < f->leaves) {
      node *= 2;
    } else {
      place = take_leaf(f, node - f->leaves, j, place);
      node = next_of(node);
    }
  }
  return place == end;
}

static int find_part(const void *job, int64_t begin, int64_t end, locus_context *cx)
{
  const finding *f = job;

  for (int64_t j = begin; j < end; j++) {
    if (!find(f, j)) return locus_fail_changed(cx, "values");
    LOCUS_TRY(locus_poll(cx));
  }
  return 0;
}

static int find_all(finding *f, int64_t most, int64_t *total, locus_tensor *values,
                    locus_tensor *ranges, locus_context *cx)
{
  int64_t sum = 0;

  for (int64_t j = 0; j < f->o->values; j++) {
    const int64_t until = f->o->until[j], above = f->o->above[j];
    if (above < 0 || until < above || until > f->o->ranges) return locus_fail_changed(cx, "values");
    f->first[j] = sum;
    sum += until - above;
  }
  f->first[f->o->values] = *total = sum;
  if (sum > most || sum == 0) return 0;
  LOCUS_TRY(locus_tensor_resize(values, sum, cx));
  LOCUS_TRY(locus_tensor_resize(ranges, sum, cx));
  f->values = (int64_t *)values->data;
  f->ranges = (int64_t *)ranges->data;
  build(f);
  return locus_parallel(find_part, f, f->o->values, GRAIN, cx);
}

int locus_find_overlaps(const locus_overlaps *overlaps, int64_t most, int64_t *total,
                        locus_tensor *values, locus_tensor *ranges, locus_context *cx)
{
  finding f = {.o = overlaps, .leaves = 1};

  while (f.leaves * LEAF < overlaps->ranges) f.leaves *= 2;
  const int64_t bytes = (2 * f.leaves + overlaps->values + 1) * (int64_t)sizeof *f.most;
  f.most = locus_memory_alloc(bytes);
  if (!f.most) return locus_fail_memory(cx, bytes);
  f.first = f.most + 2 * f.leaves;
  const int status = find_all(&f, most, total, values, ranges, cx);
  locus_memory_free(f.most, bytes);
  return status;
}
