/* SPDX-License-Identifier: MIT */
/* Agreement: one small reduction before anything moves. */
#include <stdio.h>
#include <string.h>

#include "world.h"

enum { LONGEST = 500, LONGEST_SIGNATURE = 200 };

/* FNV-1a: two signatures that differ have different ones, or nearly always. */
static int64_t digest(const char *text)
{
  uint64_t hash = 0xcbf29ce484222325;
  for (; *text; text++) hash = (hash ^ (unsigned char)*text) * 0x100000001b3;
  return (int64_t)hash;
}

/* On all ranks the sentence that one of them has. */
static int share(const char *sentence, int from, locus_context *cx)
{
  char text[LONGEST] = "";

  if (from == locus_mpi_world.rank) snprintf(text, sizeof text, "rank %d: %s", from, sentence);
  LOCUS_MPI_TRY(MPI_Bcast, text, LONGEST, MPI_CHAR, from, locus_mpi_world.comm);
  return locus_fail(cx, "%s", text);
}

/* Says what the lowest rank does that does not do what rank 0 does. */
static int tell_difference(const char *signature, locus_context *cx)
{
  const locus_world *world = &locus_mpi_world;
  char first[LONGEST_SIGNATURE], sentence[LONGEST];
  int lowest;

  snprintf(first, sizeof first, "%s", signature);
  LOCUS_MPI_TRY(MPI_Bcast, first, LONGEST_SIGNATURE, MPI_CHAR, 0, world->comm);
  const int mine = strncmp(first, signature, sizeof first - 1) == 0 ? world->size : world->rank;
  LOCUS_MPI_TRY(MPI_Allreduce, &mine, &lowest, 1, MPI_INT, MPI_MIN, world->comm);
  snprintf(sentence, sizeof sentence, "came to %.200s, where rank 0 came to %.200s", signature,
           first);
  return share(sentence, lowest < world->size ? lowest : 0, cx);
}

int locus_mpi_agree(const char *signature, const char *complaint, locus_context *cx)
{
  const locus_world *world = &locus_mpi_world;
  const int64_t hash = digest(signature);
  const int64_t mine[] = {complaint ? world->rank : world->size, hash, ~hash};
  int64_t least[3];

  LOCUS_MPI_TRY(MPI_Allreduce, mine, least, 3, MPI_INT64_T, MPI_MIN, world->comm);
  if (least[0] < world->size) return share(complaint ? complaint : "", (int)least[0], cx);
  if (least[1] == ~least[2]) return 0;
  return tell_difference(signature, cx);
}
