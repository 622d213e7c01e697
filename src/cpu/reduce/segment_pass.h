/* SPDX-License-Identifier: MIT */
/* Passes over the rows: a task reads ids and columns block by block, once for all folds that it
** takes, while the block lies in L1. */
#ifndef LOCUS_SEGMENT_PASS_H
#define LOCUS_SEGMENT_PASS_H

#include "core/device.h"
#include "cpu/reduce/segment_means.h"

enum {
  MOST_FOLDS = 16, /* that are taken together */
  MOST_COLUMNS = 2 * MOST_FOLDS,
  MOST_PARTS = 64,       /* of groups, or of rows */
  NEAR_BYTES = 12 << 20, /* of tables: more are taken one after the other */
};

/* Work for one thread: some folds, over a range of rows. */
typedef struct task {
  uint32_t folds;        /* bit k: fold k */
  int64_t begin, end;    /* rows */
  int64_t first, groups; /* the only groups of these rows */
  int64_t table;         /* which of each fold's is filled */
  int64_t cost;
} task;

/* A column as some folds take it. */
typedef struct column {
  const locus_operand *in;
  const method *how; /* of one of the folds */
} column;

/* The folds of a job, or as many of them as are taken together, and who takes them. */
typedef struct grouping {
  const locus_segment_job *job;
  bool narrow; /* ids are read as int32 */
  int64_t block_rows;
  int folds, columns;
  fold fold[MOST_FOLDS];
  column column[MOST_COLUMNS];
  bool runs; /* ids ascend, and each task has groups of its own */
  int tasks;
  task task[MOST_FOLDS + MOST_PARTS];
  uint32_t divides; /* bit k: the rows of fold k are divided; it is in no task */
  int bits;         /* there are 1 << bits parts; of group g the number in its part is g >> bits */
} grouping;

static inline bool has_fold(uint32_t folds, int k)
{
  return folds >> k & 1;
}

static inline uint32_t all_folds(const grouping *g)
{
  return (1u << g->folds) - 1;
}

static inline int64_t part_count(const grouping *g)
{
  return (int64_t)1 << g->bits;
}

/* -- Reading ----------------------------------------------------------------------------------- */

/* A walk over rows, by blocks. */
typedef struct reader {
  const grouping *g;
  walk w;
  cursor ids;
  uint32_t places[BLOCK];
  const void *block[MOST_COLUMNS]; /* of each column; NULL: not read yet */
  int looked;                      /* the column whose NaN have been looked for; -1: none yet */
  int64_t kept_rows;
  uint16_t kept[BLOCK]; /* the rows that are not NaN there */
  cursor in[];
} reader;

static inline int64_t reader_bytes(const grouping *g)
{
  return (int64_t)sizeof(reader) + g->columns * (int64_t)sizeof(cursor);
}

/* NULL without memory; else to be given back to locus_memory_free. */
static inline reader *open_reader(const grouping *g, int64_t begin, int64_t end)
{
  const locus_segment_job *job = g->job;
  reader *r = locus_memory_alloc(reader_bytes(g));

  if (!r) return NULL;
  r->g = g;
  cursor_open(&r->ids, &job->rows, &job->ids, g->narrow ? LOCUS_i32 : LOCUS_i64);
  for (int k = 0; k < g->columns; k++) {
    const column *c = &g->column[k];
    if (c->how->in != LOCUS_DTYPES) cursor_open(&r->in[k], &job->rows, c->in, c->how->in);
  }
  walk_start(&r->w, &job->rows, g->block_rows);
  walk_within(&r->w, begin, end);
  return r;
}

/* The groups of the next block, counted from `first`; *n is 0 at the end. */
static inline int read_groups(reader *r, int64_t first, int64_t groups, int64_t *n,
                              locus_context *cx)
{
  *n = 0;
  if (!walk_next(&r->w)) return 0;
  LOCUS_TRY(locus_poll(cx));
  *n = r->w.count;
  r->looked = -1;
  memset(r->block, 0, (size_t)r->g->columns * sizeof r->block[0]);
  if (read_numbers(r->places, cursor_read(&r->ids, &r->w), r->g->narrow, *n,
                   r->g->job->base + first, groups))
    return 0;
  return locus_fail_changed(cx, "ids");
}

/* The elements of the block, or the numbers of its rows. */
static inline const void *read_column(reader *r, int k)
{
  const method *how = r->g->column[k].how;

  if (r->block[k] || (how->in == LOCUS_DTYPES && !how->numbers)) return r->block[k];
  if (how->numbers) {
    int64_t *numbers = (int64_t *)r->in[k].own;
    for (int64_t i = 0; i < r->w.count; i++) numbers[i] = r->w.at + i;
    r->block[k] = numbers;
  } else {
    r->block[k] = cursor_read(&r->in[k], &r->w);
  }
  return r->block[k];
}

