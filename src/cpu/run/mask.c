/* SPDX-License-Identifier: MIT */
/* Runners of mask and count_nonzero: one read of the input, 64 elements to a word. */
#include "cpu/mask/mask_tiles.h"

enum { CHUNKS_TO_COUNT = 64 }; /* in about 20 us, from bits */

/* The elements of some chunks, on their way to bits. */
typedef struct front {
  cursor in;
  walk w;
  mask_run *run;
  uint64_t keep;
} front;

_Static_assert(LOCUS_CHUNK % DIRECT_BLOCK == 0, "a block lies within a chunk");

static void front_open(front *f, const locus_grid *grid, const locus_operand *in, int64_t begin,
                       int64_t end)
{
  f->run = mask_runs[width_index(locus_dtype_size(in->dtype))];
  f->keep = locus_nonzero_bits(in->dtype);
  cursor_open(&f->in, grid, in, in->dtype);
  walk_begin(&f->w, grid, (const cursor *[]){&f->in}, 1);
  walk_within(&f->w, begin * LOCUS_CHUNK, least(end * LOCUS_CHUNK, grid->numel));
}

static int mask_part(const void *what, int64_t begin, int64_t end, locus_context *cx)
{
  const locus_mask_job *job = what;
  front f;

  front_open(&f, &job->grid, &job->in, begin, end);
  for (int64_t c = begin; c < end; c++) job->first[c + 1] = 0;
  while (walk_next(&f.w)) {
    LOCUS_TRY(locus_poll(cx));
    job->first[f.w.at / LOCUS_CHUNK + 1] +=
        f.run(cursor_read(&f.in, &f.w), f.w.count, f.keep, job->bits + f.w.at / 64);
  }
  return 0;
}

static int count_part(const void *what, int64_t begin, int64_t end, locus_context *cx)
{
  const locus_count_job *job = what;
  int64_t count = 0;
  front f;

  front_open(&f, &job->grid, &job->in, begin, end);
  while (walk_next(&f.w)) {
    LOCUS_TRY(locus_poll(cx));
    count += f.run(cursor_read(&f.in, &f.w), f.w.count, f.keep, NULL);
  }
  __atomic_fetch_add(job->count, count, __ATOMIC_RELAXED);
  return 0;
}

/* Counts the bits of chunks, which have been set. */
static int first_part(const void *what, int64_t begin, int64_t end, locus_context *cx)
{
  const locus_mask_job *job = what;
  const int64_t words = (job->grid.numel + 63) / 64, step = LOCUS_CHUNK / 64;

  for (int64_t c = begin; c < end; c++) {
    LOCUS_TRY(locus_poll(cx));
    int64_t set = 0;
    for (int64_t i = c * step; i < least((c + 1) * step, words); i++)
      set += count_bits(job->bits[i]);
    job->first[c + 1] = set;
  }
  return 0;
}

/* Chunks that take about 20 us. */
static int64_t chunks_to_read(const locus_grid *grid, const locus_operand *in)
{
  return operand_dense(grid, in) ? 4 / least(4, locus_dtype_size(in->dtype)) : 1;
}

int ISA(mask)(const locus_mask_job *job, locus_context *cx)
{
  const int64_t chunks = locus_chunks(job->grid.numel);
  tiles t;

  if (tiles_open(&t, job)) {
    LOCUS_TRY(locus_parallel(tiles_part, &t, t.blocks, t.grain, cx));
    LOCUS_TRY(locus_parallel(first_part, job, chunks, CHUNKS_TO_COUNT, cx));
  } else {
    LOCUS_TRY(locus_parallel(mask_part, job, chunks, chunks_to_read(&job->grid, &job->in), cx));
  }
  mask_add_up(job);
  return 0;
}

int ISA(count_nonzero)(const locus_count_job *job, locus_context *cx)
{
  *job->count = 0;
  return locus_parallel(count_part, job, locus_chunks(job->grid.numel),
                        chunks_to_read(&job->grid, &job->in), cx);
}
