/* SPDX-License-Identifier: MIT */
/* Rules for all years: the TZ strings of POSIX, with the extensions of RFC 9636. */
#ifndef LOCUS_TEXT_RULE_H
#define LOCUS_TEXT_RULE_H

#include "text/time/zone.h"

/* The ways to name a day of every year: Mm.w.d, where week 5 is the last; Jn, which never counts 29
** February; n, which does, from 0. */
typedef struct rule_day {
  enum { RULE_WEEKDAY, RULE_WITHOUT_LEAP, RULE_WITH_LEAP } how;
  int month, week, weekday, n;
  int32_t time; /* seconds after its midnight, of any sign */
} rule_day;

/* CET-1CEST,M3.5.0,M10.5.0/3. Offsets are seconds ahead of UTC. */
typedef struct time_rule {
  int32_t standard, daylight;
  bool changes;           /* there is daylight time */
  rule_day start, finish; /* of daylight time, each on the clock that it ends */
} time_rule;

/* Reads a rule, all of the text. Answers NULL, or the thing that it needs at *place: "a comma". */
const char *locus_parse_rule(const char *text, const char *end, time_rule *rule,
                             const char **place);

/* Adds the changes from second `from` on, which the list has as its last change or which is
** INT64_MIN; *cycle and *always are those of a zone. There is room for RULE_CHANGES more. */
enum { RULE_YEARS = CYCLE_YEARS + 5, RULE_CHANGES = 2 * RULE_YEARS + 1 };
void locus_rule_add(const time_rule *rule, int64_t from, zone_changes *changes, int64_t *cycle,
                    bool *always);

#endif
