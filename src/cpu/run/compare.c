/* SPDX-License-Identifier: MIT */
/* Runners of compare, between and close. Comparisons are exact whatever the two dtypes: in the
** common dtype, in int64 or in float64 if that holds both, else between an int64 and a double
** directly. */
#include "cpu/block/block.h"
#include "core/number/exact.h"

typedef void compare_run(void *out, const void *left, const void *right, int64_t n);
typedef void between_run(void *out, const void *x, const void *low, const void *high, int64_t n);

#define TEMPLATE "cpu/elementwise/compare.inc"
#include "cpu/block/each_dtype.h"

static compare_run *const *const compare_tables[LOCUS_DTYPES] = {
#define DTYPE(id, element, value, kind, name) compare_runs_##id,
#include "core/dtype.def"
};

#define COMPARE(op, relation, swapped)                                                        \
  static void compare_whole_##op(void *out, const void *left, const void *right, int64_t n)   \
  {                                                                                           \
    uint8_t *z = out;                                                                         \
    const int64_t *x = left;                                                                  \
    const double *y = right;                                                                  \
    for (int64_t i = 0; i < n; i++) z[i] = EXACT(x[i], relation, y[i]);                       \
  }                                                                                           \
  static void compare_complex_##op(void *out, const void *left, const void *right, int64_t n) \
  {                                                                                           \
    uint8_t *z = out;                                                                         \
    const int64_t *x = left;                                                                  \
    const locus_complex128 *y = right;                                                        \
    for (int64_t i = 0; i < n; i++)                                                           \
      z[i] = y[i].im != 0 ? 0 relation 1 : EXACT(x[i], relation, y[i].re);                    \
  }
#include "core/compare.def"
#undef COMPARE

/* The comparison of two dtypes: the dtype that each side is read as, and the loop. */
typedef struct meeting {
  locus_dtype a, b;
  bool swapped; /* a and b change places: the int64 comes first */
  compare_run *run;
} meeting;

