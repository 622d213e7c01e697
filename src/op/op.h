/* SPDX-License-Identifier: MIT */
/* The ops. Each checks its arguments, promotes, allocates, makes jobs and passes them to the
** device's runners. All return 0, or -1 with cx->error filled and every argument as it was. `out`
** parameters follow op/ground/result.h: without storage they become the result. Dimensions and
** positions in C parameters are 0-based; the caller's positions count from `base`. */
#ifndef LOCUS_OP_H
#define LOCUS_OP_H

#include "op/ground/job.h"
#include "op/ground/kinds.h"
#include "op/ground/result.h"

/* -- Copying and converting (copy.c) ----------------------------------------------------------- */

/* An error about the first element that `dtype` cannot hold, with its place: an integer out of
** range, a NaN for an integer, an imaginary part for a real dtype. */
int locus_check_fits(const locus_value *value, locus_dtype dtype, locus_context *cx);
/* out, made anew in C order: the elements of `in` as `dtype`. */
int locus_convert(const locus_value *in, locus_dtype dtype, locus_tensor *out, locus_context *cx);
/* out, made anew in C order: the elements of `in` as `dtype` on a device. */
int locus_move_to(const locus_value *in, locus_dtype dtype, locus_device device, locus_tensor *out,
                  locus_context *cx);
/* The same, but a copy between page-locked memory and a device may go on when this returns; a
** result on the CPU is page-locked. */
int locus_move_unwaited(const locus_value *in, locus_dtype dtype, locus_device device,
                        locus_tensor *out, locus_context *cx);
/* out, made anew in C order, in page-locked memory: the elements of a tensor on the CPU. */
int locus_pin(const locus_tensor *in, locus_tensor *out, locus_context *cx);
/* to = from, which broadcasts and is converted, from any device; as if `from` were copied first. */
int locus_copy(const locus_tensor *to, const locus_value *from, locus_context *cx);
/* The same, where a copy between page-locked memory and a device may go on when this returns. */
int locus_copy_unwaited(const locus_tensor *to, const locus_value *from, locus_context *cx);
/* to = from, which broadcasts, of to's dtype and device: nothing is checked. The two lie apart, and
** from's strides may be negative. */
int locus_copy_elements(const locus_tensor *to, const locus_value *from, locus_context *cx);
/* An element by its flat position in C order, as a scalar. */
int locus_read_at(const locus_tensor *tensor, int64_t flat, locus_value *value, locus_context *cx);
/* The same for an element that a job has refused. Others may write to that memory: if it is
** acceptable by now, the error says that the elements of `name` changed. */
int locus_read_found(const locus_tensor *tensor, int64_t flat, const char *name,
                     const locus_find_job *job, locus_value *value, locus_context *cx);
/* " at [2,3]", the coordinates of a flat position in C order; "" for a 0-d tensor. */
enum { LOCUS_POSITION_TEXT = 160 };
const char *locus_position_text(const locus_shape *shape, int64_t flat, int64_t base,
                                char text[LOCUS_POSITION_TEXT]);

/* -- Elementwise (unary.c, binary.c, compare.c) ------------------------------------------------ */

/* out = op(input). In place, `out` is input's tensor, whose dtype and size stay. */
int locus_apply_unary(locus_unary op, const locus_value *input, locus_tensor *out, bool in_place,
                      locus_context *cx);
/* out = input with that many decimals, which may be negative. In place as above. */
int locus_round(const locus_value *input, int64_t decimals, locus_tensor *out, bool in_place,
                locus_context *cx);
/* out = a op b, promoted and broadcast. In place, `out` is a's tensor. */
int locus_apply_binary(locus_binary op, const locus_value *a, const locus_value *b,
                       locus_tensor *out, bool in_place, locus_context *cx);
/* out = minimum(maximum(input, min), max), promoted and broadcast; either bound may be NULL. */
int locus_clamp(const locus_value *input, const locus_value *min, const locus_value *max,
                locus_tensor *out, bool in_place, locus_context *cx);
/* out (bool) = a op b, broadcast, exactly; but a value of lower rank is rounded to the float dtype
** of the other. */
int locus_apply_compare(locus_compare op, const locus_value *a, const locus_value *b,
                        locus_tensor *out, locus_context *cx);
/* eq or ne of ids of strings, int32 tensors or numbers. Each must be 1 .. behind - 1, unless that
** is 0. A comparison on the CPU checks the ids that it has read; other devices check none. */
int locus_compare_ids(locus_compare op, const locus_value ids[2], const uint32_t behind[2],
                      locus_tensor *out, locus_context *cx);
