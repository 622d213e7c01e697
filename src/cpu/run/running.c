/* SPDX-License-Identifier: MIT */
/* Runner of running: one pass over the rows in their order, with what each group has come to in a
** table. The rows stay on one thread, since each needs the one of its group before it. */
#include "core/once.h"
#include "cpu/block/block.h"

/* What a group has come to. */
typedef union total {
  int64_t whole;
  uint64_t sum;
  double real;
} total;

/* What sessions need besides: the last row. */
typedef struct session {
  int64_t row, number;
} session;

/* Group of row i, counted from 0; `groups` where ids have changed since their check. */
static inline int64_t group_of(const locus_running_job *job, int64_t i)
{
  const uint64_t group = (uint64_t)(int64_t)LOCUS_ONCE(job->ids[i]) - 1;
  return group < (uint64_t)job->groups ? (int64_t)group : job->groups;
}

static int run_rows(const locus_running_job *job, total *of, locus_context *cx)
{
  const int64_t *whole = (const int64_t *)job->in;
  const double *real = (const double *)job->in;
  const bool backwards = job->how == LOCUS_RUNNING_NEXT || job->how == LOCUS_RUNNING_AFTER;
  int64_t *out = (int64_t *)job->out;
  bool changed = false;

  for (int64_t at = 0; at < job->n; at++) {
    const int64_t i = backwards ? job->n - 1 - at : at;
    const int64_t group = group_of(job, i);
    changed |= group == job->groups;
    if (at % DIRECT_BLOCK == 0) LOCUS_TRY(locus_poll(cx));
    switch (job->how) {
    case LOCUS_RUNNING_PRIOR:
    case LOCUS_RUNNING_NEXT:
      out[i] = of[group].whole;
      of[group].whole = i + 1;
      break;
    case LOCUS_RUNNING_BEFORE:
    case LOCUS_RUNNING_AFTER:
      out[i] = of[group].whole;
      of[group].whole = whole[i];
      break;
    case LOCUS_RUNNING_COUNT: out[i] = ++of[group].whole; break;
    case LOCUS_RUNNING_SUM:
      if (job->whole) out[i] = (int64_t)(of[group].sum += (uint64_t)whole[i]);
      else ((double *)out)[i] = of[group].real += real[i];
      break;
    case LOCUS_RUNNING_SESSIONS: break;
    }
  }
  return changed ? locus_fail_changed(cx, "ids") : 0;
}

/* Whether row i goes on with the session that row `last` is in; *misfit where it lies behind. */
static inline bool goes_on(const locus_running_job *job, int64_t last, int64_t i, bool *misfit)
{
  if (job->whole) {
    const int64_t *at = (const int64_t *)job->in;
    *misfit = at[i] < at[last];
    return (uint64_t)at[i] - (uint64_t)at[last] <= job->gap_i64;
  }
  const double *at = (const double *)job->in;
  *misfit = !(at[i] >= at[last]);
  return at[i] == at[last] || at[i] - at[last] <= job->gap_f64;
}

static int number_sessions(const locus_running_job *job, session *of, locus_context *cx)
{
  int64_t *out = (int64_t *)job->out, count = 0;

  for (int64_t i = 0; i < job->n; i++) {
    session *s = &of[group_of(job, i)];
    bool misfit = false;
    if (i % DIRECT_BLOCK == 0) LOCUS_TRY(locus_poll(cx));
    const int64_t last = s->number ? s->row : i;
    const bool same = goes_on(job, last, i, &misfit);
    if (misfit) {
      *job->misfit = i;
      return 0;
    }
    if (!same || s->number == 0) s->number = ++count;
    s->row = i;
    out[i] = s->number;
  }
  return of[job->groups].number ? locus_fail_changed(cx, "ids") : 0;
}

int ISA(running)(const locus_running_job *job, locus_context *cx)
{
  const bool sessions = job->how == LOCUS_RUNNING_SESSIONS;
  const int64_t bytes = (job->groups + 1) * (int64_t)(sessions ? sizeof(session) : sizeof(total));
  void *table = locus_memory_alloc(bytes);

  *job->misfit = -1;
  if (!table) return locus_fail_memory(cx, bytes);
  memset(table, 0, (size_t)bytes);
  if (job->how == LOCUS_RUNNING_BEFORE || job->how == LOCUS_RUNNING_AFTER)
    for (int64_t g = 0; g <= job->groups; g++) ((total *)table)[g].whole = job->fill;
  const int status = sessions ? number_sessions(job, table, cx) : run_rows(job, table, cx);
  locus_memory_free(table, bytes);
  return status;
}
