/* SPDX-License-Identifier: MIT */
/* Which folds the answers of a job need, and which thread takes which rows of them, so that an
** answer has the same bits whatever the number of threads.
**
** One pass answers all: a block of ids and of each column is read once, and each fold takes it
** while it lies in L1. A mean leaves its sum and the number of rows. Threads share the work by the
** first of these ways that fits:
** - by runs: where ids ascend, each thread takes a range of rows that ends where a group does;
** - by rows: folds whose tables can be joined, as those of counts can and of sums of floats cannot,
**   take a range of rows into tables of its own;
** - divided: four threads and more divide rows by group (segment_divide.h), unless there are as
**   many folds left as threads;
** - dealt: a thread takes all rows of some folds. The costs of the threads are as equal as dealing
**   the most expensive fold first makes them (Graham, Bounds on multiprocessing timing anomalies,
**   1969).
** A single sum of floats in mixed order so stays on one thread of two or three: if each reads all
** rows and takes half of the groups, both wait for memory and for the choice of rows as long as one
** for all. */
#ifndef LOCUS_SEGMENT_PLAN_H
#define LOCUS_SEGMENT_PLAN_H

#include "cpu/reduce/segment_divide.h"
#include "cpu/reduce/segment_methods.h"

enum {
  SHARED_ROWS = 64 * BLOCK,  /* fewer, times the folds, stay on one thread */
  FEW_THREADS = 3,           /* too few to divide rows */
  TABLE_BYTES = 4 << 20,     /* of the tables that each thread may have of its own */
  TOGETHER_BYTES = 32 << 20, /* of the tables of folds that are taken together */
  SAMPLES = 64,
};

/* -- Folds ------------------------------------------------------------------------------------- */

static bool same_column(const locus_operand *a, const locus_operand *b)
{
  return a->data == b->data && a->dtype == b->dtype && a->stride[0] == b->stride[0];
}

/* The fold that is there for the method and the rows that count, over that column unless it is
** NULL; -1 if none is. */
static int find_fold(const grouping *g, const method *how, const locus_operand *in, bool skips_nan)
{
  for (int k = 0; k < g->folds; k++) {
    const fold *f = &g->fold[k];
    if (f->how == how && f->skips_nan == skips_nan && (!in || same_column(f->in, in))) return k;
  }
  return -1;
}

/* The number of the column that the method takes. */
static int add_column(grouping *g, const method *how, const locus_operand *in)
{
  for (int k = 0; k < g->columns; k++) {
    const column *c = &g->column[k];
    const bool reads = how->in != LOCUS_DTYPES;
    if (c->how->in == how->in && c->how->numbers == how->numbers &&
        (!reads || same_column(c->in, in)))
      return k;
  }
  g->column[g->columns] = (column){in, how};
  return g->columns++;
}

static int64_t state_bytes(const fold *f)
{
  return f->how->bytes + (f->keeps_sums ? (int64_t)sizeof(double) : 0);
}

/* Bytes of a table of that many groups; no two of them share lines of a cache. */
static int64_t table_bytes(const fold *f, int64_t groups)
{
  return (groups * (state_bytes(f) + 1) + 255) & ~(int64_t)127;
}

/* The fold of an answer. Means come before what they leave behind. */
static int add_fold(grouping *g, const finding *own, const locus_segment_answer *a)
{
  const bool reads = own->how->in != LOCUS_DTYPES || a->skips_nan;
  int k = find_fold(g, own->how, reads ? &a->in : NULL, a->skips_nan);

  if (k < 0) {
    fold f = {.how = own->how, .in = &a->in, .skips_nan = a->skips_nan};
    f.read = add_column(g, own->how, &a->in);
    if (f.skips_nan) f.looks = add_column(g, &moments, &a->in);
    k = g->folds++;
    g->fold[k] = f;
  }
  if (own->finds > g->fold[k].finds) g->fold[k].finds = own->finds;
  return k;
}

