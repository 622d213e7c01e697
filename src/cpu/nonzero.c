/* SPDX-License-Identifier: MIT */
/* Runners of mask, nonzero and masked_select: one read of the input into bits, then everything
** else from the bits. */
#include "cpu/block.h"

#define TEMPLATE "cpu/mask.inc"
#include "cpu/each_dtype.h"

typedef uint64_t mask_word(const void *in, int64_t n);

static mask_word *const mask_words[LOCUS_DTYPES] = {
#define DTYPE(id, element, value, kind, name) mask_word_##id,
#include "core/dtype.def"
#undef DTYPE
};

static int mask(const locus_mask_job *job, locus_context *cx)
{
  mask_word *const word_of = mask_words[job->in.dtype];
  const int64_t item = locus_dtype_size(job->in.dtype);
  int64_t count = 0;
  stream in;
  walk w;

  stream_open(&in, &job->grid, &job->in, job->in.dtype);
  walk_begin(&w, &job->grid, (const stream *[]){&in}, 1);
  while (walk_next(&w)) { /* blocks are multiples of 64 elements, the last one excepted */
    LOCUS_TRY(locus_poll(cx));
    const char *run = stream_read(&in, &w);
    for (int64_t i = 0; i < w.count; i += 64) {
      uint64_t word = word_of(run + i * item, least(64, w.count - i));
      job->bits[(w.at + i) / 64] = word;
      count += __builtin_popcountll(word);
    }
  }
  *job->count = count;
  return 0;
}

/* The row-major coordinates of a flat index. */
static void coordinates(const locus_shape *shape, int64_t flat, int64_t *index)
{
  for (int d = shape->ndim - 1; d >= 0; d--) {
    index[d] = flat % shape->size[d];
    flat /= shape->size[d];
  }
}

static int nonzero(const locus_nonzero_job *job, locus_context *cx)
{
  const int64_t words = (job->numel + 63) / 64;
  int64_t row = 0, index[LOCUS_MAX_DIMS];

  for (int64_t i = 0; i < words && row < job->limit; i++) {
    if (i % BLOCK == 0) LOCUS_TRY(locus_poll(cx));
    for (uint64_t word = job->bits[i]; word && row < job->limit; word &= word - 1, row++) {
      coordinates(&job->shape, i * 64 + __builtin_ctzll(word), index);
      for (int d = 0; d < job->shape.ndim; d++)
        job->out[row * job->row_stride + d * job->dim_stride] = index[d] + job->base;
    }
  }
  return 0;
}

static int masked_select(const locus_select_job *job, locus_context *cx)
{
  const int64_t item = locus_dtype_size(job->in.dtype);
  char *out = job->out;
  stream in;
  walk w;

  stream_open(&in, &job->grid, &job->in, job->in.dtype);
  walk_begin(&w, &job->grid, (const stream *[]){&in}, 1);
  while (walk_next(&w)) {
    LOCUS_TRY(locus_poll(cx));
    const char *run = stream_read(&in, &w);
    for (int64_t i = 0; i < w.count; i += 64) {
      for (uint64_t word = job->bits[(w.at + i) / 64]; word; word &= word - 1) {
        memcpy(out, run + (i + __builtin_ctzll(word)) * item, (size_t)item);
        out += job->out_step * item;
      }
    }
  }
  return 0;
}
