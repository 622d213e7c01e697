/* SPDX-License-Identifier: MIT */
/* Files as memory: pages that the system reads when they are touched. */
#ifndef LOCUS_MAPPING_H
#define LOCUS_MAPPING_H

#include "core/storage.h"

/* Lends the bytes of an open file, a descriptor, from `offset`, for reading alone or for writing to
** the file, too; errors name the path. loan->lender ends the mapping. A program that shortens the
** file later takes pages away, and touching those ends the process with SIGBUS. Errors: those of
** the system; a file that has fewer bytes. */
int locus_mapping_begin(int file, const char *path, int64_t offset, int64_t bytes, bool writable,
                        locus_loan *loan, locus_context *cx);

/* Tells the system that scattered pages of the file will be read until the mapping ends, so that it
** does not read ahead. Other bytes are not affected. */
void locus_mapping_scattered(const locus_storage *storage);

#endif
