/* SPDX-License-Identifier: MIT */
/* The agreement of all ranks, as core/mpi.h has it. */
#ifndef LOCUS_MPI_AGREE_H
#define LOCUS_MPI_AGREE_H

#include "world.h"

int locus_mpi_agree(const char *signature, const char *complaint, locus_context *cx);

#endif