/* The position, counted from 0, and the value of the first element outside 1 .. names; -1 if there
** is none. */
int locus_find_stray(const locus_value *ids, int64_t names, int64_t *position, locus_value *id,
                     locus_context *cx);
/* out (bool) = input op[0] low and input op[1] high, broadcast; each comparison as above. */
int locus_between(const locus_compare op[2], const locus_value *input, const locus_value *low,
                  const locus_value *high, locus_tensor *out, locus_context *cx);
/* Whether sizes and all elements are equal. */
int locus_equal(const locus_value *a, const locus_value *b, bool *answer, locus_context *cx);
/* Whether |a - b| <= absolute + relative |b| everywhere, broadcast. */
int locus_allclose(const locus_value *a, const locus_value *b, double relative, double absolute,
                   bool equal_nan, bool *answer, locus_context *cx);

/* -- New tensors (create.c) -------------------------------------------------------------------- */

/* out, of that shape: every element is `fill`; NULL leaves them uninitialised. */
int locus_full(const locus_shape *shape, const locus_value *fill, locus_dtype dtype,
               locus_device device, locus_tensor *out, locus_context *cx);
/* out = start, start + step, ... before `end`, or up to it. Exact when all three are whole. */
int locus_arange(const locus_value *start, const locus_value *end, const locus_value *step,
                 bool end_included, locus_dtype dtype, locus_device device, locus_tensor *out,
                 locus_context *cx);
/* out = `steps` numbers evenly from start to end, both met exactly. */
int locus_linspace(const locus_value *start, const locus_value *end, int64_t steps,
                   locus_dtype dtype, locus_device device, locus_tensor *out, locus_context *cx);

/* -- Numbers that look random (random.c) ------------------------------------------------------- */

typedef struct locus_draw {
  locus_chance how;
  uint64_t key, first; /* of the generator: its seed, and the first unused block */
  double a, b;         /* uniform: from, to; normal: mean, deviation; exponential: b, the rate */
  int64_t low, high;   /* integers, both included */
} locus_draw;

/* The greatest integer of a dtype; for a float dtype the greatest up to which it has all. */
int64_t locus_most_integer(locus_dtype dtype);
/* An error if a dtype cannot have such numbers. */
int locus_check_draw(const locus_draw *draw, locus_dtype dtype, locus_context *cx);
/* Every element of `to` becomes such a number; *blocks is the number of blocks used. */
int locus_draw_into(const locus_draw *draw, const locus_tensor *to, uint64_t *blocks,
                    locus_context *cx);

/* -- Views (view.c, reshape.c) ----------------------------------------------------------------- */

/* `view` has no storage yet and gets a reference. Positions are as the caller wrote them: from
** base, or negative from the end. */
int locus_select(const locus_tensor *input, int dim, int64_t index, int64_t base,
                 locus_tensor *view, locus_context *cx);
int locus_narrow(const locus_tensor *input, int dim, int64_t start, int64_t length, int64_t base,
                 locus_tensor *view, locus_context *cx);
int locus_slice(const locus_tensor *input, int dim, int64_t first, int64_t last, int64_t step,
                int64_t base, locus_tensor *view, locus_context *cx);
/* `dims` names `count` dimensions, none twice. */
int locus_permute(const locus_tensor *input, const int *dims, int count, locus_tensor *view,
                  locus_context *cx);
int locus_transpose(const locus_tensor *input, int dim0, int dim1, locus_tensor *view,
                    locus_context *cx);
int locus_t(const locus_tensor *input, locus_tensor *view, locus_context *cx);
int locus_expand(const locus_tensor *input, const locus_shape *sizes, locus_tensor *view,
                 locus_context *cx);
int locus_unsqueeze(const locus_tensor *input, int dim, locus_tensor *view, locus_context *cx);
int locus_squeeze(const locus_tensor *input, uint32_t dims, locus_tensor *view, locus_context *cx);
int locus_unfold(const locus_tensor *input, int dim, int64_t size, int64_t step, locus_tensor *view,
                 locus_context *cx);
/* Keeps compiled Lua from writing to a view whose elements share memory. */
void locus_guard_shared(locus_tensor *view);
/* One of the sizes may be -1. reshape, flatten and contiguous copy if there is no view. */
int locus_view(const locus_tensor *input, const locus_shape *sizes, locus_tensor *view,
               locus_context *cx);
int locus_reshape(const locus_tensor *input, const locus_shape *sizes, locus_tensor *out,
                  locus_context *cx);
int locus_flatten(const locus_tensor *input, int start, int end, locus_tensor *out,
                  locus_context *cx);
