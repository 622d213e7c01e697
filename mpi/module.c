/* SPDX-License-Identifier: MIT */
/* From MPI_Init to MPI_Finalize, and the one symbol of this module. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "agree.h"
#include "move.h"
#include "reduce.h"
#include "world.h"

enum { LONGEST_ROUND = 1 << 30 };

static struct {
  locus_combiner *combine;
  bool agreed;
  bool ours; /* to end, too */
} state;

/* -- The end ----------------------------------------------------------------------------------- */

/* The system keeps eight bits of a status, so a multiple of 256 would count as 0. */
static bool looks_like_0(int status)
{
  return status != 0 && (status & 0xff) == 0;
}

/* The job ends with the first process that fails, since others would wait for it for ever. A
** process that comes to its end agrees with the others there, or with the call in which they
** are. */
static void leave_world(int status)
{
  locus_context cx;

  if (status != 0 && locus_mpi_world.size > 1)
    MPI_Abort(MPI_COMM_WORLD, looks_like_0(status) ? EXIT_FAILURE : status);
  if (locus_mpi_agree("the end of its script", NULL, &cx) != 0) {
    fprintf(stderr, "locus: %s\n", cx.error.message);
    MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
  }
  if (state.ours) MPI_Finalize();
}

/* After mpi.finalize, too, a status that the system takes for 0 becomes 1. */
static void leave(int status)
{
  int over = 1;

  if (!locus_mpi_world.begun || locus_mpi_world.process != getpid()) return;
  if (MPI_Finalized(&over) != MPI_SUCCESS) return;
  fflush(NULL);
  if (!over) leave_world(status);
  if (looks_like_0(status)) _exit(EXIT_FAILURE);
}

#ifdef __GLIBC__
static void leave_with(int status, void *none)
{
  (void)none;
  leave(status);
}

static int watch_exit(void)
{
  return on_exit(leave_with, NULL);
}
#else /* a failing process ends before the others, which are told so */
static void leave_unasked(void)
{
  leave(EXIT_SUCCESS);
}

static int watch_exit(void)
{
  return atexit(leave_unasked);
}
#endif

static int finish(locus_context *cx)
{
  int over;

  if (!locus_mpi_world.begun) return 0;
  LOCUS_MPI_TRY(MPI_Finalized, &over);
  if (over) return 0;
  LOCUS_TRY(locus_mpi_started(cx));
  LOCUS_TRY(locus_mpi_agree("mpi.finalize()", NULL, cx));
  if (state.ours) LOCUS_MPI_TRY(MPI_Finalize);
  return 0;
}

/* -- The beginning ----------------------------------------------------------------------------- */

/* The value of LOCUS_MPI_ROUND; 0 if it is not valid. */
static int64_t chosen_round(const char *text)
{
  char *end;

  if (!text || !*text) return LONGEST_ROUND;
  const long long round = strtoll(text, &end, 10);
  return *end || round < 1 || round > LONGEST_ROUND ? 0 : round;
}

static int choose_round(locus_context *cx)
{
  const char *text = getenv("LOCUS_MPI_ROUND");

  locus_mpi_world.round = chosen_round(text);
  if (locus_mpi_world.round) return 0;
  return locus_fail(cx, "LOCUS_MPI_ROUND must be a number of elements from 1 to %d, got \"%.40s\"",
                    LONGEST_ROUND, text);
}

static int make_room(locus_context *cx)
{
  locus_world *world = &locus_mpi_world;
  const size_t size = (size_t)world->size;

  free(world->peers);
  free(world->counts);
  free(world->requests);
  world->peers = malloc(size * sizeof *world->peers);
  world->counts = malloc(2 * size * sizeof *world->counts);
  world->requests = malloc(2 * size * sizeof *world->requests);
  world->begins = world->counts ? world->counts + size : NULL;
  if (!world->peers || !world->counts || !world->requests)
    return locus_fail(cx, "there is no memory for the tables of %d ranks", world->size);
  return 0;
}

/* The ranks must be of one version, and count rounds alike. */
static int agree_on_begin(locus_context *cx)
{
  const bool ready = choose_round(cx) == 0 && make_room(cx) == 0;
  char signature[100];

  snprintf(signature, sizeof signature, "MPI by version %d, in rounds of %lld elements",
           LOCUS_MPI_VERSION, (long long)locus_mpi_world.round);
  return locus_mpi_agree(signature, ready ? NULL : cx->error.message, cx);
}

static int begin_world(locus_context *cx)
{
  locus_world *world = &locus_mpi_world;
  int started, level;

  LOCUS_MPI_TRY(MPI_Initialized, &started);
  if (!started) LOCUS_MPI_TRY(MPI_Init_thread, NULL, NULL, MPI_THREAD_FUNNELED, &level);
  state.ours = !started;
  LOCUS_MPI_TRY(MPI_Comm_dup, MPI_COMM_WORLD, &world->comm);
  LOCUS_MPI_TRY(MPI_Comm_set_errhandler, world->comm, MPI_ERRORS_RETURN);
  LOCUS_MPI_TRY(MPI_Comm_rank, world->comm, &world->rank);
  LOCUS_MPI_TRY(MPI_Comm_size, world->comm, &world->size);
  return locus_mpi_begin_ops(state.combine, cx);
}

static int begin(int *rank, int *size, locus_context *cx)
{
  int over;

  if (!locus_mpi_world.begun) {
    LOCUS_MPI_TRY(MPI_Finalized, &over);
    if (!over) {
      LOCUS_TRY(begin_world(cx));
      if (locus_mpi_world.process != getpid()) watch_exit();
      locus_mpi_world.process = getpid();
    }
    locus_mpi_world.begun = true;
  }
  LOCUS_TRY(locus_mpi_started(cx));
  if (!state.agreed) LOCUS_TRY(agree_on_begin(cx));
  state.agreed = true;
  *rank = locus_mpi_world.rank;
  *size = locus_mpi_world.size;
  return 0;
}

/* -- The module -------------------------------------------------------------------------------- */

static const locus_mpi module = {
    .version = LOCUS_MPI_VERSION,
    .bytes = sizeof module,
    .begin = begin,
    .finish = finish,
    .agree = locus_mpi_agree,
    .bcast = locus_mpi_bcast,
    .gather = locus_mpi_gather,
    .scatter = locus_mpi_scatter,
    .alltoall = locus_mpi_alltoall,
    .alltoallv = locus_mpi_alltoallv,
    .reduce = locus_mpi_reduce,
    .exscan = locus_mpi_exscan,
    .send = locus_mpi_send,
    .receive = locus_mpi_receive,
};

__attribute__((visibility("default"))) locus_mpi_opener locus_mpi_open;

const locus_mpi *locus_mpi_open(locus_combiner *combine)
{
  state.combine = combine;
  return &module;
}
