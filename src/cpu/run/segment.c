/* SPDX-License-Identifier: MIT */
/* Runner of segment. One thread takes the rows in their order, into arrays with the state of each
** group; `out` is written at the end. */
#include "cpu/order/rank.h"
#include "cpu/reduce/segment_means.h"

/* -- Integers ---------------------------------------------------------------------------------- */

static void take_integers(const totals *t, const int64_t *ids, const void *run, int64_t n)
{
  const int64_t *x = run;
  uint64_t *sum = t->state;
  for (int64_t i = 0; i < n; i++) sum[ids[i]] += (uint64_t)x[i];
}

static void take_factors(const totals *t, const int64_t *ids, const void *run, int64_t n)
{
  const int64_t *x = run;
  uint64_t *product = t->state;
  for (int64_t i = 0; i < n; i++) product[ids[i]] *= (uint64_t)x[i];
}

static void take_counts(const totals *t, const int64_t *ids, const void *run, int64_t n)
{
  int64_t *rows = t->state;
  (void)run;
  for (int64_t i = 0; i < n; i++) rows[ids[i]]++;
}

static void begin_factors(const totals *t, int64_t groups)
{
  uint64_t *product = t->state;
  for (int64_t g = 0; g < groups; g++) product[g] = 1;
}

/* Integers and doubles alike. */
static void answer_words(const totals *t, int64_t first, int64_t n, void *out)
{
  memcpy(out, (const uint64_t *)t->state + first, (size_t)n * sizeof(uint64_t));
}

static const method whole_sum = {LOCUS_i64,     LOCUS_i64,    1,       NULL,
                                 take_integers, answer_words, NO_MEANS},
                    whole_product = {LOCUS_i64,    LOCUS_i64,    1,       begin_factors,
                                     take_factors, answer_words, NO_MEANS},
                    row_count = {LOCUS_DTYPES, LOCUS_i64,    1,       NULL,
                                 take_counts,  answer_words, NO_MEANS};

/* -- Floats ------------------------------------------------------------------------------------ */

static void take_real_factors(const totals *t, const int64_t *ids, const void *run, int64_t n)
{
  const double *x = run;
  double *product = t->state;
  for (int64_t i = 0; i < n; i++) product[ids[i]] *= x[i];
}

static void begin_real_factors(const totals *t, int64_t groups)
{
  double *product = t->state;
  for (int64_t g = 0; g < groups; g++) product[g] = 1;
}

static const method real_sum = {LOCUS_f64, LOCUS_f64, 1, NULL, take_reals, answer_words, NO_MEANS},
                    real_product = {LOCUS_f64,         LOCUS_f64,    1,       begin_real_factors,
                                    take_real_factors, answer_words, NO_MEANS};

static const method real_mean = {LOCUS_f64, LOCUS_f64, 4, NULL, take_counted, answer_mean, MEANS},
                    variance = {LOCUS_f64,       LOCUS_f64,        4, NULL, take_counted,
                                answer_variance, MEANS_AND_SPREADS},
                    deviation = {LOCUS_f64,        LOCUS_f64,        4, NULL, take_counted,
                                 answer_deviation, MEANS_AND_SPREADS};

/* -- Truths ------------------------------------------------------------------------------------ */

static void take_any(const totals *t, const int64_t *ids, const void *run, int64_t n)
{
  const uint8_t *x = run;
  uint8_t *truth = t->state;
  for (int64_t i = 0; i < n; i++) truth[ids[i]] |= x[i] != 0;
}

static void take_all(const totals *t, const int64_t *ids, const void *run, int64_t n)
{
  const uint8_t *x = run;
  uint8_t *truth = t->state;
  for (int64_t i = 0; i < n; i++) truth[ids[i]] &= x[i] != 0;
}

static void begin_all(const totals *t, int64_t groups)
{
  memset(t->state, 1, (size_t)groups);
}

static void answer_truths(const totals *t, int64_t first, int64_t n, void *out)
{
  memcpy(out, (const uint8_t *)t->state + first, (size_t)n);
}

static const method any_true = {LOCUS_b8, LOCUS_b8, 1, NULL, take_any, answer_truths, NO_MEANS},
                    all_true = {LOCUS_b8, LOCUS_b8,      1,       begin_all,
                                take_all, answer_truths, NO_MEANS};

/* -- Elements ---------------------------------------------------------------------------------- */

static void take_first(const totals *t, const int64_t *ids, const void *run, int64_t n)
{
  const int64_t at = t->at;
  int64_t *restrict place = t->state;
  uint8_t *restrict seen = t->seen;
  (void)run;
  for (int64_t i = 0; i < n; i++) {
    const int64_t g = ids[i];
    place[g] = seen[g] ? place[g] : at + i;
    seen[g] = 1;
  }
}

static void take_last(const totals *t, const int64_t *ids, const void *run, int64_t n)
{
  const int64_t at = t->at;
  int64_t *restrict place = t->state;
  uint8_t *restrict seen = t->seen;
  (void)run;
  for (int64_t i = 0; i < n; i++) {
    const int64_t g = ids[i];
    place[g] = at + i;
    seen[g] = 1;
  }
}

