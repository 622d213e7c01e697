/* SPDX-License-Identifier: MIT */
/* Runner of repeats: each piece of a slice, at most 16 bytes, searches for whose copy it is. */
#include "cuda/include/block/element.h"
#include "cuda/include/block/places.h"
#include "cuda/include/host/runners.h"
#include "cuda/include/block/width.h"

namespace locus
{

enum { REPEATS_THREADS = 256 };

/* Slices of that many pieces. */
template <class U> struct repeats_input {
  const int64_t *ends;
  const U *in;
  U *out;
  int64_t n, pieces;    /* of all copies */
  divisor slice, block; /* pieces of a slice, and slices that a block has in the answer */
};

template <class U>
SIMT_KERNEL void SIMT_BOUNDS(REPEATS_THREADS, 4) repeat_pieces(repeats_input<U> job)
{
  for (int64_t i = this_thread(); i < job.pieces; i += all_threads()) {
    const int64_t slice = job.slice.quotient(i), block = job.block.quotient(slice);
    const int64_t place = slice - block * job.block.number;
    int64_t low = 0, high = job.n;
    while (low < high) {
      const int64_t middle = low + (high - low) / 2;
      if (job.ends[middle] > place) high = middle;
      else low = middle + 1;
    }
    job.out[i] = job.in[i + (block * job.n + low - slice) * job.slice.number];
  }
}

/* The most bytes, up to 16, by which slices can be cut and addressed. */
static int64_t piece_of(const locus_repeats_job *job)
{
  int64_t bytes = VECTOR_BYTES;

  while (job->bytes % bytes != 0 || !aligned(job->in, (uint64_t)bytes) ||
         !aligned(job->out, (uint64_t)bytes))
    bytes /= 2;
  return bytes;
}

} // namespace locus

extern "C" int locus_cuda_repeats(const locus_repeats_job *job, locus_context *cx)
{
  using namespace locus;
  call c("repeats", cx);
  const int64_t piece = piece_of(job), pieces = job->bytes / piece;

  const auto run = [&](auto element) {
    using U = decltype(element);
    const repeats_input<U> input = {job->ends,
                                    (const U *)job->in,
                                    (U *)job->out,
                                    job->n,
                                    job->outer * job->total * pieces,
                                    divisor_of(pieces),
                                    divisor_of(job->total)};
    c.launch_over(input.pieces, repeat_pieces<U>, REPEATS_THREADS, 0, input);
  };
  if (piece == VECTOR_BYTES) run(vector_of<uint64_t>());
  else by_width_of_numbers(piece, run);
  return c.end();
}
