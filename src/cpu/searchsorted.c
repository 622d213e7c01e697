/* SPDX-License-Identifier: MIT */
/* Runners of searchsorted and search_index: choose how rows are searched, make ready what that
** needs, and run blocks of values through it. */
#include "cpu/exact.h"
#include "cpu/search_fill.h"

enum {
  SEARCH_BATCH = 128,        /* values that go down a tree together */
  SEARCH_BLOCK = 4 * BLOCK,  /* the most values of a block: it is read more than once */
  MERGED = 64,               /* the fewest values that are worth a merge */
  SEARCH_GRAIN = 4096,       /* values that are worth sharing */
};

#define TEMPLATE "cpu/search_key.inc"
#include "cpu/each_key.h"
#define TEMPLATE "cpu/search_one.inc"
#include "cpu/each_key.h"
#define TEMPLATE "cpu/search_steps.inc"
#include "cpu/each_key.h"
#define TEMPLATE "cpu/search_tree.inc"
#include "cpu/each_key.h"
#define TEMPLATE "cpu/search_merge.inc"
#include "cpu/each_key.h"
#define TEMPLATE "cpu/search_places.inc"
#include "cpu/each_real.h"

typedef bool keys_from(void *keys, const void *values, int64_t m, bool right);
typedef bool values_are(const void *values, int64_t m);
typedef void settle_run(const void *values, int64_t m, bool right, int64_t first, int64_t last,
                        int64_t *answers);

typedef enum strategy {
  SEARCH_ONE,    /* values one by one */
  SEARCH_STEPS,  /* many in lock step */
  SEARCH_TREE,   /* many, down a tree */
  SEARCH_MERGE,  /* ascending ones */
  SEARCH_PLACES, /* among elements where they lie */
  SEARCHES
} strategy;

static search_run *const runs[SEARCHES][LOCUS_DTYPES] = {
    [SEARCH_ONE] = BY_KEY(search_one),
    [SEARCH_STEPS] = BY_KEY(search_steps),
    [SEARCH_TREE] = BY_KEY(search_tree),
    [SEARCH_MERGE] = BY_KEY(search_merge),
    [SEARCH_PLACES] = BY_REAL(search_places),
};

/* THE decision table: m values in a row of n keys, `item` bytes each. A tree over a row past the
** caches is worth its building when there are enough values. */
static strategy choose(int64_t n, int64_t m, int64_t item)
{
  if (m < 8) return SEARCH_ONE;
  if (n * item > CACHED && m >= n / 256) return SEARCH_TREE;
  return n <= INT32_MAX / 2 ? SEARCH_STEPS : SEARCH_ONE; /* lanes hold positions */
}

/* A job, and how its rows are searched. */
typedef struct search {
  const locus_search_job *job;
  locus_dtype key, seen; /* values are read as `seen`, and become keys where that is another */
  keys_from *round;      /* NULL: seen == key */
  values_are *any_nan;   /* of keys that may be NaN and are not rounded */
  values_are *ascending; /* NULL: that would not help */
  settle_run *settle;
  strategy how; /* where the values of a block do not ascend */
  bool copied; /* the keys of a row lie in memory of ours */
  bool past;   /* searches may write answers past the caches */
  int64_t bytes;
  int row_dims;  /* the grid's first dimensions are those of rows */
  int64_t along; /* values in one row */
  const search_row *row; /* the row of all values; NULL: parts make their rows ready */
  int64_t first, unit;   /* an item of a part is `unit` values, item 0 begins with this one */
} search;

/* Whether a key can be any value of that dtype. */
static bool holds(locus_dtype key, locus_dtype dtype)
{
  const int64_t room = locus_dtype_size(key), need = locus_dtype_size(dtype);
  const bool floats = locus_dtype_kind(dtype) == LOCUS_FLOAT;

  if (locus_dtype_kind(key) == LOCUS_FLOAT) return floats ? need <= room : need < room;
  return !floats && need <= room;
}

/* Where the keys of a row lie, and the tree over them, in memory of s->bytes. */
static void row_lay(const search *s, search_row *r, char *memory)
{
  const int64_t item = locus_dtype_size(s->key);

  r->keys = s->copied ? memory : r->elements;
  if (s->copied) memory += whole_nodes(r->n * item);
  if (s->how != SEARCH_TREE) return;
  r->tree.keys[0] = (char *)r->keys;
  tree_lay(&r->tree, r->n, (int64_t)((uintptr_t)r->keys % NODE_BYTES) / item, item, memory);
}

static int row_fill(const search *s, const search_row *r, locus_context *cx)
{
  const int64_t item = locus_dtype_size(s->key);

  if (s->copied) LOCUS_TRY(copy_row(r, item, (char *)r->keys, cx));
  return s->how == SEARCH_TREE ? tree_fill(&r->tree, item, cx) : 0;
}

