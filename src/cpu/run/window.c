/* SPDX-License-Identifier: MIT */
/* Runner of window: threads share rows and pieces of rows. A piece begins with windows of its own,
** and where it begins depends on the job alone, so that no number of threads changes a bit. */
#include "cpu/block/rows.h"
#include "cpu/window/folds.h"
#include "cpu/window/quantiles.h"
#include "cpu/window/spread_lanes.h"

enum {
  TILE = 1024,        /* elements of blocks side by side */
  FEWEST = 16 * 1024, /* answers of a piece, */
  WINDOWS = 8,        /* or as many windows' lengths */
};

typedef struct plan {
  const locus_window_job *job;
  int64_t most;            /* elements of the longest window */
  int64_t lanes;           /* blocks side by side; 0: two stacks and the like */
  int64_t answers, pieces; /* of a piece; of a row */
  int64_t room;            /* bytes of a piece's workspace */
} plan;

/* -- One window after the other ---------------------------------------------------------------- */

static int run_piece(window *w, int64_t first, int64_t end, char *room, locus_context *cx)
{
  const locus_window_job *job = w->job;

  count_from(w, first);
  switch (job->how) {
  case LOCUS_WINDOW_SUM:
  case LOCUS_WINDOW_MEAN:
    if (job->whole) return run_whole(w, first, end, cx);
    return stack_sum(w, first, end, room, cx);
  case LOCUS_WINDOW_MIN:
    return (job->whole ? stack_min_i64 : stack_min_f64)(w, first, end, room, cx);
  case LOCUS_WINDOW_MAX:
    return (job->whole ? stack_max_i64 : stack_max_f64)(w, first, end, room, cx);
  case LOCUS_WINDOW_VAR:
  case LOCUS_WINDOW_STD:
    return (job->whole ? stack_spread_i64 : stack_spread_f64)(w, first, end, room, cx);
  case LOCUS_WINDOW_MEDIAN:
  case LOCUS_WINDOW_QUANTILE: return run_quantiles(w, first, end, room, cx);
  case LOCUS_WINDOW_COUNT:
  case LOCUS_WINDOW_FIRST:
  case LOCUS_WINDOW_LAST: return take_ends(w, first, end, cx);
  case LOCUS_WINDOWS: break;
  }
  return 0;
}

/* -- Blocks side by side ----------------------------------------------------------------------- */

static double none_f64(locus_window how)
{
  return how == LOCUS_WINDOW_MIN ? INFINITY : how == LOCUS_WINDOW_MAX ? -INFINITY : 0;
}

static int64_t none_i64(locus_window how)
{
  return how == LOCUS_WINDOW_MIN ? INT64_MAX : how == LOCUS_WINDOW_MAX ? INT64_MIN : 0;
}

static bool is_sum(locus_window how)
{
  return how <= LOCUS_WINDOW_MEAN;
}

static bool is_spread(locus_window how)
{
  return how == LOCUS_WINDOW_VAR || how == LOCUS_WINDOW_STD;
}

/* Elements from..from + length * columns - 1 of the row, by columns of that length; those outside
** of it, and NaN that is skipped, change no sum and no extreme. */
static void read_tile(const window *w, char *tile, int64_t from, int64_t length, int64_t columns)
{
  const locus_window_job *job = w->job;
  const double real = none_f64(job->how);
  const int64_t whole = none_i64(job->how);
  const char *none = job->whole ? (const char *)&whole : (const char *)&real;
  double *x = (double *)tile;

  if (from >= 0 && from + length * columns <= job->n) {
    ISA(gather_tile)(tile, w->in + from * 8, 1, length, length, columns, 8);
  } else {
    for (int64_t t = 0; t < length; t++) {
      for (int64_t c = 0; c < columns; c++) {
        const int64_t at = from + c * length + t;
        memcpy(tile + (t * columns + c) * 8, at >= 0 && at < job->n ? w->in + at * 8 : none, 8);
      }
    }
  }
  if (job->whole && is_spread(job->how)) {
    for (int64_t i = 0; i < length * columns; i++) x[i] = (double)((int64_t *)tile)[i];
  } else if (job->skips_nan) {
    for (int64_t i = 0; i < length * columns; i++) x[i] = x[i] == x[i] ? x[i] : real;
  }
}

/* A tile, and what is made of it, t * lanes + l for the window that begins t behind block l. */
typedef struct tile {
  int64_t length, lanes;
  char *elements; /* t * (lanes + 1) + l */
  double *answers, *errors, *flat;
  spread_factors *factors;
} tile;

