/* SPDX-License-Identifier: MIT */
/* Runner of the unary family. */
#include "core/number/arithmetic.h"
#include "cpu/block/block.h"

typedef void unary_run(void *out, const void *in, int64_t n);

#define BOOL(op, expression)
#define INTEGER(op, expression)
#define FLOAT(op, expression)
#define COMPLEX(op, expression)

/* predicate_<op>: 1 if the op gives a bool for every dtype. */
enum { SAME, FLOATING, TRUTH, PREDICATE };
enum {
#define UNARY(op, computed) predicate_##op = computed == PREDICATE,
#include "core/unary.def"
#undef UNARY
};

static const char classes[LOCUS_UNARIES] = {
#define UNARY(op, computed) computed,
#include "core/unary.def"
#undef UNARY
};

#undef BOOL
#undef INTEGER
#undef FLOAT
#undef COMPLEX

#define TEMPLATE "cpu/elementwise/unary.inc"
#include "cpu/block/each_dtype.h"

static unary_run *const *const unary_tables[LOCUS_DTYPES] = {
#define DTYPE(id, element, value, kind, name) unary_runs_##id,
#include "core/dtype.def"
};

static int unary_part(const void *given, int64_t begin, int64_t end, locus_context *cx)
{
  const locus_unary_job *job = given;
  const bool predicate = classes[job->op] == PREDICATE;
  const locus_dtype dtype =
      computed_in(job->dtype, (const locus_operand *[]){&job->in, &job->out}, predicate ? 1 : 2);
  unary_run *const run = unary_tables[dtype][job->op];
  cursor out, in;
  walk w;

  cursor_open(&out, &job->grid, &job->out, predicate ? LOCUS_b8 : dtype);
  cursor_open(&in, &job->grid, &job->in, dtype);
  walk_begin_freely(&w, &job->grid, (cursor *[]){&out, &in}, 2);
  walk_within(&w, begin, end);
  while (walk_next(&w)) {
    LOCUS_TRY(locus_poll(cx));
    run(cursor_target(&out, &w), cursor_read(&in, &w), w.count);
    cursor_write(&out, &w);
  }
  return 0;
}

int ISA(unary)(const locus_unary_job *job, locus_context *cx)
{
  int64_t grain = grain_of(&job->grid, (const locus_operand *[]){&job->out, &job->in}, 2);

  if (classes[job->op] == FLOATING) grain = least(grain, SLOW_GRAIN); /* most call libm */
  return locus_parallel(unary_part, job, job->grid.numel, grain, cx);
}
