/* SPDX-License-Identifier: MIT */
/* Runner of scan. Short rows are taken in order, as the CPU does. Long ones are cut into pieces:
** the totals of all pieces are found first, these are scanned, and each piece then begins with the
** total of those before it. How floats are added or multiplied depends on the length of a row
** alone. */
#include "cuda/include/reduce/reduce_methods.h"
#include "cuda/include/reduce/scanning.h"
#include "cuda/include/host/runners.h"

namespace locus
{

/* -- Cells ------------------------------------------------------------------------------------- */

/* Whole numbers modulo 2^64. */
SIMT_DEVICE int64_t plus(int64_t a, int64_t b)
{
  return (int64_t)((uint64_t)a + (uint64_t)b);
}

SIMT_DEVICE double plus(double a, double b)
{
  return a + b;
}

SIMT_DEVICE locus_complex128 plus(locus_complex128 a, locus_complex128 b)
{
  return complex_sum::join(a, b);
}

SIMT_DEVICE int64_t times(int64_t a, int64_t b)
{
  return (int64_t)((uint64_t)a * (uint64_t)b);
}

SIMT_DEVICE double times(double a, double b)
{
  return a * b;
}

SIMT_DEVICE locus_complex128 times(locus_complex128 a, locus_complex128 b)
{
  return locus_times_c128(a, b);
}

SIMT_DEVICE int64_t one(int64_t)
{
  return 1;
}

SIMT_DEVICE double one(double)
{
  return 1;
}

SIMT_DEVICE locus_complex128 one(locus_complex128)
{
  return locus_pair_c128(1, 0);
}

/* Sums and products in E; `tailored` are those for whose usual dtypes there are kernels. */
template <class E> struct sums {
  typedef E computed;
  typedef typename E::value value;
  static constexpr bool exact = E::kind == LOCUS_INTEGER, tailored = true;

  static SIMT_DEVICE value none()
  {
    return value();
  }
  static SIMT_DEVICE value join(value before, value after)
  {
    return plus(before, after);
  }
};

template <class E> struct products {
  typedef E computed;
  typedef typename E::value value;
  static constexpr bool exact = E::kind == LOCUS_INTEGER, tailored = false;

  static SIMT_DEVICE value none()
  {
    return one(value());
  }
  static SIMT_DEVICE value join(value before, value after)
  {
    return times(before, after);
  }
};

/* How cells are read and written: from and to any dtype, or those named. */
template <class W> struct any_cells : W {
  typedef typename W::computed E;

  static SIMT_DEVICE typename W::value read(const rows_of_cells &s, const int64_t *at, int64_t j)
  {
    return s.in.read<E>(at[0] + j * s.in_step);
  }
  static SIMT_DEVICE void write(const rows_of_cells &s, const int64_t *at, int64_t j,
                                typename W::value v)
  {
    s.out.write<E>(at[1] + j * s.out_step, v);
  }
};

template <class W, class IN, class OUT> struct cells : W {
  static SIMT_DEVICE typename W::value read(const rows_of_cells &s, const int64_t *at, int64_t j)
  {
    const typename IN::stored *in = (const typename IN::stored *)s.in.data;
    return W::computed::store(IN::load(in[at[0] + j * s.in_step]));
  }
  static SIMT_DEVICE void write(const rows_of_cells &s, const int64_t *at, int64_t j,
                                typename W::value v)
  {
    ((typename OUT::stored *)s.out.data)[at[1] + j * s.out_step] = OUT::store(v);
  }
};

/* The least or greatest element, the last of equal ones. */
template <class E> struct extremes {
  typedef extreme::partial value;
  typedef typename E::stored stored;
  static constexpr bool exact = true;

  static SIMT_DEVICE value none()
  {
    return extreme::none();
  }
  static SIMT_DEVICE value join(value a, value b)
  {
    if (a.position < 0) return b;
    if (b.position < 0) return a;
    if (a.score != b.score) return a.score > b.score ? a : b;
    return a.position > b.position ? a : b;
  }
  static SIMT_DEVICE value read(const rows_of_cells &s, const int64_t *at, int64_t j)
  {
    return extreme::of<E>(((const stored *)s.in.data)[at[0] + j * s.in_step], j,
                          beside{s.least_wins, 0});
  }
  static SIMT_DEVICE void write(const rows_of_cells &s, const int64_t *at, int64_t j, value v)
  {
    const stored best = ((const stored *)s.in.data)[at[0] + v.position * s.in_step];
    ((stored *)s.out.data)[at[1] + j * s.out_step] = best;
    ((int64_t *)s.index.data)[at[2] + j * s.index_step] = v.position + s.base;
  }
};

/* -- The choice between them ------------------------------------------------------------------- */

/* In W: most answers have the dtype of their elements, and those of whole numbers are int64. */
template <class W> static void scan_as(call &c, const rows_of_cells &s, bool columns)
{
  typedef typename W::computed E;
  const locus_dtype usual = E::kind == LOCUS_INTEGER ? E::dtype : s.in.dtype;

  if constexpr (W::tailored) {
    if (s.in.data && s.out.dtype == usual) {
      by_dtype(s.in.dtype, [&](auto e) {
        typedef decltype(e) IN;
        if constexpr (E::kind == LOCUS_INTEGER && IN::kind <= LOCUS_INTEGER)
          scan<cells<W, IN, E>>(c, s, columns);
        else if constexpr (E::kind == IN::kind) scan<cells<W, IN, IN>>(c, s, columns);
        else scan<any_cells<W>>(c, s, columns);
      });
      return;
    }
  }
  scan<any_cells<W>>(c, s, columns);
}

/* For W<E>, E being the type that elements are computed in. */
template <template <class> class W>
static void scan_numbers(call &c, const rows_of_cells &s, bool columns)
{
  switch (locus_dtype_kind(s.out.dtype)) {
  case LOCUS_BOOL:
  case LOCUS_INTEGER: return scan_as<W<element<LOCUS_i64>>>(c, s, columns);
  case LOCUS_FLOAT: return scan_as<W<element<LOCUS_f64>>>(c, s, columns);
  case LOCUS_COMPLEX: return scan_as<W<element<LOCUS_c128>>>(c, s, columns);
  }
}

static void scan_extremes(call &c, const rows_of_cells &s, bool columns)
{
  by_real(s.in.dtype, [&](auto e) { scan<extremes<decltype(e)>>(c, s, columns); });
}

static rows_of_cells rows_of(const locus_scan_job &job, bool chooses)
{
  const locus_operand &index = chooses ? job.index : job.out;
  rows_of_cells s = {};

  s.in = source_of(job.in);
  s.out = target_of(job.out);
  s.index = target_of(index);
  s.where = places_of<3>(job.rows, job.rows.ndim, {&job.in, &job.out, &index});
  s.rows = job.rows.numel;
  s.n = job.n;
  s.in_step = job.in_step;
  s.out_step = job.out_step;
  s.index_step = job.index_step;
  s.least_wins = job.op == LOCUS_SCAN_min;
  s.base = job.base;
  return s;
}

} // namespace locus

extern "C" int locus_cuda_scan(const locus_scan_job *job, locus_context *cx)
{
  using namespace locus;
  call c("scan", cx);
  const bool chooses = job->op == LOCUS_SCAN_min || job->op == LOCUS_SCAN_max;
  const bool columns = job->in.stride[job->rows.ndim - 1] < job->in_step;

  if (job->n == 0 || job->rows.numel == 0) return c.end();
  const rows_of_cells s = rows_of(*job, chooses);
  switch (job->op) {
  case LOCUS_SCAN_sum: scan_numbers<sums>(c, s, columns); break;
  case LOCUS_SCAN_prod: scan_numbers<products>(c, s, columns); break;
  case LOCUS_SCAN_min:
  case LOCUS_SCAN_max: scan_extremes(c, s, columns); break;
  case LOCUS_SCANS: break;
  }
  return c.end();
}
