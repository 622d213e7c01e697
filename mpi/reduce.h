/* SPDX-License-Identifier: MIT */
/* Answers made of the elements of all ranks, as core/mpi.h has them. */
#ifndef LOCUS_MPI_REDUCE_H
#define LOCUS_MPI_REDUCE_H

#include "world.h"

int locus_mpi_reduce(const void *from, void *to, int64_t count, locus_dtype dtype, locus_binary op,
                     int root, locus_context *cx);
int locus_mpi_exscan(const void *from, void *to, int64_t count, locus_dtype dtype, locus_binary op,
                     locus_context *cx);

/* Makes MPI's ops from the core's kernels. */
int locus_mpi_begin_ops(locus_combiner *combine, locus_context *cx);

#endif
