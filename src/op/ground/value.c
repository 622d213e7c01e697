/* SPDX-License-Identifier: MIT */
/* Scalars and the promotion of mixed operands. */
#include "op/ground/value.h"

#include <math.h>
#include <string.h>

#include "core/number/decimal.h"
#include "core/number/element.h"

bool locus_value_integral(const locus_value *value, int64_t *integer)
{
  if (value->scalar == LOCUS_SCALAR_INT64 || value->scalar == LOCUS_SCALAR_BOOL) {
    *integer = value->element.i64;
    return true;
  }
  double number = value->element.f64;
  if (value->scalar != LOCUS_SCALAR_NUMBER || !(number >= -0x1p63 && number < 0x1p63)) return false;
  *integer = (int64_t)number;
  return (double)*integer == number;
}

bool locus_value_sorted(const locus_value *first, const locus_value *second)
{
  if (first->scalar != LOCUS_SCALAR_NUMBER) return first->element.i64 <= second->element.i64;
  return first->element.f64 <= second->element.f64 || isnan(second->element.f64);
}

static locus_dtype complex_of(locus_dtype dtype)
{
  return dtype == LOCUS_f64 || dtype == LOCUS_c128 ? LOCUS_c128 : LOCUS_c64;
}

/* The dtype of a scalar beside others; `whole` says that integral numbers count as integers. */
static locus_dtype scalar_dtype(const locus_value *value, bool whole, const locus_context *cx)
{
  int64_t integer;

  switch (value->scalar) {
  case LOCUS_SCALAR_BOOL: return LOCUS_b8;
  case LOCUS_SCALAR_INT64: return LOCUS_i64;
  case LOCUS_SCALAR_COMPLEX: return complex_of(cx->default_dtype);
  case LOCUS_SCALAR_NUMBER: break;
  }
  return whole && locus_value_integral(value, &integer) ? LOCUS_i64 : cx->default_dtype;
}

static locus_dtype promote_ranks(locus_dtype higher, locus_dtype lower)
{
  locus_kind high = locus_dtype_kind(higher), low = locus_dtype_kind(lower);
  if (low <= high) return higher;
  if (high == LOCUS_FLOAT) return complex_of(higher);
  return locus_dtype_promote(higher, lower);
}

/* The dtype of two values of equal rank; LOCUS_DTYPES is no value. */
static locus_dtype promote_equals(locus_dtype a, locus_dtype b)
{
  return a == LOCUS_DTYPES || a == b ? b : locus_dtype_promote(a, b);
}

static locus_dtype promote_lower(locus_dtype higher, locus_dtype lower)
{
  if (higher == LOCUS_DTYPES) return lower;
  return lower == LOCUS_DTYPES ? higher : promote_ranks(higher, lower);
}

static locus_dtype promote_scalars(const locus_value *values, int count, bool whole,
                                   const locus_context *cx)
{
  locus_dtype made = LOCUS_DTYPES;
  for (int i = 0; i < count; i++)
    if (!values[i].tensor) made = promote_equals(made, scalar_dtype(&values[i], whole, cx));
  return made;
}

static bool has_int64(const locus_value *values, int count)
{
  for (int i = 0; i < count; i++)
    if (!values[i].tensor && values[i].scalar == LOCUS_SCALAR_INT64) return true;
  return false;
}

locus_dtype locus_promote(const locus_value *values, int count, const locus_context *cx)
{
  locus_dtype with_dimensions = LOCUS_DTYPES, zero_d = LOCUS_DTYPES;
  int scalars = 0;

  for (int i = 0; i < count; i++) {
    const locus_tensor *tensor = values[i].tensor;
    if (!tensor) scalars++;
    else if (tensor->shape.ndim) with_dimensions = promote_equals(with_dimensions, tensor->dtype);
    else zero_d = promote_equals(zero_d, tensor->dtype);
  }
  locus_dtype tensors = promote_lower(with_dimensions, zero_d);
  if (scalars == 0) return tensors;
  /* Numbers count as integers beside integer tensors, or beside int64 cdata alone. */
  bool whole = tensors == LOCUS_DTYPES ? has_int64(values, count)
                                       : locus_dtype_kind(tensors) == LOCUS_INTEGER;
  return promote_lower(tensors, promote_scalars(values, count, whole, cx));
}

