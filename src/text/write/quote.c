/* SPDX-License-Identifier: MIT */
/* Quotes about fields. */
#include "text/write/quote.h"

#include <string.h>

#include "text/read/foreign.h"

/* Whether a reader takes a text that begins so for UTF-8 with a byte order mark, for a file that is
** no text or, by its first byte alone, for gzip. */
static bool begins_like_a_file(const text_writer *w, const char *field, const char *end)
{
  const int64_t length = end - field;
  bool undecided;

  if (*field == '\x1f' || (length > 2 && memcmp(field, "\xef\xbb\xbf", 3) == 0)) return true;
  for (int i = 0; i < FOREIGN_FIRST && i < length; i++)
    if ((w->foreign[(unsigned char)field[i]] >> i & 1) == 0) return false;
  return locus_foreign(field, length, true, &undecided) != NULL;
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

/* A line without bytes is no row, so an empty field is quoted if it is the only one of its row, or
** if blanks separate fields. Blanks at the ends of a field are quoted, to tell them from those
** around it. */
char *locus_quote_field(const text_writer *w, char *field, char *end)
{
  bool needed = end == field
                    ? w->count == 1 || w->blanks
                    : is_blank(*field) || is_blank(end[-1]) || begins_like_a_file(w, field, end);

  for (const char *at = field; at < end; at++) needed |= w->special[(unsigned char)*at];
  return needed ? locus_put_quotes(w, field, end) : end;
}
