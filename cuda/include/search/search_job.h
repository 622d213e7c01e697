/* SPDX-License-Identifier: MIT */
/* A search as kernels are given it: the rows of the sequence, the values, and where answers go. */
#ifndef LOCUS_CUDA_SEARCH_JOB_H
#define LOCUS_CUDA_SEARCH_JOB_H

#include "cuda/include/block/places.h"
#include "cuda/include/search/search_probe.h"

namespace locus
{

/* Rows of a sequence as they lie in memory. `place` is that of the sequence and of the sorter. */
struct search_rows {
  const char *data, *sorter; /* sorter NULL: none */
  bool sorter_wide;          /* i64, not i32 */
  int64_t n, step, sorter_step, base;
  places<2> place;
};

/* The rows of a search or of a check of order, numbered along the grid's first `dims`
** dimensions. */
template <class J> search_rows rows_of(const J &job, const locus_grid &grid, int dims)
{
  search_rows rows;

  rows.data = job.sequence.data;
  rows.sorter = job.sorter.data;
  rows.sorter_wide = job.sorter.dtype == LOCUS_i64;
  rows.n = job.n;
  rows.step = job.sequence_step;
  rows.sorter_step = job.sorter_step;
  rows.base = job.base;
  rows.place = places_of<2>(grid, dims, {&job.sequence, &job.sorter});
  return rows;
}

template <class E> struct search_row {
  const typename E::stored *elements;
  const char *sorter;
};

template <class E> SIMT_DEVICE search_row<E> row_at(const search_rows &rows, int64_t number)
{
  const int64_t item = rows.sorter_wide ? sizeof(int64_t) : sizeof(int32_t);
  int64_t at[2];

  rows.place.find(number, at);
  return {(const typename E::stored *)rows.data + at[0],
          rows.sorter ? rows.sorter + at[1] * item : nullptr};
}

/* Element j of a row, in the order of the sorter. */
template <class E>
SIMT_DEVICE typename E::value row_element(const search_rows &rows, const search_row<E> &row,
                                          int64_t j)
{
  if (!row.sorter) return E::load(row.elements[j * rows.step]);
  const int64_t at = j * rows.sorter_step;
  const int64_t k =
      rows.sorter_wide ? ((const int64_t *)row.sorter)[at] : ((const int32_t *)row.sorter)[at];
  return E::load(row.elements[(k - rows.base) * rows.step]);
}

/* Rows whose keys are contiguous; `place` is that of the rows. */
template <class K> struct search_keys {
  const typename K::stored *data;
  int64_t n;
  places<1> place;

  SIMT_DEVICE const typename K::stored *row(int64_t number) const
  {
    int64_t at[1];
    place.find(number, at);
    return data + at[0];
  }
};

/* Values and answers, in the order of the grid. `place` is that of values, left and right. */
struct search_sides {
  int64_t numel;
  const char *values; /* NULL: every value is `own` */
  locus_dtype dtype;
  search_number own;
  char *answers[2];     /* NULL: not asked for */
  bool wide[2];         /* i64, not i32 */
  int64_t n;            /* keys of a row */
  int64_t origin, turn; /* the answer is origin + count, or, turn being -1, origin - 1 - count */
  places<3> place;
};

/* Where a value lies, and its answers. */
struct search_spot {
  int64_t value, left, right;
};

/* Values that are keys already and lie, with all answers, in the order of the grid are PLAIN. */
template <bool PLAIN> SIMT_DEVICE search_spot spot_of(const search_sides &s, int64_t i)
{
  int64_t at[3] = {i, i, i};

  if (!PLAIN) s.place.find(i, at);
  return {at[0], at[1], at[2]};
}

template <class K, bool PLAIN>
SIMT_DEVICE probe<K> read_value(const search_sides &s, const search_spot &spot, bool right)
{
  if constexpr (PLAIN)
    return probe_at<K>(((const typename K::stored *)s.values)[spot.value], right);
  else if (s.values) return probe_of<K>(number_at(s.dtype, s.values, spot.value), right);
  else return probe_of<K>(s.own, right);
}

SIMT_DEVICE void write_answer(const search_sides &s, const search_spot &spot, int side,
                              int64_t count)
{
  const int64_t answer = s.origin + (count ^ s.turn), at = side == 0 ? spot.left : spot.right;

  if (s.wide[side]) ((int64_t *)s.answers[side])[at] = answer;
  else ((int32_t *)s.answers[side])[at] = (int32_t)answer;
}

} // namespace locus

#endif
