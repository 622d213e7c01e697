/* SPDX-License-Identifier: MIT */
/* THE contract between the ops (src/op) and the backends that run them (src/cpu, cuda).
**
** A job is a checked, promoted, allocated piece of work in plain data. Pointers are aligned to the
** element, sizes are counts, strides are in elements, and the last dimension is the inner one.
** Nothing overlaps an output, except an operand that is exactly the output. Position bases are job
** fields.
**
** A runner trusts its job, but elements may have changed since they were checked. It reads elements
** that are used as addresses (positions, ids, groups) once, and checks the value it has read
** (core/once.h). It fails only if there is no workspace, if the user interrupts, or if such
** elements have changed. */
#ifndef LOCUS_JOBS_H
#define LOCUS_JOBS_H

#include "core/jobs/fold_jobs.h"
#include "core/jobs/kth.h"
#include "core/jobs/operand.h"
#include "core/jobs/window.h"
#include "core/words.h"

/* out = in, converted. Integers wrap and floats must fit: ask `find` first. Here alone may the
** strides of an input be negative. */
typedef struct locus_copy_job {
  locus_grid grid;
  locus_operand out, in;
} locus_copy_job;

/* The values that are not acceptable. */
typedef enum locus_find {
  LOCUS_FIND_ZERO,    /* is zero */
  LOCUS_FIND_OUTSIDE, /* truncated, lies outside low..high, or is NaN, or has an imaginary part */
  LOCUS_FIND_COMPLEX, /* has an imaginary part */
} locus_find;

/* Looks for the first element, in grid order, that is not acceptable. */
typedef struct locus_find_job {
  locus_find what;
  int64_t low, high;
  locus_grid grid;
  locus_operand in;
  int64_t *position; /* 0-based in the grid, -1 when there is none */
} locus_find_job;

/* out = op(in), computed in dtype; predicates leave a bool, everything else a `dtype`, which is
** then stored in out's own dtype. */
typedef struct locus_unary_job {
  locus_unary op;
  locus_dtype dtype;
  locus_grid grid;
  locus_operand out, in;
} locus_unary_job;

/* out = a op b, likewise. For integers b has no 0 in a remainder, nothing negative in a power. */
typedef struct locus_binary_job {
  locus_binary op;
  locus_dtype dtype;
  locus_grid grid;
  locus_operand out, a, b;
} locus_binary_job;

/* out (bool) = a op b, exactly, whatever the two dtypes. If `behind` is not 0, op is eq or ne of
** two int32, and each element of a must be in 1 .. behind[0] - 1, each of b in 1 .. behind[1] - 1
** unless that is 0. A runner of the CPU fails if an element that it has read is outside. */
typedef struct locus_compare_job {
  locus_compare op;
  uint32_t behind[2];
  locus_grid grid;
  locus_operand out, a, b;
} locus_compare_job;

/* out (bool) = x[0] op[0] bound[0] and x[1] op[1] bound[1], likewise. The two x are one element,
** rounded as each bound asks. */
typedef struct locus_between_job {
  locus_compare op[2];
  locus_grid grid;
  locus_operand out, x[2], bound[2];
} locus_between_job;

/* out (bool) = |a - b| <= absolute + relative |b|, or a equals b, or both are NaN where asked; in
** float64. */
typedef struct locus_close_job {
  double relative, absolute;
  bool equal_nan;
  locus_grid grid;
  locus_operand out, a, b;
} locus_close_job;

/* out = condition ? x : y, bit for bit when x or y has out's dtype, else converted as by copy. */
typedef struct locus_where_job {
  locus_grid grid;
  locus_operand out, condition, x, y;
} locus_where_job;

/* Each row stably in the one order (NaN last); descending is its exact reverse with ties kept. */
typedef struct locus_sort_job {
  int64_t n, in_step, values_step, index_step;
  bool descending, has_values, has_index;
  int64_t base;
  locus_grid rows;
  locus_operand in, values, index; /* values in in's dtype; index is i64 */
} locus_sort_job;

