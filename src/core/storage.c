/* SPDX-License-Identifier: MIT */
/* Reference counting. */
#include "core/storage.h"

#include "core/memory.h"

static locus_storage *header(locus_device device, int64_t bytes, locus_context *cx)
{
  locus_storage *storage = locus_memory_alloc(sizeof *storage);
  if (!storage) {
    locus_fail_memory(cx, sizeof *storage);
    return NULL;
  }
  atomic_init(&storage->references, 1);
  storage->device = device;
  storage->foreign = false;
  storage->bytes = bytes;
  storage->data = NULL;
  return storage;
}

int locus_storage_new(locus_device device, int64_t bytes, locus_storage **made, locus_context *cx)
{
  locus_storage *storage = header(device, bytes, cx);
  void *block;

  if (!storage) return -1;
  if (locus_device_alloc(device, bytes, &block, cx)) {
    locus_memory_free(storage, sizeof *storage);
    return -1;
  }
  storage->data = block;
  *made = storage;
  return 0;
}

int locus_storage_wrap(void *data, int64_t bytes, locus_storage **made, locus_context *cx)
{
  locus_storage *storage = header(LOCUS_CPU, bytes, cx);
  if (!storage) return -1;
  storage->foreign = true;
  storage->data = data;
  *made = storage;
  return 0;
}

void locus_storage_retain(locus_storage *storage)
{
  atomic_fetch_add_explicit(&storage->references, 1, memory_order_relaxed);
}

void locus_storage_release(locus_storage *storage)
{
  if (!storage) return;
  if (atomic_fetch_sub_explicit(&storage->references, 1, memory_order_acq_rel) > 1) return;
  if (!storage->foreign) locus_device_free(storage->device, storage->data, storage->bytes);
  locus_memory_free(storage, sizeof *storage);
}

bool locus_storage_single(const locus_storage *storage)
{
  return atomic_load_explicit(&storage->references, memory_order_acquire) == 1;
}
