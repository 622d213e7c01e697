/* SPDX-License-Identifier: MIT */
/* Memory shared with others: data, from_ptr, from_string. C can neither make a pointer cdata nor
** tell its target; hooks do. */
#include <inttypes.h>
#include <string.h>

#include "bind/bind.h"

/* Pushes a hook that only LuaJIT has. */
static void push_hook(locus_call *call, const char *key)
{
  lua_getfield(call->L, LUA_REGISTRYINDEX, key);
  if (lua_isnil(call->L, -1)) locus_call_error(call, "needs LuaJIT, whose FFI knows pointers");
}

/* data(input): an FFI pointer to the first element, typed by the dtype (float *, int64_t *, ...;
** uint8_t * for bool, uint16_t * for both halves), to const for a read-only tensor. Offsets from it
** are 0-based and the strides are the caller's business. The cdata keeps the tensor alive; a
** pointer computed from it does not. */
#define DATA_PARAMS(P) P(input, LOCUS_REQUIRED, Tensor)
static int data(lua_State *L)
{
  LOCUS_PARAMS(DATA_PARAMS, ffi.cdata *);
  locus_call call;

  locus_call_begin(&call, L, "data", params);
  const locus_tensor *tensor = locus_arg_tensor(&call, ARG_input);
  push_hook(&call, locus_hook_point);
  locus_tensor *view = locus_push_view(L, 1); /* stays when the tensor becomes an `out` */
  locus_tensor_alias(view, tensor);
  locus_give_tensor(view, NULL); /* the memory that the cdata keeps is not freed elsewhere */
  lua_pushlightuserdata(L, view->data);
  lua_insert(L, -2);
  lua_pushstring(L, locus_dtype_name(view->dtype));
  lua_insert(L, -2);
  lua_pushboolean(L, view->storage->readonly);
  lua_call(L, 4, 1);
  return 1;
}

/* clang-format off */
#define FROM_PTR_PARAMS(P)               \
  P(pointer, LOCUS_REQUIRED, ffi.cdata*) \
  P(sizes, LOCUS_SIZES, Dims)            \
  P(dtype, LOCUS_NAMED, Dtype = nil)     \
  P(keep, LOCUS_NAMED, any = nil)        \
  P(device, LOCUS_NAMED, string = "cpu")
/* clang-format on */
LOCUS_FILE_PLACES(FROM_PTR_PARAMS);

/* The target of the cdata, its dtype, the bytes of an array, else -1, and whether the target is
** const. */
static char *read_pointer(locus_call *call, locus_dtype *dtype, double *bytes, bool *readonly)
{
  lua_State *L = call->L;
  char *address;

  push_hook(call, locus_hook_pointer);
  lua_pushvalue(L, AT_pointer + 1);
  lua_pushvalue(L, AT_dtype + 1);
  lua_call(L, 2, 5); /* a void * cdata, the dtype's name, the error, bytes, const */
  if (lua_isstring(L, -3)) locus_call_error(call, "%s", lua_tostring(L, -3));
  if (lua_isnil(L, -5)) locus_arg_expected(call, AT_pointer, "a pointer or an array");
  memcpy(&address, lua_topointer(L, -5), sizeof address);
  locus_dtype_find(lua_tostring(L, -4), dtype);
  *bytes = lua_isnumber(L, -2) ? lua_tonumber(L, -2) : -1;
  *readonly = lua_toboolean(L, -1);
  lua_pop(L, 5);
  return address;
}

/* The kernels move elements in words of up to 8 bytes. */
static void check_address(locus_call *call, const char *address, locus_dtype dtype, int64_t numel)
{
  uintptr_t aligned = (uintptr_t)locus_dtype_size(dtype);

  if (aligned > 8) aligned = 8;
  if (numel > 0 && !address)
    locus_call_error(call, "'pointer' is NULL, but there are %lld elements", (long long)numel);
  if ((uintptr_t)address % aligned != 0) {
    locus_call_error(call, "'pointer' must be aligned to %d bytes for dtype %s, got %p",
                     (int)aligned, locus_dtype_name(dtype), (const void *)address);
  }
}

/* A kernel that reads memory which its device cannot ends all work of the process on that
** device. */
static void check_reach(locus_call *call, const char *address, locus_device device)
{
  bool reaches;

  if (locus_cuda(&call->cx)->reaches(device - 1, address, &reaches, &call->cx))
    locus_call_error(call, "%s", call->cx.error.message);
  if (!reaches) {
    locus_call_error(call, "'pointer' is %p, where there is no memory of %s", (const void *)address,
                     locus_device_name(device));
  }
}

