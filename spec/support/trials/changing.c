/* SPDX-License-Identifier: MIT */
/* A thread that writes to memory while calls read it: one element after the other holds something
** else for a moment, then again what it held. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <string.h>

enum { MOST_WIDTH = 8, MOMENT = 60 };

static struct {
  char *memory;
  int64_t count, width, others;
  const char *other; /* what elements hold for a moment */
  atomic_bool stop;
  atomic_int_fast64_t writes;
  pthread_t thread;
} writer;

static void pause_for(int turns)
{
  for (volatile int i = 0; i < turns; i++) continue;
}

static void *work(void *unused)
{
  uint64_t random = 1;

  while (!atomic_load(&writer.stop)) {
    char held[MOST_WIDTH];
    random = random * 6364136223846793005u + 1442695040888963407u;
    char *at = writer.memory + (int64_t)((random >> 33) % (uint64_t)writer.count) * writer.width;
    const char *other = writer.other + (int64_t)(random >> 60) % writer.others * writer.width;
    memcpy(held, at, (size_t)writer.width);
    memcpy(at, other, (size_t)writer.width);
    pause_for(MOMENT);
    memcpy(at, held, (size_t)writer.width);
    pause_for(MOMENT);
    atomic_fetch_add(&writer.writes, 1);
  }
  return unused;
}

int changing_start(void *memory, int64_t count, int64_t width, const void *other, int64_t others)
{
  writer.memory = memory;
  writer.count = count;
  writer.width = width;
  writer.other = other;
  writer.others = others;
  atomic_store(&writer.stop, 0);
  atomic_store(&writer.writes, 0);
  return pthread_create(&writer.thread, NULL, work, NULL);
}

int64_t changing_writes(void)
{
  return atomic_load(&writer.writes);
}

int64_t changing_stop(void)
{
  atomic_store(&writer.stop, 1);
  pthread_join(writer.thread, NULL);
  return atomic_load(&writer.writes);
}
