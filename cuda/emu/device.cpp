/* SPDX-License-Identifier: MIT */
/* The emulator's devices, two of them. The memory of each is a range of addresses that nobody can
** touch but its own kernels, and copies: what mistakes it for the host's, or for another device's,
** crashes at once. Blocks are whole pages, kept for the next of their power of two. */
#include "cuda/device.h"

#include <sys/mman.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

enum { DEVICES = 2, HOST = -1, PAGE = 4096, HUGE_PAGE = 2 << 20, CLASSES = 40, LOST = 3 };
static const int64_t RANGE = (int64_t)1 << 38, MOST_BYTES = (int64_t)1 << 32;
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
static std::map<char *, int64_t> &pinned = *new std::map<char *, int64_t>; /* bytes by start */

struct device_state {
  char *range;
  int64_t used;  /* bytes of the range that were ever given out */
  int64_t taken; /* bytes of blocks that are in use */
  int open;      /* who may touch it now */
  bool lost;     /* something failed here, and nobody has been told */
  std::vector<void *> freed[CLASSES];
  std::map<void *, int> classes; /* of blocks in use */
};

static device_state *const devices = new device_state[DEVICES]();

typedef std::lock_guard<std::recursive_mutex> guard;

/* -- Memory ------------------------------------------------------------------------------------ */

/* Whole huge pages, so that it takes microseconds, however much has been used. */
static void protect(int device, int rights)
{
  const size_t bytes = (size_t)((devices[device].used + HUGE_PAGE - 1) / HUGE_PAGE * HUGE_PAGE);
  if (bytes > 0 && mprotect(devices[device].range, bytes, rights) != 0) abort();
}

static void open_memory(int device)
{
  if (device != HOST && devices[device].open++ == 0) protect(device, PROT_READ | PROT_WRITE);
}

static void close_memory(int device)
{
  if (device != HOST && --devices[device].open == 0) protect(device, PROT_NONE);
}

/* The device whose memory is there, or HOST. */
static int place_of(const void *address)
{
  for (int d = 0; d < DEVICES; d++) {
    const char *start = devices[d].range, *at = static_cast<const char *>(address);
    if (start && at >= start && at < start + RANGE) return d;
  }
  return HOST;
}

static bool is_pinned(const void *address)
{
  char *at = static_cast<char *>(const_cast<void *>(address));
  auto after = pinned.upper_bound(at);
  if (after == pinned.begin()) return false;
  --after;
  return at < after->first + after->second;
}

static bool extend(int device, int64_t bytes, void **block)
{
  auto &d = devices[device];

  if (!d.range) {
    void *start = mmap(nullptr, (size_t)RANGE, PROT_NONE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (start == MAP_FAILED) return false;
    d.range = static_cast<char *>(start);
    d.range += -(uintptr_t)d.range % HUGE_PAGE;
    madvise(d.range, (size_t)RANGE - HUGE_PAGE, MADV_HUGEPAGE);
  }
  if (d.used + bytes > RANGE - HUGE_PAGE) return false;
  *block = d.range + d.used;
  d.used += bytes;
  if (d.open) protect(device, PROT_READ | PROT_WRITE);
  return true;
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
  if (fail_next && first.may_fail) {
    devices[where->device].lost = true;
    fail_next = false;
    return;
  }
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

static int status_of(int device)
{
  return devices[device].lost ? LOST : 0;
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
  *info = {"emulator", 0, 0, 2, MOST_BYTES, MOST_BYTES - devices[device].taken};
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
  auto &d = devices[current];
  int power = 0;

  while (((int64_t)PAGE << power) < bytes) power++;
  if (bytes > MOST_BYTES - d.taken) drain_device(current);
  if (bytes > MOST_BYTES - d.taken) return simt_no_memory;
  if (!d.freed[power].empty()) {
    *block = d.freed[power].back();
    d.freed[power].pop_back();
  } else if (!extend(current, (int64_t)PAGE << power, block)) {
    return simt_no_memory;
  }
  d.classes[*block] = power;
  d.taken += (int64_t)PAGE << power;
  void *const taken = *block;
  const size_t poisoned = (size_t)bytes < MOST_POISONED ? (size_t)bytes : MOST_POISONED;
  return keep_books(stream, [=] { memset(taken, 0xad, poisoned); });
}

void device_release(void *block, simt_stream stream)
{
  const int device = current;

  keep_books(stream, [=] {
    auto &d = devices[device];
    const int power = d.classes.at(block);
    d.classes.erase(block);
    d.taken -= (int64_t)PAGE << power;
    d.freed[power].push_back(block);
  });
}

/* The host's memory is read at once where it is not page-locked, and waited for where it would be
** written, as the CUDA runtime does. */
simt_status device_copy(void *to, const void *from, int64_t bytes, simt_stream stream)
{
  const guard held(lock);
  const bool unpinned_source = place_of(from) == HOST && !is_pinned(from);
  const size_t size = (size_t)bytes;
  simt_status status;

  if (unpinned_source) {
    const char *begin = static_cast<const char *>(from);
    const std::vector<char> staged(begin, begin + bytes);
    return simt::give(stream, [=] { memcpy(to, staged.data(), size); });
  }
  status = simt::give(stream, [=] { memcpy(to, from, size); });
  if (place_of(to) != HOST || is_pinned(to)) return status;
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
  *does = place_of(address) == device || is_pinned(address);
  return simt_success;
}

simt_status device_wait()
{
  const guard held(lock);
  waits++;
  drain_device(current);
  return status_of(current);
}

/* Cuts off what lies behind the last block in use, so that opening and closing stay fast. */
void device_trim()
{
  const guard held(lock);
  auto &d = devices[current];
  char *end = d.range;

  for (const auto &block : d.classes)
    end = std::max(end, static_cast<char *>(block.first) + ((int64_t)PAGE << block.second));
  for (auto &blocks : d.freed) {
    const auto behind = [=](void *block) { return block >= end; };
    blocks.erase(std::remove_if(blocks.begin(), blocks.end(), behind), blocks.end());
  }
  const int64_t left = (end - d.range + HUGE_PAGE - 1) / HUGE_PAGE * HUGE_PAGE;
  if (left >= d.used) return;
  if (mmap(d.range + left, (size_t)(d.used - left), PROT_NONE,
           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0) == MAP_FAILED)
    abort();
  madvise(d.range + left, (size_t)(d.used - left), MADV_HUGEPAGE);
  d.used = left;
}

simt_status host_take(void **block, int64_t bytes)
{
  const guard held(lock);
  if (posix_memalign(block, PAGE, (size_t)bytes) != 0) return simt_no_memory;
  pinned[static_cast<char *>(*block)] = bytes;
  return simt_success;
}

void host_release(void *block)
{
  const guard held(lock);
  pinned.erase(static_cast<char *>(block));
  free(block);
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

  for (int d = 0; d < DEVICES; d++) devices[d].lost = false;
  return locus_fail(cx, status == LOST ? "the emulator was told to fail" : "the emulator failed");
}

} // namespace locus
