/* SPDX-License-Identifier: MIT */
/* How the rows reach their groups, so that an answer has the same bits whatever the number of
** threads. There are four strategies:
** - alone: one thread takes all rows in their order;
** - by rows: where answers of parts of the rows can be joined, as counts can and sums of floats
**   cannot, each thread takes a range of the rows into tables of its own;
** - by groups: these are dealt out to parts, group g to part g modulo their number. Each thread
**   reads all rows and takes those of its part, in their order. It waits for memory as long as one
**   thread does, so it serves if a table is larger than a cache and a part of it is not;
** - divided, for four threads and more: a radix partition (Manegold, Boncz and Kersten, Optimizing
**   main-memory join on modern hardware, 2002). The threads divide the blocks of a section of the
**   rows by part, each stably, and take part by part the rows of the section before. It takes the
**   processor time of two or three threads alone. */
#ifndef LOCUS_SEGMENT_PASS_H
#define LOCUS_SEGMENT_PASS_H

#include "core/device.h"
#include "cpu/isa/isa.h"
#include "cpu/reduce/segment.h"

enum {
  MOST_PARTS = 64,
  SHARED_ROWS = 64 * BLOCK, /* fewer stay on one thread */
  FEW_THREADS = 3,          /* too few to divide rows */
  TABLE_BYTES = 4 << 20,    /* of a table that each thread may have */
  CHUNKS = 4,               /* of a section for each thread, */
  CHUNK_BLOCKS = 48,        /* of so many blocks */
};

/* A block of rows by part: those of part p are start[p] .. start[p + 1] - 1. */
typedef struct divided {
  uint16_t start[MOST_PARTS + 1];
  uint32_t *ids;
  char *x;
} divided;

typedef enum strategy { ALONE, BY_ROWS, BY_GROUPS, DIVIDED } strategy;

typedef struct grouping {
  strategy strategy;
  const locus_segment_job *job;
  const method *how;
  bool narrow;  /* ids are read as int32 */
  int64_t item; /* bytes of an element; 0: none is taken */
  int bits;     /* there are 1 << bits parts; of group g the number in its part is g >> bits */
  totals parts[MOST_PARTS]; /* by rows: of all groups, for each range of rows */
  int64_t tables;           /* how many of these there are */
  take_rows *take;          /* of the pass */
  void (*step)(const struct grouping *g, totals *t);
  divided *blocks[2];                       /* of this section and the one before */
  int64_t block_rows, chunks, chunk_blocks; /* of a section */
  int64_t first;                            /* row of the section */
} grouping;

static inline int64_t part_count(const grouping *g)
{
  return (int64_t)1 << g->bits;
}

/* -- Reading ----------------------------------------------------------------------------------- */

/* A walk over rows, by blocks. */
typedef struct reader {
  const grouping *g;
  cursor ids, in;
  walk w;
  uint32_t places[BLOCK];
  int64_t numbers[BLOCK];
} reader;

static inline void reader_open(reader *r, const grouping *g, int64_t begin, int64_t end)
{
  const locus_segment_job *job = g->job;

  r->g = g;
  cursor_open(&r->ids, &job->rows, &job->ids, g->narrow ? LOCUS_i32 : LOCUS_i64);
  if (g->how->in != LOCUS_DTYPES) cursor_open(&r->in, &job->rows, &job->in, g->how->in);
  walk_start(&r->w, &job->rows, g->block_rows);
  walk_within(&r->w, begin, end);
}

/* The groups of the next block; *n is 0 at the end. */
static inline int read_groups(reader *r, uint32_t *places, int64_t *n, locus_context *cx)
{
  const locus_segment_job *job = r->g->job;

  *n = 0;
  if (!walk_next(&r->w)) return 0;
  LOCUS_TRY(locus_poll(cx));
  *n = r->w.count;
  if (read_numbers(places, cursor_read(&r->ids, &r->w), r->g->narrow, *n, job->base,
                   job->groups.numel))
    return 0;
  return locus_fail_changed(cx, "ids");
}

