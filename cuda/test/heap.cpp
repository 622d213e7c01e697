/* SPDX-License-Identifier: MIT */
/* A device for tests: its memory is the heap, so that AddressSanitizer sees every byte, and its
** streams do their work at once. */
#include "cuda/include/host/memory.h"
#include "cuda/include/host/streams.h"

#include <stdlib.h>

cudaError_t simt::say(cudaError_t status)
{
  return status;
}

cudaError_t simt::give(simt::stream *, std::function<void()> what)
{
  what();
  return cudaSuccess;
}

cudaError_t cudaPeekAtLastError()
{
  return cudaSuccess;
}

namespace locus
{

simt_status device_enter(int, int *before)
{
  *before = 0;
  return simt_success;
}

void device_leave(int)
{
}

int device_processors(int)
{
  return 2;
}

simt_status device_take(void **block, int64_t bytes, simt_stream)
{
  *block = malloc((size_t)bytes);
  memset(*block, 0xad, (size_t)bytes);
  return simt_success;
}

void device_release(void *block, simt_stream)
{
  free(block);
}

simt_status device_copy(void *to, const void *from, int64_t bytes, simt_stream)
{
  memcpy(to, from, (size_t)bytes);
  return simt_success;
}

simt_status stream_wait(simt_stream)
{
  return simt_success;
}

simt_stream stream_current(int)
{
  return nullptr;
}

int memory_take(int, int64_t bytes, void **block, simt_stream stream, locus_context *)
{
  return device_take(block, bytes, stream);
}

void device_forget()
{
}

int device_fail(simt_status, locus_context *cx)
{
  return locus_fail(cx, "the heap failed");
}

} // namespace locus
