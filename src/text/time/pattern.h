/* SPDX-License-Identifier: MIT */
/* Patterns of times, whose directives text/time/time.h lists. */
#ifndef LOCUS_TEXT_PATTERN_H
#define LOCUS_TEXT_PATTERN_H

#include <stdint.h>

struct moment; /* text/time/moment.h */

/* NULL when the pattern can be read and written, else its error, as the end of a sentence that
** begins with the pattern: "does not give year, month and day". The other functions take only
** patterns that can. */
const char *locus_check_pattern(const char *pattern);
/* The same when it can be written, "%H:%M" as well. */
const char *locus_check_output_pattern(const char *pattern);

/* Reads the bytes up to `end` by the pattern: NULL, or the error, which is `none` if they do not
** match it whole. */
const char *locus_read_pattern(const char *pattern, const char *at, const char *end,
                               int64_t per_second, struct moment *m, const char *none);

/* The directives that this short form in a pattern expands to, or NULL. */
const char *locus_long_directive(char directive);

#endif