/* The elements of the block, or the numbers of its rows. */
static inline const void *read_elements(reader *r)
{
  const method *how = r->g->how;

  if (how->in != LOCUS_DTYPES) return cursor_read(&r->in, &r->w);
  for (int64_t i = 0; takes_numbers(how) && i < r->w.count; i++) r->numbers[i] = r->w.at + i;
  return r->numbers;
}

/* -- All rows by one thread -------------------------------------------------------------------- */

/* The places of the rows of a part. */
static int64_t find_own(const uint32_t *places, int64_t n, int64_t part, int bits, uint16_t *own)
{
  const uint32_t low = (1u << bits) - 1;
  int64_t count = 0;

  for (int64_t at = 0; at < n; at += 64) {
    uint32_t mine[64] = {0};
    const int64_t run = least(64, n - at);
    for (int64_t i = 0; i < run; i++) mine[i] = (places[at + i] & low) == (uint32_t)part;
    count += emit64(own + count, mask64_4(mine, ~(uint64_t)0), at);
  }
  return count;
}

/* Takes rows into a table: those of its part, or of its range. */
static int take_own(const grouping *g, int64_t part, locus_context *cx)
{
  const int64_t numel = g->job->rows.numel;
  const int64_t range = g->strategy == BY_ROWS ? (numel - 1) / g->tables + 1 : numel;
  const int64_t begin = g->strategy == BY_ROWS ? least(part * range, numel) : 0;
  uint16_t own[BLOCK + 64];
  reader r;
  int64_t n;

  reader_open(&r, g, begin, least(begin + range, numel));
  for (;;) {
    LOCUS_TRY(read_groups(&r, r.places, &n, cx));
    if (n == 0) return 0;
    const int64_t count = g->bits ? find_own(r.places, n, part, g->bits, own) : n;
    if (count == 0) continue;
    for (int64_t i = 0; g->bits && i < n; i++) r.places[i] >>= g->bits;
    g->take(&g->parts[part], &(rows){count, r.places, read_elements(&r), count < n ? own : NULL});
  }
}

static int own_part(const void *given, int64_t first, int64_t last, locus_context *cx)
{
  const grouping *g = given;

  for (int64_t p = first; p < last; p++)
    if (g->parts[p].wanted) LOCUS_TRY(take_own(g, p, cx));
  return 0;
}

/* -- Sections, divided by part ------------------------------------------------------------------
 */

static ALWAYS_INLINE void copy_own(const divided *to, const uint32_t *places, const char *x,
                                   const uint16_t *own, int64_t n, int bits, int64_t item)
{
  uint32_t *const ids = to->ids;
  char *const elements = to->x;

  for (int64_t i = 0; i < n; i++) {
    ids[i] = places[own[i]] >> bits;
    if (item) memcpy(elements + i * item, x + own[i] * item, (size_t)item);
  }
}

/* Divides the rows of a block, each part's in their order. */
static void divide_block(const grouping *g, const uint32_t *places, const char *x, int64_t n,
                         divided *to)
{
  uint16_t own[BLOCK + 64];
  int64_t count = 0;

  for (int64_t p = 0; p < part_count(g); p++) {
    to->start[p] = (uint16_t)count;
    count += find_own(places, n, p, g->bits, own + count);
  }
  to->start[part_count(g)] = (uint16_t)count;
  switch (g->item) {
  case 0: copy_own(to, places, x, own, n, g->bits, 0); break;
  case 1: copy_own(to, places, x, own, n, g->bits, 1); break;
  case 2: copy_own(to, places, x, own, n, g->bits, 2); break;
  case 4: copy_own(to, places, x, own, n, g->bits, 4); break;
  default: copy_own(to, places, x, own, n, g->bits, 8); break;
  }
}

static int64_t section_rows(const grouping *g)
{
  return g->chunks * g->chunk_blocks * g->block_rows;
}

