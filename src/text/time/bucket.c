/* SPDX-License-Identifier: MIT */
/* Beginnings of buckets. A bucket is first found on the clock, then moved back to UTC. Mostly it
** lies within one offset and that is a subtraction; the rest deals with changes of offsets. Each
** thread remembers the window of times around the last one that have one offset, and of months the
** last bucket, in which most times of ordered data are. */
#include "text/time/bucket.h"

#include "core/parallel.h"
#include "text/time/fault.h"
#include "text/time/iso.h"

enum { GRAIN = 4093, POLL_EVERY = 1 << 16, MONTHS = 12 };

typedef __int128 wide;

/* The buckets made ready: `length` units each, counted from `phase`; or, where that is 0, of
** `months` from month `month` since year 0, day `day` and `rest` units into that day. */
typedef struct bucket_plan {
  const time_zone *zone;
  int64_t per_second, per_day, length, phase;
  int64_t months, month, rest;
  int day;
  bool whole_days, is_anchored; /* months from another day than a first */
} bucket_plan;

static int64_t cut(wide units)
{
  return units > INT64_MAX ? INT64_MAX : units < INT64_MIN ? INT64_MIN : (int64_t)units;
}

/* Rounded down; mostly 64 bits are enough, whose division is much faster. */
static wide divide(wide a, int64_t b)
{
  if (a == (int64_t)a) return floor_divide((int64_t)a, b);
  return a / b - (a % b < 0);
}

/* -- On the clock ------------------------------------------------------------------------------ */

/* A day of a month since year 0, or the last one before it. */
static wide start_of_month(const bucket_plan *plan, int64_t month)
{
  const int64_t year = floor_divide(month, MONTHS);
  civil_date date = {year, (int)floor_rest(month, MONTHS) + 1, plan->day};
  if (date.day > 28 && date.day > days_in_month(year, date.month))
    date.day = days_in_month(year, date.month);
  return (wide)days_of_date(date) * plan->per_day + plan->rest;
}

typedef struct bucket {
  wide begin, end; /* the latter belongs to the next one */
} bucket;

static bucket bucket_of_clock(const bucket_plan *plan, wide clock)
{
  if (plan->length > 0) {
    const wide begin = divide(clock - plan->phase, plan->length) * plan->length + plan->phase;
    return (bucket){begin, begin + plan->length};
  }
  const civil_date date = date_of_days((int64_t)divide(clock, plan->per_day));
  const int64_t since = date.year * MONTHS + date.month - 1 - plan->month;
  int64_t month = plan->month + floor_divide(since, plan->months) * plan->months;
  if (start_of_month(plan, month) > clock) month -= plan->months;
  return (bucket){start_of_month(plan, month), start_of_month(plan, month + plan->months)};
}

/* -- In UTC ------------------------------------------------------------------------------------ */

/* An interval of one offset, in units; `stop` no longer belongs to it. */
typedef struct stretch {
  wide first, stop;
  int64_t ahead, before;
} stretch;

static stretch stretch_of_second(const bucket_plan *plan, int64_t second)
{
  zone_interval in;

  locus_zone_find(plan->zone, second, &in);
  return (stretch){in.first == INT64_MIN ? -((wide)1 << 100) : (wide)in.first * plan->per_second,
                   in.last == INT64_MAX ? (wide)1 << 100 : ((wide)in.last + 1) * plan->per_second,
                   in.offset * plan->per_second, in.before * plan->per_second};
}

static stretch stretch_before(const bucket_plan *plan, const stretch *in)
{
  return stretch_of_second(plan, (int64_t)(in->first / plan->per_second) - 1);
}

static stretch stretch_behind(const bucket_plan *plan, const stretch *in)
{
  return stretch_of_second(plan, (int64_t)(in->stop / plan->per_second));
}

/* Whether the change at in->first begins a bucket, `of` being the one on the clock behind it. */
static bool change_begins(const stretch *in, const bucket *of)
{
  const wide low = in->first + in->before, high = in->first + in->ahead;

  if (of->begin >= high) return true;
  return low <= high ? of->begin >= low : low > of->end;
}

/* The bucket of a time, of less than a day. */
static bucket find_short(const bucket_plan *plan, wide time, const stretch *at)
{
  bucket of = bucket_of_clock(plan, time + at->ahead), found;
  stretch in = *at;

  while (of.begin - in.ahead < in.first && !change_begins(&in, &of)) in = stretch_before(plan, &in);
  found.begin = of.begin - in.ahead < in.first ? in.first : of.begin - in.ahead;
  for (in = *at; of.end - in.ahead >= in.stop;) {
    in = stretch_behind(plan, &in);
    of = bucket_of_clock(plan, in.first + in.ahead);
    if (change_begins(&in, &of)) {
      found.end = in.first;
      return found;
    }
  }
  found.end = of.end - in.ahead;
  return found;
}

