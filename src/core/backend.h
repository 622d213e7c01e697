/* SPDX-License-Identifier: MIT */
/* THE contract between the core and a backend in a shared object of its own: locus/cuda.so, or
** locus/cuda_emu.so, the same kernels run by a CPU. Devices are numbered from 0 here; functions
** answer 0, or -1 with cx->error filled. */
#ifndef LOCUS_BACKEND_H
#define LOCUS_BACKEND_H

#include "core/jobs.h"

enum { LOCUS_BACKEND_VERSION = 5, LOCUS_MOST_DEVICES = 64 };

typedef struct locus_device_info {
  char name[128];
  int32_t major, minor; /* of its compute capability */
  int32_t processors;
  int64_t bytes, free_bytes;
} locus_device_info;

enum { LOCUS_HOST = -1 }; /* in place of a device, in a transfer */

typedef struct locus_backend {
  uint32_t version, bytes;                       /* LOCUS_BACKEND_VERSION, LOCUS_BACKEND_BYTES */
  const locus_runners *runners;                  /* of jobs for device cx->device - 1 */
  int (*count)(int *devices, locus_context *cx); /* no driver or no device: an error that says so */
  int (*describe)(int device, locus_device_info *info, locus_context *cx);

  /* Memory, in the order of the current stream. Released memory is reused only after all work that
  ** any stream of its device had by then. */
  int (*alloc)(int device, int64_t bytes, void **block, locus_context *cx);
  void (*release)(int device, void *block);
  /* Page-locked memory of the host, which all devices read and write without the CPU; `device` is
  ** the one that will. Released memory is reused only after all work that any device had by
  ** then. */
  int (*host_alloc)(int device, int64_t bytes, void **block, locus_context *cx);
  void (*host_release)(void *block, int64_t bytes);
  /* Waits for all devices, and gives freed memory of both kinds back to the system. */
  void (*trim)(void);
  /* Whether the device can read the memory at that address. */
  int (*reaches)(int device, const void *address, bool *does, locus_context *cx);

  /* Copies bytes between devices, or a device and the host, after all work given to the current
  ** streams of both and before all later work. With `wait` the copy is finished on return, which
  ** memory of the host that is not page-locked requires. */
  int (*transfer)(void *to, int to_device, const void *from, int from_device, int64_t bytes,
                  bool wait, locus_context *cx);
  int (*synchronize)(int device, locus_context *cx); /* all its streams */

  /* Streams: queues of work, each in order. NULL is a device's default one. Each thread has a
  ** current one for each device, at first the default one. */
  int (*stream_new)(int device, void **stream, locus_context *cx);
  void (*stream_free)(int device, void *stream); /* its work goes on */
  void *(*stream_current)(int device);
  void (*stream_choose)(int device, void *stream);
  int (*stream_done)(int device, void *stream, bool *done, locus_context *cx);
  int (*stream_synchronize)(int device, void *stream, locus_context *cx);
  int (*stream_wait)(int device, void *stream, void *event, locus_context *cx);

  /* Events: marks in a stream's work; a new one counts as passed. */
  int (*event_new)(int device, bool timed, void **event, locus_context *cx);
  void (*event_free)(int device, void *event);
  int (*event_record)(int device, void *event, void *stream, locus_context *cx);
  int (*event_done)(int device, void *event, bool *done, locus_context *cx);
  int (*event_synchronize)(int device, void *event, locus_context *cx);
  int (*event_elapsed)(int device, void *begin, void *end, double *milliseconds, locus_context *cx);
} locus_backend;

/* The sizes of all structs that core and backend must agree on, jobs included. Another sum means
** another version, even if the version numbers agree. */
enum {
#define JOB(runner, type) +sizeof(locus_##type##_job)
  LOCUS_BACKEND_BYTES = sizeof(locus_backend) + sizeof(locus_runners) LOCUS_JOBS(JOB)
#undef JOB
};

/* The one symbol that a backend's shared object exports: locus_backend_open. It asks must_fail
** before each allocation, so that specs can make this one fail. */
typedef const locus_backend *locus_backend_opener(bool (*must_fail)(void));

#endif
