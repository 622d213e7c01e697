/* SPDX-License-Identifier: MIT */
/* Agreement: one small reduction before anything moves. */
#include <stdio.h>
#include <string.h>

#include "agree.h"

enum { LONGEST = 500, LONGEST_SIGNATURE = 8000, SHOWN = 200, SHOWN_BEFORE = 60 };

/* The signature of rank 0. */
typedef struct first_rank {
  int64_t hash;
  char signature[LONGEST_SIGNATURE];
} first_rank;

/* FNV-1a: two signatures that differ have different ones, or nearly always. */
static int64_t digest(const char *text)
{
  uint64_t hash = 0xcbf29ce484222325;
  for (; *text; text++) hash = (hash ^ (unsigned char)*text) * 0x100000001b3;
  return (int64_t)hash;
}

/* Gives all ranks the sentence of one of them. */
static int share(const char *sentence, int from, locus_context *cx)
{
  char text[LONGEST] = "";

  if (from == locus_mpi_world.rank) snprintf(text, sizeof text, "rank %d: %s", from, sentence);
  LOCUS_MPI_TRY(MPI_Bcast, text, LONGEST, MPI_CHAR, from, locus_mpi_world.comm);
  return locus_fail(cx, "%s", text);
}

/* Puts a signature into `shown`. A long one is cut to its function and the text around `place`,
** from the last beginning of an item that is near enough. */
static void show(const char *signature, size_t place, char shown[SHOWN])
{
  const char *inside = strchr(signature, '(');
  const int name = inside ? (int)(inside - signature) + 1 : 0;
  size_t begin = place > SHOWN_BEFORE ? place - SHOWN_BEFORE : 0;

  if (strlen(signature) < SHOWN || begin <= (size_t)name || name > SHOWN / 2) {
    snprintf(shown, SHOWN, "%s", signature);
    return;
  }
  while (begin < place && signature[begin - 1] != ' ') begin++;
  snprintf(shown, SHOWN, "%.*s... %s", name, signature, signature + begin);
}

/* Describes the difference between rank 0 and the lowest rank that differs. */
static int tell_difference(const char *signature, int64_t hash, locus_context *cx)
{
  const locus_world *world = &locus_mpi_world;
  char here[SHOWN], there[SHOWN], sentence[LONGEST];
  first_rank first = {.hash = hash};
  size_t place = 0;
  int lowest;

  snprintf(first.signature, sizeof first.signature, "%s", signature);
  LOCUS_MPI_TRY(MPI_Bcast, &first, (int)sizeof first, MPI_BYTE, 0, world->comm);
  const int mine = first.hash == hash ? world->size : world->rank;
  LOCUS_MPI_TRY(MPI_Allreduce, &mine, &lowest, 1, MPI_INT, MPI_MIN, world->comm);
  while (signature[place] && signature[place] == first.signature[place]) place++;
  show(signature, place, here);
  show(first.signature, place, there);
  snprintf(sentence, sizeof sentence, "came to %s, where rank 0 came to %s", here, there);
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
  return tell_difference(signature, hash, cx);
}
