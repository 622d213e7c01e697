/* SPDX-License-Identifier: MIT */
/* The order of streams among each other: see streams.h. */
#include "cuda/streams.h"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <vector>

namespace locus {

/* Alone, the default stream is behind all work by itself. Once there are others, a last stream, on
** which nothing ever runs, is put behind them all. Never destroyed: see memory.cu. */
struct device_streams {
  std::mutex lock;
  std::vector<simt_stream> made;
  simt_stream last;
  simt_event mark;
};

static device_streams *const all = new device_streams[LOCUS_MOST_DEVICES]();

static std::atomic<bool> used[LOCUS_MOST_DEVICES];
static thread_local simt_stream current[LOCUS_MOST_DEVICES];

simt_stream stream_current(int device)
{
  used[device].store(true, std::memory_order_relaxed);
  return current[device];
}

bool stream_used(int device)
{
  return used[device].load(std::memory_order_relaxed);
}

void stream_choose(int device, simt_stream stream)
{
  current[device] = stream;
}

/* Under the lock: the last stream waits for what this one was given. */
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
  if (status == simt_success) all[device].made.push_back(*stream);
  return status;
}

void stream_free(int device, simt_stream stream)
{
  std::lock_guard<std::mutex> guard(all[device].lock);
  std::vector<simt_stream> &made = all[device].made;

  gather(device, stream);
  made.erase(std::remove(made.begin(), made.end(), stream), made.end());
  if (current[device] == stream) current[device] = simt_stream();
  stream_drop(stream);
}

simt_status stream_behind_all(int device, simt_stream *behind)
{
  std::lock_guard<std::mutex> guard(all[device].lock);

  *behind = all[device].last;
  if (!*behind) return simt_success;
  simt_status status = gather(device, simt_stream());
  for (simt_stream stream : all[device].made)
    if (status == simt_success) status = gather(device, stream);
  return status;
}

} // namespace locus
