/* SPDX-License-Identifier: MIT */
/* The first fault that threads find in an array: each notes its own, and the least one stays. */
#ifndef LOCUS_TEXT_FAULT_H
#define LOCUS_TEXT_FAULT_H

#include <stdatomic.h>
#include <stdint.h>

static inline void note_fault(_Atomic int64_t *first, int64_t i)
{
  int64_t least = atomic_load(first);
  while (i < least && !atomic_compare_exchange_weak(first, &least, i)) {
  }
}

#endif
