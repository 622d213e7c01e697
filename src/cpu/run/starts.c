/* SPDX-License-Identifier: MIT */
/* Runner of starts: the differences of each element of a block from the one before it go to a
** buffer in L1, and become bits there as mask makes bits of elements. */
#include "cpu/block/equal.h"
#include "cpu/block/walk.h"
#include "cpu/mask/mask.h"

typedef float real_4;
typedef double real_8;

#define WIDTHS_OF_NUMBERS
#define TEMPLATE "cpu/mask/starts.inc"
#include "cpu/block/each_width.h"

typedef void differences_run(void *to, const void *numbers, int64_t back, int64_t n,
                             const locus_equality *equality);

static differences_run *const differences_runs[] = {differences_1, differences_2, differences_4,
                                                    differences_8};

_Static_assert(LOCUS_CHUNK % BLOCK == 0, "a block lies within a chunk");

/* The bits of n elements of the row from `at`, and the number of set ones. */
static int64_t start_bits(const locus_mask_job *job, int64_t at, int64_t n)
{
  const locus_equality equality = locus_equality_of(job->in.dtype);
  const int64_t item = locus_dtype_size(job->in.dtype), skipped = at == 0;
  const int64_t back = equality.numbers, numbers = (n - skipped) * back;
  _Alignas(64) char differences[BLOCK * 16];

  memset(differences, 1, (size_t)(skipped * item));
  differences_runs[width_index(equality.width)](
      differences + skipped * item, job->in.data + (at + skipped) * item, back, numbers, &equality);
  return mask_runs[width_index(item)](differences, n, UINT64_MAX, job->bits + at / 64);
}

static int starts_part(const void *what, int64_t begin, int64_t end, locus_context *cx)
{
  const locus_mask_job *job = what;

  for (int64_t c = begin; c < end; c++) {
    const int64_t stop = least((c + 1) * LOCUS_CHUNK, job->grid.numel);
    LOCUS_TRY(locus_poll(cx));
    job->first[c + 1] = 0;
    for (int64_t at = c * LOCUS_CHUNK; at < stop; at += BLOCK)
      job->first[c + 1] += start_bits(job, at, least(BLOCK, stop - at));
  }
  return 0;
}

int ISA(starts)(const locus_mask_job *job, locus_context *cx)
{
  LOCUS_TRY(locus_parallel(starts_part, job, locus_chunks(job->grid.numel), 1, cx));
  mask_add_up(job);
  return 0;
}
