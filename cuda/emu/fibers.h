/* SPDX-License-Identifier: MIT */
/* The interpreter: blocks run one after the other on one thread of the system, and every CUDA
** thread of a block is a fiber. __syncthreads and the *_sync operations of warps are real
** rendezvous: a fiber yields until all that must arrive have arrived.
**   LOCUS_EMU_ORDER 0 forward, 1 reverse and one warp as far as it can before the others, n > 1
**   random: the order in which fibers go on. An answer that changes with it is a race.
**   Dynamic shared memory is a fresh, poisoned block of the heap of exactly the size asked for.
**   When no fiber can go on, the process ends with a report.
** What it cannot see: races between blocks, the memory model, limits on registers, time. */
#ifndef LOCUS_EMU_FIBERS_H
#define LOCUS_EMU_FIBERS_H

#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>

namespace simt {

enum {
  WARP = 32,
  MOST_THREADS = 1024,
  MOST_SHARED = 227 << 10,
  STACK_BYTES = 128 << 10, /* of a fiber */
  SLOT_BYTES = 16,         /* the largest value that lanes exchange */
};

struct index3 {
  unsigned x, y, z;
};

/* Lanes that meet, and what they hand each other: two banks, so that a lane can go on to the next
** exchange while others still read from this one. */
struct warp {
  uint32_t arrived;
  uint32_t meetings[WARP];
  alignas(16) unsigned char slot[2][WARP][SLOT_BYTES];
};

/* Where to go on. Unlike swapcontext, this asks nothing of the system. */
#if defined(__clang__) && !defined(__x86_64__)
typedef jmp_buf resumption;
#define SIMT_PAUSE(here) _setjmp(here)
#define SIMT_RESUME(there) _longjmp(there, 1)
#else
typedef void *resumption[5];
#define SIMT_PAUSE(here) __builtin_setjmp(here)
#define SIMT_RESUME(there) __builtin_longjmp(there, 1)
#endif

/* For functions that resume as another fiber: the compiler must not look through them. */
#ifdef __clang__
#define SIMT_SWITCHES __attribute__((noinline, no_sanitize("address")))
#else
#define SIMT_SWITCHES __attribute__((noipa, no_sanitize("address")))
#endif

/* Once made, it runs one thread after the other. */
struct fiber {
  resumption at;
  ucontext_t beginning;
  std::unique_ptr<char[]> stack; /* none: not made yet */
  bool begun, done, at_barrier;
  unsigned exchanges;
};

/* The launch that is being run, and where in it we are. */
struct launch {
  index3 thread, block, threads, blocks;
  unsigned char *shared;
  const std::function<void()> *kernel;
  std::vector<fiber> fibers;
  std::vector<warp> warps;
  resumption scheduler;
  uint64_t steps; /* taken so far by any fiber: a round without one is a deadlock */
  uint64_t random;
};

inline launch running;

inline unsigned lane()
{
  return running.thread.x % WARP;
}

[[noreturn]] inline void fail(const char *what, unsigned a, unsigned b)
{
  fprintf(stderr, "emu: block %u, thread %u: ", running.block.x, running.thread.x);
  fprintf(stderr, what, a, b);
  fputc('\n', stderr);
  abort();
}

inline int order()
{
  static const char *const text = getenv("LOCUS_EMU_ORDER");
  static const int chosen = text ? atoi(text) : 0;
  return chosen;
}

/* -- Within a fiber ---------------------------------------------------------------------------- */

/* On its own, since no function may both pause and resume. */
SIMT_SWITCHES inline void go_on(resumption &there)
{
  SIMT_RESUME(there);
}

SIMT_SWITCHES inline void give_way()
{
  if (SIMT_PAUSE(running.fibers[running.thread.x].at) == 0) go_on(running.scheduler);
}

inline void block_sync()
{
  fiber &self = running.fibers[running.thread.x];

  self.at_barrier = true;
  running.steps++;
  while (self.at_barrier) give_way();
}

/* Waits until all lanes of the mask have arrived. */
inline void warp_sync(uint32_t mask)
{
  const unsigned self = lane();
  warp &w = running.warps[running.thread.x / WARP];
  const uint32_t meeting = w.meetings[self];

  if (!(mask >> self & 1)) fail("lane %u is not in its own mask %08x", self, mask);
  w.arrived |= 1u << self;
  running.steps++;
  if ((w.arrived & mask) != mask) {
    while (w.meetings[self] == meeting) give_way();
    return;
  }
  w.arrived &= ~mask;
  for (unsigned i = 0; i < WARP; i++) w.meetings[i] += mask >> i & 1;
}

/* The bank in which this lane meets the others next. */
inline unsigned bank()
{
  return running.fibers[running.thread.x].exchanges++ % 2;
}

/* Every lane hands its value out, and gets the one of lane `from`. */
template <class T> T exchange(uint32_t mask, const T &value, unsigned from)
{
  static_assert(sizeof(T) <= SLOT_BYTES, "lanes exchange at most 16 bytes");
  const unsigned b = bank();
  warp &w = running.warps[running.thread.x / WARP];
  T other;

  if (!(mask >> from % WARP & 1)) fail("lane %u, which mask %08x is without, is read", from, mask);
  memcpy(w.slot[b][lane()], &value, sizeof value);
  warp_sync(mask);
  memcpy(&other, w.slot[b][from % WARP], sizeof other);
  return other;
}

inline uint32_t ballot(uint32_t mask, bool vote)
{
  const unsigned b = bank();
  warp &w = running.warps[running.thread.x / WARP];
  uint32_t votes = 0;

  w.slot[b][lane()][0] = vote;
  warp_sync(mask);
  for (unsigned i = 0; i < WARP; i++)
    if ((mask >> i & 1) && w.slot[b][i][0]) votes |= 1u << i;
  return votes;
}

/* -- The scheduler ----------------------------------------------------------------------------- */

inline void fiber_body()
{
  for (;;) {
    (*running.kernel)();
    running.fibers[running.thread.x].done = true;
    running.steps++;
    give_way();
  }
}

inline void fiber_start(fiber &f)
{
  f.done = f.at_barrier = false;
  f.exchanges = 0;
  if (f.stack) return;
  f.stack.reset(new char[STACK_BYTES]);
  f.begun = false;
  getcontext(&f.beginning);
  f.beginning.uc_stack.ss_sp = f.stack.get();
  f.beginning.uc_stack.ss_size = STACK_BYTES;
  f.beginning.uc_link = nullptr;
  makecontext(&f.beginning, fiber_body, 0);
}

inline void shuffle(std::vector<unsigned> &turns)
{
  for (size_t i = turns.size() - 1; i > 0; i--) {
    running.random = running.random * 6364136223846793005u + 1442695040888963407u;
    std::swap(turns[i], turns[(running.random >> 33) % (i + 1)]);
  }
}

SIMT_SWITCHES inline void resume(fiber &f)
{
  if (SIMT_PAUSE(running.scheduler) != 0) return;
  if (f.begun) go_on(f.at);
  f.begun = true;
  setcontext(&f.beginning);
}

/* Lets a fiber go on until it must wait. */
inline void take_turn(unsigned turn)
{
  fiber &f = running.fibers[turn];

  if (f.done || f.at_barrier) return;
  running.thread = {turn, 0, 0};
  resume(f);
}

/* Lets every fiber go on; in order 1 those of a warp again and again, until they all must wait for
** the rest of the block. Answers how many fibers are not done. */
inline unsigned take_turns(const std::vector<unsigned> &turns)
{
  const uint64_t before = running.steps;
  const size_t together = order() == 1 ? (size_t)WARP : turns.size();
  unsigned alive = 0, waiting = 0;

  for (size_t begin = 0; begin < turns.size(); begin += together) {
    uint64_t steps;
    do {
      steps = running.steps;
      for (size_t i = begin; i < turns.size() && i < begin + together; i++) take_turn(turns[i]);
    } while (order() == 1 && running.steps != steps);
  }
  for (unsigned turn : turns) {
    alive += !running.fibers[turn].done;
    waiting += running.fibers[turn].at_barrier;
  }
  if (alive > 0 && waiting == alive) {
    for (unsigned turn : turns) running.fibers[turn].at_barrier = false;
  } else if (alive > 0 && running.steps == before) {
    fail("deadlock: %u alive, %u at the barrier", alive, waiting);
  }
  return alive;
}

inline void run_block(unsigned number, size_t shared)
{
  const unsigned threads = running.threads.x;
  std::unique_ptr<unsigned char[]> memory(new unsigned char[shared]);
  std::vector<unsigned> turns(threads);

  memset(memory.get(), 0xad, shared);
  running.shared = memory.get();
  running.block = {number, 0, 0};
  running.warps.assign((threads + WARP - 1) / WARP, warp());
  for (unsigned i = 0; i < threads; i++) {
    fiber_start(running.fibers[i]);
    turns[i] = order() == 1 ? threads - 1 - i : i;
  }
  do {
    if (order() > 1) shuffle(turns);
  } while (take_turns(turns) > 0);
}

/* One launch; kernels do not launch others. */
inline void run(unsigned blocks, unsigned threads, size_t shared,
                const std::function<void()> &kernel)
{
  if (threads == 0 || threads > MOST_THREADS) fail("a block of %u threads", threads, 0);
  if (shared > MOST_SHARED) fail("%u bytes of shared memory", (unsigned)shared, 0);
  running.kernel = &kernel;
  running.blocks = {blocks, 1, 1};
  running.threads = {threads, 1, 1};
  running.random = (uint64_t)order();
  if (running.fibers.size() < threads) running.fibers.resize(threads);
  for (unsigned i = 0; i < blocks; i++) run_block(i, shared);
}

} // namespace simt

#endif
