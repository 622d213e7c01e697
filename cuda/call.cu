/* SPDX-License-Identifier: MIT */
/* The course of a call: see call.h. */
#include "cuda/call.h"

namespace locus {

call::call(const char *name, locus_context *context)
    : stream(), processors(1), op(name), cx(context), status(0), device(context->device - 1),
      before(0), taken(0)
{
  note(device_enter(device, &before));
  if (ok()) processors = device_processors(device);
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
  note(device_take(&block, bytes, stream));
  if (ok()) temporary_blocks[taken++] = block;
  return block;
}

void call::read(void *host, const void *device_bytes, int64_t bytes)
{
  if (ok()) note(device_copy(host, device_bytes, bytes, stream));
  if (ok()) note(device_wait(stream));
}

void call::note(simt_status result)
{
  if (!ok() || result == simt_success) return;
  status = device_fail(result, cx);
}

} // namespace locus
