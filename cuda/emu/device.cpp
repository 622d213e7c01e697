/* SPDX-License-Identifier: MIT */
/* The emulator's devices, two of them: their streams of work, and events. */
#include "cuda/device.h"

#include <chrono>
#include <cstring>
#include <deque>
#include <memory>
#include <mutex>
#include <vector>

#include "cuda/emu/space.h"

enum { LOST = 3 };
static const size_t MOST_WAITING = 64, MOST_POISONED = (size_t)1 << 24;

namespace simt {

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
  std::shared_ptr<passing> last; /* none before it is recorded */
};

} // namespace simt

using namespace simt;

static std::recursive_mutex lock;
static thread_local int current;
static int64_t waits;     /* times that a host thread waited */
static bool fail_next;    /* the next item of work is lost */

/* What follows is never destroyed: tensors may be released while the process ends. */
static stream *const defaults = new stream[DEVICES]{{0, {}}, {1, {}}};
static std::vector<stream *> &streams = *new std::vector<stream *>;
static bool *const lost = new bool[DEVICES](); /* something failed there, and nobody was told yet */

typedef std::lock_guard<std::recursive_mutex> guard;

/* -- Work -------------------------------------------------------------------------------------- */

static stream *queue_of(stream *where)
{
  return where ? where : &defaults[current];
}

static void run_first(stream *where)
{
  const item first = std::move(where->items.front());

  where->items.pop_front();
  if (fail_next && first.may_fail) {
    lost[where->device] = true;
    fail_next = false;
    return;
  }
  space_open(where->device);
  space_open(first.other);
  first.what();
  space_close(first.other);
  space_close(where->device);
}

static void drain(stream *where, size_t left = 0)
{
  if (where->items.size() <= left) return;
  space_open(where->device); /* once for all */
  while (where->items.size() > left) run_first(where);
  space_close(where->device);
}

static int status_of(int device)
{
  return lost[device] ? LOST : 0;
}

static int queue(stream *where, int other, bool may_fail, std::function<void()> what)
{
  const guard held(lock);
  stream *to = queue_of(where);

  to->items.push_back({other, may_fail, std::move(what)});
  drain(to, MOST_WAITING);
  return status_of(to->device);
}

int simt::give(stream *where, std::function<void()> what)
{
  return queue(where, HOST, true, std::move(what));
}

static int keep_books(stream *where, std::function<void()> what)
{
  return queue(where, HOST, false, std::move(what));
}

static void drain_device(int device)
{
  drain(&defaults[device]);
  for (stream *s : streams)
    if (s->device == device) drain(s);
}

/* For the specs: how often a host thread waited; and makes the next work fail, wherever it is. */
extern "C" __attribute__((visibility("default"))) int64_t locus_emulator_waits(void)
{
  return waits;
}

extern "C" __attribute__((visibility("default"))) void locus_emulator_fail_next(void)
{
  fail_next = true;
}

