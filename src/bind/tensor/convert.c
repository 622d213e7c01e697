/* SPDX-License-Identifier: MIT */
/* Converting between dtypes and devices, and writing over a tensor: to, float and its like, copy_,
** fill_, zero_, pin_memory. */
#include <string.h>

#include "bind/bind.h"

/* The tensor on top of the stack, replaced by a view of plain numbers if it has a kind. */
static void drop_kind(lua_State *L)
{
  const int top = lua_gettop(L);
  const locus_tensor *tensor = locus_test_tensor(L, top);

  if (!tensor->kind) return;
  locus_tensor *view = locus_push_view(L, top);
  locus_tensor_alias(view, tensor);
  locus_tensor_set_kind(view, LOCUS_KIND_none);
  locus_guard_shared(view);
  lua_replace(L, top);
}

/* The tensor at index 1 itself when it is right already, else a converted copy. The name of a dtype
** means plain numbers. */
static int convert(locus_call *call, locus_dtype dtype, locus_device device, bool wait)
{
  lua_State *L = call->L;
  locus_value input;
  int status;

  locus_arg_tensor_value(call, 0, LOCUS_DTYPES, &input);
  const bool plain = dtype != LOCUS_DTYPES;
  if (dtype == LOCUS_DTYPES) dtype = input.tensor->dtype;
  if (input.tensor->dtype == dtype && locus_tensor_device(input.tensor) == device) {
    lua_pushvalue(L, 1);
    if (plain) drop_kind(L);
    return 1;
  }
  locus_tensor *out = locus_push_tensor(L);
  do status = (wait ? locus_move_to : locus_move_unwaited)(&input, dtype, device, out, &call->cx);
  while (locus_call_again(call, status));
  if (plain) locus_tensor_set_kind(out, LOCUS_KIND_none);
  return 1;
}

static locus_device home_of(locus_call *call)
{
  return locus_tensor_device(locus_arg_tensor(call, 0));
}

#define TO_PARAMS(P)                                    \
  P(input, LOCUS_REQUIRED, Tensor)                      \
  P(target, LOCUS_OPTIONAL | LOCUS_TABLE, ToWhat = nil) \
  P(dtype, LOCUS_OPTIONAL, Dtype = nil)                 \
  P(device, LOCUS_NAMED, string = nil)                  \
  P(non_blocking, LOCUS_NAMED, boolean = false)
LOCUS_FILE_PLACES(TO_PARAMS);

/* The target names a dtype or a device; a tensor names both. */
static void read_target(locus_call *call, locus_dtype *dtype, locus_device *device)
{
  lua_State *L = call->L;

  if (call->tensors[AT_target]) {
    const locus_tensor *like = locus_arg_tensor(call, AT_target);
    *dtype = like->dtype;
    *device = locus_tensor_device(like);
    return;
  }
  if (lua_type(L, AT_target + 1) != LUA_TSTRING)
    locus_arg_expected(call, AT_target, "a dtype, a device or a tensor");
  const char *name = lua_tostring(L, AT_target + 1);
  if (locus_dtype_find(name, dtype)) return;
  if (strncmp(name, "cpu", 3) != 0 && strncmp(name, "cuda", 4) != 0)
    locus_unknown_dtype(call, AT_target, "a dtype or a device");
  *device = locus_arg_device(call, AT_target, *device);
}

/* to(input, target, dtype, {dtype=, device=, non_blocking=false}): input as that dtype, on that
** device; target is a dtype, a device, or a tensor to be like. Gives input itself if it is so
** already. Floats are truncated to integers. With non_blocking, a copy from page-locked memory to a
** device, or from a device to the CPU, may continue after the call. A result on the CPU is
** page-locked, and must not be read before the stream is waited for. Errors: an element that the
** dtype cannot hold, with its position.
** Source: https://pytorch.org/docs/stable/generated/torch.Tensor.to.html */
static int to(lua_State *L)
{
  LOCUS_PARAMS(TO_PARAMS, Tensor);
  locus_call call;
  locus_dtype dtype = LOCUS_DTYPES;

  locus_call_begin(&call, L, "to", params);
  locus_device device = home_of(&call);
  if (locus_arg_given(&call, AT_target)) read_target(&call, &dtype, &device);
  if (dtype != LOCUS_DTYPES && locus_arg_given(&call, AT_dtype)) {
    if (lua_type(L, AT_dtype + 1) == LUA_TSTRING) locus_arg_dtype(&call, AT_dtype, dtype);
    locus_call_error(&call, "'dtype' is given twice");
  }
  device = locus_arg_device(&call, AT_device, device);
  const bool wait = !locus_arg_bool(&call, AT_non_blocking, false);
  return convert(&call, locus_arg_dtype(&call, AT_dtype, dtype), device, wait);
}

#define SELF_PARAMS(P) P(input, LOCUS_REQUIRED, Tensor)
static const locus_param self_params[] = {SELF_PARAMS(LOCUS_PARAM) LOCUS_RESULTS(Tensor)};

