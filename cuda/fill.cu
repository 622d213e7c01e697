/* SPDX-License-Identifier: MIT */
/* Runner of fill, as a scan: the running answer is the place of the last element that is there. By
** group the cells are those of the order, group after group, and a place before the group's first
** one does not count. */
#include "cuda/include/reduce/scanning.h"
#include "cuda/include/host/runners.h"

namespace locus
{

/* Places among the cells; -1: none. */
struct last_place {
  int64_t there, first; /* the last element that is not missing; the first one of the group */
};

template <class E> struct gaps {
  typedef last_place value;
  typedef typename E::stored stored;
  static constexpr bool exact = true;

  static SIMT_DEVICE value none()
  {
    return value{-1, -1};
  }
  static SIMT_DEVICE value join(value a, value b)
  {
    return value{b.there > a.there ? b.there : a.there, b.first > a.first ? b.first : a.first};
  }

  /* The place of cell j along a row. */
  static SIMT_DEVICE int64_t place(const rows_of_cells &s, int64_t j)
  {
    const int64_t k = s.fill.backward ? s.n - 1 - j : j;
    return s.fill.order ? s.fill.order[k] - 1 : k;
  }
  static SIMT_DEVICE stored at(const rows_of_cells &s, const int64_t *at, int64_t j)
  {
    return ((const stored *)s.in.data)[at[0] + place(s, j) * s.in_step];
  }
  static SIMT_DEVICE bool is_missing(const rows_of_cells &s, stored x)
  {
    const typename E::value v = E::load(x);
    if constexpr (E::kind == LOCUS_INTEGER)
      return s.fill.has_missing && (int64_t)v == s.fill.missing;
    else return LOCUS_REAL(v) != LOCUS_REAL(v) || LOCUS_IMAGINARY(v) != LOCUS_IMAGINARY(v);
  }
  static SIMT_DEVICE int64_t group(const rows_of_cells &s, int64_t j)
  {
    return s.fill.ids.read<element<LOCUS_i64>>(place(s, j) * s.fill.ids_step);
  }

  static SIMT_DEVICE value read(const rows_of_cells &s, const int64_t *where, int64_t j)
  {
    const bool begins = j == 0 || (s.fill.order && group(s, j) != group(s, j - 1));
    return value{is_missing(s, at(s, where, j)) ? -1 : j, begins ? j : -1};
  }
  static SIMT_DEVICE void write(const rows_of_cells &s, const int64_t *where, int64_t j, value v)
  {
    const bool filled = v.there >= v.first && j - v.there <= s.fill.limit;
    const stored own = at(s, where, filled ? v.there : j);
    ((stored *)s.out.data)[where[1] + place(s, j) * s.out_step] = own;
  }
};

static rows_of_cells rows_of(const locus_fill_job &job)
{
  rows_of_cells s = {};

  s.in = source_of(job.in);
  s.out = s.index = target_of(job.out);
  s.where = places_of<3>(job.rows, job.rows.ndim, {&job.in, &job.out, &job.out});
  s.rows = job.rows.numel;
  s.n = job.n;
  s.in_step = job.in_step;
  s.out_step = job.out_step;
  s.fill.limit = job.limit;
  s.fill.missing = job.missing;
  s.fill.backward = job.backward;
  s.fill.has_missing = job.has_missing;
  if (!job.has_groups) return s;
  s.fill.ids = source_of(job.ids);
  s.fill.ids_step = job.ids_step;
  s.fill.order = job.order;
  return s;
}

} // namespace locus

extern "C" int locus_cuda_fill(const locus_fill_job *job, locus_context *cx)
{
  using namespace locus;
  call c("fill", cx);
  const bool columns = job->in.stride[job->rows.ndim - 1] < job->in_step;

  if (job->n == 0 || job->rows.numel == 0) return c.end();
  const rows_of_cells s = rows_of(*job);
  by_dtype(job->in.dtype, [&](auto e) { scan<gaps<decltype(e)>>(c, s, columns); });
  return c.end();
}
