/* SPDX-License-Identifier: MIT */
/* Spans of time in text: "15m", "2 weeks", "month". */
#ifndef LOCUS_TEXT_SPAN_H
#define LOCUS_TEXT_SPAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum span_unit {
  SPAN_NANOSECOND,
  SPAN_MICROSECOND,
  SPAN_MILLISECOND,
  SPAN_SECOND,
  SPAN_MINUTE,
  SPAN_HOUR,
  SPAN_DAY, /* of the calendar, and so all that follow */
  SPAN_WEEK,
  SPAN_MONTH,
  SPAN_QUARTER,
  SPAN_YEAR,
} span_unit;

typedef struct time_span {
  int64_t count;
  span_unit unit;
} time_span;

/* Reads a whole number, or none for 1, and a unit, with spaces between them or not. The units are
** ns us ms s m h d w, and nanosecond .. year, in the plural too. Only with `negative` may the
** number have a sign; it is never 0. Answers NULL, or what to write instead: "write \"3 months\"",
** in `advice`. */
enum { SPAN_ADVICE = 120 };
const char *locus_parse_span(const char *text, size_t length, bool negative, time_span *span,
                             char advice[SPAN_ADVICE]);

/* Nanoseconds of a unit; of a day and a week by days of 24 hours; 0 from months on. */
int64_t locus_span_nanoseconds(span_unit unit);

/* The span as a count of units, of which a second has `per_second`; or, where that is 0, of days.
** Answers NULL, or the error as the end of a sentence that begins with the span. */
const char *locus_span_units(const time_span *span, int64_t per_second, int64_t *units);

#endif
