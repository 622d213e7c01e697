/* SPDX-License-Identifier: MIT */
/* locus.cuda: the devices, and the current one. Devices are numbered from 0, as in their names. */
#include "bind/tensor/queued.h"

/* is_available(): whether tensors can be made on a CUDA device. */
static int is_available(lua_State *L)
{
  LOCUS_NO_PARAMS(boolean);
  locus_call call;

  locus_call_begin(&call, L, "cuda.is_available", params);
  lua_pushboolean(L, locus_cuda(&call.cx) != NULL);
  return 1;
}

/* why(): the sentence that says why there is no CUDA device, nil if there is one. */
static int why(lua_State *L)
{
  LOCUS_NO_PARAMS(string | nil);
  locus_call call;

  locus_call_begin(&call, L, "cuda.why", params);
  if (locus_cuda(&call.cx)) lua_pushnil(L);
  else lua_pushstring(L, call.cx.error.message);
  return 1;
}

/* device_count(): the number of devices; 0 without CUDA. */
static int device_count(lua_State *L)
{
  LOCUS_NO_PARAMS(integer);
  locus_call call;

  locus_call_begin(&call, L, "cuda.device_count", params);
  lua_pushnumber(L, locus_cuda(&call.cx) ? locus_cuda_count() : 0);
  return 1;
}

#define DEVICE_PARAMS(P) P(device, LOCUS_OPTIONAL, Device = nil)

static void set_field(lua_State *L, const char *name, double value)
{
  lua_pushnumber(L, value);
  lua_setfield(L, -2, name);
}

static void describe(locus_call *call, locus_device_info *info)
{
  const locus_backend *backend = locus_backend_of(call);

  if (backend->describe(locus_arg_cuda(call, 0), info, &call->cx))
    locus_call_error(call, "%s", call->cx.error.message);
}

/* device_info(device): a table of name, major and minor (of the compute capability), processors,
** bytes and free_bytes. */
static int device_info(lua_State *L)
{
  LOCUS_PARAMS(DEVICE_PARAMS, table<string, any>);
  locus_device_info info;
  locus_call call;

  locus_call_begin(&call, L, "cuda.device_info", params);
  describe(&call, &info);
  lua_createtable(L, 0, 6);
  lua_pushstring(L, info.name);
  lua_setfield(L, -2, "name");
  set_field(L, "major", info.major);
  set_field(L, "minor", info.minor);
  set_field(L, "processors", info.processors);
  set_field(L, "bytes", (double)info.bytes);
  set_field(L, "free_bytes", (double)info.free_bytes);
  return 1;
}

/* current_device(): the number of the device that "cuda" means. */
static int current_device(lua_State *L)
{
  LOCUS_NO_PARAMS(integer);
  locus_call call;

  locus_call_begin(&call, L, "cuda.current_device", params);
  locus_backend_of(&call);
  lua_pushnumber(L, locus_cuda_current());
  return 1;
}

/* set_device(device): the device that "cuda" means, in this thread. */
#define SET_DEVICE_PARAMS(P) P(device, LOCUS_REQUIRED, Device)
static int set_device(lua_State *L)
{
  LOCUS_PARAMS(SET_DEVICE_PARAMS, nil);
  locus_call call;

  locus_call_begin(&call, L, "cuda.set_device", params);
  locus_backend_of(&call);
  locus_cuda_set_current(locus_arg_cuda(&call, ARG_device));
  return 0;
}

/* synchronize(device): waits until the device has done all the work of its streams; raises an error
** of that work. */
static int synchronize(lua_State *L)
{
  LOCUS_PARAMS(DEVICE_PARAMS, nil);
  locus_call call;

  locus_call_begin(&call, L, "cuda.synchronize", params);
  const locus_backend *backend = locus_backend_of(&call);
  if (backend->synchronize(locus_arg_cuda(&call, 0), &call.cx))
    locus_call_error(&call, "%s", call.cx.error.message);
  return 0;
}

/* memory_stats(device): a table of live_bytes and allocated_bytes, of tensors on the device, and
** its bytes and free_bytes. */
static int memory_stats(lua_State *L)
{
  LOCUS_PARAMS(DEVICE_PARAMS, table<string, number>);
  locus_device_info info;
  locus_call call;

  locus_call_begin(&call, L, "cuda.memory_stats", params);
  describe(&call, &info);
  const locus_device device = locus_arg_cuda(&call, 0) + 1;
  lua_createtable(L, 0, 4);
  set_field(L, "live_bytes", (double)locus_device_live(device));
  set_field(L, "allocated_bytes", (double)locus_device_allocated(device));
  set_field(L, "bytes", (double)info.bytes);
  set_field(L, "free_bytes", (double)info.free_bytes);
  return 1;
}

/* empty_cache(): gives back to the system the memory of devices, and the page-locked memory, that
** is kept for later tensors. Garbage tensors are not freed yet: collectgarbage() first. */
static int empty_cache(lua_State *L)
{
  LOCUS_NO_PARAMS(nil);
  locus_call call;

  locus_call_begin(&call, L, "cuda.empty_cache", params);
  locus_backend_of(&call);
  locus_device_trim();
  return 0;
}

/* clang-format off */
const locus_entry locus_bind_cuda[] = {
    {"is_available", is_available, LOCUS_CUDA},
    {"why", why, LOCUS_CUDA},
    {"device_count", device_count, LOCUS_CUDA},
    {"device_info", device_info, LOCUS_CUDA},
    {"current_device", current_device, LOCUS_CUDA},
    {"set_device", set_device, LOCUS_CUDA},
    {"synchronize", synchronize, LOCUS_CUDA},
    {"memory_stats", memory_stats, LOCUS_CUDA},
    {"empty_cache", empty_cache, LOCUS_CUDA},
    {0},
};
/* clang-format on */
