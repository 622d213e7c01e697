/* SPDX-License-Identifier: MIT */
/* Counts what a process hands to MPI, by MPI's own profiling interface: loaded before MPI's
** library, it stands in front of functions that mpi/ calls. For a collective the bytes are those
** that this rank gives; for MPI_Alltoall without those that it keeps. */
#include <mpi.h>
#include <stdint.h>
#include <string.h>

/* clang-format off */
#define FUNCTIONS(FUNCTION)                                                              \
  FUNCTION(Allreduce) FUNCTION(Reduce) FUNCTION(Exscan) FUNCTION(Bcast) FUNCTION(Gatherv) \
  FUNCTION(Allgatherv) FUNCTION(Alltoall) FUNCTION(Isend) FUNCTION(Send)
/* clang-format on */

enum function {
#define FUNCTION(name) name,
  FUNCTIONS(FUNCTION)
#undef FUNCTION
      NONE
};

static struct {
  int64_t calls, bytes;
} counts[NONE + 1];

static enum function find(const char *wanted)
{
#define FUNCTION(name) \
  if (strcmp(wanted, #name) == 0) return name;
  FUNCTIONS(FUNCTION)
#undef FUNCTION
  return NONE;
}

/* For the script. */
void pmpi_reset(void)
{
  memset(counts, 0, sizeof counts);
}

double pmpi_calls(const char *function)
{
  return (double)counts[find(function)].calls;
}

double pmpi_bytes(const char *function)
{
  return (double)counts[find(function)].bytes;
}

static void count(enum function function, int64_t elements, MPI_Datatype type)
{
  int size;

  PMPI_Type_size(type, &size);
  counts[function].calls++;
  counts[function].bytes += elements * size;
}

int MPI_Allreduce(const void *from, void *to, int n, MPI_Datatype type, MPI_Op op, MPI_Comm comm)
{
  count(Allreduce, n, type);
  return PMPI_Allreduce(from, to, n, type, op, comm);
}

int MPI_Reduce(const void *from, void *to, int n, MPI_Datatype type, MPI_Op op, int root,
               MPI_Comm comm)
{
  count(Reduce, n, type);
  return PMPI_Reduce(from, to, n, type, op, root, comm);
}

int MPI_Exscan(const void *from, void *to, int n, MPI_Datatype type, MPI_Op op, MPI_Comm comm)
{
  count(Exscan, n, type);
  return PMPI_Exscan(from, to, n, type, op, comm);
}

int MPI_Bcast(void *data, int n, MPI_Datatype type, int root, MPI_Comm comm)
{
  int rank;

  PMPI_Comm_rank(comm, &rank);
  count(Bcast, rank == root ? n : 0, type);
  return PMPI_Bcast(data, n, type, root, comm);
}

int MPI_Gatherv(const void *from, int n, MPI_Datatype type, void *to, const int *ns,
                const int *begins, MPI_Datatype to_type, int root, MPI_Comm comm)
{
  count(Gatherv, n, type);
  return PMPI_Gatherv(from, n, type, to, ns, begins, to_type, root, comm);
}

int MPI_Allgatherv(const void *from, int n, MPI_Datatype type, void *to, const int *ns,
                   const int *begins, MPI_Datatype to_type, MPI_Comm comm)
{
  count(Allgatherv, n, type);
  return PMPI_Allgatherv(from, n, type, to, ns, begins, to_type, comm);
}

int MPI_Alltoall(const void *from, int n, MPI_Datatype type, void *to, int to_n,
                 MPI_Datatype to_type, MPI_Comm comm)
{
  int size;

  PMPI_Comm_size(comm, &size);
  count(Alltoall, (int64_t)n * (size - 1), type);
  return PMPI_Alltoall(from, n, type, to, to_n, to_type, comm);
}

int MPI_Isend(const void *data, int n, MPI_Datatype type, int rank, int tag, MPI_Comm comm,
              MPI_Request *request)
{
  count(Isend, n, type);
  return PMPI_Isend(data, n, type, rank, tag, comm, request);
}

int MPI_Send(const void *data, int n, MPI_Datatype type, int rank, int tag, MPI_Comm comm)
{
  count(Send, n, type);
  return PMPI_Send(data, n, type, rank, tag, comm);
}
