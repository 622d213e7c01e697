/* SPDX-License-Identifier: MIT */
/* The common part of every target: bytes to choose by, and an end with words. Each target defines
** LLVMFuzzerTestOneInput, for libFuzzer or for the main of replay.c. */
#ifndef LOCUS_FUZZ_H
#define LOCUS_FUZZ_H

#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Bytes that choose; 0 when there are no more. */
typedef struct fuzz_input {
  const uint8_t *at, *end;
} fuzz_input;

static inline unsigned fuzz_byte(fuzz_input *input)
{
  return input->at < input->end ? *input->at++ : 0;
}

static inline uint64_t fuzz_word(fuzz_input *input)
{
  uint64_t word = 0;

  for (int i = 0; i < 8; i++) word |= (uint64_t)fuzz_byte(input) << 8 * i;
  return word;
}

/* Says which law does not hold, and aborts. */
void fuzz_fail(const char *format, ...) __attribute__((format(printf, 1, 2), noreturn));

/* Bytes in a block of their own, with `before` readable ones in front: a sanitizer sees reads
** beyond it. To be freed with fuzz_free. */
char *fuzz_copy(const void *bytes, size_t size, size_t before);
void fuzz_free(char *copy, size_t before);

#endif
