/* SPDX-License-Identifier: MIT */
/* Services of a device below a call: being current, memory, copies, streams and events, all asked
** of the CUDA runtime, or of emu/cudart.h in its place. */
#ifndef LOCUS_CUDA_DEVICE_H
#define LOCUS_CUDA_DEVICE_H

#include "cuda/include/block/simt.h"

extern "C" {
#include "core/backend.h"
}

namespace locus
{

static const simt_status simt_success = cudaSuccess, simt_no_memory = cudaErrorMemoryAllocation;

simt_status device_count(int *devices);
simt_status device_describe(int device, locus_device_info *info);
int device_processors(int device);

/* Makes a device current for this thread, then the one before again, unless that has no context,
** which this would make. All that follows concerns the current device; a null stream is its default
** one. */
simt_status device_enter(int device, int *before);
void device_leave(int before);

/* Whether anything has used the device, in this process. */
bool device_has_context(int device);

/* Calls `what` while the device is current. */
template <class F> simt_status on(int device, F what)
{
  int before;
  simt_status status = device_enter(device, &before);
  if (status != simt_success) return status;
  status = what();
  device_leave(before);
  return status;
}

/* Memory in the order of a stream; copies between any two places, behind the stream's work. */
simt_status device_take(void **block, int64_t bytes, simt_stream stream);
void device_release(void *block, simt_stream stream);
simt_status device_copy(void *to, const void *from, int64_t bytes, simt_stream stream);
simt_status device_copy_peer(void *to, int to_device, const void *from, int from_device,
                             int64_t bytes, simt_stream stream);
simt_status device_reaches(int device, const void *address, bool *does);
simt_status device_wait(); /* for all streams */
void device_trim();

/* Page-locked memory of the host, which is that of all devices. */
simt_status host_take(void **block, int64_t bytes);
void host_release(void *block);

simt_status stream_make(simt_stream *stream); /* waits for no other */
void stream_drop(simt_stream stream);         /* its work goes on */
simt_status stream_done(simt_stream stream, bool *done);
simt_status stream_wait(simt_stream stream);
simt_status stream_follow(simt_stream stream, simt_event event); /* later work on it */

simt_status event_make(simt_event *event, bool timed);
void event_drop(simt_event event);
simt_status event_record(simt_event event, simt_stream stream);
simt_status event_done(simt_event event, bool *done);
simt_status event_wait(simt_event event);
simt_status event_elapsed(simt_event begin, simt_event end, float *milliseconds);

/* Forgets the last error of this thread, which may be another library's. */
void device_forget();

/* Fills the error with the meaning of the status; -1. */
int device_fail(simt_status status, locus_context *cx);

} // namespace locus

#endif
