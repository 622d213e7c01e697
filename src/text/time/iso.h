/* SPDX-License-Identifier: MIT */
/* Times and dates to text, as ISO 8601 has them. */
#ifndef LOCUS_TEXT_ISO_H
#define LOCUS_TEXT_ISO_H

#include <stdbool.h>
#include <stdint.h>

/* Each function writes to `out`, which has room for TIME_BYTES, and returns the number of bytes.
** 2026-11-22T08:30:59Z, with 3, 6 or 9 digits of a fraction as needed: every time reads back the
** same. So does every date whose year has at most 12 digits; others are written as decimal
** numbers. */
enum { TIME_BYTES = 48 };
int locus_format_time(char *out, int64_t value, int64_t per_second);
int locus_format_date(char *out, int64_t value);
/* The same time on a clock that is `ahead` seconds ahead of UTC: 2026-11-22T09:30:59+01:00. */
int locus_format_time_ahead(char *out, int64_t value, int64_t per_second, int32_t ahead);

/* Writes +01:00, or +0100 where it is not `parted`; with seconds, as before 1970, always
** +00:53:28. */
int locus_put_offset(char *out, int32_t ahead, bool parted);

/* The day since 1970 and the second of that day on such a clock. */
int64_t locus_day_ahead(int64_t value, int64_t per_second, int32_t ahead, int *second);

#endif
