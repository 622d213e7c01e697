/* SPDX-License-Identifier: MIT */
/* CRC-32 by tables, eight bytes at a time (slicing-by-8): table[k][b] is the part of the sum that
** the byte b makes when k more bytes follow it.
**
** Source: Kounavis and Berry, Novel table lookup-based algorithms for high-performance CRC
** generation, IEEE Transactions on Computers 57 (2008). */
#include "text/zip/crc.h"

#include <pthread.h>

enum { STRIDE = 8 };

static const uint32_t polynomial = 0xEDB88320; /* the lowest bit is the highest power */

static uint32_t table[STRIDE][256];
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void fill_table(void)
{
  for (uint32_t byte = 0; byte < 256; byte++) {
    uint32_t crc = byte;
    for (int bit = 0; bit < 8; bit++) crc = crc >> 1 ^ (crc & 1 ? polynomial : 0);
    table[0][byte] = crc;
  }
  for (int k = 1; k < STRIDE; k++) {
    for (int byte = 0; byte < 256; byte++) {
      const uint32_t before = table[k - 1][byte];
      table[k][byte] = before >> 8 ^ table[0][before & 255];
    }
  }
}

static uint32_t load(const unsigned char *at)
{
  return at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

uint32_t locus_crc32(uint32_t crc, const char *bytes, int64_t count)
{
  const unsigned char *at = (const unsigned char *)bytes;

  pthread_once(&once, fill_table);
  crc = ~crc;
  for (; count >= STRIDE; count -= STRIDE, at += STRIDE) {
    const uint32_t low = load(at) ^ crc, high = load(at + 4);
    crc = table[7][low & 255] ^ table[6][low >> 8 & 255] ^ table[5][low >> 16 & 255] ^
          table[4][low >> 24] ^ table[3][high & 255] ^ table[2][high >> 8 & 255] ^
          table[1][high >> 16 & 255] ^ table[0][high >> 24];
  }
  for (; count > 0; count--, at++) crc = crc >> 8 ^ table[0][(crc ^ *at) & 255];
  return ~crc;
}
