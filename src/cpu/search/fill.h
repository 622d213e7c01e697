/* SPDX-License-Identifier: MIT */
/* Preparing a row: copying its keys to contiguous memory if they are scattered, and building the
** tree over them. */
#ifndef LOCUS_SEARCH_FILL_H
#define LOCUS_SEARCH_FILL_H

#include "cpu/order/rank.h"
#include "cpu/search/row.h"

/* Bytes of keys that stay in the caches, and of the top level of a tree, which is searched in lock
** step. */
enum { CACHED = 1 << 20, TREE_TOP = 128 << 10 };

#define TEMPLATE "cpu/search/copy.inc"
#include "cpu/block/each_real.h"

static inline int64_t whole_nodes(int64_t bytes)
{
  return (bytes + NODE_BYTES - 1) / NODE_BYTES * NODE_BYTES;
}

/* Lays out the levels of a tree over n keys in memory; returns their bytes. */
static inline int64_t tree_lay(search_tree *t, int64_t n, int64_t lead, int64_t item, char *memory)
{
  const int64_t node = NODE_BYTES / item;
  int64_t bytes = 0, above;

  t->size[0] = n;
  t->lead = lead;
  for (t->levels = 0; t->size[t->levels] * item > TREE_TOP; t->size[t->levels] = above) {
    above = (t->size[t->levels] + lead + node - 1) / node - 1;
    lead = 0;
    t->keys[++t->levels] = memory ? memory + bytes : NULL;
    bytes += whole_nodes(above * item);
  }
  return bytes;
}

/* Fills each level from the one below. */
static inline int tree_fill(const search_tree *t, int64_t item, locus_context *cx)
{
  const int64_t node = NODE_BYTES / item;
  int64_t first = node - 1 - t->lead;

  for (int level = 1; level <= t->levels; level++, first = node - 1) {
    for (int64_t at = 0; at < t->size[level]; at += DIRECT_BLOCK) {
      LOCUS_TRY(locus_poll(cx));
      gather_run(t->keys[level] + at * item, t->keys[level - 1] + (first + at * node) * item, node,
                 least(DIRECT_BLOCK, t->size[level] - at), item);
    }
  }
  return 0;
}

typedef void copy_keys(const search_row *r, int64_t begin, int64_t end, void *keys);
static copy_keys *const copies[LOCUS_DTYPES] = {
#define REAL(id, rank, key, method, constructor) [LOCUS_##id] = copy_places_##id,
#include "core/dtype.def"
};

typedef struct row_copy {
  const search_row *r;
  int64_t item;
  char *keys;
} row_copy;

static int copy_row_part(const void *given, int64_t begin, int64_t end, locus_context *cx)
{
  const row_copy *c = given;

  for (int64_t at = begin; at < end; at += DIRECT_BLOCK) {
    LOCUS_TRY(locus_poll(cx));
    copies[c->r->sequence->dtype](c->r, at, least(end, at + DIRECT_BLOCK), c->keys + at * c->item);
  }
  return 0;
}

/* The keys of a row, side by side. */
static inline int copy_row(const search_row *r, int64_t item, char *keys, locus_context *cx)
{
  const row_copy copy = {r, item, keys};

  return locus_parallel(copy_row_part, &copy, r->n, SLOW_GRAIN, cx);
}

#endif
