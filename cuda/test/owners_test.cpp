/* SPDX-License-Identifier: MIT */
/* owners against a count of ends. */
/* Tests: owners.cu */
#include "cuda/test/tensor.h"

using namespace test;

/* n owners of up to `longest` places each. */
static void owners_case(int64_t n, int64_t longest)
{
  locus_context cx = context();
  tensor ends(LOCUS_i64, grid_of({n}), SIDE_BY_SIDE);
  std::vector<int64_t> owners;
  locus_owners_job job = {};

  for (int64_t k = 0; k < n; k++) {
    for (int64_t left = random_below(longest + 1); left > 0; left--) owners.push_back(k);
    ends.set(k, whole((int64_t)owners.size()));
  }
  job.n = n;
  job.total = (int64_t)owners.size();
  job.base = random_below(2);
  tensor out(LOCUS_i64, grid_of({job.total}), SHIFTED);
  job.ends = (const int64_t *)ends.sent().data;
  job.out = (int64_t *)out.sent().data;
  expect(locus_cuda_owners(&job, &cx) == 0, "owners");

  std::vector<unsigned char> wanted = out.bytes;
  for (int64_t i = 0; i < job.total; i++)
    put(LOCUS_i64, &wanted[(size_t)out.place(i)], whole(job.base + owners[(size_t)i]));
  out.compare(wanted, "owners");
}

int main()
{
  for (int64_t n : {0, 1, 2, 33, 300})
    for (int64_t longest : {0, 1, 3, 40}) owners_case(n, longest);
  owners_case(3, 3000);
  return finish("owners");
}
