/* SPDX-License-Identifier: MIT */
/* Runners of searchsorted and search_index: they prepare the search of a row, and send blocks of
** values through it. */
#include "cpu/isa/isa.h"
#include "cpu/search/fill.h"
#include "cpu/search/plan.h"

enum {
  SEARCH_BLOCK = 4 * BLOCK, /* the most values of a block: it is read more than once */
  SEARCH_GRAIN = 4096,      /* values that are worth sharing */
};

/* The keys of a row, and the tree over them, in memory of s->bytes. */
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

/* The number of keys of a float row that are not NaN. */
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

static bool worth_merging(const search *s, const void *keys, int64_t m)
{
  return s->ascending && m >= fewest_merged(s) && s->ascending(keys, m);
}

/* The rest of the work when one side is searched: `some_left` values have no key, and in descending
** order answers are counted from the end. */
static void finish_side(const search *s, const search_row *r, const char *values, int64_t m,
                        bool right, bool some_left, int64_t *answers)
{
  const locus_search_job *job = s->job;
  const int64_t n = job->n, base = job->from_end ? 0 : job->base;

  if (some_left)
    s->answer_keyless(values, m, right, base, base + (right ? n : count_ordered(s, r)), answers);
  for (int64_t i = 0; job->from_end && i < m; i++) answers[i] = job->base + n - answers[i];
}

/* Answers one side for values of one row. */
static void search_side(const search *s, const search_row *r, const char *values, int64_t m,
                        bool right, int64_t *answers)
{
  const locus_search_job *job = s->job;
  const locus_dtype dtype = s->how == SEARCH_PLACES ? job->sequence.dtype : s->key;
  const int64_t base = job->from_end ? 0 : job->base;
  _Alignas(64) char rounded[BLOCK * 8];
  const void *keys = values;
  strategy how = s->how;
  bool some_left = false;

  if (s->round) some_left = s->round(rounded, values, m, right), keys = rounded;
  if (worth_merging(s, keys, m)) how = SEARCH_MERGE;
  else if (s->any_nan) some_left = s->any_nan(values, m);
  runs[how][dtype](r, keys, m, right, base, answers);
  finish_side(s, r, values, m, right, some_left, answers);
}

/* Answers both sides for values of one row in one walk, if there is one: values that need no
** rounding have the same keys on both sides. */
static bool search_both(const search *s, const search_row *r, const char *values, int64_t m,
                        int64_t *const answers[2])
{
  search_sides *const *run = runs_of_both[s->how];

  if (!run || s->round || r->n == 0 || worth_merging(s, values, m)) return false;
  const bool some_left = s->any_nan && s->any_nan(values, m);
  run[s->key](r, values, m, s->job->from_end ? 0 : s->job->base, answers[0], answers[1]);
  for (int side = 0; side < 2; side++)
    finish_side(s, r, values, m, side == 1, some_left, answers[side]);
  return true;
}

/* Answers one side for every pattern of bits that a value can have. */
static void fill_table(const search *s, const search_row *r, bool right, int64_t *table)
{
  const locus_dtype dtype = s->job->values.dtype;
  uint16_t patterns[BLOCK];
  _Alignas(64) char values[BLOCK * 8];

  for (int64_t at = 0; at < s->patterns; at += BLOCK) {
    const int64_t m = least(BLOCK, s->patterns - at);
    for (int64_t i = 0; i < m; i++) {
      if (s->patterns == 256) ((uint8_t *)patterns)[i] = (uint8_t)i;
      else patterns[i] = (uint16_t)(at + i);
    }
    ISA(cast_of)(dtype, s->seen)(values, patterns, m);
    search_side(s, r, values, m, right, table + at);
  }
}

static void look_up(const search *s, const int64_t *table, const void *values, int64_t m,
                    int64_t *answers)
{
  const uint8_t *value_1 = values;
  const uint16_t *value_2 = values;

  if (s->patterns == 256) {
    for (int64_t i = 0; i < m; i++) answers[i] = table[value_1[i]];
  } else {
    for (int64_t i = 0; i < m; i++) answers[i] = table[value_2[i]];
  }
}

/* Prepares a row in memory of s->bytes: its keys and tree, unless an index has them, and its
** tables. */
static int row_open(const search *s, search_row *r, int64_t number, char *memory, locus_context *cx)
{
  const locus_search_job *job = s->job;
  char *index = row_of_operand(&job->index, &job->grid, job->row_dims, number);

  row_move(r, &job->grid, job->row_dims, number);
  r->nontemporal = s->nontemporal && !s->patterns;
  if (s->how != SEARCH_PLACES) {
    row_lay(s, r, index ? index : memory);
    if (!index) LOCUS_TRY(row_fill(s, r, cx));
  }
  int64_t at = s->row_bytes;
  for (int side = 0; s->patterns && side < 2; side++) {
    if (!(side ? job->has_right : job->has_left)) continue;
    int64_t *table = (int64_t *)(memory + at);
    fill_table(s, r, side == 1, table);
    r->table[side] = table;
    at += s->patterns * (int64_t)sizeof *table;
  }
  return 0;
}