/* The fold of means whose states give a count, too. */
static int means_with_count(const grouping *g, const locus_segment_answer *a)
{
  return find_fold(g, &moments, a->skips_nan ? &a->in : NULL, a->skips_nan);
}

/* What gives the answer, in place of its own finding, where means are asked, too. */
static const finding *beside_means(const grouping *g, const finding *own,
                                   const locus_segment_answer *a)
{
  if (own == &sum_of_reals && find_fold(g, &moments, &a->in, a->skips_nan) >= 0)
    return &sum_beside_mean;
  if (own == &count_of_rows && means_with_count(g, a) >= 0) return &count_beside_mean;
  return own;
}

/* How each answer of a job is found: from which fold. */
typedef struct source {
  const finding *how;
  int fold;
} source;

static void add_source(grouping *g, const locus_segment_answer *a, source *from)
{
  from->how = beside_means(g, finding_of(a->how, a->in.dtype), a);
  if (from->how == &count_beside_mean) from->fold = means_with_count(g, a);
  else from->fold = add_fold(g, from->how, a);
  if (from->how == &sum_beside_mean) g->fold[from->fold].keeps_sums = true;
}

static void make_folds(grouping *g, const locus_segment_answer *answers, int64_t n, source *from)
{
  g->folds = g->columns = 0;
  for (int64_t i = 0; i < n; i++)
    if (finding_of(answers[i].how, answers[i].in.dtype)->finds > NO_MEANS)
      add_source(g, &answers[i], &from[i]);
  for (int64_t i = 0; i < n; i++) add_source(g, &answers[i], &from[i]);
}

/* Makes the folds for the first of n answers, as many as are taken together; returns their
** number. */
static int64_t plan_folds(grouping *g, const locus_segment_answer *answers, int64_t n, source *from)
{
  for (int64_t count = least(n, MOST_FOLDS);; count /= 2) {
    int64_t bytes = 0;
    make_folds(g, answers, count, from);
    for (int k = 0; k < g->folds; k++) bytes += table_bytes(&g->fold[k], g->job->groups.numel);
    if (count == 1 || bytes <= TOGETHER_BYTES) return count;
  }
}

/* -- By runs ----------------------------------------------------------------------------------- */

/* The group of a row; any number if ids change or are wrong. */
static uint64_t group_at(const grouping *g, int64_t row)
{
  const locus_operand *ids = &g->job->ids;
  const char *at = ids->data + row * ids->stride[0] * locus_dtype_size(ids->dtype);
  int64_t id;

  if (ids->dtype == LOCUS_i64) memcpy(&id, at, sizeof id);
  else ISA(cast_of)(ids->dtype, LOCUS_i64)(&id, at, 1);
  return (uint64_t)id - (uint64_t)g->job->base;
}

static bool may_ascend(const grouping *g)
{
  const int64_t last = g->job->rows.numel - 1;
  uint64_t before = 0;

  for (int64_t i = 0; i <= SAMPLES; i++) {
    const uint64_t own = group_at(g, (int64_t)((double)last * (double)i / SAMPLES));
    if (own < before) return false;
    before = own;
  }
  return true;
}

/* The first row of that group or a later one. */
static int64_t find_group(const grouping *g, uint64_t group)
{
  int64_t low = 0, count = g->job->rows.numel;

  while (count > 0) {
    const int64_t half = count / 2;
    if (group_at(g, low + half) < group) low += half + 1, count -= half + 1;
    else count = half;
  }
  return low;
}

/* The row near that one where a group begins. */
static int64_t find_cut(const grouping *g, int64_t row)
{
  const uint64_t group = group_at(g, row);
  const int64_t begin = find_group(g, group), end = find_group(g, group + 1);
  return row - begin < end - row ? begin : end;
}

