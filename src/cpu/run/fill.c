/* SPDX-License-Identifier: MIT */
/* Runner of fill: rows one after the other, many side by side, a long one in pieces, or one by
** group. Backward is forward through rows that begin at their ends. */
#include "cpu/block/places.h"
#include "cpu/block/rows.h"

enum { PIECES = 64, LONG_ROW = 16 * BLOCK };

/* Older than any element: none has been. */
static const int64_t none_yet = INT64_MAX / 2;

/* The last element of a row that is there, and how many are missing behind it. */
typedef struct filled {
  int64_t age;
  _Alignas(16) unsigned char element[16];
} filled;

#define TEMPLATE "cpu/reduce/fill.inc"
#include "cpu/block/each_dtype.h"

/* The loops for a dtype. */
typedef struct method {
  void (*run)(const locus_fill_job *job, filled *f, const void *in, void *out, int64_t n);
  void (*columns)(const locus_fill_job *job, void *lasts, int64_t *age, const void *in, void *out,
                  int64_t n);
  void (*groups)(const locus_fill_job *job, void *groups, const int64_t *group, const void *in,
                 void *out, int64_t n);
  bool (*find_last)(const locus_fill_job *job, filled *f, const void *row, int64_t step,
                    int64_t begin, int64_t end);
  void (*begin_groups)(void *groups, int64_t count);
  int64_t group_bytes;
} method;

