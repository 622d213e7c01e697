/* SPDX-License-Identifier: MIT */
/* Runner of find. */
#include <stdatomic.h>

#include "cpu/block/block.h"

#define TEMPLATE "cpu/search/find.inc"
#include "cpu/block/each_dtype.h"

typedef int64_t find_run(const locus_find_job *job, const void *in, int64_t n);

static find_run *const find_runs[LOCUS_DTYPES] = {
#define DTYPE(id, element, value, kind, name) find_##id,
#include "core/dtype.def"
};

/* A search in several parts at once. */
typedef struct find_search {
  const locus_find_job *job;
  atomic_int_fast64_t *first; /* of the elements found so far; numel without any */
} find_search;

static int find_part(const void *given, int64_t begin, int64_t end, locus_context *cx)
{
  const find_search *search = given;
  const locus_find_job *job = search->job;
  cursor in;
  walk w;

  cursor_open(&in, &job->grid, &job->in, job->in.dtype);
  walk_begin(&w, &job->grid, (const cursor *[]){&in}, 1);
  walk_within(&w, begin, end);
  while (walk_next(&w)) {
    LOCUS_TRY(locus_poll(cx));
    int_fast64_t first = atomic_load(search->first);
    const int64_t found = find_runs[job->in.dtype](job, cursor_read(&in, &w), w.count);
    if (found == w.count && first > w.at) continue;
    while (w.at + found < first &&
           !atomic_compare_exchange_weak(search->first, &first, w.at + found))
      continue;
    return 0;
  }
  return 0;
}

int ISA(find)(const locus_find_job *job, locus_context *cx)
{
  atomic_int_fast64_t first = job->grid.numel;
  const find_search search = {job, &first};
  const int64_t grain = grain_of(&job->grid, (const locus_operand *[]){&job->in}, 1);

  LOCUS_TRY(locus_parallel(find_part, &search, job->grid.numel, grain, cx));
  *job->position = first < job->grid.numel ? first : -1;
  return 0;
}
