/* SPDX-License-Identifier: MIT */
/* Values of each kind from text and back. */
#include "text/time/meaning.h"

#include "core/kind.h"
#include "core/number/decimal.h"
#include "text/time/address.h"
#include "text/time/calendar.h"
#include "text/time/duration.h"
#include "text/time/time.h"

/* 0 for days. */
static int64_t per_second(int kind)
{
  return locus_kinds[kind].per_day / SECONDS_PER_DAY;
}

const char *locus_parse_meaning(int kind, const char *pattern, const char *text, const char *end,
                                int64_t *value)
{
  if (kind == LOCUS_KIND_ipv4) return locus_parse_ipv4(text, end, value);
  if (kind == LOCUS_KIND_date) return locus_parse_date(pattern, text, end, value);
  if (locus_kind_is_span(kind)) return locus_parse_duration(text, end, per_second(kind), value);
  text_clock clock = {.per_second = per_second(kind), .pattern = pattern};
  return locus_parse_time(&clock, text, end, value);
}

int locus_format_meaning(int kind, char *out, int64_t value)
{
  if (kind == LOCUS_KIND_ipv4) return locus_format_ipv4(out, value);
  if (kind == LOCUS_KIND_date) return locus_format_date(out, value);
  if (locus_kind_is_span(kind)) return locus_format_duration(out, value, per_second(kind));
  if (kind == LOCUS_KIND_none) return locus_format_i64(out, value);
  return locus_format_time(out, value, per_second(kind));
}
