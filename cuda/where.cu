/* SPDX-License-Identifier: MIT */
/* Runner of where. Selection moves bits: widths matter, and dtypes only where an operand must be
** converted. Rows that are contiguous in out, and contiguous or one element in each operand, are
** taken 16 bytes at a time; a flat grid is one such row. */
#include "cuda/include/block/element.h"
#include "cuda/include/block/places.h"
#include "cuda/include/host/runners.h"
#include "cuda/include/block/width.h"

namespace locus
{

enum {
  WHERE_THREADS = SIMT_SIZE(256, 64),
  WHERE_LANES = 32, /* threads that share a piece of a row */
  WHERE_ROUNDS = 2, /* vectors of each operand that a thread has in flight */
  /* How many times a warp does so in a piece: its place is found once ("where float32 1e6"). */
  WHERE_TURNS = SIMT_SIZE(4, 2),
  /* Shorter rows are taken element by element ("where float32 1e8 y a row of 32"). */
  SHORT_ROW = SIMT_SIZE(32, 8),
};

/* As many conditions as a vector has elements. */
template <int N> struct alignas(N) conditions {
  uint8_t element[N];
};

/* A row, or all operands: x or y is a value if there is no pointer. */
template <class U> struct where_operands {
  U *out;
  const uint8_t *condition;
  const U *x, *y;
  U x_value, y_value;
};

/* How rows are cut into pieces, and whether operands move along a row. */
struct where_cut {
  int64_t length, piece, pieces; /* elements of a row and of a piece; pieces of all rows */
  divisor each;                  /* pieces of a row */
  places<4> rows;                /* of out, condition, x and y */
  bool condition_moves, x_moves, y_moves;
};

/* A vector as words: single bytes would take a register each. */
struct alignas(VECTOR_BYTES) words {
  uint32_t word[4];
};

SIMT_DEVICE void store(void *to, const words &w)
{
  const uint4 all = {w.word[0], w.word[1], w.word[2], w.word[3]};
  __stcs((uint4 *)to, all);
}

template <class U> SIMT_DEVICE words spread(U value)
{
  words w;

  if constexpr (sizeof(U) < sizeof(uint32_t)) {
    SIMT_UNROLL
    for (int i = 0; i < 4; i++) w.word[i] = value * (sizeof(U) == 1 ? 0x01010101u : 0x00010001u);
  } else {
    SIMT_UNROLL
    for (size_t at = 0; at < sizeof w; at += sizeof value)
      memcpy((char *)w.word + at, &value, sizeof value);
  }
  return w;
}

/* All bits of a byte for each of N conditions that hold. */
template <int N> struct truths {
  uint32_t word[(N + 3) / 4];
};

template <int N> SIMT_DEVICE truths<N> load_truths(const uint8_t *condition)
{
  const conditions<N> c = *(const conditions<N> *)condition;
  truths<N> t = {};

  memcpy(t.word, &c, sizeof c);
  SIMT_UNROLL
  for (int i = 0; i < (N + 3) / 4; i++) t.word[i] = __vcmpne4(t.word[i], 0);
  return t;
}

template <int N> SIMT_DEVICE truths<N> spread_truth(bool condition)
{
  truths<N> t;
  SIMT_UNROLL
  for (int i = 0; i < (N + 3) / 4; i++) t.word[i] = condition ? ~0u : 0;
  return t;
}

/* Whether any of the conditions is `wanted`. */
template <int N> SIMT_DEVICE bool some(const truths<N> &t, bool wanted)
{
  constexpr uint32_t used = N >= 4 ? ~0u : (1u << 8 * N % 32) - 1;
  uint32_t found = 0;

  SIMT_UNROLL
  for (int i = 0; i < (N + 3) / 4; i++) found |= (wanted ? t.word[i] : ~t.word[i]) & used;
  return found != 0;
}

/* The bits of word `i` of a vector that come from x: each byte takes its element's truth. */
template <int WIDTH> SIMT_DEVICE uint32_t from_x(const truths<VECTOR_BYTES / WIDTH> &t, int i)
{
  const unsigned first = (unsigned)(4 * i / WIDTH), within = first % 4;
  const unsigned bytes = WIDTH == 1   ? 0x3210
                         : WIDTH == 2 ? 0x1100 + 0x1111 * within
                                      : 0x1111 * within;
  return __byte_perm(t.word[first / 4], 0, bytes);
}

template <int WIDTH>
SIMT_DEVICE words choose(const truths<VECTOR_BYTES / WIDTH> &t, const words &x, const words &y)
{
  words z;

  SIMT_UNROLL
  for (int i = 0; i < 4; i++) {
    const uint32_t bits = from_x<WIDTH>(t, i);
    z.word[i] = (x.word[i] & bits) | (y.word[i] & ~bits);
  }
  return z;
}

/* The operands at the beginning of a row. One that does not move along it becomes a value. */
template <class U>
SIMT_DEVICE where_operands<U> where_row(const where_operands<U> &all, const where_cut &cut,
                                        int64_t number)
{
  where_operands<U> row = all;
  int64_t at[4];

  cut.rows.find(number, at);
  row.out += at[0];
  row.condition += at[1];
  if (row.x) row.x += at[2];
  if (row.y) row.y += at[3];
  if (row.x && !cut.x_moves) row.x_value = *row.x;
  if (row.y && !cut.y_moves) row.y_value = *row.y;
  return row;
}

/* Elements begin .. end - 1 of a row one by one, dealt out to the lanes in turn. */
template <class U>
SIMT_DEVICE void where_single(const where_operands<U> &row, const where_cut &cut, int64_t begin,
                              int64_t end)
{
  for (int64_t i = begin + threadIdx.x % WHERE_LANES; i < end; i += WHERE_LANES) {
    const bool from_x = row.condition[cut.condition_moves ? i : 0];
    if (from_x) row.out[i] = cut.x_moves ? row.x[i] : row.x_value;
    else row.out[i] = cut.y_moves ? row.y[i] : row.y_value;
  }
}

/* Vectors that begin at `begin` or behind and before `end`, dealt out to lanes and then rounds.
** Those of x and y are read only if an element of theirs is wanted; bytes are always read, since
** one of 16 nearly always is. */
template <class U>
SIMT_DEVICE void where_vectors(const where_operands<U> &row, const where_cut &cut, int64_t begin,
                               int64_t end)
{
  constexpr int N = vector_of<U>::size;
  const int64_t at = begin + threadIdx.x % WHERE_LANES * N;
  truths<N> t[WHERE_ROUNDS] = {};
  words x[WHERE_ROUNDS], y[WHERE_ROUNDS];

  SIMT_UNROLL
  for (int r = 0; r < WHERE_ROUNDS; r++) {
    const int64_t i = at + r * WHERE_LANES * N;
    if (i >= end) continue;
    t[r] =
        cut.condition_moves ? load_truths<N>(row.condition + i) : spread_truth<N>(*row.condition);
  }
  SIMT_UNROLL
  for (int r = 0; r < WHERE_ROUNDS; r++) {
    const int64_t i = at + r * WHERE_LANES * N;
    x[r] = spread(row.x_value);
    y[r] = spread(row.y_value);
    if (i >= end) continue;
    if (cut.x_moves && (sizeof(U) == 1 || some(t[r], true))) x[r] = *(const words *)(row.x + i);
    if (cut.y_moves && (sizeof(U) == 1 || some(t[r], false))) y[r] = *(const words *)(row.y + i);
  }
  SIMT_UNROLL
  for (int r = 0; r < WHERE_ROUNDS; r++) {
    const int64_t i = at + r * WHERE_LANES * N;
    if (i < end) store(row.out + i, choose<sizeof(U)>(t[r], x[r], y[r]));
  }
}

/* Whether vectors can begin at every multiple of their size. */
template <class U>
SIMT_DEVICE bool where_aligned(const where_operands<U> &row, const where_cut &cut)
{
  uintptr_t low = (uintptr_t)row.out;

  if (cut.x_moves) low |= (uintptr_t)row.x;
  if (cut.y_moves) low |= (uintptr_t)row.y;
  if (cut.condition_moves) low |= (uintptr_t)row.condition * sizeof(U);
  return low % VECTOR_BYTES == 0;
}

template <class U>
SIMT_KERNEL void SIMT_BOUNDS(WHERE_THREADS, 2) where_rows(where_operands<U> all, where_cut cut)
{
  constexpr int N = vector_of<U>::size;
  const int64_t lanes = WHERE_LANES, step = gridDim.x * (blockDim.x / lanes);

  for (int64_t p = this_thread() / lanes; p < cut.pieces; p += step) {
    const int64_t number = cut.each.quotient(p);
    const int64_t begin = (p - number * cut.each.number) * cut.piece;
    const int64_t end = begin + cut.piece < cut.length ? begin + cut.piece : cut.length;
    const where_operands<U> row = where_row(all, cut, number);
    const int64_t whole = where_aligned(row, cut) ? end / N * N : begin;
    for (int64_t at = begin; at < whole; at += WHERE_LANES * WHERE_ROUNDS * N)
      where_vectors(row, cut, at, whole);
    where_single(row, cut, whole, end);
  }
}

/* Any strides, element by element. */
template <class U>
SIMT_KERNEL void SIMT_BOUNDS(WHERE_THREADS)
    where_any(where_operands<U> all, places<4> place, int64_t numel)
{
  int64_t at[4];

  for (int64_t i = this_thread(); i < numel; i += all_threads()) {
    place.find(i, at);
    if (all.condition[at[1]]) all.out[at[0]] = all.x ? all.x[at[2]] : all.x_value;
    else all.out[at[0]] = all.y ? all.y[at[3]] : all.y_value;
  }
}

/* Any strides and dtypes. */
template <class E>
SIMT_KERNEL void SIMT_BOUNDS(WHERE_THREADS, 3)
    where_converted(typename E::stored *out, const uint8_t *condition, source x, source y,
                    places<4> place, int64_t numel)
{
  int64_t at[4];

  for (int64_t i = this_thread(); i < numel; i += all_threads()) {
    place.find(i, at);
    out[at[0]] = condition[at[1]] ? x.stored<E>(at[2]) : y.stored<E>(at[3]);
  }
}

/* -- The choice between them ------------------------------------------------------------------- */

/* Whether the operand is contiguous, or a single element, along rows. */
static bool row_serves(const locus_operand &operand, int inner)
{
  return !operand.data || operand.stride[inner] == 0 || operand.stride[inner] == 1;
}

static bool rows_serve(const locus_where_job *job)
{
  const int inner = job->grid.ndim - 1;

  return job->grid.size[inner] >= SHORT_ROW && job->out.stride[inner] == 1 &&
         row_serves(job->condition, inner) && row_serves(job->x, inner) &&
         row_serves(job->y, inner);
}

static where_cut cut_rows(const locus_where_job *job, int64_t piece)
{
  const int inner = job->grid.ndim - 1;
  const int64_t length = job->grid.size[inner], each = parts_of(length, piece);
  where_cut cut;

  cut.length = length;
  cut.piece = piece;
  cut.pieces = job->grid.numel / length * each;
  cut.each = divisor_of(each);
  cut.rows = places_of<4>(job->grid, inner, {&job->out, &job->condition, &job->x, &job->y});
  cut.condition_moves = job->condition.stride[inner] != 0;
  cut.x_moves = job->x.data && job->x.stride[inner] != 0;
  cut.y_moves = job->y.data && job->y.stride[inner] != 0;
  return cut;
}

template <class U> static where_operands<U> operands_of(const locus_where_job *job)
{
  where_operands<U> all;

  all.out = (U *)job->out.data;
  all.condition = (const uint8_t *)job->condition.data;
  all.x = (const U *)job->x.data;
  all.y = (const U *)job->y.data;
  memcpy(&all.x_value, job->x.value.bytes, sizeof(U));
  memcpy(&all.y_value, job->y.value.bytes, sizeof(U));
  return all;
}

static void where_by_bits(call &c, const locus_where_job *job, const places<4> &place)
{
  by_width(locus_dtype_size(job->out.dtype), [&](auto element) {
    typedef decltype(element) U;
    if (rows_serve(job)) {
      constexpr int64_t turn = WHERE_LANES * WHERE_ROUNDS * vector_of<U>::size;
      const where_cut cut = cut_rows(job, turn * WHERE_TURNS);
      c.launch_over(cut.pieces * WHERE_LANES, where_rows<U>, WHERE_THREADS, 0, operands_of<U>(job),
                    cut);
    } else {
      c.launch_over(job->grid.numel, where_any<U>, WHERE_THREADS, 0, operands_of<U>(job), place,
                    job->grid.numel);
    }
  });
}

static bool as_out(const locus_where_job *job, const locus_operand &operand)
{
  return operand.dtype == job->out.dtype;
}

} // namespace locus

using namespace locus;

extern "C" int locus_cuda_where(const locus_where_job *job, locus_context *cx)
{
  call c("where", cx);
  const locus_grid &grid = job->grid;

  if (grid.numel == 0) return c.end();
  const places<4> place =
      places_of<4>(grid, grid.ndim, {&job->out, &job->condition, &job->x, &job->y});
  if (as_out(job, job->x) && as_out(job, job->y)) {
    where_by_bits(c, job, place);
    return c.end();
  }
  by_dtype(job->out.dtype, [&](auto e) {
    typedef decltype(e) E;
    c.launch_over(grid.numel, where_converted<E>, WHERE_THREADS, 0,
                  (typename E::stored *)job->out.data, (const uint8_t *)job->condition.data,
                  source_of(job->x), source_of(job->y), place, grid.numel);
  });
  return c.end();
}