/* The rows of the block that a fold takes. */
static inline rows rows_of(reader *r, const fold *f)
{
  const int64_t n = r->w.count;
  const rows all = {n, r->places, read_column(r, f->read), NULL};

  if (!f->skips_nan) return all;
  if (r->looked != f->looks) {
    r->kept_rows = find_kept(read_column(r, f->looks), n, r->kept);
    r->looked = f->looks;
  }
  if (r->kept_rows == n) return all;
  return (rows){r->kept_rows, all.ids, all.x, r->kept};
}

/* -- Passes ------------------------------------------------------------------------------------ */

/* The step of a stage for the rows of a table; NULL: there is none. */
static inline take_rows *take_of(const fold *f, const stage *s, const totals *t)
{
  if (f->finds < s->finds || !t->wanted) return NULL;
  return s->take ? s->take : f->how->take;
}

static int take_blocks(reader *r, const task *t, const stage *s, locus_context *cx)
{
  const grouping *g = r->g;
  int64_t n;

  for (;;) {
    LOCUS_TRY(read_groups(r, t->first, t->groups, &n, cx));
    if (n == 0) return 0;
    for (int k = 0; k < g->folds; k++) {
      const fold *f = &g->fold[k];
      if (!has_fold(t->folds, k)) continue;
      take_rows *const take = take_of(f, s, &f->parts[t->table]);
      if (!take) continue;
      const rows own = rows_of(r, f);
      take(&f->parts[t->table], &own);
    }
  }
}

/* One stage of a task. */
static int take_stage(const grouping *g, const task *t, const stage *s, locus_context *cx)
{
  bool wanted = false;

  for (int k = 0; k < g->folds; k++)
    wanted |= has_fold(t->folds, k) && take_of(&g->fold[k], s, &g->fold[k].parts[t->table]);
  if (!wanted || t->begin == t->end) return 0;
  reader *r = open_reader(g, t->begin, t->end);
  if (!r) return locus_fail_memory(cx, reader_bytes(g));
  const int status = take_blocks(r, t, s, cx);
  locus_memory_free(r, reader_bytes(g));
  return status;
}

/* The work for each group behind a stage, or, before all, its beginning. */
static void take_step(const grouping *g, uint32_t folds, int64_t table, const stage *s)
{
  for (int k = 0; k < g->folds; k++) {
    const fold *f = &g->fold[k];
    totals *const t = &f->parts[table];
    if (!has_fold(folds, k)) continue;
    if (!s) {
      memset(t->state, 0, (size_t)(f->how->bytes * t->groups));
      memset(t->seen, 0, (size_t)t->groups);
      if (f->how->begin) f->how->begin(t);
    } else if (s->step && f->finds >= MEANS && f->finds >= s->finds) {
      s->step(f, t);
    }
  }
}

static int run_folds(const grouping *g, const task *t, locus_context *cx)
{
  take_step(g, t->folds, t->table, NULL);
  for (const stage *s = stages; s < stages + STAGES; s++) {
    LOCUS_TRY(take_stage(g, t, s, cx));
    take_step(g, t->folds, t->table, s);
  }
  return 0;
}

/* The first of the folds whose tables share a cache, at least one. */
static uint32_t near_folds(const grouping *g, const task *t, uint32_t folds)
{
  uint32_t found = 0;
  int64_t bytes = 0;

  for (int k = 0; k < g->folds; k++) {
    if (!has_fold(folds, k)) continue;
    bytes += g->fold[k].how->bytes * t->groups;
    if (found && bytes > NEAR_BYTES) break;
    found |= 1u << k;
  }
  return found;
}

static int run_task(const grouping *g, const task *t, locus_context *cx)
{
  task own = *t;

  for (uint32_t left = t->folds; left; left &= ~own.folds) {
    own.folds = near_folds(g, t, left);
    LOCUS_TRY(run_folds(g, &own, cx));
  }
  return 0;
}

static int run_tasks(const void *given, int64_t first, int64_t last, locus_context *cx)
{
  const grouping *g = given;
  for (int64_t i = first; i < last; i++) LOCUS_TRY(run_task(g, &g->task[i], cx));
  return 0;
}

/* -- Tables of ranges of rows ------------------------------------------------------------------ */

static int join_part(const void *given, int64_t begin, int64_t end, locus_context *cx)
{
  const fold *f = given;

  for (int64_t t = 1; t < f->tables; t++) {
    LOCUS_TRY(locus_poll(cx));
    f->how->join(&f->parts[0], &f->parts[t], begin, end);
  }
  return 0;
}

#endif
