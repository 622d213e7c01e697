/* SPDX-License-Identifier: MIT */
/* The reduction of rows by any op: run by run into a partial answer, a long row by segments, or
** several rows side by side. Sums of floats are pairwise sums in a fixed tree.
**
** A row is cut into blocks of LOCUS_SUM_BLOCK elements. Within a block, LOCUS_SUM_LANES lanes add
** every 32nd element, and the lanes are folded in halves. Block sums go through a binary counter:
** level k holds the sum of 2^k blocks, and two sums of a level become one of the next, earlier
** blocks on the left. `blocks` counts them, and its bits say which levels are in use.
**
**   block     0   1   2   3   4   5   6         after 7 blocks (binary 111):
**              \ /     \ /     \ /    |           level 0: block 6
**               *       *       *     |           level 1: blocks 4 5
**                \_____/        |     |           level 2: blocks 0 1 2 3
**                   *           |     |         the answer adds up the levels from the lowest
**
** Invariant: the tree depends on the number of elements alone. A segment of a long row is 2^k
** blocks, so its sum is exactly one level of the row's counter. The bits of an answer are therefore
** the same for any number of threads, any instruction set and any device
** (cuda/include/reduce/reduce_tree.h).
**
** The error of a pairwise sum grows with log n; that of a running sum grows with n. Elements are
** added as doubles, float32 too.
**
** Columns: rows that lie side by side in memory are taken together, one per lane, and each follows
** the same tree. Means, norms and variances that overflow or underflow are taken again with scaled
** elements (reduce_parts.h).
**
** Source: N. Higham, "The Accuracy of Floating Point Summation", SIAM Journal on Scientific
** Computing 14 (1993), section 2 on pairwise summation. */
#ifndef LOCUS_REDUCE_H
#define LOCUS_REDUCE_H

#include <stdatomic.h>
#include <stdlib.h>

#include "cpu/block/rows.h"

enum { LEVELS = 54 };
enum { LONG_ROW = 16 * LOCUS_SUM_BLOCK, SEGMENT = 8 * LOCUS_SUM_BLOCK, SEGMENTS = 64 };

/* The way an op takes elements; a constant in each of its functions. */
enum {
  SINGLE = 1,     /* from runs of floats, which need no cast of their own then; else of doubles */
  PAIRS = 2,      /* two doubles are one, complex */
  TIMES = 4,      /* they are multiplied, not added */
  MAGNITUDES = 8, /* instead of them, or */
  SQUARES = 16,
  DEVIATIONS = 32, /* squares of the distances to the centre; */
  PRESENT = 64,    /* or of those alone that are not NaN */
  LEAST = 128,     /* the least of them wins, else the greatest */
  SHRUNK = 256,    /* times LOCUS_SHRINK, or */
  GROWN = 512,     /* times LOCUS_GROW, before they are squared and added */
};

/* The partial answer over some elements of a row. */
typedef struct partial {
  int64_t seen;     /* how many */
  uint64_t whole;   /* the sum of integers, modulo 2^64; how many elements are nonzero, or NaN */
  uint64_t score;   /* an extreme's, */
  int64_t position; /* where it is, -1: none yet, */
  unsigned char element[8]; /* and its bytes */
  double mark[2];  /* the centre of deviations, known before; or the first element, for means; */
  double divisor;  /* of variances; known before */
  uint64_t blocks; /* float sums: how many blocks; */
  locus_complex128 level[LEVELS]; /* where bit k is set, the sum of 2^k of them */
} partial;

typedef void take_run(partial *p, const void *run, int64_t n);

/* The same of several rows side by side, as columns: all of them have been read to the same place.
** Fields that are the same for all are there once, the others in arrays of a row each, so that a
** loop over the columns is a loop over vectors. */
enum { COLUMNS = 64, COLUMN_TILE = BLOCK / COLUMNS, LONGEST_TILE = 128, AHEAD = 16 };
typedef struct columns {
  int64_t count;   /* how many there are, at most COLUMNS */
  int64_t n, seen; /* elements of each, and how many of them have been taken */
  int64_t ahead;   /* bytes from a row that is taken to the one that is fetched meanwhile, or 0 */
  uint64_t blocks;
  /* The lanes of the current block: the first ones of all columns side by side, and so on. */
  _Alignas(64) double lane[LOCUS_SUM_LANES * COLUMNS];
  _Alignas(64) double level[LEVELS][COLUMNS];
  _Alignas(64) double mark[LOCUS_SUM_LANES * COLUMNS]; /* the centre of deviations, in each lane */
  double divisor;
  uint64_t whole[COLUMNS], score[COLUMNS];
  int64_t position[COLUMNS];
  _Alignas(8) unsigned char element[COLUMNS * 8]; /* in the dtype of the input */
} columns;

