/* SPDX-License-Identifier: MIT */
/* Bytes shared by tensors: reference counted, on one device. */
#ifndef LOCUS_STORAGE_H
#define LOCUS_STORAGE_H

#include <stdatomic.h>

#include "core/device.h"

/* The lender of a storage's bytes. `end` is called once, when nothing refers to them any more, on
** the thread that drops the last reference. */
typedef struct locus_lender {
  void (*end)(struct locus_lender *lender);
} locus_lender;

typedef struct locus_storage {
  atomic_int references;
  locus_device device;
  bool pinned;   /* page-locked bytes of the host */
  bool foreign;  /* the bytes belong to somebody else */
  bool readonly; /* nobody may write to them */
  int64_t bytes;
  char *data;
  locus_lender *lender; /* of foreign bytes; NULL: the binding keeps their owner alive */
} locus_storage;

/* New bytes with one reference; 64-byte aligned, not cleared. */
int locus_storage_new(locus_device device, int64_t bytes, locus_storage **made, locus_context *cx);

/* The same in page-locked memory of the host. */
int locus_storage_new_pinned(int64_t bytes, locus_storage **made, locus_context *cx);

/* Bytes that somebody else has. */
typedef struct locus_loan {
  locus_device device;
  void *data;
  bool readonly;
  locus_lender *lender; /* NULL: the caller sees to it that the bytes stay */
} locus_loan;

/* Foreign bytes with one reference. On failure the lender has not been called. */
int locus_storage_wrap(const locus_loan *loan, int64_t bytes, locus_storage **made,
                       locus_context *cx);

/* Resizes bytes of our own on the CPU, to which the caller holds the only reference; the first ones
** are kept. On failure nothing changes. */
int locus_storage_resize(locus_storage **storage, int64_t bytes, locus_context *cx);

void locus_storage_retain(locus_storage *storage);
void locus_storage_release(locus_storage *storage); /* NULL is fine */

/* Whether two storages cannot share a byte, since both are blocks of our own. */
static inline bool locus_storage_apart(const locus_storage *a, const locus_storage *b)
{
  return a != b && !a->foreign && !b->foreign;
}

/* Whether the caller holds the only reference. */
bool locus_storage_single(const locus_storage *storage);

#endif
