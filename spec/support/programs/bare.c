/* SPDX-License-Identifier: MIT */
/* Loaded before luajit: a system without the libraries of compression. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <string.h>

void *dlopen(const char *file, int mode)
{
  static const char *const hidden[] = {"libz.", "libzstd.", "liblzma.", "libbz2.", "liblz4."};
  void *(*real)(const char *, int);

  for (int i = 0; file && i < 5; i++)
    if (strstr(file, hidden[i])) return NULL;
  *(void **)&real = dlsym(RTLD_NEXT, "dlopen");
  return real(file, mode);
}
