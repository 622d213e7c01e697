/* SPDX-License-Identifier: MIT */
/* Broadcasting, the rules of in-place forms, and results of elementwise ops. */
#include "op/ground/elementwise.h"

int locus_shared_device(const locus_value *values, int count, locus_device *device,
                        locus_context *cx)
{
  const locus_value *placed = NULL;

  *device = cx->home;
  for (const locus_value *value = values; value < values + count; value++) {
    if (locus_value_anywhere(value)) continue;
    if (placed && locus_tensor_device(value->tensor) != *device) {
      return locus_fail(cx, "'%s' is on %s, but '%s' is on %s", value->name,
                        locus_device_name(locus_tensor_device(value->tensor)), placed->name,
                        locus_device_name(*device));
    }
    placed = value;
    *device = locus_tensor_device(value->tensor);
  }
  return 0;
}

int locus_broadcast_values(const locus_value *values, int count, locus_shape *shape,
                           locus_device *device, locus_context *cx)
{
  char have[LOCUS_SHAPE_TEXT], more[LOCUS_SHAPE_TEXT];
  bool begun = false;

  shape->ndim = 0;
  for (const locus_value *value = values; value < values + count; value++) {
    const locus_tensor *tensor = value->tensor;
    if (!tensor) continue;
    if (!begun) {
      locus_shape_copy(shape, &tensor->shape);
    } else if (locus_shape_broadcast(shape, &tensor->shape)) {
      return locus_fail(cx, "'%s' of size %s does not broadcast with size %s", value->name,
                        locus_shape_text(&tensor->shape, more), locus_shape_text(shape, have));
    }
    begun = true;
  }
  return locus_shared_device(values, count, device, cx);
}

static int resolve_in_place(locus_elementwise *e, const locus_shape *shape, locus_context *cx)
{
  const locus_tensor *self = e->values[0].tensor;
  locus_kind kind = locus_dtype_kind(self->dtype);
  char made[LOCUS_SHAPE_TEXT], have[LOCUS_SHAPE_TEXT];

  if (locus_dtype_kind(e->answer) > kind) {
    return locus_fail(cx, "the result is %s, which %s cannot hold; write x:%s(...)",
                      locus_dtype_name(e->answer), locus_dtype_name(self->dtype), e->op);
  }
  if (!locus_shape_equal(shape, &self->shape)) {
    return locus_fail(cx, "the result is of size %s, but '%s' is of size %s; write x:%s(...)",
                      locus_shape_text(shape, made), e->values[0].name,
                      locus_shape_text(&self->shape, have), e->op);
  }
  if (self->kind && self->kind != e->kind) {
    return locus_fail(cx, "the result has %s, but '%s' has %s; write x:%s(...)",
                      locus_kind_text(e->kind, made), e->values[0].name,
                      locus_kind_text(self->kind, have), e->op);
  }
  e->kind = self->kind;
  if (kind == LOCUS_INTEGER && locus_dtype_kind(e->dtype) == LOCUS_INTEGER) e->dtype = self->dtype;
  e->answer = self->dtype;
  return 0;
}

static int check_holds(const locus_value *value, locus_dtype dtype, locus_context *cx)
{
  locus_element element;

  if (!value->tensor) return locus_value_store(value, dtype, &element, cx);
  return value->tensor->dtype == dtype ? 0 : locus_check_fits(value, dtype, cx);
}

int locus_elementwise_begin(locus_elementwise *e, locus_result *result, locus_tensor *out,
                            locus_context *cx)
{
  const char *name = e->in_place ? e->values[0].name : e->out ? e->out : "out";
  locus_device device;
  locus_shape shape;

  LOCUS_TRY(locus_broadcast_values(e->values, e->count, &shape, &device, cx));
  if (e->in_place) LOCUS_TRY(resolve_in_place(e, &shape, cx));
  for (int i = 0; i < e->count; i++) {
    LOCUS_TRY(locus_result_apart(out, name, &e->values[i], true, cx));
    LOCUS_TRY(check_holds(&e->values[i], e->dtype, cx));
  }
  LOCUS_TRY(locus_result_begin(result, out, name, e->answer, &shape, device, cx));
  result->kind = e->kind;
  return 0;
}

int locus_undefined(locus_dtype dtype, const char *hint, locus_context *cx)
{
  return locus_fail(cx, "not defined for %s; %s", locus_dtype_name(dtype), hint);
}
