/* SPDX-License-Identifier: MIT */
/* Lists of columns that are gathered together, and the list of their results. */
#ifndef LOCUS_BIND_GATHERED_H
#define LOCUS_BIND_GATHERED_H

#include "bind/ground/call.h"
#include "op/columns.h"

/* Reads argument i, a list of tensors that its caller alone has. Pushes the memory of the answer,
** and above it a list of results yet to be made. */
locus_gathered *locus_push_gathered(locus_call *call, int i, int *count);

#endif
