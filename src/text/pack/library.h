/* SPDX-License-Identifier: MIT */
/* Libraries of the system that are looked for when they are needed. */
#ifndef LOCUS_TEXT_LIBRARY_H
#define LOCUS_TEXT_LIBRARY_H

#include "text/pack/codec.h"

/* Finds the library's functions. `what` begins the error: "is compressed by zstd". */
int locus_library_find(const pack_library *library, const char *what, pack_function *functions,
                       locus_context *cx);

#endif