/* Makes a row ready to be searched, in memory of s->bytes, unless an index is. */
static int row_open(const search *s, search_row *r, int64_t number, char *memory, locus_context *cx)
{
  const locus_search_job *job = s->job;
  char *index = row_of_operand(&job->index, &job->grid, s->row_dims, number);

  row_move(r, &job->grid, s->row_dims, number);
  r->past = s->past;
  if (s->how == SEARCH_PLACES) return 0;
  row_lay(s, r, index ? index : memory);
  return index ? 0 : row_fill(s, r, cx);
}

/* How values of the job's dtype become keys. */
static void plan_values(search *s)
{
  static keys_from *const from_f64[LOCUS_DTYPES] = BY_KEY(keys_from_f64);
  static keys_from *const from_i64[LOCUS_DTYPES] = BY_KEY(keys_from_i64);
  static settle_run *const settle_f64[LOCUS_DTYPES] = BY_KEY(settle_f64);
  static settle_run *const settle_i64[LOCUS_DTYPES] = BY_KEY(settle_i64);
  const locus_dtype dtype = s->job->values.dtype;

  if (holds(s->key, dtype)) {
    s->seen = s->key;
    if (s->key == LOCUS_f32) s->any_nan = any_nan_f32, s->settle = settle_own_f32;
    if (s->key == LOCUS_f64) s->any_nan = any_nan_f64, s->settle = settle_own_f64;
  } else if (locus_dtype_kind(dtype) == LOCUS_FLOAT) {
    s->seen = LOCUS_f64;
    s->round = from_f64[s->key];
    s->settle = settle_f64[s->key];
  } else {
    s->seen = LOCUS_i64;
    s->round = from_i64[s->key];
    s->settle = settle_i64[s->key];
  }
}

/* A merge reads all keys between the first and the last value: there should be no more of them. */
static values_are *worth_a_merge(const search *s, int64_t n)
{
  static values_are *const ascending[LOCUS_DTYPES] = BY_KEY(ascending);
  return s->along >= n && n <= INT32_MAX / 2 ? ascending[s->key] : NULL;
}

/* Whether searches write the answers where they stay, and these are larger than the caches. */
static bool answers_past(const locus_search_job *job)
{
  const locus_operand *const answers[2] = {&job->left, &job->right};
  const bool asked[2] = {job->has_left, job->has_right};
  bool past = !job->from_end && job->grid.numel >= PAST_CACHES / (int64_t)sizeof(int64_t);

  for (int side = 0; side < 2; side++)
    if (asked[side])
      past &= answers[side]->dtype == LOCUS_i64 && operand_dense(&job->grid, answers[side]);
  return past;
}

/* How a row is searched for m values, and what must be made ready for that. */
static void plan_row(search *s, int64_t m)
{
  const locus_search_job *job = s->job;
  const int64_t n = job->n, item = locus_dtype_size(s->key);
  search_tree tree;

  s->how = choose(n, m, item);
  if (job->sorter.data || job->sequence_step != 1 || job->sequence.dtype != s->key) {
    s->copied = m >= n / 16;
    if (!s->copied) s->how = SEARCH_PLACES;
  }
  if (s->copied) s->bytes = whole_nodes(n * item);
  if (s->how == SEARCH_TREE) s->bytes += tree_lay(&tree, n, NODE_BYTES / item - 1, item, NULL);
}

/* What the grid's rows are, and how each is searched. */
static void plan(search *s, const locus_search_job *job)
{
  const locus_grid *grid = &job->grid;

  *s = (search){.job = job, .key = key_of(job->sequence.dtype), .along = 1, .unit = 1};
  plan_values(s);
  for (s->row_dims = grid->ndim; s->row_dims > 0; s->row_dims--) {
    const int d = s->row_dims - 1;
    const bool moves = job->sequence.stride[d] || job->sorter.stride[d] || job->index.stride[d];
    if (grid->size[d] > 1 && moves) break;
    s->along *= grid->size[d];
  }
  const int64_t m = s->along * (job->has_left + job->has_right);
  s->past = answers_past(job);
  plan_row(s, job->index.data ? INT64_MAX : m);
  if (job->index.data) {
    s->bytes = 0;
    if (m < 8) s->how = SEARCH_ONE;
  }
  if (s->how == SEARCH_STEPS || s->how == SEARCH_TREE) s->ascending = worth_a_merge(s, job->n);
}

/* How many keys of a float row are not NaN. */
static int64_t count_ordered(const search *s, const search_row *r)
{
  const strategy how = s->how == SEARCH_PLACES ? SEARCH_PLACES : SEARCH_ONE;
  const locus_dtype dtype = s->how == SEARCH_PLACES ? s->job->sequence.dtype : s->key;
  const float infinity_f32 = INFINITY;
  const double infinity_f64 = INFINITY;
  const void *value = s->key == LOCUS_f32 ? (const void *)&infinity_f32 : &infinity_f64;
  int64_t count = r->n;

  if (locus_dtype_kind(s->key) == LOCUS_FLOAT) runs[how][dtype](r, value, 1, true, 0, &count);
  return count;
}

