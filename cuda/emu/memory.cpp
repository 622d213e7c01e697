/* SPDX-License-Identifier: MIT */
/* Memory of the emulated devices. That of each is a range of addresses that only its own kernels,
** and copies, can touch: code that mistakes it for the host's, or for another device's, crashes at
** once. Blocks are whole pages, kept for the next of their power of two. */
#include "cuda/emu/devices.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>

using namespace simt;

enum { PAGE = 4096, HUGE_PAGE = 2 << 20 };
static const int64_t RANGE = (int64_t)1 << 38;
static const size_t MOST_POISONED = (size_t)1 << 24;

static std::map<char *, int64_t> &pinned = *new std::map<char *, int64_t>; /* bytes by start */

/* Whole huge pages, so that it takes microseconds, however much has been used. */
static void protect(int device, int rights)
{
  const size_t bytes = (size_t)((devices[device].used + HUGE_PAGE - 1) / HUGE_PAGE * HUGE_PAGE);
  if (bytes > 0 && mprotect(devices[device].range, bytes, rights) != 0) abort();
}

void simt::open_memory(int device)
{
  if (device != HOST && devices[device].open++ == 0) protect(device, PROT_READ | PROT_WRITE);
}

void simt::close_memory(int device)
{
  if (device != HOST && --devices[device].open == 0) protect(device, PROT_NONE);
}

int simt::place_of(const void *address)
{
  for (int d = 0; d < DEVICES; d++) {
    const char *start = devices[d].range, *at = static_cast<const char *>(address);
    if (start && at >= start && at < start + RANGE) return d;
  }
  return HOST;
}

bool simt::is_pinned(const void *address)
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
    void *start =
        mmap(nullptr, (size_t)RANGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
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

/* -- Blocks ------------------------------------------------------------------------------------ */

static cudaError_t take(void **block, int64_t bytes)
{
  auto &d = devices[current];
  const cudaError_t status = touch();
  int power = 0;

  if (status != cudaSuccess) return status;
  while (((int64_t)PAGE << power) < bytes) power++;
  if (bytes > MOST_BYTES - d.taken) drain_device(current);
  if (bytes > MOST_BYTES - d.taken) return say(cudaErrorMemoryAllocation);
  if (!d.freed[power].empty()) {
    *block = d.freed[power].back();
    d.freed[power].pop_back();
  } else if (!extend(current, (int64_t)PAGE << power, block)) {
    return say(cudaErrorMemoryAllocation);
  }
  d.classes[*block] = power;
  d.taken += (int64_t)PAGE << power;
  return cudaSuccess;
}

/* New blocks hold no zeros. */
static void poison(void *block, size_t bytes)
{
  memset(block, 0xad, std::min(bytes, MOST_POISONED));
}

cudaError_t cudaMallocAsync(void **block, size_t bytes, cudaStream_t stream)
{
  const guard held(lock);

  if (!pools()) return say(cudaErrorNotSupported);
  const cudaError_t status = take(block, (int64_t)bytes);
  if (status != cudaSuccess) return status;
  return keep_books(stream, [taken = *block, bytes] { poison(taken, bytes); });
}

cudaError_t cudaMalloc(void **block, size_t bytes)
{
  const guard held(lock);
  const cudaError_t status = take(block, (int64_t)bytes);

  if (status != cudaSuccess) return status;
  open_memory(current);
  poison(*block, bytes);
  close_memory(current);
  return say(devices[current].failed);
}

static void give_back(int device, void *block)
{
  auto &d = devices[device];
  const int power = d.classes.at(block);

  d.classes.erase(block);
  d.taken -= (int64_t)PAGE << power;
  d.freed[power].push_back(block);
}

cudaError_t cudaFreeAsync(void *block, cudaStream_t stream)
{
  if (!pools()) return say(cudaErrorNotSupported);
  return keep_books(stream, [device = current, block] { give_back(device, block); });
}

/* Waits for nothing, and spoils the freed block. */
cudaError_t cudaFree(void *block)
{
  const guard held(lock);

  open_memory(current);
  poison(block, (size_t)PAGE << devices[current].classes.at(block));
  close_memory(current);
  give_back(current, block);
  return say(devices[current].failed);
}

cudaError_t cudaPointerGetAttributes(cudaPointerAttributes *attributes, const void *address)
{
  const guard held(lock);
  const int device = place_of(address);
  void *const there = const_cast<void *>(address);

  if (device != HOST) *attributes = {cudaMemoryTypeDevice, device, there, nullptr};
  else if (is_pinned(address)) *attributes = {cudaMemoryTypeHost, 0, there, there};
  else *attributes = {cudaMemoryTypeUnregistered, HOST, nullptr, there};
  return cudaSuccess;
}

/* -- The pool of a device ---------------------------------------------------------------------- */

cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t *pool, int device)
{
  if (!pools()) return say(cudaErrorNotSupported);
  *pool = reinterpret_cast<cudaMemPool_t>(&devices[device]);
  return cudaSuccess;
}

cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t, cudaMemPoolAttr, void *)
{
  return cudaSuccess;
}

/* Gives back the huge pages from one address to another that nothing in use shares. */
static void drop(char *range, char *from, char *to)
{
  const int64_t first = (from - range + HUGE_PAGE - 1) / HUGE_PAGE * HUGE_PAGE;
  const int64_t end = (to - range) / HUGE_PAGE * HUGE_PAGE;

  if (first < end && madvise(range + first, (size_t)(end - first), MADV_DONTNEED) != 0) abort();
}

/* Cuts off the pages behind the last block in use, and gives back those between blocks, so that
** opening and closing stay fast. */
cudaError_t cudaMemPoolTrimTo(cudaMemPool_t pool, size_t)
{
  const guard held(lock);
  auto &d = *reinterpret_cast<device_state *>(pool);
  char *end = d.range;

  for (const auto &block : d.classes) { /* by address */
    drop(d.range, end, static_cast<char *>(block.first));
    end = static_cast<char *>(block.first) + ((int64_t)PAGE << block.second);
  }
  for (auto &blocks : d.freed) {
    const auto behind = [=](void *block) { return block >= end; };
    blocks.erase(std::remove_if(blocks.begin(), blocks.end(), behind), blocks.end());
  }
  drop(d.range, end, d.range + (d.used + HUGE_PAGE - 1) / HUGE_PAGE * HUGE_PAGE);
  d.used = std::min(d.used, (end - d.range + HUGE_PAGE - 1) / HUGE_PAGE * HUGE_PAGE);
  return cudaSuccess;
}

/* -- Page-locked memory ------------------------------------------------------------------------ */

cudaError_t cudaHostAlloc(void **block, size_t bytes, unsigned)
{
  const guard held(lock);
  const cudaError_t status = touch();

  if (status != cudaSuccess) return status;
  if (posix_memalign(block, PAGE, bytes) != 0) return say(cudaErrorMemoryAllocation);
  pinned[static_cast<char *>(*block)] = (int64_t)bytes;
  return cudaSuccess;
}

cudaError_t cudaFreeHost(void *block)
{
  const guard held(lock);
  const cudaError_t status = touch();

  if (status != cudaSuccess) return status;
  pinned.erase(static_cast<char *>(block));
  free(block);
  return cudaSuccess;
}
