/* SPDX-License-Identifier: MIT */
/* Runner of owners: threads share the places. */
#include "cpu/block/block.h"

/* The first end that is greater than a place. */
static int64_t owner_of(const locus_owners_job *job, int64_t place)
{
  int64_t low = 0, high = job->n;

  while (low < high) {
    const int64_t middle = low + (high - low) / 2;
    if (job->ends[middle] > place) high = middle;
    else low = middle + 1;
  }
  return low;
}

/* Where owners have few places nobody can guess how many: so some are written always, and what is
** too much is written over by the owners behind. */
enum { ALWAYS = 16 };

static void write_all(int64_t *out, int64_t value, int64_t at, int64_t past)
{
  for (; at < past; at++) out[at] = value;
}

/* Writes the places from `at` to `stop`; gives the owner of the last one. */
static int64_t write_owners(const locus_owners_job *job, int64_t owner, int64_t at, int64_t stop)
{
  for (; at < stop; owner++) {
    const int64_t past = least(job->ends[owner], stop), value = owner + job->base;
    if (stop - at < ALWAYS) {
      write_all(job->out, value, at, past);
    } else {
      for (int k = 0; k < ALWAYS; k++) job->out[at + k] = value;
      if (past - at > ALWAYS) write_all(job->out, value, at + ALWAYS, past);
    }
    if (past > at) at = past;
  }
  return owner - 1;
}

static int owners_part(const void *given, int64_t begin, int64_t end, locus_context *cx)
{
  const locus_owners_job *job = given;
  int64_t owner = owner_of(job, begin);

  while (begin < end) {
    const int64_t stop = least(end, begin + DIRECT_BLOCK);
    LOCUS_TRY(locus_poll(cx));
    owner = write_owners(job, owner, begin, stop);
    begin = stop;
  }
  return 0;
}

int ISA(owners)(const locus_owners_job *job, locus_context *cx)
{
  return locus_parallel(owners_part, job, job->total, GRAIN, cx);
}
