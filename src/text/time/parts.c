/* SPDX-License-Identifier: MIT */
/* Parts of times. A block of times is first cut into days and seconds of the day, by one of five
** loops for the units, and then each part has its own loop over the block, which lies in the
** first-level cache. So units and parts do not multiply, and no loop divides by a variable. */
#include "text/time/parts.h"

#include "core/parallel.h"
#include "text/time/clock.h"
#include "text/time/fault.h"

const char *const locus_part_words[PARTS] = {
#define PART(word, expression) #word,
#include "text/time/part.def"
};

enum { BLOCK = 512, GRAIN = 4096, POLL_EVERY = 128 /* blocks */ };

typedef struct clock_block {
  int n;
  int64_t days[BLOCK];
  int32_t second[BLOCK];
} clock_block;

static int iso_weekday(int64_t days)
{
  return (int)floor_rest(days % 7 + 3, 7) + 1;
}

/* The Thursday of a day's week. */
static int64_t thursday(int64_t days)
{
  return days + 4 - iso_weekday(days);
}

static int64_t iso_year(int64_t days)
{
  int day;
  return year_of_days(thursday(days), &day);
}

static int64_t iso_week(int64_t days)
{
  int day;
  year_of_days(thursday(days), &day);
  return day / 7 + 1;
}

static int64_t day_of_year(int64_t days)
{
  int day;
  year_of_days(days, &day);
  return day + 1;
}

LOCUS_INLINE void split_unit(clock_block *block, zone_cursor *cursor, const int64_t *in,
                             int64_t per_second)
{
  const int64_t per_day = per_second * SECONDS_PER_DAY;

  for (int i = 0; i < block->n; i++) {
    const int64_t time = in[i], ahead = units_ahead(cursor, time) / per_second;
    const int64_t days = floor_divide(time, per_day);
    int64_t second = floor_rest(time, per_day) / per_second + ahead;
    const int moved = second < -SECONDS_PER_DAY      ? -2
                      : second < 0                   ? -1
                      : second < SECONDS_PER_DAY     ? 0
                      : second < 2 * SECONDS_PER_DAY ? 1
                                                     : 2;
    block->days[i] = days + moved;
    block->second[i] = (int32_t)(second - (int64_t)moved * SECONDS_PER_DAY);
  }
}

/* The first date that is beyond the calendar; n if there is none. */
static int split(clock_block *block, zone_cursor *cursor, const int64_t *in)
{
  switch (cursor->per_second) {
  case 1: split_unit(block, cursor, in, 1); break;
  case 1000: split_unit(block, cursor, in, 1000); break;
  case 1000000: split_unit(block, cursor, in, 1000000); break;
  case 1000000000: split_unit(block, cursor, in, 1000000000); break;
  default:
    for (int i = 0; i < block->n; i++) {
      const int64_t days = in[i];
      if (days < LEAST_DAY || days > MOST_DAY) return i;
      block->days[i] = days;
      block->second[i] = 0;
    }
  }
  return block->n;
}

static void take(time_part part, const clock_block *block, int64_t *out)
{
  switch (part) {
#define PART(word, expression)                    \
  case PART_##word:                               \
    for (int i = 0; i < block->n; i++) {          \
      const int64_t days = block->days[i];        \
      const int second = block->second[i];        \
      const civil_date date = date_of_days(days); \
      out[i] = (expression);                      \
      (void)second;                               \
      (void)date;                                 \
    }                                             \
    break;
#include "text/time/part.def"
  case PARTS: break;
  }
}

typedef struct part_job {
  time_part part;
  const time_zone *zone;
  int64_t per_second;
  const int64_t *in;
  int64_t *out;
  _Atomic int64_t *failed;
} part_job;

static int take_part(const void *given, int64_t begin, int64_t end, locus_context *cx)
{
  const part_job *job = given;
  zone_cursor cursor = zone_cursor_at_none(job->zone, job->per_second);
  clock_block block;

  for (int64_t i = begin, blocks = 0; i < end; i += BLOCK, blocks++) {
    if (blocks % POLL_EVERY == 0) LOCUS_TRY(locus_poll(cx));
    block.n = (int)(end - i < BLOCK ? end - i : BLOCK);
    const int beyond = split(&block, &cursor, job->in + i);
    if (beyond < block.n) note_fault(job->failed, i + beyond);
    if (beyond < block.n) return 0;
    take(job->part, &block, job->out + i);
  }
  return 0;
}

int locus_take_parts(time_part part, const time_zone *zone, int64_t per_second, int64_t n,
                     const int64_t *in, int64_t *out, locus_context *cx)
{
  _Atomic int64_t failed = INT64_MAX;
  const part_job job = {part, zone, per_second, in, out, &failed};

  LOCUS_TRY(locus_parallel(take_part, &job, n, GRAIN, cx));
  if (failed == INT64_MAX) return 0;
  return locus_fail(cx, "the date %lld is beyond the calendar", (long long)in[failed]);
}
