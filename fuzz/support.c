/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "core/device.h"
#include "fuzz.h"

/* Of src/cpu, which no reader of text uses. */
const locus_runners *_Atomic locus_cpu_runners;

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