/* The rank that equal elements have in common. */
typedef enum locus_tie {
  LOCUS_TIE_MEAN, /* of theirs, f64 */
  LOCUS_TIE_LEAST,
  LOCUS_TIE_GREATEST,
} locus_tie;

/* The places of the elements of rows that have been sorted, counted from base. Element i of a
** sorted row came from place from[i], counted from 0, and its rank goes there, f64 or i64. Elements
** are equal by core/number/equality.h. All arrays are contiguous. */
typedef struct locus_tied_ranks_job {
  int64_t rows, n;
  const char *sorted;
  locus_dtype dtype;
  const int64_t *from;
  locus_tie tie;
  int64_t base;
  uint64_t *out;
} locus_tied_ranks_job;

/* The grid is that of values and of the answers. Its first row_dims dimensions lead from row to row
** of the sequence, which has strides over these alone. The others, always including the last one,
** hold the `along` values of a row. Left counts the elements before a value in the one order, right
** those not after it; from_end answers n minus that count. */
typedef struct locus_search_job {
  int32_t row_dims;
  int64_t along;
  int64_t n, sequence_step, sorter_step;
  bool has_left, has_right, from_end;
  int64_t base;
  int64_t *index_bytes; /* of a row: the index that search_index has made */
  locus_grid grid;
  locus_operand sequence, sorter; /* sorter.data NULL: none; else i64 or i32, `base`-based */
  locus_operand values;           /* any real dtype, compared exactly */
  locus_operand left, right;      /* i64 or i32 */
  locus_operand index; /* u8; data NULL: none; else as search_index filled it for this sequence */
} locus_search_job;

/* The runner search_index takes a locus_search_job without values and answers, over a grid of the
** rows alone. It writes the structures that every search of the rows would otherwise build to
** job.index. They are valid while the sequence keeps its place and values. If job.index has no
** data, it only sets *index_bytes. */

/* One value and one row: the number of elements before it in the one order, or, with `right`, which
** only the CPU has, not after it. Beside a float sequence the value is rounded to its dtype. */
typedef struct locus_lookup_job {
  const char *data;
  locus_dtype dtype;
  int64_t n, step;
  double value;
  int64_t *count;
  bool right;
} locus_lookup_job;

/* Looks for the first element of a row that comes before its predecessor in the one order, or
** after it when descending. */
typedef struct locus_unsorted_job {
  int64_t n, sequence_step, sorter_step;
  bool descending;
  int64_t base;
  int64_t *position; /* row * n + offset in the row, 0-based; -1 when all rows are sorted */
  locus_grid rows;
  locus_operand sequence, sorter; /* as in locus_search_job */
} locus_unsorted_job;

/* The rows in force. out[i] = base + the last of the n rows before limits[i] that belongs to the
** group of value i, or, forward, the first such row at limits[i] or behind; base - 1 if there is
** none. The limits, 0..n, ascend. Groups are numbers: 1..groups of rows, 0..groups of values. All
** arrays are contiguous. */
typedef struct locus_asof_job {
  int64_t n, m, groups;
  const int64_t *limits;
  const int32_t *of_rows, *of_values;
  bool forward;
  int64_t *out;
  int64_t base;
} locus_asof_job;

/* out[i] = base + the nearer one of two rows to value i, as core/jobs/nearest.h has it; base - 1
** where neither is near enough. The sequence of n elements and the m values are i64 where `exact`,
** else f64. before NULL: no row behind counts; after NULL: none ahead. All arrays are
** contiguous. */
typedef struct locus_nearest_job {
  int64_t n, m;
  bool exact;
  const char *sequence, *values;
  const int64_t *before, *after;
  uint64_t most_i64;
  double most_f64;
  int64_t *out;
  int64_t base;
} locus_nearest_job;

/* Repeated slices. There are n slices in each of `outer` blocks. Slice k fills the places from
** ends[k - 1], or 0, up to ends[k], of `total` in its block. Ends ascend up to `total`. A slice has
** `bytes` bytes, whole elements; there is at least one to write, and all arrays are contiguous. */
typedef struct locus_repeats_job {
  int64_t outer, n, total, bytes;
  const int64_t *ends;
  const char *in;
  char *out;
} locus_repeats_job;

