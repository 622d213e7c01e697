/* SPDX-License-Identifier: MIT */
/* Escapes of JSON. RFC 8259, section 7, asks for those of the quote, the backslash and the bytes
** below 32; all other characters stand for themselves. Eight bytes at a time are tested for one
** that needs more than a copy (SWAR), as in Bit Twiddling Hacks by Sean Eron Anderson. */
#include "text/write/escape.h"

#include <stdbool.h>
#include <string.h>

#include "text/names/strings.h"

enum { WORD = 8 };

#define EACH (UINT64_MAX / 255) /* 1 in each byte */

/* The high bits of the bytes that are 0. What stands above the first such byte may be wrong. */
static uint64_t zeros(uint64_t word)
{
  return (word - EACH) & ~word & EACH << 7;
}

/* Whether one of the eight bytes is a quote, a backslash, below 32 or above 127. */
static bool is_special_word(uint64_t word)
{
  const uint64_t below = (word - EACH * ' ') & ~word;
  return ((word | below) & EACH << 7) | zeros(word ^ EACH * '"') | zeros(word ^ EACH * '\\');
}

static bool is_special(char byte)
{
  return byte == '"' || byte == '\\' || (unsigned char)byte < ' ' || (unsigned char)byte > 127;
}

/* The number of bytes in front of the first special one, which are copied. */
static int64_t copy_plain(char *to, const char *bytes, int64_t length)
{
  int64_t at = 0;
  uint64_t word;

  for (; length - at >= WORD; at += WORD) {
    memcpy(&word, bytes + at, WORD);
    if (is_special_word(word)) break;
    memcpy(to + at, &word, WORD);
  }
  for (; at < length && !is_special(bytes[at]); at++) to[at] = bytes[at];
  return at;
}

static char *put_escape(char *to, char byte)
{
  static const char named[] = "\"\"\\\\\bb\ff\nn\rr\tt", hex[] = "0123456789abcdef";

  *to++ = '\\';
  for (const char *name = named; *name; name += 2) {
    if (*name != byte) continue;
    *to++ = name[1];
    return to;
  }
  memcpy(to, "u00", 3);
  to[3] = hex[byte >> 4];
  to[4] = hex[byte & 15];
  return to + 5;
}

/* A special byte and what belongs to it. */
static char *put_special(char *to, const char *bytes, int64_t length, json_bytes invalid,
                         int64_t *taken)
{
  bool whole;

  *taken = 1;
  if ((unsigned char)*bytes < 128) return put_escape(to, *bytes);
  *taken = locus_utf8_character(bytes, length, &whole);
  if (!whole && invalid == BYTES_FAIL) return NULL;
  if (!whole && invalid == BYTES_REPLACED) {
    memcpy(to, "\xef\xbf\xbd", 3);
    return to + 3;
  }
  memcpy(to, bytes, (size_t)*taken);
  return to + *taken;
}

char *locus_put_json_string(char *to, const char *bytes, int64_t length, json_bytes invalid)
{
  int64_t taken;

  *to++ = '"';
  for (int64_t at = 0; at < length; at += taken) {
    taken = copy_plain(to, bytes + at, length - at);
    to += taken;
    if (taken > 0) continue;
    to = put_special(to, bytes + at, length - at, invalid, &taken);
    if (!to) return NULL;
  }
  *to++ = '"';
  return to;
}