/* The loops of an int64 against something, of `op` and of its mirror image. */
static const struct {
  compare_run *whole, *complex;
  locus_compare swapped;
} mixed_runs[LOCUS_COMPARES] = {
#define COMPARE(op, relation, swapped) \
  {compare_whole_##op, compare_complex_##op, LOCUS_COMPARE_##swapped},
#include "core/compare.def"
#undef COMPARE
};

static bool whole(locus_dtype dtype)
{
  return locus_dtype_kind(dtype) <= LOCUS_INTEGER;
}

static meeting meet(locus_compare op, locus_dtype a, locus_dtype b)
{
  bool complex = locus_dtype_kind(a) == LOCUS_COMPLEX || locus_dtype_kind(b) == LOCUS_COMPLEX;
  locus_dtype common = a == LOCUS_f16 && b == LOCUS_f16 ? LOCUS_f32 : a;

  if (a != b) {
    if (whole(a) && whole(b)) common = LOCUS_i64;
    else if (a == LOCUS_i64 || b == LOCUS_i64) {
      bool swapped = b == LOCUS_i64;
      if (swapped) op = mixed_runs[op].swapped;
      return (meeting){LOCUS_i64, complex ? LOCUS_c128 : LOCUS_f64, swapped,
                       complex ? mixed_runs[op].complex : mixed_runs[op].whole};
    } else common = complex ? LOCUS_c128 : LOCUS_f64;
  }
  return (meeting){common, common, false, compare_tables[common][op]};
}

static int compare_part(const void *given, int64_t begin, int64_t end, locus_context *cx)
{
  const locus_compare_job *job = given;
  const meeting m = meet(job->op, job->a.dtype, job->b.dtype);
  cursor out, a, b;
  walk w;

  cursor_open(&out, &job->grid, &job->out, LOCUS_b8);
  cursor_open(&a, &job->grid, m.swapped ? &job->b : &job->a, m.a);
  cursor_open(&b, &job->grid, m.swapped ? &job->a : &job->b, m.b);
  walk_begin_freely(&w, &job->grid, (cursor *[]){&out, &a, &b}, 3);
  walk_within(&w, begin, end);
  while (walk_next(&w)) {
    LOCUS_TRY(locus_poll(cx));
    m.run(cursor_target(&out, &w), cursor_read(&a, &w), cursor_read(&b, &w), w.count);
    cursor_write(&out, &w);
  }
  return 0;
}

/* z[i] = x[i] op y[i]; false unless each x is 1 .. behind[0] - 1, and each y 1 .. behind[1] - 1
** where that is not 0. */
#define COMPARE_IDS(relation, of_both)                      \
  for (int64_t i = 0; i < n; i++) {                         \
    const int32_t a = x[i], b = y[i];                       \
    const uint32_t own = (uint32_t)a - 1;                   \
    z[i] = a relation b;                                    \
    most = own > most ? own : most;                         \
    if (of_both) {                                          \
      const uint32_t other = (uint32_t)b - 1;               \
      other_most = other > other_most ? other : other_most; \
    }                                                       \
  }
static bool compare_ids(locus_compare op, uint8_t *restrict z, const int32_t *x, const int32_t *y,
                        int64_t n, const uint32_t behind[2])
{
  uint32_t most = 0, other_most = 0;

  if (behind[1] && op == LOCUS_COMPARE_eq) COMPARE_IDS(==, true)
  else if (behind[1]) COMPARE_IDS(!=, true)
  else if (op == LOCUS_COMPARE_eq) COMPARE_IDS(==, false)
  else COMPARE_IDS(!=, false)
  return most < behind[0] - 1 && (behind[1] == 0 || other_most < behind[1] - 1);
}
#undef COMPARE_IDS

static int ids_part(const void *given, int64_t begin, int64_t end, locus_context *cx)
{
  const locus_compare_job *job = given;
  cursor out, a, b;
  walk w;

  cursor_open(&out, &job->grid, &job->out, LOCUS_b8);
  cursor_open(&a, &job->grid, &job->a, LOCUS_i32);
  cursor_open(&b, &job->grid, &job->b, LOCUS_i32);
  walk_begin_freely(&w, &job->grid, (cursor *[]){&out, &a, &b}, 3);
  walk_within(&w, begin, end);
  while (walk_next(&w)) {
    LOCUS_TRY(locus_poll(cx));
    if (!compare_ids(job->op, cursor_target(&out, &w), cursor_read(&a, &w), cursor_read(&b, &w),
                     w.count, job->behind))
      return locus_fail_changed(cx, "ids");
    cursor_write(&out, &w);
  }
  return 0;
}

int ISA(compare)(const locus_compare_job *job, locus_context *cx)
{
  const int64_t grain =
      grain_of(&job->grid, (const locus_operand *[]){&job->out, &job->a, &job->b}, 3);
  return locus_parallel(job->behind[0] ? ids_part : compare_part, job, job->grid.numel, grain, cx);
}

#define REAL(id, rank, key, method, constructor) [LOCUS_##id] = between_runs_##id,
static between_run *const (*const between_tables[LOCUS_DTYPES])[2] = {
#include "core/dtype.def"
};

/* Both comparisons at once, in one dtype that all have. */
static int between_at_once(const void *given, int64_t begin, int64_t end, locus_context *cx)
{
  const locus_between_job *job = given;
  const locus_dtype dtype = meet(job->op[0], job->x[0].dtype, job->bound[0].dtype).a;
  between_run *const run =
      between_tables[dtype][job->op[0] == LOCUS_COMPARE_ge][job->op[1] == LOCUS_COMPARE_le];
  cursor out, x, low, high;
  walk w;

  cursor_open(&out, &job->grid, &job->out, LOCUS_b8);
  cursor_open(&x, &job->grid, &job->x[0], dtype);
  cursor_open(&low, &job->grid, &job->bound[0], dtype);
  cursor_open(&high, &job->grid, &job->bound[1], dtype);
  walk_begin_freely(&w, &job->grid, (cursor *[]){&out, &x, &low, &high}, 4);
  walk_within(&w, begin, end);
  while (walk_next(&w)) {
    LOCUS_TRY(locus_poll(cx));
    run(cursor_target(&out, &w), cursor_read(&x, &w), cursor_read(&low, &w), cursor_read(&high, &w),
        w.count);
    cursor_write(&out, &w);
  }
  return 0;
}

/* An element and one of its bounds, in the order in which the loop reads them. */
typedef struct bounding {
  compare_run *run;
  cursor a, b;
} bounding;

static void bounding_open(bounding *f, const locus_between_job *job, int i)
{
  const meeting m = meet(job->op[i], job->x[i].dtype, job->bound[i].dtype);

  f->run = m.run;
  cursor_open(&f->a, &job->grid, m.swapped ? &job->bound[i] : &job->x[i], m.a);
  cursor_open(&f->b, &job->grid, m.swapped ? &job->x[i] : &job->bound[i], m.b);
}

/* One comparison after the other, each in dtypes of its own. The output may be an operand, so that
** it is written last. */
static int between_in_turn(const void *given, int64_t begin, int64_t end, locus_context *cx)
{
  const locus_between_job *job = given;
  uint8_t above[DIRECT_BLOCK]; /* no block is larger */
  bounding low, high;
  cursor out;
  walk w;

  cursor_open(&out, &job->grid, &job->out, LOCUS_b8);
  bounding_open(&low, job, 0);
  bounding_open(&high, job, 1);
  walk_begin_freely(&w, &job->grid, (cursor *[]){&out, &low.a, &low.b, &high.a, &high.b}, 5);
  walk_within(&w, begin, end);
  while (walk_next(&w)) {
    LOCUS_TRY(locus_poll(cx));
    low.run(above, cursor_read(&low.a, &w), cursor_read(&low.b, &w), w.count);
    uint8_t *to = cursor_target(&out, &w);
    high.run(to, cursor_read(&high.a, &w), cursor_read(&high.b, &w), w.count);
    for (int64_t i = 0; i < w.count; i++) to[i] &= above[i];
    cursor_write(&out, &w);
  }
  return 0;
}

int ISA(between)(const locus_between_job *job, locus_context *cx)
{
  const locus_operand *const operands[] = {&job->out, &job->x[0], &job->bound[0], &job->x[1],
                                           &job->bound[1]};
  const meeting low = meet(job->op[0], job->x[0].dtype, job->bound[0].dtype);
  const meeting high = meet(job->op[1], job->x[1].dtype, job->bound[1].dtype);
  const bool alike =
      low.a == low.b && high.a == low.a && high.b == low.a && job->x[0].dtype == job->x[1].dtype;

  return locus_parallel(alike ? between_at_once : between_in_turn, job, job->grid.numel,
                        grain_of(&job->grid, operands, 5), cx);
}

static void close_real(const locus_close_job *job, uint8_t *out, const double *a, const double *b,
                       int64_t n)
{
  for (int64_t i = 0; i < n; i++) {
    double apart = fabs(a[i] - b[i]);
    bool near = apart <= job->absolute + job->relative * fabs(b[i]) && apart < INFINITY;
    bool both = job->equal_nan && a[i] != a[i] && b[i] != b[i];
    out[i] = a[i] == b[i] || near || both;
  }
}

static bool complex_nan(locus_complex128 z)
{
  return z.re != z.re || z.im != z.im;
}

static void close_complex(const locus_close_job *job, uint8_t *out, const locus_complex128 *a,
                          const locus_complex128 *b, int64_t n)
{
  for (int64_t i = 0; i < n; i++) {
    double apart = hypot(a[i].re - b[i].re, a[i].im - b[i].im);
    double size = hypot(b[i].re, b[i].im);
    bool near = apart <= job->absolute + job->relative * size && apart < INFINITY;
    bool both = job->equal_nan && complex_nan(a[i]) && complex_nan(b[i]);
    out[i] = (a[i].re == b[i].re && a[i].im == b[i].im) || near || both;
  }
}

static int close_part(const void *given, int64_t begin, int64_t end, locus_context *cx)
{
  const locus_close_job *job = given;
  bool complex = locus_dtype_kind(job->a.dtype) == LOCUS_COMPLEX ||
                 locus_dtype_kind(job->b.dtype) == LOCUS_COMPLEX;
  locus_dtype dtype = complex ? LOCUS_c128 : LOCUS_f64;
  cursor out, a, b;
  walk w;

  cursor_open(&out, &job->grid, &job->out, LOCUS_b8);
  cursor_open(&a, &job->grid, &job->a, dtype);
  cursor_open(&b, &job->grid, &job->b, dtype);
  walk_begin_freely(&w, &job->grid, (cursor *[]){&out, &a, &b}, 3);
  walk_within(&w, begin, end);
  while (walk_next(&w)) {
    LOCUS_TRY(locus_poll(cx));
    uint8_t *to = cursor_target(&out, &w);
    if (complex) close_complex(job, to, cursor_read(&a, &w), cursor_read(&b, &w), w.count);
    else close_real(job, to, cursor_read(&a, &w), cursor_read(&b, &w), w.count);
    cursor_write(&out, &w);
  }
  return 0;
}

int ISA(close)(const locus_close_job *job, locus_context *cx)
{
  return locus_parallel(close_part, job, job->grid.numel, SLOW_GRAIN, cx);
}