/* Anchors the owner, and the pointer itself, in the environment of the tensor on top. */
static void anchor(lua_State *L)
{
  lua_createtable(L, 2, 0);
  lua_pushvalue(L, AT_pointer + 1);
  lua_rawseti(L, -2, 1);
  lua_pushvalue(L, AT_keep + 1);
  lua_rawseti(L, -2, 2);
  lua_setfenv(L, -2);
}

/* from_ptr(pointer, sizes..., {dtype=, keep=, device="cpu"}): a tensor in C order on the memory
** behind a pointer or array cdata, which it shares. The dtype comes from the element type where
** that says it; void and bytes can be any, uint16_t either half. Pointers to const make read-only
** tensors. The cdata, and the owner in `keep`, live as long as the tensor and its views. Errors:
** NULL with elements; an address that is not aligned, or that the device does not reach; more than
** an array holds. */
static int from_ptr(lua_State *L)
{
  LOCUS_PARAMS(FROM_PTR_PARAMS, Tensor);
  locus_call call;
  locus_dtype dtype;
  locus_shape shape;
  char text[LOCUS_SHAPE_TEXT];
  int64_t numel;
  double bytes;
  int status;
  bool readonly;

  locus_call_begin(&call, L, "from_ptr", params);
  locus_arg_shape(&call, AT_sizes, &shape, false);
  locus_arg_dtype(&call, AT_dtype, LOCUS_DTYPES);
  char *address = read_pointer(&call, &dtype, &bytes, &readonly);
  if (locus_shape_numel(&shape, dtype, &numel, &call.cx))
    locus_call_error(&call, "%s", call.cx.error.message);
  if (bytes >= 0 && (double)numel * (double)locus_dtype_size(dtype) > bytes) {
    locus_call_error(&call, "'sizes' %s need more than the %" PRId64 " bytes of the array",
                     locus_shape_text(&shape, text), (int64_t)bytes);
  }
  const locus_device device = locus_arg_device(&call, AT_device, LOCUS_CPU);
  check_address(&call, address, dtype, numel);
  if (device != LOCUS_CPU && numel > 0) check_reach(&call, address, device);
  const locus_loan loan = {.device = device, .data = address, .readonly = readonly};
  locus_tensor *out = locus_push_tensor(L);
  anchor(L);
  do status = locus_tensor_wrap(out, dtype, &shape, &loan, &call.cx);
  while (locus_call_again(&call, status));
  return 1;
}

/* from_string(bytes, dtype): a new 1-D tensor of the elements that lie in a string, in the
** machine's byte order. Errors: a length that is no multiple of the element's size. */
#define FROM_STRING_PARAMS(P)      \
  P(bytes, LOCUS_REQUIRED, string) \
  P(dtype, LOCUS_REQUIRED, Dtype)
static int from_string(lua_State *L)
{
  LOCUS_PARAMS(FROM_STRING_PARAMS, Tensor);
  locus_call call;
  int status;

  locus_call_begin(&call, L, "from_string", params);
  if (lua_type(L, ARG_bytes + 1) != LUA_TSTRING) locus_arg_expected(&call, ARG_bytes, "a string");
  const char *bytes = lua_tostring(L, ARG_bytes + 1);
  locus_dtype dtype = locus_arg_dtype(&call, ARG_dtype, LOCUS_DTYPES);
  size_t length = lua_objlen(L, ARG_bytes + 1), item = (size_t)locus_dtype_size(dtype);
  if (length % item != 0) {
    locus_call_error(&call, "'bytes' must be a multiple of %d long for dtype %s, got %lld",
                     (int)item, locus_dtype_name(dtype), (long long)length);
  }
  locus_shape shape = {.ndim = 1, .size = {(int64_t)(length / item)}};
  locus_tensor *out = locus_push_tensor(L);
  do status = locus_tensor_new(out, dtype, &shape, call.cx.home, &call.cx);
  while (locus_call_again(&call, status));
  do
    status = locus_device_transfer(call.cx.home, out->data, LOCUS_CPU, bytes, (int64_t)length, true,
                                   &call.cx);
  while (locus_call_again(&call, status));
  return 1;
}

const locus_entry locus_bind_foreign[] = {
    {"data", data, LOCUS_METHOD},
    {"from_ptr", from_ptr, LOCUS_FUNCTION},
    {"from_string", from_string, LOCUS_FUNCTION},
    {NULL, NULL, 0},
};
