/* SPDX-License-Identifier: MIT */
/* Runner of the binary family. */
#include "core/number/arithmetic.h"
#include "cpu/block/block.h"
#include "cpu/elementwise/quotient.h"
#include "cpu/elementwise/remainder.h"

typedef void binary_run(void *out, const void *left, const void *right, int64_t n);

#define TEMPLATE "cpu/elementwise/binary.inc"
#include "cpu/block/each_dtype.h"

static binary_run *const *const binary_tables[LOCUS_DTYPES] = {
#define DTYPE(id, element, value, kind, name) binary_runs_##id,
#include "core/dtype.def"
};

static binary_run *find_run(locus_binary op, locus_dtype dtype)
{
#define DIVIDING(name, id) \
  if (op == LOCUS_BINARY_##name && dtype == LOCUS_##id) return name##_run_##id;
#define DIVIDING_ALL(name) \
  DIVIDING(name, i32) DIVIDING(name, i64) DIVIDING(name, f32) DIVIDING(name, f64)
  DIVIDING_ALL(fmod)
  DIVIDING_ALL(remainder)
  DIVIDING_ALL(floor_divide)
#undef DIVIDING_ALL
#undef DIVIDING
  return binary_tables[dtype][op];
}

static int binary_part(const void *given, int64_t begin, int64_t end, locus_context *cx)
{
  const locus_binary_job *job = given;
  const locus_dtype dtype =
      computed_in(job->dtype, (const locus_operand *[]){&job->out, &job->a, &job->b}, 3);
  binary_run *const run = find_run(job->op, dtype);
  cursor out, a, b;
  walk w;

  cursor_open(&out, &job->grid, &job->out, dtype);
  cursor_open(&a, &job->grid, &job->a, dtype);
  cursor_open(&b, &job->grid, &job->b, dtype);
  walk_begin_freely(&w, &job->grid, (cursor *[]){&out, &a, &b}, 3);
  walk_within(&w, begin, end);
  while (walk_next(&w)) {
    LOCUS_TRY(locus_poll(cx));
    run(cursor_target(&out, &w), cursor_read(&a, &w), cursor_read(&b, &w), w.count);
    cursor_write(&out, &w);
  }
  return 0;
}

/* Whether an element takes many times as long as a sum. */
static bool is_slow(locus_binary op)
{
  return op == LOCUS_BINARY_pow || op == LOCUS_BINARY_remainder || op == LOCUS_BINARY_fmod ||
         op == LOCUS_BINARY_floor_divide || op == LOCUS_BINARY_hypot || op == LOCUS_BINARY_atan2;
}

int ISA(binary)(const locus_binary_job *job, locus_context *cx)
{
  int64_t grain = grain_of(&job->grid, (const locus_operand *[]){&job->out, &job->a, &job->b}, 3);
  if (is_slow(job->op)) grain = least(grain, SLOW_GRAIN);
  return locus_parallel(binary_part, job, job->grid.numel, grain, cx);
}
