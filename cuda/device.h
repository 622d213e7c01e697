/* SPDX-License-Identifier: MIT */
/* What a device offers below a call: being current, memory, copies. device.cu asks the CUDA
** runtime; emu/device.cpp has one device in the memory of this process. */
#ifndef LOCUS_CUDA_DEVICE_H
#define LOCUS_CUDA_DEVICE_H

#include "cuda/simt.h"

extern "C" {
#include "core/backend.h"
}

namespace locus {

static const simt_status simt_success = simt_status(0);


simt_status device_count(int *devices);
simt_status device_describe(int device, locus_device_info *info);
int device_processors(int device);

/* Makes a device current for this thread, and the one before so again. */
simt_status device_enter(int device, int *before);
void device_leave(int before);

/* Memory in the order of the stream; copies between any two places, behind the stream's work. */
simt_status device_take(void **block, int64_t bytes, simt_stream stream);
void device_release(void *block, simt_stream stream);
simt_status device_copy(void *to, const void *from, int64_t bytes, simt_stream stream);
simt_status device_copy_peer(void *to, int to_device, const void *from, int from_device,
                             int64_t bytes);
simt_status device_wait(simt_stream stream);
void device_trim(int device);

/* Fills the error with what the status means; -1. */
int device_fail(simt_status status, locus_context *cx);

} // namespace locus

#endif
