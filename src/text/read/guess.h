/* SPDX-License-Identifier: MIT */
/* The type of a column, from all of its fields. Each field is seen as something, and the set of
** these decides the type. So neither the order of rows nor the threads that read them matter. */
#ifndef LOCUS_TEXT_GUESS_H
#define LOCUS_TEXT_GUESS_H

#include "text/names/dictionary.h"
#include "text/read/text_type.h"
#include "text/time/time.h"

/* INTEGER and FLOAT: a plain number, written without a plus or a leading 0, none of which loses
** anything. DATE and TIME: of ISO 8601 with a year of four digits, or of the common log. */
enum {
  SEEN_INTEGER = 1,
  SEEN_LONG = 2, /* an integer that float64 would round */
  SEEN_FLOAT = 4,
  SEEN_DATE = 8,
  SEEN_TIME = 16,
  SEEN_BARE = 32,   /* a date, or a time without an offset */
  SEEN_ZONED = 64,  /* a time with an offset */
  SEEN_FINE = 128,  /* its fraction is finer than microseconds, and int64 holds its nanoseconds */
  SEEN_WIDE = 256,  /* int64 cannot hold its nanoseconds, only its microseconds */
  SEEN_OTHER = 512, /* none of these */
};

/* What the field, which is not empty, is seen as, and its value: an integer, the bits of a float64,
** or microseconds since 1970, nanoseconds if it is FINE. The clock has no pattern and no zone. */
unsigned locus_guess_see(text_span field, char point, text_clock *clock, int64_t *value);
/* The type of a column whose fields have been seen as these: a guess, or a string. */
text_type locus_guess_type(unsigned seen);
/* The least that has been seen if that is the type, so that a second reading begins with it. */
unsigned locus_guess_least(text_type type);
/* The value as the column of that type holds it, all of whose fields are seen as `seen`. */
int64_t locus_guess_value(text_type type, unsigned seen, int64_t value);

#endif
