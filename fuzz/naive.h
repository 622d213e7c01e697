/* SPDX-License-Identifier: MIT */
/* Records of text, taken apart as plainly as can be. */
#ifndef LOCUS_FUZZ_NAIVE_H
#define LOCUS_FUZZ_NAIVE_H

#include "plan.h"

typedef struct naive_field {
  char *bytes; /* of its own */
  int64_t length;
} naive_field;

typedef struct naive_record {
  enum { NAIVE_ROW, NAIVE_OPEN, NAIVE_BAD } outcome;
  naive_field fields[MOST_FIELDS];
  bool is_empty;       /* the last one, except for blanks */
  int count;           /* of fields, which may be more than are kept */
  int64_t next, lines; /* where the next one begins; line feeds up to there */
  int column;          /* what is to blame */
  int64_t from, to;    /* its text; of an open quote, its place */
  char wrong[96];
} naive_record;

/* The record at `at` of a text whose last byte is a line feed. */
void naive_csv_record(const plan *plan, const char *text, int64_t length, int64_t at, bool header,
                      naive_record *record);
void naive_log_record(const plan *plan, const char *text, int64_t length, int64_t at,
                      naive_record *record);
void free_record(naive_record *record);

/* Whether it is a blank that does not count. */
bool naive_is_blank(const plan *plan, char c);

/* All fields of the rows, one row behind the other. */
typedef struct naive_table {
  naive_field *fields;
  int64_t rows, room;
} naive_table;

/* A row takes the fields from the record. */
void naive_keep_row(naive_table *table, const plan *plan, naive_record *record);
/* The value of a field; NULL, or its error. */
const char *naive_convert(const plan *plan, const plan_field *field, naive_field text,
                          int64_t *bits);
/* The results of the guesses, and the rows. */
void naive_note_rows(const plan *plan, const naive_table *table, result *result);

#endif
