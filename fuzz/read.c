/* SPDX-License-Identifier: MIT */
/* src/text/read: the first HEAD bytes of an input are a plan, the others the text. It is read by
** the plan, and in pieces of one byte; both must give the results of the naive reader. */
#include <stdlib.h>

#include "plan.h"
#include "text/pack/inflate.h"
#include "text/read/foreign.h"

/* -- gzip, in blocks that are stored as they are ----------------------------------------------- */

static uint32_t checksum(const uint8_t *bytes, size_t size)
{
  uint32_t sum = ~0u;

  for (size_t i = 0; i < size; i++) {
    sum ^= bytes[i];
    for (int bit = 0; bit < 8; bit++) sum = sum >> 1 ^ (sum & 1 ? 0xedb88320 : 0);
  }
  return ~sum;
}

static size_t put_little(uint8_t *to, uint32_t value, size_t bytes)
{
  for (size_t i = 0; i < bytes; i++) to[i] = (uint8_t)(value >> 8 * i);
  return bytes;
}

/* A member of a file of gzip; it is at most 65535 bytes. */
static size_t put_member(uint8_t *to, const uint8_t *bytes, size_t size)
{
  static const uint8_t begin[] = {31, 139, 8, 0, 0, 0, 0, 0, 0, 255, 1};
  uint8_t *at = to;

  memcpy(at, begin, sizeof begin);
  at += sizeof begin;
  at += put_little(at, (uint32_t)size, 2);
  at += put_little(at, ~(uint32_t)size, 2);
  if (size) memcpy(at, bytes, size);
  at += size;
  at += put_little(at, checksum(bytes, size), 4);
  at += put_little(at, (uint32_t)size, 4);
  return (size_t)(at - to);
}

/* Two members, equal to one file of both. */
static uint8_t *compress(const uint8_t *text, size_t *size, unsigned seed)
{
  const size_t first = seed % (*size + 1);
  uint8_t *made = malloc(*size + 64);
  size_t length = put_member(made, text, first);

  length += put_member(made + length, text + first, *size - first);
  *size = length;
  return made;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  static const delivery in_bytes = {.form = IN_BYTES};
  plan plan;
  delivery delivery;
  result naive = {0}, plain = {0}, given = {0};

  if (size < HEAD || size > HEAD + 60000) return 0;
  make_plan(data, &plan, &delivery);
  const uint8_t *text = data + HEAD;
  size -= HEAD;
  const bool lines = size > 0 && text[size - 1] == '\n';
  bool undecided;
  const bool packed =
      locus_compression_of((const char *)text, (int64_t)size, true, &undecided) != TEXT_PLAIN;
  /* All must give the same answer about what is no text, whatever that is. */
  const bool text_alone =
      !packed && !locus_foreign((const char *)text, (int64_t)size, true, &undecided);

  read_text(&plan, &in_bytes, text, size, &plain);
  if (text_alone) {
    naive_read(&plan, (const char *)text, (int64_t)size, &naive);
    compare_results("in bytes", &naive, &plain, lines);
  }
  if (delivery.compressed && !packed) {
    uint8_t *compressed = compress(text, &size, delivery.seed);
    read_text(&plan, &delivery, compressed, size, &given);
    free(compressed);
  } else {
    read_text(&plan, &delivery, text, size, &given);
  }
  compare_results("as it was given", &plain, &given, false);
  free_result(&naive);
  free_result(&plain);
  free_result(&given);
  return 0;
}
