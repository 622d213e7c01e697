/* SPDX-License-Identifier: MIT */
/* The ranks, whether MPI runs, and its errors as sentences, for all files of this folder. */
#include "world.h"

#include <unistd.h>

locus_world locus_mpi_world;

int locus_mpi_check(int status, const char *function, locus_context *cx)
{
  char text[MPI_MAX_ERROR_STRING] = "";
  int length;

  if (status == MPI_SUCCESS) return 0;
  MPI_Error_string(status, text, &length);
  return locus_fail(cx, "%s failed on rank %d: %.300s", function, locus_mpi_world.rank, text);
}

int locus_mpi_started(locus_context *cx)
{
  int over, here;

  if (!locus_mpi_world.begun) return locus_fail(cx, "MPI has not been started");
  LOCUS_MPI_TRY(MPI_Finalized, &over);
  if (over) return locus_fail(cx, "MPI has been ended by mpi.finalize or with the process");
  LOCUS_MPI_TRY(MPI_Is_thread_main, &here);
  if (!here || locus_mpi_world.process != getpid())
    return locus_fail(cx, "MPI may be called only by the thread that started it");
  return 0;
}
