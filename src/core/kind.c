/* SPDX-License-Identifier: MIT */
/* Kinds in words, and values from one unit to another. */
#include "core/kind.h"

#include <stdio.h>
#include <string.h>

const locus_kind_info locus_kinds[LOCUS_KINDS] = {
    {NULL, NULL, 0},
#define KIND(id, type, unit, per_day) {type, unit, per_day},
#include "core/kind.def"
};

const char *locus_kind_text(int kind, char text[LOCUS_KIND_TEXT])
{
  const locus_kind_info *info = &locus_kinds[kind];

  if (kind == LOCUS_KIND_none) return "numbers";
  if (kind == LOCUS_KIND_ipv4) return "addresses";
  if (!info->unit) snprintf(text, LOCUS_KIND_TEXT, "%ss", info->type);
  else if (*info->unit == 'd') snprintf(text, LOCUS_KIND_TEXT, "%ss in days", info->type);
  else snprintf(text, LOCUS_KIND_TEXT, "%ss in %s", info->type, info->unit);
  return text;
}

const char *locus_kind_example(int kind)
{
  if (kind == LOCUS_KIND_ipv4) return "192.0.2.1";
  if (locus_kind_is_span(kind)) return "1:30:00";
  return kind == LOCUS_KIND_date ? "2026-11-22" : "2026-11-22T10:00:00Z";
}

bool locus_kind_convert(int from, int to, int64_t *value)
{
  const int64_t have = locus_kinds[from].per_day, want = locus_kinds[to].per_day;
  int64_t converted;

  if (from == to) return true;
  if (locus_kind_is_moment(from) != locus_kind_is_moment(to)) return false;
  if (locus_kind_is_span(from) != locus_kind_is_span(to) || !have || !want) return false;
  if (want < have) {
    if (*value % (have / want)) return false;
    *value /= have / want;
    return true;
  }
  if (__builtin_mul_overflow(*value, want / have, &converted)) return false;
  *value = converted;
  return true;
}
