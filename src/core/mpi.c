/* SPDX-License-Identifier: MIT */
/* Loads locus/mpi.so, and lends it the kernels of reductions. */
#include "core/mpi.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

#include "core/system/beside.h"
#include "core/device.h"

static struct {
  pthread_mutex_t lock;
  bool tried;
  const locus_mpi *module;
  locus_error missing; /* why there is no module */
} mpi = {.lock = PTHREAD_MUTEX_INITIALIZER};

static int combine(locus_binary op, locus_dtype dtype, int64_t count, void *a, void *b)
{
  const locus_operand left = {.data = a, .dtype = dtype, .stride = {1}};
  const locus_operand right = {.data = b, .dtype = dtype, .stride = {1}};
  const locus_binary_job job = {.op = op,
                                .dtype = dtype,
                                .out = right,
                                .a = left,
                                .b = right,
                                .grid = {.numel = count, .ndim = 1, .size = {count}}};
  locus_context cx = {.device = LOCUS_CPU};

  return locus_device_runners(LOCUS_CPU, &cx)->binary(&job, &cx);
}

/* Global, because MPI's plugins look for its symbols there; never unloaded, because MPI is ended
** when the process exits. */
static int load_module(locus_context *cx)
{
  char room[LOCUS_LONGEST_PATH];
  const char *named = getenv("LOCUS_MPI");
  const char *path = named && *named ? named : locus_path_beside("mpi.so", room);
  locus_mpi_opener *opener;

  if (access(path, F_OK) != 0) {
    return locus_fail(cx, "there is no MPI here: no file %.300s; build locus where mpicc is found",
                      path);
  }
  void *library = dlopen(path, RTLD_NOW | RTLD_GLOBAL | RTLD_NODELETE);
  if (!library) return locus_fail(cx, "MPI's library cannot be loaded: %.300s", dlerror());
  *(void **)&opener = dlsym(library, "locus_mpi_open");
  const locus_mpi *found = opener ? opener(combine) : NULL;
  if (!found || found->version != LOCUS_MPI_VERSION || found->bytes != sizeof *found) {
    return locus_fail(cx, "%.300s is of another version of locus; build and install both together",
                      path);
  }
  mpi.module = found;
  return 0;
}

const locus_mpi *locus_mpi_module(locus_context *cx)
{
  pthread_mutex_lock(&mpi.lock);
  if (!mpi.tried && load_module(cx)) mpi.missing = cx->error;
  mpi.tried = true;
  pthread_mutex_unlock(&mpi.lock);
  if (!mpi.module) cx->error = mpi.missing;
  return mpi.module;
}
