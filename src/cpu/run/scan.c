/* SPDX-License-Identifier: MIT */
/* Runner of scan: one walk over all rows, the answer starting anew with each; or over many rows
** side by side. */
#include "cpu/block/rows.h"

/* The answer over the elements of a row so far. */
typedef struct running {
  uint64_t whole; /* their sum or product, */
  double real;
  locus_complex128 pair;
  int64_t position, base;   /* or the place of the least or greatest, counted from `base`, */
  unsigned char element[8]; /* and its bytes */
} running;

/* Takes n more elements, after `done` others; index is that of min and max. */
typedef void run_taker(running *r, const void *in, void *out, int64_t *index, int64_t done,
                       int64_t n);

/* -- Sums and products ------------------------------------------------------------------------- */

/* One more element of each of n columns. */
typedef void column_joiner(void *so_far, const void *in, int64_t n);

static inline locus_complex128 plus_pair(locus_complex128 a, locus_complex128 b)
{
  return locus_pair_c128(a.re + b.re, a.im + b.im);
}

#define PLUS(a, b) ((a) + (b))
#define TIMES(a, b) ((a) * (b))
#define RUNNING(name, type, member, join)                                                     \
  static void run_##name(running *r, const void *in, void *out, int64_t *index, int64_t done, \
                         int64_t n)                                                           \
  {                                                                                           \
    type so_far = r->member;                                                                  \
    const type *x = in;                                                                       \
    type *y = out;                                                                            \
    (void)index, (void)done;                                                                  \
    for (int64_t i = 0; i < n; i++) y[i] = so_far = join(so_far, x[i]);                       \
    r->member = so_far;                                                                       \
  }                                                                                           \
  static void join_##name(void *so_far, const void *in, int64_t n)                            \
  {                                                                                           \
    const type *restrict x = in;                                                              \
    type *restrict s = so_far;                                                                \
    for (int64_t i = 0; i < n; i++) s[i] = join(s[i], x[i]);                                  \
  }
RUNNING(sum_i64, uint64_t, whole, PLUS)
RUNNING(sum_f64, double, real, PLUS)
RUNNING(sum_c128, locus_complex128, pair, plus_pair)
RUNNING(prod_i64, uint64_t, whole, TIMES)
RUNNING(prod_f64, double, real, TIMES)
RUNNING(prod_c128, locus_complex128, pair, locus_times_c128)

/* -- Least and greatest ------------------------------------------------------------------------ */

/* The `at`-th elements of n columns, after the answers before. */
typedef void column_chooser(const void *in, const void *before, void *out,
                            const int64_t *index_before, int64_t *index, int64_t at, int64_t n);

#define TEMPLATE "cpu/reduce/scan.inc"
#include "cpu/block/each_real.h"

/* -- The ops: method_of_<name>(dtype) for each row of core/scan.def ---------------------------- */

typedef struct method {
  locus_dtype dtype; /* of runs and of answers */
  run_taker *run;
  column_joiner *join;    /* of sums and products */
  column_chooser *choose; /* of the others */
  running start;
} method;