/* Answers the wanted sides for values of one row. */
static void search_piece(const search *s, const search_row *r, const char *values, int64_t m,
                         int64_t *const answers[2])
{
  if (answers[0] && answers[1] && !s->patterns && search_both(s, r, values, m, answers)) return;
  for (int side = 0; side < 2; side++) {
    if (!answers[side]) continue;
    if (s->patterns) look_up(s, r->table[side], values, m, answers[side]);
    else search_side(s, r, values, m, side == 1, answers[side]);
  }
}

/* Answers the values begin .. end - 1 of the grid block by block, and each block row by row. Unless
** all of them are of s->row, they are whole rows. */
static int search_values(const search *s, int64_t begin, int64_t end, char *memory,
                         locus_context *cx)
{
  const locus_search_job *job = s->job;
  const locus_operand *const answers[2] = {job->has_left ? &job->left : NULL,
                                           job->has_right ? &job->right : NULL};
  int64_t number = begin / s->along, at = begin % s->along; /* row and place in it */
  search_row own = row_of(job);
  cursor values, out[2];
  bool nontemporal = s->nontemporal;
  walk w;

  cursor_open(&values, &job->grid, &job->values, s->patterns ? job->values.dtype : s->seen);
  walk_begin(&w, &job->grid, (const cursor *[]){&values}, 1);
  if (s->round && !s->patterns) w.most = BLOCK;
  for (int side = 0; side < 2; side++) {
    if (!answers[side]) continue;
    cursor_open_nontemporal(&out[side], &job->grid, answers[side], LOCUS_i64, !s->patterns);
    if (!out[side].direct) w.most = BLOCK;
    nontemporal |= out[side].nontemporal;
  }
  walk_within(&w, begin, end);
  w.most = least(w.most, SEARCH_BLOCK);
  while (walk_next(&w)) {
    LOCUS_TRY(locus_poll(cx));
    const char *block = cursor_read(&values, &w);
    int64_t *to[2] = {NULL, NULL};
    for (int side = 0; side < 2; side++)
      if (answers[side]) to[side] = cursor_target(&out[side], &w);
    for (int64_t left = w.count, m; left > 0; left -= m) {
      m = least(left, s->along - at);
      if (!s->row && at == 0) LOCUS_TRY(row_open(s, &own, number, memory, cx));
      search_piece(s, s->row ? s->row : &own, block, m, to);
      block += m * locus_dtype_size(values.dtype);
      for (int side = 0; side < 2; side++)
        if (to[side]) to[side] += m;
      at += m;
      if (at == s->along) at = 0, number++;
    }
    for (int side = 0; side < 2; side++)
      if (answers[side]) cursor_write(&out[side], &w);
  }
  if (nontemporal) nontemporal_end();
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

/* Takes one row after the other, and shares out the values of each. */
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

/* Whether there are a few contiguous values of one row, with contiguous answers. Then there is
** nothing to prepare or to walk, which would cost more than the search. */
static bool is_plain(const search *s)
{
  const locus_search_job *job = s->job;

  return s->along == job->grid.numel && s->along <= BLOCK && s->bytes == 0 &&
         s->seen == job->values.dtype && operand_dense(&job->grid, &job->values) &&
         answers_in_place(job);
}

static int search_plain(const search *s, locus_context *cx)
{
  const locus_search_job *job = s->job;
  int64_t *const answers[2] = {job->has_left ? (int64_t *)job->left.data : NULL,
                               job->has_right ? (int64_t *)job->right.data : NULL};
  search_row row = row_of(job);

  LOCUS_TRY(row_open(s, &row, 0, NULL, cx));
  search_piece(s, &row, job->values.data, s->along, answers);
  return 0;
}

/* Threads share the values of one row if there are many, else they share rows. */
int ISA(searchsorted)(const locus_search_job *job, locus_context *cx)
{
  search s;

  if (job->grid.numel == 0) return 0;
  plan(&s, job);
  if (is_plain(&s)) return search_plain(&s, cx);
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

int ISA(search_index)(const locus_search_job *job, locus_context *cx)
{
  search s = {.job = job, .key = key_of(job->sequence.dtype)};
  search_row row = row_of(job);

  plan_row(&s, INT64_MAX);
  *job->index_bytes = s.row_bytes;
  for (int64_t number = 0; job->index.data && number < job->grid.numel; number++) {
    row_move(&row, &job->grid, job->row_dims, number);
    row_lay(&s, &row, row_of_operand(&job->index, &job->grid, job->row_dims, number));
    LOCUS_TRY(row_fill(&s, &row, cx));
  }
  return 0;
}
