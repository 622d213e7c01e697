/* SPDX-License-Identifier: MIT */
/* Streams and events of the emulated devices, and copies, which go on streams. */
#include "cuda/emu/streams.h"

#include <chrono>
#include <cstring>
#include <deque>
#include <memory>

#include "cuda/emu/addresses.h"

static const size_t MOST_WAITING = 64;

namespace simt
{

/* Work of one device, and of a second one when it copies between them. Only work that a caller gave
** may fail, not our own bookkeeping. */
struct item {
  int other;
  bool may_fail;
  std::function<void()> what;
};

struct stream {
  int device;
  std::deque<item> items;
};

/* One recording of an event: where it waits, whether it has passed, and when. */
struct passing {
  stream *where;
  bool done;
  std::chrono::steady_clock::time_point time;
};

struct event {
  int device;
  std::shared_ptr<passing> last; /* none before it is recorded */
};

} // namespace simt

using namespace simt;

static int64_t waits;         /* times that a host thread waited */
static cudaError_t fail_next; /* of an item of work that may fail */
static int fail_at;           /* its number, the next being 1 */

static stream *const defaults = new stream[DEVICES]{{0, {}}, {1, {}}};
static std::vector<stream *> &streams = *new std::vector<stream *>;

/* For the specs: how often a host thread waited; and makes the next work fail, or the k-th from now
** on, wherever it is. The latter gives whether what failed last has been reached. */
extern "C" __attribute__((visibility("default"))) int64_t locus_emulator_waits(void)
{
  return waits;
}

extern "C" __attribute__((visibility("default"))) void locus_emulator_fail_next(int error)
{
  fail_next = static_cast<cudaError_t>(error);
  fail_at = 1;
}

extern "C" __attribute__((visibility("default"))) int locus_emulator_fail_at(int error, int k)
{
  const bool reached = fail_next == cudaSuccess;

  fail_next = static_cast<cudaError_t>(error);
  fail_at = k;
  return reached;
}

/* -- Work -------------------------------------------------------------------------------------- */

static stream *queue_of(stream *where)
{
  return where ? where : &defaults[current];
}

static void run_first(stream *where)
{
  const item first = std::move(where->items.front());

  where->items.pop_front();
  if (fail_next != cudaSuccess && first.may_fail && --fail_at == 0) {
    devices[where->device].failed = fail_next;
    fail_next = cudaSuccess;
  }
  if (first.may_fail && devices[where->device].failed != cudaSuccess) return; // lost
  open_memory(where->device);
  open_memory(first.other);
  first.what();
  close_memory(first.other);
  close_memory(where->device);
}

static void drain(stream *where, size_t left = 0)
{
  if (where->items.size() <= left) return;
  open_memory(where->device); /* once for all */
  while (where->items.size() > left) run_first(where);
  close_memory(where->device);
}

void simt::drain_device(int device)
{
  drain(&defaults[device]);
  for (stream *s : streams)
    if (s->device == device) drain(s);
}

static cudaError_t status_of(int device)
{
  const cudaError_t status = touch();
  return status == cudaSuccess ? say(devices[device].failed) : status;
}

static cudaError_t queue(stream *where, int other, bool may_fail, std::function<void()> what)
{
  const guard held(lock);
  const cudaError_t status = touch();
  stream *to = queue_of(where);

  if (status != cudaSuccess) return status;
  to->items.push_back({other, may_fail, std::move(what)});
  drain(to, MOST_WAITING);
  return status_of(to->device);
}

cudaError_t simt::give(stream *where, std::function<void()> what)
{
  if (queue_of(where)->device != current) return say(cudaErrorInvalidResourceHandle);
  return queue(where, HOST, true, std::move(what));
}

cudaError_t simt::keep_books(stream *where, std::function<void()> what)
{
  return queue(where, HOST, false, std::move(what));
}

cudaError_t cudaDeviceSynchronize()
{
  const guard held(lock);
  waits++;
  drain_device(current);
  return status_of(current);
}

/* -- Copies ------------------------------------------------------------------------------------ */

