/* SPDX-License-Identifier: MIT */
/* Elementwise ops of two operands: the rows of core/binary.def; clamp, which uses two of them. */
#include "op/ground/elementwise.h"

enum computed { PROMOTED, FLOATING, TRUTH }; /* as binary.def says */

static const struct {
  const char *name;
  enum computed computed;
  bool defined[LOCUS_COMPLEX + 1]; /* by kind */
} rows[] = {
#define BINARY(op, is) [LOCUS_BINARY_##op].name = #op, [LOCUS_BINARY_##op].computed = is,
#define BOOL(op, expression) [LOCUS_BINARY_##op].defined[LOCUS_BOOL] = true,
#define INTEGER(op, expression) [LOCUS_BINARY_##op].defined[LOCUS_INTEGER] = true,
#define FLOAT(op, expression) [LOCUS_BINARY_##op].defined[LOCUS_FLOAT] = true,
#define COMPLEX(op, expression) [LOCUS_BINARY_##op].defined[LOCUS_COMPLEX] = true,
#include "core/binary.def"
#undef BINARY
#undef BOOL
#undef INTEGER
#undef FLOAT
#undef COMPLEX
};

static int check_defined(locus_binary op, locus_dtype dtype, locus_context *cx)
{
  locus_kind kind = locus_dtype_kind(dtype);

  if (rows[op].defined[kind]) return 0;
  if (kind == LOCUS_COMPLEX) return locus_undefined(dtype, "complex values have + - * eq ne", cx);
  if (op == LOCUS_BINARY_sub) return locus_undefined(dtype, "write x:logical_xor(y)", cx);
  return locus_undefined(dtype, "convert with x:long()", cx);
}

static locus_dtype computed_dtype(locus_binary op, const locus_value *values,
                                  const locus_context *cx)
{
  locus_dtype dtype = locus_promote(values, 2, cx);

  switch (rows[op].computed) {
  case PROMOTED: break;
  case FLOATING: return locus_dtype_kind(dtype) <= LOCUS_INTEGER ? cx->default_dtype : dtype;
  case TRUTH: return LOCUS_b8;
  }
  return dtype;
}

/* Finds an element of `value` that is 0 or, where `negative`, below 0; position -1: none. */
static int find_bad(const locus_value *value, bool negative, int64_t *position, locus_value *bad,
                    locus_context *cx)
{
  const locus_tensor *tensor = value->tensor;
  locus_find_job job = {.what = LOCUS_FIND_ZERO, .high = INT64_MAX, .position = position};

  *bad = *value;
  *position = -1;
  if (!tensor) {
    int64_t integer = 0;
    if (locus_value_integral(value, &integer) && (negative ? integer < 0 : integer == 0))
      *position = 0;
    return 0;
  }
  if (negative) job.what = LOCUS_FIND_OUTSIDE;
  locus_operand_tensor(&job.in, tensor, &tensor->shape);
  locus_grid_collapse(&job.grid, &tensor->shape, (locus_operand *[]){&job.in}, 1);
  LOCUS_TRY(locus_device_runners(locus_tensor_device(tensor), cx)->find(&job, cx));
  if (*position < 0) return 0;
  return locus_read_found(tensor, *position, value->name, &job, bad, cx);
}

/* The name of a result that integers lack, because an operand is 0 or, for powers, negative; NULL:
** they have all. */
static const char *missing_of(locus_binary op)
{
  if (op == LOCUS_BINARY_remainder || op == LOCUS_BINARY_fmod) return "remainder by 0";
  if (op == LOCUS_BINARY_floor_divide) return "quotient by 0";
  return op == LOCUS_BINARY_pow ? "negative powers" : NULL;
}

static int check_second(locus_binary op, const locus_value *other, locus_dtype dtype,
                        locus_context *cx)
{
  const char *missing = missing_of(op);
  char number[LOCUS_VALUE_TEXT], where[LOCUS_POSITION_TEXT];
  locus_value bad;
  int64_t position;

  if (!missing || locus_dtype_kind(dtype) != LOCUS_INTEGER) return 0;
  LOCUS_TRY(find_bad(other, op == LOCUS_BINARY_pow, &position, &bad, cx));
  if (position < 0) return 0;
  return locus_fail(cx, "'%s' is %s%s, and integers have no %s; write x:double()", other->name,
                    locus_value_text(&bad, number),
                    locus_position_text(locus_value_shape(other), position, 1, where), missing);
}

