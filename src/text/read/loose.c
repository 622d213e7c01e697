/* SPDX-License-Identifier: MIT */
/* Records as in csv.c, in the forms of other programs: blanks about fields or between them, and
** quotes that a backslash escapes. */
#include "text/read/loose.h"

#include "core/number/digits.h"
#include "text/read/buffer.h"

/* A separator is no blank, unless blanks separate fields. */
static bool is_blank(const text_reader *reader, char c)
{
  return (c == ' ' || c == '\t') && (reader->blanks || c != reader->separator);
}

/* A line feed ends them. */
static const char *pass_blanks(const text_reader *reader, const char *text)
{
  if (!reader->blanks && !reader->skip_blanks) return text;
  while (is_blank(reader, *text)) text++;
  return text;
}

/* Bytes beyond the limit do not count, so the answer does not depend on the pieces of the text. */
bool locus_is_loose_comment(const text_reader *reader, const char *at, const char *end)
{
  if (reader->comment.length == 0) return false;
  if (locus_is_comment(reader, at, end)) return true;
  const char *text = pass_blanks(reader, at);
  return text - at + reader->comment.length <= reader->limit && locus_is_comment(reader, text, end);
}

bool locus_is_loose_passed_over(const text_reader *reader, const char *at, const char *end)
{
  if (locus_is_loose_comment(reader, at, end)) return true;
  if (reader->count == 1 && !reader->blanks) return false;
  const char *text = pass_blanks(reader, at);
  if (text - at > reader->limit) return false;
  return *text == '\n' || (*text == '\r' && text[1] == '\n');
}

/* The first of those bytes, a line feed or a carriage return. There is one. */
LOCUS_INLINE const char *end_of_field(const char *text, uint64_t separators, uint64_t others)
{
  for (;; text += 8) {
    uint64_t word;
    memcpy(&word, text, 8);
    const uint64_t found = zero_bytes(word ^ separators) | zero_bytes(word ^ others) |
                           zero_bytes(word ^ EACH_BYTE('\n')) | zero_bytes(word ^ EACH_BYTE('\r'));
    if (found) return text + __builtin_ctzll(found) / 8;
  }
}

static text_span plain_field(const text_reader *reader, const char *text, const char *stop)
{
  if (reader->skip_blanks)
    while (stop > text && is_blank(reader, stop[-1])) stop--;
  return (text_span){text, stop - text};
}

/* The first quote or escape; NULL: there is none before `end`, behind which there is padding. */
static const char *find_special(const text_reader *reader, const char *text, const char *end)
{
  if (reader->escape < 0) return memchr(text, reader->quote, (size_t)(end - text));
  const uint64_t quotes = EACH_BYTE((uint8_t)reader->quote);
  const uint64_t escapes = EACH_BYTE((uint8_t)reader->escape);

  for (; text < end; text += 8) {
    uint64_t word;
    memcpy(&word, text, 8);
    const uint64_t found = zero_bytes(word ^ quotes) | zero_bytes(word ^ escapes);
    if (!found) continue;
    text += __builtin_ctzll(found) / 8;
    return text < end ? text : NULL;
  }
  return NULL;
}

/* Whether the quote or escape here escapes the byte behind it: a quote, or another escape. An
** escape in front of any other byte is an ordinary byte. */
static bool takes_next(const text_reader *reader, const char *special)
{
  const unsigned char next = (unsigned char)special[1];

  if ((unsigned char)*special == reader->quote) return next == reader->quote;
  return next == reader->quote || next == reader->escape;
}

