/* SPDX-License-Identifier: MIT */
/* Columns that grow by one field of text after the other. */
#ifndef LOCUS_TEXT_COLUMN_H
#define LOCUS_TEXT_COLUMN_H

#include <string.h>

#include "core/tensor.h"
#include "text/read/guess.h"

enum {
  TEXT_MOST_WORDS = 16,
  TEXT_BATCH = 64, /* strings that are added at a time: their memory is fetched together */
};

typedef struct text_column {
  text_type type;
  locus_tensor values;              /* as many as fit before it grows; ids of strings */
  text_dictionary *names;           /* of strings */
  const text_dictionary *known;     /* NULL; in a piece (share.h): `names` has what this lacks */
  text_clock clock;                 /* of times and guesses; its pattern, of dates, too */
  char point;                       /* of decimals */
  bool fills;                       /* a missing value becomes `missing`; else it is bad */
  int64_t missing;                  /* its bits */
  text_span filled;                 /* the string that is missing becomes */
  text_span words[TEXT_MOST_WORDS]; /* that are true, then those that are false */
  int trues, falses;
  text_span strings[TEXT_BATCH]; /* of the rows at `added` and behind */
  int64_t added;                 /* rows whose strings have numbers */
  unsigned wanted;               /* of a guess: how the field of the record being read is seen, */
  unsigned seen;                 /* and all so far; */
  text_type better;              /* their type; if it is not `type` the values are void */
} text_column;

/* The text without the spaces around it. */
text_span locus_trimmed(const char *text, const char *end);

static inline bool locus_same_text(text_span a, text_span b)
{
  return a.length == b.length && memcmp(a.bytes, b.bytes, (size_t)a.length) == 0;
}

/* The error for a field that is not of its column's type. */
extern const char locus_not_of_type[];

/* Writes the text from `text` up to `end` as the row's value; there must be room for it. A string
** waits for locus_column_add. Returns NULL, or the error as the end of a sentence. */
const char *locus_column_take(text_column *column, int64_t row, const char *text, const char *end);
/* The same for a field that is missing. */
const char *locus_column_take_missing(text_column *column, int64_t row);
/* Adds the waiting strings, those of the rows up to `rows`; at most TEXT_BATCH may wait. */
int locus_column_add(text_column *column, int64_t rows, locus_context *cx);
/* Says that fields are read as that type. */
void locus_column_set_type(text_column *column, text_type type);
/* Reads the better type from this record. */
void locus_column_better(text_column *column);
/* Counts what has been seen, of a guess, and decides its better type. */
void locus_column_note_seen(text_column *column, unsigned seen);
/* Makes room for more rows: `expected` in all, if it is known, and at most `most`. */
int locus_column_grow(text_column *column, int64_t expected, int64_t most, locus_context *cx);
/* A column without rows; the old ones are released. */
int locus_column_begin(text_column *column, locus_context *cx);
void locus_column_release(text_column *column);

static inline bool locus_column_has_names(const text_column *column)
{
  return column->type == TEXT_STRING || column->type == TEXT_REQUEST_PATH;
}

/* Whether its guess did not hold. */
static inline bool locus_column_failed(const text_column *column)
{
  return column->better != column->type;
}

static inline bool locus_column_guesses(const text_column *column)
{
  return column->type >= TEXT_GUESS_INTEGER && column->type <= TEXT_GUESS_TIME_NS;
}

#endif
