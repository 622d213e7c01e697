/* SPDX-License-Identifier: MIT */
/* What the files of this folder share: the ranks, and how MPI's errors become sentences. */
#ifndef LOCUS_MPI_WORLD_H
#define LOCUS_MPI_WORLD_H

#include <mpi.h>

#include "core/mpi.h"

/* What one rank has for another, and wants of it. */
typedef struct locus_peer {
  const char *from;
  int64_t sent;
  char *to;
  int64_t received;
} locus_peer;

typedef struct locus_world {
  int rank, size;
  int64_t round;       /* the most elements in one call of MPI */
  MPI_Comm comm;       /* of all ranks, and of locus alone */
  locus_peer *peers;   /* by rank */
  int *counts, *begins; /* by rank */
  MPI_Request *requests; /* two by rank */
} locus_world;

extern locus_world locus_mpi_world;

/* Whether MPI has been started, by this thread. */
int locus_mpi_started(locus_context *cx);
/* 0, or -1 with what MPI says of a call that did not answer MPI_SUCCESS. */
int locus_mpi_check(int status, const char *function, locus_context *cx);
#define LOCUS_MPI_TRY(function, ...) \
  LOCUS_TRY(locus_mpi_check(function(__VA_ARGS__), #function, cx))

MPI_Datatype locus_mpi_type(int width); /* as which elements travel */

/* As core/mpi.h has them. */
int locus_mpi_agree(const char *signature, const char *complaint, locus_context *cx);
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
int locus_mpi_reduce(const void *from, void *to, int64_t count, locus_dtype dtype, locus_binary op,
                     int root, locus_context *cx);
int locus_mpi_exscan(const void *from, void *to, int64_t count, locus_dtype dtype, locus_binary op,
                     locus_context *cx);

/* Makes MPI's ops of the core's kernels. */
int locus_mpi_begin_ops(locus_combiner *combine, locus_context *cx);

#endif
