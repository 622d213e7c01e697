/* SPDX-License-Identifier: MIT */
/* A writer of text and its columns. */
#ifndef LOCUS_TEXT_WRITER_H
#define LOCUS_TEXT_WRITER_H

#include "core/number/decimal.h"
#include "core/error.h"
#include "text/names/dictionary.h"
#include "text/time/zone.h"
#include "text/write/escape.h"

typedef struct text_writer text_writer;
typedef struct text_output text_output;
typedef struct text_slices text_slices;

/* Writes one element at `to`, where there is room for column->most bytes; answers the end. */
typedef char *text_put(const text_writer *writer, const text_output *column, const char *element,
                       char *to);

/* Adds a row to the text, or fails. */
typedef int text_put_row(text_writer *writer, int64_t row, locus_context *cx);

/* The meanings of a column's elements, besides themselves. */
typedef enum text_meaning {
  MEANS_VALUE,
  MEANS_TIME,
  MEANS_DATE,
  MEANS_IPV4,
  MEANS_STRING, /* int32, numbers of a dictionary's strings */
} text_meaning;

/* What stands before a value in JSON: first so many braces end objects, and `opens` begins others,
** as "a":{"b":{; then comes the key, as "c":, and all that without a comma in front. */
typedef struct text_key {
  int closes;
  const char *opens, *text;
  int64_t opens_length, length;
} text_key;

/* How a value of JSON is written. */
typedef enum json_shape {
  SHAPE_BARE,    /* a number, or true and false */
  SHAPE_FLOAT,   /* a number that may be missing or infinite */
  SHAPE_PLAIN,   /* between quotes, none of which it holds */
  SHAPE_ESCAPED, /* between quotes, whatever it holds */
  SHAPE_STRING,  /* the same of a dictionary */
  SHAPE_TEXT,    /* a dictionary's strings, which are JSON */
} json_shape;

struct text_output {
  /* Filled by the caller, who keeps everything that it points to. */
  const char *name;
  int64_t name_length;
  locus_dtype dtype;
  text_meaning meaning;
  int64_t per_second;    /* of times */
  const time_zone *zone; /* that they are written in; NULL: UTC */
  const char *format;    /* NULL: as it reads back */
  const char *words[2];  /* for false and for true; NULL: those */
  text_key key;          /* in JSON */

  /* The first element of the rows that are written next, and the bytes from one to the next. */
  const char *data;
  int64_t step;
  const text_dictionary *dictionary;

  /* Made of these by locus_csv_begin or locus_json_begin. */
  text_put *put;
  const float_format *precision;
  int places;     /* behind the point */
  unsigned radix; /* of whole numbers */
  int width;      /* their digits are at least this many */
  char fill;      /* with this before them: a zero or a space */
  int64_t most;   /* bytes that a field takes, unless it is a string */
  bool may_need_quotes;
  bool is_number; /* its fields begin as numbers and times do, except missing ones */
  json_shape shape;
};

struct text_writer {
  /* Filled by the caller, again: for lines of fields, */
  char separator, quote, point;
  char escape; /* in front of a quote within quotes, and of itself: usually the quote, too */
  bool blanks; /* the separator is any run of spaces and tabs */
  const char *newline;
  const char *comment; /* begins lines that readers pass over; NULL: the usual marks */
  /* for JSON, */
  bool array;              /* of the objects, in place of lines */
  int closes;              /* braces that end the last objects */
  const char *infinite[2]; /* for inf and for -inf; NULL: an error */
  json_bytes invalid;
  /* and for both. */
  const char *missing; /* for NaN */
  int count;
  text_output *column;

  int64_t comment_length;
  bool special[256];    /* bytes that are only written between quotes */
  bool marks[256];      /* first bytes of comment lines, as far as a byte tells */
  uint8_t foreign[256]; /* of locus_foreign_begin */
  int64_t most;         /* bytes that a row takes, strings left out */

  text_put_row *put_row;
  int64_t first; /* row of the call that writes now, */
  int64_t rows;  /* and how many rows there were before it */

  char *bytes; /* the text: `length` of `room` bytes */
  int64_t length, room;
  int64_t taken;     /* bytes in front that have been handed on */
  int64_t most_room; /* 0: no limit */

  double row_bytes;    /* of the rows that were written last; 0 before there were some */
  text_slices *slices; /* NULL until several threads write */
  int32_t *ends;       /* where the ends of the rows that come next are noted; NULL: nowhere */
};

#endif
