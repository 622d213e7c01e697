/* SPDX-License-Identifier: MIT */
/* The kinds of results. */
#include "op/ground/kinds.h"

/* Two operands of different kinds. */
static int fail_mixed(const locus_value *a, const locus_value *b, locus_context *cx)
{
  const int of_a = locus_value_kind(a), of_b = locus_value_kind(b);
  char left[LOCUS_KIND_TEXT], right[LOCUS_KIND_TEXT];
  const bool units = locus_kind_is_moment(of_a) == locus_kind_is_moment(of_b) &&
                     locus_kind_is_span(of_a) == locus_kind_is_span(of_b);
  const char *unit = locus_kinds[of_a].unit;

  return locus_fail(cx, "'%s' has %s, and '%s' has %s%s%s%s", a->name, locus_kind_text(of_a, left),
                    b->name, locus_kind_text(of_b, right), units ? "; write x:as_unit(\"" : "",
                    units ? (unit ? unit : "d") : "", units ? "\") for one of them" : "");
}

int locus_shared_kind(const locus_value *values, int count, int *kind, locus_context *cx)
{
  const locus_value *first = NULL;

  *kind = LOCUS_KIND_none;
  for (const locus_value *value = values; value < values + count; value++) {
    const int own = locus_value_kind(value);
    if (own == LOCUS_KIND_none) continue;
    if (first && own != *kind) return fail_mixed(first, value, cx);
    if (!first) first = value;
    *kind = own;
  }
  return 0;
}

/* The kind of a op b, where the two have the same unit, or one has none. */
static int kind_of_pair(locus_binary op, int a, int b)
{
  const bool plain_b = b == LOCUS_KIND_none, moment_a = locus_kind_is_moment(a);

  switch ((int)op) {
  case LOCUS_BINARY_add:
    if (plain_b || locus_kind_is_moment(a)) return moment_a || locus_kind_is_span(a) ? a : 0;
    return locus_kind_is_moment(b) || locus_kind_is_span(b) ? b : 0;
  case LOCUS_BINARY_sub:
    if (moment_a) return locus_kind_is_moment(b) ? locus_kind_span(a) : a;
    return a ? locus_sum_kind(a) : locus_sum_kind(b);
  case LOCUS_BINARY_mul:
    if (a && b) return LOCUS_KIND_none;
    return locus_sum_kind(a ? a : b);
  case LOCUS_BINARY_floor_divide: return plain_b ? locus_sum_kind(a) : LOCUS_KIND_none;
  case LOCUS_BINARY_remainder:
  case LOCUS_BINARY_fmod: return locus_sum_kind(a);
  case LOCUS_BINARY_minimum:
  case LOCUS_BINARY_maximum: return a ? a : b;
  default: return LOCUS_KIND_none;
  }
}

/* Ops whose operands must have one unit. */
static bool needs_unit(locus_binary op)
{
  return op == LOCUS_BINARY_add || op == LOCUS_BINARY_sub || op == LOCUS_BINARY_div ||
         op == LOCUS_BINARY_floor_divide || op == LOCUS_BINARY_remainder ||
         op == LOCUS_BINARY_fmod || op == LOCUS_BINARY_minimum || op == LOCUS_BINARY_maximum ||
         op == LOCUS_BINARY_hypot || op == LOCUS_BINARY_atan2 || op == LOCUS_BINARY_band ||
         op == LOCUS_BINARY_bor || op == LOCUS_BINARY_bxor;
}

int locus_binary_kind(locus_binary op, const locus_value values[2], int *kind, locus_context *cx)
{
  const int a = locus_value_kind(&values[0]), b = locus_value_kind(&values[1]);

  *kind = LOCUS_KIND_none;
  if (!a && !b) return 0;
  if (a && b && needs_unit(op)) {
    const bool choice = op == LOCUS_BINARY_minimum || op == LOCUS_BINARY_maximum;
    if (choice ? a != b : locus_kind_span(a) != locus_kind_span(b))
      return fail_mixed(&values[0], &values[1], cx);
    const bool both = locus_kind_is_moment(a) && locus_kind_is_moment(b);
    if (both && op == LOCUS_BINARY_add)
      return locus_fail(cx,
                        "'%s' and '%s' are both times, which do not add; one of them must be a "
                        "duration",
                        values[0].name, values[1].name);
    if (locus_kind_is_span(a) && locus_kind_is_moment(b) && op == LOCUS_BINARY_sub)
      return locus_fail(cx, "'%s' has durations, from which no time can be taken", values[0].name);
  }
  *kind = kind_of_pair(op, a, b);
  return 0;
}

int locus_check_added_kind(const locus_value *to, const locus_value *value, locus_context *cx)
{
  char text[LOCUS_KIND_TEXT], have[LOCUS_KIND_TEXT];
  const int own = locus_value_kind(to);
  int kind;

  LOCUS_TRY(locus_binary_kind(LOCUS_BINARY_add, (const locus_value[]){*to, *value}, &kind, cx));
  if (!own || kind == own) return 0;
  return locus_fail(cx, "'%s' has %s, to which %s do not add", to->name, locus_kind_text(own, have),
                    locus_kind_text(locus_value_kind(value), text));
}
