/* SPDX-License-Identifier: MIT */
/* Runner of sort. The elements of a row become pairs of rank and position. Many short rows are
** sorted side by side by a network, other rows one after the other: by insertion when there are
** few pairs, else digit by digit (radix). */
#include "core/device.h"
#include "cpu/order/keys.h"

enum {
  SHORT = 256,            /* elements of the longest row for the network */
  PLACE = 8,              /* bits of a position, unless a row needs more */
  NEAR = 256 * 1024,      /* elements of strided rows that are brought side by side */
  SORT_GRAIN = 2 * BLOCK, /* elements worth 20 us */
  WORKSPACES = 64 << 20,  /* bytes of more than one per thread */
};

/* Writes the answers of row l from its pairs. */
static int write_row(const sorting *s, int64_t l, locus_context *cx)
{
  const char *elements = panel_row(&s->in, l);
  char *values = s->job->has_values ? panel_row(&s->values, l) : NULL;
  int64_t *index = s->job->has_index ? (int64_t *)panel_row(&s->index, l) : NULL;

  for (int64_t at = 0, count; at < s->in.n; at += count) {
    const uint64_t *p = s->row.now + at;
    LOCUS_TRY(locus_poll(cx));
    count = least(BLOCK, s->in.n - at);
    if (values) s->pick(values + at * s->in.item, 0, elements, 0, p, 1, s->positions, 1, count);
    for (int64_t i = 0; index && i < count; i++)
      index[at + i] = (int64_t)(p[i] & s->positions) + s->job->base;
  }
  return 0;
}

/* Writes a row that is in order, or in the reverse order. */
static int write_ordered_row(const sorting *s, int64_t l, bool reverse, locus_context *cx)
{
  const int64_t n = s->in.n, item = s->in.item, step = reverse ? -1 : 1;
  const char *elements = panel_row(&s->in, l);
  char *values = s->job->has_values ? panel_row(&s->values, l) : NULL;
  int64_t *index = s->job->has_index ? (int64_t *)panel_row(&s->index, l) : NULL;

  for (int64_t at = 0, count; at < n; at += count) {
    const int64_t from = reverse ? n - 1 - at : at;
    LOCUS_TRY(locus_poll(cx));
    count = least(BLOCK, n - at);
    if (values) gather_run(values + at * item, elements + from * item, step, count, item);
    for (int64_t i = 0; index && i < count; i++) index[at + i] = from + i * step + s->job->base;
  }
  return 0;
}

static int sort_row(sorting *s, int64_t l, locus_context *cx)
{
  const char *elements = panel_row(&s->in, l);
  outline o;

  LOCUS_TRY(survey(s, elements, &o, cx));
  if (o.rising || o.falling) return write_ordered_row(s, l, o.falling, cx);
  if (!s->job->has_index) {
    ordered ranks;
    LOCUS_TRY(order_ranks(s, elements, o.differ, &ranks, cx));
    return write_ranks(s, &ranks, elements, panel_row(&s->values, l), cx);
  }
  LOCUS_TRY(order_pairs(s, elements, o.differ, cx));
  return write_row(s, l, cx);
}

/* Makes columns of pairs from the ranks of short rows; if there are fewer rows than columns, the
** first one fills the rest. `differ` gets the bits in which the ranks of each row differ. */
static void fill_columns(sorting *s, int64_t rows, uint64_t *differ)
{
  const int64_t n = s->in.n;
  const uint64_t sign = (uint64_t)1 << 63;
  const bool joined = panel_apart(&s->in) == n;
  uint64_t(*columns)[COLUMNS] = s->columns;
  int shift[COLUMNS];

  for (int64_t l = 0; l < (joined ? 1 : rows); l++) {
    s->rank(s->ranks + l * n, panel_row(&s->in, l), joined ? rows * n : n, s->job->descending);
  }
  for (int64_t l = 0; l < COLUMNS; l++) {
    const uint64_t *ranks = s->ranks + (l < rows ? l : 0) * n;
    for (int64_t i = 0; i < n; i++) columns[i][l] = ranks[i];
  }
  memset(differ, 0, COLUMNS * sizeof *differ);
  for (int64_t i = 1; i < n; i++)
    for (int64_t l = 0; l < COLUMNS; l++) differ[l] |= columns[i][l] ^ columns[0][l];
  for (int64_t l = 0; l < COLUMNS; l++) shift[l] = __builtin_clzll(differ[l] | 1);
  for (int64_t i = 0; i < n; i++)
    for (int64_t l = 0; l < COLUMNS; l++)
      columns[i][l] = ((columns[i][l] << shift[l] & ~s->positions) | (uint64_t)i) ^ sign;
}

