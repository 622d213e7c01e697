/* SPDX-License-Identifier: MIT */
/* Memory for tensors and calls: of a device, which is current then, and page-locked of the host. */
#ifndef LOCUS_CUDA_MEMORY_H
#define LOCUS_CUDA_MEMORY_H

#include "cuda/include/host/device.h"

namespace locus
{

/* Asked before each allocation; NULL: none must fail. */
extern bool (*memory_must_fail)(void);

/* In the order of the stream. */
int memory_take(int device, int64_t bytes, void **block, simt_stream stream, locus_context *cx);
/* Behind all work that the device was given until now. */
void memory_release(int device, void *block);

/* The same for page-locked memory and all devices; the one that is named will use it. */
int pinned_take(int device, int64_t bytes, void **block, locus_context *cx);
void pinned_release(void *block, int64_t bytes);
void pinned_trim(); /* gives back memory that no device uses */

} // namespace locus

#endif
