/* SPDX-License-Identifier: MIT */
/* Times to clocks and back, for whole arrays. */
#include "text/time/clock.h"

#include <string.h>

#include "core/parallel.h"
#include "text/time/fault.h"
#include "text/time/iso.h"

static int64_t cut(__int128 units)
{
  return units > INT64_MAX ? INT64_MAX : units < INT64_MIN ? INT64_MIN : (int64_t)units;
}

void locus_cursor_seek(zone_cursor *cursor, int64_t time)
{
  zone_interval found;

  locus_zone_find(cursor->zone, floor_divide(time, cursor->per_second), &found);
  cursor->first = cut((__int128)found.first * cursor->per_second);
  cursor->last = cut(((__int128)found.last + 1) * cursor->per_second - 1);
  if (found.first == INT64_MIN) cursor->first = INT64_MIN;
  if (found.last == INT64_MAX) cursor->last = INT64_MAX;
  cursor->ahead = found.offset * cursor->per_second;
}

/* Rounded down; mostly 64 bits are enough, whose division is much faster. */
static __int128 divide(__int128 a, int64_t b)
{
  if (a == (int64_t)a) return floor_divide((int64_t)a, b);
  return a / b - (a % b < 0);
}

/* Whether the clock shows this once, at the cursor's offset: no other offset is near enough. */
static bool is_plain(const zone_cursor *cursor, __int128 clock)
{
  const __int128 time = clock - cursor->ahead;
  const int64_t near = 2 * (int64_t)MOST_OFFSET * cursor->per_second;
  const bool open = cursor->first == INT64_MIN, endless = cursor->last == INT64_MAX;

  return time >= (open ? INT64_MIN : (__int128)cursor->first + near) &&
         time <= (endless ? INT64_MAX : (__int128)cursor->last - near);
}

clock_fault locus_time_of_clock(zone_cursor *cursor, clock_choice choice, __int128 clock,
                                int64_t *time)
{
  zone_moment found;

  if (is_plain(cursor, clock)) {
    *time = (int64_t)(clock - cursor->ahead);
    return CLOCK_FINE;
  }
  const __int128 second = divide(clock, cursor->per_second);
  if (second != (int64_t)second) return CLOCK_BEYOND;
  locus_zone_moment(cursor->zone, (int64_t)second, &found);
  if (found.times < 0) return CLOCK_BEYOND;
  if (found.times > 1 && choice.twice == TWICE_RAISE) return CLOCK_TWICE;
  if (found.times == 0 && choice.missing == MISSING_RAISE) return CLOCK_MISSING;

  const int64_t moment = choice.twice == TWICE_SECOND ? found.last : found.first;
  __int128 units = (__int128)moment * cursor->per_second;
  if (found.times > 0) units += clock - second * cursor->per_second;
  *time = (int64_t)units;
  if (*time != units) return CLOCK_BEYOND;
  units_ahead(cursor, *time);
  return CLOCK_FINE;
}

/* The clock without Z. */
static void put_clock(char text[TIME_BYTES], __int128 clock, int64_t per_second)
{
  const int count = locus_format_time(text, cut(clock), per_second);
  text[count - 1] = 0;
}

int locus_fail_clock(clock_fault fault, const zone_cursor *cursor, const char *name, __int128 clock,
                     locus_context *cx)
{
  char shown[TIME_BYTES], low[TIME_BYTES], high[TIME_BYTES];
  zone_moment found;

  put_clock(shown, clock, cursor->per_second);
  if (fault == CLOCK_BEYOND)
    return locus_fail(cx, "%s in zone '%s' is a time that int64 cannot hold", shown, name);
  if (fault == CLOCK_TWICE)
    return locus_fail(cx, "%s comes twice in zone '%s'; write ambiguous = \"first\" or \"second\"",
                      shown, name);
  locus_zone_moment(cursor->zone, cut(divide(clock, cursor->per_second)), &found);
  put_clock(low, found.low, 1);
  put_clock(high, found.high, 1);
  return locus_fail(cx,
                    "%s does not exist in zone '%s', where clocks jump from %s to %s; write "
                    "missing = \"forward\" for the moment of the jump",
                    shown, name, low + strlen(low) - 8, high + strlen(high) - 8);
}

/* -- Arrays ------------------------------------------------------------------------------------ */

enum { GRAIN = 4093, POLL_EVERY = 1 << 16 };

typedef struct clock_job {
  const time_zone *zone;
  const char *name;
  clock_choice choice;
  int64_t per_second;
  bool to_clock;
  const int64_t *in;
  int64_t *out;
  _Atomic int64_t *failed; /* the first position so far that has no answer */
} clock_job;

static clock_fault convert(const clock_job *job, zone_cursor *cursor, int64_t value, int64_t *out)
{
  if (!job->to_clock) return locus_time_of_clock(cursor, job->choice, value, out);
  const int64_t ahead = units_ahead(cursor, value);
  return __builtin_add_overflow(value, ahead, out) ? CLOCK_BEYOND : CLOCK_FINE;
}

/* A piece ends at its first fault; the least of all pieces is the first one. */
static int convert_part(const void *given, int64_t begin, int64_t end, locus_context *cx)
{
  const clock_job *job = given;
  zone_cursor cursor = zone_cursor_at_none(job->zone, job->per_second);

  for (int64_t i = begin; i < end; i++) {
    if ((i - begin) % POLL_EVERY == 0) LOCUS_TRY(locus_poll(cx));
    if (convert(job, &cursor, job->in[i], &job->out[i]) == CLOCK_FINE) continue;
    note_fault(job->failed, i);
    return 0;
  }
  return 0;
}

static int run(clock_job *job, int64_t n, locus_context *cx)
{
  _Atomic int64_t failed = INT64_MAX;
  int64_t nothing;

  job->failed = &failed;
  LOCUS_TRY(locus_parallel(convert_part, job, n, GRAIN, cx));
  if (failed == INT64_MAX) return 0;
  zone_cursor cursor = zone_cursor_at_none(job->zone, job->per_second);
  const int64_t value = job->in[failed];
  const clock_fault fault = convert(job, &cursor, value, &nothing);
  if (fault == CLOCK_FINE) return locus_fail_changed(cx, "input");
  return locus_fail_clock(fault, &cursor, job->name, value, cx);
}

int locus_clocks_of_times(const time_zone *zone, int64_t per_second, int64_t n, const int64_t *in,
                          int64_t *out, locus_context *cx)
{
  clock_job job = {.zone = zone, .name = "", .per_second = per_second, .in = in, .out = out};
  job.to_clock = true;
  return run(&job, n, cx);
}

int locus_times_of_clocks(const time_zone *zone, const char *name, clock_choice choice,
                          int64_t per_second, int64_t n, const int64_t *in, int64_t *out,
                          locus_context *cx)
{
  clock_job job = {zone, name, choice, per_second, false, in, out, NULL};
  return run(&job, n, cx);
}