static tile tile_in(const plan *p, char *room)
{
  tile t = {.length = p->most, .lanes = p->lanes, .elements = room};
  const int64_t size = t.length * t.lanes;

  t.answers = (double *)(room + (size + t.length) * 8);
  t.errors = t.answers + size;
  t.flat = t.errors + size;
  t.factors = (spread_factors *)(t.flat + size);
  return t;
}

static void fold_tile(const locus_window_job *job, const tile *t)
{
  const int64_t pitch = t->lanes + 1, lanes = t->lanes, length = t->length;
  const bool least_wins = job->how == LOCUS_WINDOW_MIN;
  const double *x = (const double *)t->elements;

  if (is_sum(job->how)) lanes_sum(x, pitch, t->answers, t->errors, lanes, length);
  else if (is_spread(job->how))
    lanes_spread(x, pitch, t->answers, t->errors, lanes, length, t->factors);
  else if (job->whole)
    (least_wins ? lanes_min_i64 : lanes_max_i64)((const int64_t *)x, pitch, (int64_t *)t->answers,
                                                 NULL, lanes, length);
  else (least_wins ? lanes_min_f64 : lanes_max_f64)(x, pitch, t->answers, NULL, lanes, length);
}

/* Makes answers of sums and their errors, of windows that each have as many elements as any.
** Returns whether one of the means is no number. */
static bool finish_tile(const locus_window_job *job, const tile *t)
{
  const int64_t size = t->length * t->lanes;
  double *restrict answers = t->answers;
  const double *restrict errors = t->errors;
  const double n = (double)t->length, inverse = 1 / n, free = n - job->correction;
  int64_t odd = 0;

  switch (job->how) {
  case LOCUS_WINDOW_SUM:
    for (int64_t i = 0; i < size; i++) {
      answers[i] = sum2_value(answers[i], errors[i]);
      odd |= answers[i] - answers[i] != 0;
    }
    return odd;
  case LOCUS_WINDOW_MEAN:
    for (int64_t i = 0; i < size; i++) {
      answers[i] = sum2_mean(answers[i], errors[i], n, inverse);
      odd |= answers[i] - answers[i] != 0;
    }
    return odd;
  case LOCUS_WINDOW_VAR:
    for (int64_t i = 0; i < size; i++) answers[i] = free > 0 ? answers[i] / free : NAN;
    return false;
  case LOCUS_WINDOW_STD:
    for (int64_t i = 0; i < size; i++) answers[i] = free > 0 ? sqrt(answers[i] / free) : NAN;
    return false;
  default: return false;
  }
}

/* Where lanes lie side by side, to where windows do. */
static void write_tile(char *out, const tile *t, const double *from, int64_t count)
{
  if (count == t->length * t->lanes) {
    ISA(scatter_tile)(out, 1, t->length, from, t->length, t->lanes, 8);
    return;
  }
  for (int64_t i = 0; i < count; i++)
    memcpy(out + i * 8, from + (i % t->length * t->lanes + i / t->length), 8);
}

/* Answers of sums and extremes where NaN is skipped: each window's elements are counted. */
static void finish_counted(window *w, const tile *t, int64_t first, int64_t end)
{
  double *out = (double *)w->out;

  write_tile(w->out + first * 8, t, t->answers, end - first);
  if (is_sum(w->job->how)) write_tile((char *)t->flat, t, t->errors, end - first);
  count_from(w, first);
  for (int64_t i = first; i < end; i++) {
    const int64_t n = count_of(w, i);
    if (lacks(w, i, n) || !is_sum(w->job->how)) continue;
    const sum2 total = {out[i], t->flat[i - first]};
    out[i] = w->job->how == LOCUS_WINDOW_MEAN ? mean_of(w, i, total, n) : sum_of(w, i, total);
  }
}

/* Sums and means that are no number, though their elements may be: a sum is beyond float64 on the
** way. */
static void mend_sums(window *w, int64_t first, int64_t end)
{
  double *out = (double *)w->out;
  const int64_t n = w->job->before + w->job->after + 1;
  const bool mean = w->job->how == LOCUS_WINDOW_MEAN;

  for (int64_t i = first; i < end; i++) {
    const sum2 total = {out[i], 0};
    if (out[i] - out[i] != 0) out[i] = mean ? mean_of(w, i, total, n) : sum_of(w, i, total);
  }
}

