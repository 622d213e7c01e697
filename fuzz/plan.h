/* SPDX-License-Identifier: MIT */
/* The plan in an input of the target `read`, and its results, by the reader and by the naive
** one. */
#ifndef LOCUS_FUZZ_PLAN_H
#define LOCUS_FUZZ_PLAN_H

#include <string.h>

#include "fuzz.h"
#include "text/json/program.h"
#include "text/read/column.h"

enum { MOST_FIELDS = 6, HEAD = 24 };

typedef struct plan_field {
  bool taken; /* else it is passed over */
  text_type type;
  locus_dtype dtype;
  bool fills;
  int64_t missing;
  text_span filled;
  int64_t per_second;
  const char *pattern;
  text_span ends; /* of logs */
  bool escapes;
} plan_field;

typedef struct plan {
  bool log, header;
  const json_program *keys; /* of JSON, whose value i is that of field i; NULL: it is none */
  char separator, point;
  bool blanks, skip_blanks;
  int quote, escape;
  text_span comment, before;
  text_span missing[3];
  int missings;
  int64_t limit;
  int skip;
  int count;
  plan_field fields[MOST_FIELDS];
} plan;

/* The form of the text, and the events meanwhile. */
typedef struct delivery {
  enum { BY_FILE, IN_ONE, IN_PIECES, IN_BYTES } form;
  bool compressed; /* the bytes handed over are gzip's form of the text */
  unsigned seed;   /* of the sizes of pieces */
  int failing;     /* every allocation that comes this many after the last failed one fails; 0:
                   ** none */
  int64_t most;    /* rows of a chunk; 0: all are one */
} delivery;

/* From the first HEAD bytes of an input. */
void make_plan(const uint8_t *head, plan *plan, delivery *delivery);

/* Text that grows. */
typedef struct notes {
  char *text;
  size_t length, room;
} notes;

void note(notes *notes, const char *format, ...) __attribute__((format(printf, 2, 3)));
void note_text(notes *notes, const char *text, size_t length);
/* With its length in front. */
void note_bytes(notes *notes, const char *bytes, int64_t length);

typedef struct result {
  notes rows, bad;              /* a line for each */
  int64_t row_count, line;      /* the line that is next, at the end */
  text_type types[MOST_FIELDS]; /* of guesses, their results */
  bool failed;                  /* before the rows: then `bad` says why */
} result;

void free_result(result *result);
/* Fails unless they are the same; `lines`: the lines that are next count, too. */
void compare_results(const char *what, const result *expected, const result *got, bool lines);
/* Notes a value of a column of that dtype. */
void note_value(notes *notes, locus_dtype dtype, int64_t bits);
void note_bad(result *result, int64_t line, int column, const char *text, int64_t length,
              const char *wrong);

/* Reads the delivered bytes by the reader of src/text. */
void read_text(const plan *plan, const delivery *delivery, const uint8_t *bytes, size_t size,
               result *result);
/* Reads the text as the plan says, a byte at a time and a record at a time. */
void naive_read(const plan *plan, const char *text, int64_t length, result *result);

#endif
