/* SPDX-License-Identifier: MIT */
/* THE contract between the core and locus/mpi.so, the only module that knows MPI. Ranks are
** numbered from 0, counts are of elements of `width` bytes: 1, 2, 4, 8 or 16. Functions answer 0,
** or -1 with cx->error filled. */
#ifndef LOCUS_MPI_H
#define LOCUS_MPI_H

#include "core/jobs.h"

enum { LOCUS_MPI_VERSION = 1 };

enum { LOCUS_ALL_RANKS = -1 }; /* in place of a root */

typedef struct locus_mpi {
  uint32_t version, bytes; /* LOCUS_MPI_VERSION and the size of this struct */

  /* Starts MPI, unless it has been started. Every other function except `finish` needs that. All
  ** ranks call it. */
  int (*begin)(int *rank, int *size, locus_context *cx);
  /* Ends MPI, on all ranks. */
  int (*finish)(locus_context *cx);

  /* Succeeds if all ranks come here with one signature, which describes the call, and without a
  ** complaint (NULL: none). Else the error is the same sentence on all ranks. It begins with the
  ** lowest rank that is wrong, "rank 3: ", and has its complaint, or the difference between its
  ** call and that of rank 0. */
  int (*agree)(const char *signature, const char *complaint, locus_context *cx);

  /* These functions trust that the arguments of all ranks match, and check nothing. */
  int (*bcast)(void *data, int64_t count, int width, int root, locus_context *cx);
  /* counts[r] elements of rank r end up at `to` in the order of ranks: on the root, or on all. */
  int (*gather)(const void *from, void *to, const int64_t *counts, int width, int root,
                locus_context *cx);
  /* counts[r] elements of the root's `from` go to rank r. */
  int (*scatter)(const void *from, void *to, const int64_t *counts, int width, int root,
                 locus_context *cx);
  /* `count` elements go to each rank and come from it; both lie in the order of ranks. */
  int (*alltoall)(const void *from, void *to, int64_t count, int width, locus_context *cx);
  /* The same, where sent[r] elements go to rank r and received[r] come from it. */
  int (*alltoallv)(const void *from, const int64_t *sent, void *to, const int64_t *received,
                   int width, locus_context *cx);
  /* Combines the ranks' elements by an op of core/binary.def, element by element: on the root, or
  ** on all. `to` is NULL elsewhere. */
  int (*reduce)(const void *from, void *to, int64_t count, locus_dtype dtype, locus_binary op,
                int root, locus_context *cx);
  /* The same over the lower ranks' elements only; rank 0's `to` is not written. */
  int (*exscan)(const void *from, void *to, int64_t count, locus_dtype dtype, locus_binary op,
                locus_context *cx);
  int (*send)(const void *data, int64_t count, int width, int rank, int tag, locus_context *cx);
  int (*receive)(void *data, int64_t count, int width, int rank, int tag, locus_context *cx);
} locus_mpi;

/* b[i] = a[i] op b[i]. */
typedef int locus_combiner(locus_binary op, locus_dtype dtype, int64_t count, void *a, void *b);

/* The one symbol that the shared object exports: locus_mpi_open. Reductions use `combine`. */
typedef const locus_mpi *locus_mpi_opener(locus_combiner *combine);

/* The module, loaded the first time; NULL with an error that says what is missing: the module, its
** version, or MPI's library. */
const locus_mpi *locus_mpi_module(locus_context *cx);

#endif