/* Makes a task of each range; false where ids do not ascend, or one range has too many rows. If ids
** look as if they ascended and do not, some row of a task has an id that is none of its groups. */
static bool plan_runs(grouping *g)
{
  const int64_t numel = g->job->rows.numel, groups = g->job->groups.numel;
  const int64_t threads = locus_cpu_threads(), most = least(4 * threads, MOST_PARTS);
  int64_t begin = 0, first = 0;

  if (!may_ascend(g)) return false;
  g->tasks = 0;
  for (int64_t i = 1; i <= most && begin < numel; i++) {
    const int64_t cut = i < most ? find_cut(g, numel / most * i) : numel;
    const uint64_t past = cut < numel ? group_at(g, cut) : (uint64_t)groups;
    if (cut <= begin || past <= (uint64_t)first || past > (uint64_t)groups) continue;
    if (cut - begin > numel / threads + numel / most) return false;
    g->task[g->tasks] = (task){all_folds(g), begin, cut, first, (int64_t)past - first, g->tasks, 0};
    g->tasks++;
    begin = cut;
    first = (int64_t)past;
  }
  return begin == numel && g->tasks > 1;
}

/* -- By rows, divided, dealt ------------------------------------------------------------------- */

/* The folds that take ranges of rows into tables of each thread's own. */
static uint32_t joinable_folds(const grouping *g)
{
  const int64_t groups = g->job->groups.numel;
  uint32_t found = 0;
  int64_t bytes = 0;

  if (groups > g->job->rows.numel / locus_cpu_threads()) return 0;
  for (int k = 0; k < g->folds; k++) {
    if (!g->fold[k].how->join) continue;
    bytes += table_bytes(&g->fold[k], groups);
    if (bytes > TABLE_BYTES) break;
    found |= 1u << k;
  }
  return found;
}

static void add_ranges(grouping *g, uint32_t folds, int64_t ranges)
{
  const int64_t numel = g->job->rows.numel, range = (numel - 1) / ranges + 1;

  for (int64_t i = 0; folds && i < ranges; i++) {
    const int64_t begin = least(i * range, numel), end = least(begin + range, numel);
    g->task[g->tasks++] = (task){folds, begin, end, 0, g->job->groups.numel, i, 0};
  }
  for (int k = 0; k < g->folds; k++)
    if (has_fold(folds, k)) g->fold[k].tables = ranges;
}

static int64_t cost_of(const fold *f)
{
  return f->how->cost * (f->finds == MEANS_AND_SPREADS ? 2 : 1);
}

/* Deals the folds out to as many tasks as there are threads, each to the one with the least work,
** the most expensive fold first. */
static void deal_folds(grouping *g, uint32_t folds)
{
  const int hands = (int)least(locus_cpu_threads(), __builtin_popcount(folds));
  task *const first = g->task + g->tasks;

  for (int i = 0; i < hands; i++)
    first[i] = (task){0, 0, g->job->rows.numel, 0, g->job->groups.numel, 0, 0};
  while (folds) {
    task *least_task = first;
    int next = -1;
    for (int k = 0; k < g->folds; k++) {
      if (has_fold(folds, k) && (next < 0 || cost_of(&g->fold[k]) > cost_of(&g->fold[next])))
        next = k;
    }
    for (int i = 1; i < hands; i++)
      if (first[i].cost < least_task->cost) least_task = &first[i];
    least_task->folds |= 1u << next;
    least_task->cost += cost_of(&g->fold[next]);
    folds &= ~(1u << next);
  }
  g->tasks += hands;
}

/* Whether rows in the middle are mostly of the group of the one before. */
static int are_runs(const grouping *g, bool *runs, locus_context *cx)
{
  const int64_t numel = g->job->rows.numel, begin = numel / 2;
  reader *r = open_reader(g, begin, least(begin + BLOCK, numel));
  int64_t n;

  if (!r) return locus_fail_memory(cx, reader_bytes(g));
  const int status = read_groups(r, 0, g->job->groups.numel, &n, cx);
  *runs = status == 0 && in_runs(r->places, n);
  locus_memory_free(r, reader_bytes(g));
  return status;
}

