/* SPDX-License-Identifier: MIT */
/* How every elementwise runner meets memory. A job's grid is walked in blocks; for each block an
** operand is given as a contiguous run in the dtype the kernel wants: the user's own memory when it
** is that already, else a gathered and converted copy in L1. So a kernel is one contiguous loop,
** and strides, broadcasting and mixed dtypes exist only here. */
#ifndef LOCUS_BLOCK_H
#define LOCUS_BLOCK_H

#include "cpu/block/walk.h"

enum { PAST_CACHES = 2 << 20 }; /* an output of so many bytes is in no cache when it is read next */
enum { GRAIN = 64 * BLOCK, SLOW_GRAIN = 16 * BLOCK }; /* elements worth 20 us */

/* -- casts.c ----------------------------------------------------------------------------------- */

typedef void cast_run(void *out, const void *in, int64_t n);
cast_run *ISA(cast_of)(locus_dtype from, locus_dtype to);

/* -- moves.c ----------------------------------------------------------------------------------- */

/* Rows of columns, `item` bytes each, to a contiguous run, and back. The steps, in elements, lead
** from one row, and from one column, to the next. */
void ISA(gather_tile)(void *run, const void *in, int64_t row_step, int64_t column_step,
                      int64_t rows, int64_t columns, int64_t item);
void ISA(scatter_tile)(void *out, int64_t row_step, int64_t column_step, const void *run,
                       int64_t rows, int64_t columns, int64_t item);
/* As memcpy, past the caches where whole lines are written. */
void ISA(copy_past)(char *to, const char *from, int64_t bytes);

static inline void gather_run(void *run, const void *in, int64_t step, int64_t n, int64_t item)
{
  ISA(gather_tile)(run, in, 0, step, 1, n, item);
}

static inline void scatter_run(void *out, int64_t step, const void *run, int64_t n, int64_t item)
{
  ISA(scatter_tile)(out, 0, step, run, 1, n, item);
}

/* -- operands on a walk ------------------------------------------------------------------------ */

/* What a kernel for float16 may read and write instead: float32, rounded once, where nothing else
** is to be rounded to float16 first. */
static inline locus_dtype computed_in(locus_dtype dtype, const locus_operand *const *operands,
                                      int count)
{
  if (dtype != LOCUS_f16) return dtype;
  for (int i = 0; i < count; i++)
    if (operands[i]->dtype != dtype) return dtype;
  return LOCUS_f32;
}

/* Elements of the largest block that is not used where it lies. */
enum { ROOM = (int)BLOCK > (int)LOCUS_SUM_BLOCK ? BLOCK : LOCUS_SUM_BLOCK };

/* An operand on a walk. */
typedef struct stream {
  const locus_operand *operand;
  char *data;        /* its elements, or the one value */
  locus_dtype dtype; /* what the kernel sees */
  int64_t item;      /* bytes of the operand's own elements */
  bool straight;     /* a block's elements follow each other in memory */
  bool direct;       /* the kernel may use the memory itself */
  bool past;         /* a block of an output goes past the caches */
  bool repeats;      /* every block is the beginning of the same run, */
  int64_t made;      /* of which so many elements have been made */
  bool stepped;      /* the kernel can do with one element for a block of equal ones: */
  int step;          /* then 0, else 1 */
  _Alignas(64) char own[ROOM * 16], converted[ROOM * 16];
} stream;

/* Whether the elements follow each other in memory in the order of the grid. */
static inline bool operand_dense(const locus_grid *grid, const locus_operand *operand)
{
  int64_t step = 1;

  if (!operand->data) return false;
  for (int d = grid->ndim - 1; d >= 0; d--) {
    if (grid->size[d] > 1 && operand->stride[d] != step) return false;
    step *= grid->size[d];
  }
  return true;
}

