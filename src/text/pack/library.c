/* SPDX-License-Identifier: MIT */
/* Libraries of the system that are looked for when they are needed. */
#include "text/pack/library.h"

#include <dlfcn.h>

int locus_library_find(const pack_library *library, const char *what, pack_function *functions,
                       locus_context *cx)
{
  void *found = NULL;

  for (int i = 0; i < 3 && library->files[i] && !found; i++)
    found = dlopen(library->files[i], RTLD_NOW | RTLD_LOCAL);
  if (!found) {
    return locus_fail(cx, "%s, and there is no %s here; install Debian's package %s, or write %s",
                      what, library->name, library->package, library->command);
  }
  for (int i = 0; library->functions[i]; i++) {
    *(void **)&functions[i] = dlsym(found, library->functions[i]);
    if (!functions[i])
      return locus_fail(cx, "%s, and %s here lacks %s", what, library->name, library->functions[i]);
  }
  return 0;
}