static int divide_chunk(const grouping *g, int64_t chunk, locus_context *cx)
{
  const int64_t chunk_rows = g->chunk_blocks * g->block_rows, begin = g->first + chunk * chunk_rows;
  divided *to = g->blocks[0] + chunk * g->chunk_blocks;
  reader r;
  int64_t n;

  if (begin >= g->job->rows.numel) return 0;
  reader_open(&r, g, begin, least(begin + chunk_rows, g->job->rows.numel));
  for (;; to++) {
    LOCUS_TRY(read_groups(&r, r.places, &n, cx));
    if (n == 0) return 0;
    divide_block(g, r.places, g->item ? read_elements(&r) : NULL, n, to);
  }
}

/* Takes the rows of the section before, for one part. */
static int take_divided(const grouping *g, int64_t part, locus_context *cx)
{
  const int64_t begin = g->first - section_rows(g);
  const int64_t count = least(section_rows(g), g->job->rows.numel - begin);

  if (begin < 0 || !g->parts[part].wanted) return 0;
  for (int64_t k = 0; k * g->block_rows < count; k++) {
    const divided *own = &g->blocks[1][k];
    const int64_t first = own->start[part], n = own->start[part + 1] - first;
    if (k % CHUNK_BLOCKS == 0) LOCUS_TRY(locus_poll(cx));
    if (n > 0)
      g->take(&g->parts[part], &(rows){n, own->ids + first, own->x + first * g->item, NULL});
  }
  return 0;
}

/* Items are the parts, then the chunks. */
static int section_part(const void *given, int64_t first, int64_t last, locus_context *cx)
{
  const grouping *g = given;
  const int64_t parts = part_count(g);

  for (int64_t i = first; i < last; i++)
    LOCUS_TRY(i < parts ? take_divided(g, i, cx) : divide_chunk(g, i - parts, cx));
  return 0;
}

/* -- A pass ------------------------------------------------------------------------------------ */

/* Takes all rows in their order, for the parts that want it. */
static int take_pass(grouping *g, take_rows *take, locus_context *cx)
{
  const int64_t parts = part_count(g);
  bool wanted = false;

  for (int64_t p = 0; p < g->tables; p++) wanted |= g->parts[p].wanted;
  if (!wanted) return 0;
  g->take = take;
  if (g->strategy != DIVIDED) return locus_parallel(own_part, g, g->tables, 1, cx);
  for (g->first = 0; g->first < g->job->rows.numel + section_rows(g); g->first += section_rows(g)) {
    divided *const before = g->blocks[0];
    LOCUS_TRY(locus_parallel(section_part, g, parts + g->chunks, 1, cx));
    g->blocks[0] = g->blocks[1];
    g->blocks[1] = before;
  }
  return 0;
}

static int step_part(const void *given, int64_t first, int64_t last, locus_context *cx)
{
  const grouping *g = given;

  LOCUS_TRY(locus_poll(cx));
  for (int64_t p = first; p < last; p++) g->step(g, (totals *)&g->parts[p]);
  return 0;
}

/* The work for each group between two passes. */
static int take_step(grouping *g, void (*step)(const grouping *, totals *), locus_context *cx)
{
  const int64_t all = g->job->groups.numel;

  g->step = step;
  return locus_parallel(step_part, g, g->tables, all > SLOW_GRAIN ? 1 : g->tables, cx);
}

static int join_part(const void *given, int64_t begin, int64_t end, locus_context *cx)
{
  const grouping *g = given;

  for (int64_t t = 1; t < g->tables; t++) {
    LOCUS_TRY(locus_poll(cx));
    g->how->join(&g->parts[0], &g->parts[t], begin, end);
  }
  return 0;
}

/* Makes one table of those of the ranges of rows. */
static int join_tables(grouping *g, locus_context *cx)
{
  if (g->strategy != BY_ROWS) return 0;
  LOCUS_TRY(locus_parallel(join_part, g, g->job->groups.numel, SLOW_GRAIN, cx));
  g->tables = 1;
  return 0;
}

/* -- Parts, and memory for them ---------------------------------------------------------------- */

