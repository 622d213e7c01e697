/* SPDX-License-Identifier: MIT */
/* The plan of a job: the dtype of keys, the strategy for its rows, and the conversion of values to
** keys. */
#ifndef LOCUS_SEARCH_PLAN_H
#define LOCUS_SEARCH_PLAN_H

#include "cpu/search/search.h"

typedef enum strategy {
  SEARCH_ONE,
  SEARCH_STEPS,
  SEARCH_TREE,
  SEARCH_MERGE,
  SEARCH_PLACES,
  SEARCHES
} strategy;

static search_run *const *const runs[SEARCHES] = {
    [SEARCH_ONE] = ISA(search_one),       [SEARCH_STEPS] = ISA(search_steps),
    [SEARCH_TREE] = ISA(search_tree),     [SEARCH_MERGE] = ISA(search_merge),
    [SEARCH_PLACES] = ISA(search_places),
};

/* The strategies that find both sides in one walk. */
static search_sides *const *const runs_of_both[SEARCHES] = {
    [SEARCH_STEPS] = ISA(search_steps_both),
    [SEARCH_TREE] = ISA(search_tree_both),
};

enum {
  WORTH_A_TREE = 16384, /* values that are worth a tree */
  MERGED_PLAINLY = 96,  /* values that are worth a merge if there are no registers */
  COPIED_BYTES = 128,   /* of scattered keys for each value that are worth a copy */
  SORTED_KEYS = 16,     /* keys for each value that are worth one in the order of a sorter */
};

/* The number of values worth a lock step: the more lanes, the fewer. */
static int64_t many(int64_t item)
{
  if (LANES_8 == 8) return 6;
  return LANES_8 == 4 && REGISTERS > 0 ? 4 + item / 4 : 8;
}

/* THE decision table: m values in a row of n keys, `item` bytes each. If no cache holds the row,
** the number of values worth a tree hardly depends on its length: a longer row costs more to build
** and gains more for each value. Very long rows need more. */
static strategy choose(int64_t n, int64_t m, int64_t item)
{
  if (m < many(item)) return SEARCH_ONE;
  if (n * item > CACHED && m >= WORTH_A_TREE && m >= n / 256) return SEARCH_TREE;
  return n <= INT32_MAX / 2 ? SEARCH_STEPS : SEARCH_ONE; /* lanes hold positions */
}

/* A job, and the plan for its rows. */
typedef struct search {
  const locus_search_job *job;
  locus_dtype key, seen; /* values are read as `seen`, and become keys if that is another dtype */
  keys_from *round;      /* NULL: seen == key */
  values_are *any_nan;   /* of keys that may be NaN and are not rounded */
  values_are *ascending; /* NULL: that would not help */
  keyless_run *answer_keyless;
  strategy how;     /* where the values of a block do not ascend */
  bool copied;      /* the keys of a row lie in memory of ours */
  bool nontemporal; /* searches may store answers around the caches */
  int64_t patterns; /* of bits that a value can have, each searched once, then looked up; or 0 */
  int64_t row_bytes, bytes; /* of memory for a row: its keys and tree, and with its tables */
  int64_t along;            /* values in one row */
  const search_row *row;    /* the row of all values; NULL: parts make their rows ready */
  int64_t first, unit;      /* an item of a part is `unit` values, item 0 begins with this one */
} search;

static int64_t lanes_of(locus_dtype key)
{
  return locus_dtype_size(key) == 4 ? LANES_4 : LANES_8;
}

/* Whether a key can be any value of that dtype. */
static bool holds(locus_dtype key, locus_dtype dtype)
{
  const int64_t room = locus_dtype_size(key), need = locus_dtype_size(dtype);
  const bool floats = locus_dtype_kind(dtype) == LOCUS_FLOAT;

  if (locus_dtype_kind(key) == LOCUS_FLOAT) return floats ? need <= room : need < room;
  return !floats && need <= room;
}

