/* SPDX-License-Identifier: MIT */
/* Quotes about fields. */
#include "text/write/quote.h"

#include <string.h>

/* Whether a text that begins so is taken for UTF-8 with its mark, UTF-16 or, by its first byte
** alone, gzip. */
static bool begins_like_a_file(const char *field, const char *end)
{
  const int64_t length = end - field;

  if (length == 0) return false;
  switch ((unsigned char)*field) {
  case 0xef: return length > 2 && memcmp(field, "\xef\xbb\xbf", 3) == 0;
  case 0xfe: return length > 1 && field[1] == '\xff';
  case 0xff: return length > 1 && field[1] == '\xfe';
  case 0x1f: return true;
  default: return false;
  }
}

static bool is_blank(char c)
{
  return c == ' ' || c == '\t';
}

char *locus_put_quotes(const text_writer *w, char *field, char *end)
{
  int64_t escaped = 0;

  for (const char *at = field; at < end; at++) escaped += *at == w->quote || *at == w->escape;
  char *const new_end = end + escaped + 2;
  char *to = new_end;
  *--to = w->quote;
  for (const char *at = end; at > field;) {
    const char byte = *--at;
    *--to = byte;
    if (byte == w->quote || byte == w->escape) *--to = w->escape;
  }
  *--to = w->quote;
  return new_end;
}

/* A line that has no bytes is none, so the only field of a row is never without any; between blanks
** no field is. Blanks at its ends are not those about it. */
char *locus_quote_field(const text_writer *w, char *field, char *end)
{
  bool needed = end == field
                    ? w->count == 1 || w->blanks
                    : is_blank(*field) || is_blank(end[-1]) || begins_like_a_file(field, end);

  for (const char *at = field; at < end; at++) needed |= w->special[(unsigned char)*at];
  return needed ? locus_put_quotes(w, field, end) : end;
}
