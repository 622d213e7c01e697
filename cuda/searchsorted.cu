/* SPDX-License-Identifier: MIT */
/* Runner of searchsorted. */
#include "cuda/include/host/runners.h"
#include "cuda/include/search/search_index.h"

namespace locus
{

/* Blocks are small, so that few values still occupy many processors. Few blocks a processor are
** asked for, so that no register is spilled. */
enum { DIRECT_THREADS = SIMT_SIZE(128, 64), DIRECT_BLOCKS = 8 };

/* Every value by itself, among elements in place. */
template <class E>
SIMT_KERNEL void SIMT_BOUNDS(DIRECT_THREADS, DIRECT_BLOCKS)
    direct_search(search_rows rows, search_sides s, divisor along)
{
  typedef typename key_of<E>::type K;

  for (int64_t i = this_thread(); i < s.numel; i += all_threads()) {
    const search_row<E> row = row_at<E>(rows, along.quotient(i));
    const search_spot spot = spot_of<false>(s, i);
    for (int side = 0; side < 2; side++) {
      if (!s.answers[side]) continue;
      const probe<K> p = read_value<K, false>(s, spot, side == 1);
      int64_t count = 0;
      for (int64_t left = p.all ? 0 : rows.n, half; left > 0; left -= half) {
        half = left - left / 2;
        const typename K::stored key = row_element<E>(rows, row, count + half - 1);
        if (p.counts(key)) count += half;
      }
      write_answer(s, spot, side, p.all ? rows.n : count);
    }
  }
}

/* Likewise where keys, values and answers lie plain: bisection behind a tree without nodes. */
template <class K>
SIMT_KERNEL void SIMT_BOUNDS(DIRECT_THREADS, DIRECT_BLOCKS)
    plain_search(search_keys<K> keys, search_sides s, divisor along)
{
  const uint32_t found = 0;
  uint32_t count;

  for (int64_t i = this_thread(); i < s.numel; i += all_threads()) {
    const typename K::stored *const row = keys.row(along.quotient(i));
    const search_spot spot = spot_of<true>(s, i);
    for (int side = 0; side < 2; side++) {
      if (!s.answers[side]) continue;
      const probe<K> p = read_value<K, true>(s, spot, side == 1);
      bisect<1, K>(row, (uint32_t)s.n, 0, &p, &found, &count);
      write_answer(s, spot, side, count);
    }
  }
}

/* -- From the job to what kernels are given ---------------------------------------------------- */

static search_sides sides_of(const locus_search_job *job)
{
  const locus_operand *const answers[2] = {&job->left, &job->right};
  search_sides s;

  s.numel = job->grid.numel;
  s.values = job->values.data;
  s.dtype = job->values.dtype;
  s.own = search_number();
  if (!s.values) s.own = number_at(s.dtype, (const char *)job->values.value.bytes, 0);
  for (int side = 0; side < 2; side++) {
    const bool asked = side ? job->has_right : job->has_left;
    s.answers[side] = asked ? answers[side]->data : nullptr;
    s.wide[side] = answers[side]->dtype == LOCUS_i64;
  }
  s.n = job->n;
  s.origin = job->from_end ? job->base + job->n + 1 : job->base;
  s.turn = job->from_end ? -1 : 0;
  s.place = places_of<3>(job->grid, job->grid.ndim, {&job->values, &job->left, &job->right});
  return s;
}

static bool sides_lie_plain(const locus_search_job *job, locus_dtype key)
{
  return job->values.data && job->values.dtype == key && dense(job->grid, job->values) &&
         (!job->has_left || dense(job->grid, job->left)) &&
         (!job->has_right || dense(job->grid, job->right));
}

/* The keys of the rows, contiguous. */
template <class K>
static search_keys<K> keys_of(call &c, const locus_search_job *job, const search_plan &plan)
{
  typedef typename K::stored T;
  search_keys<K> keys;

  keys.data = (const T *)job->sequence.data;
  keys.n = job->n;
  keys.place = places_of<1>(job->grid, job->row_dims, {&job->sequence});
  if (!plan.copied) return keys;
  T *const copy = c.temporaries<T>(plan.rows * job->n);
  gather_keys(c, job, plan.rows, copy, job->n);
  keys.data = copy;
  keys.place.ndim = 1;
  keys.place.size[0] = divisor_of(plan.rows);
  keys.place.stride[0][0] = job->n;
  return keys;
}

template <class E>
static void launch_direct(call &c, const locus_search_job *job, const search_plan &plan)
{
  typedef typename key_of<E>::type K;
  const search_sides sides = sides_of(job);
  const divisor along = divisor_of(job->along);

  if (narrow(job->n) && keys_lie_plain(job, K::dtype) && sides_lie_plain(job, K::dtype))
    c.launch_over(sides.numel, plain_search<K>, DIRECT_THREADS, 0, keys_of<K>(c, job, plan), sides,
                  along);
  else
    c.launch_over(sides.numel, direct_search<E>, DIRECT_THREADS, 0,
                  rows_of(*job, job->grid, job->row_dims), sides, along);
}

/* As many blocks as the device runs at a time with the largest tree; smaller ones leave room for as
** many, at least. */
template <class K>
static void launch_tree(call &c, const search_keys<K> &keys, const locus_search_job *job)
{
  const int64_t item = sizeof(typename K::stored);
  const auto kernel = sides_lie_plain(job, K::dtype) ? tree_search<K, true> : tree_search<K, false>;
  const int levels = most_levels(keys.n, item);
  const int64_t blocks = c.resident(kernel, SEARCH_THREADS, item << levels);
  const search_cut cut = cut_values(job->grid.numel, job->along, levels, blocks);

  c.launch(kernel, parts_of(job->grid.numel, cut.share), SEARCH_THREADS, item << cut.levels, keys,
           sides_of(job), cut);
}

template <class K>
static void launch_levels(call &c, const search_keys<K> &keys, const locus_search_job *job,
                          char *indexed)
{
  char *const memory =
      indexed ? indexed : (char *)c.temporary(levels_bytes(keys.n, sizeof(typename K::stored)));
  const search_levels<K> levels = levels_over<K>(c, keys.data, keys.n, memory, indexed != nullptr);
  const int tree_levels = log2_up(levels.size[levels.count - 1] + 1);
  const auto kernel =
      sides_lie_plain(job, K::dtype) ? levels_search<K, true> : levels_search<K, false>;

  c.launch_over(job->grid.numel, kernel, SEARCH_THREADS, sizeof(typename K::stored) << tree_levels,
                levels, sides_of(job), tree_levels);
}

/* `levels`: those of an index, NULL without. */
template <class E> static void search(call &c, const locus_search_job *job, char *levels)
{
  typedef typename key_of<E>::type K;
  const search_plan plan =
      plan_search(job, K::dtype, sizeof(typename K::stored), levels != nullptr);

  if (plan.strategy == SEARCH_DIRECT) {
    launch_direct<E>(c, job, plan);
    return;
  }
  const search_keys<K> keys = keys_of<K>(c, job, plan);
  if (plan.strategy == SEARCH_TREE) launch_tree(c, keys, job);
  else launch_levels(c, keys, job, levels);
}

/* The search among the keys that the index has, which never asks the sorter again. */
static locus_search_job among_indexed(const locus_search_job *job, const index_layout &layout)
{
  locus_search_job indexed = *job;

  indexed.sequence.data = job->index.data;
  indexed.sequence.dtype = layout.key;
  indexed.sequence_step = 1;
  indexed.sorter.data = nullptr;
  for (int d = 0; d < job->grid.ndim; d++) {
    indexed.sequence.stride[d] = job->index.stride[d] / layout.item;
    indexed.sorter.stride[d] = 0;
  }
  return indexed;
}

} // namespace locus

using namespace locus;

extern "C" int locus_cuda_searchsorted(const locus_search_job *job, locus_context *cx)
{
  call c("searchsorted", cx);
  locus_search_job indexed = {};
  char *levels = nullptr;

  if (job->grid.numel == 0) return c.end();
  if (job->index.data) {
    const index_layout layout = layout_of(job, job->grid.numel / job->along);
    if (layout.levels) levels = job->index.data + layout.levels_at;
    if (layout.keys) {
      indexed = among_indexed(job, layout);
      job = &indexed;
    }
  }
  by_real(job->sequence.dtype, [&](auto e) { search<decltype(e)>(c, job, levels); });
  return c.end();
}