int locus_contiguous(const locus_tensor *input, locus_tensor *out, locus_context *cx);
int locus_clone(const locus_tensor *input, locus_tensor *out, locus_context *cx);

/* The same elements where nobody else writes: a view of our own bytes, a copy of others'. */
int locus_own(const locus_tensor *input, locus_tensor *out, locus_context *cx);

/* The 0-based index of a position in a dimension of that size; false if it is outside. */
bool locus_position(int64_t given, int64_t size, int64_t base, int64_t *index);
/* "<subject>7<where> is outside 1..5, the positions of dimension 2"; dim is 0-based. */
int locus_fail_position(const char *subject, int64_t given, const char *where, int64_t size,
                        int dim, int64_t base, locus_context *cx);

/* The positions first, first + step, ...: count of them, 0-based. */
typedef struct locus_span {
  int64_t first, count, step;
} locus_span;
/* The meaning of an inclusive range in a dimension of that size; an error when it goes outside. */
int locus_range_span(int64_t first, int64_t last, int64_t step, int64_t size, int dim, int64_t base,
                     locus_span *span, locus_context *cx);
/* These change a bare copy of a tensor, which has no reference of its own, in place: the index-th
** along a dimension, a span of it, a new dimension of size 1. */
void locus_take_one(locus_tensor *bare, int dim, int64_t index);
void locus_take_span(locus_tensor *bare, int dim, locus_span span);
int locus_take_dim(locus_tensor *bare, int dim, locus_context *cx);

/* -- Several into one (cat.c) ------------------------------------------------------------------ */

/* out: the values end to end along an existing dimension; 1-D ones without elements count only by
** their dtype. The dimension is checked against locus_cat_ndim. */
int locus_cat(const locus_value *values, int count, int dim, locus_tensor *out, locus_context *cx);
/* out: the values, all of one size, along a new dimension. */
int locus_stack(const locus_value *values, int count, int dim, locus_tensor *out,
                locus_context *cx);
/* The number of dimensions of the result of cat. */
int locus_cat_ndim(const locus_value *values, int count);

/* -- One in other places (flip.c, tile.c) ------------------------------------------------------ */

/* out: the elements of a tensor, in reverse order along the dimensions whose bits are set. */
int locus_flip(const locus_value *input, uint32_t dims, locus_tensor *out, locus_context *cx);

/* The shifts, of any sign, and their dimensions; shifts of one dimension add up. A count of 0: by
** shift[0] in C order. */
typedef struct locus_shifts {
  int count, dim[LOCUS_MAX_DIMS];
  int64_t shift[LOCUS_MAX_DIMS];
} locus_shifts;

/* out: the elements of a tensor, each moved by a number of positions, wrapping around at the
** ends. */
int locus_roll(const locus_value *input, const locus_shifts *shifts, locus_tensor *out,
               locus_context *cx);
/* out: a tensor repeated along its last dimensions, or along new ones in front. */
int locus_tile(const locus_value *input, const locus_shape *dims, locus_tensor *out,
               locus_context *cx);

/* -- Neighbours (diff.c) ----------------------------------------------------------------------- */

/* out: along the dimension each element minus the one before it, repeated n times, in the promoted
** dtype. `before` and `after`, which may be NULL, come in front of and behind the input, a scalar
** at one position. For n = 0, which copies the input, they do not count. */
int locus_diff(const locus_value *input, int64_t n, int dim, const locus_value *before,
               const locus_value *after, locus_tensor *out, locus_context *cx);

/* -- t[...] (index.c) -------------------------------------------------------------------------- */

/* One entry of t[{...}], for the next dimension, or for several when it is a mask.
** ORDER PICK: lua/locus/tensor/slice.lua declares these fields for the FFI. */
typedef struct locus_pick {
  enum { LOCUS_PICK_ALL, LOCUS_PICK_ONE, LOCUS_PICK_RANGE, LOCUS_PICK_TENSOR } what;
  int64_t first, last, step;  /* as the caller wrote them; LOCUS_PICK_ONE: first */
  const locus_tensor *tensor; /* int64 or int32 positions, or a bool mask */
} locus_pick;

/* found says whether the picks are one number per dimension; `element` is then the element they
** name. */
int locus_index_element(const locus_tensor *input, const locus_pick *picks, int count,
                        locus_element *element, bool *found, locus_context *cx);
/* out: a view when there are no index tensors, else a new tensor. */
int locus_index_get(const locus_tensor *input, const locus_pick *picks, int count,
                    locus_tensor *out, locus_context *cx);
