// SPDX-License-Identifier: MIT
// What this machine can do at best, for bench/run to compare with: streams and random lines at many
// sizes, with one thread and with as many as the argument says, and what a search cannot do
// without. Prints JSON: streams in bytes per ns, lines, nodes and ranks in ns. Each figure is the
// best of nine rounds.
#define _GNU_SOURCE
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>
#ifdef __SSE2__
#include <immintrin.h>
#endif

enum { ROUNDS = 9, MAX_THREADS = 256, QUERIES = 1 << 18 };

typedef uint64_t vector __attribute__((vector_size(64)));
typedef struct work {
  void (*run)(const struct work *);
  vector *lines;
  size_t count;          // lines of this thread
  const uint32_t *order; // the lines to visit, for random access
  size_t visits;
  int times;
} work;

static volatile uint64_t sink;
static uint64_t state = 88172645463325252u;

static uint32_t random_below(uint32_t n)
{
  state ^= state << 13, state ^= state >> 7, state ^= state << 17;
  return (uint32_t)(state >> 32) % n;
}

static double now(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static double least(const double *rounds)
{
  double best = rounds[0];
  for (int r = 1; r < ROUNDS; r++) best = rounds[r] < best ? rounds[r] : best;
  return best;
}

// Memory on huge pages where the kernel gives them, written once.
static void *block(size_t bytes)
{
  size_t page = (size_t)2 << 20, room = (bytes + page - 1) / page * page;
  void *start = aligned_alloc(page, room);
  if (!start) exit(1);
  madvise(start, room, MADV_HUGEPAGE);
  return memset(start, 1, room);
}

// ------------------------------------------------------------------------------------- streams

static void read_lines(const work *w)
{
  vector a = {0}, b = a, c = a, d = a;
  for (int t = 0; t < w->times; t++)
    for (size_t i = 0; i < w->count; i += 4)
      a |= w->lines[i], b |= w->lines[i + 1], c |= w->lines[i + 2], d |= w->lines[i + 3];
  a |= b | c | d;
  sink += a[0] ^ a[1] ^ a[2] ^ a[3] ^ a[4] ^ a[5] ^ a[6] ^ a[7];
}

static void write_lines(const work *w)
{
  vector value = {(uint64_t)w->times};
  for (int t = 0; t < w->times; t++) {
    for (size_t i = 0; i < w->count; i++) w->lines[i] = value;
    __asm__ volatile("" ::: "memory");
  }
}

#ifdef __AVX512F__
#define STREAM(to, value) _mm512_stream_si512((void *)(to), (__m512i)(value))
#elif defined __SSE2__
#define STREAM(to, value) \
  for (int j = 0; j < 4; j++) _mm_stream_si128((__m128i *)(to) + j, ((const __m128i *)&(value))[j])
#else
#define STREAM(to, value) (*(to) = (value))
#endif

// Non-temporal stores, which go past the caches and read no line first.
static void stream_lines(const work *w)
{
  vector value = {(uint64_t)w->times};
  for (int t = 0; t < w->times; t++) {
    for (size_t i = 0; i < w->count; i++) STREAM(w->lines + i, value);
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
  }
}

// The first half to the second: reads and writes that overlap.
static void copy_lines(const work *w)
{
  size_t half = w->count / 2;
  for (int t = 0; t < w->times; t++) {
    for (size_t i = 0; i < half; i++) w->lines[half + i] = w->lines[i];
    __asm__ volatile("" ::: "memory");
  }
}

static void copy_lines_past(const work *w)
{
  size_t half = w->count / 2;
  for (int t = 0; t < w->times; t++) {
    for (size_t i = 0; i < half; i++) STREAM(w->lines + half + i, w->lines[i]);
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
  }
}

static void visit_lines(const work *w)
{
  uint64_t sum = 0;
  for (int t = 0; t < w->times; t++)
    for (size_t i = 0; i < w->visits; i++) sum += *(const uint64_t *)(w->lines + w->order[i]);
  sink += sum;
}

// ------------------------------------------------------------------------------------- threads

static pthread_barrier_t barrier;

static void *thread(void *argument)
{
  const work *w = argument;
  pthread_barrier_wait(&barrier);
  w->run(w);
  pthread_barrier_wait(&barrier);
  return NULL;
}

// Nanoseconds until every thread has done its share once.
static double timed(work all, int threads)
{
  double rounds[ROUNDS];
  work share[MAX_THREADS];
  for (int t = 0; t < threads; t++) {
    share[t] = all;
    if (all.order) {
      share[t].visits = all.visits / (size_t)threads;
      share[t].order = all.order + (size_t)t * share[t].visits;
    } else {
      share[t].count = all.count / (size_t)threads;
      share[t].lines = all.lines + (size_t)t * share[t].count;
    }
  }
  for (int r = 0; r < ROUNDS; r++) {
    pthread_t others[MAX_THREADS];
    pthread_barrier_init(&barrier, NULL, (unsigned)threads);
    for (int t = 1; t < threads; t++) pthread_create(&others[t], NULL, thread, &share[t]);
    pthread_barrier_wait(&barrier);
    double start = now();
    share[0].run(&share[0]);
    pthread_barrier_wait(&barrier);
    rounds[r] = (now() - start) / all.times;
    for (int t = 1; t < threads; t++) pthread_join(others[t], NULL);
    pthread_barrier_destroy(&barrier);
  }
  return least(rounds);
}

// ----------------------------------------------------------------------------- steps of a search

// The rank of each query among the 16 or 8 keys of its node, and among 64 keys in registers.
#ifdef __AVX512F__
static void nodes4(const float *keys, const int *id, const float *query, int *rank, int count)
{
  for (int i = 0; i < count; i++)
    rank[i] = __builtin_popcount(_mm512_cmp_ps_mask(_mm512_loadu_ps(keys + 16 * id[i]),
                                                    _mm512_set1_ps(query[i]), _CMP_NGE_UQ));
}
static void nodes8(const double *keys, const int *id, const double *query, int *rank, int count)
{
  for (int i = 0; i < count; i++)
    rank[i] = __builtin_popcount(_mm512_cmp_pd_mask(_mm512_loadu_pd(keys + 8 * id[i]),
                                                    _mm512_set1_pd(query[i]), _CMP_NGE_UQ));
}
static void ranks(const float *keys, const float *query, int *rank, int count)
{
  __m512 k[4];
  for (int j = 0; j < 4; j++) k[j] = _mm512_loadu_ps(keys + 16 * j);
  for (int i = 0; i < count; i += 16) {
    __m512 q = _mm512_loadu_ps(query + i);
    __m512i at = _mm512_setzero_si512();
    for (int step = 32; step > 0; step /= 2) {
      __m512i probe = _mm512_add_epi32(at, _mm512_set1_epi32(step - 1));
      __mmask16 upper = _mm512_test_epi32_mask(probe, _mm512_set1_epi32(32));
      __m512 key = _mm512_mask_blend_ps(upper, _mm512_permutex2var_ps(k[0], probe, k[1]),
                                        _mm512_permutex2var_ps(k[2], probe, k[3]));
      __mmask16 past = _mm512_cmp_ps_mask(key, q, _CMP_NGE_UQ);
      at = _mm512_mask_add_epi32(at, past, at, _mm512_set1_epi32(step));
    }
    _mm512_storeu_si512(rank + i, at);
  }
}
#else
#define NODES(name, type, width)                                                             \
  static void name(const type *keys, const int *id, const type *query, int *rank, int count) \
  {                                                                                          \
    for (int i = 0; i < count; i++) {                                                        \
      int sum = 0;                                                                           \
      for (int j = 0; j < width; j++) sum += !(keys[width * id[i] + j] >= query[i]);         \
      rank[i] = sum;                                                                         \
    }                                                                                        \
  }
NODES(nodes4, float, 16)
NODES(nodes8, double, 8)
static void ranks(const float *keys, const float *query, int *rank, int count)
{
  (void)keys, (void)query, (void)rank, (void)count; // not known here: the step counts as free
}
#endif

// Prints the ns per query of each step, out of the first-level cache.
static void print_steps(void)
{
  enum { NODES = 256, KEYS = 16 * NODES };
  static float keys[KEYS], query[QUERIES];
  static double keys8[KEYS], query8[QUERIES];
  static int id[QUERIES], rank[QUERIES];
  double node4[ROUNDS], node8[ROUNDS], top[ROUNDS];
  for (int i = 0; i < KEYS; i++) keys[i] = (float)i, keys8[i] = i;
  for (int i = 0; i < QUERIES; i++) {
    id[i] = (int)random_below(NODES);
    query[i] = (float)random_below(KEYS), query8[i] = query[i];
  }
  for (int r = 0; r < ROUNDS; r++) {
    double start = now();
    nodes4(keys, id, query, rank, QUERIES);
    node4[r] = (now() - start) / QUERIES, sink += (uint64_t)rank[r], start = now();
    nodes8(keys8, id, query8, rank, QUERIES);
    node8[r] = (now() - start) / QUERIES, sink += (uint64_t)rank[r], start = now();
    ranks(keys, query, rank, QUERIES);
    top[r] = (now() - start) / QUERIES, sink += (uint64_t)rank[r];
  }
  printf(" \"node4\": %.3f, \"node8\": %.3f, \"rank\": %.3f,\n", least(node4), least(node8),
         least(top));
}

// Prints "name": [[bytes, threads, figure], ...] over the sizes.
static void print_series(const char *name, work w, size_t largest, int threads)
{
  uint32_t *order = w.run == visit_lines ? block(QUERIES * 4 * sizeof *order) : NULL;
  const char *comma = "";
  printf(" \"%s\": [", name);
  for (size_t bytes = 16384; bytes <= largest; bytes *= 2) {
    w.count = bytes / sizeof(vector), w.times = (int)(((size_t)1 << 24) / bytes + 1);
    if (order) {
      w.order = order, w.visits = QUERIES * 4, w.times = 1;
      for (size_t i = 0; i < w.visits; i++) order[i] = random_below((uint32_t)w.count);
    }
    for (int t = 1; t <= threads; t += threads > 1 ? threads - 1 : 1) {
      double ns = timed(w, t);
      double figure = order ? ns / (double)w.visits : (double)bytes / ns;
      printf("%s[%zu, %d, %.3f]", comma, bytes, t, figure);
      comma = ", ";
    }
  }
  printf("]");
  free(order);
}

int main(int count, char **words)
{
  int threads = count > 1 ? atoi(words[1]) : 1;
  if (threads < 1 || threads > MAX_THREADS) return 2;
  long memory = sysconf(_SC_AVPHYS_PAGES) * sysconf(_SC_PAGESIZE);
  long l2 = sysconf(_SC_LEVEL2_CACHE_SIZE);
  size_t largest = (size_t)1 << 30;
  while (largest > (size_t)memory / 4) largest /= 2;
  work w = {.lines = block(largest)};
  printf("{\"l2\": %ld,\n", l2 > 0 ? l2 : 1 << 20);
  print_steps();
  w.run = read_lines, print_series("read", w, largest / 2, threads), printf(",\n");
  w.run = write_lines, print_series("write", w, largest / 2, threads), printf(",\n");
  w.run = stream_lines, print_series("stream", w, largest / 2, threads), printf(",\n");
  w.run = copy_lines, print_series("copy", w, largest / 2, threads), printf(",\n");
  w.run = copy_lines_past, print_series("copy past", w, largest / 2, threads), printf(",\n");
  w.run = visit_lines, print_series("line", w, largest, threads), printf("}\n");
  return 0;
}