typedef struct column_method {
  void (*begin)(columns *c);
  /* `rows` more elements of each column, at most LONGEST_TILE, which end no later than a block
  ** does; the next ones of all lie `apart` elements on. */
  void (*take)(columns *c, const void *run, int64_t apart, int64_t rows);
  bool (*decided)(const columns *c);
  void (*answer)(const columns *c, void *out); /* of all of them */
  bool flat; /* rows without gaps between them are taken as one: few columns are worth it, too */
} column_method;

/* A second pass, by another method, over answers that the first one may have got wrong. */
typedef struct look {
  /* Says for each answer whether it needs the second pass; returns whether any does. */
  bool (*wanted)(const double *answer, const double *mark, int64_t count, bool *wanted);
  const struct method *how; /* if it gives NaN, the first answer stays */
  bool wide;                /* at elements that are float64, or complex128, before they are read */
} look;

/* The functions of an op, for elements of some dtype. */
typedef struct method {
  locus_dtype in, out;                           /* of runs and of the answer */
  void (*begin)(partial *p);                     /* of no elements */
  take_run *take;                                /* n more, p->seen still being those before */
  bool (*decided)(const partial *p);             /* no further element can change the answer */
  void (*join)(partial *p, const partial *next); /* next: of the elements after p's */
  void (*answer)(const partial *p, int64_t n, void *out); /* over a row of n */
  const column_method *columns; /* the same of several rows side by side; NULL: one by one */
  const struct method *single;  /* the same of float32 as it is; NULL: cast */
  const look *looks;            /* LOOKS of them, at answers of one double or two; or NULL */
} method;

enum { LOOKS = 2 };

/* Ops that every element counts for. */
static bool never(const partial *p)
{
  (void)p;
  return false;
}

static bool never_all(const columns *c)
{
  (void)c;
  return false;
}

/* Takes a row of n elements, or as many as decide the answer. `elsewhere`, unless NULL, says
** whether another thread has decided it. */
static int reduce_row(partial *p, const method *how, row_reader *rows, int64_t n,
                      const atomic_bool *elsewhere, locus_context *cx)
{
  int64_t count;

  how->begin(p);
  for (p->seen = 0; p->seen < n;) {
    if (rows->ready == 0) LOCUS_TRY(locus_poll(cx));
    const void *run = rows_next(rows, p->seen, &count);
    how->take(p, run, count);
    p->seen += count;
    if (p->seen == n) return 0;
    if (how->decided(p)) break;
    if (elsewhere && atomic_load_explicit(elsewhere, memory_order_relaxed)) break;
  }
  rows_skip(rows, p->seen);
  return 0;
}

/* A long row is cut into segments of 2^k blocks, so that the float sum of a segment is one level of
** the row's counter: sums do not depend on the thread that adds them. */
typedef struct segmented_row {
  const locus_reduce_job *job;
  const method *how;
  const double *mark;
  int64_t row, length; /* elements of a segment */
  partial *partials;   /* of the segments */
  atomic_bool *decided;
} segmented_row;

static int segments_part(const void *given, int64_t begin, int64_t end, locus_context *cx)
{
  const segmented_row *s = given;
  const locus_reduce_job *job = s->job;
  const method *how = s->how;
  const int64_t n = job->reduced.numel, start = s->row * n;
  row_reader rows;

  rows_open(&rows, &job->kept, &job->in, &job->reduced, job->in_reduced, how->in);
  walk_within(&rows.w, start + begin * s->length, start + least(n, end * s->length));
  for (int64_t k = begin; k < end; k++) {
    partial *p = &s->partials[k];
    rows.n = least(s->length, n - k * s->length);
    memcpy(p->mark, s->mark, sizeof p->mark);
    LOCUS_TRY(reduce_row(p, how, &rows, rows.n, s->decided, cx));
    if (how->decided(p)) atomic_store(s->decided, true);
  }
  return 0;
}

static int reduce_long_row(partial *p, const method *how, const locus_reduce_job *job, int64_t row,
                           locus_context *cx)
{
  const int64_t n = job->reduced.numel;
  partial partials[SEGMENTS];
  atomic_bool decided = false;
  segmented_row s = {job, how, p->mark, row, SEGMENT, partials, &decided};

  while (n > SEGMENTS * s.length) s.length *= 2;
  const int64_t segments = (n - 1) / s.length + 1;
  LOCUS_TRY(locus_parallel(segments_part, &s, segments, rows_worth(GRAIN, s.length), cx));
  how->begin(p);
  p->seen = 0;
  for (int64_t k = 0; k < segments; p->seen += partials[k++].seen) how->join(p, &partials[k]);
  return 0;
}

