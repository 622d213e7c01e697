/* SPDX-License-Identifier: MIT */
/* Runner of segment. One thread takes the rows in their order, into arrays of what is known of each
** group; `out` is written at the end. */
#include "cpu/block/places.h"
#include "cpu/order/rank.h"

/* What is known of the groups, by number from 0 on; at first all is 0. */
typedef struct totals {
  int64_t at;       /* how many rows have been taken */
  void *state;      /* sums, elements, truths or places of rows, up to 8 bytes for each group */
  int64_t *rows;    /* how many there were, */
  double *spread;   /* and the sum of their squared distances to the mean, which is the state */
  uint8_t *seen;    /* whether there was a row */
} totals;

/* Takes n more rows: their ids, from 0 on, and their elements x. */
typedef void take_rows(const totals *t, const int64_t *ids, const void *x, int64_t n);

/* How an answer is found from elements of some dtype. */
typedef struct way {
  locus_dtype in, out; /* what rows and answers are; LOCUS_DTYPES: elements are not looked at */
  int words;           /* how many arrays there are, of `state`, `rows` and `spread` */
  void (*begin)(const totals *t, int64_t groups); /* NULL: what is known of no rows is 0 */
  take_rows *passes[2]; /* over all rows; before the second one sums become means */
  void (*answer)(const totals *t, int64_t first, int64_t n, void *out); /* of n groups */
} way;

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

static const way
    whole_sum = {LOCUS_i64, LOCUS_i64, 1, NULL, {take_integers}, answer_words},
    whole_product = {LOCUS_i64, LOCUS_i64, 1, begin_factors, {take_factors}, answer_words},
    row_count = {LOCUS_DTYPES, LOCUS_i64, 1, NULL, {take_counts}, answer_words};

/* -- Floats ------------------------------------------------------------------------------------ */

/* Whether most rows are of the group of the one before. Then what is known of it may stay in a
** register, which is quicker than the way through memory, but slower where nobody can guess when a
** run of rows ends. */
static bool in_runs(const int64_t *ids, int64_t n)
{
  int64_t ends = 0;
  for (int64_t i = 1; i < n; i++) ends += ids[i] != ids[i - 1];
  return ends < n / 8;
}

static void take_runs(const totals *t, const int64_t *ids, const double *x, int64_t n)
{
  for (int64_t i = 0; i < n;) {
    const int64_t id = ids[i];
    double *sum = (double *)t->state + id, own = *sum;
    for (; i < n && ids[i] == id; i++) own += x[i];
    *sum = own;
  }
}

static void take_reals(const totals *t, const int64_t *ids, const void *run, int64_t n)
{
  const double *x = run;
  double *sum = t->state;

  if (in_runs(ids, n)) take_runs(t, ids, x, n);
  else
    for (int64_t i = 0; i < n; i++) sum[ids[i]] += x[i];
}

static void take_real_factors(const totals *t, const int64_t *ids, const void *run, int64_t n)
{
  const double *x = run;
  double *product = t->state;
  for (int64_t i = 0; i < n; i++) product[ids[i]] *= x[i];
}

static void take_counted(const totals *t, const int64_t *ids, const void *run, int64_t n)
{
  int64_t *rows = t->rows;
  take_reals(t, ids, run, n);
  for (int64_t i = 0; i < n; i++) rows[ids[i]]++;
}

static void take_distances(const totals *t, const int64_t *ids, const void *run, int64_t n)
{
  const double *x = run, *mean = t->state;
  double *spread = t->spread;
  for (int64_t i = 0; i < n; i++) {
    const int64_t g = ids[i];
    const double distance = x[i] - mean[g];
    spread[g] += distance * distance;
  }
}

static void begin_real_factors(const totals *t, int64_t groups)
{
  double *product = t->state;
  for (int64_t g = 0; g < groups; g++) product[g] = 1;
}

static void answer_mean(const totals *t, int64_t first, int64_t n, void *out)
{
  const double *sum = t->state;
  double *mean = out;
  for (int64_t i = 0; i < n; i++) mean[i] = sum[first + i] / (double)t->rows[first + i];
}

static void answer_variance(const totals *t, int64_t first, int64_t n, void *out)
{
  double *variance = out;
  for (int64_t i = 0; i < n; i++) {
    const int64_t rows = t->rows[first + i];
    variance[i] = rows > 1 ? t->spread[first + i] / (double)(rows - 1) : (double)NAN;
  }
}

static void answer_deviation(const totals *t, int64_t first, int64_t n, void *out)
{
  double *deviation = out;
  answer_variance(t, first, n, out);
  for (int64_t i = 0; i < n; i++) deviation[i] = sqrt(deviation[i]);
}