/* Overwrites the elements that the picks name with value, which broadcasts and is converted, as if
** copied first. The last of several writes to one element, in C order, stays. With `adds`, which
** needs an index tensor or a mask, adds to the elements instead, one by one in C order. */
int locus_index_put(const locus_tensor *to, const locus_pick *picks, int count, int64_t base,
                    const locus_value *value, bool adds, locus_context *cx);

/* -- Elements by position (take.c) ------------------------------------------------------------- */

/* out, of the positions' size: the elements of the 1-D input at these positions, counted from base.
** The position base - 1 gives `missing`, a scalar or 0-d; without it (NULL) it is an error. */
int locus_take(const locus_value *input, const locus_value *positions, const locus_value *missing,
               locus_tensor *out, int64_t base, locus_context *cx);

/* -- Along one dimension by position (along.c) ------------------------------------------------- */

/* out, of index's size: at each point the element of input at that point, but at the place along
** `dim` that index gives. With `slices` index is 1-D, and each position names a slice of input. */
int locus_along_get(const locus_value *input, int dim, const locus_value *index, bool slices,
                    int64_t base, locus_tensor *out, locus_context *cx);

/* Those elements of input, a tensor, become those of src, the last in C order if several meet (op:
** LOCUS_BINARIES), or are combined with them one by one. With `afresh` they begin as the op's
** neutral element. src is converted; it may be larger than index, but not with `slices`. counts, an
** int64 tensor of input's size and strides, grows by the number of points of each element. */
typedef struct locus_along {
  locus_value input, index, src; /* src: a 0-d tensor or a scalar fits any size */
  int dim;
  bool slices, afresh;
  int64_t base;
  locus_binary op;            /* add, mul, minimum, maximum or LOCUS_BINARIES */
  const locus_tensor *counts; /* NULL: not wanted */
} locus_along;

int locus_along_put(const locus_along *put, locus_context *cx);

/* -- Where would this go? (searchsorted.c) ----------------------------------------------------- */

typedef struct locus_search {
  locus_value sorted_sequence; /* a tensor */
  locus_value values;
  locus_value sorter; /* tensor NULL: none */
  bool out_int32, descending;
  bool check; /* refuse a sequence that is not sorted */
  bool paged; /* for search_index: check only, make no index */
  int64_t base;
  const locus_tensor *index; /* NULL, or made by locus_search_index of the same sequence, sorter
                             ** and order */
} locus_search;

/* outs[0] = the left positions of the values in the sequence, outs[1] = the right ones: int64 or
** int32, of the values' shape; NULL if not wanted. */
int locus_searchsorted(const locus_search *search, locus_tensor *const outs[2], locus_context *cx);
/* index: for each row of the sequence, the bytes that a search would otherwise prepare. Valid while
** the sequence keeps its place and values; after that every answer is an arbitrary position. */
int locus_search_index(const locus_search *search, locus_tensor *index, locus_context *cx);
/* The left or right position, from 1, of a number in a real sequence of one dimension on the
** CPU. */
double locus_search_number(const locus_tensor *sequence, double value, bool right);
/* The left position, counted from `base`, of a number in one row of real elements, searched in
** place. If either is anything else, *found is false and nothing is done. */
int locus_search_lookup(const locus_tensor *sequence, const locus_value *value, int64_t base,
                        int64_t *position, bool *found, locus_context *cx);

/* -- How often? (repeats.c) -------------------------------------------------------------------- */

/* The slices of a tensor along a dimension, each repeated: slice k takes the places up to ends[k]
** from the end before it, or 0. Ends are int64 and ascend; if they do not, answers are arbitrary.
** Both are contiguous. */
int locus_repeats(const locus_value *input, const locus_value *ends, int dim, locus_tensor *out,
                  locus_context *cx);

/* -- Which row was in force? (asof.c) ---------------------------------------------------------- */

/* The 0-based position of the first element of a real 1-D tensor that comes before its predecessor
** in the one order; -1 when it ascends. */
int locus_unsorted(const locus_value *input, int64_t *position, locus_context *cx);

/* The rows of a sequence that are candidates for each value; the values ascend as the sequence
** does. They are the rows before `limits` (int64 counts, which ascend), or, forward, the other
** ones. of_rows, of_values (int32): the groups of both, 0..groups. */
typedef struct locus_asof {
  locus_value limits, of_rows, of_values;
  int64_t groups;
  bool forward;
  int64_t base;
} locus_asof;

/* out (int64, 1-D): for each value the nearest such row of its group, counted from `base`; base - 1
** for none, as in group 0. */
int locus_asof_rows(const locus_asof *asof, locus_tensor *out, locus_context *cx);

