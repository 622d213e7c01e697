/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "core/device.h"
#include "core/parallel.h"
#include "fuzz.h"

/* Functions of src/cpu, which no reader of text uses. */
const locus_runners *_Atomic locus_cpu_runners;

/* A pool of three threads would do the parts in an order that no second run repeats. Here the last
** part is done first, each with a context of its own. */
int locus_cpu_threads(void)
{
  return 3;
}

bool locus_small_pieces(void)
{
  return true;
}

int locus_parallel(locus_part *part, const void *job, int64_t count, int64_t grain,
                   locus_context *cx)
{
  for (int64_t k = (count + grain - 1) / grain - 1; k >= 0; k--) {
    const int64_t end = (k + 1) * grain;
    locus_context own = {.default_dtype = cx->default_dtype};
    if (!part(job, k * grain, end < count ? end : count, &own)) continue;
    cx->error = own.error;
    return -1;
  }
  return 0;
}

char *fuzz_copy(const void *bytes, size_t size, size_t before)
{
  char *block = malloc(before + size + (before + size == 0));

  if (!block) fuzz_fail("no memory");
  memset(block, '5', before); /* digits must not count */
  if (size) memcpy(block + before, bytes, size);
  return block + before;
}

void fuzz_free(char *copy, size_t before)
{
  free(copy - before);
}