static const method *method_of(locus_dtype dtype)
{
  static const method methods[LOCUS_DTYPES] = {
#define DTYPE(id, element, value, kind, name)                          \
  [LOCUS_##id] = {fill_run_##id,  fill_columns_##id, fill_groups_##id, \
                  find_last_##id, begin_groups_##id, sizeof(filled_group_##id)},
#include "core/dtype.def"
  };
  return &methods[dtype];
}

static void turn(locus_operand *operand, int64_t *step, int64_t n)
{
  operand->data += (n - 1) * *step * locus_dtype_size(operand->dtype);
  *step = -*step;
}

/* -- Row by row -------------------------------------------------------------------------------- */

/* Elements begin .. end - 1 of all rows; the first ones follow what `f` knows. */
static int fill_elements(const locus_fill_job *job, filled *f, int64_t begin, int64_t end,
                         locus_context *cx)
{
  const locus_dtype dtype = job->in.dtype;
  const method *how = method_of(dtype);
  const int64_t item = locus_dtype_size(dtype);
  locus_grid grid = job->rows;
  locus_operand from = job->in, to = job->out;
  cursor in, out;
  walk w;

  grid_extend(&grid, job->n, (locus_operand *[]){&from, &to},
              (int64_t[]){job->in_step, job->out_step}, 2);
  cursor_open(&in, &grid, &from, dtype);
  cursor_open(&out, &grid, &to, dtype);
  walk_begin(&w, &grid, (const cursor *[]){&in, &out}, 2);
  walk_within(&w, begin, end);
  while (walk_next(&w)) {
    LOCUS_TRY(locus_poll(cx));
    const char *x = cursor_read(&in, &w);
    char *y = cursor_target(&out, &w);
    for (int64_t i = 0, some; i < w.count; i += some) {
      const int64_t done = (w.at + i) % job->n;
      if (done == 0) f->age = none_yet;
      some = least(w.count - i, job->n - done);
      how->run(job, f, x + i * item, y + i * item, some);
    }
    cursor_write(&out, &w);
  }
  return 0;
}

static int rows_part(const void *given, int64_t begin, int64_t end, locus_context *cx)
{
  const locus_fill_job *job = given;
  filled f = {.age = none_yet};
  return fill_elements(job, &f, begin * job->n, end * job->n, cx);
}

/* -- Columns ----------------------------------------------------------------------------------- */

enum { FEWEST_COLUMNS = 8 };

/* Whether rows lie side by side, and their elements farther apart. */
static bool worth_columns(const locus_fill_job *job)
{
  const int last = job->rows.ndim - 1;

  return job->rows.size[last] >= FEWEST_COLUMNS && job->in.stride[last] == 1 &&
         job->out.stride[last] == 1;
}

static int columns_part(const void *given, int64_t begin, int64_t end, locus_context *cx)
{
  const locus_fill_job *job = given;
  const method *how = method_of(job->in.dtype);
  const int64_t item = locus_dtype_size(job->in.dtype);
  const int last = job->rows.ndim - 1;
  _Alignas(64) char lasts[BLOCK * 16];
  int64_t age[BLOCK];
  walk w;

  walk_start(&w, &job->rows, BLOCK);
  walk_within(&w, begin, end);
  while (walk_next(&w)) {
    w.count = least(w.count, job->rows.size[last] - w.index[last]);
    const int64_t in = walk_offset(&w, job->in.stride), out = walk_offset(&w, job->out.stride);
    for (int64_t j = 0; j < w.count; j++) age[j] = none_yet;
    memset(lasts, 0, (size_t)(w.count * item));
    for (int64_t i = 0; i < job->n; i++) {
      LOCUS_TRY(locus_poll(cx));
      how->columns(job, lasts, age, job->in.data + (in + i * job->in_step) * item,
                   job->out.data + (out + i * job->out_step) * item, w.count);
    }
  }
  return 0;
}

/* -- A long row in pieces ---------------------------------------------------------------------- */

/* Each piece first finds its last element that is there. So all know what comes before them, even
** where `out` is `in`: elements that are there do not change. */
typedef struct pieces {
  const locus_fill_job *job;
  const char *in; /* the row */
  int64_t start, length, count;
  filled *before; /* what comes before each piece; first, what each leaves behind */
} pieces;

static int find_part(const void *given, int64_t begin, int64_t end, locus_context *cx)
{
  const pieces *p = given;
  const locus_fill_job *job = p->job;
  const method *how = method_of(job->in.dtype);

  for (int64_t k = begin; k < end; k++) {
    const int64_t first = k * p->length, past = least(job->n, first + p->length);
    filled *f = &p->before[k];
    f->age = none_yet;
    for (int64_t to = past; to > first && f->age == none_yet; to -= GRAIN) {
      LOCUS_TRY(locus_poll(cx));
      if (how->find_last(job, f, p->in, job->in_step, to - first > GRAIN ? to - GRAIN : first, to))
        f->age += past - to;
    }
  }
  return 0;
}

static int pieces_part(const void *given, int64_t begin, int64_t end, locus_context *cx)
{
  const pieces *p = given;

  for (int64_t k = begin; k < end; k++) {
    filled f = p->before[k];
    const int64_t past = least(p->job->n, (k + 1) * p->length);
    LOCUS_TRY(fill_elements(p->job, &f, p->start + k * p->length, p->start + past, cx));
  }
  return 0;
}

/* From what each piece leaves behind to what comes before it. */
static void hand_on(pieces *p)
{
  filled so_far = {.age = none_yet};

  for (int64_t k = 0; k < p->count; k++) {
    const filled own = p->before[k];
    p->before[k] = so_far;
    if (own.age != none_yet) so_far = own;
    else if (so_far.age != none_yet) so_far.age += p->length;
  }
}

static int fill_long_rows(const locus_fill_job *job, locus_context *cx)
{
  filled before[PIECES];
  pieces p = {.job = job, .before = before};
  walk w;

  p.length = (job->n - 1) / PIECES + 1;
  p.count = (job->n - 1) / p.length + 1;
  walk_start(&w, &job->rows, 1);
  while (walk_next(&w)) {
    p.in = job->in.data + walk_offset(&w, job->in.stride) * locus_dtype_size(job->in.dtype);
    p.start = w.at * job->n;
    const int64_t grain = rows_worth(SLOW_GRAIN, p.length);
    LOCUS_TRY(locus_parallel(find_part, &p, p.count, grain, cx));
    hand_on(&p);
    LOCUS_TRY(locus_parallel(pieces_part, &p, p.count, grain, cx));
  }
  return 0;
}

/* -- By group ---------------------------------------------------------------------------------- */

static int fill_by_group(const locus_fill_job *job, void *groups, locus_context *cx)
{
  const method *how = method_of(job->in.dtype);
  const locus_dtype dtype = job->in.dtype;
  locus_grid grid = job->rows;
  locus_operand from = job->in, to = job->out, ids = job->ids;
  int64_t group[BLOCK];
  cursor in, out, of;
  walk w;

  grid_extend(&grid, job->n, (locus_operand *[]){&from, &to, &ids},
              (int64_t[]){job->in_step, job->out_step, job->ids_step}, 3);
  cursor_open(&in, &grid, &from, dtype);
  cursor_open(&out, &grid, &to, dtype);
  cursor_open(&of, &grid, &ids, LOCUS_i64);
  walk_begin(&w, &grid, (const cursor *[]){&in, &out, &of}, 3);
  how->begin_groups(groups, job->groups);
  while (walk_next(&w)) {
    LOCUS_TRY(locus_poll(cx));
    if (!read_places(group, cursor_read(&of, &w), w.count, 1, job->groups))
      return locus_fail(cx, "a number of a group has been changed");
    how->groups(job, groups, group, cursor_read(&in, &w), cursor_target(&out, &w), w.count);
    cursor_write(&out, &w);
  }
  return 0;
}

static int fill_groups(const locus_fill_job *job, locus_context *cx)
{
  const int64_t bytes = job->groups * method_of(job->in.dtype)->group_bytes;
  void *groups = locus_memory_alloc(bytes);

  if (!groups) return locus_fail_memory(cx, bytes);
  const int status = fill_by_group(job, groups, cx);
  locus_memory_free(groups, bytes);
  return status;
}

/* -- The job ----------------------------------------------------------------------------------- */

int ISA(fill)(const locus_fill_job *given, locus_context *cx)
{
  locus_fill_job job = *given;

  if (job.n == 0 || job.rows.numel == 0) return 0;
  if (job.backward) {
    turn(&job.in, &job.in_step, job.n);
    turn(&job.out, &job.out_step, job.n);
    if (job.has_groups) turn(&job.ids, &job.ids_step, job.n);
  }
  if (job.has_groups) return fill_groups(&job, cx);
  if (worth_columns(&job)) {
    const int64_t grain = rows_worth(GRAIN, job.n) | (4 * FEWEST_COLUMNS - 1);
    return locus_parallel(columns_part, &job, job.rows.numel, grain, cx);
  }
  if (job.rows.numel < PIECES && job.n > LONG_ROW) return fill_long_rows(&job, cx);
  return locus_parallel(rows_part, &job, job.rows.numel, rows_worth(SLOW_GRAIN, job.n), cx);
}
