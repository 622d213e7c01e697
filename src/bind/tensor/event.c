/* SPDX-License-Identifier: MIT */
/* Events of CUDA, as objects. */
#include "bind/tensor/queued.h"

/* cuda.Event({enable_timing=false}): a mark to be recorded in a stream's work.
** Source: https://pytorch.org/docs/stable/generated/torch.cuda.Event.html */
#define NEW_EVENT_PARAMS(P) P(enable_timing, LOCUS_OPTIONAL, boolean = false)
static int new_event(lua_State *L)
{
  LOCUS_PARAMS(NEW_EVENT_PARAMS, Event);
  locus_call call;

  locus_call_begin(&call, L, "cuda.Event", params);
  locus_backend_of(&call);
  const bool timed = locus_arg_bool(&call, ARG_enable_timing, false);
  locus_push_queued(L, locus_hook_event)->timed = timed;
  return 1;
}

static int free_event(lua_State *L)
{
  locus_queued *h = locus_test_queued(L, 1, locus_hook_event);
  locus_context cx;

  if (h && h->ours) locus_cuda(&cx)->event_free(h->device, h->handle);
  if (h) h->ours = false, h->handle = NULL;
  return 0;
}

#define SELF_PARAMS(P) P(self, LOCUS_REQUIRED, Event)
#define STREAM_PARAMS(P) P(self, LOCUS_REQUIRED, Event) P(stream, LOCUS_OPTIONAL, Stream = nil)

/* The given stream, else the current one of a device: of the event's, or, if that was not recorded,
** of the current device. */
static const locus_queued *stream_or_current(locus_call *call, const locus_queued *event)
{
  if (locus_arg_given(call, 1)) return locus_arg_stream(call, 1);
  return locus_push_current_stream(call, event->handle ? event->device : locus_cuda_current());
}

/* event:record(stream): records the event after the work that the stream (default: the current one)
** has so far. Gives the event. */
static int record_self(lua_State *L)
{
  LOCUS_PARAMS(STREAM_PARAMS, Event);
  locus_call call;

  locus_call_begin(&call, L, "record", params);
  locus_queued *event = locus_arg_event(&call, 0);
  locus_event_record(&call, event, stream_or_current(&call, event));
  lua_pushvalue(L, 1);
  return 1;
}

/* event:wait(stream): stream:wait_event(event), for the current stream where none is given. */
static int let_stream_wait(lua_State *L)
{
  LOCUS_PARAMS(STREAM_PARAMS, nil);
  locus_call call;

  locus_call_begin(&call, L, "wait", params);
  const locus_queued *event = locus_arg_event(&call, 0);
  locus_stream_wait(&call, stream_or_current(&call, event), event);
  return 0;
}

/* event:query(): whether it has passed; true when it was not recorded. */
static int query_event(lua_State *L)
{
  LOCUS_PARAMS(SELF_PARAMS, boolean);
  locus_call call;
  bool done = true;

  locus_call_begin(&call, L, "query", params);
  const locus_queued *h = locus_arg_event(&call, 0);
  const locus_backend *backend = locus_backend_of(&call);
  if (h->handle)
    locus_backend_check(&call, backend->event_done(h->device, h->handle, &done, &call.cx));
  lua_pushboolean(L, done);
  return 1;
}

static void wait_for(locus_call *call, const locus_queued *event)
{
  const locus_backend *backend = locus_backend_of(call);

  if (!event->handle) return;
  locus_backend_check(call, backend->event_synchronize(event->device, event->handle, &call->cx));
}

/* event:synchronize(): waits until it has passed. */
static int synchronize_event(lua_State *L)
{
  LOCUS_PARAMS(SELF_PARAMS, nil);
  locus_call call;

  locus_call_begin(&call, L, "synchronize", params);
  wait_for(&call, locus_arg_event(&call, 0));
  return 0;
}

/* event:elapsed_time(end_event): the milliseconds from this one's passing to the other's. Waits for
** both. Errors: one was not recorded, or made without enable_timing. */
#define ELAPSED_TIME_PARAMS(P)   \
  P(self, LOCUS_REQUIRED, Event) \
  P(end_event, LOCUS_REQUIRED, Event)
static int elapsed_time(lua_State *L)
{
  LOCUS_PARAMS(ELAPSED_TIME_PARAMS, number);
  locus_call call;
  double milliseconds;

  locus_call_begin(&call, L, "elapsed_time", params);
  const locus_queued *begin = locus_arg_event(&call, ARG_self),
                     *end = locus_arg_event(&call, ARG_end_event);
  for (int i = 0; i < 2; i++) {
    const locus_queued *h = i == 0 ? begin : end;
    const char *name = params[i].name;
    if (!h->timed) locus_call_error(&call, "'%s' was made without enable_timing", name);
    if (!h->handle) locus_call_error(&call, "'%s' was not recorded", name);
    wait_for(&call, h);
  }
  if (begin->device != end->device) {
    locus_call_error(&call, "'end_event' was recorded on cuda:%d, but 'self' on cuda:%d",
                     end->device, begin->device);
  }
  const locus_backend *backend = locus_backend_of(&call);
  locus_backend_check(&call, backend->event_elapsed(begin->device, begin->handle, end->handle,
                                                    &milliseconds, &call.cx));
  lua_pushnumber(L, milliseconds);
  return 1;
}

const locus_entry locus_bind_event[] = {
    {"Event", new_event, LOCUS_CUDA},
    {"__gc", free_event, LOCUS_EVENT},
    {"record", record_self, LOCUS_EVENT},
    {"wait", let_stream_wait, LOCUS_EVENT},
    {"query", query_event, LOCUS_EVENT},
    {"synchronize", synchronize_event, LOCUS_EVENT},
    {"elapsed_time", elapsed_time, LOCUS_EVENT},
    {0},
};
