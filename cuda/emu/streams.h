/* SPDX-License-Identifier: MIT */
/* The streams of the emulated devices, besides what cudart.h offers of them. */
#ifndef LOCUS_EMU_STREAMS_H
#define LOCUS_EMU_STREAMS_H

#include "cuda/emu/devices.h"

namespace simt
{

/* Queues our own bookkeeping, which does not fail. */
cudaError_t keep_books(stream *where, std::function<void()> what);

/* Does all work that the device was given. */
void drain_device(int device);

} // namespace simt

#endif
