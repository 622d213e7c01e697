/* SPDX-License-Identifier: MIT */
/* Elementwise ops of one operand: the rows of core/unary.def. */
#include <float.h>
#include <math.h>

#include "op/ground/elementwise.h"

enum computed { SAME, FLOATING, PREDICATE, TRUTH }; /* as unary.def says */

static const struct {
  const char *name;
  enum computed computed;
  bool defined[LOCUS_COMPLEX + 1]; /* by kind */
} rows[] = {
#define UNARY(op, is) [LOCUS_UNARY_##op].name = #op, [LOCUS_UNARY_##op].computed = is,
#define BOOL(op, expression) [LOCUS_UNARY_##op].defined[LOCUS_BOOL] = true,
#define INTEGER(op, expression) [LOCUS_UNARY_##op].defined[LOCUS_INTEGER] = true,
#define FLOAT(op, expression) [LOCUS_UNARY_##op].defined[LOCUS_FLOAT] = true,
#define COMPLEX(op, expression) [LOCUS_UNARY_##op].defined[LOCUS_COMPLEX] = true,
#include "core/unary.def"
#undef UNARY
#undef BOOL
#undef INTEGER
#undef FLOAT
#undef COMPLEX
};

static int check_defined(locus_unary op, locus_dtype dtype, locus_context *cx)
{
  locus_kind kind = locus_dtype_kind(dtype);

  if (rows[op].defined[kind]) return 0;
  if (op == LOCUS_UNARY_neg) return locus_undefined(dtype, "write x:logical_not()", cx);
  if (kind == LOCUS_COMPLEX) return locus_undefined(dtype, "complex values have + - * eq ne", cx);
  return locus_undefined(dtype, "convert it with x:long()", cx);
}

static int run(locus_unary op, locus_dtype dtype, const locus_value *input, const locus_tensor *out,
               locus_context *cx)
{
  LOCUS_JOB(unary, job, grid);

  job.op = op;
  job.dtype = dtype;
  locus_operand_tensor(&job.out, out, &out->shape);
  LOCUS_TRY(locus_operand_value(&job.in, input, dtype, &out->shape, cx));
  locus_grid_arrange(&job.grid, &out->shape, (locus_operand *[]){&job.out, &job.in}, 2);
  return locus_device_runners(locus_tensor_device(out), cx)->unary(&job, cx);
}

/* The dtypes that the op is computed in and answers in. */
static void dtypes_of(locus_unary op, locus_dtype input, locus_dtype *computed, locus_dtype *answer,
                      const locus_context *cx)
{
  switch (rows[op].computed) {
  case SAME: *computed = *answer = input; break;
  case FLOATING:
    *computed = locus_dtype_kind(input) <= LOCUS_INTEGER ? cx->default_dtype : input;
    *answer = *computed;
    break;
  case PREDICATE: *computed = input, *answer = LOCUS_b8; break;
  case TRUTH: *computed = *answer = LOCUS_b8; break;
  }
}

int locus_apply_unary(locus_unary op, const locus_value *input, locus_tensor *out, bool in_place,
                      locus_context *cx)
{
  locus_elementwise e = {.op = rows[op].name, .values = input, .count = 1, .in_place = in_place};
  locus_result result = {0};

  if (op == LOCUS_UNARY_neg || op == LOCUS_UNARY_abs)
    e.kind = locus_sum_kind(locus_value_kind(input));

  dtypes_of(op, locus_promote(input, 1, cx), &e.dtype, &e.answer, cx);
  LOCUS_TRY(check_defined(op, e.dtype, cx));
  LOCUS_TRY(locus_elementwise_begin(&e, &result, out, cx));
  return locus_result_end(&result, run(op, e.dtype, input, result.made, cx));
}

