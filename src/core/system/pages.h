/* SPDX-License-Identifier: MIT */
/* Memory straight from the kernel, in huge pages if it has them. With small pages a script's first
** calls would spend more time on page faults than on elements. */
#ifndef LOCUS_PAGES_H
#define LOCUS_PAGES_H

#include <stdint.h>

#include "core/ieee.h"

/* A large block by itself, which munmap gives back; NULL when the system has no memory. */
void *locus_pages_map(int64_t bytes);

/* A piece of that many bytes, a multiple of a small page, beside others. */
void *locus_pages_take(int64_t bytes);
/* Its pages go back to the system. The rest of it serves the next piece of the same size. */
void locus_pages_give_back(void *piece, int64_t bytes);

/* Called around a fork, so that the child finds a consistent state. */
void locus_pages_lock(void);
void locus_pages_unlock(void);

#endif
