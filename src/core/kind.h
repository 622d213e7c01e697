/* SPDX-License-Identifier: MIT */
/* The kind of a tensor: that its int64 values are times, dates, durations or addresses. It is a tag
** beside the dtype, 0 for plain numbers. Ops ignore it, but those that docs/tensor.md lists. */
#ifndef LOCUS_KIND_H
#define LOCUS_KIND_H

#include <stdbool.h>
#include <stdint.h>

#include "core/ieee.h"

enum {
  LOCUS_KIND_none,
#define KIND(id, type, unit, per_day) LOCUS_KIND_##id,
#include "core/kind.def"
  LOCUS_KINDS,
  LOCUS_KIND_SPANS = LOCUS_KIND_span_s - LOCUS_KIND_time_s
};

typedef struct locus_kind_info {
  const char *type, *unit; /* "time", "us"; NULL: a kind without units */
  int64_t per_day;
} locus_kind_info;
extern const locus_kind_info locus_kinds[LOCUS_KINDS];

static inline bool locus_kind_is_moment(int kind)
{
  return kind >= LOCUS_KIND_time_s && kind <= LOCUS_KIND_date;
}

static inline bool locus_kind_is_span(int kind)
{
  return kind >= LOCUS_KIND_span_s && kind <= LOCUS_KIND_span_d;
}

/* The duration between two times or dates of that kind. */
static inline int locus_kind_span(int kind)
{
  return locus_kind_is_moment(kind) ? kind + LOCUS_KIND_SPANS : kind;
}

/* "times in us", "dates", "durations in days", for messages. */
enum { LOCUS_KIND_TEXT = 32 };
const char *locus_kind_text(int kind, char text[LOCUS_KIND_TEXT]);

/* A text of a value of that kind, for messages that say what to write. */
const char *locus_kind_example(int kind);

/* The same value in the units of another kind of the same sort, times and dates being of one sort,
** durations of the other; false if it is not a whole number of these, or not of that sort. */
bool locus_kind_convert(int from, int to, int64_t *value);

#endif
