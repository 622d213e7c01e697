/* SPDX-License-Identifier: MIT */
/* CUDA's streams (stream.c) and events (event.c) as userdata, and their work with each other.
** lua/locus/stream.lua makes their metatables. */
#ifndef LOCUS_BIND_QUEUED_H
#define LOCUS_BIND_QUEUED_H

#include "bind/bind.h"

typedef struct locus_queued {
  const char *key; /* of its hook; the address tells streams, events and others' userdata apart */
  int device;      /* an event has one when it was recorded */
  void *handle;    /* NULL: the default stream; an event that was not recorded */
  bool ours;       /* to free */
  bool timed;
} locus_queued;

/* The backend; raises why there is none. */
const locus_backend *locus_backend_of(locus_call *call);
/* Raises the backend's error, unless the status is 0. */
void locus_backend_check(locus_call *call, int status);

locus_queued *locus_push_queued(lua_State *L, const char *key);
/* NULL when something else is at that index. */
locus_queued *locus_test_queued(lua_State *L, int index, const char *key);
locus_queued *locus_arg_stream(locus_call *call, int i);
locus_queued *locus_arg_event(locus_call *call, int i);

/* Pushes the current stream of a device. */
locus_queued *locus_push_current_stream(locus_call *call, int device);
/* Makes the stream in argument i the current one of its device, for this thread. */
void locus_set_current_stream(locus_call *call, int i);

/* Later work of the stream begins when the event has passed. */
void locus_stream_wait(locus_call *call, const locus_queued *stream, const locus_queued *event);
/* Records the event after the work that the stream has so far. */
void locus_event_record(locus_call *call, locus_queued *event, const locus_queued *stream);

#endif
