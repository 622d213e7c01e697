/* SPDX-License-Identifier: MIT */
/* Streams of CUDA, as objects. */
#include "bind/tensor/queued.h"

#define DEVICE_PARAMS(P) P(device, LOCUS_OPTIONAL, Device = nil)

/* cuda.Stream(device): a new stream, whose work waits for no other stream's.
** Source: https://pytorch.org/docs/stable/generated/torch.cuda.Stream.html */
static int new_stream(lua_State *L)
{
  LOCUS_PARAMS(DEVICE_PARAMS, Stream);
  locus_call call;

  locus_call_begin(&call, L, "cuda.Stream", params);
  const locus_backend *backend = locus_backend_of(&call);
  const int device = locus_arg_cuda(&call, 0);
  locus_queued *h = locus_push_queued(L, locus_hook_stream);
  h->device = device;
  locus_backend_check(&call, backend->stream_new(device, &h->handle, &call.cx));
  h->ours = true;
  return 1;
}

/* cuda.current_stream(device): the stream that gets this thread's work for the device. */
static int current_stream(lua_State *L)
{
  LOCUS_PARAMS(DEVICE_PARAMS, Stream);
  locus_call call;

  locus_call_begin(&call, L, "cuda.current_stream", params);
  locus_push_current_stream(&call, locus_arg_cuda(&call, 0));
  return 1;
}

/* cuda.default_stream(device): the current one at first, which other libraries use, too. */
static int default_stream(lua_State *L)
{
  LOCUS_PARAMS(DEVICE_PARAMS, Stream);
  locus_call call;

  locus_call_begin(&call, L, "cuda.default_stream", params);
  const int device = locus_arg_cuda(&call, 0);
  locus_push_queued(L, locus_hook_stream)->device = device;
  return 1;
}

/* cuda.set_stream(stream): makes it the current one of its device, for this thread. */
#define SET_STREAM_PARAMS(P) P(stream, LOCUS_REQUIRED, Stream)
static int set_stream(lua_State *L)
{
  LOCUS_PARAMS(SET_STREAM_PARAMS, nil);
  locus_call call;

  locus_call_begin(&call, L, "cuda.set_stream", params);
  locus_set_current_stream(&call, 0);
  return 0;
}

/* -- Streams ----------------------------------------------------------------------------------- */

#define SELF_PARAMS(P) P(self, LOCUS_REQUIRED, Stream)

static int free_stream(lua_State *L)
{
  locus_queued *h = locus_test_queued(L, 1, locus_hook_stream);
  locus_context cx;

  if (h && h->ours) locus_cuda(&cx)->stream_free(h->device, h->handle);
  if (h) h->ours = false, h->handle = NULL;
  return 0;
}

/* stream:synchronize(): waits until all is done that it was given. */
static int synchronize_stream(lua_State *L)
{
  LOCUS_PARAMS(SELF_PARAMS, nil);
  locus_call call;

  locus_call_begin(&call, L, "synchronize", params);
  const locus_queued *h = locus_arg_stream(&call, 0);
  const locus_backend *backend = locus_backend_of(&call);
  locus_backend_check(&call, backend->stream_synchronize(h->device, h->handle, &call.cx));
  return 0;
}

/* stream:query(): whether all is done that it was given. */
static int query_stream(lua_State *L)
{
  LOCUS_PARAMS(SELF_PARAMS, boolean);
  locus_call call;
  bool done;

  locus_call_begin(&call, L, "query", params);
  const locus_queued *h = locus_arg_stream(&call, 0);
  const locus_backend *backend = locus_backend_of(&call);
  locus_backend_check(&call, backend->stream_done(h->device, h->handle, &done, &call.cx));
  lua_pushboolean(L, done);
  return 1;
}

/* stream:wait_event(event): later work on it waits until the event has passed. */
#define WAIT_EVENT_PARAMS(P)      \
  P(self, LOCUS_REQUIRED, Stream) \
  P(event, LOCUS_REQUIRED, Event)