/* The reader's next row, of any length. */
static int reduce_next(partial *p, const method *how, row_reader *rows, const locus_reduce_job *job,
                       int64_t row, locus_context *cx)
{
  if (job->reduced.numel > LONG_ROW) return reduce_long_row(p, how, job, row, cx);
  return reduce_row(p, how, rows, job->reduced.numel, NULL, cx);
}

/* -- Side by side ------------------------------------------------------------------------------ */

/* Rows that lie closer to each other than their elements do, as the columns of a matrix: they share
** cache lines. And short rows, where starting and ending one costs more than its elements. */
enum { SHORT_ROW = 64, FEWEST_COLUMNS = 8, FEWEST_FLAT = 2 };
enum { FAR = 4096 }; /* bytes between rows beyond the reach of the CPU's prefetcher */

static bool worth_columns(const locus_reduce_job *job, const method *how)
{
  const int last = job->kept.ndim - 1, inner = job->reduced.ndim - 1;
  const int64_t apart = llabs(job->in.stride[last]), step = llabs(job->in_reduced[inner]);
  const int64_t count = job->kept.size[last];

  if (!how->columns || !job->in.data) return false;
  const bool flat = how->columns->flat && apart == 1 && step == count;
  return count >= (flat ? FEWEST_FLAT : FEWEST_COLUMNS) &&
         (apart < step || job->reduced.numel <= SHORT_ROW);
}

/* Elements of columns, where they lie, or in a workspace and in the dtype that is asked for. */
typedef struct column_reader {
  const locus_reduce_job *job;
  locus_dtype dtype;    /* asked for */
  int64_t item;         /* bytes of an element in memory */
  int64_t step, across; /* there, from one column, and one element of a column, to the next */
  _Alignas(64) char gathered[BLOCK * 16], converted[BLOCK * 8];
} column_reader;

static void columns_open(column_reader *r, const locus_reduce_job *job, locus_dtype dtype)
{
  r->job = job;
  r->dtype = dtype;
  r->item = locus_dtype_size(job->in.dtype);
  r->step = job->in.stride[job->kept.ndim - 1];
  r->across = job->in_reduced[job->reduced.ndim - 1];
}

static const void *columns_read(column_reader *r, const char *place, int64_t rows, int64_t count,
                                int64_t *apart)
{
  const locus_dtype own = r->job->in.dtype;
  const bool straight = r->step == 1;
  const char *run = place;

  *apart = straight ? r->across : count;
  if (!straight) {
    ISA(gather_tile)(r->gathered, place, r->across, r->step, rows, count, r->item);
    run = r->gathered;
  }
  if (own == r->dtype) return run;
  const bool together = *apart == count;
  const int64_t item = locus_dtype_size(r->dtype), n = together ? rows * count : count;
  for (int64_t at = 0, from = 0; at < rows * count; at += n, from += *apart)
    ISA(cast_of)(own, r->dtype)(r->converted + at * item, run + from * r->item, n);
  *apart = count;
  return r->converted;
}

/* Fetches the row ahead of one, a few lines at a time while that one is taken: the CPU cannot wait
** for many at once. Always inline: GCC drops calls of a function that only prefetches. */
static ALWAYS_INLINE void columns_fetch(const columns *c, const void *row, int64_t item)
{
  for (int64_t at = 0; at < c->count * item; at += 64)
    __builtin_prefetch((const char *)row + c->ahead + at);
}

/* Reduces the c->count columns that begin at `first`. */
static int reduce_columns(columns *c, const method *how, column_reader *r, const char *first,
                          locus_context *cx)
{
  const locus_reduce_job *job = r->job;
  const int last = job->reduced.ndim - 1;
  int64_t apart;
  walk w;

  const bool direct = r->step == 1 && job->in.dtype == r->dtype;
  const int64_t tile = direct ? LONGEST_TILE : COLUMN_TILE;
  const int64_t across = direct ? r->across * r->item : 0;
  walk_start(&w, &job->reduced, tile);
  c->ahead = across >= FAR ? AHEAD * across : 0;
  c->seen = 0;
  c->n = job->reduced.numel;
  how->columns->begin(c);
  for (; c->seen < c->n && !how->columns->decided(c); c->seen += w.count) {
    if (c->seen % LOCUS_SUM_BLOCK == 0) LOCUS_TRY(locus_poll(cx));
    w.most = tile - c->seen % tile;
    walk_next(&w);
    w.count = least(w.count, job->reduced.size[last] - w.index[last]);
    const char *place = first + walk_offset(&w, job->in_reduced) * r->item;
    const void *run = columns_read(r, place, w.count, c->count, &apart);
    how->columns->take(c, run, apart, w.count);
  }
  return 0;
}

#endif
