/* SPDX-License-Identifier: MIT */
/* Devices hold bytes and run jobs on them. The CPU is device 0. */
#ifndef LOCUS_DEVICE_H
#define LOCUS_DEVICE_H

#include "core/backend.h"

enum { LOCUS_CPU = 0 }; /* device i + 1 is the i-th one of CUDA */

const char *locus_device_name(locus_device device); /* "cpu", "cuda:0", ... */

/* Finds the device of that name ("cpu", "cuda", "cuda:1"), "cuda" being the current one. The first
** call loads the backend; an error says what is missing. */
int locus_device_find(const char *name, locus_device *device, locus_context *cx);

/* The job runners of a device, which becomes cx->device: the one that they run on. */
const locus_runners *locus_device_runners(locus_device device, locus_context *cx);

/* Bytes on a device; an error when there are none left. */
int locus_device_alloc(locus_device device, int64_t bytes, void **block, locus_context *cx);
void locus_device_free(locus_device device, void *block, int64_t bytes);

/* Page-locked bytes of the host, on the device LOCUS_CPU. They need CUDA. */
int locus_device_alloc_pinned(int64_t bytes, void **block, locus_context *cx);
void locus_device_free_pinned(void *block, int64_t bytes);

/* Gives freed memory of devices back to the system. Waits for them. */
void locus_device_trim(void);

/* Copies bytes from one device to another; see locus_backend. */
int locus_device_transfer(locus_device to_device, void *to, locus_device from_device,
                          const void *from, int64_t bytes, bool wait, locus_context *cx);

/* Copies bytes from a device to the host, after the work of its current stream; waits. */
int locus_device_fetch(locus_device device, void *to, const void *from, int64_t bytes,
                       locus_context *cx);

/* The backend of CUDA, loaded the first time; NULL with an error that says what is missing: the
** module, its version, a driver, or a device. */
const locus_backend *locus_cuda(locus_context *cx);
int locus_cuda_count(void);              /* devices; 0 before it is loaded, or without it */
int locus_cuda_current(void);            /* of this thread */
void locus_cuda_set_current(int device); /* below the count */

/* The bytes that tensors hold, and the bytes that were ever allocated: on one device, or, for
** LOCUS_CPU, on all other devices and in page-locked memory. */
int64_t locus_device_live(locus_device device);
int64_t locus_device_allocated(locus_device device);

/* Defined by src/cpu: the instruction sets. */
extern const locus_runners *_Atomic locus_cpu_runners; /* the set in use */
/* Chooses the set of that name, the best one for NULL; an error names those this CPU has. */
int locus_cpu_choose(const char *name, locus_context *cx);
/* The i-th set this CPU has, from the plainest to the best; NULL past the end. */
const char *locus_cpu_set(int i);

/* Defined by src/cpu: the threads. The number that share a large job, including the calling one. */
enum { LOCUS_MOST_THREADS = 1024 };
int locus_cpu_threads(void);
void locus_cpu_set_threads(int n); /* 1..LOCUS_MOST_THREADS */
/* Sets the number to start with: the one that `text` spells, or an error that says how to spell it.
** Without text it is 1 when the process is to keep to one core (`alone`), else locus_cpu_cores. */
int locus_cpu_choose_threads(const char *text, bool alone, locus_context *cx);
/* The cores that the affinity mask and the control groups leave to this process. `root` is a prefix
** of /proc and /sys; it is "" except in specs. */
int locus_cpu_cores(const char *root);

#endif
