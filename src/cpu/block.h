/* SPDX-License-Identifier: MIT */
/* How every elementwise runner meets memory. A job's grid is walked in blocks of consecutive
** elements; for each block an operand is given as a contiguous run in the dtype the kernel wants:
** the user's own memory when it is that already, else a gathered and converted copy in L1. So a
** kernel is one contiguous loop, and strides, broadcasting and mixed dtypes exist only here. */
#ifndef LOCUS_BLOCK_H
#define LOCUS_BLOCK_H

#include "cpu/kernel.h"

enum { BLOCK = 1024, DIRECT_BLOCK = 64 * BLOCK };
enum { PAST_CACHES = 2 << 20 }; /* an output of so many bytes is in no cache when it is read next */
enum { GRAIN = 64 * BLOCK, SLOW_GRAIN = 16 * BLOCK }; /* elements worth 20 us */

typedef void cast_run(void *out, const void *in, int64_t n);

#define TEMPLATE "cpu/cast.inc"
#include "cpu/each_dtype.h"
#define TEMPLATE "cpu/move.inc"
#include "cpu/each_width.h"

/* casts[from][to] */
static cast_run *const casts[LOCUS_DTYPES][LOCUS_DTYPES] = {
#define CASTS_FROM(id)                                                                        \
  [LOCUS_##id] = {cast_b8_from_##id,  cast_u8_from_##id,   cast_i8_from_##id,                 \
                  cast_i16_from_##id, cast_i32_from_##id,  cast_i64_from_##id,                \
                  cast_f16_from_##id, cast_bf16_from_##id, cast_f32_from_##id,                \
                  cast_f64_from_##id, cast_c64_from_##id,  cast_c128_from_##id},
#define DTYPE(id, element, value, kind, name) CASTS_FROM(id)
#include "core/dtype.def"
#undef DTYPE
#undef CASTS_FROM
};

static cast_run *cast_of(locus_dtype from, locus_dtype to)
{
  if (from == LOCUS_f16 && to == LOCUS_f32) return widen_f16;
  if (from == LOCUS_f32 && to == LOCUS_f16) return narrow_f16;
  return casts[from][to];
}

/* What a kernel for float16 may read and write instead: float32, rounded once, where nothing else
** is to be rounded to float16 first. */
static locus_dtype computed_in(locus_dtype dtype, const locus_operand *const *operands, int count)
{
  if (dtype != LOCUS_f16) return dtype;
  for (int i = 0; i < count; i++)
    if (operands[i]->dtype != dtype) return dtype;
  return LOCUS_f32;
}

/* Where a walk stands: the next element is number `at`, at `index` in the grid. */
typedef struct walk {
  const locus_grid *grid;
  int64_t at, count; /* the block is count elements from at */
  int64_t end;       /* where the walk ends */
  int64_t most;      /* elements per block */
  int64_t index[LOCUS_MAX_DIMS];
} walk;

/* An operand on a walk. */
typedef struct stream {
  const locus_operand *operand;
  locus_dtype dtype; /* what the kernel sees */
  int64_t item;      /* bytes of the operand's own elements */
  bool straight;     /* a block's elements follow each other in memory */
  bool direct;       /* the kernel may use the memory itself */
  bool past;         /* a block of an output is converted, then goes past the caches */
  bool constant;     /* every element is the same; */
  int64_t made;      /* so many of it have been made */
  int step;          /* 0: the kernel is given one element for a whole block, else 1 */
  _Alignas(64) char own[BLOCK * 16], converted[BLOCK * 16];
} stream;

static bool operand_dense(const locus_grid *grid, const locus_operand *operand)
{
  return operand->data && grid->ndim == 1 && (operand->stride[0] == 1 || grid->size[0] == 1);
}

/* How many elements are worth sharing: they cost about 0.3 ns where memory is read and written as
** it lies, some 1.5 ns where strides are followed or halves converted. */
static int64_t grain_of(const locus_grid *grid, const locus_operand *const *operands, int count)
{
  for (int i = 0; i < count; i++) {
    const bool half = operands[i]->dtype == LOCUS_f16 || operands[i]->dtype == LOCUS_bf16;
    if (half || (operands[i]->data && !operand_dense(grid, operands[i]))) return SLOW_GRAIN;
  }
  return GRAIN;
}

static void gather_run(void *out, const void *in, int64_t step, int64_t n, int64_t item)
{
  switch (item) {
  case 1: gather_run_1(out, in, step, n); break;
  case 2: gather_run_2(out, in, step, n); break;
  case 4: gather_run_4(out, in, step, n); break;
  case 8: gather_run_8(out, in, step, n); break;
  default: gather_run_16(out, in, step, n); break;
  }
}

static void scatter_run(void *out, int64_t step, const void *in, int64_t n, int64_t item)
{
  switch (item) {
  case 1: scatter_run_1(out, step, in, n); break;
  case 2: scatter_run_2(out, step, in, n); break;
  case 4: scatter_run_4(out, step, in, n); break;
  case 8: scatter_run_8(out, step, in, n); break;
  default: scatter_run_16(out, step, in, n); break;
  }
}

/* Binds an operand; outputs and inputs alike. */
static void stream_open(stream *s, const locus_grid *grid, const locus_operand *operand,
                        locus_dtype dtype)
{
  s->operand = operand;
  s->dtype = dtype;
  s->item = locus_dtype_size(operand->dtype);
  s->straight = operand_dense(grid, operand);
  s->constant = !s->straight;
  for (int d = 0; d < grid->ndim; d++) s->constant &= operand->stride[d] == 0;
  s->direct = s->straight && operand->dtype == dtype;
  s->past = false;
  s->made = 0;
  s->step = 1;
}

/* Binds an input of a kernel that can do with one element, and a step of 0, where all are the
** same. */
static void stream_open_stepped(stream *s, const locus_grid *grid, const locus_operand *operand,
                                locus_dtype dtype)
{
  stream_open(s, grid, operand, dtype);
  s->step = !s->constant;
}

/* Binds an output whose converted blocks go past the caches where it is larger than they are. */
static inline void stream_open_past(stream *s, const locus_grid *grid,
                                    const locus_operand *operand, locus_dtype dtype)
{
  stream_open(s, grid, operand, dtype);
  s->past = s->straight && !s->direct && grid->numel >= PAST_CACHES / s->item;
}

/* Starts at the first element. Blocks are large only when no stream needs a buffer. */
static void walk_begin(walk *w, const locus_grid *grid, const stream *const *streams, int count)
{
  w->grid = grid;
  w->at = w->count = 0;
  w->end = grid->numel;
  w->most = DIRECT_BLOCK;
  for (int i = 0; i < count; i++)
    if (!streams[i]->direct && streams[i]->step) w->most = BLOCK;
  memset(w->index, 0, (size_t)grid->ndim * sizeof w->index[0]);
}

static void walk_advance(walk *w)
{
  const locus_grid *grid = w->grid;
  int64_t carry = w->count;

  w->at += w->count;
  for (int d = grid->ndim - 1; d >= 0 && carry; d--) {
    int64_t sum = w->index[d] + carry;
    if (d == 0 || sum < grid->size[d]) {
      w->index[d] = sum;
      return;
    }
    carry = sum / grid->size[d];
    w->index[d] = sum % grid->size[d];
  }
}

/* Limits a walk that has not begun to the elements begin .. end - 1 of the grid. */
static inline void walk_within(walk *w, int64_t begin, int64_t end)
{
  w->count = begin;
  walk_advance(w);
  w->count = 0;
  w->end = end;
}

/* Moves on to the next block; false at the end. */
static bool walk_next(walk *w)
{
  if (w->count) walk_advance(w);
  w->count = least(w->most, w->end - w->at);
  return w->count > 0;
}

static char *operand_at(const walk *w, const locus_operand *operand, int64_t item)
{
  int64_t offset = 0;
  for (int d = 0; d < w->grid->ndim; d++) offset += w->index[d] * operand->stride[d];
  return operand->data + offset * item;
}

/* Carries a block between its strided place and a contiguous run, one inner row at a time. */
static void move_block(const walk *w, const locus_operand *operand, int64_t item, char *run,
                       bool into_run)
{
  const int inner = w->grid->ndim - 1;
  const int64_t step = operand->stride[inner];
  walk at = *w;

  for (int64_t left = w->count; left > 0; left -= at.count) {
    at.count = least(left, w->grid->size[inner] - at.index[inner]);
    char *element = operand_at(&at, operand, item);
    if (into_run) gather_run(run, element, step, at.count, item);
    else scatter_run(element, step, run, at.count, item);
    run += at.count * item;
    walk_advance(&at);
  }
}

/* The block of a straight stream in memory. */
static char *straight_block(const stream *s, const walk *w)
{
  return s->operand->data + w->at * s->item;
}

/* Every block of a constant is a piece of the same run, which grows as longer ones are read. */
static const void *constant_run(stream *s, int64_t n)
{
  const locus_operand *operand = s->operand;
  const void *one = operand->data ? operand->data : (const char *)&operand->value;

  if (s->made < n) {
    if (operand->dtype != s->dtype) {
      cast_of(operand->dtype, s->dtype)(s->own, one, 1);
      one = s->own;
    }
    gather_run(s->converted, one, 0, n, locus_dtype_size(s->dtype));
    s->made = n;
  }
  return s->converted;
}

/* The block of an input, ready for the kernel. */
static const void *stream_read(stream *s, const walk *w)
{
  const locus_dtype dtype = s->operand->dtype;
  const void *own = s->own;

  if (s->constant) return constant_run(s, s->step ? w->count : 1);
  if (s->straight) own = straight_block(s, w);
  else move_block(w, s->operand, s->item, s->own, true);
  if (dtype == s->dtype) return own;
  cast_of(dtype, s->dtype)(s->converted, own, w->count);
  return s->converted;
}

/* Where the kernel writes its block: the memory itself or a buffer for stream_write. */
static void *stream_target(stream *s, const walk *w)
{
  return s->direct ? straight_block(s, w) : s->converted;
}

/* As memcpy, past the caches where whole lines are written. */
static void copy_past(char *to, const char *from, int64_t bytes)
{
  const int64_t head = least(bytes, (int64_t)(-(uintptr_t)to % 64)), lines = (bytes - head) / 64;
  const int64_t tail = bytes - head - lines * 64;

  memcpy(to, from, (size_t)head);
  copy_lines(to + head, from + head, lines);
  memcpy(to + bytes - tail, from + bytes - tail, (size_t)tail);
}

/* Takes a block from the buffer to its place. */
static void stream_write(stream *s, const walk *w)
{
  const locus_dtype dtype = s->operand->dtype;
  char *run = s->converted;

  if (s->direct) return;
  if (dtype != s->dtype) {
    const bool there = s->straight && !s->past;
    run = there ? operand_at(w, s->operand, s->item) : s->own;
    cast_of(s->dtype, dtype)(run, s->converted, w->count);
    if (there) return;
  }
  if (s->past) copy_past(operand_at(w, s->operand, s->item), run, w->count * s->item);
  else move_block(w, s->operand, s->item, run, false);
}

#endif