/* One side for values of one row. */
static void search_side(const search *s, const search_row *r, const char *values, int64_t m,
                        bool right, int64_t *answers)
{
  const locus_search_job *job = s->job;
  const locus_dtype dtype = s->how == SEARCH_PLACES ? job->sequence.dtype : s->key;
  const int64_t n = job->n, base = job->from_end ? 0 : job->base;
  _Alignas(64) char rounded[BLOCK * 8];
  const void *keys = values;
  strategy how = s->how;
  bool some_left = false;

  if (s->round) some_left = s->round(rounded, values, m, right), keys = rounded;
  if (s->ascending && m >= MERGED && s->ascending(keys, m)) how = SEARCH_MERGE;
  else if (s->any_nan) some_left = s->any_nan(values, m);
  runs[how][dtype](r, keys, m, right, base, answers);
  if (some_left)
    s->settle(values, m, right, base, base + (right ? n : count_ordered(s, r)), answers);
  for (int64_t i = 0; job->from_end && i < m; i++) answers[i] = job->base + n - answers[i];
}

/* Blocks of values with numbers begin .. end - 1 in the grid, piece by piece of a row. */
static int search_values(const search *s, int64_t begin, int64_t end, char *memory,
                         locus_context *cx)
{
  const locus_search_job *job = s->job;
  const locus_operand *const answers[2] = {job->has_left ? &job->left : NULL,
                                           job->has_right ? &job->right : NULL};
  search_row own = row_of(job);
  stream values, out[2];
  walk w;

  stream_open(&values, &job->grid, &job->values, s->seen);
  walk_begin(&w, &job->grid, (const stream *[]){&values}, 1);
  if (s->round) w.most = BLOCK;
  for (int side = 0; side < 2; side++) {
    if (!answers[side]) continue;
    stream_open_past(&out[side], &job->grid, answers[side], LOCUS_i64);
    if (!out[side].direct) w.most = BLOCK;
  }
  walk_within(&w, begin, end);
  w.most = least(w.most, SEARCH_BLOCK);
  while (walk_next(&w)) {
    LOCUS_TRY(locus_poll(cx));
    const char *block = stream_read(&values, &w);
    for (int64_t done = 0, m; done < w.count; done += m) {
      const int64_t number = (w.at + done) / s->along, at = (w.at + done) % s->along;
      m = least(w.count - done, s->along - at);
      if (!s->row && (at == 0 || w.at + done == begin))
        LOCUS_TRY(row_open(s, &own, number, memory, cx));
      for (int side = 0; side < 2; side++) {
        if (!answers[side]) continue;
        int64_t *to = stream_target(&out[side], &w);
        search_side(s, s->row ? s->row : &own, block + done * locus_dtype_size(s->seen), m,
                    side == 1, to + done);
      }
    }
    for (int side = 0; side < 2; side++)
      if (answers[side]) stream_write(&out[side], &w);
  }
  past_caches_end();
  return 0;
}

static int search_part(const void *parts, int64_t begin, int64_t end, locus_context *cx)
{
  const search *s = parts;
  char *memory = NULL;

  if (!s->row && s->bytes) {
    memory = locus_memory_alloc(s->bytes);
    if (!memory) return locus_fail_memory(cx, s->bytes);
  }
  int status = search_values(s, s->first + begin * s->unit, s->first + end * s->unit, memory, cx);
  locus_memory_free(memory, s->bytes);
  return status;
}

/* One row after the other, the values of each shared out. */
static int search_rows(search *s, int64_t rows, char *memory, locus_context *cx)
{
  search_row row = row_of(s->job);

  for (int64_t number = 0; number < rows; number++) {
    LOCUS_TRY(row_open(s, &row, number, memory, cx));
    s->row = &row;
    s->first = number * s->along;
    LOCUS_TRY(locus_parallel(search_part, s, s->along, SEARCH_GRAIN, cx));
  }
  return 0;
}

/* Long rows are shared by the threads, short ones shared out whole. */
static int searchsorted(const locus_search_job *job, locus_context *cx)
{
  search s;

  if (job->grid.numel == 0) return 0;
  plan(&s, job);
  const int64_t rows = job->grid.numel / s.along;
  if (rows > 1 && s.along < SEARCH_GRAIN) {
    s.unit = s.along;
    return locus_parallel(search_part, &s, rows, SEARCH_GRAIN / s.along, cx);
  }
  char *memory = s.bytes ? locus_memory_alloc(s.bytes) : NULL;
  if (s.bytes && !memory) return locus_fail_memory(cx, s.bytes);
  int status = search_rows(&s, rows, memory, cx);
  locus_memory_free(memory, s.bytes);
  return status;
}

static int search_index(const locus_search_job *job, locus_context *cx)
{
  search s = {.job = job, .key = key_of(job->sequence.dtype), .row_dims = job->grid.ndim};
  search_row row = row_of(job);

  plan_row(&s, INT64_MAX);
  *job->index_bytes = s.bytes;
  for (int64_t number = 0; job->index.data && number < job->grid.numel; number++) {
    row_move(&row, &job->grid, s.row_dims, number);
    row_lay(&s, &row, row_of_operand(&job->index, &job->grid, s.row_dims, number));
    LOCUS_TRY(row_fill(&s, &row, cx));
  }
  return 0;
}