/* How many elements are worth sharing: they cost about 0.3 ns where memory is read and written as
** it lies, some 1.5 ns where strides are followed or halves converted. */
static inline int64_t grain_of(const locus_grid *grid, const locus_operand *const *operands,
                               int count)
{
  for (int i = 0; i < count; i++) {
    const bool half = operands[i]->dtype == LOCUS_f16 || operands[i]->dtype == LOCUS_bf16;
    if (half || (operands[i]->data && !operand_dense(grid, operands[i]))) return SLOW_GRAIN;
  }
  return GRAIN;
}

/* Binds an operand; outputs and inputs alike. */
static inline void stream_open(stream *s, const locus_grid *grid, const locus_operand *operand,
                               locus_dtype dtype)
{
  s->operand = operand;
  s->data = operand->data ? operand->data : (char *)&operand->value;
  s->dtype = dtype;
  s->item = locus_dtype_size(operand->dtype);
  s->straight = operand_dense(grid, operand);
  s->direct = s->straight && operand->dtype == dtype;
  s->past = false;
  s->repeats = !s->straight;
  for (int d = 0; d < grid->ndim; d++) s->repeats &= operand->stride[d] == 0;
  s->made = 0;
  s->stepped = false;
  s->step = 1;
}

/* Binds an input of a kernel that is told a step: 0 where a block is one element again and again,
** which is then given once. */
static inline void stream_open_stepped(stream *s, const locus_grid *grid,
                                       const locus_operand *operand, locus_dtype dtype)
{
  stream_open(s, grid, operand, dtype);
  s->stepped = true;
  s->step = !s->repeats;
}

/* Binds an output whose blocks go past the caches where it is larger than they are, unless the
** kernel that writes to the memory itself sees to that. */
static inline void stream_open_past(stream *s, const locus_grid *grid,
                                    const locus_operand *operand, locus_dtype dtype,
                                    bool by_kernel)
{
  stream_open(s, grid, operand, dtype);
  s->past = s->straight && grid->numel >= PAST_CACHES / s->item && !(s->direct && by_kernel);
  s->direct &= !s->past;
}

/* Blocks are large only when no stream needs a buffer. */
static inline int64_t most_per_block(const stream *const *streams, int count)
{
  for (int i = 0; i < count; i++)
    if (!streams[i]->direct && streams[i]->step) return BLOCK;
  return DIRECT_BLOCK;
}

/* Starts at the first element, in grid order. */
static inline void walk_begin(walk *w, const locus_grid *grid, const stream *const *streams,
                              int count)
{
  walk_start(w, grid, most_per_block(streams, count));
}

/* What becomes of a stream on a walk by tiles. */
static inline void stream_settle(stream *s, const walk *w)
{
  const int64_t *stride = s->operand->stride, *size = w->grid->size;
  const int last = w->grid->ndim - 1;
  const bool whole_rows = w->columns == size[last];

  s->straight = stride[last] == 1 &&
                (w->rows == 1 || (whole_rows && stride[w->across] == size[last]));
  s->direct = s->straight && s->operand->dtype == s->dtype;
  s->step = !s->stepped || stride[last] != 0 || (w->rows > 1 && stride[w->across] != 0);
  s->repeats = !s->direct && (whole_rows || stride[last] == 0);
  for (int d = 0; d < last; d++) s->repeats &= stride[d] == 0;
}

/* Starts a walk in the order that is best for the streams. */
static inline void walk_begin_freely(walk *w, const locus_grid *grid, stream *const *streams,
                                     int count)
{
  const stream *const *const all = (const stream *const *)streams;
  int nearer = -1;

  walk_begin(w, grid, all, count);
  if (grid->ndim == 1) return;
  for (int i = 0; i < count && nearer < 0; i++)
    nearer = nearer_dimension(grid, streams[i]->operand);
  walk_freely(w, nearer);
  for (int i = 0; i < count; i++) stream_settle(streams[i], w);
  if (w->rows == 1)
    walk_by_tiles(w, w->across, 1, least(grid->size[grid->ndim - 1], most_per_block(all, count)));
}