/* Settles the ties of a column; most have none. */
static int sort_column_ties(sorting *s, int64_t l, int shift, locus_context *cx)
{
  const int64_t n = s->in.n;
  uint64_t(*columns)[COLUMNS] = s->columns;
  bool tie = false;

  for (int64_t i = 1; i < n; i++) tie |= (columns[i][l] ^ columns[i - 1][l]) <= s->positions;
  if (!tie) return 0;
  for (int64_t i = 0; i < n; i++) s->row.now[i] = columns[i][l];
  LOCUS_TRY(sort_ties(s, panel_row(&s->in, l), s->row, n, shift, cx));
  for (int64_t i = 0; i < n; i++) columns[i][l] = s->row.now[i];
  return 0;
}

static void write_columns(const sorting *s, int64_t rows)
{
  const int64_t n = s->in.n, base = s->job->base;
  uint64_t(*const columns)[COLUMNS] = s->columns;

  if (s->job->has_values) {
    s->pick(panel_row(&s->values, 0), panel_apart(&s->values), panel_row(&s->in, 0),
            panel_apart(&s->in), columns[0], COLUMNS, s->positions, rows, n);
  }
  for (int64_t l = 0; s->job->has_index && l < rows; l++) {
    int64_t *index = (int64_t *)panel_row(&s->index, l);
    for (int64_t i = 0; i < n; i++) index[i] = (int64_t)(columns[i][l] & s->positions) + base;
  }
}

static int sort_columns(sorting *s, int64_t rows, locus_context *cx)
{
  uint64_t differ[COLUMNS];

  LOCUS_TRY(locus_poll(cx));
  fill_columns(s, rows, differ);
  network_sort(s->columns, s->in.n);
  for (int64_t l = 0; l < rows; l++) {
    const int shift = __builtin_clzll(differ[l] | 1);
    if (differ[l] << shift & s->positions) LOCUS_TRY(sort_column_ties(s, l, shift, cx));
  }
  write_columns(s, rows);
  return 0;
}

static int sort_group(sorting *s, const walk *w, locus_context *cx)
{
  panel_find(&s->in, w);
  panel_find(&s->values, w);
  panel_find(&s->index, w);
  LOCUS_TRY(panel_move(&s->in, w->count, true, cx));
  if (s->is_short && w->count > COLUMNS / 4) {
    LOCUS_TRY(sort_columns(s, w->count, cx));
  } else {
    for (int64_t l = 0; l < w->count; l++) LOCUS_TRY(sort_row(s, l, cx));
  }
  LOCUS_TRY(panel_move(&s->values, w->count, false, cx));
  return panel_move(&s->index, w->count, false, cx);
}

/* The next bytes of a workspace; NULL if there is none and only its length is wanted. */
static void *take(char *workspace, int64_t *used, int64_t bytes)
{
  char *taken = workspace ? workspace + *used : NULL;
  *used += bytes;
  return taken;
}

static void panel_take(panel *p, int64_t most, char *workspace, int64_t *used)
{
  if (p->strided) p->near = take(workspace, used, most * p->n * p->item);
}

/* Divides a workspace up; answers how many bytes it has to have. */
static int64_t divide(sorting *s, char *workspace)
{
  const int64_t n = s->in.n;
  int64_t used = 0;

  if (s->is_short) s->columns = take(workspace, &used, n * (int64_t)sizeof *s->columns);
  s->ranks = take(workspace, &used, (s->is_short ? n * COLUMNS : least(n, BLOCK)) * 8);
  s->row.now = take(workspace, &used, n * 8);
  s->row.spare = take(workspace, &used, n * 8);
  panel_take(&s->index, s->most, workspace, &used);
  panel_take(&s->values, s->most, workspace, &used);
  panel_take(&s->in, s->most, workspace, &used);
  return (used + 63) / 64 * 64;
}