/* The field whose quote opens at `text`, as in csv.c: its contents, copied where a byte of them
** goes, and where the text behind it begins; NULL when it does not close before `end`. */
static text_outcome quoted_field(text_reader *reader, const char *text, const char *end,
                                 text_span *field, const char **behind, locus_context *cx)
{
  const char *from = text + 1, *at = from;
  char *copy = NULL, *to = NULL;

  *behind = NULL;
  *field = (text_span){from, 0};
  while ((at = find_special(reader, at, end))) {
    if (takes_next(reader, at)) {
      if (!copy) copy = to = locus_reader_scratch(reader, cx);
      if (!copy) return TEXT_FAILED;
      memcpy(to, from, (size_t)(at - from));
      to += at - from;
      *to++ = at[1];
      from = at += 2;
    } else if ((unsigned char)*at != reader->quote) {
      at++;
    } else {
      *behind = at + 1;
      break;
    }
  }
  if (!at) return TEXT_ROW;
  *field = (text_span){from, at - from};
  if (!copy) return TEXT_ROW;
  memcpy(to, from, (size_t)(at - from));
  to += at - from;
  *field = (text_span){copy, to - copy};
  reader->scratch_used += to - copy;
  return TEXT_ROW;
}

/* A field up to where it ends; NULL where its quotes do not close. */
static text_outcome read_field(text_reader *reader, const char *text, const char *end,
                               text_span *field, const char **stop, locus_context *cx)
{
  const char separator = reader->separator;
  const uint64_t separators = EACH_BYTE((uint8_t)separator);
  const uint64_t others = reader->blanks ? EACH_BYTE('\t') : separators;

  if ((unsigned char)*text == reader->quote)
    return quoted_field(reader, text, end, field, stop, cx);
  *stop = end_of_field(text, separators, others);
  *field = plain_field(reader, text, *stop);
  return TEXT_ROW;
}

/* The beginning of the next field, behind the byte at `stop` that ends this one. If the record
** ends, `stop` moves to the line feed; if nothing ends the field, the result is NULL. */
static const char *next_field(const text_reader *reader, const char **stop)
{
  const char *at = pass_blanks(reader, *stop);
  const bool separated = reader->blanks && at > *stop;

  *stop = at;
  if (*at == '\r' && at[1] == '\n') *stop = ++at;
  if (*at == '\n') return at + 1;
  if (reader->blanks) return separated ? at : NULL;
  return *at == reader->separator ? pass_blanks(reader, at + 1) : NULL;
}

static text_outcome take(text_reader *reader, text_record *record, int i, text_span field)
{
  const char *end = field.bytes + field.length;

  if (i >= reader->count) {
    if (reader->each) reader->each(reader->user, field);
    return TEXT_ROW;
  }
  if (!reader->fields[i].column) return TEXT_ROW;
  const char *wrong = locus_reader_take(reader, reader->fields[i].column, field.bytes, end);
  return wrong ? locus_record_bad(record, i, field.bytes, end, wrong) : TEXT_ROW;
}

static text_outcome read_record(text_reader *reader, const char *at, const char *end,
                                text_record *record, locus_context *cx)
{
  text_outcome outcome = TEXT_ROW;
  const char *text = pass_blanks(reader, at);

  record->lines = 1;
  for (int i = 0;; i++) {
    const bool quoted = (unsigned char)*text == reader->quote;
    const char *stop;
    text_span field;
    if (read_field(reader, text, end, &field, &stop, cx) != TEXT_ROW) return TEXT_FAILED;
    if (!stop) {
      record->column = i;
      record->text = (text_span){text, 0};
      return TEXT_OPEN;
    }
    if (quoted) record->lines += locus_count_lines(text, stop);
    const char *next = next_field(reader, &stop);
    if (!next) return locus_record_misended(record, i, text, stop, end, quoted);
    if (outcome == TEXT_ROW) outcome = take(reader, record, i, field);
    text = next;
    if (*stop != '\n') continue;
    record->next = text;
    if (i + 1 == reader->count || reader->each) return outcome;
    return locus_record_miscounted(reader, record, i + 1, field, at);
  }
}

text_outcome locus_read_loose_record(text_reader *reader, const char *at, const char *end,
                                     text_record *record, locus_context *cx)
{
  return read_record(reader, at, end, record, cx);
}

#define ROWS locus_read_loose_rows
#define PASSED_OVER locus_is_loose_passed_over
#include "text/read/rows.inc"