/* Host memory that is not page-locked is read at once, and a write to it is waited for. */
cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes, cudaMemcpyKind,
                            cudaStream_t stream)
{
  const guard held(lock);

  if (place_of(from) == HOST && !is_pinned(from)) {
    const char *begin = static_cast<const char *>(from);
    const std::vector<char> staged(begin, begin + bytes);
    return queue(stream, HOST, true, [=] { memcpy(to, staged.data(), bytes); });
  }
  const cudaError_t status = queue(stream, HOST, true, [=] { memcpy(to, from, bytes); });
  if (place_of(to) != HOST || is_pinned(to)) return status;
  drain(queue_of(stream));
  return status_of(queue_of(stream)->device);
}

cudaError_t cudaMemcpyPeerAsync(void *to, int to_device, const void *from, int, size_t bytes,
                                cudaStream_t stream)
{
  return queue(stream, to_device, true, [=] { memcpy(to, from, bytes); });
}

/* -- Streams ----------------------------------------------------------------------------------- */

cudaError_t cudaStreamCreateWithFlags(cudaStream_t *made, unsigned)
{
  const guard held(lock);
  *made = new stream{current, {}};
  streams.push_back(*made);
  return status_of(current);
}

cudaError_t cudaStreamDestroy(cudaStream_t stream)
{
  const guard held(lock);
  const int device = stream->device;

  drain(stream);
  for (size_t i = 0; i < streams.size(); i++)
    if (streams[i] == stream) streams.erase(streams.begin() + (long)i--);
  delete stream;
  return status_of(device);
}

/* Asking for work that is not done gets one piece of it done. The answer is the last error then, as
** on a GPU. */
static cudaError_t not_ready(stream *where)
{
  run_first(where);
  const cudaError_t status = status_of(where->device);
  return status == cudaSuccess ? say(cudaErrorNotReady) : status;
}

cudaError_t cudaStreamQuery(cudaStream_t stream)
{
  const guard held(lock);
  simt::stream *where = queue_of(stream);

  return where->items.empty() ? status_of(where->device) : not_ready(where);
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream)
{
  const guard held(lock);
  simt::stream *where = queue_of(stream);

  waits++;
  drain(where);
  return status_of(where->device);
}

static void wait_for(const std::shared_ptr<passing> &mark)
{
  while (mark && !mark->done) run_first(mark->where);
}

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned)
{
  return keep_books(stream, [mark = event->last] { wait_for(mark); });
}

/* -- Events ------------------------------------------------------------------------------------ */

cudaError_t cudaEventCreateWithFlags(cudaEvent_t *made, unsigned)
{
  *made = new event{current, nullptr};
  return status_of(current);
}

cudaError_t cudaEventDestroy(cudaEvent_t event)
{
  delete event;
  return status_of(current);
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream)
{
  const std::shared_ptr<passing> mark(new passing{queue_of(stream), false, {}});

  if (mark->where->device != event->device) return say(cudaErrorInvalidResourceHandle);
  event->last = mark;
  return keep_books(stream, [=] {
    mark->time = std::chrono::steady_clock::now();
    mark->done = true;
  });
}

cudaError_t cudaEventQuery(cudaEvent_t event)
{
  const guard held(lock);
  const std::shared_ptr<passing> mark = event->last;

  return !mark || mark->done ? status_of(current) : not_ready(mark->where);
}

cudaError_t cudaEventSynchronize(cudaEvent_t event)
{
  const guard held(lock);

  waits++;
  wait_for(event->last);
  return status_of(current);
}

cudaError_t cudaEventElapsedTime(float *milliseconds, cudaEvent_t begin, cudaEvent_t end)
{
  if (!begin->last || !end->last || begin->device != end->device)
    return say(cudaErrorInvalidResourceHandle);
  if (!begin->last->done || !end->last->done) return say(cudaErrorNotReady);
  const auto span = end->last->time - begin->last->time;
  *milliseconds = std::chrono::duration<float, std::milli>(span).count();
  return status_of(current);
}
