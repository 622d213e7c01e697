/* SPDX-License-Identifier: MIT */
/* Elements from rank to rank, as core/mpi.h has it. */
#ifndef LOCUS_MPI_MOVE_H
#define LOCUS_MPI_MOVE_H

#include "world.h"

MPI_Datatype locus_mpi_type(int width); /* as which elements travel */

int locus_mpi_bcast(void *data, int64_t count, int width, int root, locus_context *cx);
int locus_mpi_gather(const void *from, void *to, const int64_t *counts, int width, int root,
                     locus_context *cx);
int locus_mpi_scatter(const void *from, void *to, const int64_t *counts, int width, int root,
                      locus_context *cx);
int locus_mpi_alltoall(const void *from, void *to, int64_t count, int width, locus_context *cx);
int locus_mpi_alltoallv(const void *from, const int64_t *sent, void *to, const int64_t *received,
                        int width, locus_context *cx);
int locus_mpi_send(const void *data, int64_t count, int width, int rank, int tag,
                   locus_context *cx);
int locus_mpi_receive(void *data, int64_t count, int width, int rank, int tag, locus_context *cx);

#endif
