/* SPDX-License-Identifier: MIT */
/* Memory of the emulated devices, and page-locked memory. Blocks are whole pages, kept for the next
** of their power of two. */
#include "cuda/emu/addresses.h"
#include "cuda/emu/streams.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>

using namespace simt;

enum { PAGE = 4096 };
static const size_t MOST_POISONED = (size_t)1 << 24;

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
  pin(*block, (int64_t)bytes);
  return cudaSuccess;
}

cudaError_t cudaFreeHost(void *block)
{
  const guard held(lock);
  const cudaError_t status = touch();

  if (status != cudaSuccess) return status;
  unpin(block);
  free(block);
  return cudaSuccess;
}
