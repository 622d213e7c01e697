/* SPDX-License-Identifier: MIT */
/* The table that the core loads. */
#include "cuda/include/host/call.h"
#include "cuda/include/host/memory.h"
#include "cuda/include/host/runners.h"
#include "cuda/include/host/streams.h"

using namespace locus;

static int finish(simt_status status, locus_context *cx)
{
  return status == simt_success ? 0 : device_fail(status, cx);
}

static int count(int *devices, locus_context *cx)
{
  LOCUS_TRY(finish(device_count(devices), cx));
  return *devices > 0 ? 0 : locus_fail(cx, "there is no CUDA here: the driver sees no device");
}

static int describe(int device, locus_device_info *info, locus_context *cx)
{
  return finish(device_describe(device, info), cx);
}

/* -- Memory ------------------------------------------------------------------------------------ */

static int alloc(int device, int64_t bytes, void **block, locus_context *cx)
{
  int result = 0;
  const simt_status status = on(device, [&] {
    result = memory_take(device, bytes, block, stream_current(device), cx);
    return simt_success;
  });
  return status == simt_success ? result : device_fail(status, cx);
}

static void release(int device, void *block)
{
  on(device, [=] {
    memory_release(device, block);
    return simt_success;
  });
}

static void trim()
{
  for (int device = 0; device < LOCUS_MOST_DEVICES; device++) {
    if (!stream_used(device)) continue;
    on(device, [] {
      const simt_status status = device_wait();
      device_trim();
      return status;
    });
  }
  pinned_trim();
}

static int reaches(int device, const void *address, bool *does, locus_context *cx)
{
  return finish(on(device, [=] { return device_reaches(device, address, does); }), cx);
}

/* -- Copies ------------------------------------------------------------------------------------ */

/* Later work on the current stream of one device waits for that of another. */
static simt_status follow(int device, int other)
{
  simt_event mark = simt_event();
  simt_status status = on(other, [&] {
    const simt_status made = event_make(&mark, false);
    return made == simt_success ? event_record(mark, stream_current(other)) : made;
  });
  if (status == simt_success)
    status = on(device, [=] { return stream_follow(stream_current(device), mark); });
  if (mark) {
    on(other, [=] {
      event_drop(mark);
      return simt_success;
    });
  }
  return status;
}

static simt_status copy_peer(void *to, int to_device, const void *from, int from_device,
                             int64_t bytes)
{
  simt_status status = follow(from_device, to_device);
  if (status == simt_success) {
    status = on(from_device, [=] {
      return device_copy_peer(to, to_device, from, from_device, bytes, stream_current(from_device));
    });
  }
  return status == simt_success ? follow(to_device, from_device) : status;
}

static int transfer(void *to, int to_device, const void *from, int from_device, int64_t bytes,
                    bool wait, locus_context *cx)
{
  const int device = to_device == LOCUS_HOST ? from_device : to_device;
  const bool peers =
      to_device != LOCUS_HOST && from_device != LOCUS_HOST && to_device != from_device;
  simt_status status = simt_success;

  if (peers) status = copy_peer(to, to_device, from, from_device, bytes);
  if (status == simt_success) {
    status = on(device, [=] {
      const simt_stream stream = stream_current(device);
      simt_status copied = simt_success;
      if (!peers) copied = device_copy(to, from, bytes, stream);
      if (copied == simt_success && (wait || call_waits())) copied = stream_wait(stream);
      return copied;
    });
  }
  return finish(status, cx);
}

static int synchronize(int device, locus_context *cx)
{
  return finish(on(device, [] { return device_wait(); }), cx);
}

/* -- Streams and events ------------------------------------------------------------------------ */

static simt_stream stream_of(void *stream)
{
  return static_cast<simt_stream>(stream);
}

static simt_event event_of(void *event)
{
  return static_cast<simt_event>(event);
}

static int new_stream(int device, void **stream, locus_context *cx)
{
  return finish(on(device,
                   [=] {
                     simt_stream made = simt_stream();
                     const simt_status status = locus::stream_new(device, &made);
                     *stream = made;
                     return status;
                   }),
                cx);
}

static void free_stream(int device, void *stream)
{
  on(device, [=] {
    locus::stream_free(device, stream_of(stream));
    return simt_success;
  });
}

static void *current_stream(int device)
{
  return locus::stream_current(device);
}

static void choose_stream(int device, void *stream)
{
  locus::stream_choose(device, stream_of(stream));
}

static int is_stream_done(int device, void *stream, bool *done, locus_context *cx)
{
  return finish(on(device, [=] { return locus::stream_done(stream_of(stream), done); }), cx);
}

static int synchronize_stream(int device, void *stream, locus_context *cx)
{
  return finish(on(device, [=] { return locus::stream_wait(stream_of(stream)); }), cx);
}

static int stream_wait_event(int device, void *stream, void *event, locus_context *cx)
{
  return finish(on(device, [=] { return stream_follow(stream_of(stream), event_of(event)); }), cx);
}

static int new_event(int device, bool timed, void **event, locus_context *cx)
{
  return finish(on(device,
                   [=] {
                     simt_event made = simt_event();
                     const simt_status status = event_make(&made, timed);
                     *event = made;
                     return status;
                   }),
                cx);
}

static void free_event(int device, void *event)
{
  on(device, [=] {
    event_drop(event_of(event));
    return simt_success;
  });
}

static int record_event(int device, void *event, void *stream, locus_context *cx)
{
  return finish(on(device, [=] { return locus::event_record(event_of(event), stream_of(stream)); }),
                cx);
}

static int is_event_done(int device, void *event, bool *done, locus_context *cx)
{
  return finish(on(device, [=] { return locus::event_done(event_of(event), done); }), cx);
}

static int synchronize_event(int device, void *event, locus_context *cx)
{
  return finish(on(device, [=] { return locus::event_wait(event_of(event)); }), cx);
}

static int elapsed(int device, void *begin, void *end, double *milliseconds, locus_context *cx)
{
  float measured = 0;
  const simt_status status =
      on(device, [&] { return locus::event_elapsed(event_of(begin), event_of(end), &measured); });
  *milliseconds = measured;
  return finish(status, cx);
}

/* -- The table --------------------------------------------------------------------------------- */

static const locus_runners runners = {.name = "cuda",
#define JOB(runner, type) .runner = locus_cuda_##runner,
                                      LOCUS_JOBS(JOB)
#undef JOB
#define JOB(runner, type) .runner = nullptr,
                                          LOCUS_CPU_JOBS(JOB)
#undef JOB
};

static const locus_backend backend = {
    .version = LOCUS_BACKEND_VERSION,
    .bytes = LOCUS_BACKEND_BYTES,
    .runners = &runners,
    .count = count,
    .describe = describe,
    .alloc = alloc,
    .release = release,
    .host_alloc = pinned_take,
    .host_release = pinned_release,
    .trim = trim,
    .reaches = reaches,
    .transfer = transfer,
    .synchronize = synchronize,
    .stream_new = new_stream,
    .stream_free = free_stream,
    .stream_current = current_stream,
    .stream_choose = choose_stream,
    .stream_done = is_stream_done,
    .stream_synchronize = synchronize_stream,
    .stream_wait = stream_wait_event,
    .event_new = new_event,
    .event_free = free_event,
    .event_record = record_event,
    .event_done = is_event_done,
    .event_synchronize = synchronize_event,
    .event_elapsed = elapsed,
};

extern "C" __attribute__((visibility("default"))) const locus_backend *
locus_backend_open(bool (*must_fail)(void))
{
  memory_must_fail = must_fail;
  return &backend;
}
