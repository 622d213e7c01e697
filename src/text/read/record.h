/* SPDX-License-Identifier: MIT */
/* A reader of records, its dialect, program and buffer, and the common part of all kinds of
** records. */
#ifndef LOCUS_TEXT_RECORD_H
#define LOCUS_TEXT_RECORD_H

#include <string.h>

#include "text/read/column.h"
#include "text/read/source.h"

/* Bytes that may be read in front of the text in the buffer, and behind it. */
#ifndef LOCUS_TEXT_CHUNK /* small under the fuzzer, where few bytes are to be many chunks */
#define LOCUS_TEXT_CHUNK (1 << 18)
#endif
enum { TEXT_PADDING = 64, TEXT_CHUNK = LOCUS_TEXT_CHUNK };

typedef struct text_field {
  text_column *column; /* NULL: the field is passed over */
  text_span ends;      /* of a log: the literal text behind it; the last one's may be empty */
  bool escapes;        /* of a log: a quote within it has a backslash in front */
  int slot;            /* of JSON: its place among the values of the program */
} text_field;

/* The fate of a record. */
typedef enum text_outcome {
  TEXT_ROW,
  TEXT_OPEN, /* the buffer ends within the quotes that open at record->text */
  TEXT_BAD,
  TEXT_LONG,   /* beyond the limit */
  TEXT_SPOILT, /* bad, and nothing behind it can be read */
  TEXT_FAILED, /* the context says why */
} text_outcome;

/* What stands around JSON's objects, once the first byte has told. */
typedef enum text_form {
  TEXT_UNSEEN,
  TEXT_LINES,
  TEXT_ARRAY,
  TEXT_ARRAY_ENDED, /* white space may follow */
} text_form;

/* The record being read, and its error. */
typedef struct text_record {
  int64_t line;        /* it begins on, counted from 1 */
  const char *next;    /* the record behind it */
  int64_t lines;       /* that it takes */
  int column;          /* the field that is to blame, counted from 0; -1: the whole record */
  text_span text;      /* that is to blame */
  const char *wrong;   /* the end of a sentence */
  char wrong_text[96]; /* the message, if it is made for this record */
} text_record;

/* The text after the buffer, read while the buffer is still in use. */
typedef struct text_ahead {
  char *buffer; /* with room for the end of a record in front of the text */
  int64_t room, length;
  bool filled; /* `length` bytes have come; none if the source has ended */
  bool failed; /* for this reason: */
  locus_error error;
} text_ahead;

typedef struct text_reader {
  text_source source;
  /* The dialect. */
  bool log;
  bool json;
  text_form form; /* of JSON */
  char separator;
  int quote;                 /* -1: none */
  bool loose;                /* it has one of these, of loose.c: */
  bool blanks;               /* any run of blanks separates, those at a line's ends do not count */
  bool skip_blanks;          /* those at a field's ends, outside of quotes, do not count */
  int escape;                /* of quotes within quotes, and of itself; -1: none */
  text_span comment, before; /* before: of a log, the literal text that begins each line */
  const text_span *missing;  /* texts that mean a missing value, besides the empty one */
  int missings;
  int64_t limit; /* bytes of a record */
  /* The program. */
  text_field *fields;
  int count;
  struct json_program *program; /* of JSON (json/program.h) */
  struct json_schema *schema;   /* of JSON: it takes note of all keys; NULL: none does */
  text_column *columns;
  int column_count;
  /* The buffer: text from `at` up to `end`, records complete up to `complete`. */
  char *buffer, *at, *end, *complete;
  int64_t room;
  char *scratch; /* fields that differ from their text in the buffer, where quotes are doubled */
  int64_t scratch_used, scratch_room;
  int64_t line;      /* of the record at `at`, counted from 1 */
  bool begun, final; /* the first bytes have come, and the last ones */
  bool passing;      /* over the rest of a line */
  const char *first; /* the first record, as long as it lies in the buffer */
  int64_t first_line;
  bool stale;                   /* the columns are to begin without rows */
  int guessing;                 /* the number of columns whose type may still change */
  int64_t rows, capacity, most; /* in the columns; that fit; the most to read */
  int64_t in_front;             /* bytes of the text in front of the first row */
  int64_t named;                /* rows whose strings have been added */
  /* Called with each field that the program does not know. */
  void (*each)(void *user, text_span field);
  void *user;
  text_column nothing; /* of TEXT_NOTHING, for the last field; it has no rows */
  /* For several threads, share.h. */
  struct text_pieces *pieces; /* NULL: none have been needed yet */
  text_ahead ahead;
  double row_bytes;  /* of the rows that several threads read last; 0: there were none */
  bool urgent;       /* text must not wait for more */
  const char *alone; /* records in front of it are read by one thread; NULL: none are */
} text_reader;

typedef enum text_state {
  TEXT_WANTS,   /* the next piece of its source */
  TEXT_READ,    /* all that lies in the buffer: fill it */
  TEXT_AGAIN,   /* a guess did not hold: it is at the first record again */
  TEXT_FULL,    /* `most` rows */
  TEXT_STOPPED, /* at a bad record, which it has passed over */
  TEXT_BROKEN,  /* at a bad record, behind which nothing can be read */
  TEXT_ENDED,
  TEXT_ERROR,
} text_state;

/* Whether the field of that column is one of the texts that mean a missing value. */
bool locus_reader_misses(const text_reader *reader, const text_column *column, const char *text,
                         const char *end);

/* A field's text into its column of the row being read. */
static inline const char *locus_reader_take(const text_reader *reader, text_column *column,
                                            const char *text, const char *end)
{
  if (text == end || (reader->missings > 0 && locus_reader_misses(reader, column, text, end)))
    return locus_column_take_missing(column, reader->rows);
  return locus_column_take(column, reader->rows, text, end);
}

static inline bool locus_is_comment(const text_reader *reader, const char *at, const char *end)
{
  const text_span comment = reader->comment;
  return comment.length > 0 && end - at >= comment.length &&
         memcmp(at, comment.bytes, (size_t)comment.length) == 0;
}

/* An empty line is no record, unless a record is one field, which may be empty. */
static inline bool locus_is_passed_over(const text_reader *reader, const char *at, const char *end)
{
  if (locus_is_comment(reader, at, end)) return true;
  if (reader->count == 1 && !reader->log) return false;
  return *at == '\n' || (*at == '\r' && at[1] == '\n');
}

static inline bool locus_is_too_long(const text_reader *reader, const text_record *record)
{
  const int64_t length = record->next - reader->at - 1;
  if (reader->form == TEXT_ARRAY) return false; /* json/record.c has looked */
  return length > reader->limit + (record->next[-2] == '\r');
}

/* The line feeds up to `end`. */
static inline int64_t locus_count_lines(const char *text, const char *end)
{
  int64_t lines = 0;

  while ((text = memchr(text, '\n', (size_t)(end - text)))) text++, lines++;
  return lines;
}

/* The error of the record at `at`, which has the wrong number of fields, `fields`; `last` is the
** last one. */
text_outcome locus_record_miscounted(const text_reader *reader, text_record *record, int fields,
                                     text_span last, const char *at);
/* The byte at `stop` ends no field: the record ends with the line. */
text_outcome locus_record_misended(text_record *record, int column, const char *text,
                                   const char *stop, const char *end, bool quoted);
/* The record is bad for this reason. */
text_outcome locus_record_bad(text_record *record, int column, const char *text, const char *end,
                              const char *wrong);

#endif
