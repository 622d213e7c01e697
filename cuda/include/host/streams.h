/* SPDX-License-Identifier: MIT */
/* The streams of each device: the current one of this thread, and one behind the work of all of
** them. The device in question is current. */
#ifndef LOCUS_CUDA_STREAMS_H
#define LOCUS_CUDA_STREAMS_H

#include "cuda/include/host/device.h"

namespace locus
{

/* Where this thread's work for the device goes; null: to the default stream. */
simt_stream stream_current(int device);
void stream_choose(int device, simt_stream stream);

simt_status stream_new(int device, simt_stream *stream);
void stream_free(int device, simt_stream stream);

/* A stream that is behind all work that any stream of the device was given until now. */
simt_status stream_behind_all(int device, simt_stream *behind);

/* Whether the device was ever given work. */
bool stream_used(int device);

} // namespace locus

#endif
