/* SPDX-License-Identifier: MIT */
/* Rows divided by group among four threads and more: a radix partition (Manegold, Boncz and
** Kersten, Optimizing main-memory join on modern hardware, 2002). Group g goes to part g modulo the
** number of parts. The threads divide the blocks of a section of the rows by part, each stably, and
** take part by part the rows of the section before. So the rows of a group are taken in their
** order. It takes the processor time of two or three threads alone. */
#ifndef LOCUS_SEGMENT_DIVIDE_H
#define LOCUS_SEGMENT_DIVIDE_H

#include "cpu/isa/isa.h"
#include "cpu/reduce/segment_pass.h"

enum {
  CHUNKS = 4,               /* of a section for each thread, */
  CHUNK_BYTES = 576 * BLOCK /* of at most this many */
};

/* A block of rows by part: those of part p are start[p] .. start[p + 1] - 1. */
typedef struct divided {
  uint16_t start[MOST_PARTS + 1];
  uint32_t *ids;
  char *x; /* the elements of each column, one column behind the other */
} divided;

/* Two sections, and how large they are. */
typedef struct sections {
  const grouping *g;
  const stage *stage;
  divided *blocks[2]; /* of this section and the one before */
  int64_t chunks, chunk_blocks;
  int64_t first;              /* row of the section */
  int64_t item[MOST_COLUMNS]; /* bytes of an element of each column; 0: it is not divided */
  int64_t row_bytes;          /* of all that are divided, and of an id */
} sections;

/* Where the elements of a column begin in a block. */
static char *column_at(const sections *s, const divided *block, int k)
{
  int64_t before = 0;
  for (int i = 0; i < k; i++) before += s->item[i];
  return block->x + before * s->g->block_rows;
}

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

static ALWAYS_INLINE void copy_items(char *to, const char *x, const uint16_t *own, int64_t n,
                                     int64_t item)
{
  for (int64_t i = 0; i < n; i++) memcpy(to + i * item, x + own[i] * item, (size_t)item);
}

static void copy_own(char *to, const char *x, const uint16_t *own, int64_t n, int64_t item)
{
  switch (item) {
  case 1: copy_items(to, x, own, n, 1); break;
  case 2: copy_items(to, x, own, n, 2); break;
  case 4: copy_items(to, x, own, n, 4); break;
  default: copy_items(to, x, own, n, 8); break;
  }
}

/* Divides the rows of a block, each part's in their order. */
static void divide_block(const sections *s, reader *r, int64_t n, divided *to)
{
  const int bits = s->g->bits;
  uint16_t own[BLOCK + 64];
  int64_t count = 0;

  for (int64_t p = 0; p < part_count(s->g); p++) {
    to->start[p] = (uint16_t)count;
    count += find_own(r->places, n, p, bits, own + count);
  }
  to->start[part_count(s->g)] = (uint16_t)count;
  for (int64_t i = 0; i < n; i++) to->ids[i] = r->places[own[i]] >> bits;
  for (int k = 0; k < s->g->columns; k++)
    if (s->item[k]) copy_own(column_at(s, to, k), read_column(r, k), own, n, s->item[k]);
}

static int64_t section_rows(const sections *s)
{
  return s->chunks * s->chunk_blocks * s->g->block_rows;
}

static int divide_blocks(const sections *s, reader *r, divided *to, locus_context *cx)
{
  int64_t n;

  for (;; to++) {
    LOCUS_TRY(read_groups(r, 0, s->g->job->groups.numel, &n, cx));
    if (n == 0) return 0;
    divide_block(s, r, n, to);
  }
}

static int divide_chunk(const sections *s, int64_t chunk, locus_context *cx)
{
  const grouping *g = s->g;
  const int64_t chunk_rows = s->chunk_blocks * g->block_rows;
  const int64_t begin = s->first + chunk * chunk_rows;

  if (begin >= g->job->rows.numel) return 0;
  reader *r = open_reader(g, begin, least(begin + chunk_rows, g->job->rows.numel));
  if (!r) return locus_fail_memory(cx, reader_bytes(g));
  const int status = divide_blocks(s, r, s->blocks[0] + chunk * s->chunk_blocks, cx);
  locus_memory_free(r, reader_bytes(g));
  return status;
}

/* Takes the rows of a block, for one part. */
static void take_divided(const sections *s, const divided *block, int64_t part)
{
  const grouping *g = s->g;
  const int64_t first = block->start[part], n = block->start[part + 1] - first;

  for (int k = 0; n > 0 && k < g->folds; k++) {
    const fold *f = &g->fold[k];
    if (!has_fold(g->divides, k)) continue;
    take_rows *const take = take_of(f, s->stage, &f->parts[part]);
    const char *x = column_at(s, block, f->read) + first * s->item[f->read];
    uint16_t kept[BLOCK];
    rows own = {n, block->ids + first, x, NULL};
    if (!take) continue;
    if (f->skips_nan) {
      const char *looks = column_at(s, block, f->looks) + first * s->item[f->looks];
      own.n = find_kept((const double *)looks, n, kept);
      if (own.n < n) own.own = kept;
    }
    take(&f->parts[part], &own);
  }
}

