/* SPDX-License-Identifier: MIT */
#include "text/names/strings.h"

#include <string.h>

#include "core/once.h"

enum { BATCH = 64, INLINE = 12, BETWEEN_POLLS = 4096 }; /* strings; bytes of a view's own text */

static bool read_view(const text_strings *s, int64_t i, text_span *span)
{
  const int32_t *view = s->views + 4 * i;
  const int64_t length = LOCUS_ONCE(view[0]), buffer = LOCUS_ONCE(view[2]);
  const int64_t offset = LOCUS_ONCE(view[3]);

  span->length = length;
  span->bytes = (const char *)(view + 1);
  if (length >= 0 && length <= INLINE) return true;
  if (length < 0 || buffer < 0 || buffer >= s->buffer_count || offset < 0) return false;
  if (length > s->lengths[buffer] - offset) return false;
  span->bytes = s->buffers[buffer] + offset;
  return true;
}

static void read_padded(const text_strings *s, int64_t i, text_span *span)
{
  span->bytes = s->bytes + i * s->width;
  span->length = s->width;
  while (span->length > 0 && span->bytes[span->length - 1] == 0) span->length--;
}

/* Whether the string lies within its buffer. */
static bool read_span(const text_strings *s, int64_t i, text_span *span)
{
  *span = (text_span){"", 0};
  if (s->present && !s->present[i]) return true;
  if (s->views) return read_view(s, i, span);
  if (!s->offsets && !s->wide_offsets) {
    read_padded(s, i, span);
    return true;
  }
  const int64_t begin = s->offsets ? LOCUS_ONCE(s->offsets[i]) : LOCUS_ONCE(s->wide_offsets[i]);
  const int64_t end =
      s->offsets ? LOCUS_ONCE(s->offsets[i + 1]) : LOCUS_ONCE(s->wide_offsets[i + 1]);
  if (begin < 0 || begin > end || end > s->lengths[0]) return false;
  if (end > begin) *span = (text_span){s->bytes + begin, end - begin};
  return true;
}

int locus_dictionary_add_strings(text_dictionary *dictionary, const text_strings *strings,
                                 int32_t *ids, locus_context *cx)
{
  text_span spans[BATCH];

  for (int64_t at = 0, count; at < strings->count; at += count) {
    LOCUS_TRY(locus_poll(cx));
    count = strings->count - at < BATCH ? strings->count - at : BATCH;
    for (int64_t i = 0; i < count; i++) {
      if (!read_span(strings, at + i, spans + i))
        return locus_fail(cx, "string %lld does not lie within its buffer", (long long)(at + i));
    }
    LOCUS_TRY(locus_dictionary_add_many(dictionary, spans, count, ids + at, cx));
  }
  return 0;
}

static bool is_character(uint32_t code)
{
  return code < 0xD800 || (code > 0xDFFF && code <= 0x10FFFF);
}

/* Writes a character; where it ends. It takes no more bytes than its code point did. */
static char *put_character(char *out, uint32_t code)
{
  const int more = code < 0x80 ? 0 : code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
  static const unsigned char first[] = {0, 0xC0, 0xE0, 0xF0};

  *out++ = (char)(first[more] | code >> 6 * more);
  for (int k = more - 1; k >= 0; k--) *out++ = (char)(0x80 | (code >> 6 * k & 0x3F));
  return out;
}

int locus_utf8_of_codes(uint32_t *codes, int64_t count, int64_t width, int64_t *wrong,
                        locus_context *cx)
{
  for (*wrong = 0; *wrong < count; ++*wrong) {
    if (*wrong % BETWEEN_POLLS == 0) LOCUS_TRY(locus_poll(cx));
    const uint32_t *row = codes + *wrong * width;
    char *out = (char *)(codes + *wrong * width), *end = out + 4 * width;
    for (int64_t k = 0; k < width; k++)
      if (!is_character(row[k])) return 0;
    for (int64_t k = 0; k < width; k++) {
      uint32_t code;
      memcpy(&code, row + k, sizeof code); /* from bytes that this row has not reached */
      out = put_character(out, code);
    }
    memset(out, 0, (size_t)(end - out));
  }
  *wrong = -1;
  return 0;
}

/* The bytes of a character with that first byte, and the least that its second byte may be; 0: no
** character begins so. The second byte tells long forms, surrogates and code points past
** U+10FFFF. */
static int character(const unsigned char *p, unsigned *low, unsigned *high)
{
  *low = 0x80;
  *high = 0xBF;
  if (p[0] < 0x80) return 1;
  if (p[0] < 0xC2 || p[0] > 0xF4) return 0;
  if (p[0] == 0xE0) *low = 0xA0;
  if (p[0] == 0xED) *high = 0x9F;
  if (p[0] == 0xF0) *low = 0x90;
  if (p[0] == 0xF4) *high = 0x8F;
  return p[0] < 0xE0 ? 2 : p[0] < 0xF0 ? 3 : 4;
}

int locus_utf8_character(const char *bytes, int64_t length, bool *whole)
{
  const unsigned char *p = (const unsigned char *)bytes;
  unsigned low, high;
  const int size = character(p, &low, &high);
  int k = 1;

  for (; k < size && k < length && p[k] >= low && p[k] <= high; k++) low = 0x80, high = 0xBF;
  *whole = k == size;
  return k;
}

bool locus_is_utf8(const char *bytes, int64_t length)
{
  bool whole = true;

  for (int64_t at = 0; at < length && whole;)
    at += locus_utf8_character(bytes + at, length - at, &whole);
  return whole;
}