static const way
    real_sum = {LOCUS_f64, LOCUS_f64, 1, NULL, {take_reals}, answer_words},
    real_product = {LOCUS_f64, LOCUS_f64, 1, begin_real_factors, {take_real_factors},
                    answer_words},
    real_mean = {LOCUS_f64, LOCUS_f64, 2, NULL, {take_counted}, answer_mean},
    variance = {LOCUS_f64, LOCUS_f64, 3, NULL, {take_counted, take_distances}, answer_variance},
    deviation = {LOCUS_f64, LOCUS_f64, 3, NULL, {take_counted, take_distances}, answer_deviation};

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

static const way any_true = {LOCUS_b8, LOCUS_b8, 1, NULL, {take_any}, answer_truths},
                 all_true = {LOCUS_b8, LOCUS_b8, 1, begin_all, {take_all}, answer_truths};

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
static const way first_row = {LOCUS_DTYPES, LOCUS_DTYPES, 1, NULL, {take_first}, NULL},
                 last_row = {LOCUS_DTYPES, LOCUS_DTYPES, 1, NULL, {take_last}, NULL};

#define TEMPLATE "cpu/run/segment.inc"
#include "cpu/block/each_real.h"

/* -- The ways: way_of_<name>(dtype) for each row of core/segment.def --------------------------- */

static const way *const least_ways[LOCUS_DTYPES] = {
#define REAL(id, rank, key, method, constructor) [LOCUS_##id] = &least_##id,
#include "core/dtype.def"
};

static const way *const greatest_ways[LOCUS_DTYPES] = {
#define REAL(id, rank, key, method, constructor) [LOCUS_##id] = &greatest_##id,
#include "core/dtype.def"
};

static const way *way_of(const locus_segment_job *job)
{
  const locus_dtype dtype = job->in.dtype;
  const bool whole = locus_dtype_kind(dtype) <= LOCUS_INTEGER;

  switch (job->how) {
  case LOCUS_SEGMENT_sum: return whole ? &whole_sum : &real_sum;
  case LOCUS_SEGMENT_prod: return whole ? &whole_product : &real_product;
  case LOCUS_SEGMENT_min: return least_ways[dtype];
  case LOCUS_SEGMENT_max: return greatest_ways[dtype];
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

static int take_pass(const locus_segment_job *job, totals *t, const way *how, int pass,
                     locus_context *cx)
{
  const bool looked_at = how->in != LOCUS_DTYPES;
  int64_t groups[BLOCK];
  cursor ids, in;
  walk w;

  cursor_open(&ids, &job->rows, &job->ids, LOCUS_i64);
  if (looked_at) cursor_open(&in, &job->rows, &job->in, how->in);
  walk_begin(&w, &job->rows, (const cursor *[]){&ids, &in}, looked_at ? 2 : 1);
  w.most = BLOCK;
  while (walk_next(&w)) {
    LOCUS_TRY(locus_poll(cx));
    t->at = w.at;
    if (!read_places(groups, cursor_read(&ids, &w), w.count, job->base, job->groups.numel))
      return locus_fail_changed(cx, "ids");
    how->passes[pass](t, groups, looked_at ? cursor_read(&in, &w) : NULL, w.count);
  }
  return 0;
}

static int take_all_rows(const locus_segment_job *job, totals *t, const way *how,
                         locus_context *cx)
{
  if (how->begin) how->begin(t, job->groups.numel);
  LOCUS_TRY(take_pass(job, t, how, 0, cx));
  if (!how->passes[1]) return 0;
  answer_mean(t, 0, job->groups.numel, t->state);
  return take_pass(job, t, how, 1, cx);
}

static int write_answers(const locus_segment_job *job, const totals *t, const way *how,
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

static int answer(const locus_segment_job *job, totals *t, const way *how, locus_context *cx)
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
  const way *how = way_of(job);
  const int64_t groups = job->groups.numel, bytes = groups * (8 * how->words + 1);
  totals t = {0};

  if (job->empty) *job->empty = -1;
  if (groups == 0) return 0;
  char *workspace = locus_memory_alloc(bytes);
  if (!workspace) return locus_fail_memory(cx, bytes);
  memset(workspace, 0, (size_t)bytes);
  t.state = workspace;
  if (how->words > 1) t.rows = (int64_t *)workspace + groups;
  if (how->words > 2) t.spread = (double *)workspace + 2 * groups;
  t.seen = (uint8_t *)workspace + 8 * how->words * groups;
  int status = answer(job, &t, how, cx);
  locus_memory_free(workspace, bytes);
  return status;
}