/* One tile: the windows that begin in its blocks, all but the last. Those that are cut at an end of
** the row are answered as others are, one by one. */
static int run_tile(const plan *p, window *w, int64_t first, int64_t end, char *room,
                    locus_context *cx)
{
  const locus_window_job *job = w->job;
  const tile t = tile_in(p, room);
  const int64_t from = least(end, first > job->before ? first : job->before);
  const int64_t to = least(end, from > job->n - job->after ? from : job->n - job->after);

  read_tile(w, t.elements, first - job->before, t.length, t.lanes + 1);
  if (is_spread(job->how)) spread_table(t.factors, t.length);
  fold_tile(job, &t);
  if (job->skips_nan) {
    finish_counted(w, &t, first, end);
    return 0;
  }
  const bool odd = finish_tile(job, &t);
  write_tile(w->out + first * 8, &t, t.answers, end - first);
  if (odd) mend_sums(w, from, to);
  LOCUS_TRY(run_piece(w, first, from, room, cx));
  return run_piece(w, to, end, room, cx);
}

/* -- Pieces ------------------------------------------------------------------------------------ */

static int pieces_part(const void *given, int64_t begin, int64_t end, locus_context *cx)
{
  const plan *p = given;
  const locus_window_job *job = p->job;
  char *room = locus_memory_alloc(p->room);
  int status = room ? 0 : locus_fail_memory(cx, p->room);

  for (int64_t piece = begin; piece < end && status == 0; piece++) {
    const int64_t row = piece / p->pieces, first = piece % p->pieces * p->answers;
    const int64_t past = least(job->n, first + p->answers);
    window w = {.job = job, .in = job->in + row * job->n * 8, .out = job->out + row * job->n * 8};
    status = locus_poll(cx);
    if (status == 0 && p->lanes) status = run_tile(p, &w, first, past, room, cx);
    else if (status == 0) status = run_piece(&w, first, past, room, cx);
  }
  if (room) locus_memory_free(room, p->room);
  return status;
}

static int64_t longest(const locus_window_job *job)
{
  int64_t most = 1;

  if (!job->begins) return job->before + job->after + 1;
  for (int64_t i = 0; i < job->n; i++) {
    const int64_t length = job->ends[i] - job->begins[i];
    most = length > most ? length : most;
  }
  return most;
}

/* Whether blocks side by side serve: windows of one length that are joined of elements. */
static bool by_lanes(const locus_window_job *job)
{
  if (job->begins || job->how > LOCUS_WINDOW_STD) return false;
  if (job->whole && is_sum(job->how)) return false;
  if (job->skips_nan && is_spread(job->how)) return false;
  return job->before + job->after < job->n / 4 && job->fewest <= job->before + job->after + 1;
}

static void plan_lanes(plan *p)
{
  const int64_t blocks = (p->job->n + p->most - 1) / p->most;
  const int64_t wanted = least(TILE / p->most + 1, blocks);

  p->lanes = (wanted + LANES - 1) / LANES * LANES;
  p->answers = p->most * p->lanes;
  p->room = p->most * ((4 * p->lanes + 1) * 8 + (int64_t)sizeof(spread_factors));
}

/* The elements of the windows of a piece, at most. */
static int64_t most_elements(const plan *p)
{
  const locus_window_job *job = p->job;
  int64_t most = 1;

  if (!job->begins) return least(job->n, p->answers + p->most);
  for (int64_t first = 0; first < job->n; first += p->answers) {
    const int64_t last = least(job->n, first + p->answers) - 1;
    const int64_t elements = job->ends[last] - job->begins[first];
    most = elements > most ? elements : most;
  }
  return most;
}

int ISA(window)(const locus_window_job *job, locus_context *cx)
{
  plan p = {.job = job, .most = longest(job)};

  *job->lacking = 0;
  if (job->rows == 0 || job->n == 0) return 0;
  if (by_lanes(job)) {
    plan_lanes(&p);
  } else {
    const bool ranks = job->how == LOCUS_WINDOW_MEDIAN || job->how == LOCUS_WINDOW_QUANTILE;
    const int64_t fewest = ranks ? FEWEST / 8 : FEWEST;
    p.answers = least(job->n, p.most > fewest / WINDOWS ? p.most * WINDOWS : fewest);
    p.room = ranks ? quantile_bytes(most_elements(&p)) : p.most * (int64_t)sizeof(moments);
  }
  p.pieces = (job->n - 1) / p.answers + 1;
  return locus_parallel(pieces_part, &p, job->rows * p.pieces, rows_worth(SLOW_GRAIN, p.answers),
                        cx);
}
