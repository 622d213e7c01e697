/* SPDX-License-Identifier: MIT */
/* Counting semaphores that the pool waits on: Linux's own; elsewhere a count behind a lock, since
** macOS has none without a name, and none that waits for a limited time. */
#ifndef LOCUS_CPU_SEMAPHORE_H
#define LOCUS_CPU_SEMAPHORE_H

#include <stdbool.h>
#include <time.h>

#ifdef __linux__
#include <semaphore.h>

typedef sem_t locus_semaphore;

/* Its count becomes 0. Also in a forked child, where nobody waits for it any more. */
static inline void locus_semaphore_init(locus_semaphore *s)
{
  sem_init(s, 0, 0);
}

static inline void locus_semaphore_post(locus_semaphore *s)
{
  sem_post(s);
}

/* Waits until the count is positive and takes one off it; false where a signal came before. */
static inline bool locus_semaphore_wait(locus_semaphore *s)
{
  return sem_wait(s) == 0;
}

/* The same, until that time of CLOCK_REALTIME. */
static inline bool locus_semaphore_wait_until(locus_semaphore *s, const struct timespec *until)
{
  return sem_timedwait(s, until) == 0;
}

#else
#include <pthread.h>

typedef struct locus_semaphore {
  pthread_mutex_t lock;
  pthread_cond_t posted;
  int count;
} locus_semaphore;

static inline void locus_semaphore_init(locus_semaphore *s)
{
  pthread_mutex_init(&s->lock, NULL);
  pthread_cond_init(&s->posted, NULL);
  s->count = 0;
}

static inline void locus_semaphore_post(locus_semaphore *s)
{
  pthread_mutex_lock(&s->lock);
  s->count++;
  pthread_cond_signal(&s->posted);
  pthread_mutex_unlock(&s->lock);
}

static inline bool locus_semaphore_wait(locus_semaphore *s)
{
  pthread_mutex_lock(&s->lock);
  while (s->count == 0) pthread_cond_wait(&s->posted, &s->lock);
  s->count--;
  pthread_mutex_unlock(&s->lock);
  return true;
}

static inline bool locus_semaphore_wait_until(locus_semaphore *s, const struct timespec *until)
{
  int late = 0;

  pthread_mutex_lock(&s->lock);
  while (s->count == 0 && !late) late = pthread_cond_timedwait(&s->posted, &s->lock, until);
  const bool taken = s->count > 0;
  if (taken) s->count--;
  pthread_mutex_unlock(&s->lock);
  return taken;
}
#endif

#endif
