/* SPDX-License-Identifier: MIT */
/* Runner of window: threads share rows and pieces of rows. A piece begins with windows of its own,
** and where it begins depends on the job alone, so that no number of threads changes a bit. */
#include "cpu/block/rows.h"
#include "cpu/window/folds.h"
#include "cpu/window/quantiles.h"

enum {
  TILE = 2048,        /* elements of blocks side by side */
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

/* -- Blocks side by side ----------------------------------------------------------------------- */

static double none_f64(locus_window how)
{
  return how == LOCUS_WINDOW_MIN ? INFINITY : how == LOCUS_WINDOW_MAX ? -INFINITY : 0;
}

static int64_t none_i64(locus_window how)
{
  return how == LOCUS_WINDOW_MIN ? INT64_MAX : INT64_MIN;
}

/* Elements from..from + w * columns - 1 of the row, by columns of w; those outside of it, and NaN
** that is skipped, change no answer. */
static void read_tile(const window *w, char *tile, int64_t from, int64_t length, int64_t columns)
{
  const locus_window_job *job = w->job;
  const double real = none_f64(job->how);
  const int64_t whole = none_i64(job->how);
  const char *none = job->whole ? (const char *)&whole : (const char *)&real;

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
  if (!job->skips_nan) return;
  double *x = (double *)tile;
  for (int64_t i = 0; i < length * columns; i++) x[i] = x[i] == x[i] ? x[i] : real;
}

static void fold_tile(const locus_window_job *job, char *tile, char *sum, double *error,
                      int64_t lanes, int64_t length)
{
  const bool least_wins = job->how == LOCUS_WINDOW_MIN;

  if (job->how <= LOCUS_WINDOW_MEAN)
    lanes_sum((double *)tile, lanes + 1, (double *)sum, error, lanes, length);
  else if (job->whole)
    (least_wins ? lanes_min_i64 : lanes_max_i64)((int64_t *)tile, lanes + 1, (int64_t *)sum, NULL,
                                                 lanes, length);
  else
    (least_wins ? lanes_min_f64 : lanes_max_f64)((double *)tile, lanes + 1, (double *)sum, NULL,
                                                 lanes, length);
}

/* Makes answers of sums and their errors: sums that lie in out[first ..] , errors in `error`. */
static void finish_sums(window *w, int64_t first, int64_t end, const double *error)
{
  double *out = (double *)w->out;
  const bool mean = w->job->how == LOCUS_WINDOW_MEAN;

  for (int64_t i = first; i < end; i++) {
    const int64_t n = count_of(w, i);
    const sum2 total = {out[i], error[i - first]};
    if (lacks(w, i, n)) continue;
    out[i] = mean ? mean_of(w, i, total, n) : sum2_value(total.sum, total.error);
  }
}

/* The same where each window has as many elements as any. */
static void finish_full_sums(window *w, int64_t first, int64_t end, const double *error)
{
  double *restrict out = (double *)w->out + first;
  const int64_t count = end - first, n = w->job->before + w->job->after + 1;
  bool odd = false;

  if (w->job->how == LOCUS_WINDOW_SUM) {
    for (int64_t i = 0; i < count; i++) out[i] = sum2_value(out[i], error[i]);
    return;
  }
  for (int64_t i = 0; i < count; i++) {
    out[i] = sum2_mean(out[i], error[i], n);
    odd |= out[i] - out[i] != 0;
  }
  for (int64_t i = 0; odd && i < count; i++)
    if (out[i] - out[i] != 0) out[i] = mean_of(w, first + i, (sum2){out[i], 0}, n);
}

static void finish(window *w, int64_t first, int64_t end, const double *error)
{
  const locus_window_job *job = w->job;
  int64_t from = first < job->before ? least(job->before, end) : first;
  int64_t to = least(job->n - job->after, end);
  const bool sums = job->how <= LOCUS_WINDOW_MEAN;

  if (to < from || job->skips_nan || job->before + job->after + 1 < job->fewest) to = from = end;
  count_from(w, first);
  for (int64_t part = 0; part < 2; part++) {
    const int64_t begin = part ? to : first, past = part ? end : from;
    if (sums) finish_sums(w, begin, past, error + (begin - first));
    for (int64_t i = begin; !sums && i < past; i++) lacks(w, i, count_of(w, i));
  }
  if (sums && to > from) finish_full_sums(w, from, to, error + (from - first));
}

/* One tile: the windows that begin in its blocks, all but the last. */
static void run_tile(const plan *p, window *w, int64_t first, int64_t end, char *room)
{
  const locus_window_job *job = w->job;
  const int64_t length = p->most, lanes = p->lanes, size = length * lanes * 8;
  char *tile = room, *sum = tile + length * (lanes + 1) * 8;
  double *error = (double *)(sum + size), *flat = (double *)((char *)error + size);
  char *out = w->out + first * 8;

  read_tile(w, tile, first - job->before, length, lanes + 1);
  fold_tile(job, tile, sum, error, lanes, length);
  if (end - first == length * lanes) {
    ISA(scatter_tile)(out, 1, length, sum, length, lanes, 8);
  } else {
    for (int64_t i = 0; i < end - first; i++)
      memcpy(out + i * 8, sum + (i % length * lanes + i / length) * 8, 8);
  }
  if (job->how <= LOCUS_WINDOW_MEAN) ISA(scatter_tile)(flat, 1, length, error, length, lanes, 8);
  finish(w, first, end, flat);
}

/* -- Pieces ------------------------------------------------------------------------------------ */

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
    if (status == 0 && p->lanes) run_tile(p, &w, first, past, room);
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
  if (job->begins || job->how > LOCUS_WINDOW_MAX) return false;
  if (job->whole && job->how <= LOCUS_WINDOW_MEAN) return false;
  return job->before + job->after < job->n / 4;
}

static void plan_lanes(plan *p)
{
  const int64_t blocks = (p->job->n + p->most - 1) / p->most;
  const int64_t wanted = least(TILE / p->most + 1, blocks);

  p->lanes = (wanted + LANES - 1) / LANES * LANES;
  p->answers = p->most * p->lanes;
  p->room = p->most * (4 * p->lanes + 1) * 8;
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
