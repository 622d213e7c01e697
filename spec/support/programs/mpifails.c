/* SPDX-License-Identifier: MIT */
/* Loaded before MPI's library, it stands in front of functions that mpi/ calls, and has one of the
** calls answer that it failed, although it did its work: so ranks that all do the same stay
** together. */
#include <mpi.h>
#include <stdlib.h>

static int countdown, failures, all;

/* For the script: the k-th call from now on fails, none with 0. How many have since the last time.
** Those that each rank makes for itself do not count. */
int mpifails_at(int k)
{
  const int before = failures;
  failures = 0;
  countdown = k;
  return before;
}

/* For what is called before the script can say so: there all count. */
__attribute__((constructor)) static void begin(void)
{
  const char *text = getenv("MPIFAILS_AT");
  all = text != NULL;
  if (text) countdown = atoi(text);
}

static int answer(int status)
{
  if (countdown == 0 || --countdown > 0) return status;
  failures++;
  return MPI_ERR_OTHER;
}

#define FRONT(name, parameters, arguments) \
  int MPI_##name parameters                \
  {                                        \
    return answer(PMPI_##name arguments);  \
  }
#define ALONE(name, parameters, arguments)    \
  int MPI_##name parameters                   \
  {                                           \
    const int status = PMPI_##name arguments; \
    return all ? answer(status) : status;     \
  }

ALONE(Initialized, (int *is), (is))
ALONE(Finalized, (int *is), (is))
ALONE(Is_thread_main, (int *is), (is))
FRONT(Init_thread, (int *argc, char ***argv, int wanted, int *level), (argc, argv, wanted, level))
FRONT(Comm_dup, (MPI_Comm comm, MPI_Comm *twin), (comm, twin))
ALONE(Comm_set_errhandler, (MPI_Comm comm, MPI_Errhandler handler), (comm, handler))
ALONE(Comm_rank, (MPI_Comm comm, int *rank), (comm, rank))
ALONE(Comm_size, (MPI_Comm comm, int *size), (comm, size))
ALONE(Op_create, (MPI_User_function * f, int commutes, MPI_Op *op), (f, commutes, op))
FRONT(Allreduce, (const void *from, void *to, int n, MPI_Datatype type, MPI_Op op, MPI_Comm comm),
      (from, to, n, type, op, comm))
FRONT(Reduce,
      (const void *from, void *to, int n, MPI_Datatype type, MPI_Op op, int root, MPI_Comm comm),
      (from, to, n, type, op, root, comm))
FRONT(Exscan, (const void *from, void *to, int n, MPI_Datatype type, MPI_Op op, MPI_Comm comm),
      (from, to, n, type, op, comm))
FRONT(Bcast, (void *data, int n, MPI_Datatype type, int root, MPI_Comm comm),
      (data, n, type, root, comm))
FRONT(Gatherv,
      (const void *from, int n, MPI_Datatype type, void *to, const int *counts, const int *begins,
       MPI_Datatype same, int root, MPI_Comm comm),
      (from, n, type, to, counts, begins, same, root, comm))
FRONT(Scatterv,
      (const void *from, const int *counts, const int *begins, MPI_Datatype type, void *to, int n,
       MPI_Datatype same, int root, MPI_Comm comm),
      (from, counts, begins, type, to, n, same, root, comm))
FRONT(Allgatherv,
      (const void *from, int n, MPI_Datatype type, void *to, const int *counts, const int *begins,
       MPI_Datatype same, MPI_Comm comm),
      (from, n, type, to, counts, begins, same, comm))
FRONT(Alltoall,
      (const void *from, int n, MPI_Datatype type, void *to, int m, MPI_Datatype same,
       MPI_Comm comm),
      (from, n, type, to, m, same, comm))
FRONT(Irecv,
      (void *data, int n, MPI_Datatype type, int from, int tag, MPI_Comm comm,
       MPI_Request *request),
      (data, n, type, from, tag, comm, request))
FRONT(Isend,
      (const void *data, int n, MPI_Datatype type, int to, int tag, MPI_Comm comm,
       MPI_Request *request),
      (data, n, type, to, tag, comm, request))
FRONT(Waitall, (int n, MPI_Request *requests, MPI_Status *statuses), (n, requests, statuses))
FRONT(Send, (const void *data, int n, MPI_Datatype type, int to, int tag, MPI_Comm comm),
      (data, n, type, to, tag, comm))
FRONT(Recv,
      (void *data, int n, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Status *status),
      (data, n, type, from, tag, comm, status))

/* Without its work: afterwards MPI could not say what is wrong. */
int MPI_Finalize(void)
{
  const int status = all ? answer(MPI_SUCCESS) : MPI_SUCCESS;
  return status == MPI_SUCCESS ? PMPI_Finalize() : status;
}
