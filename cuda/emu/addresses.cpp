/* SPDX-License-Identifier: MIT */
/* The addresses of the emulated devices. The memory of each is a range that only its own kernels,
** and copies, can touch: code that mistakes it for the host's, or for another device's, crashes at
** once. */
#include "cuda/emu/addresses.h"

#include <sys/mman.h>

#include <cstdlib>

using namespace simt;

static const int64_t RANGE = (int64_t)1 << 38;

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

void simt::pin(void *block, int64_t bytes)
{
  pinned[static_cast<char *>(block)] = bytes;
}

void simt::unpin(void *block)
{
  pinned.erase(static_cast<char *>(block));
}

bool simt::extend(int device, int64_t bytes, void **block)
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