/* Bits represent the elements of a grid, in grid order: bit i of word w for element 64 w + i. They
** are counted and used in chunks of this many elements, which threads share. */
enum { LOCUS_CHUNK = 65536 };

static inline int64_t locus_chunks(int64_t numel)
{
  return (numel + LOCUS_CHUNK - 1) / LOCUS_CHUNK;
}

/* The first half of every op whose size depends on data: the bit of an element says whether it is
** nonzero; bits past numel are 0. first[c] is the number of set bits before chunk c, and past the
** last chunk. */
typedef struct locus_mask_job {
  uint64_t *bits; /* (numel + 63) / 64 words */
  int64_t *first; /* locus_chunks(numel) + 1 of them */
  int64_t *count; /* of all; NULL: not wanted, and a device does not wait */
  locus_grid grid;
  locus_operand in;
} locus_mask_job;

/* The runner starts takes a locus_mask_job over a contiguous row. The bit of an element says
** whether a run of equal elements begins there, that is, whether it differs from the one before it.
** The first element's bit is set. NaN equals NaN, -0 equals 0, complex numbers are equal where both
** parts are. */

/* How many elements are nonzero. */
typedef struct locus_count_job {
  locus_grid grid;
  locus_operand in;
  int64_t *count;
} locus_count_job;

/* The coordinates of the set bits, in order: row r, dimension d goes to
** out[r * row_stride + d * dim_stride], plus base. At most `limit` rows. */
typedef struct locus_nonzero_job {
  int64_t numel;
  const uint64_t *bits;
  const int64_t *first; /* as a mask job leaves them */
  int64_t *out;
  int64_t row_stride, dim_stride, limit, base;
  locus_shape shape; /* of the logical tensor the bits came from */
} locus_nonzero_job;

/* masked_select copies the elements of `array` whose bit is set, in grid order, to `elements`, one
** every `step`; masked_scatter copies the other way. */
typedef struct locus_select_job {
  locus_grid grid;
  locus_operand array;
  const uint64_t *bits;
  const int64_t *first; /* as a mask job leaves them */
  char *elements;       /* in array's dtype */
  int64_t step;
} locus_select_job;

/* The runs of equal elements of a contiguous row, from the bits of `starts`. For each run, in
** order: the position where it begins, its length, and its first element. For each of the n
** elements: the number of its run. Beginnings and numbers count from base. begins and lengths, or
** numbers, may be NULL. */
typedef struct locus_runs_job {
  int64_t n, count; /* of runs */
  const char *elements;
  locus_dtype dtype;
  const uint64_t *bits;
  const int64_t *first;
  int64_t *begins, *lengths, *numbers;
  char *values;
  int64_t base;
} locus_runs_job;

/* Reading and writing through index tensors. A point of the grid means the element of `array` at
** its own strides plus, for each index, (index - base) * step; a negative index counts from the end
** of `size`. gather: elements = array; scatter: array = elements, the last point winning, or, with
** an op, array = array op elements, point by point in grid order, each answer rounded; afresh: each
** place that a point means holds `start` before its first point. Indices have been checked; dtypes
** of array and elements are equal. `forward` says that none is negative. A gather by one index with
** `missing`, an element of that dtype, gives it for the index base - 1. A scatter with an op counts
** the points of each place in `counts`, laid out as the array is. */
typedef struct locus_index {
  locus_operand at; /* i64 or i32 */
  int64_t size, step;
} locus_index;

typedef struct locus_index_job {
  int32_t indices;
  int64_t base;
  bool has_missing, forward, afresh;
  locus_binary op; /* of a scatter: add, mul, minimum, maximum; LOCUS_BINARIES: none */
  locus_element missing, start;
  int64_t *counts; /* or NULL */
  locus_grid grid;
  locus_operand elements, array;
  locus_index index[LOCUS_MAX_DIMS];
} locus_index_job;

