/* SPDX-License-Identifier: MIT */
/* The number of threads to start with: the environment's, else the number of cores that the system
** lets this process have. Compiled once, for every instruction set. */
#ifdef __linux__
#define _GNU_SOURCE /* sched_getaffinity */
#endif
#include <sched.h>
#include <stdlib.h>
#include <unistd.h>

#include "core/device.h"
#include "core/system/group.h"

/* Lowers `most`, a number of cores, to the quota of a group: a number of microseconds in every
** period, rounded up to whole cores. */
static void heed_quota(const char *folder, bool unified, void *most)
{
  int64_t *cores = most, quota = -1, period = -1;

  if (unified) {
    locus_group_read(folder, "cpu.max", &quota, &period);
  } else {
    locus_group_read(folder, "cpu.cfs_quota_us", &quota, &quota);
    locus_group_read(folder, "cpu.cfs_period_us", &period, &period);
  }
  if (quota <= 0 || period <= 0) return;
  int64_t allowed = (quota - 1) / period + 1;
  if (allowed < *cores) *cores = allowed;
}

/* The cores that this process may run on, if the system says so. */
static int64_t own_cores(void)
{
#ifdef __linux__
  cpu_set_t set;

  if (sched_getaffinity(0, sizeof set, &set) == 0) return CPU_COUNT(&set);
#endif
  return sysconf(_SC_NPROCESSORS_ONLN);
}

int locus_cpu_cores(const char *root)
{
  int64_t most = own_cores();

  locus_group_each(root, "cpu", heed_quota, &most);
  return most < 1 ? 1 : most > LOCUS_MOST_THREADS ? LOCUS_MOST_THREADS : (int)most;
}

int locus_cpu_choose_threads(const char *text, bool alone, locus_context *cx)
{
  char *end;
  long n = text ? strtol(text, &end, 10) : alone ? 1 : locus_cpu_cores("");

  if (text && (end == text || *end || n < 1 || n > LOCUS_MOST_THREADS)) {
    return locus_fail(cx, "LOCUS_NUM_THREADS is \"%.20s\", but must be a whole number from 1 to %d",
                      text, LOCUS_MOST_THREADS);
  }
  if (locus_cpu_threads() == 0) locus_cpu_set_threads((int)n);
  return 0;
}
