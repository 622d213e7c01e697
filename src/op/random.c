/* SPDX-License-Identifier: MIT */
/* Pseudorandom numbers. docs/chance.md is the specification. */
#include <float.h>
#include <inttypes.h>
#include <math.h>

#include "core/number/element.h"
#include "op/op.h"

static bool is_complex(locus_dtype dtype)
{
  return locus_dtype_kind(dtype) == LOCUS_COMPLEX;
}

static bool is_double(locus_dtype dtype)
{
  return dtype == LOCUS_f64 || dtype == LOCUS_c128;
}

static int check_integers(const locus_draw *draw, locus_dtype dtype, locus_context *cx)
{
  const locus_kind kind = locus_dtype_kind(dtype);
  const locus_range range = locus_dtype_range(dtype);

  if (kind == LOCUS_COMPLEX)
    return locus_fail(cx, "needs a real dtype, got %s", locus_dtype_name(dtype));
  if (kind != LOCUS_INTEGER && kind != LOCUS_BOOL) return 0;
  const int64_t least = kind == LOCUS_BOOL ? 0 : range.low;
  const int64_t most = kind == LOCUS_BOOL ? 1 : range.high;
  if (draw->low >= least && draw->high <= most) return 0;
  return locus_fail(cx, "numbers up to %" PRId64 " are asked for, but %s cannot hold %" PRId64,
                    draw->high, locus_dtype_name(dtype),
                    draw->low < least ? draw->low : draw->high);
}

/* Both ends, and the distance between them. */
static int check_uniform(const locus_draw *draw, locus_dtype dtype, locus_context *cx)
{
  const locus_value from = {.element.f64 = draw->a}, to = {.element.f64 = draw->b};
  char first[LOCUS_VALUE_TEXT], last[LOCUS_VALUE_TEXT];
  const double most = dtype == LOCUS_f16    ? 65504
                      : is_double(dtype)    ? DBL_MAX
                      : dtype == LOCUS_bf16 ? 0x1.fep127
                                            : FLT_MAX;

  locus_value_text(&from, first);
  locus_value_text(&to, last);
  if (!(draw->a <= draw->b))
    return locus_fail(cx, "'from' must not be greater than 'to', got %s and %s", first, last);
  if (fabs(draw->a) <= most && fabs(draw->b) <= most && draw->b - draw->a <= most) return 0;
  return locus_fail(cx, "the distance from %s to %s is more than %s holds", first, last,
                    locus_dtype_name(dtype));
}

int locus_check_draw(const locus_draw *draw, locus_dtype dtype, locus_context *cx)
{
  const locus_kind kind = locus_dtype_kind(dtype);

  if (draw->how == LOCUS_CHANCE_INTEGER) return check_integers(draw, dtype, cx);
  if (kind == LOCUS_FLOAT || (kind == LOCUS_COMPLEX && draw->how != LOCUS_CHANCE_EXPONENTIAL))
    return draw->how == LOCUS_CHANCE_UNIFORM ? check_uniform(draw, dtype, cx) : 0;
  return locus_fail(cx, "needs a float%s dtype, got %s",
                    draw->how == LOCUS_CHANCE_EXPONENTIAL ? "" : " or a complex",
                    locus_dtype_name(dtype));
}

int64_t locus_most_integer(locus_dtype dtype)
{
  if (dtype == LOCUS_b8) return 1;
  if (locus_dtype_kind(dtype) == LOCUS_INTEGER) return locus_dtype_range(dtype).high;
  const int bits = dtype == LOCUS_f16 ? 11 : dtype == LOCUS_bf16 ? 8 : dtype == LOCUS_f32 ? 24 : 53;
  return (int64_t)1 << bits;
}

/* The predecessor of x in a half, given and returned as bits. */
static uint16_t before_half(uint16_t x)
{
  if ((x & 0x7fff) == 0) return 0x8001;
  return (uint16_t)(x & 0x8000 ? x + 1 : x - 1);
}

/* The greatest number of the dtype below x. */
static double number_before(double x, locus_dtype dtype)
{
  if (is_double(dtype)) return nextafter(x, -INFINITY);
  if (dtype == LOCUS_f16) return locus_f16_widen(before_half(locus_f16_of_f64(x)));
  if (dtype == LOCUS_bf16) return locus_bf16_widen(before_half(locus_bf16_of_f64(x)));
  return nextafterf((float)x, -INFINITY);
}

static void set_bits(locus_random_job *job, const locus_draw *draw, locus_dtype dtype)
{
  const bool is_short = draw->how != LOCUS_CHANCE_INTEGER && !is_double(dtype);

  job->words = is_short ? 1 : 2;
  job->bits = !is_short ? 53 : dtype == LOCUS_f16 ? 11 : dtype == LOCUS_bf16 ? 8 : 24;
  if (draw->how != LOCUS_CHANCE_INTEGER) return;
  job->low = (uint64_t)draw->low;
  job->range = (uint64_t)draw->high - (uint64_t)draw->low + 1;
  if (job->range > UINT32_MAX) job->words = 4;
}

static void set_numbers(locus_random_job *job, const locus_draw *draw, locus_dtype dtype)
{
  job->a = draw->a;
  job->b = draw->b;
  if (draw->how != LOCUS_CHANCE_UNIFORM) return;
  job->b = draw->b - draw->a;
  job->most = fmax(draw->a, number_before(draw->b, dtype));
}

/* A complex element is two of the float dtype, side by side. */
static void take_apart(locus_random_job *job)
{
  locus_grid *grid = &job->grid;

  job->out.dtype = job->out.dtype == LOCUS_c64 ? LOCUS_f32 : LOCUS_f64;
  for (int d = 0; d < grid->ndim; d++) job->out.stride[d] *= 2;
  if (grid->numel == 0) return;
  grid->size[grid->ndim] = 2;
  job->out.stride[grid->ndim++] = 1;
  grid->numel *= 2;
}

int locus_draw_into(const locus_draw *draw, const locus_tensor *to, uint64_t *blocks,
                    locus_context *cx)
{
  const locus_device device = locus_tensor_device(to);
  locus_random_job job = {.how = draw->how, .key = draw->key, .first = draw->first};

  LOCUS_TRY(locus_result_check(to, "input", to->dtype, device, cx));
  LOCUS_TRY(locus_check_draw(draw, to->dtype, cx));
  locus_operand_tensor(&job.out, to, &to->shape);
  locus_grid_collapse(&job.grid, &to->shape, (locus_operand *[]){&job.out}, 1);
  if (is_complex(to->dtype)) {
    if (job.grid.ndim == LOCUS_MAX_DIMS)
      return locus_fail(cx, "'input' must have less than %d dimensions", LOCUS_MAX_DIMS);
    take_apart(&job);
  }
  set_bits(&job, draw, to->dtype);
  set_numbers(&job, draw, to->dtype);
  *blocks = ((uint64_t)job.grid.numel * (uint64_t)job.words + 3) / 4;
  return locus_device_runners(device, cx)->random(&job, cx);
}
