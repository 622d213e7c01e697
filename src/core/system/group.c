/* SPDX-License-Identifier: MIT */
/* Finding the control groups of this process. */
#include "core/system/group.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { PATH_BYTES = 4096 };

void locus_group_read(const char *folder, const char *file, int64_t *a, int64_t *b)
{
  char path[2 * PATH_BYTES];
  long long first, second;

  snprintf(path, sizeof path, "%s/%s", folder, file);
  FILE *opened = fopen(path, "r");
  if (!opened) return;
  int count = fscanf(opened, "%lld %lld", &first, &second);
  fclose(opened);
  if (count >= 1) *a = first;
  if (count == 2) *b = second;
}

/* Whether the comma-separated list has the controller. */
static bool lists(char *controllers, const char *controller)
{
  char *rest;
  for (char *name = strtok_r(controllers, ",", &rest); name; name = strtok_r(NULL, ",", &rest))
    if (strcmp(name, controller) == 0) return true;
  return false;
}

/* Visits a group, then those around it, which its path leads through. Inside a container the path
** may be the host's: only the outermost group is found then, which is the container's. */
static void each_around(const char *folder, char *group, bool unified, locus_group_visit *visit,
                        void *user)
{
  char path[2 * PATH_BYTES];

  for (char *end = group + strlen(group); end; end = strrchr(group, '/')) {
    *end = '\0';
    snprintf(path, sizeof path, "%s%s", folder, group);
    visit(path, unified, user);
  }
}

/* /proc/self/cgroup has lines "number:controllers:group"; the unified hierarchy (version 2) lists
** no controllers. */
void locus_group_each(const char *root, const char *controller, locus_group_visit *visit,
                      void *user)
{
  char path[PATH_BYTES], line[PATH_BYTES];

  snprintf(path, sizeof path, "%s/proc/self/cgroup", root);
  FILE *file = fopen(path, "r");
  while (file && fgets(line, sizeof line, file)) {
    char *controllers = strchr(line, ':');
    char *group = controllers ? strchr(controllers + 1, ':') : NULL;
    if (!group) continue;
    *group++ = '\0';
    group[strcspn(group, "\n")] = '\0';
    bool unified = *++controllers == '\0';
    if (!unified && !lists(controllers, controller)) continue;
    snprintf(path, sizeof path, "%s/sys/fs/cgroup%s%s", root, unified ? "" : "/",
             unified ? "" : controller);
    each_around(path, group, unified, visit, user);
  }
  if (file) fclose(file);
}

static void heed_memory(const char *folder, bool unified, void *most)
{
  int64_t *memory = most, limit = INT64_MAX, unused;

  locus_group_read(folder, unified ? "memory.max" : "memory.limit_in_bytes", &limit, &unused);
  if (limit < *memory) *memory = limit;
}

int64_t locus_group_memory(const char *root)
{
  int64_t memory = (int64_t)sysconf(_SC_PHYS_PAGES) * sysconf(_SC_PAGESIZE);

  locus_group_each(root, "memory", heed_memory, &memory);
  return memory;
}