static inline char *operand_at(const walk *w, const locus_operand *operand, int64_t item)
{
  return operand->data + walk_offset(w, operand->stride) * item;
}

static inline char *stream_at(const stream *s, const walk *w)
{
  return s->data + walk_offset(w, s->operand->stride) * s->item;
}

/* Asks for the memory of the tile to the right, line by line along the shorter steps. Inline: a
** function that does nothing else is deleted. */
static ALWAYS_INLINE void prefetch_right(const stream *s, const walk *w, const char *place)
{
  const int last = w->grid->ndim - 1;
  const int64_t across = s->operand->stride[w->across], along = s->operand->stride[last];
  const bool by_rows = along <= across;
  const int64_t lines = by_rows ? w->rows : w->columns, step = (by_rows ? across : along) * s->item;
  const int64_t bytes = by_rows ? w->columns * along * s->item : w->rows * across * s->item;

  if (w->index[last] + 2 * w->columns > w->grid->size[last]) return;
  place += w->columns * along * s->item;
  for (int64_t i = 0; i < lines; i++)
    for (int64_t at = 0; at < bytes; at += 64) __builtin_prefetch(place + i * step + at);
}

static inline void move_tile(const stream *s, const walk *at, int64_t rows, int64_t columns,
                             char *run, bool into_run)
{
  const int64_t *stride = s->operand->stride, step = stride[at->grid->ndim - 1];
  char *place = stream_at(s, at);

  if (at->rows > 1) prefetch_right(s, at, place);
  if (into_run) ISA(gather_tile)(run, place, stride[at->across], step, rows, columns, s->item);
  else ISA(scatter_tile)(place, stride[at->across], step, run, rows, columns, s->item);
}

/* Carries a block between its place and a contiguous run; in grid order by pieces of rows. */
static inline void move_block(const stream *s, const walk *w, char *run, bool into_run)
{
  const int last = w->grid->ndim - 1;
  walk at = *w;

  if (w->tiled) {
    move_tile(s, w, tile_rows(w), tile_columns(w), run, into_run);
    return;
  }
  for (int64_t left = w->count; left > 0; left -= at.count) {
    at.count = least(left, w->grid->size[last] - at.index[last]);
    move_tile(s, &at, 1, at.count, run, into_run);
    run += at.count * s->item;
    walk_advance(&at);
  }
}

/* The block of an input, ready for the kernel. */
static inline const void *stream_read(stream *s, const walk *w)
{
  const locus_dtype dtype = s->operand->dtype;
  const int64_t n = s->step ? w->count : 1;
  const bool straight = s->straight || !s->step;
  const char *own = straight ? stream_at(s, w) : s->own;

  if (!s->repeats || s->made < n) {
    if (!straight) move_block(s, w, s->own, true);
    if (dtype != s->dtype) ISA(cast_of)(dtype, s->dtype)(s->converted, own, n);
    s->made = n;
  }
  return dtype == s->dtype ? own : s->converted;
}

/* Where the kernel writes its block: the memory itself or a buffer for stream_write. */
static inline void *stream_target(stream *s, const walk *w)
{
  return s->direct ? stream_at(s, w) : s->converted;
}

/* Takes a run of what the kernel sees to the place of a block. */
static inline void stream_put(stream *s, const walk *w, const void *run)
{
  const locus_dtype dtype = s->operand->dtype;
  const bool there = s->straight && !s->past;
  char *to = there ? stream_at(s, w) : s->own;

  if (dtype != s->dtype) ISA(cast_of)(s->dtype, dtype)(to, run, w->count);
  else if (there) memcpy(to, run, (size_t)(w->count * s->item));
  else to = (char *)run;
  if (s->past) ISA(copy_past)(stream_at(s, w), to, w->count * s->item);
  else if (!there) move_block(s, w, to, false);
}

/* Takes a block from the buffer to its place. */
static inline void stream_write(stream *s, const walk *w)
{
  if (!s->direct) stream_put(s, w, s->converted);
}

#endif
