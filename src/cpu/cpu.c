/* SPDX-License-Identifier: MIT */
/* Chooses the instruction set. Compiled for the plainest CPU. */
#ifdef __x86_64__
#include <cpuid.h>
#endif
#include <stdio.h>
#include <string.h>

#include "core/device.h"

extern const locus_runners locus_cpu_scalar;
#ifdef LOCUS_HAVE_avx2
extern const locus_runners locus_cpu_avx2;
#endif
#ifdef LOCUS_HAVE_avx512
extern const locus_runners locus_cpu_avx512;
#endif
#ifdef LOCUS_HAVE_neon
extern const locus_runners locus_cpu_neon;
#endif

const locus_runners *_Atomic locus_cpu_runners = &locus_cpu_scalar;

static bool always(void)
{
  return true;
}

#if defined(LOCUS_HAVE_avx2) || defined(LOCUS_HAVE_avx512)
static bool has_avx2(void)
{
  unsigned a, b, features = 0, d;

  __get_cpuid(1, &a, &b, &features, &d); /* not every compiler knows "f16c" by name */
  return features & bit_F16C && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") &&
         __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("popcnt");
}
#endif

#ifdef LOCUS_HAVE_avx512
static bool has_avx512(void)
{
  return has_avx2() && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
         __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
         __builtin_cpu_supports("avx512vbmi") && __builtin_cpu_supports("avx512vbmi2");
}
#endif

/* From the plainest to the best. */
static const struct {
  const locus_runners *runners;
  bool (*supported)(void);
} sets[] = {
    {&locus_cpu_scalar, always},
#ifdef LOCUS_HAVE_avx2
    {&locus_cpu_avx2, has_avx2},
#endif
#ifdef LOCUS_HAVE_avx512
    {&locus_cpu_avx512, has_avx512},
#endif
#ifdef LOCUS_HAVE_neon
    {&locus_cpu_neon, always}, /* a part of the architecture */
#endif
};

enum { SETS = sizeof sets / sizeof sets[0] };

const char *locus_cpu_set(int i)
{
  for (int s = 0; s < SETS; s++)
    if (sets[s].supported() && i-- == 0) return sets[s].runners->name;
  return NULL;
}

int locus_cpu_choose(const char *name, locus_context *cx)
{
  char known[80] = "";

  for (int s = SETS - 1; s >= 0; s--) {
    if (!sets[s].supported()) continue;
    if (!name || strcmp(name, sets[s].runners->name) == 0) {
      locus_cpu_runners = sets[s].runners;
      return 0;
    }
    snprintf(known + strlen(known), sizeof known - strlen(known), " %s", sets[s].runners->name);
  }
  return locus_fail(cx, "LOCUS_ISA is \"%.20s\", but this CPU has:%s", name, known);
}
