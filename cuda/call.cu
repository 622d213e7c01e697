/* SPDX-License-Identifier: MIT */
/* The course of a call: see call.h. */
#include "cuda/include/host/call.h"

#include <cstdlib>

#include "cuda/include/host/memory.h"
#include "cuda/include/host/streams.h"

namespace locus
{

call::call(const char *name, locus_context *context)
    : stream(), processors(1), op(name), cx(context), status(0), device(context->device - 1),
      before(0), taken(0)
{
  note(device_enter(device, &before));
  if (!ok()) return;
  processors = device_processors(device);
  stream = stream_current(device);
}

call::~call()
{
  for (int i = 0; i < taken; i++) device_release(temporary_blocks[i], stream);
  device_leave(before);
}

void *call::temporary(int64_t bytes)
{
  void *block = nullptr;

  if (!ok()) return nullptr;
  if (taken == MOST_TEMPORARIES) {
    status = locus_fail(cx, "%s: more than %d temporary blocks", op, MOST_TEMPORARIES);
    return nullptr;
  }
  status = memory_take(device, bytes, &block, stream, cx);
  if (ok()) temporary_blocks[taken++] = block;
  return block;
}

void call::read(void *host, const void *device_bytes, int64_t bytes)
{
  if (ok()) note(device_copy(host, device_bytes, bytes, stream));
  if (ok()) note(stream_wait(stream));
}

int call::end()
{
  if (ok() && call_waits()) note(stream_wait(stream));
  return status;
}

void call::note(simt_status result)
{
  if (!ok() || result == simt_success) return;
  status = device_fail(result, cx);
}

bool call_waits()
{
  static const char *const asked = getenv("LOCUS_CUDA_SYNC");
  return asked && *asked && strcmp(asked, "0") != 0;
}

} // namespace locus
