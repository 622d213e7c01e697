/* SPDX-License-Identifier: MIT */
/* The floating-point state of a thread. Libraries built with -ffast-math or -Ofast may make the
** thread flush denormal numbers to zero, or not round to the nearest. Our answers are those of IEEE
** 754, so the state is set for the time of a call and then restored. */
#ifndef LOCUS_FLOATS_H
#define LOCUS_FLOATS_H

#include <stdint.h>

#include "core/ieee.h"

/* The bits of the state for that; none if the CPU is unknown. */
#if defined __x86_64__
enum { LOCUS_FLUSHES = 0x8040, LOCUS_ROUNDS = 0x6000 };
#elif defined __aarch64__
enum { LOCUS_FLUSHES = 0x1080000, LOCUS_ROUNDS = 0xc00000 };
#else
enum { LOCUS_FLUSHES = 0, LOCUS_ROUNDS = 0 };
#endif

static inline uint64_t locus_floats_state(void)
{
#if defined __x86_64__
  uint32_t state;
  __asm__ volatile("stmxcsr %0" : "=m"(state));
  return state;
#elif defined __aarch64__
  uint64_t state;
  __asm__ volatile("mrs %0, fpcr" : "=r"(state));
  return state;
#else
  return 0;
#endif
}

static inline void locus_floats_set(uint64_t state)
{
#if defined __x86_64__
  const uint32_t word = (uint32_t)state;
  __asm__ volatile("ldmxcsr %0" : : "m"(word) : "memory");
#elif defined __aarch64__
  __asm__ volatile("msr fpcr, %0" : : "r"(state) : "memory");
#else
  (void)state;
#endif
}

/* Whether a thread of that state does not compute as IEEE 754 has it. */
static inline int locus_floats_differ(uint64_t state)
{
  return (state & (LOCUS_FLUSHES | LOCUS_ROUNDS)) != 0;
}

/* Makes the thread compute by IEEE 754. Returns its old state, for locus_floats_end. */
static inline uint64_t locus_floats_begin(void)
{
  const uint64_t before = locus_floats_state();
  if (__builtin_expect(locus_floats_differ(before), 0))
    locus_floats_set(before & ~(uint64_t)(LOCUS_FLUSHES | LOCUS_ROUNDS));
  return before;
}

static inline void locus_floats_end(uint64_t before)
{
  if (__builtin_expect(locus_floats_differ(before), 0)) locus_floats_set(before);
}

#endif
