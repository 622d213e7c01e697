/* SPDX-License-Identifier: MIT */
/* Errors of a record, and fields that count as missing. */
#include "text/read/record.h"

#include <stdio.h>

text_outcome locus_record_bad(text_record *record, int column, const char *text, const char *end,
                              const char *wrong)
{
  record->column = column;
  record->text = (text_span){text, end - text};
  record->wrong = wrong;
  return TEXT_BAD;
}

bool locus_reader_misses(const text_reader *reader, const text_column *column, const char *text,
                         const char *end)
{
  const text_span all = {text, end - text};
  const text_span field = locus_column_has_names(column) ? all : locus_trimmed(text, end);

  for (int i = 0; i < reader->missings; i++)
    if (locus_same_text(field, reader->missing[i])) return true;
  return false;
}

/* If a separator ends each line, the text behind it is no field. */
text_outcome locus_record_miscounted(const text_reader *reader, text_record *record, int fields,
                                     text_span last, const char *at)
{
  const int count = reader->count;
  const bool ended = count > 0 && reader->fields[count - 1].column == &reader->nothing;
  const bool empty = locus_trimmed(last.bytes, last.bytes + last.length).length == 0;
  const char *end = record->next - 1;

  if (end > at && end[-1] == '\r') end--;
  if (ended && !empty && fields == count - 1)
    return locus_record_bad(record, -1, at, end, "has no separator at its end");
  if (ended && empty) fields--;
  snprintf(record->wrong_text, sizeof record->wrong_text, "has %d field%s and not %d", fields,
           fields == 1 ? "" : "s", count - ended);
  return locus_record_bad(record, -1, at, end, record->wrong_text);
}

text_outcome locus_record_misended(text_record *record, int column, const char *text,
                                   const char *stop, const char *end, bool quoted)
{
  const char *feed = memchr(stop, '\n', (size_t)(end - stop));

  record->next = feed + 1;
  if (quoted)
    return locus_record_bad(record, column, text, feed, "has text behind the closing quote");
  return locus_record_bad(record, -1, text, feed, "has a carriage return (CR) without a line feed");
}
