/* SPDX-License-Identifier: MIT */
/* Runner of segment. Rows are taken in their order, into tables with the state of each group, once
** for as many answers as possible; outputs are written at the end. */
#include <inttypes.h>

#include "cpu/reduce/segment_plan.h"

/* -- The answers ------------------------------------------------------------------------------- */

/* Where an answer is written. */
typedef struct target {
  const grouping *g;
  const locus_segment_answer *to;
  const source *from;
} target;

/* The first group without a row, or -1. */
static int64_t find_empty(const grouping *g, int k)
{
  const fold *f = &g->fold[k];
  const int64_t parts = has_fold(g->divides, k) ? part_count(g) : 1;
  int64_t first = -1;

  for (int64_t p = 0; p < parts; p++) {
    const totals *t = &f->parts[p];
    const int64_t groups = parts > 1 ? t->groups : g->job->groups.numel;
    const uint8_t *empty = memchr(t->seen, 0, (size_t)groups);
    const int64_t group = empty ? (empty - t->seen) * parts + p : -1;
    if (group >= 0 && (first < 0 || group < first)) first = group;
  }
  return first;
}

/* The answers of n groups from `at` on, which is a multiple of the number of parts. */
static void collect_answers(const target *t, int64_t at, int64_t n, char *out, int64_t item)
{
  const grouping *g = t->g;
  const totals *tables = g->fold[t->from->fold].parts;
  const int64_t parts = has_fold(g->divides, t->from->fold) ? part_count(g) : 1;
  uint64_t own[BLOCK];

  if (parts == 1) {
    t->from->how->answer(tables, at, n, out);
    return;
  }
  for (int64_t p = 0; p < least(parts, n); p++) {
    const int64_t count = (n - p + parts - 1) >> g->bits;
    t->from->how->answer(&tables[p], at >> g->bits, count, own);
    scatter_run(out + p * item, parts, own, count, item);
  }
}

/* NaN for those of n groups from `at` on whose rows are all NaN. */
static void put_nan(const target *t, int64_t at, int64_t n, char *out)
{
  const grouping *g = t->g;
  const fold *f = &g->fold[t->from->fold];
  const int bits = has_fold(g->divides, t->from->fold) ? g->bits : 0;
  const int64_t item = locus_dtype_size(t->from->how->out);
  const double nan = (double)NAN;
  char own[sizeof(double)];

  ISA(cast_of)(LOCUS_f64, t->from->how->out)(own, &nan, 1);
  for (int64_t i = at; i < at + n; i++) {
    const totals *part = &f->parts[i & (((int64_t)1 << bits) - 1)];
    if (!part->seen[i >> bits]) memcpy(out + (i - at) * item, own, (size_t)item);
  }
}

/* The answers are numbers of rows: the elements there. */
static int gather_elements(const target *t, const walk *w, locus_context *cx)
{
  const locus_segment_job *job = t->g->job;
  locus_index_job gather = {.grid = job->groups, .elements = t->to->out, .array = t->to->in};
  int64_t numbers[BLOCK];

  collect_answers(t, w->at, w->count, (char *)numbers, sizeof numbers[0]);
  gather.grid.numel = gather.grid.size[0] = w->count;
  gather.elements.data = operand_at(w, &t->to->out, locus_dtype_size(t->to->out.dtype));
  gather.array.stride[0] = 0;
  gather.indices = 1;
  gather.index[0].at = (locus_operand){.data = (char *)numbers, .dtype = LOCUS_i64, .stride = {1}};
  gather.index[0].size = job->rows.numel;
  gather.index[0].step = t->to->in.stride[0];
  return ISA(gather)(&gather, cx);
}

