/* SPDX-License-Identifier: MIT */
/* Durations from text and back. */
#ifndef LOCUS_TEXT_DURATION_H
#define LOCUS_TEXT_DURATION_H

#include <stdint.h>

/* 1:30:00, 0:00:00.25, 2 days 03:00:00, -1:00:00, 5 days: hours have no leading zero without days,
** a fraction has as many digits as it needs, and the sign is that of the whole. per_second is 0 for
** durations in days. Writes to `out`, which has room for TIME_BYTES, and returns the number of
** bytes. */
int locus_format_duration(char *out, int64_t value, int64_t per_second);

/* Reads the bytes from `text` up to `end`, which must all belong to a duration of that form. Hours
** may have any number of digits where no days precede them, and the seconds may be left out.
** Returns NULL, or "is not a duration", "has a finer fraction than microseconds", "is a duration
** that int64 cannot hold in nanoseconds". */
const char *locus_parse_duration(const char *text, const char *end, int64_t per_second,
                                 int64_t *value);

#endif
