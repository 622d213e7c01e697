/* SPDX-License-Identifier: MIT */
/* A job of reduce in parts, and the second pass after a first answer. */
#ifndef LOCUS_REDUCE_PARTS_H
#define LOCUS_REDUCE_PARTS_H

#include "core/number/rescale.h"
#include "cpu/reduce/reduce.h"

/* The method of a job; and the one that first finds the mark of each row, its mean, or NULL. */
static const method *method_of(const locus_reduce_job *job);
static const method *centre_method_of(const locus_reduce_job *job);

/* -- Second looks ------------------------------------------------------------------------------ */

/* The method of the second pass, NULL if none is needed. */
static const method *method_again(const method *how, const look *l, locus_dtype in)
{
  if (l->wide && in != LOCUS_f64 && in != LOCUS_c128) return NULL;
  return how->in == LOCUS_f32 ? l->how->single : l->how;
}

static void mend(double *answer, const double *better, const bool *wanted, int64_t count)
{
  for (int64_t j = 0; j < count; j++)
    if (wanted[j] && better[j] == better[j] && better[j] != answer[j]) answer[j] = better[j];
}

/* Goes back to the start of the row that has been taken. */
static void take_again(row_reader *rows, int64_t n)
{
  if (n > 0 && n <= LONG_ROW) rows_back(rows);
}

/* Not inlined, since it is hardly ever needed. */
static __attribute__((noinline)) int look_again(partial *p, const method *how, row_reader *rows,
                                                const locus_reduce_job *job, int64_t row,
                                                double *answer, locus_context *cx)
{
  const int64_t n = job->reduced.numel, parts = how->out == LOCUS_c128 ? 2 : 1;
  double better[2];
  bool wanted[2];

  for (int k = 0; n > 0 && k < LOOKS; k++) {
    const look *l = &how->looks[k];
    const method *again = method_again(how, l, job->in.dtype);
    if (!again || !l->wanted(answer, p->mark, parts, wanted)) continue;
    take_again(rows, n);
    LOCUS_TRY(reduce_next(p, again, rows, job, row, cx));
    again->answer(p, n, better);
    mend(answer, better, wanted, parts);
  }
  return 0;
}

static ALWAYS_INLINE bool in_doubt(const method *how, const double *answer, const double *mark)
{
  return !locus_beyond_doubt(answer[0], mark[0]) ||
         (how->out == LOCUS_c128 && !locus_beyond_doubt(answer[1], mark[1]));
}

/* The answer of the reader's next row. `out` may be NULL if only its position is wanted. */
static ALWAYS_INLINE int answer_once(partial *p, const method *how, row_reader *rows,
                                     const locus_reduce_job *job, int64_t row, void *out,
                                     locus_context *cx)
{
  LOCUS_TRY(reduce_next(p, how, rows, job, row, cx));
  if (out) how->answer(p, job->reduced.numel, out);
  if (!how->looks || !in_doubt(how, out, p->mark)) return 0;
  return look_again(p, how, rows, job, row, out, cx);
}

/* The same, after its centre is found by the method `centre`. */
static int answer_row(partial *p, const method *how, const method *centre, row_reader *rows,
                      const locus_reduce_job *job, int64_t row, void *out, locus_context *cx)
{
  if (centre) {
    double mean[2]; /* as wide as any answer */
    LOCUS_TRY(answer_once(p, centre, rows, job, row, mean, cx));
    p->mark[0] = mean[0];
    take_again(rows, job->reduced.numel);
  }
  return answer_once(p, how, rows, job, row, out, cx);
}

static bool beyond_doubt(const double *answer, const double *mark, int64_t count)
{
  uint64_t doubts = 0; /* as wide as a double, for the compiler's vectors */
  for (int64_t j = 0; j < count; j++) doubts |= locus_beyond_doubt(answer[j], mark[j]) ? 0 : 1;
  return doubts == 0;
}

static int look_again_at_columns(columns *c, const method *how, column_reader *r, const char *first,
                                 double *answer, locus_context *cx)
{
  double better[COLUMNS];
  bool wanted[COLUMNS];

  if (beyond_doubt(answer, c->mark, c->count)) return 0;
  for (int k = 0; c->n > 0 && k < LOOKS; k++) {
    const look *l = &how->looks[k];
    const method *again = method_again(how, l, r->job->in.dtype);
    if (!again || !l->wanted(answer, c->mark, c->count, wanted)) continue;
    LOCUS_TRY(reduce_columns(c, again, r, first, cx));
    again->columns->answer(c, better);
    mend(answer, better, wanted, c->count);
  }
  return 0;
}

