/* SPDX-License-Identifier: MIT */
/* Does as a library built with -Ofast does when it is loaded: denormal numbers are zero. */
#include <stdint.h>

#if defined __x86_64__
static uint32_t state(void)
{
  uint32_t word;
  __asm__ volatile("stmxcsr %0" : "=m"(word));
  return word;
}

static void set(uint32_t word)
{
  __asm__ volatile("ldmxcsr %0" : : "m"(word));
}
enum { FLUSHES = 0x8040, UPWARD = 0x4000 };
#else
static uint64_t state(void)
{
  uint64_t word;
  __asm__ volatile("mrs %0, fpcr" : "=r"(word));
  return word;
}

static void set(uint64_t word)
{
  __asm__ volatile("msr fpcr, %0" : : "r"(word));
}
enum { FLUSHES = 0x1000000, UPWARD = 0x400000 };
#endif

void flushing_on(void)
{
  set(state() | FLUSHES);
}
void flushing_off(void)
{
  set(state() & ~FLUSHES);
}
void upward_on(void)
{
  set(state() | UPWARD);
}
void upward_off(void)
{
  set(state() & ~UPWARD);
}
int is_flushing(void)
{
  return (state() & FLUSHES) != 0;
}