/* How values of the job's dtype become keys. */
static void plan_values(search *s)
{
  const key_functions *functions = &ISA(key_functions)[s->key];
  const locus_dtype dtype = s->job->values.dtype;

  if (holds(s->key, dtype)) {
    s->seen = s->key;
    s->any_nan = functions->any_nan;
    s->answer_keyless = functions->keyless_own;
  } else if (locus_dtype_kind(dtype) == LOCUS_FLOAT) {
    s->seen = LOCUS_f64;
    s->round = functions->from_f64;
    s->answer_keyless = functions->keyless_f64;
  } else {
    s->seen = LOCUS_i64;
    s->round = functions->from_i64;
    s->answer_keyless = functions->keyless_i64;
  }
}

/* A merge reads all keys from the first value to the last, one at a time; a lock step gains by each
** lane. So with fewer lanes a merge pays for fewer values and for more keys per value. */
static int64_t fewest_merged(const search *s)
{
  const int64_t lanes = lanes_of(s->key);
  return !REGISTERS ? MERGED_PLAINLY : lanes < 8 ? 6 * lanes : 8 * lanes;
}

/* The merge, for rows with at most that many keys per value; the limit is greater with fewer lanes.
** NULL: it would not help. */
static values_are *worth_a_merge(const search *s, int64_t n)
{
  const int64_t lanes = lanes_of(s->key), keys = !REGISTERS || lanes > 8 ? 3 : lanes < 8 ? 8 : 6;
  const bool worth = !s->patterns && keys * s->along >= n && n <= INT32_MAX / 2;
  return worth ? ISA(ascending)[s->key] : NULL;
}

/* The number of bit patterns to look up: if there are 1.5 times as many values, and registers do
** not hold all keys. */
static int64_t worth_a_table(const search *s)
{
  const locus_search_job *job = s->job;
  const int64_t patterns = (int64_t)1 << 8 * least(locus_dtype_size(job->values.dtype), 3);
  return patterns <= 65536 && job->values.data && job->n > 128 && 2 * s->along >= 3 * patterns
             ? patterns
             : 0;
}

/* Whether searches write their answers in place. */
static bool answers_in_place(const locus_search_job *job)
{
  const locus_operand *const answers[2] = {&job->left, &job->right};
  const bool asked[2] = {job->has_left, job->has_right};
  bool in_place = true;

  for (int side = 0; side < 2; side++)
    if (asked[side])
      in_place &= answers[side]->dtype == LOCUS_i64 && operand_dense(&job->grid, answers[side]);
  return in_place;
}

/* Whether they store them around the caches, too. */
static bool nontemporal_answers(const locus_search_job *job)
{
  return !job->from_end && job->grid.numel >= NONTEMPORAL_BYTES / (int64_t)sizeof(int64_t) &&
         answers_in_place(job);
}

/* The strategy and the preparation of a row for m values. */
static void plan_row(search *s, int64_t m)
{
  const locus_search_job *job = s->job;
  const int64_t n = job->n, item = locus_dtype_size(s->key);
  search_tree tree;

  s->how = choose(n, m, item);
  if (job->sorter.data || job->sequence_step != 1 || job->sequence.dtype != s->key) {
    s->copied = m >= n / (job->sorter.data ? SORTED_KEYS : COPIED_BYTES / item);
    if (!s->copied) s->how = SEARCH_PLACES;
  }
  if (s->copied) s->row_bytes = whole_nodes(n * item);
  if (s->how == SEARCH_TREE) s->row_bytes += tree_lay(&tree, n, NODE_BYTES / item - 1, item, NULL);
}

/* How each row is searched. */
static void plan(search *s, const locus_search_job *job)
{
  *s = (search){.job = job, .key = key_of(job->sequence.dtype), .along = job->along, .unit = 1};
  plan_values(s);
  const int sides = job->has_left + job->has_right;
  s->patterns = worth_a_table(s);
  s->nontemporal = nontemporal_answers(job);
  const int64_t m = sides * (s->patterns ? s->patterns : s->along);
  plan_row(s, job->index.data ? INT64_MAX : m);
  if (job->index.data) {
    s->row_bytes = 0;
    if (m < many(locus_dtype_size(s->key))) s->how = SEARCH_ONE;
  }
  s->bytes = s->row_bytes + sides * s->patterns * (int64_t)sizeof(int64_t);
  if (s->how == SEARCH_STEPS || s->how == SEARCH_TREE) s->ascending = worth_a_merge(s, job->n);
}

#endif