/* Their answers are gathered from the rows. */
static const method first_row = {LOCUS_DTYPES, LOCUS_DTYPES, 1, NULL, take_first, NULL, NO_MEANS},
                    last_row = {LOCUS_DTYPES, LOCUS_DTYPES, 1, NULL, take_last, NULL, NO_MEANS};

#define TEMPLATE "cpu/reduce/segment.inc"
#include "cpu/block/each_real.h"

/* -- The methods: method_of_<name>(dtype) for each row of core/segment.def --------------------- */

static const method *const least_methods[LOCUS_DTYPES] = {
#define REAL(id, rank, key, method, constructor) [LOCUS_##id] = &least_##id,
#include "core/dtype.def"
};

static const method *const greatest_methods[LOCUS_DTYPES] = {
#define REAL(id, rank, key, method, constructor) [LOCUS_##id] = &greatest_##id,
#include "core/dtype.def"
};

static const method *method_of(const locus_segment_job *job)
{
  const locus_dtype dtype = job->in.dtype;
  const bool whole = locus_dtype_kind(dtype) <= LOCUS_INTEGER;

  switch (job->how) {
  case LOCUS_SEGMENT_sum: return whole ? &whole_sum : &real_sum;
  case LOCUS_SEGMENT_prod: return whole ? &whole_product : &real_product;
  case LOCUS_SEGMENT_min: return least_methods[dtype];
  case LOCUS_SEGMENT_max: return greatest_methods[dtype];
  case LOCUS_SEGMENT_mean: return &real_mean;
  case LOCUS_SEGMENT_std: return &deviation;
  case LOCUS_SEGMENT_var: return &variance;
  case LOCUS_SEGMENT_first: return &first_row;
  case LOCUS_SEGMENT_last: return &last_row;
  case LOCUS_SEGMENT_any: return &any_true;
  case LOCUS_SEGMENT_all: return &all_true;
  case LOCUS_SEGMENT_count: return &row_count;
  case LOCUS_SEGMENTS: break;
  }
  return NULL;
}

/* -- The job ----------------------------------------------------------------------------------- */

static int take_all_rows(const locus_segment_job *job, totals *t, const method *how,
                         locus_context *cx)
{
  if (how->begin) how->begin(t, t->groups);
  LOCUS_TRY(take_pass(job, t, how, how->take, cx));
  if (how->finds >= MEANS) LOCUS_TRY(find_means(job, t, how, cx));
  return how->finds == MEANS_AND_SPREADS ? find_spreads(job, t, how, cx) : 0;
}

static int write_answers(const locus_segment_job *job, const totals *t, const method *how,
                         locus_context *cx)
{
  cursor out;
  walk w;

  cursor_open(&out, &job->groups, &job->out, how->out);
  walk_begin(&w, &job->groups, (const cursor *[]){&out}, 1);
  while (walk_next(&w)) {
    LOCUS_TRY(locus_poll(cx));
    how->answer(t, w.at, w.count, cursor_target(&out, &w));
    cursor_write(&out, &w);
  }
  return 0;
}

/* The states are numbers of rows. */
static int gather_rows(const locus_segment_job *job, const totals *t, locus_context *cx)
{
  locus_index_job gather = {.grid = job->groups, .elements = job->out, .array = job->in};

  gather.array.stride[0] = 0;
  gather.indices = 1;
  gather.index[0].at = (locus_operand){.data = t->state, .dtype = LOCUS_i64, .stride = {1}};
  gather.index[0].size = job->rows.numel;
  gather.index[0].step = job->in.stride[0];
  return ISA(gather)(&gather, cx);
}

static int answer(const locus_segment_job *job, totals *t, const method *how, locus_context *cx)
{
  LOCUS_TRY(take_all_rows(job, t, how, cx));
  if (job->empty) {
    const uint8_t *empty = memchr(t->seen, 0, (size_t)job->groups.numel);
    *job->empty = empty ? empty - t->seen : -1;
    if (empty) return 0;
  }
  return how->answer ? write_answers(job, t, how, cx) : gather_rows(job, t, cx);
}

int ISA(segment)(const locus_segment_job *job, locus_context *cx)
{
  const method *how = method_of(job);
  const int64_t groups = job->groups.numel, bytes = groups * (8 * how->words + 1);
  totals t = {.groups = groups};

  if (job->empty) *job->empty = -1;
  if (groups == 0) return 0;
  char *workspace = locus_memory_alloc(bytes);
  if (!workspace) return locus_fail_memory(cx, bytes);
  memset(workspace, 0, (size_t)bytes);
  t.state = workspace;
  t.group = how->words > 1 ? (counted *)workspace : NULL;
  t.seen = (uint8_t *)workspace + 8 * how->words * groups;
  int status = answer(job, &t, how, cx);
  locus_memory_free(workspace, bytes);
  return status;
}
