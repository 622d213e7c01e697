/* SPDX-License-Identifier: MIT */
/* Bytes shared by tensors: reference counted, on one device. */
#ifndef LOCUS_STORAGE_H
#define LOCUS_STORAGE_H

#include <stdatomic.h>

#include "core/device.h"

typedef struct locus_storage {
  atomic_int references;
  locus_device device;
  bool pinned;  /* page-locked bytes of the host */
  bool foreign; /* the bytes belong to somebody else, whom the binding keeps alive */
  int64_t bytes;
  char *data;
} locus_storage;

/* New bytes with one reference; 64-byte aligned, not cleared. */
int locus_storage_new(locus_device device, int64_t bytes, locus_storage **made, locus_context *cx);

/* The same in page-locked memory of the host. */
int locus_storage_new_pinned(int64_t bytes, locus_storage **made, locus_context *cx);

/* Somebody else's bytes with one reference; never freed by us. */
int locus_storage_wrap(locus_device device, void *data, int64_t bytes, locus_storage **made,
                       locus_context *cx);

/* Gives bytes of our own on the CPU, to which the caller holds the only reference, another number;
** the first ones are kept. On failure all stays as it was. */
int locus_storage_resize(locus_storage **storage, int64_t bytes, locus_context *cx);

void locus_storage_retain(locus_storage *storage);
void locus_storage_release(locus_storage *storage); /* NULL is fine */

/* Whether they cannot share a byte: two blocks of our own. */
static inline bool locus_storage_apart(const locus_storage *a, const locus_storage *b)
{
  return a != b && !a->foreign && !b->foreign;
}

/* Whether the caller holds the only reference. */
bool locus_storage_single(const locus_storage *storage);

#endif
