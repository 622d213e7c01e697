/* SPDX-License-Identifier: MIT */
/* Declarations that the parts of the emulated runtime share: its devices, two of them, and their
** state, all under one lock. */
#ifndef LOCUS_EMU_DEVICES_H
#define LOCUS_EMU_DEVICES_H

#include <map>
#include <mutex>
#include <vector>

#include "cuda/emu/cudart.h"

namespace simt
{

enum { DEVICES = 2, HOST = -1, CLASSES = 40 };
static const int64_t MOST_BYTES = (int64_t)1 << 32;

/* Never destroyed, as all state here: tensors may be released while the process ends. */
struct device_state {
  char *range;        /* its memory's addresses */
  int64_t used;       /* bytes of the range that were ever given out */
  int64_t taken;      /* bytes of blocks that are in use */
  int open;           /* who may touch it now */
  cudaError_t failed; /* the answer of every later call */
  std::vector<void *> freed[CLASSES];
  std::map<void *, int> classes; /* of blocks in use */
};

extern device_state *const devices;
extern std::recursive_mutex lock;
extern thread_local int current; /* the device of this thread */

typedef std::lock_guard<std::recursive_mutex> guard;

/* Begins a call that needs the device of this thread, which gets a context if it has none. Fails in
** a child that was forked after devices had been asked for. */
cudaError_t touch();

/* Whether the devices have memory pools. */
bool pools();

} // namespace simt

#endif