/* The nearer of two rows to each value, within a tolerance: core/jobs/nearest.h. The sequence and
** the values are int64 or float64, both alike; before, after int64 of the values' size, or without
** a tensor. tolerance: a scalar, at least 0. */
typedef struct locus_nearest {
  locus_value sequence, values, before, after, tolerance;
  int64_t base;
} locus_nearest;

/* out (int64, 1-D): that row, counted from `base`; base - 1 if neither is near enough. */
int locus_nearest_rows(const locus_nearest *nearest, locus_tensor *out, locus_context *cx);

/* -- Which of the two, where? (where.c) -------------------------------------------------------- */

/* The values are condition, x and y: out = condition ? x : y, in the dtype that x and y make; all
** three broadcast. The condition is a bool tensor. */
int locus_where(const locus_value values[3], locus_tensor *out, locus_context *cx);
/* out = mask ? value : input, in input's dtype; value is a scalar or 0-d. */
int locus_masked_fill(const locus_value *input, const locus_value *mask, const locus_value *value,
                      locus_tensor *out, locus_context *cx);

/* -- Where is something? (nonzero.c) ----------------------------------------------------------- */

/* out (int64, z x ndim, stored by columns): the coordinates of the nonzero elements in C order.
** as_columns treats a 0-d input as one of a single dimension. */
int locus_nonzero(const locus_value *input, locus_tensor *out, bool as_columns, int64_t base,
                  locus_context *cx);
/* The first `size` rows of nonzero, then rows of fill_value. */
int locus_nonzero_static(const locus_value *input, int64_t size, int64_t fill_value,
                         locus_tensor *out, int64_t base, locus_context *cx);
/* How many elements are nonzero. */
int locus_count_nonzero(const locus_tensor *input, int64_t *count, locus_context *cx);
/* out (1-D): the elements of input where mask is true; both broadcast. */
int locus_masked_select(const locus_value *input, const locus_value *mask, locus_tensor *out,
                        locus_context *cx);
/* The elements of `to` where mask, of its size, is true, in C order, become those of the value, a
** 1-D tensor of to's dtype that shares no bytes with it and has as many. */
int locus_masked_put(const locus_tensor *to, const locus_tensor *mask, const locus_value *value,
                     locus_context *cx);
/* The runs of equal elements of a contiguous row, by core/number/equality.h. outs[0]: the first
** element of each. outs[1], outs[2] (int64): the position where each begins, counted from base, and
** its length, or both NULL. outs[3] (int64, of input's size): for each element the number of its
** run, counted from base, or NULL. */
int locus_runs(const locus_value *input, locus_tensor *const outs[4], int64_t base,
               locus_context *cx);

/* -- In order (sort.c, tied_ranks.c, kth.c) ---------------------------------------------------- */

/* Each row along `dim` stably in the one order. values or index (int64 positions) may be NULL. */
int locus_sort(const locus_value *input, int dim, bool descending, locus_tensor *values,
               locus_tensor *index, int64_t base, locus_context *cx);

/* out, of their size: the ranks of the elements of rows, as locus_tied_ranks_job has it. `sorted`
** are rows [rows, n] in order, `from` (int64) the 0-based positions that they came from. */
int locus_tied_ranks(const locus_value *sorted, const locus_value *from, locus_tie tie,
                     int64_t base, locus_tensor *out, locus_context *cx);

/* Elements by rank, of contiguous tensors. */
typedef struct locus_kth_request {
  locus_value input;   /* 1-D with offsets, else 2-D: each row is a segment */
  locus_value ranks;   /* int64 of at least 0, which never fall: [wanted], or [segments, wanted] */
  locus_value offsets; /* int64 [segments + 1] from 0 to input's elements; tensor NULL: none */
  locus_value ids;     /* int32 of the CPU, beside offsets: the segment of each element, from 1;
                          tensor NULL: elements lie segment behind segment */
  bool descending;
  int64_t base;
} locus_kth_request;

/* values, [segments, wanted]: the elements at the ranks of the sorted segment; index (int64): their
** positions in the segment. Either may be NULL. */
int locus_kth(const locus_kth_request *request, locus_tensor *values, locus_tensor *index,
              locus_context *cx);

/* -- Answers made elsewhere (deliver.c) -------------------------------------------------------- */

/* outs become the answers; outs[1] is NULL if there is one answer. Both have the same size, and
** come from the input, from which outs must lie apart. */
int locus_deliver(const locus_value *input, const locus_value answers[2],
                  locus_tensor *const outs[2], locus_context *cx);

#endif
