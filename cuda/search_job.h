/* SPDX-License-Identifier: MIT */
/* A search as kernels are given it: the rows of the sequence, the values, and where answers go. */
#ifndef LOCUS_CUDA_SEARCH_JOB_H
#define LOCUS_CUDA_SEARCH_JOB_H

#include "cuda/places.h"
#include "cuda/search_probe.h"

namespace locus {

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
  const int64_t k = rows.sorter_wide ? ((const int64_t *)row.sorter)[at]
                                     : ((const int32_t *)row.sorter)[at];
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
  char *answers[2]; /* NULL: not asked for */
  bool wide[2];     /* i64, not i32 */
  int64_t base, n;
  bool from_end;
  places<3> place;
};

SIMT_DEVICE void write_answer(const search_sides &s, int side, int64_t at, int64_t count)
{
  const int64_t answer = s.base + (s.from_end ? s.n - count : count);

  if (s.wide[side]) ((int64_t *)s.answers[side])[at] = answer;
  else ((int32_t *)s.answers[side])[at] = (int32_t)answer;
}

/* How kernels read values and write answers: in general, */
template <class K, bool PLAIN> struct search_io {
  typedef search_number value;

  static SIMT_DEVICE value read(const search_sides &s, int64_t i)
  {
    int64_t at[3];
    if (!s.values) return s.own;
    s.place.find(i, at);
    return number_at(s.dtype, s.values, at[0]);
  }

  static SIMT_DEVICE probe<rank_of<K>> side_of(const value &v, bool right)
  {
    return probe_of<K>(v, right);
  }

  static SIMT_DEVICE void write(const search_sides &s, int side, int64_t i, int64_t count)
  {
    int64_t at[3];
    s.place.find(i, at);
    write_answer(s, side, at[1 + side], count);
  }
};

/* and where values are keys already and all are contiguous. */
template <class K> struct search_io<K, true> {
  typedef rank_of<K> value;

  static SIMT_DEVICE value read(const search_sides &s, int64_t i)
  {
    return key_rank<K>(((const typename K::stored *)s.values)[i]);
  }

  static SIMT_DEVICE probe<value> side_of(value v, bool right)
  {
    return probe_at(v, right);
  }

  static SIMT_DEVICE void write(const search_sides &s, int side, int64_t i, int64_t count)
  {
    write_answer(s, side, i, count);
  }
};

} // namespace locus

#endif