/* The answers of c->count columns. */
static int answer_columns(columns *c, const method *how, const method *centre, column_reader *r,
                          const char *first, void *out, locus_context *cx)
{
  if (centre) {
    double mean[COLUMNS];
    LOCUS_TRY(answer_columns(c, centre, NULL, r, first, mean, cx));
    memcpy(c->mark, mean, (size_t)c->count * sizeof *mean);
    for (int64_t j = c->count; j < least(c->n, LOCUS_SUM_LANES) * c->count; j++)
      c->mark[j] = c->mark[j - c->count];
  }
  LOCUS_TRY(reduce_columns(c, how, r, first, cx));
  if (out) how->columns->answer(c, out);
  return how->looks ? look_again_at_columns(c, how, r, first, out, cx) : 0;
}

/* -- Parts of a job ---------------------------------------------------------------------------- */

/* The answers at some points of `kept`, block by block. */
typedef struct answers {
  const locus_reduce_job *job;
  const method *how;
  cursor out, index;
  walk w;
  char *to; /* those of the block, or NULL */
  int64_t *positions;
} answers;

static void answers_open(answers *a, const locus_reduce_job *job, int64_t begin, int64_t end)
{
  const cursor *targets[2];
  int count = 0;

  a->job = job;
  a->how = method_of(job);
  if (job->has_out) {
    cursor_open(&a->out, &job->kept, &job->out, a->how->out);
    targets[count++] = &a->out;
  }
  if (job->has_index) {
    cursor_open(&a->index, &job->kept, &job->index, LOCUS_i64);
    targets[count++] = &a->index;
  }
  walk_begin(&a->w, &job->kept, targets, count);
  walk_within(&a->w, begin, end);
}

static bool answers_next(answers *a)
{
  if (!walk_next(&a->w)) return false;
  a->to = a->job->has_out ? cursor_target(&a->out, &a->w) : NULL;
  a->positions = a->job->has_index ? cursor_target(&a->index, &a->w) : NULL;
  return true;
}

/* The place of the i-th answer of the block, or NULL. */
static void *answers_place(const answers *a, int64_t i)
{
  return a->to ? a->to + i * locus_dtype_size(a->how->out) : NULL;
}

static void answers_write(answers *a)
{
  if (a->to) cursor_write(&a->out, &a->w);
  if (a->positions) cursor_write(&a->index, &a->w);
}

/* The points begin .. end - 1, one row after the other. */
static int rows_part(const void *given, int64_t begin, int64_t end, locus_context *cx)
{
  const locus_reduce_job *job = given;
  const method *centre = centre_method_of(job);
  const int64_t n = job->reduced.numel;
  row_reader rows;
  answers a;
  partial p;

  answers_open(&a, job, begin, end);
  rows_open(&rows, &job->kept, &job->in, &job->reduced, job->in_reduced, a.how->in);
  walk_within(&rows.w, begin * n, end * n);
  p.mark[0] = p.mark[1] = 0;
  p.divisor = job->divisor;
  while (answers_next(&a)) {
    LOCUS_TRY(locus_poll(cx));
    for (int64_t i = 0; i < a.w.count; i++) {
      void *place = answers_place(&a, i);
      LOCUS_TRY(answer_row(&p, a.how, centre, &rows, job, a.w.at + i, place, cx));
      if (a.positions) a.positions[i] = p.position + job->base;
    }
    answers_write(&a);
  }
  return 0;
}

/* The same, several rows side by side. */
static int columns_part(const void *given, int64_t begin, int64_t end, locus_context *cx)
{
  const locus_reduce_job *job = given;
  const method *centre = centre_method_of(job);
  const int last = job->kept.ndim - 1;
  column_reader reader;
  answers a;
  columns c;

  answers_open(&a, job, begin, end);
  columns_open(&reader, job, a.how->in);
  memset(c.mark, 0, COLUMNS * sizeof *c.mark);
  c.divisor = job->divisor;
  a.w.most = COLUMNS;
  while (answers_next(&a)) {
    walk at = a.w;
    for (int64_t done = 0; done < a.w.count; done += c.count) {
      c.count = at.count = least(a.w.count - done, job->kept.size[last] - at.index[last]);
      const char *first = job->in.data + walk_offset(&at, job->in.stride) * reader.item;
      void *place = answers_place(&a, done);
      LOCUS_TRY(answer_columns(&c, a.how, centre, &reader, first, place, cx));
      for (int64_t j = 0; a.positions && j < c.count; j++)
        a.positions[done + j] = c.position[j] + job->base;
      walk_advance(&at);
    }
    answers_write(&a);
  }
  return 0;
}

#endif