/* Takes the rows of the section before, for one part. */
static int take_section(const sections *s, int64_t part, locus_context *cx)
{
  const int64_t begin = s->first - section_rows(s);
  const int64_t count = least(section_rows(s), s->g->job->rows.numel - begin);

  for (int64_t k = 0; begin >= 0 && k * s->g->block_rows < count; k++) {
    if (k % 64 == 0) LOCUS_TRY(locus_poll(cx));
    take_divided(s, &s->blocks[1][k], part);
  }
  return 0;
}

/* Items are the parts, then the chunks. */
static int section_part(const void *given, int64_t first, int64_t last, locus_context *cx)
{
  const sections *s = given;
  const int64_t parts = part_count(s->g);

  for (int64_t i = first; i < last; i++)
    LOCUS_TRY(i < parts ? take_section(s, i, cx) : divide_chunk(s, i - parts, cx));
  return 0;
}

static bool stage_wanted(const sections *s)
{
  const grouping *g = s->g;

  for (int k = 0; k < g->folds; k++)
    for (int64_t p = 0; has_fold(g->divides, k) && p < part_count(g); p++)
      if (take_of(&g->fold[k], s->stage, &g->fold[k].parts[p])) return true;
  return false;
}

static int step_parts(const void *given, int64_t first, int64_t last, locus_context *cx)
{
  const sections *s = given;

  LOCUS_TRY(locus_poll(cx));
  for (int64_t p = first; p < last; p++) take_step(s->g, s->g->divides, p, s->stage);
  return 0;
}

static int run_sections(sections *s, locus_context *cx)
{
  const int64_t numel = s->g->job->rows.numel, parts = part_count(s->g);

  LOCUS_TRY(locus_parallel(step_parts, s, parts, 1, cx));
  for (s->stage = stages; s->stage < stages + STAGES; s->stage++) {
    const int64_t end = stage_wanted(s) ? numel + section_rows(s) : 0;
    for (s->first = 0; s->first < end; s->first += section_rows(s)) {
      divided *const before = s->blocks[0];
      LOCUS_TRY(locus_parallel(section_part, s, parts + s->chunks, 1, cx));
      s->blocks[0] = s->blocks[1];
      s->blocks[1] = before;
    }
    LOCUS_TRY(locus_parallel(step_parts, s, parts, 1, cx));
  }
  return 0;
}

/* Column k is divided. */
static void add_item(sections *s, int k)
{
  const method *how = s->g->column[k].how;

  if (s->item[k]) return;
  s->item[k] = how->numbers              ? (int64_t)sizeof(int64_t)
               : how->in != LOCUS_DTYPES ? locus_dtype_size(how->in)
                                         : 0;
  s->row_bytes += s->item[k];
}

/* How large a section is, and the bytes for two of them. */
static int64_t plan_sections(sections *s)
{
  const grouping *g = s->g;
  const int64_t numel = g->job->rows.numel;

  s->row_bytes = (int64_t)sizeof(uint32_t);
  for (int k = 0; k < g->folds; k++) {
    const fold *f = &g->fold[k];
    if (!has_fold(g->divides, k)) continue;
    add_item(s, f->read);
    if (f->skips_nan) add_item(s, f->looks);
  }
  s->chunk_blocks = locus_small_pieces() ? 1 : CHUNK_BYTES / (s->row_bytes * g->block_rows);
  s->chunks =
      least(CHUNKS * locus_cpu_threads(), (numel - 1) / (s->chunk_blocks * g->block_rows) + 1);
  return 2 * s->chunks * s->chunk_blocks *
         ((int64_t)sizeof(divided) + g->block_rows * s->row_bytes);
}

static void place_sections(sections *s, char *memory)
{
  const int64_t blocks = s->chunks * s->chunk_blocks, own = s->g->block_rows * s->row_bytes;
  const int64_t ids = s->g->block_rows * (int64_t)sizeof(uint32_t);

  for (int k = 0; k < 2; k++, memory += blocks * ((int64_t)sizeof(divided) + own)) {
    char *const first = memory + blocks * (int64_t)sizeof(divided);
    s->blocks[k] = (divided *)memory;
    for (int64_t i = 0; i < blocks; i++) {
      s->blocks[k][i].ids = (uint32_t *)(first + i * own + own - ids);
      s->blocks[k][i].x = first + i * own;
    }
  }
}

/* Takes the folds whose rows are divided, all threads together. */
static int take_divided_folds(const grouping *g, locus_context *cx)
{
  sections s = {.g = g};

  if (g->divides == 0) return 0;
  const int64_t bytes = plan_sections(&s);
  char *memory = locus_memory_alloc(bytes);
  if (!memory) return locus_fail_memory(cx, bytes);
  place_sections(&s, memory);
  const int status = run_sections(&s, cx);
  locus_memory_free(memory, bytes);
  return status;
}

#endif
