/* SPDX-License-Identifier: MIT */
/* The pool: workers that sleep until a job comes, one job at a time. The caller and all workers
** that are awake take pieces from one shared counter, so no thread waits for a worker that has not
** begun a piece. */
#include "core/parallel.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>

#include "core/device.h"
#include "core/number/floats.h"
#include "cpu/semaphore.h"

enum {
  PIECES = 8, /* per thread: a busy core delays little */
  POLL_NS = 2000000,
  STACK = 2 << 20 /* bytes at least: runners keep blocks of elements there */
};

/* The fields of the job do not change while a piece of it is left or in work. */
static struct pool {
  atomic_flag busy; /* a caller has the pool */
  int started;      /* workers that there are */
  locus_part *part;
  const void *job;
  int64_t count, size, pieces; /* a piece is `size` items, the last one perhaps fewer */
  int helpers;                 /* workers that are wanted */
  locus_dtype default_dtype;
  atomic_int woken;         /* workers that have been called */
  atomic_int_fast64_t left; /* pieces that nobody has taken */
  atomic_int_fast64_t undone;
  atomic_bool stop;     /* a piece has failed */
  locus_error error;    /* of the first that did */
  locus_semaphore done; /* posted once, by the thread that did the last piece */
} pool = {.busy = ATOMIC_FLAG_INIT};

static locus_semaphore wake[LOCUS_MOST_THREADS]; /* one for each worker */
static atomic_int threads;                       /* that share a job, the caller among them */
static atomic_bool refused;                      /* the system allows no more threads */
static atomic_bool small_pieces;

static atomic_bool counting;
static struct {
  atomic_int_fast64_t jobs, pieces, helped, nanoseconds;
} counted;