/* Whether rows in the middle are mostly of the group of the one before. */
static int are_runs(const grouping *g, bool *runs, locus_context *cx)
{
  const int64_t numel = g->job->rows.numel, begin = numel / 2;
  reader r;
  int64_t n;

  reader_open(&r, g, begin, least(begin + BLOCK, numel));
  LOCUS_TRY(read_groups(&r, r.places, &n, cx));
  *runs = in_runs(r.places, n);
  return 0;
}

/* Chooses the strategy and how many tables there are. */
static int plan_parts(grouping *g, locus_context *cx)
{
  const int64_t groups = g->job->groups.numel, numel = g->job->rows.numel;
  const int64_t bytes = groups * (8 * g->how->words + 1);
  const int threads = locus_cpu_threads();
  const bool small = locus_small_pieces();
  bool runs;

  g->tables = 1;
  if (threads < 2 || groups < 2 || numel < (small ? 2 : SHARED_ROWS)) return 0;
  if (g->how->join && bytes <= TABLE_BYTES && groups <= numel / threads) {
    g->strategy = BY_ROWS;
    g->tables = least(threads, MOST_PARTS);
    return 0;
  }
  LOCUS_TRY(are_runs(g, &runs, cx));
  if (threads > FEW_THREADS) g->strategy = runs ? ALONE : DIVIDED;
  else if (small) g->strategy = bytes > 64 ? BY_GROUPS : ALONE;
  else g->strategy = bytes > TABLE_BYTES && g->how->finds == NO_MEANS ? BY_GROUPS : ALONE;
  if (g->strategy == ALONE) return 0;
  while (part_count(g) < threads && 2 * part_count(g) <= least(groups, MOST_PARTS)) g->bits++;
  g->tables = part_count(g);
  return 0;
}

static int64_t groups_of(const grouping *g, int64_t part)
{
  return (g->job->groups.numel - part + part_count(g) - 1) >> g->bits;
}

/* So far from each other no two parts share lines of a cache. */
static int64_t apart(int64_t bytes)
{
  return (bytes + 255) & ~(int64_t)127;
}

/* Gives each table its share of the memory, which is cleared; without memory counts the bytes. */
static int64_t place_parts(grouping *g, char *memory)
{
  const int64_t words = g->how->words;
  int64_t bytes = 0;

  for (int64_t p = 0; p < g->tables; p++) {
    const int64_t groups = g->bits ? groups_of(g, p) : g->job->groups.numel;
    if (memory) {
      g->parts[p] = (totals){.groups = groups, .wanted = true, .state = memory + bytes};
      g->parts[p].group = words > 1 ? (counted *)(memory + bytes) : NULL;
      g->parts[p].seen = (uint8_t *)memory + bytes + 8 * words * groups;
    }
    bytes += g->tables > 1 ? apart(groups * (8 * words + 1)) : groups * (8 * words + 1);
  }
  return bytes;
}

/* The same for the blocks of two sections. */
static int64_t place_blocks(grouping *g, char *memory)
{
  const int64_t blocks = g->chunks * g->chunk_blocks, own = g->block_rows * (g->item + 4);
  const int64_t heads = blocks * (int64_t)sizeof(divided);

  for (int k = 0; memory && k < 2; k++, memory += heads + blocks * own) {
    g->blocks[k] = (divided *)memory;
    for (int64_t i = 0; i < blocks; i++) {
      g->blocks[k][i].x = memory + heads + i * own;
      g->blocks[k][i].ids = (uint32_t *)(memory + heads + i * own + g->block_rows * g->item);
    }
  }
  return 2 * (heads + blocks * own);
}

/* How large a section is. */
static void plan_section(grouping *g)
{
  const int64_t numel = g->job->rows.numel;

  g->chunk_blocks = locus_small_pieces() ? 1 : CHUNK_BLOCKS;
  g->chunks =
      least(CHUNKS * locus_cpu_threads(), (numel - 1) / (g->chunk_blocks * g->block_rows) + 1);
}

#endif
