/* SPDX-License-Identifier: MIT */
/* The control groups of this process, of version 1 and 2, in which the kernel states its limits. */
#ifndef LOCUS_GROUP_H
#define LOCUS_GROUP_H

#include <stdbool.h>
#include <stdint.h>

#include "core/ieee.h"

typedef void locus_group_visit(const char *folder, bool unified, void *user);

/* Visits the group of that controller ("cpu", "memory") and those around it; `unified` tells
** version 2 from version 1. `root` is a prefix of /proc and /sys; it is "" except in specs. */
void locus_group_each(const char *root, const char *controller, locus_group_visit *visit,
                      void *user);

/* Reads up to two integers from a file of a group. If the file is missing, or has a word in place
** of a number, they are not changed. */
void locus_group_read(const char *folder, const char *file, int64_t *a, int64_t *b);

/* The bytes of memory that the machine and the groups allow this process. */
int64_t locus_group_memory(const char *root);

#endif
