/* SPDX-License-Identifier: MIT */
/* The access of every elementwise runner to memory. A job's grid is walked in blocks. For each
** block an operand is a contiguous run in the dtype that the kernel wants: the user's own memory if
** it is that already, else a gathered and converted copy in L1. So a kernel is one contiguous loop,
** and strides, broadcasting and mixed dtypes exist only here. */
#ifndef LOCUS_BLOCK_H
#define LOCUS_BLOCK_H

#include "cpu/block/walk.h"

/* An output of at least that many bytes leaves the caches before it is read, so it is stored around
** them, by non-temporal stores. A smaller one is mostly still cached when it is read next, and a
** detour through memory would cost more than it saves here. */
enum { NONTEMPORAL_BYTES = 8 << 20 };
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
/* As memcpy, with non-temporal stores wherever whole lines are written. */
void ISA(copy_nontemporal)(char *to, const char *from, int64_t bytes);

static inline void gather_run(void *run, const void *in, int64_t step, int64_t n, int64_t item)
{
  ISA(gather_tile)(run, in, 0, step, 1, n, item);
}

static inline void scatter_run(void *out, int64_t step, const void *run, int64_t n, int64_t item)
{
  ISA(scatter_tile)(out, 0, step, run, 1, n, item);
}

/* -- operands on a walk ------------------------------------------------------------------------ */

/* A dtype that a kernel may use instead of float16: float32, rounded once, if no intermediate must
** be rounded to float16. */
static inline locus_dtype computed_in(locus_dtype dtype, const locus_operand *const *operands,
                                      int count)
{
  if (dtype != LOCUS_f16) return dtype;
  for (int i = 0; i < count; i++)
    if (operands[i]->dtype != dtype) return dtype;
  return LOCUS_f32;
}

/* Elements of the largest block that is copied. */
enum { ROOM = (int)BLOCK > (int)LOCUS_SUM_BLOCK ? BLOCK : LOCUS_SUM_BLOCK };

/* An operand on a walk. */
typedef struct cursor {
  const locus_operand *operand;
  char *data;        /* its elements, or the one value */
  locus_dtype dtype; /* what the kernel sees */
  int64_t item;      /* bytes of the operand's own elements */
  bool straight;     /* a block's elements follow each other in memory */
  bool direct;       /* the kernel may use the memory itself */
  bool nontemporal;  /* blocks of an output are copied there around the caches */
  bool repeats;      /* every block is the beginning of the same run, */
  int64_t made;      /* and this many of its elements have been made */
  bool stepped;      /* the kernel takes one element for a block of equal ones, */
  int step;          /* which have a step of 0, others of 1 */
  _Alignas(64) char own[ROOM * 16], converted[ROOM * 16];
} cursor;

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

/* The number of elements worth sharing among threads: one costs about 0.3 ns if memory is read and
** written in place, and 1.5 ns with strides or conversions of halves. */
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
static inline void cursor_open(cursor *c, const locus_grid *grid, const locus_operand *operand,
                               locus_dtype dtype)
{
  c->operand = operand;
  c->data = operand->data ? operand->data : (char *)&operand->value;
  c->dtype = dtype;
  c->item = locus_dtype_size(operand->dtype);
  c->straight = operand_dense(grid, operand);
  c->direct = c->straight && operand->dtype == dtype;
  c->nontemporal = false;
  c->repeats = !c->straight;
  for (int d = 0; d < grid->ndim; d++) c->repeats &= operand->stride[d] == 0;
  c->made = 0;
  c->stepped = false;
  c->step = 1;
}

/* Binds an input of a kernel that takes a step: if a block repeats one element, the element is
** given once, with a step of 0. */
static inline void cursor_open_stepped(cursor *c, const locus_grid *grid,
                                       const locus_operand *operand, locus_dtype dtype)
{
  cursor_open(c, grid, operand, dtype);
  c->stepped = true;
  c->step = !c->repeats;
}

/* Binds an output that is stored around the caches if it is large. With by_kernel the kernel does
** that itself when it writes to the memory directly. */
static inline void cursor_open_nontemporal(cursor *c, const locus_grid *grid,
                                           const locus_operand *operand, locus_dtype dtype,
                                           bool by_kernel)
{
  cursor_open(c, grid, operand, dtype);
  c->nontemporal =
      c->straight && grid->numel >= NONTEMPORAL_BYTES / c->item && !(c->direct && by_kernel);
  c->direct &= !c->nontemporal;
}

/* Blocks are large only when no cursor needs a buffer. */
static inline int64_t most_per_block(const cursor *const *cursors, int count)
{
  for (int i = 0; i < count; i++)
    if (!cursors[i]->direct && cursors[i]->step) return BLOCK;
  return DIRECT_BLOCK;
}

/* Starts at the first element, in grid order. */
static inline void walk_begin(walk *w, const locus_grid *grid, const cursor *const *cursors,
                              int count)
{
  walk_start(w, grid, most_per_block(cursors, count));
}