static int wait_event(lua_State *L)
{
  LOCUS_PARAMS(WAIT_EVENT_PARAMS, nil);
  locus_call call;

  locus_call_begin(&call, L, "wait_event", params);
  locus_stream_wait(&call, locus_arg_stream(&call, ARG_self), locus_arg_event(&call, ARG_event));
  return 0;
}

/* stream:wait_stream(stream): later work on it waits for all the work that the other has now. */
#define WAIT_STREAM_PARAMS(P)     \
  P(self, LOCUS_REQUIRED, Stream) \
  P(stream, LOCUS_REQUIRED, Stream)
static int wait_stream(lua_State *L)
{
  LOCUS_PARAMS(WAIT_STREAM_PARAMS, nil);
  locus_call call;

  locus_call_begin(&call, L, "wait_stream", params);
  const locus_queued *self = locus_arg_stream(&call, ARG_self),
                     *other = locus_arg_stream(&call, ARG_stream);
  locus_queued *mark = locus_push_queued(L, locus_hook_event);
  locus_event_record(&call, mark, other);
  locus_stream_wait(&call, self, mark);
  return 0;
}

/* stream:record_event(event): records the event, or a new one, after the work that the stream has
** so far. Gives the event. */
#define RECORD_EVENT_PARAMS(P)    \
  P(self, LOCUS_REQUIRED, Stream) \
  P(event, LOCUS_OPTIONAL, Event = nil)
static int record_event(lua_State *L)
{
  LOCUS_PARAMS(RECORD_EVENT_PARAMS, Event);
  locus_call call;

  locus_call_begin(&call, L, "record_event", params);
  const locus_queued *stream = locus_arg_stream(&call, ARG_self);
  const bool given = locus_arg_given(&call, ARG_event);
  locus_queued *made = given ? NULL : locus_push_queued(L, locus_hook_event);
  locus_event_record(&call, given ? locus_arg_event(&call, ARG_event) : made, stream);
  if (given) lua_pushvalue(L, 2);
  return 1;
}

/* The name of a stream's or an event's device, nil for an event that was not recorded. */
static int device(lua_State *L)
{
  const locus_queued *h = locus_test_queued(L, 1, locus_hook_stream);

  if (!h) h = locus_test_queued(L, 1, locus_hook_event);
  if (!h || (locus_test_queued(L, 1, locus_hook_event) && !h->handle)) return 0;
  lua_pushstring(L, locus_device_name(h->device + 1));
  return 1;
}

/* The stream's cudaStream_t, as a light userdata. */
static int pointer(lua_State *L)
{
  const locus_queued *h = locus_test_queued(L, 1, locus_hook_stream);
  lua_pushlightuserdata(L, h ? h->handle : NULL);
  return 1;
}

static int is_same_stream(lua_State *L)
{
  const locus_queued *a = locus_test_queued(L, 1, locus_hook_stream);
  const locus_queued *b = locus_test_queued(L, 2, locus_hook_stream);
  lua_pushboolean(L, a && b && a->device == b->device && a->handle == b->handle);
  return 1;
}

const locus_entry locus_bind_stream[] = {
    {"Stream", new_stream, LOCUS_CUDA},
    {"current_stream", current_stream, LOCUS_CUDA},
    {"default_stream", default_stream, LOCUS_CUDA},
    {"set_stream", set_stream, LOCUS_CUDA},
    {"__gc", free_stream, LOCUS_STREAM},
    {"__eq", is_same_stream, LOCUS_STREAM},
    {"synchronize", synchronize_stream, LOCUS_STREAM},
    {"query", query_stream, LOCUS_STREAM},
    {"wait_event", wait_event, LOCUS_STREAM},
    {"wait_stream", wait_stream, LOCUS_STREAM},
    {"record_event", record_event, LOCUS_STREAM},
    {"cuda_stream", pointer, LOCUS_STREAM},
    {"device", device, LOCUS_STREAM | LOCUS_EVENT},
    {0},
};
