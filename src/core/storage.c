/* SPDX-License-Identifier: MIT */
/* Reference counting. */
#include "core/storage.h"

#include <string.h>

#include "core/memory.h"

enum { HEADER = 64, SMALL = 4096 }; /* bytes; the data stay aligned behind the header */

/* Small bytes of our own share a block with their header: one allocation costs half of two. Large
** ones have a block to themselves, because their sizes tend to fill a size class exactly. */
static bool together(locus_device device, int64_t bytes)
{
  return device == LOCUS_CPU && bytes <= SMALL;
}

static locus_storage *header(locus_device device, int64_t bytes, int64_t block, locus_context *cx)
{
  locus_storage *storage = locus_memory_alloc(block);
  if (!storage) {
    locus_fail_memory(cx, block);
    return NULL;
  }
  atomic_init(&storage->references, 1);
  storage->device = device;
  storage->pinned = false;
  storage->foreign = false;
  storage->readonly = false;
  storage->lender = NULL;
  storage->bytes = bytes;
  return storage;
}

int locus_storage_new(locus_device device, int64_t bytes, locus_storage **made, locus_context *cx)
{
  bool one = together(device, bytes);
  locus_storage *storage = header(device, bytes, one ? HEADER + bytes : HEADER, cx);
  void *block;

  if (!storage) return -1;
  if (one) {
    block = (char *)storage + HEADER;
  } else if (locus_device_alloc(device, bytes, &block, cx)) {
    locus_memory_free(storage, HEADER);
    return -1;
  }
  storage->data = block;
  *made = storage;
  return 0;
}

int locus_storage_new_pinned(int64_t bytes, locus_storage **made, locus_context *cx)
{
  locus_storage *storage = header(LOCUS_CPU, bytes, HEADER, cx);
  void *block;

  if (!storage) return -1;
  if (locus_device_alloc_pinned(bytes, &block, cx)) {
    locus_memory_free(storage, HEADER);
    return -1;
  }
  storage->pinned = true;
  storage->data = block;
  *made = storage;
  return 0;
}

int locus_storage_wrap(const locus_loan *loan, int64_t bytes, locus_storage **made,
                       locus_context *cx)
{
  locus_storage *storage = header(loan->device, bytes, HEADER, cx);
  if (!storage) return -1;
  storage->foreign = true;
  storage->readonly = loan->readonly;
  storage->lender = loan->lender;
  storage->data = loan->data;
  *made = storage;
  return 0;
}

int locus_storage_resize(locus_storage **storage, int64_t bytes, locus_context *cx)
{
  locus_storage *old = *storage, *made;

  if (old->bytes == bytes) return 0;
  if (!together(LOCUS_CPU, old->bytes) && !together(LOCUS_CPU, bytes)) {
    void *moved = locus_memory_resize(old->data, old->bytes, bytes);
    if (!moved) return locus_fail_memory(cx, bytes);
    old->data = moved;
    old->bytes = bytes;
    return 0;
  }
  LOCUS_TRY(locus_storage_new(LOCUS_CPU, bytes, &made, cx));
  memcpy(made->data, old->data, (size_t)(old->bytes < bytes ? old->bytes : bytes));
  locus_storage_release(old);
  *storage = made;
  return 0;
}

void locus_storage_retain(locus_storage *storage)
{
  atomic_fetch_add_explicit(&storage->references, 1, memory_order_relaxed);
}

/* The holder of the only reference need not decrement it: no other thread can add one. */
void locus_storage_release(locus_storage *storage)
{
  if (!storage) return;
  if (!locus_storage_single(storage) &&
      atomic_fetch_sub_explicit(&storage->references, 1, memory_order_acq_rel) > 1)
    return;
  bool own = !storage->foreign, pinned = storage->pinned;
  bool one = own && !pinned && together(storage->device, storage->bytes);
  if (storage->lender) storage->lender->end(storage->lender);
  if (pinned) locus_device_free_pinned(storage->data, storage->bytes);
  else if (own && !one) locus_device_free(storage->device, storage->data, storage->bytes);
  locus_memory_free(storage, one ? HEADER + storage->bytes : HEADER);
}

bool locus_storage_single(const locus_storage *storage)
{
  return atomic_load_explicit(&storage->references, memory_order_acquire) == 1;
}
