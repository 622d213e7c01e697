/* SPDX-License-Identifier: MIT */
/* One row of a sequence, as a search sees it. A search looks for keys: i32, i64, f32 or f64.
** Shorter elements are widened to keys, which loses nothing. A key counts for a value when it is
** less (left), or not greater (right); NaN is neither, so it comes last by itself. */
#ifndef LOCUS_SEARCH_ROW_H
#define LOCUS_SEARCH_ROW_H

#include "core/once.h"
#include "cpu/block/block.h"

#define KEY FN(key_of)
#define REAL(id, rank, key, method, constructor) typedef locus_##key key_of_##id;
#include "core/dtype.def"

static inline locus_dtype key_of(locus_dtype dtype)
{
  static const uint8_t keys[LOCUS_DTYPES] = {
#define REAL(id, rank, key, method, constructor) [LOCUS_##id] = LOCUS_##key,
#include "core/dtype.def"
  };
  return (locus_dtype)keys[dtype];
}

#define COUNTS(key, value, right) ((right) ? (key) <= (value) : (key) < (value))

/* A table of name_<dtype> for the dtypes of keys. */
#define BY_KEY(name)                                                              \
  {                                                                               \
    [LOCUS_i32] = name##_i32, [LOCUS_i64] = name##_i64, [LOCUS_f32] = name##_f32, \
    [LOCUS_f64] = name##_f64                                                      \
  }

/* The last key of every node of a level but the last is a key of the next one: a node is a block
** of 64 bytes that begins at a multiple of 64. Level 0 is the row; the top one has few keys. */
enum { NODE_BYTES = 64, NODE_4 = NODE_BYTES / 4, NODE_8 = NODE_BYTES / 8, TREE_LEVELS = 16 };
typedef struct search_tree {
  int levels; /* above the row */
  char *keys[TREE_LEVELS];
  int64_t size[TREE_LEVELS];
  int64_t lead; /* the keys that would fit into the first node before the first one */
} search_tree;

typedef struct search_row {
  int64_t n;
  const char *elements, *sorter; /* in memory; sorter NULL: none */
  int64_t step, sorter_step, base;
  const void *keys; /* side by side, NULL where only places are known */
  search_tree tree;
  const int64_t *table[2]; /* the answers of each side by the bits of a value, or not used */
  bool nontemporal;        /* answers may be stored around the caches: they are not read soon */
  const locus_operand *sequence, *order;
} search_row;

/* The place of element j of the row, counted from its first one in memory. A sorter has been
** checked, but others may write to it: its entry is read once, and leads into the row or to its
** first element. */
static inline int64_t row_place(const search_row *r, int64_t j)
{
  if (!r->sorter) return j * r->step;
  const int64_t at = j * r->sorter_step;
  const int64_t k = r->order->dtype == LOCUS_i64 ? LOCUS_ONCE(((const int64_t *)r->sorter)[at])
                                                 : LOCUS_ONCE(((const int32_t *)r->sorter)[at]);
  const uint64_t place = (uint64_t)k - (uint64_t)r->base;
  return (int64_t)(place < (uint64_t)r->n ? place : 0) * r->step;
}

static inline search_row row_of(const locus_search_job *job)
{
  return (search_row){.n = job->n,
                      .sequence = &job->sequence,
                      .step = job->sequence_step,
                      .order = &job->sorter,
                      .sorter_step = job->sorter_step,
                      .base = job->base};
}

/* The place of an operand's row of that number, in the order of the first `ndim` dimensions of the
** grid. NULL if it has no data. */
static inline char *row_of_operand(const locus_operand *operand, const locus_grid *grid, int ndim,
                                   int64_t number)
{
  int64_t at = 0;

  if (!operand->data) return NULL;
  for (int d = ndim - 1; d > 0; d--) {
    at += number % grid->size[d] * operand->stride[d];
    number /= grid->size[d];
  }
  if (ndim > 0) at += number * operand->stride[0];
  return operand->data + at * locus_dtype_size(operand->dtype);
}

static inline void row_move(search_row *r, const locus_grid *grid, int ndim, int64_t number)
{
  r->elements = row_of_operand(r->sequence, grid, ndim, number);
  r->sorter = row_of_operand(r->order, grid, ndim, number);
}

#endif
