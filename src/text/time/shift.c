/* SPDX-License-Identifier: MIT */
/* Times moved by spans, on the clock where these are days or longer. */
#include "text/time/shift.h"

#include "core/parallel.h"
#include "text/time/fault.h"
#include "text/time/iso.h"

enum { GRAIN = 4093, POLL_EVERY = 1 << 16, MONTHS = 12 };

/* A shift made ready: `units`, or on the clock `days` or `months`. */
typedef struct shift_plan {
  const time_shift *shift;
  int64_t per_day;
  int64_t units, days, months;
} shift_plan;

static const char *read_plan(const time_shift *shift, shift_plan *plan)
{
  const span_unit unit = shift->span.unit;
  int64_t each = 1;

  *plan = (shift_plan){.shift = shift};
  plan->per_day = shift->per_second ? shift->per_second * SECONDS_PER_DAY : 1;
  if (unit < SPAN_DAY) return locus_span_units(&shift->span, shift->per_second, &plan->units);
  if (unit == SPAN_WEEK) each = 7;
  else if (unit == SPAN_QUARTER) each = 3;
  else if (unit == SPAN_YEAR) each = MONTHS;
  int64_t *const count = unit < SPAN_MONTH ? &plan->days : &plan->months;
  return __builtin_mul_overflow(shift->span.count, each, count) ? "is longer than int64 can hold"
                                                                : NULL;
}

/* The day that many months later, or the last one of a month that is too short; false beyond the
** calendar. */
static bool add_months(int64_t days, int64_t months, int64_t *moved)
{
  int64_t month;

  if (days < LEAST_DAY || days > MOST_DAY) return false;
  civil_date date = date_of_days(days);
  if (__builtin_add_overflow(date.year * MONTHS + date.month - 1, months, &month)) return false;
  date.year = floor_divide(month, MONTHS);
  if (date.year > MOST_YEAR || date.year < -MOST_YEAR) return false;
  date.month = (int)floor_rest(month, MONTHS) + 1;
  if (date.day > days_in_month(date.year, date.month))
    date.day = days_in_month(date.year, date.month);
  *moved = days_of_date(date);
  return true;
}

/* Rounded down; mostly 64 bits are enough, whose division is much faster. */
static __int128 divide(__int128 a, int64_t b)
{
  if (a == (int64_t)a) return floor_divide((int64_t)a, b);
  return a / b - (a % b < 0);
}

/* A time moved `times` times; *clock is where the fault is. */
static clock_fault move(const shift_plan *plan, zone_cursor *cursor, int64_t time, int64_t times,
                        int64_t *out, __int128 *clock)
{
  const int64_t per_day = plan->per_day;
  int64_t days, months;

  *clock = time;
  if (plan->days == 0 && plan->months == 0) {
    const __int128 sum = time + (__int128)plan->units * times;
    *out = (int64_t)sum;
    return *out == sum ? CLOCK_FINE : CLOCK_BEYOND;
  }
  if (cursor->per_second > 0) *clock += units_ahead(cursor, time);
  __int128 day = divide(*clock, per_day);
  const __int128 rest = *clock - day * per_day;
  if (plan->months == 0) {
    day += (__int128)plan->days * times;
  } else {
    if (__builtin_mul_overflow(plan->months, times, &months) ||
        !add_months((int64_t)day, months, &days))
      return CLOCK_BEYOND;
    day = days;
  }
  const __int128 moved = day * per_day + rest;
  if (moved > (__int128)INT64_MAX * 2 || moved < (__int128)INT64_MIN * 2) return CLOCK_BEYOND;
  if (cursor->per_second == 0) {
    *out = (int64_t)moved;
    return *out == moved ? CLOCK_FINE : CLOCK_BEYOND;
  }
  const clock_fault fault = locus_time_of_clock(cursor, plan->shift->choice, moved, out);
  if (fault == CLOCK_TWICE || fault == CLOCK_MISSING) *clock = moved;
  return fault;
}

static int fail_move(const shift_plan *plan, clock_fault fault, int64_t time, __int128 clock,
                     const zone_cursor *cursor, locus_context *cx)
{
  const time_shift *const shift = plan->shift;
  char text[TIME_BYTES];

  if (fault != CLOCK_BEYOND) return locus_fail_clock(fault, cursor, shift->name, clock, cx);
  const int count = shift->per_second ? locus_format_time(text, time, shift->per_second)
                                      : locus_format_date(text, time);
  text[count] = 0;
  return locus_fail(cx, "%s goes to a %s that int64 cannot hold", text,
                    shift->per_second ? "time" : "date");
}

typedef struct shift_job {
  shift_plan plan;
  const int64_t *in;
  int64_t *out;
  _Atomic int64_t *failed;
} shift_job;

static int shift_part(const void *given, int64_t begin, int64_t end, locus_context *cx)
{
  const shift_job *job = given;
  const time_shift *shift = job->plan.shift;
  zone_cursor cursor = zone_cursor_at_none(shift->zone, shift->per_second);
  __int128 clock;

  for (int64_t i = begin; i < end; i++) {
    if ((i - begin) % POLL_EVERY == 0) LOCUS_TRY(locus_poll(cx));
    if (move(&job->plan, &cursor, job->in[i], 1, &job->out[i], &clock) == CLOCK_FINE) continue;
    note_fault(job->failed, i);
    return 0;
  }
  return 0;
}

int locus_shift_times(const time_shift *shift, int64_t n, const int64_t *in, int64_t *out,
                      locus_context *cx)
{
  _Atomic int64_t failed = INT64_MAX;
  shift_job job = {.in = in, .out = out, .failed = &failed};
  __int128 clock;
  int64_t nothing;

  const char *const wrong = read_plan(shift, &job.plan);
  if (wrong) return locus_fail(cx, "the span %s", wrong);
  LOCUS_TRY(locus_parallel(shift_part, &job, n, GRAIN, cx));
  if (failed == INT64_MAX) return 0;
  zone_cursor cursor = zone_cursor_at_none(shift->zone, shift->per_second);
  const int64_t time = in[failed];
  const clock_fault fault = move(&job.plan, &cursor, time, 1, &nothing, &clock);
  if (fault == CLOCK_FINE) return locus_fail_changed(cx, "input");
  return fail_move(&job.plan, fault, time, clock, &cursor, cx);
}

int locus_step_times(const time_shift *shift, int64_t start, int64_t end, int64_t n, int64_t *out,
                     int64_t *count, locus_context *cx)
{
  zone_cursor cursor = zone_cursor_at_none(shift->zone, shift->per_second);
  const bool down = shift->span.count < 0;
  shift_plan plan;
  __int128 clock;

  const char *const wrong = read_plan(shift, &plan);
  if (wrong) return locus_fail(cx, "the span %s", wrong);
  for (*count = 0; *count < n; ++*count) {
    int64_t *const to = &out[*count];
    if (*count % POLL_EVERY == 0) LOCUS_TRY(locus_poll(cx));
    const clock_fault fault = move(&plan, &cursor, start, *count, to, &clock);
    if (fault == CLOCK_BEYOND) return 0;
    if (fault == CLOCK_FINE && (down ? *to < end : *to > end)) return 0;
    if (fault != CLOCK_FINE) return fail_move(&plan, fault, start, clock, &cursor, cx);
  }
  return 0;
}
