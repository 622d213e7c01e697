/* SPDX-License-Identifier: MIT */
/* Runner of histogram. The range of the edges is cut into cells of one width, and a table has the
** number of edges before each cell. A few steps of bisection, as many as the fullest cell needs,
** find the edges within it. The cell of an element is rounded. But it is rounded the same way for
** edges and is monotonic, so the comparisons with edges, which decide, begin early enough. Weights
** are added in the order of the input. */
#include <math.h>

#include "core/memory.h"
#include "core/once.h"
#include "cpu/block/block.h"

enum {
  CELLS_PER_BIN = 4,
  MOST_CELLS = 1 << 15, /* of a table in the second-level cache */
  COUNT_GRAIN = 32 * BLOCK,
};

typedef struct bins {
  const locus_histogram_job *job;
  double low, high, scale; /* cells to the width; with one cell there is none */
  int32_t last;            /* bin, and */
  int32_t last_cell;
  int32_t step;   /* the first, greatest of the bisection, a power of two; 0: there is none */
  double *edges;  /* inner edge b has place b; behind them infinities, which steps may read */
  int32_t *first; /* of each cell: the bin in which it begins */
  char *memory;
  int64_t bytes;
} bins;

/* The cell of an element from low to high. */
static ALWAYS_INLINE int32_t cell_of(const bins *b, double x)
{
  const int32_t cell = (int32_t)((x - b->low) * b->scale);
  return cell < b->last_cell ? cell : b->last_cell;
}

/* The bin of each of n elements of a block; last + 1 for none. The elements are read more than once
** and others may write to them, so this reads a copy. */
static void find_bins(const bins *b, const double *elements, int64_t n, int32_t *restrict bin)
{
  double x[BLOCK];
  const double low = b->low, high = b->high;
  const int32_t *restrict const first = b->first;
  const double *restrict const edges = b->edges;
  const int32_t last = b->last;

  memcpy(x, elements, (size_t)n * sizeof *x);
  LOCUS_SETTLED(x);
  if (b->last_cell == 0) memset(bin, 0, (size_t)n * sizeof *bin);
  else
    for (int64_t i = 0; i < n; i++)
      bin[i] = first[cell_of(b, x[i] >= low && x[i] <= high ? x[i] : low)];
  for (int32_t step = b->step; step > 0; step /= 2)
    for (int64_t i = 0; i < n; i++) bin[i] += edges[bin[i] + step] <= x[i] ? step : 0;
  for (int64_t i = 0; i < n; i++) {
    const int32_t own = bin[i] < last ? bin[i] : last;
    bin[i] = x[i] >= low && x[i] <= high ? own : last + 1;
  }
}

/* -- Making the table -------------------------------------------------------------------------- */

static int64_t choose_cells(const bins *b, int64_t numel)
{
  const int64_t wanted = CELLS_PER_BIN * ((int64_t)b->last + 1);
  int64_t cells = 64;

  if (b->last == 0) return 1;
  while (cells < wanted && cells < MOST_CELLS && cells < numel) cells *= 2;
  return cells;
}

/* Makes the table from the inner edges, and returns the number in the fullest cell. */
static int32_t fill_cells(bins *b)
{
  const double *edges = b->job->edges;
  int32_t cell = 0, most = 0, begun = 0;

  for (int32_t e = 1; e <= b->last; e++) {
    for (const int32_t own = cell_of(b, edges[e]); cell < own; begun = e - 1) {
      if (e - 1 - begun > most) most = e - 1 - begun;
      b->first[++cell] = e - 1;
    }
  }
  if (b->last - begun > most) most = b->last - begun;
  while (cell < b->last_cell) b->first[++cell] = b->last;
  return most;
}

