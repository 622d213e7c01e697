/* SPDX-License-Identifier: MIT */
/* The memory of each device is a range of addresses that nobody can touch but its own kernels, and
** copies: what mistakes it for the host's, or for another device's, ends at once. Blocks are whole
** pages, kept for the next of their power of two. */
#include "cuda/emu/space.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <vector>

enum { PAGE = 4096, HUGE_PAGE = 2 << 20, CLASSES = 40 };
static const int64_t RANGE = (int64_t)1 << 38;

namespace {

struct space {
  char *range;
  int64_t used;  /* bytes of the range that were ever given out */
  int64_t taken; /* bytes of blocks that are in use */
  int open;      /* who may touch it now */
  std::vector<void *> freed[CLASSES];
  std::map<void *, int> classes; /* of blocks in use */
};

} // namespace

/* Never destroyed: tensors may be released while the process ends. */
static space *const spaces = new space[simt::DEVICES]();
static std::map<char *, int64_t> &pinned = *new std::map<char *, int64_t>; /* bytes by start */

/* Whole huge pages: so this takes microseconds, however much has been used. */
static void protect(const space &s, int rights)
{
  const size_t bytes = (size_t)((s.used + HUGE_PAGE - 1) / HUGE_PAGE * HUGE_PAGE);
  if (bytes > 0 && mprotect(s.range, bytes, rights) != 0) abort();
}

static bool reserve(space &s)
{
  void *start = mmap(nullptr, (size_t)RANGE, PROT_NONE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (start == MAP_FAILED) return false;
  s.range = static_cast<char *>(start);
  s.range += -(uintptr_t)s.range % HUGE_PAGE;
  madvise(s.range, (size_t)RANGE - HUGE_PAGE, MADV_HUGEPAGE);
  return true;
}

static void *extend(space &s, int64_t bytes)
{
  if (!s.range && !reserve(s)) return nullptr;
  if (s.used + bytes > RANGE - HUGE_PAGE) return nullptr;
  void *const block = s.range + s.used;
  s.used += bytes;
  if (s.open) protect(s, PROT_READ | PROT_WRITE);
  return block;
}

void simt::space_open(int device)
{
  if (device != HOST && spaces[device].open++ == 0) protect(spaces[device], PROT_READ | PROT_WRITE);
}

void simt::space_close(int device)
{
  if (device != HOST && --spaces[device].open == 0) protect(spaces[device], PROT_NONE);
}

int simt::space_of(const void *address)
{
  for (int d = 0; d < DEVICES; d++) {
    const char *start = spaces[d].range, *at = static_cast<const char *>(address);
    if (start && at >= start && at < start + RANGE) return d;
  }
  return HOST;
}

int64_t simt::space_taken(int device)
{
  return spaces[device].taken;
}

void *simt::space_take(int device, int64_t bytes)
{
  auto &s = spaces[device];
  void *block = nullptr;
  int power = 0;

  while (((int64_t)PAGE << power) < bytes) power++;
  if (!s.freed[power].empty()) {
    block = s.freed[power].back();
    s.freed[power].pop_back();
  } else {
    block = extend(s, (int64_t)PAGE << power);
    if (!block) return nullptr;
  }
  s.classes[block] = power;
  s.taken += (int64_t)PAGE << power;
  return block;
}

void simt::space_release(int device, void *block)
{
  auto &s = spaces[device];
  const int power = s.classes.at(block);

  s.classes.erase(block);
  s.taken -= (int64_t)PAGE << power;
  s.freed[power].push_back(block);
}

void simt::space_trim(int device)
{
  auto &s = spaces[device];
  char *end = s.range;

  for (const auto &block : s.classes)
    end = std::max(end, static_cast<char *>(block.first) + ((int64_t)PAGE << block.second));
  for (auto &blocks : s.freed) {
    const auto behind = [=](void *block) { return block >= end; };
    blocks.erase(std::remove_if(blocks.begin(), blocks.end(), behind), blocks.end());
  }
  const int64_t left = (end - s.range + HUGE_PAGE - 1) / HUGE_PAGE * HUGE_PAGE;
  if (left >= s.used) return;
  if (mmap(s.range + left, (size_t)(s.used - left), PROT_NONE,
           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0) == MAP_FAILED)
    abort();
  madvise(s.range + left, (size_t)(s.used - left), MADV_HUGEPAGE);
  s.used = left;
}

void *simt::locked_take(int64_t bytes)
{
  void *block = nullptr;

  if (posix_memalign(&block, PAGE, (size_t)bytes) != 0) return nullptr;
  pinned[static_cast<char *>(block)] = bytes;
  return block;
}

void simt::locked_release(void *block)
{
  pinned.erase(static_cast<char *>(block));
  free(block);
}

bool simt::is_locked(const void *address)
{
  char *at = static_cast<char *>(const_cast<void *>(address));
  auto after = pinned.upper_bound(at);
  if (after == pinned.begin()) return false;
  --after;
  return at < after->first + after->second;
}
