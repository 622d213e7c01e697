/* SPDX-License-Identifier: MIT */
/* Runners of gather and scatter: each block first finds the places of its elements in the array,
** then moves them by width, or combines them by dtype. Gathers of single elements by one index, and
** of whole rows, take shorter paths. */
#include "core/jobs/column.h"
#include "core/number/arithmetic.h"
#include "cpu/block/places.h"

/* The offset of an index that found nothing. */
#define MISSING INT64_MIN

/* Whether a scatter has the op. */
#define COMBINES(op)                                                                 \
  (LOCUS_BINARY_##op == LOCUS_BINARY_add || LOCUS_BINARY_##op == LOCUS_BINARY_mul || \
   LOCUS_BINARY_##op == LOCUS_BINARY_minimum || LOCUS_BINARY_##op == LOCUS_BINARY_maximum)

#define TEMPLATE "cpu/run/index.inc"
#include "cpu/block/each_width.h"
#define TEMPLATE "cpu/run/index_combine.inc"
#include "cpu/block/each_dtype.h"

static int fail_changed(locus_context *cx)
{
  return locus_fail_changed(cx, "positions");
}

/* Adds the positions to the offsets of n points; false if one leads out of the array. */
static ALWAYS_INLINE bool add_steps(const int64_t *restrict at, int64_t n, int64_t base,
                                    int64_t size, uint64_t step, int64_t *restrict offset)
{
  uint64_t outside = 0;

  for (int64_t i = 0; i < n; i++) {
    const uint64_t place = place_of(at[i], base, size);
    offset[i] = (int64_t)((uint64_t)offset[i] + place * step);
    outside |= leads_outside(place, size, false);
  }
  LOCUS_SETTLED(offset);
  return outside >> 63 == 0;
}

static bool add_positions(const locus_index *index, const int64_t *restrict at, int64_t n,
                          int64_t base, int64_t *restrict offset)
{
  if (index->step == 1) return add_steps(at, n, base, index->size, 1, offset);
  return add_steps(at, n, base, index->size, (uint64_t)index->step, offset);
}

/* The same of an index that may have found nothing. */
static bool add_found(const locus_index *index, const int64_t *restrict at, int64_t n, int64_t base,
                      int64_t *restrict offset)
{
  const uint64_t size = (uint64_t)index->size, step = (uint64_t)index->step;
  uint64_t outside = 0;

  for (int64_t i = 0; i < n; i++) {
    const uint64_t place = (uint64_t)at[i] - (uint64_t)base;
    const uint64_t to = (uint64_t)offset[i] + place * step;
    offset[i] = place == UINT64_MAX ? MISSING : (int64_t)to;
    outside |= leads_outside(place, (int64_t)size, true);
  }
  LOCUS_SETTLED(offset);
  return outside >> 63 == 0;
}

/* Adds the positions of all index tensors. */
static int add_indices(const walk *w, const locus_index_job *job, cursor *positions,
                       int64_t *offset, locus_context *cx)
{
  for (int k = 0; k < job->indices; k++) {
    const locus_index *index = &job->index[k];
    cursor_open(positions, w->grid, &index->at, LOCUS_i64);
    const int64_t *at = cursor_read(positions, w);
    if (!(job->has_missing ? add_found : add_positions)(index, at, w->count, job->base, offset))
      return fail_changed(cx);
  }
  return 0;
}

typedef void gather_found_run(void *out, const void *array, const int64_t *offset, int64_t n,
                              const void *missing);
typedef void gather_at_run(void *out, const void *array, const int64_t *offset, int64_t n);
typedef void scatter_at_run(void *array, const int64_t *offset, const void *in, int64_t n);
typedef void combine_at_run(locus_binary op, void *array, const int64_t *offset, const void *in,
                            int64_t n);

static gather_at_run *const gathers[WIDTHS] = BY_WIDTH(gather_at);
static gather_found_run *const gathers_found[WIDTHS] = BY_WIDTH(gather_found);
static scatter_at_run *const scatters[WIDTHS] = BY_WIDTH(scatter_at);
static combine_at_run *const combines[LOCUS_DTYPES] = {
#define DTYPE(id, element, value, kind, name) combine_at_##id,
#include "core/dtype.def"
};

static int through_indices(const locus_index_job *job, int64_t begin, int64_t end, bool reading,
                           locus_context *cx)
{
  const locus_dtype dtype = job->array.dtype;
  const int width = width_index(locus_dtype_size(dtype));
  int64_t offset[BLOCK];
  cursor elements, positions;
  walk w;

  cursor_open(&elements, &job->grid, &job->elements, dtype);
  walk_begin(&w, &job->grid, (const cursor *[]){&elements}, 1);
  w.most = BLOCK;
  walk_within(&w, begin, end);
  while (walk_next(&w)) {
    LOCUS_TRY(locus_poll(cx));
    walk_offsets(&w, job->array.stride, offset);
    LOCUS_TRY(add_indices(&w, job, &positions, offset, cx));
    if (job->has_missing) {
      gathers_found[width](cursor_target(&elements, &w), job->array.data, offset, w.count,
                           &job->missing);
      cursor_write(&elements, &w);
    } else if (reading) {
      gathers[width](cursor_target(&elements, &w), job->array.data, offset, w.count);
      cursor_write(&elements, &w);
    } else if (job->op == LOCUS_BINARIES) {
      scatters[width](job->array.data, offset, cursor_read(&elements, &w), w.count);
    } else {
      combines[dtype](job->op, job->array.data, offset, cursor_read(&elements, &w), w.count);
      for (int64_t i = 0; job->counts && i < w.count; i++) job->counts[offset[i]]++;
    }
  }
  return 0;
}

static int gather_part(const void *job, int64_t begin, int64_t end, locus_context *cx)
{
  return through_indices(job, begin, end, true, cx);
}

/* -- Single elements --------------------------------------------------------------------------- */

typedef bool gather_plain_run(void *out, const void *array, const locus_index *index,
                              const int64_t *at, int64_t n, int64_t base);
static gather_plain_run *const plain_gathers[2][WIDTHS] = {BY_WIDTH(gather_plain),
                                                           BY_WIDTH(gather_forward)};

/* Whether one index, contiguous like the elements, gives the whole position. */
static bool is_plain(const locus_index_job *job)
{
  const locus_operand *at = &job->index[0].at;

  return job->indices == 1 && !job->has_missing && job->grid.ndim == 1 &&
         job->array.stride[0] == 0 && operand_dense(&job->grid, at) &&
         operand_dense(&job->grid, &job->elements);
}

/* Positions from place i on, up to `*count` of them: where they are, or widened. */
static const int64_t *wide_positions(const locus_operand *at, int64_t i, int64_t *count,
                                     int64_t *widened)
{
  if (at->dtype == LOCUS_i64) return (const int64_t *)at->data + i;
  const int32_t *const narrow = (const int32_t *)at->data + i;
  *count = least(*count, BLOCK);
  for (int64_t k = 0; k < *count; k++) widened[k] = narrow[k];
  LOCUS_SETTLED(widened);
  return widened;
}

static int plain_part(const void *given, int64_t begin, int64_t end, locus_context *cx)
{
  const locus_index_job *job = given;
  const locus_index *index = &job->index[0];
  const int64_t item = locus_dtype_size(job->array.dtype);
  int64_t widened[BLOCK];
  gather_plain_run *const gather =
      plain_gathers[job->forward && index->step == 1][width_index(item)];

  for (int64_t i = begin, count; i < end; i += count) {
    LOCUS_TRY(locus_poll(cx));
    count = least(DIRECT_BLOCK, end - i);
    const int64_t *at = wide_positions(&index->at, i, &count, widened);
    if (!gather(job->elements.data + i * item, job->array.data, index, at, count, job->base))
      return fail_changed(cx);
  }
  return 0;
}

/* -- Rows -------------------------------------------------------------------------------------- */

enum { LEAST_ROW = 16 }; /* bytes for which a call of memcpy pays */

/* Whether no index varies along the last dimension, along which elements are contiguous. */
static bool is_by_rows(const locus_index_job *job)
{
  const int last = job->grid.ndim - 1;
  bool by_rows = !job->has_missing && last > 0 && job->elements.stride[last] == 1 &&
                 job->array.stride[last] == 1 &&
                 job->grid.size[last] * locus_dtype_size(job->array.dtype) >= LEAST_ROW;

  for (int k = 0; k < job->indices; k++) by_rows &= job->index[k].at.stride[last] == 0;
  return by_rows;
}

typedef void combine_row_run(locus_binary op, void *row, const void *in, int64_t n);
static combine_row_run *const row_combines[LOCUS_DTYPES] = {
#define DTYPE(id, element, value, kind, name) combine_row_##id,
#include "core/dtype.def"
};

/* Moves n rows, or combines them with those that are there. */
static void move_rows(const locus_index_job *job, const int64_t *element, const int64_t *place,
                      int64_t count, bool reading)
{
  const locus_dtype dtype = job->array.dtype;
  const int64_t item = locus_dtype_size(dtype), run = job->grid.size[job->grid.ndim - 1];
  const size_t bytes = (size_t)(run * item);
  char *const elements = job->elements.data, *const array = job->array.data;

  if (reading) {
    for (int64_t i = 0; i < count; i++)
      memcpy(elements + element[i] * item, array + place[i] * item, bytes);
  } else if (job->op == LOCUS_BINARIES) {
    for (int64_t i = 0; i < count; i++)
      memcpy(array + place[i] * item, elements + element[i] * item, bytes);
  } else {
    for (int64_t i = 0; i < count; i++)
      row_combines[dtype](job->op, array + place[i] * item, elements + element[i] * item, run);
    for (int64_t i = 0; job->counts && i < count; i++)
      for (int64_t j = 0; j < run; j++) job->counts[place[i] + j]++;
  }
}

/* The rows begin .. end - 1. */
static int through_rows(const locus_index_job *job, int64_t begin, int64_t end, bool reading,
                        locus_context *cx)
{
  int64_t place[BLOCK], element[BLOCK];
  locus_grid rows = job->grid;
  cursor positions;
  walk w;

  rows.numel /= rows.size[--rows.ndim];
  walk_start(&w, &rows, BLOCK);
  walk_within(&w, begin, end);
  while (walk_next(&w)) {
    LOCUS_TRY(locus_poll(cx));
    walk_offsets(&w, job->array.stride, place);
    walk_offsets(&w, job->elements.stride, element);
    LOCUS_TRY(add_indices(&w, job, &positions, place, cx));
    move_rows(job, element, place, w.count, reading);
  }
  return 0;
}

static int gather_rows(const void *job, int64_t begin, int64_t end, locus_context *cx)
{
  return through_rows(job, begin, end, true, cx);
}

/* -- The runners ------------------------------------------------------------------------------- */

int ISA(gather)(const locus_index_job *job, locus_context *cx)
{
  if (job->grid.numel == 0) return 0;
  if (is_plain(job)) return locus_parallel(plain_part, job, job->grid.numel, SLOW_GRAIN, cx);
  if (is_by_rows(job)) {
    const int64_t run = job->grid.size[job->grid.ndim - 1];
    return locus_parallel(gather_rows, job, job->grid.numel / run, GRAIN / run | 1, cx);
  }
  return locus_parallel(gather_part, job, job->grid.numel, SLOW_GRAIN / 2, cx);
}

/* The elements of all columns, one column behind the other. */
static int columns_part(const void *given, int64_t begin, int64_t end, locus_context *cx)
{
  const locus_columns_job *job = given;
  locus_index_job one = {.indices = 1};

  while (begin < end) {
    const int64_t k = begin / job->n, before = k * job->n, last = least(job->n, end - before);
    locus_column_of(job, k, &one);
    LOCUS_TRY((is_plain(&one) ? plain_part : gather_part)(&one, begin - before, last, cx));
    begin = before + last;
  }
  return 0;
}

int ISA(gather_columns)(const locus_columns_job *job, locus_context *cx)
{
  if (job->n == 0) return 0;
  return locus_parallel(columns_part, job, job->count * job->n, SLOW_GRAIN - 1, cx);
}

/* On one thread, since the order of points matters. */
static int scatter_points(const locus_index_job *job, locus_context *cx)
{
  const int64_t n = job->grid.numel;

  if (n == 0 || !job->elements.data || !is_by_rows(job))
    return through_indices(job, 0, n, false, cx);
  return through_rows(job, 0, n / job->grid.size[job->grid.ndim - 1], false, cx);
}

int ISA(scatter)(const locus_index_job *job, locus_context *cx)
{
  if (job->afresh) {
    locus_index_job first = *job;
    first.op = LOCUS_BINARIES;
    first.elements = (locus_operand){.dtype = job->array.dtype, .value = job->start};
    LOCUS_TRY(scatter_points(&first, cx));
  }
  return scatter_points(job, cx);
}