static int bins_open(bins *b, const locus_histogram_job *job, locus_context *cx)
{
  b->job = job;
  b->last = (int32_t)(job->bins - 1);
  b->low = job->edges[0];
  b->high = job->edges[job->bins];
  int64_t cells = choose_cells(b, job->grid.numel);
  b->scale = (double)cells / (b->high - b->low);
  if (!(b->scale > 0 && b->scale < INFINITY)) cells = 1;
  b->last_cell = (int32_t)(cells - 1);
  int64_t room = job->bins;
  for (int64_t step = 1; step <= b->last; step *= 2) room += step;
  b->bytes = room * (int64_t)sizeof *b->edges + cells * (int64_t)sizeof *b->first;
  b->memory = locus_memory_alloc(b->bytes);
  if (!b->memory) return locus_fail_memory(cx, b->bytes);
  b->edges = (double *)b->memory;
  b->first = (int32_t *)(b->edges + room);
  memcpy(b->edges, job->edges, (size_t)job->bins * sizeof *b->edges);
  for (int64_t e = job->bins; e < room; e++) b->edges[e] = INFINITY;
  b->first[0] = 0;
  const int32_t most = cells == 1 ? b->last : fill_cells(b);
  for (b->step = 0; 2 * (int64_t)b->step - (b->step > 0) < most;) b->step += b->step + !b->step;
  return 0;
}

static void bins_close(bins *b)
{
  locus_memory_free(b->memory, b->bytes);
}

/* -- Counting ---------------------------------------------------------------------------------- */

/* Neighbours are counted in two lots, so that equal ones need not wait for each other. */
static int count_part(const void *given, int64_t begin, int64_t end, locus_context *cx)
{
  const bins *b = given;
  const locus_histogram_job *job = b->job;
  const int64_t each = job->bins + 1, bytes = 2 * each * (int64_t)sizeof(int64_t);
  int64_t *const counts = locus_memory_alloc(bytes), *const others = counts + each;
  int32_t bin[BLOCK];
  int status = 0;
  cursor in;
  walk w;

  if (!counts) return locus_fail_memory(cx, bytes);
  memset(counts, 0, (size_t)bytes);
  cursor_open(&in, &job->grid, &job->in, LOCUS_f64);
  walk_begin(&w, &job->grid, (const cursor *[]){&in}, 1);
  w.most = BLOCK;
  walk_within(&w, begin, end);
  while (status == 0 && walk_next(&w)) {
    find_bins(b, cursor_read(&in, &w), w.count, bin);
    for (int64_t i = 0; i + 1 < w.count; i += 2) counts[bin[i]]++, others[bin[i + 1]]++;
    if (w.count % 2) counts[bin[w.count - 1]]++;
    status = locus_poll(cx);
  }
  for (int64_t i = 0; status == 0 && i < job->bins; i++) {
    const int64_t count = counts[i] + others[i];
    if (count) __atomic_fetch_add((int64_t *)job->out + i, count, __ATOMIC_RELAXED);
  }
  locus_memory_free(counts, bytes);
  return status;
}

static int add_weights(const bins *b, locus_context *cx)
{
  const locus_histogram_job *job = b->job;
  double *sums = (double *)job->out;
  int32_t bin[BLOCK];
  cursor in, weights;
  walk w;

  cursor_open(&in, &job->grid, &job->in, LOCUS_f64);
  cursor_open(&weights, &job->grid, &job->weights, LOCUS_f64);
  walk_begin(&w, &job->grid, (const cursor *[]){&in, &weights}, 2);
  w.most = BLOCK;
  while (walk_next(&w)) {
    LOCUS_TRY(locus_poll(cx));
    find_bins(b, cursor_read(&in, &w), w.count, bin);
    const double *weight = cursor_read(&weights, &w);
    for (int64_t i = 0; i < w.count; i++)
      if (bin[i] <= b->last) sums[bin[i]] += weight[i];
  }
  return 0;
}

int ISA(histogram)(const locus_histogram_job *job, locus_context *cx)
{
  int64_t grain = COUNT_GRAIN;
  bins b;

  while (grain < 4 * job->bins) grain *= 2; /* a piece adds up all counts */
  LOCUS_TRY(bins_open(&b, job, cx));
  int status = job->has_weights ? add_weights(&b, cx)
                                : locus_parallel(count_part, &b, job->grid.numel, grain, cx);
  bins_close(&b);
  return status;
}
