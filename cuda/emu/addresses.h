/* SPDX-License-Identifier: MIT */
/* The addresses of the emulated devices: which are whose, and who may touch them now. All under
** the lock of devices.h. */
#ifndef LOCUS_EMU_ADDRESSES_H
#define LOCUS_EMU_ADDRESSES_H

#include "cuda/emu/devices.h"

namespace simt
{

enum { HUGE_PAGE = 2 << 20 };

/* Lets work touch the memory of a device until as many calls have closed it. HOST: nothing. */
void open_memory(int device);
void close_memory(int device);

/* Adds bytes behind those that were ever given out; false where the range ends. */
bool extend(int device, int64_t bytes, void **block);

/* The device whose memory is there, or HOST; and whether that is page-locked. */
int place_of(const void *address);
bool is_pinned(const void *address);
void pin(void *block, int64_t bytes);
void unpin(void *block);

} // namespace simt

#endif
