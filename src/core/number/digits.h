/* SPDX-License-Identifier: MIT */
/* Digits, several at a time. */
#ifndef LOCUS_DIGITS_H
#define LOCUS_DIGITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "core/ieee.h"
#include "core/inline.h"

/* -- Read: 8 bytes as one number, the last of them in its highest byte ------------------------- */

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "the last byte is the highest");

#define EACH_BYTE(byte) (UINT64_MAX / 255 * (uint64_t)(byte))

/* The lowest bit that is set belongs to the first byte that is 0. */
LOCUS_INLINE uint64_t zero_bytes(uint64_t bytes)
{
  return (bytes - EACH_BYTE(1)) & ~bytes & EACH_BYTE(0x80);
}

/* The 1 to 8 bytes at `text`, with digits 0 in front of them. It reads up to 7 bytes before `text`
** and ignores them, so that the length needs no branch, which would be hard to predict. */
LOCUS_INLINE uint64_t load_bytes(const char *text, size_t count)
{
  const uint64_t mask = UINT64_MAX << 8 * (8 - count);
  uint64_t all;

  memcpy(&all, text + count - 8, 8);
  return (all & mask) | (EACH_BYTE('0') & ~mask);
}

LOCUS_INLINE bool are_digits(uint64_t bytes)
{
  return (((bytes + EACH_BYTE(0x7f - '9')) | (bytes - EACH_BYTE('0'))) & EACH_BYTE(0x80)) == 0;
}

/* The number of 8 digits: pairs of them, then fours, then all. */
LOCUS_INLINE uint64_t number_of_digits(uint64_t bytes)
{
  const uint64_t each = bytes - EACH_BYTE('0'), pairs = each * 10 + (each >> 8);
  const uint64_t mask = 0x000000ff000000ff;

  return ((pairs & mask) * (100 + (1000000ull << 32)) +
          ((pairs >> 16) & mask) * (1 + (10000ull << 32))) >>
         32;
}

/* -- Written ----------------------------------------------------------------------------------- */

extern const char locus_digit_pairs[201]; /* 00 01 02 .. 99 */
extern const uint64_t locus_tens[20];     /* 10^0 to 10^19 */

LOCUS_INLINE int count_digits(uint64_t number)
{
  const int least = ((64 - __builtin_clzll(number | 1)) * 1233) >> 12; /* 1233 / 4096: log10(2) */
  return least + (number >= locus_tens[least]) + (number == 0);
}

/* Two digits of a number below 100. */
LOCUS_INLINE void put_two(char *to, unsigned number)
{
  memcpy(to, locus_digit_pairs + 2 * number, 2);
}

/* The 8 digits of a number below 10^8, as load_bytes gives them: fours of them, then pairs, then
** each. 10486 / 2^20 is 1 / 100, and 103 / 2^10 is 1 / 10, as far as these go. */
LOCUS_INLINE uint64_t digits_of_number(uint64_t number)
{
  const uint64_t fours = number / 10000 | number % 10000 << 32;
  const uint64_t hundreds = ((fours * 10486) >> 20) & 0x0000007f0000007f;
  const uint64_t pairs = hundreds | (fours - 100 * hundreds) << 16;
  const uint64_t tens = ((pairs * 103) >> 10) & 0x000f000f000f000f;
  return (tens | (pairs - 10 * tens) << 8) + EACH_BYTE('0');
}

/* The last `count` digits, the very last one at to[count - 1]. */
LOCUS_INLINE void put_digits(char *to, uint64_t number, int count)
{
  for (; count >= 8; number /= 100000000) {
    const uint64_t eight = digits_of_number(number % 100000000);
    memcpy(to + (count -= 8), &eight, 8);
  }
  for (; count >= 2; number /= 100) put_two(to + (count -= 2), (unsigned)(number % 100));
  if (count) *to = (char)('0' + number % 10);
}

/* Writes all digits and returns their number. It may write up to 8 bytes more, so that the number
** needs no branch. */
LOCUS_INLINE int put_number(char *to, uint64_t number)
{
  const int count = count_digits(number);
  char *at = to + count;
  uint64_t next = 0;

  for (; at - to > 8; number /= 100000000) {
    next = digits_of_number(number % 100000000);
    memcpy(at -= 8, &next, 8);
  }
  const uint64_t first = digits_of_number(number) >> 8 * (8 - (at - to));
  memcpy(to, &first, 8);
  memcpy(at, &next, 8);
  return count;
}

#endif
