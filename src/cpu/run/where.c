/* SPDX-License-Identifier: MIT */
/* Runner of where: selection knows widths, not dtypes. */
#include "cpu/block/block.h"
#include "cpu/isa/isa.h"

#define EITHER(width)                                                                          \
  static inline bits_##width either_##width(uint8_t condition, bits_##width a, bits_##width b) \
  {                                                                                            \
    return (bits_##width)SELECT(condition, a, b);                                              \
  }
EITHER(1)
EITHER(2)
EITHER(4)
EITHER(8)
#undef EITHER

static inline bits_16 either_16(uint8_t condition, bits_16 a, bits_16 b)
{
  return (bits_16){either_8(condition, a.low, b.low), either_8(condition, a.high, b.high)};
}

/* Calls `select` with steps that the compiler knows. */
#define BY_STEPS(select)                                       \
  do {                                                         \
    if (x_step && y_step) select(z, condition, x, 1, y, 1, n); \
    else if (x_step) select(z, condition, x, 1, y, 0, n);      \
    else if (y_step) select(z, condition, x, 0, y, 1, n);      \
    else select(z, condition, x, 0, y, 0, n);                  \
  } while (0)

#define TEMPLATE "cpu/run/where.inc"
#include "cpu/block/each_width.h"
#undef BY_STEPS

typedef void where_run(void *z, const uint8_t *condition, const void *x, int x_step, const void *y,
                       int y_step, int64_t n);

static where_run *const runs[WIDTHS] = BY_WIDTH(where);
static where_run *const runs_nontemporal[WIDTHS] = BY_WIDTH(where_nontemporal);

/* Whether out is stored around the caches: not if its lines have just been read as an operand. */
static bool is_nontemporal(const locus_where_job *job, const cursor *out)
{
  const char *data = job->out.data;
  const size_t width = (size_t)locus_dtype_size(job->out.dtype);

  return out->direct && (uintptr_t)data % width == 0 && data != job->x.data &&
         data != job->y.data && job->grid.numel >= NONTEMPORAL_BYTES / (int64_t)width;
}

static int where_part(const void *given, int64_t begin, int64_t end, locus_context *cx)
{
  const locus_where_job *job = given;
  cursor out, condition, x, y;
  walk w;

  cursor_open(&out, &job->grid, &job->out, job->out.dtype);
  cursor_open(&condition, &job->grid, &job->condition, LOCUS_b8);
  cursor_open_stepped(&x, &job->grid, &job->x, job->out.dtype);
  cursor_open_stepped(&y, &job->grid, &job->y, job->out.dtype);
  walk_begin_freely(&w, &job->grid, (cursor *[]){&out, &condition, &x, &y}, 4);
  walk_within(&w, begin, end);

  const bool nontemporal = is_nontemporal(job, &out);
  where_run *const run = (nontemporal ? runs_nontemporal : runs)[width_index(out.item)];
  while (walk_next(&w)) {
    LOCUS_TRY(locus_poll(cx));
    run(cursor_target(&out, &w), cursor_read(&condition, &w), cursor_read(&x, &w), x.step,
        cursor_read(&y, &w), y.step, w.count);
    cursor_write(&out, &w);
  }
  if (nontemporal) nontemporal_end();
  return 0;
}

int ISA(where)(const locus_where_job *job, locus_context *cx)
{
  const int64_t grain = grain_of(
      &job->grid, (const locus_operand *[]){&job->out, &job->condition, &job->x, &job->y}, 4);
  return locus_parallel(where_part, job, job->grid.numel, grain, cx);
}
