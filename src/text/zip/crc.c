/* SPDX-License-Identifier: MIT */
/* CRC-32 by tables, eight bytes at a time (slicing-by-8): table[k][b] is the part of the sum
** that the byte b makes when k more bytes follow it.
**
** Threads take pieces of long texts. A sum is a polynomial over GF(2), and that of two pieces is
** the first one times the power of x by which the second one moves it, plus the second one.
**
** Source: Kounavis and Berry, Novel table lookup-based algorithms for high-performance CRC
** generation, IEEE Transactions on Computers 57 (2008). */
#include "text/zip/crc.h"

#include <pthread.h>

#include "core/parallel.h"

enum { STRIDE = 8, PIECES = 64, LEAST = 1 << 16, LEAST_IN_TESTS = 1 << 4 };

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

/* -- Pieces ------------------------------------------------------------------------------------ */

typedef struct crc_pieces {
  const char *bytes;
  int64_t count, piece;
  uint32_t *sums;
} crc_pieces;

static int64_t length_of(const crc_pieces *p, int64_t k)
{
  const int64_t rest = p->count - k * p->piece;
  return rest < p->piece ? rest : p->piece;
}

static int sum_part(const void *job, int64_t begin, int64_t end, locus_context *cx)
{
  const crc_pieces *p = job;

  for (int64_t k = begin; k < end; k++) {
    p->sums[k] = locus_crc32(0, p->bytes + k * p->piece, length_of(p, k));
    LOCUS_TRY(locus_poll(cx));
  }
  return 0;
}

/* The product of two polynomials, modulo that of the sums. */
static uint32_t product(uint32_t a, uint32_t b)
{
  uint32_t sum = 0;

  for (uint32_t bit = 0x80000000; bit; bit >>= 1) {
    sum ^= a & bit ? b : 0;
    b = b >> 1 ^ (b & 1 ? polynomial : 0);
  }
  return sum;
}

/* The power of x by which `count` bytes move a sum. */
static uint32_t power_of(int64_t count)
{
  uint32_t power = 0x80000000, square = 0x00800000; /* 1, and x^8 */

  for (; count > 0; count >>= 1) {
    if (count & 1) power = product(power, square);
    square = product(square, square);
  }
  return power;
}

int locus_crc32_shared(uint32_t *crc, const char *bytes, int64_t count, locus_context *cx)
{
  const int64_t least = locus_small_pieces() ? LEAST_IN_TESTS : LEAST;
  uint32_t sums[PIECES];
  crc_pieces p = {bytes, count, count / PIECES + 1, sums};

  if (p.piece < least) p.piece = least;
  const int64_t pieces = (count + p.piece - 1) / p.piece;
  LOCUS_TRY(locus_parallel(sum_part, &p, pieces, 1, cx));
  const uint32_t power = power_of(p.piece);
  for (int64_t k = 0; k < pieces; k++) {
    const int64_t length = length_of(&p, k);
    *crc = product(length == p.piece ? power : power_of(length), *crc) ^ sums[k];
  }
  return 0;
}
