/* SPDX-License-Identifier: MIT */
/* The memory of the emulator's devices, and the host's that is page-locked. Callers take turns. */
#ifndef LOCUS_EMU_SPACE_H
#define LOCUS_EMU_SPACE_H

#include <stdint.h>

namespace simt {

enum { DEVICES = 2, HOST = -1 };
static const int64_t MOST_BYTES = (int64_t)1 << 32; /* of each device */

/* From open to close, which nest, a device's memory may be touched; HOST's always may. */
void space_open(int device);
void space_close(int device);

/* The device whose memory is there, or HOST. */
int space_of(const void *address);

/* Bytes of blocks that are in use. */
int64_t space_taken(int device);

/* A block, nullptr where there is no room; and back. */
void *space_take(int device, int64_t bytes);
void space_release(int device, void *block);

/* Gives back what lies behind the last block in use, so that opening and closing are fast. */
void space_trim(int device);

/* Page-locked memory of the host; take gives nullptr where there is none. */
void *locked_take(int64_t bytes);
void locked_release(void *block);
bool is_locked(const void *address);

} // namespace simt

#endif
