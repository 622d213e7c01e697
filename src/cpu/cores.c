/* SPDX-License-Identifier: MIT */
/* How many threads there should be: what the environment says, else the cores that the system
** lets this process have. Compiled once, for every instruction set. */
#define _GNU_SOURCE /* sched_getaffinity */
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/device.h"

enum { PATH_BYTES = 4096 };

/* The cores of a quota of so many microseconds in every period, rounded up; `most` without one. */
static int64_t cores_of(int64_t quota, int64_t period, int64_t most)
{
  return quota > 0 && period > 0 ? (quota - 1) / period + 1 : most;
}

/* Reads up to two integers from a file; a missing file or another word leaves them as they are. */
static void read_integers(const char *path, int64_t *a, int64_t *b)
{
  FILE *file = fopen(path, "r");
  long long first, second;

  if (!file) return;
  int count = fscanf(file, "%lld %lld", &first, &second);
  fclose(file);
  if (count >= 1) *a = first;
  if (count == 2) *b = second;
}

/* The least that a group, the last part of the path, and those around it allow. Inside a container
** the path may be the host's: only the outermost group is found then, which is the container's. */
static int64_t least_quota(const char *folder, char *group, bool unified, int64_t most)
{
  char path[2 * PATH_BYTES];

  for (char *end = group + strlen(group); end; end = strrchr(group, '/')) {
    int64_t quota = -1, period = -1;
    *end = '\0';
    if (unified) {
      snprintf(path, sizeof path, "%s%s/cpu.max", folder, group);
      read_integers(path, &quota, &period);
    } else {
      snprintf(path, sizeof path, "%s%s/cpu.cfs_quota_us", folder, group);
      read_integers(path, &quota, &quota);
      snprintf(path, sizeof path, "%s%s/cpu.cfs_period_us", folder, group);
      read_integers(path, &period, &period);
    }
    int64_t cores = cores_of(quota, period, most);
    if (cores < most) most = cores;
  }
  return most;
}

/* Whether "cpu" is one of the controllers that are listed with commas between them. */
static bool lists_cpu(char *controllers)
{
  char *rest;
  for (char *name = strtok_r(controllers, ",", &rest); name; name = strtok_r(NULL, ",", &rest))
    if (strcmp(name, "cpu") == 0) return true;
  return false;
}

/* /proc/self/cgroup has lines "number:controllers:group"; the unified hierarchy (version 2) lists
** no controllers. */
static int64_t quota(const char *root, int64_t most)
{
  char path[PATH_BYTES], line[PATH_BYTES];

  snprintf(path, sizeof path, "%s/proc/self/cgroup", root);
  FILE *file = fopen(path, "r");
  while (file && fgets(line, sizeof line, file)) {
    char *controllers = line + strcspn(line, ":"), *group = strrchr(line, ':');
    if (!group || controllers == group) continue;
    *group++ = '\0';
    group[strcspn(group, "\n")] = '\0';
    bool unified = *++controllers == '\0';
    if (!unified && !lists_cpu(controllers)) continue;
    snprintf(path, sizeof path, "%s/sys/fs/cgroup%s", root, unified ? "" : "/cpu");
    most = least_quota(path, group, unified, most);
  }
  if (file) fclose(file);
  return most;
}

int locus_cpu_cores(const char *root)
{
  cpu_set_t set;
  int64_t most = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set)
                                                             : sysconf(_SC_NPROCESSORS_ONLN);

  most = quota(root, most);
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
