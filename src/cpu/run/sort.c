/* SPDX-License-Identifier: MIT */
/* Runner of sort. The elements of a row become pairs of rank and position. Many short rows are
** sorted side by side by a network, other rows one after the other: by insertion when there are
** few pairs, else digit by digit (radix). Values alone of 4 and 8 bytes are sorted by vectors where
** the instruction set can partition them, and narrower ones are counted. */
#include "core/device.h"
#include "cpu/order/counted.h"
#include "cpu/order/samplesort.h"
#include "cpu/order/shared_values.h"

enum {
  SHORT = 256,            /* elements of the longest row for the network, and */
  SHORTER = 64,           /* of 4 bytes each, where vectors sort longer rows faster */
  PLACE = 8,              /* bits of a position, unless a row needs more */
  NEAR = 256 * 1024,      /* elements of strided rows that are brought side by side */
  SORT_GRAIN = 2 * BLOCK, /* elements worth 20 us */
  WORKSPACES = 64 << 20,  /* bytes of more than one per thread */
  SHARED = 64 * 1024,     /* elements of the shortest row that threads share */
  SHARED_IN_TESTS = 64,
  ALONE = 512 * 1024, /* of the longest one for which each thread may have memory */
};

static int sort_row(sorting *s, int64_t l, locus_context *cx)
{
  const char *elements = panel_row(&s->in, l);
  char *values = s->job->has_values ? panel_row(&s->values, l) : NULL;
  int64_t *index = s->job->has_index ? (int64_t *)panel_row(&s->index, l) : NULL;
  outline o;

#if PARTITIONS
  if (s->by_vectors) return sort_values_by_vectors(s, elements, values, cx);
#endif
  if (s->counted) return sort_counted(s, elements, values, cx);
  LOCUS_TRY(survey(s, elements, &o, cx));
  if (o.rising || o.falling)
    return write_ordered(s, elements, values, index, o.falling, 0, s->in.n, cx);
  if (!index) return sort_values(s, elements, o.differ, values, cx);
  LOCUS_TRY(order_pairs(s, elements, o.differ, cx));
  return write_pairs(s, elements, s->row.now, s->in.n, values, index, cx);
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

/* Sorts the ties of a column; most have none. */
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

/* Divides a workspace; returns its size in bytes. */
static int64_t divide(sorting *s, char *workspace)
{
  const int64_t n = s->in.n;
  int64_t used = 0;

  if (s->is_short) s->columns = take(workspace, &used, n * (int64_t)sizeof *s->columns);
  s->ranks = take(workspace, &used, (s->is_short ? n * COLUMNS : least(n, BLOCK)) * 8);
  if (s->counted) s->counts = take(workspace, &used, table_bytes(s));
  else if (!s->by_vectors || s->is_short) {
    s->row.now = take(workspace, &used, n * 8);
    s->row.spare = take(workspace, &used, n * 8);
  }
  if (s->by_vectors) s->spare = take(workspace, &used, n * s->in.item);
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
  s->by_vectors = PARTITIONS && !job->has_index && s->in.item >= 4;
  const int64_t longest = s->by_vectors && s->in.item == 4 ? SHORTER : SHORT;
  s->is_short = n <= longest && job->rows.numel > COLUMNS / 4;
  if (s->is_short) s->most = COLUMNS;
  else if (s->in.strided || s->values.strided || s->index.strided)
    s->most = least(COLUMNS, 1 + NEAR / n);
  s->counted = !s->is_short && is_counted(s);
  s->tables = 1;
  s->place = PLACE;
  while ((n - 1) >> s->place) s->place++;
  s->positions = ((uint64_t)1 << s->place) - 1;
}

/* -- Long rows, one after the other ------------------------------------------------------------ */

/* Whether threads share each row and not the rows: where these are few, or need more memory than
** each thread may have. */
static bool shares_rows(const sorting *s, int64_t threads)
{
  const int64_t n = s->in.n;

  if (threads < 2 || s->is_short || n < (locus_small_pieces() ? SHARED_IN_TESTS : SHARED))
    return false;
  return s->rows.numel < threads || n > ALONE;
}

typedef struct panel_way {
  const panel *panel;
  bool near;
} panel_way;

static int move_part(const void *given, int64_t begin, int64_t end, locus_context *cx)
{
  const panel_way *way = given;

  return panel_move_part(way->panel, 1, way->near, begin, end, cx);
}

static int move_long(const panel *p, bool near, locus_context *cx)
{
  return p->strided ? locus_parallel(move_part, &(panel_way){p, near}, p->n, SLOW_GRAIN, cx) : 0;
}

/* Beside the workspace of one thread: for a `shared_values` or a `samplesort`. */
static int64_t sharing_bytes(const sorting *s, int64_t threads)
{
#if PARTITIONS
  if (s->by_vectors) return shared_values_bytes(threads);
#endif
  return s->counted ? 0 : samplesort_bytes(threads);
}

static void begin_sharing(void *o, const sorting *s, int64_t threads)
{
#if PARTITIONS
  if (s->by_vectors) {
    begin_shared_values(o, s, threads);
    return;
  }
#endif
  if (!s->counted) samplesort_begin(o, s, threads);
}

static int sort_long_row(sorting *s, void *o, const walk *w, locus_context *cx)
{
  panel_find(&s->in, w);
  panel_find(&s->values, w);
  panel_find(&s->index, w);
  LOCUS_TRY(move_long(&s->in, true, cx));
  const char *elements = panel_row(&s->in, 0);
  char *values = s->job->has_values ? panel_row(&s->values, 0) : NULL;
  int64_t *index = s->job->has_index ? (int64_t *)panel_row(&s->index, 0) : NULL;
#if PARTITIONS
  if (s->by_vectors) {
    LOCUS_TRY(sort_shared_values(o, elements, values, cx));
    return move_long(&s->values, false, cx);
  }
#endif
  LOCUS_TRY(s->counted ? sort_counted(s, elements, values, cx)
                       : samplesort_row(o, elements, values, index, cx));
  LOCUS_TRY(move_long(&s->values, false, cx));
  return move_long(&s->index, false, cx);
}

static int sort_long_rows(sorting *s, int64_t threads, locus_context *cx)
{
  s->most = 1;
  if (s->counted) s->tables = tables_for(s, threads);
  const int64_t workspace = divide(s, NULL), bytes = workspace + sharing_bytes(s, threads);
  char *memory = locus_memory_alloc(bytes);
  if (!memory) return locus_fail_memory(cx, bytes);
  void *const o = memory + workspace;
  int status = 0;
  walk w;

  divide(s, memory);
  begin_sharing(o, s, threads);
  walk_begin(&w, &s->rows, NULL, 0);
  w.most = 1;
  while (status == 0 && walk_next(&w)) status = sort_long_row(s, o, &w, cx);
  locus_memory_free(memory, bytes);
  return status;
}

int ISA(sort)(const locus_sort_job *job, locus_context *cx)
{
  const int64_t threads = locus_cpu_threads();
  sort_plan plan;

  if (job->n == 0 || job->rows.numel == 0) return 0;
  prepare(&plan.prepared, job);
  if (shares_rows(&plan.prepared, threads)) return sort_long_rows(&plan.prepared, threads, cx);
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
