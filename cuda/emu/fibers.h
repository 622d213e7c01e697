/* SPDX-License-Identifier: MIT */
/* The interpreter: every CUDA thread of a block is a fiber on one thread of the system.
** __syncthreads and the *_sync operations of warps are real rendezvous: a fiber yields until all
** that must arrive have arrived.
**   LOCUS_EMU_ORDER is the order in which blocks are taken and their fibers go on. 0: forward, one
**   block after the other. 1: backward, one warp as far as it can before the others. n > 1: random,
**   the fibers of several blocks mixed. An answer that changes with it is a race.
**   Dynamic shared memory is a fresh, poisoned block of the heap of exactly the size asked for.
**   When no fiber can go on, the process ends with a report.
** It cannot see: a race that none of these orders shows, the memory model, registers, time. */
#ifndef LOCUS_EMU_FIBERS_H
#define LOCUS_EMU_FIBERS_H

#include <algorithm>
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

namespace simt
{

enum {
  WARP = 32,
  BESIDE = 4,              /* blocks that are mixed */
  STACK_BYTES = 128 << 10, /* of a fiber */
  SLOT_BYTES = 16,         /* the largest value that lanes exchange */
};

struct index3 {
  unsigned x, y, z;
};

/* Lanes that meet, and the values that they exchange: two banks, so that a lane can go on to the
** next exchange while others still read from this one. */
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

/* For functions that resume as another fiber: the compiler must not look through them, and what has
** paused must not have returned. */
#ifdef __clang__
#define SIMT_SWITCHES __attribute__((noinline, disable_tail_calls, no_sanitize("address")))
#else
#define SIMT_SWITCHES __attribute__((noipa, no_sanitize("address")))
#endif

struct resident;

/* Once made, it runs one thread after the other. */
struct fiber {
  resumption at;
  ucontext_t beginning;
  std::unique_ptr<char[]> stack; /* none: not made yet */
  resident *home;
  unsigned thread, exchanges;
  bool begun, at_barrier, done = true;
};

/* A block that is running, and the shared state of its threads. */
struct resident {
  unsigned number;
  std::unique_ptr<unsigned char[]> shared;
  std::vector<fiber> fibers;
  std::vector<warp> warps;
};

/* The launch that is being run, and where in it we are. */
struct launch {
  index3 thread, block, threads, blocks;
  const std::function<void()> *kernel;
  std::vector<resident> residents; /* their fibers serve later launches, too */
  fiber *self;
  resumption scheduler;
  uint64_t steps; /* taken so far by any fiber: a round without one is a deadlock */
  uint64_t random;
};

inline launch running;

inline unsigned lane()
{
  return running.thread.x % WARP;
}

inline warp &own_warp()
{
  return running.self->home->warps[running.thread.x / WARP];
}

inline void *shared_memory()
{
  return running.self->home->shared.get();
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

SIMT_SWITCHES inline void yield_fiber()
{
  if (SIMT_PAUSE(running.self->at) == 0) go_on(running.scheduler);
}

inline void block_sync()
{
  fiber &self = *running.self;

  self.at_barrier = true;
  running.steps++;
  while (self.at_barrier) yield_fiber();
}

/* Waits until all lanes of the mask have arrived. */
inline void warp_sync(uint32_t mask)
{
  const unsigned self = lane();
  warp &w = own_warp();
  const uint32_t meeting = w.meetings[self];

  if (!(mask >> self & 1)) fail("lane %u is not in its own mask %08x", self, mask);
  w.arrived |= 1u << self;
  running.steps++;
  if ((w.arrived & mask) != mask) {
    while (w.meetings[self] == meeting) yield_fiber();
    return;
  }
  w.arrived &= ~mask;
  for (unsigned i = 0; i < WARP; i++) w.meetings[i] += mask >> i & 1;
}

/* The bank in which this lane meets the others next. */
inline unsigned bank()
{
  return running.self->exchanges++ % 2;
}

/* Every lane hands its value out, and gets the one of lane `from`. */
template <class T> T exchange(uint32_t mask, const T &value, unsigned from)
{
  static_assert(sizeof(T) <= SLOT_BYTES, "lanes exchange at most 16 bytes");
  const unsigned b = bank();
  warp &w = own_warp();
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
  warp &w = own_warp();
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
    running.self->done = true;
    running.steps++;
    yield_fiber();
  }
}

inline void make(fiber &f)
{
  f.stack.reset(new char[STACK_BYTES]);
  f.begun = false;
  getcontext(&f.beginning);
  f.beginning.uc_stack.ss_sp = f.stack.get();
  f.beginning.uc_stack.ss_size = STACK_BYTES;
  f.beginning.uc_link = nullptr;
  makecontext(&f.beginning, fiber_body, 0);
}

template <class T> void shuffle(std::vector<T> &turns)
{
  for (size_t i = turns.size() - 1; i > 0; i--) {
    running.random = running.random * 6364136223846793005u + 1442695040888963407u;
    std::swap(turns[i], turns[(running.random >> 33) % (i + 1)]);
  }
}

/* 0 .. n - 1, in the order asked for. */
inline std::vector<unsigned> in_order(unsigned n)
{
  std::vector<unsigned> numbers(n);

  for (unsigned i = 0; i < n; i++) numbers[i] = order() == 1 ? n - 1 - i : i;
  if (order() > 1) shuffle(numbers);
  return numbers;
}

SIMT_SWITCHES inline void resume(fiber &f)
{
  if (SIMT_PAUSE(running.scheduler) != 0) return;
  if (f.begun) go_on(f.at);
  f.begun = true;
  setcontext(&f.beginning);
}

/* Lets a fiber go on until it must wait. */
inline void take_turn(fiber &f)
{
  if (f.done || f.at_barrier) return;
  running.self = &f;
  running.block.x = f.home->number;
  running.thread.x = f.thread;
  resume(f);
}

/* Lets every fiber go on; in order 1 those of a warp again and again, until they all must wait for
** the rest of the block. */
inline void take_turns(std::vector<fiber *> &turns)
{
  const size_t together = order() == 1 ? (size_t)WARP : turns.size();

  if (order() > 1) shuffle(turns);
  for (size_t begin = 0; begin < turns.size(); begin += together) {
    uint64_t steps;
    do {
      steps = running.steps;
      for (size_t i = begin; i < turns.size() && i < begin + together; i++) take_turn(*turns[i]);
    } while (order() == 1 && running.steps != steps);
  }
}

/* Opens the barrier when all are there that are not done. Answers how many that is. */
inline unsigned open_barrier(resident &r)
{
  unsigned alive = 0, waiting = 0;

  for (unsigned i = 0; i < running.threads.x; i++) {
    alive += !r.fibers[i].done;
    waiting += r.fibers[i].at_barrier;
  }
  for (unsigned i = 0; waiting == alive && i < running.threads.x; i++)
    r.fibers[i].at_barrier = false;
  return alive;
}

/* Begins another block. Answers how many threads it has. */
inline unsigned begin(resident &r, unsigned number, size_t shared)
{
  const unsigned threads = running.threads.x;

  r.number = number;
  r.shared.reset(new unsigned char[shared]);
  memset(r.shared.get(), 0xad, shared);
  r.warps.assign((threads + WARP - 1) / WARP, warp());
  for (unsigned i = 0; i < threads; i++) {
    fiber &f = r.fibers[i];
    f.home = &r;
    f.thread = i;
    f.exchanges = 0;
    f.done = f.at_barrier = false;
    if (!f.stack) make(f);
  }
  return threads;
}

/* The fibers of the first residents, in their order. */
inline std::vector<fiber *> fibers_of(unsigned residents)
{
  const std::vector<unsigned> threads = in_order(running.threads.x);
  std::vector<fiber *> turns;

  if (running.residents.size() < residents) running.residents.resize(residents);
  for (unsigned i = 0; i < residents; i++) {
    auto &fibers = running.residents[i].fibers;
    if (fibers.size() < threads.size()) fibers.resize(threads.size());
    for (unsigned thread : threads) turns.push_back(&fibers[thread]);
  }
  return turns;
}

/* One launch; kernels do not launch others. Between launches all fibers are done. */
inline void run(unsigned blocks, unsigned threads, size_t shared,
                const std::function<void()> &kernel)
{
  const unsigned beside = order() > 1 ? std::min<unsigned>(blocks, BESIDE) : 1;
  unsigned begun = 0;

  running.kernel = &kernel;
  running.blocks = {blocks, 1, 1};
  running.threads = {threads, 1, 1};
  running.random = (uint64_t)order();
  const std::vector<unsigned> numbers = in_order(blocks);
  std::vector<fiber *> turns = fibers_of(beside);
  for (;;) {
    unsigned alive = 0;
    for (unsigned i = 0; i < beside; i++) {
      resident &r = running.residents[i];
      unsigned left = open_barrier(r);
      if (left == 0 && begun < blocks) left = begin(r, numbers[begun++], shared);
      alive += left;
    }
    if (alive == 0) return;
    const uint64_t before = running.steps;
    take_turns(turns);
    if (running.steps == before) fail("deadlock: %u threads wait", alive, 0);
  }
}

} // namespace simt

#endif