#define BY_KIND(op, none)                                                                          \
  static const method *method_of_##op(locus_dtype dtype)                                           \
  {                                                                                                \
    static const method whole = {                                                                  \
        LOCUS_i64, run_##op##_i64, join_##op##_i64, NULL, {.whole = none}};                        \
    static const method real = {LOCUS_f64, run_##op##_f64, join_##op##_f64, NULL, {.real = none}}; \
    static const method pair = {                                                                   \
        LOCUS_c128, run_##op##_c128, join_##op##_c128, NULL, {.pair = {none, 0}}};                 \
    static const method *const methods[] = {&whole, &whole, &real, &pair};                         \
    return methods[locus_dtype_kind(dtype)];                                                       \
  }
BY_KIND(sum, 0)
BY_KIND(prod, 1)

/* Complex numbers have no order. */
#define REAL(id, rank, key, method, constructor) \
  [LOCUS_##id] = {LOCUS_##id, run_min_##id, NULL, columns_min_##id, {0}},
static const method *method_of_min(locus_dtype dtype)
{
  static const method least[LOCUS_DTYPES] = {
#include "core/dtype.def"
  };
  return &least[dtype];
}

#define REAL(id, rank, key, method, constructor) \
  [LOCUS_##id] = {LOCUS_##id, run_max_##id, NULL, columns_max_##id, {0}},
static const method *method_of_max(locus_dtype dtype)
{
  static const method greatest[LOCUS_DTYPES] = {
#include "core/dtype.def"
  };
  return &greatest[dtype];
}

static const method *method_of(const locus_scan_job *job)
{
  static const method *(*const methods[LOCUS_SCANS])(locus_dtype dtype) = {
#define SCAN(name, result) method_of_##name,
#include "core/scan.def"
#undef SCAN
  };
  return methods[job->op](job->out.dtype);
}

/* -- Row by row -------------------------------------------------------------------------------- */

/* Rows begin .. end - 1. */
static int rows_part(const void *given, int64_t begin, int64_t end, locus_context *cx)
{
  const locus_scan_job *job = given;
  const method *how = method_of(job);
  const int64_t item = locus_dtype_size(how->dtype);
  const int count = how->choose ? 3 : 2;
  locus_grid grid = job->rows;
  locus_operand from = job->in, to = job->out, index = job->index;
  running r = how->start;
  cursor in, out, places;
  walk w;

  grid_extend(&grid, job->n, (locus_operand *[]){&from, &to, &index},
              (int64_t[]){job->in_step, job->out_step, job->index_step}, count);
  cursor_open(&in, &grid, &from, how->dtype);
  cursor_open(&out, &grid, &to, how->dtype);
  if (how->choose) cursor_open(&places, &grid, &index, LOCUS_i64);
  walk_begin(&w, &grid, (const cursor *[]){&in, &out, &places}, count);
  walk_within(&w, begin * job->n, end * job->n);
  while (walk_next(&w)) {
    LOCUS_TRY(locus_poll(cx));
    const char *x = cursor_read(&in, &w);
    char *y = cursor_target(&out, &w);
    int64_t *at = how->choose ? cursor_target(&places, &w) : NULL;
    for (int64_t i = 0, some; i < w.count; i += some) {
      const int64_t done = (w.at + i) % job->n;
      if (done == 0) r = how->start;
      r.base = job->base;
      some = least(w.count - i, job->n - done);
      how->run(&r, x + i * item, y + i * item, at ? at + i : NULL, done, some);
    }
    cursor_write(&out, &w);
    if (how->choose) cursor_write(&places, &w);
  }
  return 0;
}

/* -- Columns ----------------------------------------------------------------------------------- */

enum { FEWEST_COLUMNS = 8 };

/* Whether rows lie side by side and their elements farther apart: then the elements of many rows
** are read and written in memory order. */
static bool worth_columns(const locus_scan_job *job)
{
  const int last = job->rows.ndim - 1;

  if (method_of(job)->choose && job->index.stride[last] != 1) return false;
  return job->rows.size[last] >= FEWEST_COLUMNS && job->in.stride[last] == 1 &&
         job->out.stride[last] == 1 && job->in.data;
}

/* The places of the i-th elements of some columns that begin there. */
static char *line_of(const locus_operand *operand, int64_t first, int64_t step, int64_t i)
{
  return operand->data + (first + i * step) * locus_dtype_size(operand->dtype);
}

/* A run of `count` rows, which begin at these places. */
static int join_columns(const locus_scan_job *job, int64_t in, int64_t out, int64_t count,
                        locus_context *cx)
{
  const method *how = method_of(job);
  const locus_dtype dtype = how->dtype, from = job->in.dtype, to = job->out.dtype;
  const int64_t item = locus_dtype_size(dtype);
  _Alignas(64) char so_far[BLOCK * 16], cast[BLOCK * 16];

  const bool pairs = dtype == LOCUS_c128;
  const void *none = pairs                ? (const void *)&how->start.pair
                     : dtype == LOCUS_f64 ? (const void *)&how->start.real
                                          : &how->start.whole;
  for (int64_t j = 0; j < count; j++) memcpy(so_far + j * item, none, (size_t)item);
  for (int64_t i = 0; i < job->n; i++) {
    const void *x = line_of(&job->in, in, job->in_step, i);
    char *y = line_of(&job->out, out, job->out_step, i);
    LOCUS_TRY(locus_poll(cx));
    if (from != dtype) {
      ISA(cast_of)(from, dtype)(cast, x, count);
      x = cast;
    }
    how->join(so_far, x, count);
    if (to != dtype) ISA(cast_of)(dtype, to)(y, so_far, count);
    else memcpy(y, so_far, (size_t)(count * item));
  }
  return 0;
}

static int choose_columns(const locus_scan_job *job, int64_t in, int64_t out, int64_t index,
                          int64_t count, locus_context *cx)
{
  const method *how = method_of(job);
  const char *before = line_of(&job->in, in, 0, 0);
  const int64_t *index_before = NULL;

  for (int64_t i = 0; i < job->n; i++) {
    char *y = line_of(&job->out, out, job->out_step, i);
    int64_t *at = (int64_t *)line_of(&job->index, index, job->index_step, i);
    LOCUS_TRY(locus_poll(cx));
    if (i == 0) {
      memcpy(y, before, (size_t)(count * locus_dtype_size(how->dtype)));
      for (int64_t j = 0; j < count; j++) at[j] = job->base;
    } else {
      how->choose(line_of(&job->in, in, job->in_step, i), before, y, index_before, at,
                  i + job->base, count);
    }
    before = y;
    index_before = at;
  }
  return 0;
}

/* Rows begin .. end - 1, many side by side. */
static int columns_part(const void *given, int64_t begin, int64_t end, locus_context *cx)
{
  const locus_scan_job *job = given;
  const int last = job->rows.ndim - 1;
  const bool chooses = method_of(job)->choose;
  walk w;

  walk_start(&w, &job->rows, BLOCK);
  walk_within(&w, begin, end);
  while (walk_next(&w)) {
    w.count = least(w.count, job->rows.size[last] - w.index[last]);
    const int64_t in = walk_offset(&w, job->in.stride), out = walk_offset(&w, job->out.stride);
    if (chooses) {
      const int64_t index = walk_offset(&w, job->index.stride);
      LOCUS_TRY(choose_columns(job, in, out, index, w.count, cx));
    } else {
      LOCUS_TRY(join_columns(job, in, out, w.count, cx));
    }
  }
  return 0;
}

int ISA(scan)(const locus_scan_job *job, locus_context *cx)
{
  if (worth_columns(job)) {
    const int64_t grain = rows_worth(GRAIN, job->n) | (4 * FEWEST_COLUMNS - 1);
    return locus_parallel(columns_part, job, job->rows.numel, grain, cx);
  }
  return locus_parallel(rows_part, job, job->rows.numel, rows_worth(SLOW_GRAIN / 2, job->n), cx);
}