/* The first moment at which the clock shows this, or the last one, or the jump over it. */
static wide moment_of_clock(const bucket_plan *plan, wide clock, bool last, int64_t ahead)
{
  const wide second = divide(clock, plan->per_second);
  zone_moment found;

  if (second != (int64_t)second) return clock - ahead;
  locus_zone_moment(plan->zone, (int64_t)second, &found);
  if (found.times < 0) return clock - ahead;
  const wide moment = (wide)(last ? found.last : found.first) * plan->per_second;
  return found.times == 0 ? moment : moment + (clock - second * plan->per_second);
}

/* The bucket of a time, of whole local days. A clock that is set back over midnight leaves a day
** for a while: then the bucket ends when it leaves that day for good. */
static bucket find_long(const bucket_plan *plan, wide time, const stretch *in)
{
  const bucket of = bucket_of_clock(plan, time + in->ahead);
  bucket found = {of.begin - in->ahead, of.end - in->ahead};

  if (found.begin <= in->first) found.begin = moment_of_clock(plan, of.begin, false, in->ahead);
  if (found.end >= in->stop) found.end = moment_of_clock(plan, of.end, false, in->ahead);
  if (found.end <= time) found.end = moment_of_clock(plan, of.end, true, in->ahead);
  return found;
}

/* -- Arrays ------------------------------------------------------------------------------------ */

typedef struct bucket_job {
  bucket_plan plan;
  bool up;
  const int64_t *in;
  int64_t *out;
  _Atomic int64_t *failed;
} bucket_job;

static bucket find_bucket(const bucket_plan *plan, int64_t time)
{
  if (plan->per_second == 0) return bucket_of_clock(plan, time);
  const stretch in = stretch_of_second(plan, floor_divide(time, plan->per_second));
  return plan->whole_days ? find_long(plan, time, &in) : find_short(plan, time, &in);
}

/* Whether dates of the calendar can be computed for it. */
static bool is_countable(const bucket_plan *plan, int64_t time)
{
  return plan->per_second > 0 || plan->length > 0 || (time >= LEAST_DAY && time <= MOST_DAY);
}

/* The times around one that have its offset, as far as numbers of 64 bits are enough for their
** buckets. */
typedef struct window {
  int64_t first, last, ahead;
} window;

static window window_of(const bucket_plan *plan, int64_t time)
{
  static const int64_t FAR = INT64_C(1) << 61;
  stretch in = {-FAR, FAR, 0, 0};

  if (plan->length > FAR || (wide)plan->months * 31 * plan->per_day > FAR || plan->phase > FAR ||
      plan->phase < -FAR || plan->is_anchored)
    return (window){1, 0, 0};
  if (plan->per_second > 0) in = stretch_of_second(plan, floor_divide(time, plan->per_second));
  return (window){(int64_t)(in.first > -FAR ? in.first : -FAR),
                  (int64_t)(in.stop < FAR ? in.stop - 1 : FAR), in.ahead};
}

/* The bucket of a time in a window, as the clock has it. */
static void find_quickly(const bucket_plan *plan, const window *w, int64_t time, int64_t *begin,
                         int64_t *end)
{
  const int64_t clock = time + w->ahead;

  if (plan->length > 0) {
    *begin = time - floor_rest(clock - plan->phase, plan->length);
    *end = *begin + plan->length;
    return;
  }
  const int64_t day = floor_divide(clock, plan->per_day);
  const civil_date date = date_of_days(day);
  if (plan->months == 1) {
    *begin = time - (clock - (day - date.day + 1) * plan->per_day);
    *end = *begin + days_in_month(date.year, date.month) * plan->per_day;
    return;
  }
  const int64_t since = date.year * MONTHS + date.month - 1 - plan->month;
  const int64_t month = plan->month + floor_divide(since, plan->months) * plan->months;
  *begin = time - clock + (int64_t)start_of_month(plan, month);
  *end = time - clock + (int64_t)start_of_month(plan, month + plan->months);
}

