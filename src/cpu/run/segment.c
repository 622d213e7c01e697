/* SPDX-License-Identifier: MIT */
/* Runner of segment. Rows are taken in their order, into arrays with the state of each group; `out`
** is written at the end. */
#include <inttypes.h>

#include "cpu/reduce/segment_methods.h"

/* -- The answers ------------------------------------------------------------------------------- */

static void begin_groups(const grouping *g, totals *t)
{
  if (g->how->begin) g->how->begin(t);
}

static int take_all_rows(grouping *g, locus_context *cx)
{
  const method *how = g->how;

  LOCUS_TRY(take_step(g, begin_groups, cx));
  LOCUS_TRY(take_pass(g, how->take, cx));
  LOCUS_TRY(join_tables(g, cx));
  if (how->finds >= MEANS) LOCUS_TRY(find_means(g, cx));
  return how->finds == MEANS_AND_SPREADS ? find_spreads(g, cx) : 0;
}

/* The first group without a row, or -1. */
static int64_t find_empty(const grouping *g)
{
  int64_t first = -1;

  for (int64_t p = 0; p < part_count(g); p++) {
    const totals *t = &g->parts[p];
    const uint8_t *empty = memchr(t->seen, 0, (size_t)t->groups);
    const int64_t group = empty ? (int64_t)((uint64_t)(empty - t->seen) << g->bits) + p : -1;
    if (group >= 0 && (first < 0 || group < first)) first = group;
  }
  return first;
}

/* The answers of n groups from `at` on, which is a multiple of the number of parts. */
static void collect_answers(const grouping *g, int64_t at, int64_t n, char *out, int64_t item)
{
  const int64_t parts = part_count(g);
  uint64_t own[BLOCK];

  if (parts == 1) {
    g->how->answer(&g->parts[0], at, n, out);
    return;
  }
  for (int64_t p = 0; p < least(parts, n); p++) {
    const int64_t count = (n - p + parts - 1) >> g->bits;
    g->how->answer(&g->parts[p], at >> g->bits, count, own);
    scatter_run(out + p * item, parts, own, count, item);
  }
}

/* The answers are numbers of rows: the elements there. */
static int gather_elements(const grouping *g, const walk *w, locus_context *cx)
{
  const locus_segment_job *job = g->job;
  locus_index_job gather = {.grid = job->groups, .elements = job->out, .array = job->in};
  int64_t numbers[BLOCK];

  collect_answers(g, w->at, w->count, (char *)numbers, sizeof numbers[0]);
  gather.grid.numel = gather.grid.size[0] = w->count;
  gather.elements.data = operand_at(w, &job->out, locus_dtype_size(job->out.dtype));
  gather.array.stride[0] = 0;
  gather.indices = 1;
  gather.index[0].at = (locus_operand){.data = (char *)numbers, .dtype = LOCUS_i64, .stride = {1}};
  gather.index[0].size = job->rows.numel;
  gather.index[0].step = job->in.stride[0];
  return ISA(gather)(&gather, cx);
}

static int write_part(const void *given, int64_t begin, int64_t end, locus_context *cx)
{
  const grouping *g = given;
  const locus_segment_job *job = g->job;
  const locus_dtype dtype = takes_numbers(g->how) ? job->out.dtype : g->how->out;
  cursor out;
  walk w;

  cursor_open(&out, &job->groups, &job->out, dtype);
  walk_start(&w, &job->groups, BLOCK);
  walk_within(&w, begin, end);
  while (walk_next(&w)) {
    LOCUS_TRY(locus_poll(cx));
    if (takes_numbers(g->how)) {
      LOCUS_TRY(gather_elements(g, &w, cx));
      continue;
    }
    collect_answers(g, w.at, w.count, cursor_target(&out, &w), locus_dtype_size(dtype));
    cursor_write(&out, &w);
  }
  return 0;
}

/* -- The job ----------------------------------------------------------------------------------- */

static int answer(grouping *g, locus_context *cx)
{
  const locus_segment_job *job = g->job;

  LOCUS_TRY(take_all_rows(g, cx));
  if (job->empty) {
    *job->empty = find_empty(g);
    if (*job->empty >= 0) return 0;
  }
  return locus_parallel(write_part, g, job->groups.numel, SLOW_GRAIN, cx);
}

int ISA(segment)(const locus_segment_job *job, locus_context *cx)
{
  const method *how = method_of(job);
  const int64_t groups = job->groups.numel;
  grouping g = {.job = job, .how = how, .narrow = job->ids.dtype == LOCUS_i32};

  if (job->empty) *job->empty = -1;
  if (groups == 0) return 0;
  if (groups > UINT32_MAX)
    return locus_fail(cx, "there can be up to %u groups, got %" PRId64, UINT32_MAX, groups);
  g.block_rows = locus_small_pieces() ? 64 : BLOCK;
  g.item = how->in != LOCUS_DTYPES ? locus_dtype_size(how->in) : takes_numbers(how) ? 8 : 0;
  LOCUS_TRY(plan_parts(&g, cx));
  if (g.strategy == DIVIDED) plan_section(&g);
  const int64_t own = place_parts(&g, NULL);
  const int64_t bytes = own + (g.strategy == DIVIDED ? place_blocks(&g, NULL) : 0);
  char *workspace = locus_memory_alloc(bytes);
  if (!workspace) return locus_fail_memory(cx, bytes);
  memset(workspace, 0, (size_t)own);
  place_parts(&g, workspace);
  if (g.strategy == DIVIDED) place_blocks(&g, workspace + own);
  const int status = answer(&g, cx);
  locus_memory_free(workspace, bytes);
  return status;
}