/* Rounds to multiples of 10^places, each step rounded to the dtype of the result, as in PyTorch. If
** that power is infinite, finite numbers round to a zero of their sign: the least positive number
** as factor makes them small enough, and keeps infinities. */
static int round_above(const locus_value *input, double places, locus_tensor *out, bool in_place,
                       locus_context *cx)
{
  const bool wide = locus_promote(input, 1, cx) == LOCUS_f64;
  const bool beyond = places > (wide ? DBL_MAX_10_EXP : FLT_MAX_10_EXP);
  const double factor = !beyond ? pow(10, places) : wide ? DBL_TRUE_MIN : FLT_TRUE_MIN;
  const locus_value scale = {.name = "decimals", .element.f64 = factor};
  const locus_value scaled = {.name = input->name, .tensor = out};
  const locus_binary there = beyond ? LOCUS_BINARY_mul : LOCUS_BINARY_div;

  LOCUS_TRY(locus_apply_binary(there, input, &scale, out, in_place, cx));
  LOCUS_TRY(locus_apply_unary(LOCUS_UNARY_round, &scaled, out, true, cx));
  return beyond ? 0 : locus_apply_binary(LOCUS_BINARY_mul, &scaled, &scale, out, true, cx);
}

/* The same for multiples of 10^-places. A number whose product with 10^places overflows has no such
** decimals, and does not change. */
static int round_below(const locus_value *input, double places, locus_tensor *out, bool in_place,
                       locus_context *cx)
{
  const locus_dtype dtype = locus_promote(input, 1, cx);
  locus_elementwise e = {.op = "round",
                         .values = input,
                         .count = 1,
                         .in_place = in_place,
                         .dtype = dtype,
                         .answer = dtype};
  locus_result result = {0};
  locus_tensor steps = {0}, good = {0};
  const locus_value scale = {.name = "decimals", .element.f64 = pow(10, places)};
  const locus_value scaled = {.name = input->name, .tensor = &steps};
  const locus_value values[] = {{.name = "condition", .tensor = &good}, scaled, *input};

  LOCUS_TRY(locus_elementwise_begin(&e, &result, out, cx));
  int status = locus_apply_binary(LOCUS_BINARY_mul, input, &scale, &steps, false, cx);
  if (!status) status = locus_apply_unary(LOCUS_UNARY_round, &scaled, &steps, true, cx);
  if (!status) status = locus_apply_binary(LOCUS_BINARY_div, &scaled, &scale, &steps, true, cx);
  if (!status) status = locus_apply_unary(LOCUS_UNARY_isfinite, &scaled, &good, false, cx);
  if (!status) status = locus_where(values, result.made, cx);
  locus_tensor_release(&steps);
  locus_tensor_release(&good);
  return locus_result_end(&result, status);
}

/* In place: `out` is the input. */
static int round_stepwise(const locus_value *input, int64_t decimals, locus_tensor *out,
                          bool in_place, locus_context *cx)
{
  if (decimals < 0) return round_above(input, -(double)decimals, out, in_place, cx);
  return round_below(input, (double)decimals, out, in_place, cx);
}

/* Halves take the steps in float32, which holds the numbers between. */
static int round_half(const locus_value *input, locus_dtype dtype, int64_t decimals,
                      locus_tensor *out, bool in_place, locus_context *cx)
{
  locus_elementwise e = {.op = "round",
                         .values = input,
                         .count = 1,
                         .in_place = in_place,
                         .dtype = dtype,
                         .answer = dtype};
  locus_result result = {0};
  locus_tensor steps = {0};
  const locus_value wide = {.name = input->name, .tensor = &steps};

  LOCUS_TRY(locus_elementwise_begin(&e, &result, out, cx));
  int status = locus_convert(input, LOCUS_f32, &steps, cx);
  if (!status) status = round_stepwise(&wide, decimals, &steps, true, cx);
  if (!status) status = locus_copy(result.made, &wide, cx);
  locus_tensor_release(&steps);
  return locus_result_end(&result, status);
}

int locus_round(const locus_value *input, int64_t decimals, locus_tensor *out, bool in_place,
                locus_context *cx)
{
  const locus_dtype dtype = locus_promote(input, 1, cx);

  LOCUS_TRY(check_defined(LOCUS_UNARY_round, dtype, cx));
  if (locus_dtype_kind(dtype) == LOCUS_INTEGER && decimals < 0) {
    return locus_fail(cx, "'decimals' must not be negative for %s, got %lld",
                      locus_dtype_name(dtype), (long long)decimals);
  }
  if (locus_dtype_kind(dtype) == LOCUS_INTEGER || decimals == 0)
    return locus_apply_unary(LOCUS_UNARY_round, input, out, in_place, cx);
  if (dtype == LOCUS_f16 || dtype == LOCUS_bf16)
    return round_half(input, dtype, decimals, out, in_place, cx);
  return round_stepwise(input, decimals, out, in_place, cx);
}