static int cut_part(const void *given, int64_t begin, int64_t end, locus_context *cx)
{
  const bucket_job *job = given;
  const bool by_length = job->plan.length > 0; /* a division, cheaper than to be wrong about it */
  window w = {1, 0, 0};
  int64_t from = 1, last = 0, next = 0;    /* from..last is the bucket that is remembered */
  bool has_begin = false, has_end = false; /* which int64 can hold */

  for (int64_t i = begin; i < end; i++) {
    if ((i - begin) % POLL_EVERY == 0) LOCUS_TRY(locus_poll(cx));
    const int64_t time = job->in[i];
    if (by_length || time < from || time > last) {
      if (time < w.first || time > w.last) w = window_of(&job->plan, time);
      bool whole = time >= w.first && time <= w.last;
      if (whole) {
        find_quickly(&job->plan, &w, time, &from, &next);
        last = next - 1;
        has_begin = has_end = true;
        whole = from > w.first && last < w.last; /* no change of offset touches it */
      }
      if (!whole) {
        if (!is_countable(&job->plan, time)) {
          note_fault(job->failed, i);
          return 0;
        }
        const bucket found = find_bucket(&job->plan, time);
        from = cut(found.begin);
        last = cut(found.end - 1);
        next = cut(found.end);
        has_begin = found.begin == from;
        has_end = found.end == next;
      }
    }
    const bool rises = job->up && !(has_begin && time == from);
    if (rises ? !has_end : !has_begin) {
      note_fault(job->failed, i);
      return 0;
    }
    job->out[i] = rises ? next : from;
  }
  return 0;
}

static const char *read_plan(const time_buckets *b, bucket_plan *plan)
{
  static const int64_t MONDAY = 4; /* 1970-01-05 */
  const span_unit unit = b->span.unit;

  *plan = (bucket_plan){.zone = b->zone,
                        .per_second = b->per_second,
                        .per_day = b->per_second ? b->per_second * SECONDS_PER_DAY : 1,
                        .day = 1,
                        .whole_days = unit >= SPAN_DAY};
  if (unit < SPAN_MONTH) {
    const char *wrong = locus_span_units(&b->span, b->per_second, &plan->length);
    if (wrong) return wrong;
    plan->phase = b->has_origin ? b->origin : unit == SPAN_WEEK ? MONDAY * plan->per_day : 0;
    return NULL;
  }
  const int each = unit == SPAN_MONTH ? 1 : unit == SPAN_QUARTER ? 3 : MONTHS;
  if (b->span.count > MOST_YEAR) return "is longer than the calendar";
  plan->months = b->span.count * each;
  plan->month = INT64_C(1970) * MONTHS;
  if (!b->has_origin) return NULL;
  const int64_t days = floor_divide(b->origin, plan->per_day);
  if (days < LEAST_DAY || days > MOST_DAY) return "has an origin beyond the calendar";
  const civil_date date = date_of_days(days);
  plan->month = date.year * MONTHS + date.month - 1;
  plan->day = date.day;
  plan->rest = b->origin - days * plan->per_day;
  plan->is_anchored = plan->day > 1 || plan->rest > 0;
  return NULL;
}

static int fail_bucket(const time_buckets *buckets, bool up, int64_t time, locus_context *cx)
{
  char text[TIME_BYTES];
  const int count = buckets->per_second ? locus_format_time(text, time, buckets->per_second)
                                        : locus_format_date(text, time);

  text[count] = 0;
  return locus_fail(cx, "the bucket of %s %s beyond int64", text, up ? "ends" : "begins");
}

int locus_cut_times(const time_buckets *buckets, bool up, int64_t n, const int64_t *in,
                    int64_t *out, locus_context *cx)
{
  _Atomic int64_t failed = INT64_MAX;
  bucket_job job = {.up = up, .in = in, .out = out, .failed = &failed};

  const char *const wrong = read_plan(buckets, &job.plan);
  if (wrong) return locus_fail(cx, "the span %s", wrong);
  LOCUS_TRY(locus_parallel(cut_part, &job, n, GRAIN, cx));
  return failed == INT64_MAX ? 0 : fail_bucket(buckets, up, in[failed], cx);
}

int locus_list_buckets(const time_buckets *buckets, int64_t first, int64_t last, int64_t room,
                       int64_t *out, int64_t *count, locus_context *cx)
{
  bucket_plan plan;
  int64_t n = 0;
  wide at = first;

  const char *const wrong = read_plan(buckets, &plan);
  if (wrong) return locus_fail(cx, "the span %s", wrong);
  if (plan.length > 0 && ((wide)last - first) / plan.length >= UINT32_MAX)
    return locus_fail(cx, "there are more than 4294967295 buckets from the first time to the last");
  for (; at <= last; n++) {
    if (n % POLL_EVERY == 0) LOCUS_TRY(locus_poll(cx));
    if (!is_countable(&plan, (int64_t)at)) return fail_bucket(buckets, false, (int64_t)at, cx);
    const bucket found = find_bucket(&plan, (int64_t)at);
    if (found.begin != cut(found.begin)) return fail_bucket(buckets, false, (int64_t)at, cx);
    if (n < room) out[n] = (int64_t)found.begin;
    at = found.end;
  }
  *count = n;
  return 0;
}
