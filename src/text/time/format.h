/* SPDX-License-Identifier: MIT */
/* Times and dates by patterns, to text. */
#ifndef LOCUS_TEXT_FORMAT_H
#define LOCUS_TEXT_FORMAT_H

#include <stdint.h>
#include <string.h>

/* Each function writes at most `room` bytes to `out` and returns how many; -1 if the room is too
** small, which a room computed from the pattern never is. Times are on a clock `ahead` seconds
** ahead of UTC; %f has all digits of the unit, one if that is the second. The text reads back as
** the time that it shows. Information is lost with %y or without %S; a year with a sign does not
** read back if a digit follows %Y. */
static inline int locus_pattern_room(const char *pattern)
{
  return 10 * (int)strlen(pattern) + 32;
}
int locus_format_pattern(char *out, int room, const char *pattern, int64_t value,
                         int64_t per_second, int32_t ahead);
int locus_format_date_pattern(char *out, int room, const char *pattern, int64_t value);

#endif