/* Processor time of this thread. */
static int64_t thread_time(void)
{
  struct timespec now;

  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static void count_piece(int64_t began, bool helped)
{
  atomic_fetch_add(&counted.pieces, 1);
  atomic_fetch_add(&counted.helped, helped);
  atomic_fetch_add(&counted.nanoseconds, thread_time() - began);
}

/* The condition that parts poll: any failure, and on the caller's thread also Ctrl-C. */
static bool stopped(void *caller)
{
  const locus_context *cx = caller;
  if (atomic_load_explicit(&pool.stop, memory_order_relaxed)) return true;
  return cx && cx->interrupted && cx->interrupted(cx->user);
}

static void fail(const locus_context *cx)
{
  if (!atomic_exchange(&pool.stop, true)) pool.error = cx->error;
}

static void do_piece(int64_t k, locus_context *caller)
{
  const int64_t begin = k * pool.size, rest = pool.count - begin;
  locus_context cx = {.default_dtype = pool.default_dtype, .interrupted = stopped, .user = caller};

  if (atomic_load(&pool.stop)) return;
  const bool counts = atomic_load_explicit(&counting, memory_order_relaxed);
  const int64_t began = counts ? thread_time() : 0;
  if (pool.part(pool.job, begin, rest < pool.size ? pool.count : begin + pool.size, &cx)) fail(&cx);
  if (counts) count_piece(began, !caller);
}

/* Every thread that takes a piece wakes two more workers, so that many are awake soon. */
static void wake_two(void)
{
  for (int i = 0; i < 2 && atomic_load(&pool.woken) < pool.helpers; i++) {
    int worker = atomic_fetch_add(&pool.woken, 1);
    if (worker < pool.helpers) locus_semaphore_post(&wake[worker]);
  }
}

/* Does pieces until none is left. Once a piece is taken its job cannot end, so a worker left over
** from one job may safely take a piece of the next. */
static void take_pieces(locus_context *caller)
{
  int_fast64_t left = atomic_load(&pool.left);

  while (left > 0) {
    if (!atomic_compare_exchange_weak(&pool.left, &left, left - 1)) continue;
    wake_two();
    do_piece(pool.pieces - left, caller);
    if (atomic_fetch_sub(&pool.undone, 1) == 1) locus_semaphore_post(&pool.done);
    left = atomic_load(&pool.left);
  }
}

static void *work(void *own)
{
  locus_floats_begin(); /* for good: the state of the creating thread does not count */
  for (;;)
    if (locus_semaphore_wait(own)) take_pieces(NULL);
  return NULL;
}

/* A forked child has no workers; a job that another thread of the parent was at is not the
** child's. */
static void forget_workers(void)
{
  pool.started = 0;
  atomic_store(&pool.left, 0);
  atomic_store(&refused, false);
  locus_semaphore_init(&pool.done);
  atomic_flag_clear(&pool.busy);
}

/* Detached threads with stacks that are large enough: the default is 128 KB in musl and 512 KB in
** macOS. */
static bool begin_attributes(pthread_attr_t *attributes)
{
  size_t stack;

  if (pthread_attr_init(attributes)) return false;
  pthread_attr_setdetachstate(attributes, PTHREAD_CREATE_DETACHED);
  if (pthread_attr_getstacksize(attributes, &stack) == 0 && stack < STACK)
    pthread_attr_setstacksize(attributes, STACK);
  return true;
}

/* Ensures that there are n workers, or as many as the system allows. Workers block all signals
** except those that an instruction causes. */
static void start_workers(int n)
{
  static bool prepared;
  static const int own[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE};
  sigset_t blocked, before;
  pthread_attr_t attributes;
  pthread_t thread;

  if (pool.started >= n || atomic_load(&refused)) return;
  if (!prepared) {
    locus_semaphore_init(&pool.done);
    prepared = pthread_atfork(NULL, NULL, forget_workers) == 0;
    if (!prepared) return;
  }
  if (!begin_attributes(&attributes)) return;
  sigfillset(&blocked);
  for (size_t i = 0; i < sizeof own / sizeof own[0]; i++) sigdelset(&blocked, own[i]);
  pthread_sigmask(SIG_SETMASK, &blocked, &before);
  for (; pool.started < n; pool.started++) {
    locus_semaphore_init(&wake[pool.started]);
    if (pthread_create(&thread, &attributes, work, &wake[pool.started]) != 0) {
      atomic_store(&refused, true);
      break;
    }
  }
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  pthread_attr_destroy(&attributes);
}

/* Waits for the pieces that workers have begun. */
static void await(locus_context *caller)
{
  struct timespec until;
  locus_context cx = {.interrupted = stopped, .user = caller};

  for (;;) {
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += POLL_NS;
    until.tv_sec += until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    if (locus_semaphore_wait_until(&pool.done, &until)) return;
    if (locus_poll(&cx) != 0) fail(&cx);
  }
}

/* The caller has the pool. */
static int share(locus_part *part, const void *job, int64_t count, int64_t grain, int n,
                 locus_context *cx)
{
  const int64_t grains = (count - 1) / grain + 1, most = (int64_t)PIECES * n;

  pool.part = part;
  pool.job = job;
  pool.count = count;
  pool.size = (grains < most ? 1 : (grains - 1) / most + 1) * grain;
  pool.pieces = (count - 1) / pool.size + 1;
  start_workers(n - 1);
  pool.helpers = pool.started < n - 1 ? pool.started : n - 1;
  if (pool.helpers >= pool.pieces) pool.helpers = (int)pool.pieces - 1;
  pool.default_dtype = cx->default_dtype;
  atomic_store(&pool.woken, 0);
  atomic_store(&pool.stop, false);
  atomic_store(&pool.undone, pool.pieces);
  atomic_store(&pool.left, pool.pieces);
  take_pieces(cx);
  await(cx);
  if (!atomic_load(&pool.stop)) return 0;
  cx->error = pool.error;
  return -1;
}

bool locus_small_pieces(void)
{
  return atomic_load_explicit(&small_pieces, memory_order_relaxed);
}

int locus_parallel(locus_part *part, const void *job, int64_t count, int64_t grain,
                   locus_context *cx)
{
  const int n = atomic_load_explicit(&threads, memory_order_relaxed);

  if (locus_small_pieces()) {
    const int64_t even = grain & -grain;
    grain = even < 64 ? even : 64;
  }
  if (count <= 0) return 0;
  if (count <= grain || n <= 1 || atomic_flag_test_and_set(&pool.busy))
    return part(job, 0, count, cx);
  if (atomic_load_explicit(&counting, memory_order_relaxed)) atomic_fetch_add(&counted.jobs, 1);
  int status = share(part, job, count, grain, n, cx);
  atomic_flag_clear(&pool.busy);
  return status;
}

locus_parallel_counts locus_parallel_count(bool go_on)
{
  const locus_parallel_counts counts = {
      atomic_exchange(&counted.jobs, 0), atomic_exchange(&counted.pieces, 0),
      atomic_exchange(&counted.helped, 0), atomic_exchange(&counted.nanoseconds, 0)};

  atomic_store(&counting, go_on);
  return counts;
}

int locus_cpu_threads(void)
{
  return atomic_load(&threads);
}

void locus_cpu_set_threads(int n)
{
  const char *small = getenv("LOCUS_SMALL_PIECES");

  atomic_store(&small_pieces, small && *small);
  atomic_store(&refused, false);
  atomic_store(&threads, n);
}
