/* SPDX-License-Identifier: MIT */
/* The common parts of CUDA's streams and events, and their work with each other. */
#include "bind/tensor/queued.h"

const locus_backend *locus_backend_of(locus_call *call)
{
  const locus_backend *backend = locus_cuda(&call->cx);
  if (!backend) locus_call_error(call, "%s", call->cx.error.message);
  return backend;
}

void locus_backend_check(locus_call *call, int status)
{
  if (status) locus_call_error(call, "%s", call->cx.error.message);
}

locus_queued *locus_push_queued(lua_State *L, const char *key)
{
  locus_queued *h = lua_newuserdata(L, sizeof *h);

  *h = (locus_queued){.key = key};
  lua_getfield(L, LUA_REGISTRYINDEX, key);
  lua_setmetatable(L, -2);
  return h;
}

locus_queued *locus_test_queued(lua_State *L, int index, const char *key)
{
  locus_queued *h = lua_touserdata(L, index);
  return h && lua_objlen(L, index) == sizeof *h && h->key == key ? h : NULL;
}

locus_queued *locus_arg_stream(locus_call *call, int i)
{
  locus_queued *h = locus_test_queued(call->L, i + 1, locus_hook_stream);
  if (!h) locus_arg_expected(call, i, "a stream, as cuda.Stream() makes");
  return h;
}

locus_queued *locus_arg_event(locus_call *call, int i)
{
  locus_queued *h = locus_test_queued(call->L, i + 1, locus_hook_event);
  if (!h) locus_arg_expected(call, i, "an event, as cuda.Event() makes");
  return h;
}

void locus_stream_wait(locus_call *call, const locus_queued *stream, const locus_queued *event)
{
  const locus_backend *backend = locus_backend_of(call);

  if (!event->handle) return;
  locus_backend_check(
      call, backend->stream_wait(stream->device, stream->handle, event->handle, &call->cx));
}

void locus_event_record(locus_call *call, locus_queued *event, const locus_queued *stream)
{
  const locus_backend *backend = locus_backend_of(call);

  if (!event->handle) {
    locus_backend_check(
        call, backend->event_new(stream->device, event->timed, &event->handle, &call->cx));
    event->device = stream->device;
    event->ours = true;
  } else if (event->device != stream->device) {
    locus_call_error(call, "'stream' is on cuda:%d, but the event was recorded on cuda:%d",
                     stream->device, event->device);
  }
  locus_backend_check(
      call, backend->event_record(event->device, event->handle, stream->handle, &call->cx));
}

/* -- The current stream ------------------------------------------------------------------------ */

static const char CHOSEN[] = "locus.streams"; /* by device, the last stream of set_stream */

/* Pushes the table of streams that were chosen. */
static void push_chosen(lua_State *L)
{
  lua_getfield(L, LUA_REGISTRYINDEX, CHOSEN);
  if (!lua_isnil(L, -1)) return;
  lua_pop(L, 1);
  lua_newtable(L);
  lua_pushvalue(L, -1);
  lua_setfield(L, LUA_REGISTRYINDEX, CHOSEN);
}

locus_queued *locus_push_current_stream(locus_call *call, int device)
{
  lua_State *L = call->L;
  void *current = locus_backend_of(call)->stream_current(device);

  push_chosen(L);
  lua_rawgeti(L, -1, device + 1);
  lua_remove(L, -2);
  locus_queued *chosen = locus_test_queued(L, -1, locus_hook_stream);
  if (chosen && chosen->handle == current) return chosen;
  lua_pop(L, 1);
  locus_queued *h = locus_push_queued(L, locus_hook_stream);
  h->device = device;
  h->handle = current;
  return h;
}

void locus_set_current_stream(locus_call *call, int i)
{
  lua_State *L = call->L;
  const locus_queued *h = locus_arg_stream(call, i);

  push_chosen(L);
  lua_pushvalue(L, i + 1);
  lua_rawseti(L, -2, h->device + 1);
  locus_backend_of(call)->stream_choose(h->device, h->handle);
}
