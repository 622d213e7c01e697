/* SPDX-License-Identifier: MIT */
/* Files as memory: pages that the system reads when they are touched. */
#ifndef LOCUS_MAPPING_H
#define LOCUS_MAPPING_H

#include "core/storage.h"

/* Lends the bytes of an open file, a descriptor, from `offset` on, for reading alone or for writing
** to the file, too; errors call it by its path. loan->lender ends the mapping. A program that
** shortens the file later takes pages away, and touching those ends the process with SIGBUS.
** Errors: what the system says; fewer bytes than these. */
int locus_mapping_begin(int file, const char *path, int64_t offset, int64_t bytes, bool writable,
                        locus_loan *loan, locus_context *cx);

/* Tells the system that what is read of the file will be a page here and there, until the mapping
** ends: none is read ahead. Other bytes are left alone. */
void locus_mapping_scattered(const locus_storage *storage);

#endif