static int write_part(const void *given, int64_t begin, int64_t end, locus_context *cx)
{
  const target *t = given;
  const locus_grid *groups = &t->g->job->groups;
  const bool elements = t->from->how->out == LOCUS_DTYPES;
  const locus_dtype dtype = elements ? t->to->out.dtype : t->from->how->out;
  cursor out;
  walk w;

  cursor_open(&out, groups, &t->to->out, dtype);
  walk_start(&w, groups, BLOCK);
  walk_within(&w, begin, end);
  while (walk_next(&w)) {
    LOCUS_TRY(locus_poll(cx));
    if (elements) {
      LOCUS_TRY(gather_elements(t, &w, cx));
      continue;
    }
    char *const made = cursor_target(&out, &w);
    collect_answers(t, w.at, w.count, made, locus_dtype_size(dtype));
    if (t->to->skips_nan && t->from->how->elements) put_nan(t, w.at, w.count, made);
    cursor_write(&out, &w);
  }
  return 0;
}

/* -- The job ----------------------------------------------------------------------------------- */

static int take_folds(grouping *g, locus_context *cx)
{
  LOCUS_TRY(locus_parallel(run_tasks, g, g->tasks, 1, cx));
  LOCUS_TRY(take_divided_folds(g, cx));
  for (int k = 0; k < g->folds; k++) {
    const fold *f = &g->fold[k];
    if (g->runs || has_fold(g->divides, k) || f->tables == 1) continue;
    LOCUS_TRY(locus_parallel(join_part, f, g->job->groups.numel, SLOW_GRAIN, cx));
  }
  return 0;
}

/* Fills and leaves tables in `workspace`. Where ids only look as if they ascended, all begins
** anew. */
static int fill_tables(grouping *g, char **workspace, int64_t *bytes, locus_context *cx)
{
  for (bool mixed = false;; mixed = true) {
    LOCUS_TRY(plan_tasks(g, mixed, cx));
    *bytes = place_folds(g, NULL);
    *workspace = locus_memory_alloc(*bytes);
    if (!*workspace) return locus_fail_memory(cx, *bytes);
    place_folds(g, *workspace);
    if (take_folds(g, cx) == 0) return 0;
    locus_memory_free(*workspace, *bytes);
    *workspace = NULL;
    if (!g->runs || cx->error.code != LOCUS_BAD_CALL) return -1;
  }
}

static int write_answers(const grouping *g, const locus_segment_answer *to, const source *from,
                         int64_t n, locus_context *cx)
{
  int64_t *const empty = g->job->empty;

  for (int64_t i = 0; empty && i < n; i++) {
    if (from[i].how->elements && !to[i].skips_nan) *empty = find_empty(g, from[i].fold);
    if (*empty >= 0) return 0;
  }
  for (int64_t i = 0; i < n; i++) {
    const target t = {g, &to[i], &from[i]};
    LOCUS_TRY(locus_parallel(write_part, &t, g->job->groups.numel, SLOW_GRAIN, cx));
  }
  return 0;
}

/* The first of n answers that are found together; *done says how many these are. */
static int answer_some(const locus_segment_job *job, const locus_segment_answer *answers, int64_t n,
                       int64_t *done, locus_context *cx)
{
  grouping g = {.job = job, .narrow = job->ids.dtype == LOCUS_i32};
  source from[MOST_FOLDS];
  char *workspace = NULL;
  int64_t bytes = 0;

  g.block_rows = locus_small_pieces() ? 64 : BLOCK;
  *done = plan_folds(&g, answers, n, from);
  int status = fill_tables(&g, &workspace, &bytes, cx);
  if (status == 0) status = write_answers(&g, answers, from, *done, cx);
  locus_memory_free(workspace, bytes);
  return status;
}

int ISA(segment)(const locus_segment_job *job, locus_context *cx)
{
  const int64_t groups = job->groups.numel;

  if (job->empty) *job->empty = -1;
  if (groups == 0) return 0;
  if (groups > UINT32_MAX)
    return locus_fail(cx, "there can be up to %u groups, got %" PRId64, UINT32_MAX, groups);
  for (int64_t i = 0, done; i < job->count; i += done) {
    LOCUS_TRY(answer_some(job, job->answers + i, job->count - i, &done, cx));
    if (job->empty && *job->empty >= 0) return 0;
  }
  return 0;
}
