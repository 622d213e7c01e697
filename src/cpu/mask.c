/* SPDX-License-Identifier: MIT */
/* Runners of mask and count: one read of the input, 64 elements to a word. An element is nonzero
** when it has a set bit that is no sign: so NaN is and -0.0 is not, and only widths matter. */
#include "cpu/block.h"

/* The bits of the pairs of which either is set. */
static inline uint64_t either_of_pairs(uint64_t word)
{
  word = (word | word >> 1) & 0x5555555555555555u;
  word = (word | word >> 1) & 0x3333333333333333u;
  word = (word | word >> 2) & 0x0f0f0f0f0f0f0f0fu;
  word = (word | word >> 4) & 0x00ff00ff00ff00ffu;
  word = (word | word >> 8) & 0x0000ffff0000ffffu;
  return (word | word >> 16) & 0x00000000ffffffffu;
}

static inline uint64_t mask64_16(const void *in, uint64_t keep)
{
  const char *x = in;
  const uint64_t low = either_of_pairs(mask64_8(x, keep));
  return low | either_of_pairs(mask64_8(x + 512, keep)) << 32;
}

#define TEMPLATE "cpu/mask.inc"
#include "cpu/each_width.h"

typedef int64_t mask_run(const void *in, int64_t n, uint64_t keep, uint64_t *bits);

static mask_run *mask_of_width(int64_t width)
{
  switch (width) {
  case 1: return mask_run_1;
  case 2: return mask_run_2;
  case 4: return mask_run_4;
  case 8: return mask_run_8;
  default: return mask_run_16;
  }
}

/* The bits of an element that make it nonzero, 64 of them at a time. */
static uint64_t bits_that_count(locus_dtype dtype)
{
  switch (dtype) {
  case LOCUS_f16:
  case LOCUS_bf16: return 0x7fff;
  case LOCUS_f32:
  case LOCUS_c64: return 0x7fffffff7fffffffu;
  case LOCUS_f64:
  case LOCUS_c128: return 0x7fffffffffffffffu;
  default: return UINT64_MAX;
  }
}

/* The elements of some chunks, on their way to bits. */
typedef struct front {
  stream in;
  walk w;
  mask_run *run;
  uint64_t keep;
} front;

_Static_assert(LOCUS_CHUNK % DIRECT_BLOCK == 0, "a block lies within a chunk");

static void front_open(front *f, const locus_grid *grid, const locus_operand *in, int64_t begin,
                       int64_t end)
{
  f->run = mask_of_width(locus_dtype_size(in->dtype));
  f->keep = bits_that_count(in->dtype);
  stream_open(&f->in, grid, in, in->dtype);
  walk_begin(&f->w, grid, (const stream *[]){&f->in}, 1);
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
        f.run(stream_read(&f.in, &f.w), f.w.count, f.keep, job->bits + f.w.at / 64);
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
    count += f.run(stream_read(&f.in, &f.w), f.w.count, f.keep, NULL);
  }
  __atomic_fetch_add(job->count, count, __ATOMIC_RELAXED);
  return 0;
}

/* Chunks that take about 20 us. */
static int64_t chunks_to_read(const locus_grid *grid, const locus_operand *in)
{
  return operand_dense(grid, in) ? 4 / least(4, locus_dtype_size(in->dtype)) : 1;
}

static int64_t chunks_of(int64_t numel)
{
  return (numel + LOCUS_CHUNK - 1) / LOCUS_CHUNK;
}

static int mask(const locus_mask_job *job, locus_context *cx)
{
  const int64_t chunks = chunks_of(job->grid.numel);

  job->first[0] = 0;
  LOCUS_TRY(locus_parallel(mask_part, job, chunks, chunks_to_read(&job->grid, &job->in), cx));
  for (int64_t c = 0; c < chunks; c++) job->first[c + 1] += job->first[c];
  *job->count = job->first[chunks];
  return 0;
}

static int count_nonzero(const locus_count_job *job, locus_context *cx)
{
  *job->count = 0;
  return locus_parallel(count_part, job, chunks_of(job->grid.numel),
                        chunks_to_read(&job->grid, &job->in), cx);
}
