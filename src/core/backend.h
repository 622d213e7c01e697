/* SPDX-License-Identifier: MIT */
/* THE contract between the core and a backend in a shared object of its own: locus/cuda.so, or
** locus/cuda_emu.so, the same kernels run by a CPU. Devices are numbered from 0 here; functions
** answer 0, or -1 with cx->error filled. */
#ifndef LOCUS_BACKEND_H
#define LOCUS_BACKEND_H

#include "core/jobs.h"

enum { LOCUS_BACKEND_VERSION = 1, LOCUS_MOST_DEVICES = 64 };

typedef struct locus_device_info {
  char name[128];
  int32_t major, minor; /* of its compute capability */
  int32_t processors;
  int64_t bytes, free_bytes;
} locus_device_info;

enum { LOCUS_HOST = -1 }; /* in place of a device, in a transfer */

typedef struct locus_backend {
  uint32_t version, bytes;      /* LOCUS_BACKEND_VERSION and the size of this struct */
  const locus_runners *runners; /* of jobs for device cx->device - 1 */
  int (*count)(int *devices, locus_context *cx); /* no driver or no device: an error that says so */
  int (*describe)(int device, locus_device_info *info, locus_context *cx);
  int (*alloc)(int device, int64_t bytes, void **block, locus_context *cx);
  void (*release)(int device, void *block);
  void (*trim)(int device); /* gives freed memory back to the system */
  /* Bytes from one device, or the host, to another, behind all work given to either; waits. */
  int (*transfer)(void *to, int to_device, const void *from, int from_device, int64_t bytes,
                  locus_context *cx);
  int (*synchronize)(int device, locus_context *cx);
} locus_backend;

/* The one symbol that a backend's shared object has: locus_backend_open. */
typedef const locus_backend *locus_backend_opener(void);

#endif