namespace locus {

/* -- Devices ----------------------------------------------------------------------------------- */

simt_status device_count(int *count)
{
  *count = DEVICES;
  return simt_success;
}

simt_status device_describe(int device, locus_device_info *info)
{
  *info = {"emulator", 0, 0, 2, MOST_BYTES, MOST_BYTES - space_taken(device)};
  return simt_success;
}

int device_processors(int)
{
  return 2;
}

simt_status device_enter(int device, int *before)
{
  *before = current;
  current = device;
  return simt_success;
}

void device_leave(int before)
{
  current = before;
}

/* What is given out holds no zeros. */
simt_status device_take(void **block, int64_t bytes, simt_stream stream)
{
  const guard held(lock);

  if (bytes > MOST_BYTES - space_taken(current)) drain_device(current);
  if (bytes > MOST_BYTES - space_taken(current)) return simt_no_memory;
  void *const taken = *block = space_take(current, bytes);
  if (!taken) return simt_no_memory;
  const size_t poisoned = (size_t)bytes < MOST_POISONED ? (size_t)bytes : MOST_POISONED;
  return keep_books(stream, [=] { memset(taken, 0xad, poisoned); });
}

void device_release(void *block, simt_stream stream)
{
  const int device = current;

  keep_books(stream, [=] { space_release(device, block); });
}

/* The host's memory is read at once where it is not page-locked, and waited for where it would be
** written, as the CUDA runtime does. */
simt_status device_copy(void *to, const void *from, int64_t bytes, simt_stream stream)
{
  const guard held(lock);
  const bool unpinned_source = space_of(from) == HOST && !is_locked(from);
  const size_t size = (size_t)bytes;
  simt_status status;

  if (unpinned_source) {
    const char *begin = static_cast<const char *>(from);
    const std::vector<char> staged(begin, begin + bytes);
    return simt::give(stream, [=] { memcpy(to, staged.data(), size); });
  }
  status = simt::give(stream, [=] { memcpy(to, from, size); });
  if (space_of(to) != HOST || is_locked(to)) return status;
  drain(queue_of(stream));
  return status_of(queue_of(stream)->device);
}

simt_status device_copy_peer(void *to, int to_device, const void *from, int, int64_t bytes,
                             simt_stream stream)
{
  return queue(stream, to_device, true, [=] { memcpy(to, from, (size_t)bytes); });
}

simt_status device_reaches(int device, const void *address, bool *does)
{
  const guard held(lock);
  *does = space_of(address) == device || is_locked(address);
  return simt_success;
}

simt_status device_wait()
{
  const guard held(lock);
  waits++;
  drain_device(current);
  return status_of(current);
}

void device_trim()
{
  const guard held(lock);
  space_trim(current);
}

simt_status host_take(void **block, int64_t bytes)
{
  const guard held(lock);
  *block = locked_take(bytes);
  return *block ? simt_success : simt_no_memory;
}

void host_release(void *block)
{
  const guard held(lock);
  locked_release(block);
}

/* -- Streams and events ------------------------------------------------------------------------ */

simt_status stream_make(simt_stream *made)
{
  const guard held(lock);
  *made = new stream{current, {}};
  streams.push_back(*made);
  return simt_success;
}

void stream_drop(simt_stream stream)
{
  const guard held(lock);
  drain(stream);
  for (size_t i = 0; i < streams.size(); i++)
    if (streams[i] == stream) streams.erase(streams.begin() + (long)i--);
  delete stream;
}

/* Asking gets one piece of work done. */
simt_status stream_done(simt_stream stream, bool *done)
{
  const guard held(lock);
  simt::stream *where = queue_of(stream);

  *done = where->items.empty();
  if (!*done) run_first(where);
  return status_of(where->device);
}

simt_status stream_wait(simt_stream stream)
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

simt_status stream_follow(simt_stream stream, simt_event event)
{
  const std::shared_ptr<passing> mark = event->last;
  return keep_books(stream, [=] { wait_for(mark); });
}

simt_status event_make(simt_event *made, bool)
{
  *made = new event{};
  return simt_success;
}

void event_drop(simt_event event)
{
  delete event;
}

simt_status event_record(simt_event event, simt_stream stream)
{
  const std::shared_ptr<passing> mark(new passing{queue_of(stream), false, {}});

  event->last = mark;
  return keep_books(stream, [=] {
    mark->time = std::chrono::steady_clock::now();
    mark->done = true;
  });
}

simt_status event_done(simt_event event, bool *done)
{
  const guard held(lock);

  *done = !event->last || event->last->done;
  if (!*done) run_first(event->last->where);
  return status_of(current);
}

simt_status event_wait(simt_event event)
{
  const guard held(lock);

  waits++;
  wait_for(event->last);
  return status_of(current);
}

simt_status event_elapsed(simt_event begin, simt_event end, float *milliseconds)
{
  const auto span = end->last->time - begin->last->time;
  *milliseconds = std::chrono::duration<float, std::milli>(span).count();
  return simt_success;
}

/* -- Errors ------------------------------------------------------------------------------------ */

int device_fail(simt_status status, locus_context *cx)
{
  const guard held(lock);

  for (int d = 0; d < DEVICES; d++) lost[d] = false;
  return locus_fail(cx, status == LOST ? "the emulator was told to fail" : "the emulator failed");
}

} // namespace locus
