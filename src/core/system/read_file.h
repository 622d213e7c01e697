/* SPDX-License-Identifier: MIT */
/* Long reads of files: by all threads where the file has places. */
#ifndef LOCUS_READ_FILE_H
#define LOCUS_READ_FILE_H

#include <stdio.h>

#include "core/error.h"

/* As fread of bytes, which it is for short reads, pipes, and what fails. */
size_t locus_read_file(char *to, size_t count, FILE *file, locus_context *cx);

#endif
