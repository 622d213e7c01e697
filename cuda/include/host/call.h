/* SPDX-License-Identifier: MIT */
/* The common beginning of every runner: its device made current, a stream, temporary memory,
** launches, and errors turned into sentences. */
#ifndef LOCUS_CUDA_CALL_H
#define LOCUS_CUDA_CALL_H

#include <algorithm>

#include "cuda/include/host/device.h"

namespace locus
{

enum { MOST_TEMPORARIES = 8 };

/* One call of a runner, on the device of its context. The context remembers the first failure, and
** the steps after it do nothing, so that a runner reads straight on and ends with `return
** c.end()`. */
class call
{
public:
  call(const char *op, locus_context *cx);
  ~call();

  /* Device memory until the call ends; NULL when something has failed. */
  void *temporary(int64_t bytes);
  template <class T> T *temporaries(int64_t count)
  {
    return static_cast<T *>(temporary(count * (int64_t)sizeof(T)));
  }

  /* Runs a kernel, given as a plain function pointer, behind earlier launches. */
  template <class... P, class... A>
  void launch(void (*kernel)(P...), int64_t blocks, int threads, size_t shared, A... arguments)
  {
    if (ok() && blocks > 0)
      note(simt_launch(kernel, (unsigned)blocks, (unsigned)threads, shared, stream, arguments...));
  }

  /* How many blocks of a kernel the device runs at a time; 1 when something has failed. */
  template <class... P> int64_t resident(void (*kernel)(P...), int threads, size_t shared)
  {
    int each = 1;
    if (ok()) note(simt_resident(&each, kernel, (unsigned)threads, shared));
    return ok() ? (int64_t)processors * std::max(each, 1) : 1;
  }

  /* Launches a kernel with a grid-stride loop over `work` items, in no more blocks than the device
  ** runs at a time. */
  template <class... P, class... A>
  void launch_over(int64_t work, void (*kernel)(P...), int threads, size_t shared, A... arguments)
  {
    int64_t blocks = (work + threads - 1) / threads;
    if (blocks > processors) blocks = std::min(blocks, resident(kernel, threads, shared));
    launch(kernel, blocks, threads, shared, arguments...);
  }

  /* Copies to the host, and waits for it: the only wait there is. */
  void read(void *host, const void *device, int64_t bytes);

  bool ok() const
  {
    return status == 0;
  }
  int end();

  /* Notes the status of the runtime or of CUB. */
  void note(simt_status result);

  simt_stream stream;
  int processors;

private:
  const char *op;
  locus_context *cx;
  int status, device, before, taken;
  void *temporary_blocks[MOST_TEMPORARIES];
};

/* Whether LOCUS_CUDA_SYNC asks every call to wait for its work, so that a failure is its own error
** and not a later call's. */
bool call_waits();

} // namespace locus

#endif
