/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* dladdr */
#include "core/system/beside.h"

#include <stdio.h>
#include <string.h>

static const char here; /* an address of this module */

const char *locus_path_beside(const char *file, char path[LOCUS_LONGEST_PATH])
{
  Dl_info info;

  if (!dladdr(&here, &info) || !info.dli_fname) return file;
  const char *slash = strrchr(info.dli_fname, '/');
  const int folder = slash ? (int)(slash + 1 - info.dli_fname) : 0;
  snprintf(path, LOCUS_LONGEST_PATH, "%.*s%s", folder, info.dli_fname, file);
  return path;
}
