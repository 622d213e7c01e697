/* SPDX-License-Identifier: MIT */
/* Reductions over ranks, by the rules of core/binary.def: MPI's own ops have no half floats, do not
** define NaN, and leave the sums of small integers to each library. */
#include "reduce.h"
#include "move.h"

static struct {
  locus_combiner *combine;
  MPI_Op any_order, in_order; /* of ranks */
  locus_binary op;            /* of the reduction that runs */
  locus_dtype dtype;
  int status;
} ops;

/* MPI calls it in the thread that called MPI, during a reduction. */
static void combine(void *a, void *b, int *count, MPI_Datatype *type)
{
  (void)type;
  if (ops.combine(ops.op, ops.dtype, *count, a, b) != 0) ops.status = -1;
}

int locus_mpi_begin_ops(locus_combiner *combiner, locus_context *cx)
{
  ops.combine = combiner;
  LOCUS_MPI_TRY(MPI_Op_create, combine, 1, &ops.any_order);
  LOCUS_MPI_TRY(MPI_Op_create, combine, 0, &ops.in_order);
  return 0;
}

/* The least of two zeros, or of two NaNs, depends on their order. */
static MPI_Op choose_op(locus_dtype dtype, locus_binary op)
{
  const bool extreme = op == LOCUS_BINARY_minimum || op == LOCUS_BINARY_maximum;

  ops.op = op;
  ops.dtype = dtype;
  ops.status = 0;
  return extreme && locus_dtype_kind(dtype) == LOCUS_FLOAT ? ops.in_order : ops.any_order;
}

static int finish(locus_context *cx)
{
  return ops.status == 0 ? 0 : locus_fail(cx, "out of memory during a reduction");
}

enum { EXSCAN = LOCUS_ALL_RANKS - 1 }; /* in place of a root */

static int reduce_part(const void *from, void *to, int count, MPI_Datatype type, MPI_Op op,
                       int root, locus_context *cx)
{
  const MPI_Comm comm = locus_mpi_world.comm;

  if (root == EXSCAN) LOCUS_MPI_TRY(MPI_Exscan, from, to, count, type, op, comm);
  else if (root == LOCUS_ALL_RANKS) LOCUS_MPI_TRY(MPI_Allreduce, from, to, count, type, op, comm);
  else LOCUS_MPI_TRY(MPI_Reduce, from, to, count, type, op, root, comm);
  return 0;
}

int locus_mpi_reduce(const void *from, void *to, int64_t count, locus_dtype dtype, locus_binary op,
                     int root, locus_context *cx)
{
  const int64_t width = locus_dtype_size(dtype), round = locus_mpi_world.round;
  const MPI_Datatype type = locus_mpi_type((int)width);
  const MPI_Op how = choose_op(dtype, op);

  for (int64_t at = 0; at < count; at += round) {
    const int part = (int)(count - at < round ? count - at : round);
    char *result = to ? (char *)to + at * width : NULL;
    LOCUS_TRY(reduce_part((const char *)from + at * width, result, part, type, how, root, cx));
  }
  return finish(cx);
}

int locus_mpi_exscan(const void *from, void *to, int64_t count, locus_dtype dtype, locus_binary op,
                     locus_context *cx)
{
  return locus_mpi_reduce(from, to, count, dtype, op, EXSCAN, cx);
}
