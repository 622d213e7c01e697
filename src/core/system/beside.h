/* SPDX-License-Identifier: MIT */
/* Shared objects that are installed beside this one, and loaded when they are first needed. */
#ifndef LOCUS_BESIDE_H
#define LOCUS_BESIDE_H

#include <dlfcn.h>

#include "core/ieee.h"

enum { LOCUS_LONGEST_PATH = 4096 };

/* The path of the file of that name beside this module's own. */
const char *locus_path_beside(const char *file, char path[LOCUS_LONGEST_PATH]);

#ifndef RTLD_NODELETE /* not everywhere: it is no part of POSIX */
#define RTLD_NODELETE 0
#endif

#endif