/* The groups of a job, in as many pieces as there are workspaces. */
typedef struct sort_plan {
  sorting prepared; /* except for the workspace */
  int64_t groups, pieces, bytes;
  char *workspaces;
} sort_plan;

/* Rows of a group are neighbours in the last dimension. */
static int sort_part(const void *given, int64_t begin, int64_t end, locus_context *cx)
{
  const sort_plan *plan = given;
  sorting s = plan->prepared;
  const int last = s.rows.ndim - 1;
  walk w;

  for (int64_t k = begin; k < end; k++) {
    divide(&s, plan->workspaces + k * plan->bytes);
    walk_begin(&w, &s.rows, NULL, 0);
    walk_within(&w, k * plan->groups / plan->pieces * s.most,
                least(s.rows.numel, (k + 1) * plan->groups / plan->pieces * s.most));
    w.most = s.most;
    while (walk_next(&w)) {
      w.count = least(w.count, s.rows.size[last] - w.index[last]);
      LOCUS_TRY(sort_group(&s, &w, cx));
    }
  }
  return 0;
}

/* Rows may be sorted in any order: when too few of them are neighbours in the last dimension, the
** longest one changes places with it. */
static void turn_rows(sorting *s)
{
  panel *panels[] = {&s->in, &s->values, &s->index};
  const int last = s->rows.ndim - 1;
  int longest = last;

  if (s->rows.size[last] >= COLUMNS) return;
  for (int d = 0; d < last; d++)
    if (s->rows.size[d] > s->rows.size[longest]) longest = d;
  int64_t size = s->rows.size[longest];
  s->rows.size[longest] = s->rows.size[last];
  s->rows.size[last] = size;
  for (int i = 0; i < 3; i++) {
    int64_t *stride = panels[i]->operand.stride, swapped = stride[longest];
    stride[longest] = stride[last];
    stride[last] = swapped;
  }
}

static void prepare(sorting *s, const locus_sort_job *job)
{
  const int64_t n = job->n;

  *s = (sorting){.job = job, .most = 1};
  s->rows = job->rows;
  s->in = panel_open(true, &job->in, n, job->in_step);
  s->values = panel_open(job->has_values, &job->values, n, job->values_step);
  s->index = panel_open(job->has_index, &job->index, n, job->index_step);
  turn_rows(s);
  s->rank = rank_runs[job->in.dtype];
  s->pick = picks[s->in.item];
  s->is_short = n <= SHORT && job->rows.numel > COLUMNS / 4;
  if (s->is_short) s->most = COLUMNS;
  else if (s->in.strided || s->values.strided || s->index.strided)
    s->most = least(COLUMNS, 1 + NEAR / n);
  s->place = PLACE;
  while ((n - 1) >> s->place) s->place++;
  s->positions = ((uint64_t)1 << s->place) - 1;
}

int ISA(sort)(const locus_sort_job *job, locus_context *cx)
{
  const int64_t threads = locus_cpu_threads();
  sort_plan plan;

  if (job->n == 0 || job->rows.numel == 0) return 0;
  prepare(&plan.prepared, job);
  plan.bytes = divide(&plan.prepared, NULL);
  plan.groups = (job->rows.numel - 1) / plan.prepared.most + 1;
  plan.pieces = least(plan.groups, 1 + job->rows.numel * job->n / SORT_GRAIN);
  plan.pieces = least(plan.pieces, plan.bytes * threads * 8 < WORKSPACES ? threads * 8 : threads);
  plan.workspaces = locus_memory_alloc(plan.pieces * plan.bytes);
  if (!plan.workspaces) return locus_fail_memory(cx, plan.pieces * plan.bytes);
  int status = locus_parallel(sort_part, &plan, plan.pieces, 1, cx);
  locus_memory_free(plan.workspaces, plan.pieces * plan.bytes);
  return status;
}