/* The shortest digits of the dtype, or of float64 where it holds no such number. A whole number of
** int64 has all of its digits. */
static char *spell_float(char *out, double number, locus_dtype dtype)
{
  const locus_value value = {.scalar = LOCUS_SCALAR_NUMBER, .element.f64 = number};
  int64_t integer;
  uint64_t bits = 0;

  if (locus_value_integral(&value, &integer) && (integer || !signbit(number)))
    return out + locus_format_i64(out, integer);
  switch (dtype) {
#define SPELL_BOOL(id) break;
#define SPELL_INTEGER(id) break;
#define SPELL_COMPLEX(id) break;
#define SPELL_FLOAT(id)                                      \
  {                                                          \
    const locus_##id element = LOCUS_STORE_##id(number);     \
    if ((double)locus_load_##id(element) != number) break;   \
    memcpy(&bits, &element, sizeof element);                 \
    return out + locus_spell_float(out, bits, &FORMAT_##id); \
  }
/* clang-format off */
#define DTYPE(id, type, value_type, kind, name) case LOCUS_##id: SPELL_##kind(id)
#include "core/dtype.def"
    /* clang-format on */
  case LOCUS_DTYPES: break;
  }
  memcpy(&bits, &number, sizeof bits);
  return out + locus_spell_float(out, bits, &FORMAT_f64);
}

static char *spell_complex(char *out, locus_complex128 z, locus_dtype dtype)
{
  const locus_dtype part = dtype == LOCUS_c64 ? LOCUS_f32 : LOCUS_f64;

  out = spell_float(out, z.re, part);
  if (isnan(z.im) || !signbit(z.im)) *out++ = '+';
  out = spell_float(out, z.im, part);
  *out++ = 'i';
  return out;
}

const char *locus_value_text(const locus_value *value, char buffer[LOCUS_VALUE_TEXT])
{
  char *end = buffer;

  switch (value->scalar) {
  case LOCUS_SCALAR_BOOL: return value->element.i64 ? "true" : "false";
  case LOCUS_SCALAR_INT64: end += locus_format_i64(buffer, value->element.i64); break;
  case LOCUS_SCALAR_NUMBER: end = spell_float(buffer, value->element.f64, value->dtype); break;
  case LOCUS_SCALAR_COMPLEX: end = spell_complex(buffer, value->element.c128, value->dtype); break;
  }
  *end = 0;
  return buffer;
}

static int store_integer(const locus_value *value, locus_dtype dtype, int64_t *integer,
                         locus_context *cx)
{
  locus_range range = locus_dtype_range(dtype);
  char text[LOCUS_VALUE_TEXT];

  if (locus_value_integral(value, integer) && *integer >= range.low && *integer <= range.high)
    return 0;
  return locus_fail(cx, "'%s' is %s, which %s cannot hold", value->name,
                    locus_value_text(value, text), locus_dtype_name(dtype));
}

int locus_value_store(const locus_value *value, locus_dtype dtype, void *element, locus_context *cx)
{
  locus_complex128 z = {0, 0};
  int64_t integer = 0;
  bool is_integer = value->scalar == LOCUS_SCALAR_INT64 || value->scalar == LOCUS_SCALAR_BOOL;
  char text[LOCUS_VALUE_TEXT];

  if (is_integer) integer = value->element.i64;
  else if (value->scalar == LOCUS_SCALAR_COMPLEX) z = value->element.c128;
  else z.re = value->element.f64;
  if (z.im != 0 && locus_dtype_kind(dtype) != LOCUS_COMPLEX && dtype != LOCUS_b8) {
    return locus_fail(cx, "'%s' is %s, which %s cannot hold", value->name,
                      locus_value_text(value, text), locus_dtype_name(dtype));
  }
  if (locus_dtype_kind(dtype) == LOCUS_INTEGER) {
    locus_value whole = *value;
    if (value->scalar == LOCUS_SCALAR_COMPLEX) {
      whole.scalar = LOCUS_SCALAR_NUMBER;
      whole.element.f64 = z.re;
    }
    LOCUS_TRY(store_integer(&whole, dtype, &integer, cx));
    is_integer = true;
  }
  switch (dtype) {
/* clang-format off */
#define DTYPE(id, type, value_type, kind, name)                                             \
  case LOCUS_##id:                                                                          \
    *(locus_##id *)element = is_integer ? LOCUS_STORE_##id(integer) : LOCUS_STORE_##id(z);  \
    break;
#include "core/dtype.def"
    /* clang-format on */
  case LOCUS_DTYPES: break;
  }
  return 0;
}

void locus_value_load(locus_value *value, locus_dtype dtype, const void *element)
{
  value->tensor = NULL;
  value->dtype = dtype;
  value->kind = LOCUS_KIND_none;
  switch (dtype) {
#define LOAD_AS(scalar_is, field, as, id)   \
  value->scalar = LOCUS_SCALAR_##scalar_is; \
  value->element.field = as(locus_load_##id(*(const locus_##id *)element));
#define AS_COMPLEX(z)                 \
  (locus_complex128)                  \
  {                                   \
    LOCUS_REAL(z), LOCUS_IMAGINARY(z) \
  }
#define LOAD_BOOL(id) LOAD_AS(BOOL, i64, (int64_t), id)
#define LOAD_INTEGER(id) LOAD_AS(INT64, i64, (int64_t), id)
#define LOAD_FLOAT(id) LOAD_AS(NUMBER, f64, (double), id)
#define LOAD_COMPLEX(id) LOAD_AS(COMPLEX, c128, AS_COMPLEX, id)
/* clang-format off */
#define DTYPE(id, type, value_type, kind, name) case LOCUS_##id: LOAD_##kind(id) break;
#include "core/dtype.def"
    /* clang-format on */
  case LOCUS_DTYPES: break;
  }
}

const locus_shape *locus_value_shape(const locus_value *value)
{
  static const locus_shape zero_d = {0};
  return value->tensor ? &value->tensor->shape : &zero_d;
}

locus_device locus_value_device(const locus_value *value, const locus_context *cx)
{
  return value->tensor ? locus_tensor_device(value->tensor) : cx->home;
}

bool locus_value_anywhere(const locus_value *value)
{
  return !value->tensor ||
         (value->tensor->shape.ndim == 0 && locus_tensor_device(value->tensor) == LOCUS_CPU);
}

int locus_check_device(const locus_value *value, const locus_value *beside, locus_context *cx)
{
  const locus_device want = locus_tensor_device(beside->tensor);
  const locus_device got = value->tensor ? locus_tensor_device(value->tensor) : want;

  if (got == want) return 0;
  return locus_fail(cx, "'%s' must be on %s as '%s' is, got %s", value->name,
                    locus_device_name(want), beside->name, locus_device_name(got));
}
