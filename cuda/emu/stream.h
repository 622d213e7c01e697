/* SPDX-License-Identifier: MIT */
/* Streams of the emulator: work is queued, and done when somebody waits for it, as late as a GPU
** might. So what forgets to wait, or to order two streams, reads what is not there yet. */
#ifndef LOCUS_EMU_STREAM_H
#define LOCUS_EMU_STREAM_H

#include <functional>

namespace simt {

struct stream;
struct event;

/* Queues work for the device that is current; a null stream is its default one. Answers its status:
** whether something failed there before. */
int give(stream *where, std::function<void()> what);

} // namespace simt

#endif
