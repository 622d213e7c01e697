/* SPDX-License-Identifier: MIT */
/* The order of streams among each other: see streams.h. */
#include "cuda/include/host/streams.h"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <vector>

namespace locus
{

/* Alone, the default stream is behind all work by itself. Once there are others, a last stream, on
** which nothing ever runs, is put behind them all. Never destroyed: see memory.cu. */
struct device_streams {
  std::mutex lock;
  struct stream {
    simt_stream handle;
    uint64_t since; /* how many had been freed when it was made */
  };
  std::vector<stream> made;
  std::atomic<uint64_t> freed; /* how many */
  simt_stream last;
  simt_event mark;
};

static device_streams *const all = new device_streams[LOCUS_MOST_DEVICES]();

static std::atomic<bool> used[LOCUS_MOST_DEVICES];

/* The current stream of this thread, and how many had been freed when it last existed: since then
** another thread may have freed it, and its handle may be that of a new one. */
struct choice {
  simt_stream handle;
  uint64_t when;
};

static thread_local choice current[LOCUS_MOST_DEVICES];

static bool exists(const choice &c, const std::vector<device_streams::stream> &made)
{
  for (const auto &stream : made)
    if (stream.handle == c.handle && stream.since <= c.when) return true;
  return false;
}

simt_stream stream_current(int device)
{
  choice &c = current[device];

  used[device].store(true, std::memory_order_relaxed);
  if (!c.handle || c.when == all[device].freed) return c.handle;
  std::lock_guard<std::mutex> guard(all[device].lock);
  if (!exists(c, all[device].made)) c.handle = simt_stream();
  c.when = all[device].freed;
  return c.handle;
}

bool stream_used(int device)
{
  return used[device].load(std::memory_order_relaxed);
}

void stream_choose(int device, simt_stream stream)
{
  current[device] = {stream, all[device].freed};
}

/* Under the lock: the last stream waits for this one's work. */
static simt_status gather(int device, simt_stream stream)
{
  const simt_status status = event_record(all[device].mark, stream);
  return status == simt_success ? stream_follow(all[device].last, all[device].mark) : status;
}

simt_status stream_new(int device, simt_stream *stream)
{
  std::lock_guard<std::mutex> guard(all[device].lock);
  simt_status status = simt_success;

  if (!all[device].mark) status = event_make(&all[device].mark, false);
  if (status == simt_success && !all[device].last) status = stream_make(&all[device].last);
  if (status == simt_success) status = stream_make(stream);
  if (status == simt_success) all[device].made.push_back({*stream, all[device].freed});
  return status;
}

void stream_free(int device, simt_stream stream)
{
  std::lock_guard<std::mutex> guard(all[device].lock);
  auto &made = all[device].made;
  const auto same = [=](const device_streams::stream &s) { return s.handle == stream; };

  gather(device, stream);
  made.erase(std::remove_if(made.begin(), made.end(), same), made.end());
  all[device].freed++;
  stream_drop(stream);
}

simt_status stream_behind_all(int device, simt_stream *behind)
{
  std::lock_guard<std::mutex> guard(all[device].lock);

  *behind = all[device].last;
  if (!*behind) return simt_success;
  simt_status status = gather(device, simt_stream());
  for (const auto &stream : all[device].made)
    if (status == simt_success) status = gather(device, stream.handle);
  return status;
}

} // namespace locus