/* float(input) and the like: to(input, dtype). */
#define REAL(id, rank, key, method, constructor)             \
  static int to_##id(lua_State *L)                           \
  {                                                          \
    locus_call call;                                         \
    locus_call_begin(&call, L, method, self_params);         \
    return convert(&call, LOCUS_##id, home_of(&call), true); \
  }
#include "core/dtype.def"

/* cpu(input): to(input, "cpu"). */
static int to_cpu(lua_State *L)
{
  locus_call call;

  locus_call_begin(&call, L, "cpu", self_params);
  return convert(&call, LOCUS_DTYPES, LOCUS_CPU, true);
}

/* cuda(input, device, non_blocking=false): to(input, "cuda"), or the CUDA device of that number,
** from 0, or name. */
#define TO_CUDA_PARAMS(P)                 \
  P(input, LOCUS_REQUIRED, Tensor)        \
  P(device, LOCUS_OPTIONAL, Device = nil) \
  P(non_blocking, LOCUS_OPTIONAL, boolean = false)
static int to_cuda(lua_State *L)
{
  LOCUS_PARAMS(TO_CUDA_PARAMS, Tensor);
  locus_call call;

  locus_call_begin(&call, L, "cuda", params);
  const locus_device device = locus_arg_cuda(&call, ARG_device) + 1;
  return convert(&call, LOCUS_DTYPES, device, !locus_arg_bool(&call, ARG_non_blocking, false));
}

/* pin_memory(input): input, on the CPU, in page-locked memory, which is copied to and from a device
** beside other work; input itself if it lies there. Needs CUDA.
** Source: https://pytorch.org/docs/stable/generated/torch.Tensor.pin_memory.html */
static int pin_memory(lua_State *L)
{
  locus_call call;
  int status;

  locus_call_begin(&call, L, "pin_memory", self_params);
  const locus_tensor *input = locus_arg_tensor(&call, 0);
  if (input->storage->pinned) {
    lua_pushvalue(L, 1);
    return 1;
  }
  locus_tensor *out = locus_push_tensor(L);
  do status = locus_pin(input, out, &call.cx);
  while (locus_call_again(&call, status));
  return 1;
}

static int copy_over(locus_call *call, const locus_value *source, bool wait)
{
  int status;

  if (!call->tensors[0]) locus_arg_expected(call, 0, "a tensor"); /* a table would be lost */
  const locus_tensor *input = locus_arg_tensor(call, 0);
  do status = (wait ? locus_copy : locus_copy_unwaited)(input, source, &call->cx);
  while (locus_call_again(call, status));
  lua_pushvalue(call->L, 1);
  return 1;
}

/* copy_(input, source, non_blocking=false): writes source (a tensor, broadcast and converted; a
** table, read as input's dtype; or a scalar) over input and gives input. With non_blocking, a copy
** between page-locked memory and a device may continue after the call. Errors: an element that its
** dtype cannot hold; nothing is written then. */
#define COPY__PARAMS(P)            \
  P(input, LOCUS_REQUIRED, Tensor) \
  P(source, LOCUS_REQUIRED, Data)  \
  P(non_blocking, LOCUS_OPTIONAL, boolean = false)
static int copy_(lua_State *L)
{
  LOCUS_PARAMS(COPY__PARAMS, Tensor);
  locus_call call;
  locus_value source;

  locus_call_begin(&call, L, "copy_", params);
  locus_dtype dtype = locus_arg_tensor(&call, ARG_input)->dtype;
  if (lua_type(L, 2) == LUA_TTABLE) locus_arg_tensor_as(&call, ARG_source, dtype);
  locus_arg_value(&call, ARG_source, &source);
  return copy_over(&call, &source, !locus_arg_bool(&call, ARG_non_blocking, false));
}

/* fill_(input, value): every element becomes the scalar or 0-d tensor; gives input. */
#define FILL__PARAMS(P)            \
  P(input, LOCUS_REQUIRED, Tensor) \
  P(value, LOCUS_REQUIRED, Data)
static int fill_(lua_State *L)
{
  LOCUS_PARAMS(FILL__PARAMS, Tensor);
  locus_call call;
  locus_value value;

  locus_call_begin(&call, L, "fill_", params);
  locus_arg_value(&call, ARG_value, &value);
  if (locus_value_shape(&value)->ndim > 0)
    locus_arg_expected(&call, ARG_value, "a number, a boolean, a cdata or a 0-d tensor");
  return copy_over(&call, &value, true);
}

/* zero_(input): every element becomes 0; gives input. */
static int zero_(lua_State *L)
{
  static const locus_value zero = {.name = "0", .scalar = LOCUS_SCALAR_INT64};
  locus_call call;

  locus_call_begin(&call, L, "zero_", self_params);
  return copy_over(&call, &zero, true);
}

const locus_entry locus_bind_convert[] = {
    {"to", to, LOCUS_METHOD},
#define REAL(id, rank, key, method, constructor) {method, to_##id, LOCUS_METHOD},
#include "core/dtype.def"
    {"cpu", to_cpu, LOCUS_METHOD},
    {"cuda", to_cuda, LOCUS_METHOD},
    {"pin_memory", pin_memory, LOCUS_METHOD},
    {"copy_", copy_, LOCUS_METHOD},
    {"fill_", fill_, LOCUS_METHOD},
    {"zero_", zero_, LOCUS_METHOD},
    {NULL, NULL, 0},
};
