/* SPDX-License-Identifier: MIT */
/* Giving memory out and taking it back: see memory.h. Page-locked memory is costly to get: freed
** blocks are kept, by powers of two, each with marks behind the work that may still use it. */
#include "cuda/include/host/memory.h"

#include <mutex>
#include <vector>

#include "cuda/include/host/streams.h"

namespace locus
{

bool (*memory_must_fail)(void);

static int fail_memory(const char *where, int64_t bytes, locus_context *cx)
{
  locus_fail(cx, "out of memory on %s (wanted %lld bytes)", where, (long long)bytes);
  cx->error.code = LOCUS_OUT_OF_MEMORY;
  return -1;
}

static bool must_fail()
{
  return memory_must_fail && memory_must_fail();
}

int memory_take(int device, int64_t bytes, void **block, simt_stream stream, locus_context *cx)
{
  const simt_status status = must_fail() ? simt_no_memory : device_take(block, bytes, stream);
  char name[24];

  if (status == simt_success) return 0;
  if (status != simt_no_memory) return device_fail(status, cx);
  snprintf(name, sizeof name, "cuda:%d", device);
  device_fail(status, cx); /* clears it */
  return fail_memory(name, bytes, cx);
}

void memory_release(int device, void *block)
{
  simt_stream behind;

  stream_behind_all(device, &behind);
  device_release(block, behind);
}

/* -- Page-locked ------------------------------------------------------------------------------- */

enum { CLASSES = 48, LEAST_POWER = 12 };

struct mark {
  int device;
  simt_event event;
};

struct kept_block {
  void *start;
  std::vector<mark> marks; /* of the devices that may still use it */
};

static std::mutex lock;
/* Never destroyed: tensors may be released while the process ends. */
static std::vector<kept_block> *const kept = new std::vector<kept_block>[CLASSES];

static int class_of(int64_t bytes)
{
  int power = 0;
  while (((int64_t)1 << (LEAST_POWER + power)) < bytes) power++;
  return power;
}

/* Drops marks that have passed; true if none is left. */
static bool is_free(kept_block &block)
{
  while (!block.marks.empty()) {
    bool done = false;
    const mark last = block.marks.back();
    on(last.device, [&] {
      const simt_status status = event_done(last.event, &done);
      if (done) event_drop(last.event);
      return status;
    });
    if (!done) return false;
    block.marks.pop_back();
  }
  return true;
}

static void *take_kept(int power)
{
  std::lock_guard<std::mutex> guard(lock);

  for (kept_block &block : kept[power]) {
    if (!is_free(block)) continue;
    void *start = block.start;
    block = kept[power].back();
    kept[power].pop_back();
    return start;
  }
  return nullptr;
}

/* The device that answers for all of them: this one, or rather one that has a context. */
static int in_use(int device)
{
  if (device_has_context(device)) return device;
  for (int d = 0; d < LOCUS_MOST_DEVICES; d++)
    if (device_has_context(d)) return d;
  return device;
}

int pinned_take(int device, int64_t bytes, void **block, locus_context *cx)
{
  const int power = class_of(bytes);

  if (must_fail() || power >= CLASSES) return fail_memory("the host, page-locked", bytes, cx);
  *block = take_kept(power);
  if (*block) return 0;
  const simt_status status =
      on(in_use(device), [=] { return host_take(block, (int64_t)1 << (LEAST_POWER + power)); });
  if (status == simt_success) return 0;
  device_fail(status, cx);
  return status == simt_no_memory ? fail_memory("the host, page-locked", bytes, cx) : -1;
}

void pinned_release(void *start, int64_t bytes)
{
  kept_block block = {start, {}};

  for (int device = 0; device < LOCUS_MOST_DEVICES; device++) {
    if (!stream_used(device)) continue;
    mark made = {device, simt_event()};
    on(device, [&] {
      simt_stream behind;
      stream_behind_all(device, &behind);
      const simt_status status = event_make(&made.event, false);
      return status == simt_success ? event_record(made.event, behind) : status;
    });
    if (made.event) block.marks.push_back(made);
  }
  std::lock_guard<std::mutex> guard(lock);
  kept[class_of(bytes)].push_back(block);
}

static void give_back(void *start)
{
  on(in_use(0), [=] {
    host_release(start);
    return simt_success;
  });
}

void pinned_trim()
{
  std::lock_guard<std::mutex> guard(lock);

  for (int power = 0; power < CLASSES; power++) {
    std::vector<kept_block> &blocks = kept[power], left;
    for (kept_block &block : blocks) {
      if (is_free(block)) give_back(block.start);
      else left.push_back(block);
    }
    blocks = left;
  }
}

} // namespace locus
