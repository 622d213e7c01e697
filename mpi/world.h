/* SPDX-License-Identifier: MIT */
/* Declarations that the files of this folder share: the ranks, and how MPI's errors become
** sentences. */
#ifndef LOCUS_MPI_WORLD_H
#define LOCUS_MPI_WORLD_H

#include <mpi.h>
#include <sys/types.h>

#include "core/mpi.h"

/* The elements that one rank has for another, and those that it wants. */
typedef struct locus_peer {
  const char *from;
  int64_t sent;
  char *to;
  int64_t received;
} locus_peer;

typedef struct locus_world {
  int rank, size;
  int64_t round;         /* the most elements in one call of MPI */
  MPI_Comm comm;         /* of all ranks, and of locus alone */
  locus_peer *peers;     /* by rank */
  int *counts, *begins;  /* by rank */
  MPI_Request *requests; /* two by rank */
  bool begun;
  pid_t process; /* which began it; a fork of it takes no part in MPI */
} locus_world;

extern locus_world locus_mpi_world;

/* Whether MPI has been started, by this thread. */
int locus_mpi_started(locus_context *cx);
/* 0, or -1 with MPI's words for a call that did not answer MPI_SUCCESS. */
int locus_mpi_check(int status, const char *function, locus_context *cx);
#define LOCUS_MPI_TRY(function, ...) \
  LOCUS_TRY(locus_mpi_check(function(__VA_ARGS__), #function, cx))

#endif
