/* SPDX-License-Identifier: MIT */
/* Where bytes live and who runs jobs on them. The CPU is device 0. */
#ifndef LOCUS_DEVICE_H
#define LOCUS_DEVICE_H

#include "core/jobs.h"

typedef int32_t locus_device; /* an index; LOCUS_CPU, later one per GPU */
enum { LOCUS_CPU = 0 };

const char *locus_device_name(locus_device device);

/* Finds the device of that name ("cpu"); an error that lists the known ones. */
int locus_device_find(const char *name, locus_device *device, locus_context *cx);

/* The table of job runners of a device. */
const locus_runners *locus_device_runners(locus_device device);

/* Bytes on a device; an error when there are none left. */
int locus_device_alloc(locus_device device, int64_t bytes, void **block, locus_context *cx);
void locus_device_free(locus_device device, void *block, int64_t bytes);

/* Defined by src/cpu: the instruction sets. */
extern const locus_runners *_Atomic locus_cpu_runners; /* the set in use */
/* Chooses the set of that name, the best one for NULL; an error names those this CPU has. */
int locus_cpu_choose(const char *name, locus_context *cx);
/* The i-th set this CPU has, from the plainest to the best; NULL past the end. */
const char *locus_cpu_set(int i);

/* Defined by src/cpu: the threads. How many share a large job, the calling one among them. */
enum { LOCUS_MOST_THREADS = 1024 };
int locus_cpu_threads(void);
void locus_cpu_set_threads(int n); /* 1..LOCUS_MOST_THREADS */
/* The first number: the one that `text` holds; an error that says what it must hold. Without text,
** 1 when the process should be alone on its core, else locus_cpu_cores. */
int locus_cpu_choose_threads(const char *text, bool alone, locus_context *cx);
/* The cores that the affinity mask and the control groups leave to this process. The folder in
** front of /proc and /sys is "", but in specs. */
int locus_cpu_cores(const char *root);

#endif
