/* SPDX-License-Identifier: MIT */
/* Records of fields between separators, as RFC 4180 has them: a field that begins with a quote ends
** at the next one that is not doubled. */
#include "text/read/csv.h"

#include "core/number/digits.h"
#include "text/read/buffer.h"

/* The first separator, line feed or carriage return. There is one. */
LOCUS_INLINE const char *end_of_field(const char *text, uint64_t separators)
{
  for (;; text += 8) {
    uint64_t word;
    memcpy(&word, text, 8);
    const uint64_t found = zero_bytes(word ^ separators) | zero_bytes(word ^ EACH_BYTE('\n')) |
                           zero_bytes(word ^ EACH_BYTE('\r'));
    if (found) return text + __builtin_ctzll(found) / 8;
  }
}

/* Copies the text up to the closing quote, with each doubled quote as one; returns the place of the
** closing quote. */
static const char *undouble(const char *from, const char *quote, const char *end, char **to)
{
  for (;;) {
    memcpy(*to, from, (size_t)(quote - from));
    *to += quote - from;
    if (quote[1] != *quote) return quote;
    *(*to)++ = *quote;
    from = quote + 2;
    quote = memchr(from, *quote, (size_t)(end - from));
    if (!quote) return NULL;
  }
}

/* The field whose quote opens at `text`: its contents, and where the text behind it begins; NULL
** when it does not close before `end`. */
static text_outcome quoted_field(text_reader *reader, const char *text, const char *end,
                                 text_span *field, const char **behind, locus_context *cx)
{
  const char *from = text + 1;
  const char *quote = memchr(from, reader->quote, (size_t)(end - from));

  *field = (text_span){from, quote ? quote - from : 0};
  if (quote && quote[1] == *quote) {
    char *copy = locus_reader_scratch(reader, cx), *to = copy;
    if (!copy) return TEXT_FAILED;
    quote = undouble(from, quote, end, &to);
    *field = (text_span){copy, to - copy};
    reader->scratch_used += to - copy;
  }
  *behind = quote ? quote + 1 : NULL;
  return TEXT_ROW;
}

/* Inlined into the loop over records: a call for each would cost a tenth of the time if they are
** short. */
static inline __attribute__((always_inline)) text_outcome
read_record(text_reader *reader, const char *at, const char *end, text_record *record,
            locus_context *cx)
{
  const uint64_t separators = EACH_BYTE((uint8_t)reader->separator);
  text_outcome outcome = TEXT_ROW;
  const char *text = at;

  record->lines = 1;
  for (int i = 0;; i++) {
    const char *stop;
    text_span field;
    if ((unsigned char)*text == reader->quote) {
      if (quoted_field(reader, text, end, &field, &stop, cx) != TEXT_ROW) return TEXT_FAILED;
      if (!stop) {
        record->column = i;
        record->text = (text_span){text, 0};
        return TEXT_OPEN;
      }
      record->lines += locus_count_lines(text, stop);
    } else {
      stop = end_of_field(text, separators);
      field = (text_span){text, stop - text};
    }
    if (*stop == '\r' && stop[1] == '\n') stop++;
    if (*stop != reader->separator && *stop != '\n')
      return locus_record_misended(record, i, text, stop, end,
                                   (unsigned char)*text == reader->quote);
    if (i >= reader->count) {
      if (reader->each) reader->each(reader->user, field);
    } else if (reader->fields[i].column && outcome == TEXT_ROW) {
      const char *field_end = field.bytes + field.length;
      const char *wrong =
          locus_reader_take(reader, reader->fields[i].column, field.bytes, field_end);
      if (wrong) outcome = locus_record_bad(record, i, field.bytes, field_end, wrong);
    }
    text = stop + 1;
    if (*stop != '\n') continue;
    record->next = text;
    if (i + 1 == reader->count || reader->each) return outcome;
    return locus_record_miscounted(reader, record, i + 1, field, at);
  }
}

text_outcome locus_read_csv_record(text_reader *reader, const char *at, const char *end,
                                   text_record *record, locus_context *cx)
{
  return read_record(reader, at, end, record, cx);
}

#define ROWS locus_read_csv_rows
#define PASSED_OVER locus_is_passed_over
#include "text/read/rows.inc"
