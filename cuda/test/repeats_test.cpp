/* SPDX-License-Identifier: MIT */
/* repeats against loops over slices and their copies. */
/* Tests: repeats.cu */
#include "cuda/test/tensor.h"

using namespace test;

/* In each of `outer` blocks n slices of `inner` elements, up to `longest` times each. */
static void repeats_case(locus_dtype dtype, layout from, layout to, int64_t outer, int64_t n,
                         int64_t inner, int64_t longest)
{
  locus_context cx = context();
  tensor ends(LOCUS_i64, grid_of({n}), SIDE_BY_SIDE);
  std::vector<int64_t> slices;
  locus_repeats_job job = {};

  for (int64_t k = 0; k < n; k++) {
    for (int64_t left = random_below(longest + 1); left > 0; left--) slices.push_back(k);
    ends.set(k, whole((int64_t)slices.size()));
  }
  job.total = (int64_t)slices.size();
  if (job.total == 0) return;
  tensor in(dtype, grid_of({outer, n, inner}), from);
  tensor out(dtype, grid_of({outer, job.total, inner}), to);
  job.outer = outer;
  job.n = n;
  job.bytes = inner * size_of(dtype);
  job.ends = (const int64_t *)ends.sent().data;
  job.in = in.sent().data;
  job.out = out.sent().data;
  expect(locus_cuda_repeats(&job, &cx) == 0, "repeats");

  std::vector<unsigned char> wanted = out.bytes;
  for (int64_t i = 0; i < out.grid.numel; i++) {
    const int64_t copy = i / inner, block = copy / job.total;
    const int64_t slice = block * n + slices[(size_t)(copy % job.total)];
    memcpy(&wanted[(size_t)out.place(i)], in.at(slice * inner + i % inner), (size_t)size_of(dtype));
  }
  out.compare(wanted, "repeats");
}

int main()
{
  for (locus_dtype dtype : {LOCUS_u8, LOCUS_f16, LOCUS_i32, LOCUS_f64, LOCUS_c128})
    for (layout from : {SIDE_BY_SIDE, SHIFTED})
      for (layout to : {SIDE_BY_SIDE, SHIFTED})
        for (int64_t inner : {1, 2, 3, 8, 32})
          for (int64_t n : {1, 2, 33})
            repeats_case(dtype, from, to, 1 + n % 3, n, inner, inner == 3 ? 40 : 3);
  repeats_case(LOCUS_f32, SIDE_BY_SIDE, SIDE_BY_SIDE, 1, 3, 1, 3000);
  repeats_case(LOCUS_f32, SIDE_BY_SIDE, SIDE_BY_SIDE, 1, 700, 4, 3);
  return finish("repeats");
}