/* Several 1-D arrays of `index.size` elements, each gathered by the one index, at points
** 0 .. n - 1: out is contiguous. core/jobs/column.h makes a gather of one of them. */
typedef struct locus_column {
  locus_dtype dtype;
  bool has_missing;
  locus_element missing;
  char *data, *out;
  int64_t step; /* of data, in elements */
} locus_column;

typedef struct locus_columns_job {
  int64_t count, n, base;
  bool forward;
  const locus_column *column;
  locus_index index; /* over one dimension; its step means nothing */
} locus_columns_job;

/* out[i] = start + i * step for i in 0..n-1. Integers are exact. With has_end the second half is
** counted back from end, so that both ends are met. */
typedef struct locus_ramp_job {
  locus_operand out; /* of one dimension */
  int64_t n;
  bool exact, has_end; /* exact: integers from i_start and i_step */
  int64_t i_start, i_step;
  double start, step, end;
} locus_ramp_job;

/* Pseudorandom numbers, as docs/chance.md specifies them: element i of the grid is made from
** `words` words, the first being word i * words of the blocks first, first + 1, ... of the
** generator's key. */
typedef enum locus_chance {
  LOCUS_CHANCE_UNIFORM,     /* a + b * u, u from 0 to 1 in steps of 2^-bits; at most `most` */
  LOCUS_CHANCE_NORMAL,      /* a + b * z */
  LOCUS_CHANCE_EXPONENTIAL, /* e / b */
  LOCUS_CHANCE_INTEGER,     /* low + a whole number below range; 0: below 2^64 */
} locus_chance;

typedef struct locus_random_job {
  locus_chance how;
  locus_grid grid;   /* in C order */
  locus_operand out; /* not complex: two elements in place of one */
  uint64_t key, first;
  int32_t words;     /* 1, 2 or 4; normal numbers come in pairs, of two elements' words */
  int32_t bits;      /* 8, 11 or 24 of a single word, else 53 */
  double a, b, most; /* uniform numbers are computed in float32 where bits < 53 */
  uint64_t low, range;
} locus_random_job;

/* THE list of runners: JOB(runner, job type). */
#define LOCUS_JOBS(JOB)           \
  JOB(copy, copy)                 \
  JOB(find, find)                 \
  JOB(unary, unary)               \
  JOB(binary, binary)             \
  JOB(compare, compare)           \
  JOB(between, between)           \
  JOB(close, close)               \
  JOB(where, where)               \
  JOB(reduce, reduce)             \
  JOB(scan, scan)                 \
  JOB(fill, fill)                 \
  JOB(sort, sort)                 \
  JOB(tied_ranks, tied_ranks)     \
  JOB(kth, kth)                   \
  JOB(searchsorted, search)       \
  JOB(search_index, search)       \
  JOB(lookup, lookup)             \
  JOB(unsorted, unsorted)         \
  JOB(asof, asof)                 \
  JOB(nearest, nearest)           \
  JOB(repeats, repeats)           \
  JOB(mask, mask)                 \
  JOB(starts, mask)               \
  JOB(count_nonzero, count)       \
  JOB(nonzero, nonzero)           \
  JOB(masked_select, select)      \
  JOB(masked_scatter, select)     \
  JOB(runs, runs)                 \
  JOB(gather, index)              \
  JOB(gather_columns, columns)    \
  JOB(scatter, index)             \
  JOB(bincount, bincount)         \
  JOB(histogram, histogram)       \
  JOB(segment, segment)           \
  JOB(segment_runs, segment_runs) \
  JOB(ramp, ramp)                 \
  JOB(random, random)

/* A backend, or one instruction set of the CPU. */
typedef struct locus_runners {
  const char *name;
#define JOB(runner, type) int (*runner)(const locus_##type##_job *job, locus_context *cx);
  LOCUS_JOBS(JOB)
  LOCUS_CPU_JOBS(JOB) /* NULL on a device */
#undef JOB
} locus_runners;

#endif
