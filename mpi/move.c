/* SPDX-License-Identifier: MIT */
/* Elements from rank to rank. MPI counts in ints, so messages larger than a round go in several. */
#include <string.h>

#include "move.h"

enum { TAG_OF_EXCHANGE = 0 };

MPI_Datatype locus_mpi_type(int width)
{
  switch (width) {
  case 1: return MPI_BYTE;
  case 2: return MPI_UINT16_T;
  case 4: return MPI_UINT32_T;
  case 8: return MPI_UINT64_T;
  default: return MPI_C_DOUBLE_COMPLEX;
  }
}

/* The number of elements, from `at`, that go in one round. */
static int part(int64_t at, int64_t count)
{
  const int64_t left = count - at;
  return (int)(left < locus_mpi_world.round ? left : locus_mpi_world.round);
}

/* -- Between all pairs ------------------------------------------------------------------------- */

/* Posts the messages to one peer and from it, beginning with element `at`. */
static int post(int other, int64_t at, int width, MPI_Request *requests, int *posted,
                locus_context *cx)
{
  const locus_world *world = &locus_mpi_world;
  const locus_peer *peer = &world->peers[other];
  const MPI_Datatype type = locus_mpi_type(width);

  if (at < peer->received) {
    LOCUS_MPI_TRY(MPI_Irecv, peer->to + at * width, part(at, peer->received), type, other,
                  TAG_OF_EXCHANGE, world->comm, &requests[(*posted)++]);
  }
  if (at < peer->sent) {
    LOCUS_MPI_TRY(MPI_Isend, peer->from + at * width, part(at, peer->sent), type, other,
                  TAG_OF_EXCHANGE, world->comm, &requests[(*posted)++]);
  }
  return 0;
}

/* Sends and receives for all `peers`, in rounds: every pair knows how many it needs. Each rank
** begins with its successor, so that they do not all send to the same rank. */
static int exchange(int width, locus_context *cx)
{
  const locus_world *world = &locus_mpi_world;
  const locus_peer *self = &world->peers[world->rank];
  int posted = 1;

  if (self->received) memcpy(self->to, self->from, (size_t)(self->received * width));
  for (int64_t at = 0; posted > 0; at += world->round) {
    posted = 0;
    for (int i = 1; i < world->size; i++) {
      const int other = (world->rank + i) % world->size;
      LOCUS_TRY(post(other, at, width, world->requests, &posted, cx));
    }
    LOCUS_MPI_TRY(MPI_Waitall, posted, world->requests, MPI_STATUSES_IGNORE);
  }
  return 0;
}

int locus_mpi_alltoall(const void *from, void *to, int64_t count, int width, locus_context *cx)
{
  const locus_world *world = &locus_mpi_world;
  const MPI_Datatype type = locus_mpi_type(width);
  const int64_t bytes = count * width;

  if (count <= world->round / world->size) {
    return locus_mpi_check(MPI_Alltoall(from, (int)count, type, to, (int)count, type, world->comm),
                           "MPI_Alltoall", cx);
  }
  for (int r = 0; r < world->size; r++) {
    world->peers[r] =
        (locus_peer){(const char *)from + r * bytes, count, (char *)to + r * bytes, count};
  }
  return exchange(width, cx);
}

int locus_mpi_alltoallv(const void *from, const int64_t *sent, void *to, const int64_t *received,
                        int width, locus_context *cx)
{
  const char *next_from = from;
  char *next_to = to;

  for (int r = 0; r < locus_mpi_world.size; r++) {
    locus_mpi_world.peers[r] = (locus_peer){next_from, sent[r], next_to, received[r]};
    next_from += sent[r] * width;
    next_to += received[r] * width;
  }
  return exchange(width, cx);
}

/* -- One to all, and all to one ---------------------------------------------------------------- */

int locus_mpi_bcast(void *data, int64_t count, int width, int root, locus_context *cx)
{
  for (int64_t at = 0; at < count; at += locus_mpi_world.round) {
    LOCUS_MPI_TRY(MPI_Bcast, (char *)data + at * width, part(at, count), locus_mpi_type(width),
                  root, locus_mpi_world.comm);
  }
  return 0;
}

/* Whether all elements fit in one round; then MPI gets their counts and offsets. */
static bool fit_a_round(const int64_t *counts)
{
  const locus_world *world = &locus_mpi_world;
  int64_t begin = 0;

  for (int r = 0; r < world->size; r++) {
    if (counts[r] > world->round - begin) return false;
    world->counts[r] = (int)counts[r];
    world->begins[r] = (int)begin;
    begin += counts[r];
  }
  return true;
}

int locus_mpi_gather(const void *from, void *to, const int64_t *counts, int width, int root,
                     locus_context *cx)
{
  const locus_world *world = &locus_mpi_world;
  const MPI_Datatype type = locus_mpi_type(width);
  const bool here = root == LOCUS_ALL_RANKS || root == world->rank;
  const int64_t mine = counts[world->rank];
  char *next = to;

  if (fit_a_round(counts)) {
    if (root != LOCUS_ALL_RANKS) {
      return locus_mpi_check(MPI_Gatherv(from, (int)mine, type, to, world->counts, world->begins,
                                         type, root, world->comm),
                             "MPI_Gatherv", cx);
    }
    return locus_mpi_check(
        MPI_Allgatherv(from, (int)mine, type, to, world->counts, world->begins, type, world->comm),
        "MPI_Allgatherv", cx);
  }
  for (int r = 0; r < world->size; r++) {
    const bool wants = root == LOCUS_ALL_RANKS || root == r;
    world->peers[r] = (locus_peer){from, wants ? mine : 0, next, here ? counts[r] : 0};
    if (here) next += counts[r] * width;
  }
  return exchange(width, cx);
}

int locus_mpi_scatter(const void *from, void *to, const int64_t *counts, int width, int root,
                      locus_context *cx)
{
  const locus_world *world = &locus_mpi_world;
  const MPI_Datatype type = locus_mpi_type(width);
  const int64_t mine = counts[world->rank];
  const char *next = from;

  if (fit_a_round(counts)) {
    return locus_mpi_check(MPI_Scatterv(from, world->counts, world->begins, type, to, (int)mine,
                                        type, root, world->comm),
                           "MPI_Scatterv", cx);
  }
  for (int r = 0; r < world->size; r++) {
    const bool has = root == world->rank;
    world->peers[r] = (locus_peer){next, has ? counts[r] : 0, to, root == r ? mine : 0};
    if (has) next += counts[r] * width;
  }
  return exchange(width, cx);
}

/* -- One to one -------------------------------------------------------------------------------- */

/* Without elements there is still a message. */
int locus_mpi_send(const void *data, int64_t count, int width, int rank, int tag, locus_context *cx)
{
  int64_t at = 0;

  do {
    LOCUS_MPI_TRY(MPI_Send, (const char *)data + at * width, part(at, count), locus_mpi_type(width),
                  rank, tag, locus_mpi_world.comm);
    at += locus_mpi_world.round;
  } while (at < count);
  return 0;
}

int locus_mpi_receive(void *data, int64_t count, int width, int rank, int tag, locus_context *cx)
{
  int64_t at = 0;

  do {
    LOCUS_MPI_TRY(MPI_Recv, (char *)data + at * width, part(at, count), locus_mpi_type(width), rank,
                  tag, locus_mpi_world.comm, MPI_STATUS_IGNORE);
    at += locus_mpi_world.round;
  } while (at < count);
  return 0;
}