/* Which of the folds have their rows divided. */
static int plan_division(grouping *g, uint32_t folds, locus_context *cx)
{
  const int64_t groups = g->job->groups.numel;
  const int threads = locus_cpu_threads();
  bool runs = false;

  if (threads <= FEW_THREADS || groups < 2 || __builtin_popcount(folds) >= threads) return 0;
  LOCUS_TRY(are_runs(g, &runs, cx));
  if (runs || folds == 0) return 0;
  while (part_count(g) < threads && 2 * part_count(g) <= least(groups, MOST_PARTS)) g->bits++;
  for (int k = 0; k < g->folds; k++)
    if (has_fold(folds, k)) g->fold[k].tables = part_count(g);
  g->divides = folds;
  return 0;
}

/* Chooses who takes what. mixed: ids do not ascend. */
static int plan_tasks(grouping *g, bool mixed, locus_context *cx)
{
  const int64_t numel = g->job->rows.numel;
  const int threads = locus_cpu_threads();
  const bool small = locus_small_pieces();
  const int64_t fewest = small ? 2 : SHARED_ROWS / least(g->folds, 4);

  g->tasks = g->bits = 0;
  g->divides = 0;
  for (int k = 0; k < g->folds; k++) g->fold[k].tables = 1;
  g->runs = threads > 1 && numel >= fewest && !mixed && plan_runs(g);
  if (g->runs) {
    for (int k = 0; k < g->folds; k++) g->fold[k].tables = g->tasks;
    return 0;
  }
  g->tasks = 0;
  if (threads < 2 || numel < fewest) {
    g->task[g->tasks++] = (task){all_folds(g), 0, numel, 0, g->job->groups.numel, 0, 0};
    return 0;
  }
  const uint32_t joinable = joinable_folds(g), rest = all_folds(g) & ~joinable;
  LOCUS_TRY(plan_division(g, rest, cx));
  if (rest & ~g->divides) deal_folds(g, rest);
  add_ranges(g, joinable, least(g->tasks ? 2 * threads : threads, MOST_PARTS));
  return 0;
}

/* -- Memory ------------------------------------------------------------------------------------ */

/* The state of some groups of a table of `all` groups. */
static totals part_of(const fold *f, char *table, int64_t all, int64_t first, int64_t groups)
{
  totals t = {.groups = groups, .wanted = true};

  t.state = table + f->how->bytes * first;
  t.group = f->how == &moments ? t.state : NULL;
  t.sums = f->keeps_sums ? (double *)(table + f->how->bytes * all) + first : NULL;
  t.seen = (uint8_t *)table + state_bytes(f) * all + first;
  return t;
}

/* Gives the tables of a fold their memory; without it counts the bytes. */
static int64_t place_fold(const grouping *g, int k, char *memory)
{
  const fold *f = &g->fold[k];
  const int64_t all = g->job->groups.numel;
  int64_t bytes = 0;

  for (int64_t p = 0; p < f->tables; p++) {
    const bool divides = has_fold(g->divides, k);
    const int64_t groups = divides ? (all - p + part_count(g) - 1) >> g->bits : all;
    const task *t = &g->task[p];
    if (memory && g->runs) f->parts[p] = part_of(f, memory, all, t->first, t->groups);
    else if (memory) f->parts[p] = part_of(f, memory + bytes, groups, 0, groups);
    if (!g->runs || p == 0) bytes += table_bytes(f, groups);
  }
  return bytes;
}

/* The same for all folds. */
static int64_t place_folds(grouping *g, char *memory)
{
  int64_t bytes = 0;

  for (int k = 0; k < g->folds; k++) {
    fold *f = &g->fold[k];
    if (memory) f->parts = (totals *)(memory + bytes);
    bytes += (f->tables * (int64_t)sizeof(totals) + 63) & ~(int64_t)63;
    bytes += place_fold(g, k, memory ? memory + bytes : NULL);
  }
  return bytes;
}

#endif