/* Adapts a cursor to a walk by tiles. */
static inline void cursor_settle(cursor *c, const walk *w)
{
  const int64_t *stride = c->operand->stride, *size = w->grid->size;
  const int last = w->grid->ndim - 1;
  const bool whole_rows = w->columns == size[last];

  c->straight =
      stride[last] == 1 && (w->rows == 1 || (whole_rows && stride[w->across] == size[last]));
  c->direct = c->straight && c->operand->dtype == c->dtype;
  c->step = !c->stepped || stride[last] != 0 || (w->rows > 1 && stride[w->across] != 0);
  c->repeats = !c->direct && (whole_rows || stride[last] == 0);
  for (int d = 0; d < last; d++) c->repeats &= stride[d] == 0;
}

/* Starts a walk in the order that suits the cursors best. */
static inline void walk_begin_freely(walk *w, const locus_grid *grid, cursor *const *cursors,
                                     int count)
{
  const cursor *const *const all = (const cursor *const *)cursors;
  int nearer = -1;

  walk_begin(w, grid, all, count);
  if (grid->ndim == 1) return;
  for (int i = 0; i < count && nearer < 0; i++)
    nearer = nearer_dimension(grid, cursors[i]->operand);
  walk_freely(w, nearer);
  for (int i = 0; i < count; i++) cursor_settle(cursors[i], w);
  if (w->rows == 1)
    walk_by_tiles(w, w->across, 1, least(grid->size[grid->ndim - 1], most_per_block(all, count)));
}

static inline char *operand_at(const walk *w, const locus_operand *operand, int64_t item)
{
  return operand->data + walk_offset(w, operand->stride) * item;
}

static inline char *cursor_at(const cursor *c, const walk *w)
{
  return c->data + walk_offset(w, c->operand->stride) * c->item;
}

/* Prefetches the tile to the right, line by line along the shorter steps. Always inline: GCC drops
** calls of a function that does nothing but prefetch. */
static ALWAYS_INLINE void prefetch_right(const cursor *c, const walk *w, const char *place)
{
  const int last = w->grid->ndim - 1;
  const int64_t across = c->operand->stride[w->across], along = c->operand->stride[last];
  const bool by_rows = along <= across;
  const int64_t lines = by_rows ? w->rows : w->columns, step = (by_rows ? across : along) * c->item;
  const int64_t bytes = by_rows ? w->columns * along * c->item : w->rows * across * c->item;

  if (w->index[last] + 2 * w->columns > w->grid->size[last]) return;
  place += w->columns * along * c->item;
  for (int64_t i = 0; i < lines; i++)
    for (int64_t at = 0; at < bytes; at += 64) __builtin_prefetch(place + i * step + at);
}

static inline void move_tile(const cursor *c, const walk *at, int64_t rows, int64_t columns,
                             char *run, bool into_run)
{
  const int64_t *stride = c->operand->stride, step = stride[at->grid->ndim - 1];
  char *place = cursor_at(c, at);

  if (at->rows > 1) prefetch_right(c, at, place);
  if (into_run) ISA(gather_tile)(run, place, stride[at->across], step, rows, columns, c->item);
  else ISA(scatter_tile)(place, stride[at->across], step, run, rows, columns, c->item);
}

/* Copies a block from its place to a contiguous run, or back; in grid order by pieces of rows. */
static inline void move_block(const cursor *c, const walk *w, char *run, bool into_run)
{
  const int last = w->grid->ndim - 1;
  walk at = *w;

  if (w->tiled) {
    move_tile(c, w, tile_rows(w), tile_columns(w), run, into_run);
    return;
  }
  for (int64_t left = w->count; left > 0; left -= at.count) {
    at.count = least(left, w->grid->size[last] - at.index[last]);
    move_tile(c, &at, 1, at.count, run, into_run);
    run += at.count * c->item;
    walk_advance(&at);
  }
}

/* The block of an input, ready for the kernel. */
static inline const void *cursor_read(cursor *c, const walk *w)
{
  const locus_dtype dtype = c->operand->dtype;
  const int64_t n = c->step ? w->count : 1;
  const bool straight = c->straight || !c->step;
  const char *own = straight ? cursor_at(c, w) : c->own;

  if (!c->repeats || c->made < n) {
    if (!straight) move_block(c, w, c->own, true);
    if (dtype != c->dtype) ISA(cast_of)(dtype, c->dtype)(c->converted, own, n);
    c->made = n;
  }
  return dtype == c->dtype ? own : c->converted;
}

/* The place to which the kernel writes its block: the memory itself, or a buffer for
** cursor_write. */
static inline void *cursor_target(cursor *c, const walk *w)
{
  return c->direct ? cursor_at(c, w) : c->converted;
}

/* Stores a run in the kernel's dtype at the place of a block. */
static inline void cursor_put(cursor *c, const walk *w, const void *run)
{
  const locus_dtype dtype = c->operand->dtype;
  const bool there = c->straight && !c->nontemporal;
  char *to = there ? cursor_at(c, w) : c->own;

  if (dtype != c->dtype) ISA(cast_of)(c->dtype, dtype)(to, run, w->count);
  else if (there) memcpy(to, run, (size_t)(w->count * c->item));
  else to = (char *)run;
  if (c->nontemporal) ISA(copy_nontemporal)(cursor_at(c, w), to, w->count * c->item);
  else if (!there) move_block(c, w, to, false);
}

/* Stores the block that the kernel has written, unless that is its place. */
static inline void cursor_write(cursor *c, const walk *w)
{
  if (!c->direct) cursor_put(c, w, c->converted);
}

#endif
