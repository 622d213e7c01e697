/* SPDX-License-Identifier: MIT */
/* The emulator's one device. Its memory is a range of addresses that nobody can touch but kernels
** and copies: what mistakes it for the host's ends at once. Blocks are whole pages, kept for the
** next of their power of two. */
#include "cuda/device.h"

#include <sys/mman.h>

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>
#include <vector>

namespace locus {

enum { PAGE = 4096, HUGE_PAGE = 2 << 20, CLASSES = 40, NO_MEMORY = 2 };
static const int64_t RANGE = (int64_t)1 << 40, MOST_BYTES = (int64_t)1 << 33;

static std::recursive_mutex lock;
static char *range;
static int64_t used;  /* bytes of the range that were ever given out */
static int64_t taken; /* bytes of blocks that are in use */
static std::vector<void *> freed[CLASSES];
static std::map<void *, int> classes; /* of blocks in use */
static int inside;                    /* calls that may touch the memory */
static std::atomic<int64_t> waits;    /* for the device, so far */

/* Whole huge pages: so this takes microseconds, however much has been used. */
static void protect(int rights)
{
  const size_t bytes = (size_t)((used + HUGE_PAGE - 1) / HUGE_PAGE * HUGE_PAGE);
  if (bytes > 0 && mprotect(range, bytes, rights) != 0) abort();
}

simt_status device_count(int *devices)
{
  *devices = 1;
  return simt_success;
}

simt_status device_describe(int, locus_device_info *info)
{
  *info = {"emulator", 0, 0, 2, MOST_BYTES, MOST_BYTES - taken};
  return simt_success;
}

int device_processors(int)
{
  return 2;
}

simt_status device_enter(int, int *before)
{
  lock.lock();
  *before = 0;
  if (inside++ == 0) protect(PROT_READ | PROT_WRITE);
  return simt_success;
}

void device_leave(int)
{
  if (--inside == 0) protect(PROT_NONE);
  lock.unlock();
}

static bool extend(int64_t bytes, void **block)
{
  if (!range) {
    void *start = mmap(nullptr, (size_t)RANGE, PROT_NONE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (start == MAP_FAILED) return false;
    range = static_cast<char *>(start);
    range += -(uintptr_t)range % HUGE_PAGE;
    madvise(range, (size_t)RANGE - HUGE_PAGE, MADV_HUGEPAGE);
  }
  if (used + bytes > RANGE - HUGE_PAGE) return false;
  *block = range + used;
  used += bytes;
  if (inside) protect(PROT_READ | PROT_WRITE);
  return true;
}

/* What is given out holds no zeros. */
simt_status device_take(void **block, int64_t bytes, simt_stream)
{
  std::lock_guard<std::recursive_mutex> guard(lock);
  int power = 0, before;

  while (((int64_t)PAGE << power) < bytes) power++;
  if (bytes > MOST_BYTES - taken) return NO_MEMORY;
  if (!freed[power].empty()) {
    *block = freed[power].back();
    freed[power].pop_back();
  } else if (!extend((int64_t)PAGE << power, block)) {
    return NO_MEMORY;
  }
  classes[*block] = power;
  taken += (int64_t)PAGE << power;
  device_enter(0, &before);
  memset(*block, 0xad, (size_t)bytes);
  device_leave(before);
  return simt_success;
}

void device_release(void *block, simt_stream)
{
  std::lock_guard<std::recursive_mutex> guard(lock);
  const int power = classes.at(block);

  classes.erase(block);
  taken -= (int64_t)PAGE << power;
  freed[power].push_back(block);
}

simt_status device_copy(void *to, const void *from, int64_t bytes, simt_stream)
{
  int before;

  device_enter(0, &before);
  memcpy(to, from, (size_t)bytes);
  device_leave(before);
  return simt_success;
}

simt_status device_copy_peer(void *to, int, const void *from, int, int64_t bytes)
{
  return device_copy(to, from, bytes, simt_stream());
}

simt_status device_wait(simt_stream)
{
  waits++;
  return simt_success;
}

void device_trim(int)
{
  std::lock_guard<std::recursive_mutex> guard(lock);
  for (int power = 0; power < CLASSES; power++)
    for (void *block : freed[power]) madvise(block, (size_t)PAGE << power, MADV_DONTNEED);
}

int device_fail(simt_status status, locus_context *cx)
{
  locus_fail(cx, status == NO_MEMORY ? "out of memory on the CUDA device" : "the emulator failed");
  if (status == NO_MEMORY) cx->error.code = LOCUS_OUT_OF_MEMORY;
  return -1;
}

} // namespace locus

/* For specs: how often this process has waited for the device. */
extern "C" __attribute__((visibility("default"))) int64_t locus_emulator_waits()
{
  return locus::waits;
}