/* A square is a product, which is rounded correctly; pow need not be. */
static bool is_square(locus_binary op, const locus_value *b)
{
  int64_t power;
  return op == LOCUS_BINARY_pow && !b->tensor && locus_value_integral(b, &power) && power == 2;
}

static int run(locus_binary op, locus_dtype dtype, const locus_value *a, const locus_value *b,
               const locus_tensor *out, locus_context *cx)
{
  LOCUS_JOB(binary, job, grid);

  job.op = op;
  job.dtype = dtype;
  if (is_square(op, b)) return run(LOCUS_BINARY_mul, dtype, a, a, out, cx);
  locus_operand_tensor(&job.out, out, &out->shape);
  LOCUS_TRY(locus_operand_value(&job.a, a, dtype, &out->shape, cx));
  LOCUS_TRY(locus_operand_value(&job.b, b, dtype, &out->shape, cx));
  locus_grid_arrange(&job.grid, &out->shape, (locus_operand *[]){&job.out, &job.a, &job.b}, 3);
  return locus_device_runners(locus_tensor_device(out), cx)->binary(&job, cx);
}

int locus_apply_binary(locus_binary op, const locus_value *a, const locus_value *b,
                       locus_tensor *out, bool in_place, locus_context *cx)
{
  const locus_value values[] = {*a, *b};
  locus_elementwise e = {.op = rows[op].name, .values = values, .count = 2, .in_place = in_place};
  locus_result result = {0};

  e.dtype = computed_dtype(op, values, cx);
  e.answer = e.dtype;
  LOCUS_TRY(check_defined(op, e.dtype, cx));
  LOCUS_TRY(locus_binary_kind(op, values, &e.kind, cx));
  LOCUS_TRY(locus_elementwise_begin(&e, &result, out, cx));
  int status = result.made->numel ? check_second(op, b, e.dtype, cx) : 0;
  if (status == 0) status = run(op, e.dtype, a, b, result.made, cx);
  return locus_result_end(&result, status);
}

/* out = minimum(maximum(input, min), max). When out is max, the first half goes elsewhere. */
static int run_clamp(locus_dtype dtype, const locus_value *input, const locus_value *min,
                     const locus_value *max, const locus_tensor *out, locus_context *cx)
{
  locus_tensor apart = {0};
  locus_value half = {.name = input->name, .tensor = out};

  if (!max) return run(LOCUS_BINARY_maximum, dtype, input, min, out, cx);
  if (!min) return run(LOCUS_BINARY_minimum, dtype, input, max, out, cx);
  if (max->tensor && locus_overlap(out, max->tensor)) {
    LOCUS_TRY(locus_tensor_new(&apart, dtype, &out->shape, locus_tensor_device(out), cx));
    half.tensor = &apart;
  }
  int status = run(LOCUS_BINARY_maximum, dtype, input, min, half.tensor, cx);
  if (status == 0) status = run(LOCUS_BINARY_minimum, dtype, &half, max, out, cx);
  locus_tensor_release(&apart);
  return status;
}

int locus_clamp(const locus_value *input, const locus_value *min, const locus_value *max,
                locus_tensor *out, bool in_place, locus_context *cx)
{
  locus_value values[3] = {*input};
  locus_elementwise e = {.op = "clamp", .values = values, .count = 1, .in_place = in_place};
  locus_result result = {0};

  if (!min && !max) return locus_fail(cx, "'min' or 'max' must be given");
  if (min) values[e.count++] = *min;
  if (max) values[e.count++] = *max;
  e.dtype = e.answer = locus_promote(values, e.count, cx);
  LOCUS_TRY(check_defined(LOCUS_BINARY_minimum, e.dtype, cx));
  LOCUS_TRY(locus_shared_kind(values, e.count, &e.kind, cx));
  LOCUS_TRY(locus_elementwise_begin(&e, &result, out, cx));
  return locus_result_end(&result, run_clamp(e.dtype, input, min, max, result.made, cx));
}
