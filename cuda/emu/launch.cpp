/* SPDX-License-Identifier: MIT */
/* Which launches a GPU refuses. SIMT_BOUNDS leaves a NOP for each warp of a kernel's bound at the
** kernel's entry: there a pointer to it leads. */
#include "cuda/emu/cudart.h"
#include "cuda/emu/fibers.h"

#include <climits>
#include <map>
#include <mutex>

using namespace simt;

enum { MOST_THREADS = 1024, MOST_SHARED = 227 << 10, SHARED_UNASKED = 48 << 10 };

static std::mutex &lock_of_asked = *new std::mutex;
static std::map<const void *, size_t> &asked = *new std::map<const void *, size_t>;

/* The instructions that indirect jumps may need at the entry (endbr64, bti c); the bytes of a NOP;
** and where one ends that begins at `at`, however compilers encode it: at `at` if there is none. */
#ifdef __x86_64__
static const unsigned char landing[] = {0xf3, 0x0f, 0x1e, 0xfa};
static const int nop_bytes = 1; /* one NOP of n bytes is as good as n */

static const unsigned char *behind_nop(const unsigned char *at)
{
  const unsigned char *code = at;

  while (*code == 0x66 || *code == 0x2e) code++; /* prefixes, which only make it longer */
  if (*code == 0x90) return code + 1;
  if (code[0] != 0x0f || code[1] != 0x1f) return at;
  const int mode = code[2] >> 6, displacement = mode == 1 ? 1 : mode == 2 ? 4 : 0;
  return code + 3 + (code[2] % 8 == 4) + displacement;
}
#else
static const unsigned char landing[] = {0x5f, 0x24, 0x03, 0xd5};
static const int nop_bytes = 4;

static const unsigned char *behind_nop(const unsigned char *at)
{
  static const unsigned char nop[] = {0x1f, 0x20, 0x03, 0xd5};
  return memcmp(at, nop, sizeof nop) == 0 ? at + sizeof nop : at;
}
#endif

/* The most threads of a block of the kernel. */
static unsigned bound_of(const void *kernel)
{
  const unsigned char *begin = static_cast<const unsigned char *>(kernel);

  if (memcmp(begin, landing, sizeof landing) == 0) begin += sizeof landing;
  const unsigned char *end = begin;
  while (behind_nop(end) > end) end = behind_nop(end);
  return end > begin ? (unsigned)((end - begin) / nop_bytes * WARP) : (unsigned)MOST_THREADS;
}

cudaError_t cudaFuncSetAttribute(const void *kernel, cudaFuncAttribute, int bytes)
{
  const std::lock_guard<std::mutex> held(lock_of_asked);

  if (bytes < 0 || bytes > MOST_SHARED) return say(cudaErrorInvalidValue);
  asked[kernel] = (size_t)bytes;
  return cudaSuccess;
}

static size_t most_shared(const void *kernel)
{
  const std::lock_guard<std::mutex> held(lock_of_asked);
  const auto found = asked.find(kernel);

  return found == asked.end() ? (size_t)SHARED_UNASKED : found->second;
}

cudaError_t simt::may_launch(const void *kernel, unsigned blocks, unsigned threads, size_t shared)
{
  if (blocks == 0 || blocks > INT_MAX || threads == 0 || threads > MOST_THREADS)
    return say(cudaErrorInvalidConfiguration);
  if (threads > bound_of(kernel) || (shared > SHARED_UNASKED && shared > most_shared(kernel)))
    return say(cudaErrorInvalidValue);
  return cudaSuccess;
}

/* So few that tests reach the work after a thread's first piece. */
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, const void *, int, size_t)
{
  *blocks = 2;
  return cudaSuccess;
}
