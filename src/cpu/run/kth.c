/* SPDX-License-Identifier: MIT */
/* Runner of kth. Threads share the segments whose ranks fit into a workspace; longer ones are taken
** one after the other, by all threads together. */
#include "core/device.h"
#include "cpu/order/by_segment.h"
#include "cpu/order/choose.h"
#include "cpu/order/ranks.h"

enum {
  LONG = 128 * 1024,     /* elements of the longest segment for a workspace */
  LONG_BITS = 15,        /* of the buckets of a longer one */
  KTH_GRAIN = 4 * BLOCK, /* elements worth 20 us */
};

static int64_t begin_of(const locus_kth_job *job, int64_t s)
{
  return job->offsets ? job->offsets[s] : s * job->n;
}

static int64_t length_of(const locus_kth_job *job, int64_t s)
{
  return begin_of(job, s + 1) - begin_of(job, s);
}

static const char *element_at(const locus_kth_job *job, int64_t i)
{
  return job->in + i * locus_dtype_size(job->dtype);
}

static void begin_asks(const locus_kth_job *job, int64_t s, ask *asks)
{
  for (int64_t i = 0; i < job->wanted; i++)
    asks[i] = (ask){.place = job->ranks[s * job->rank_step + i]};
}

/* The first ask whose key is not less; asks + m if there is none. */
static ask *find_ask(ask *asks, int64_t m, uint64_t key)
{
  while (m > 0) {
    const int64_t half = m / 2;
    if (asks[half].key < key) asks += half + 1, m -= half + 1;
    else m = half;
  }
  return asks;
}

/* One more element; returns the number of asks that it answers. */
static int64_t meet(ask *asks, int64_t m, uint64_t key, int64_t position)
{
  ask *const first = find_ask(asks, m, key), *const end = asks + m;

  if (first == end || first->key != key) return 0;
  const int64_t before = first->next;
  for (ask *a = first + before; a < end && a->key == key && a->tie == first->met; a++) {
    a->position = position;
    first->next++;
  }
  first->met++;
  return first->next - before;
}

/* Finds the places of the answers in a segment. */
static int find_positions(const locus_kth_job *job, int64_t s, ask *asks, locus_context *cx)
{
  const int64_t m = job->wanted, n = length_of(job, s), begin = begin_of(job, s);
  const uint64_t low = asks[0].key, span = asks[m - 1].key - low;
  uint64_t keys[BLOCK];
  int64_t near[BLOCK + 1];

  for (int64_t at = 0, open = m; at < n && open > 0; at += BLOCK) {
    const int64_t run = least(BLOCK, n - at);
    int64_t count = 0;
    LOCUS_TRY(locus_poll(cx));
    rank_runs[job->dtype](keys, element_at(job, begin + at), run, job->descending);
    for (int64_t i = 0; i < run; i++) {
      near[count] = i;
      count += keys[i] - low <= span;
    }
    for (int64_t i = 0; i < count; i++) open -= meet(asks, m, keys[near[i]], at + near[i]);
  }
  return 0;
}

/* Writes the answers of a segment. */
static void write_asks(const locus_kth_job *job, int64_t s, const ask *asks)
{
  const int64_t m = job->wanted, item = locus_dtype_size(job->dtype);
  const char *elements = element_at(job, begin_of(job, s));

  for (int64_t i = 0; job->index && i < m; i++)
    job->index[s * m + i] = asks[i].position + job->base;
  for (int64_t i = 0; job->values && i < m; i++) {
    char *value = job->values + (s * m + i) * item;
    if (job->index) memcpy(value, elements + asks[i].position * item, (size_t)item);
    else unrank_runs[job->dtype](value, &asks[i].key, 1, job->descending);
  }
}

/* -- Segments for a workspace ------------------------------------------------------------------ */

typedef struct shared {
  const locus_kth_job *job;
  int64_t pieces; /* of the segments, about equally long */
} shared;

/* The first segment of a piece. */
static int64_t piece_begin(const shared *p, int64_t piece)
{
  const locus_kth_job *job = p->job;
  const int64_t all = begin_of(job, job->segments);
  const int64_t begin = (int64_t)((double)all * (double)piece / (double)p->pieces);
  int64_t low = 0, count = job->segments;

  if (piece == p->pieces) return job->segments;
  while (count > 0) {
    const int64_t half = count / 2;
    if (begin_of(job, low + half) < begin) low += half + 1, count -= half + 1;
    else count = half;
  }
  return low;
}

static int take_segments(const locus_kth_job *job, int64_t begin, int64_t end, uint64_t *keys,
                         uint64_t *spare, ask *asks, locus_context *cx)
{
  for (int64_t s = begin; s < end; s++) {
    const int64_t n = length_of(job, s);
    if (n > LONG) continue;
    if (s % BLOCK == 0) LOCUS_TRY(locus_poll(cx));
    begin_asks(job, s, asks);
    rank_runs[job->dtype](keys, element_at(job, begin_of(job, s)), n, job->descending);
    LOCUS_TRY(choose(keys, n, 0, asks, job->wanted, spare, cx));
    if (job->index) LOCUS_TRY(find_positions(job, s, asks, cx));
    write_asks(job, s, asks);
  }
  return 0;
}

static int take_pieces(const void *given, int64_t first, int64_t last, locus_context *cx)
{
  const shared *p = given;
  const locus_kth_job *job = p->job;
  const int64_t begin = piece_begin(p, first), end = piece_begin(p, last);
  int64_t longest = 0;

  for (int64_t s = begin; s < end; s++) {
    const int64_t n = length_of(job, s);
    if (n <= LONG && n > longest) longest = n;
  }
  if (longest == 0) return 0;
  const int64_t words = 2 * longest, bytes = words * 8 + job->wanted * (int64_t)sizeof(ask);
  uint64_t *keys = locus_memory_alloc(bytes);
  if (!keys) return locus_fail_memory(cx, bytes);
  ask *asks = (ask *)(keys + words);
  const int status = take_segments(job, begin, end, keys, keys + longest, asks, cx);
  locus_memory_free(keys, bytes);
  return status;
}

/* -- A long segment ---------------------------------------------------------------------------- */

/* The result of one piece. */
typedef struct tally {
  uint64_t low, high;
  int64_t counts[(1 << LONG_BITS) + 1]; /* later the places of its keys */
} tally;

typedef struct long_segment {
  const locus_kth_job *job;
  int64_t begin, n, pieces;
  enum { WIDEN, COUNT, COLLECT } step;
  buckets b;
  uint8_t asked[(1 << LONG_BITS) + 1];
  int64_t ends[1 << LONG_BITS];
  tally *tallies;
  uint64_t *collected; /* with this much room */
  int64_t room;
  uint64_t *positions; /* of these keys; NULL: not wanted */
  bool placed;         /* the asks have their positions */
} long_segment;

static int take_piece(const long_segment *l, int64_t piece, locus_context *cx)
{
  const int64_t blocks = (l->n - 1) / BLOCK + 1;
  const int64_t begin = blocks * piece / l->pieces * BLOCK;
  const int64_t end = least(l->n, blocks * (piece + 1) / l->pieces * BLOCK);
  tally *t = l->tallies + piece;
  uint64_t keys[BLOCK];

  for (int64_t at = begin; at < end; at += BLOCK) {
    const int64_t run = least(BLOCK, end - at);
    LOCUS_TRY(locus_poll(cx));
    rank_runs[l->job->dtype](keys, element_at(l->job, l->begin + at), run, l->job->descending);
    switch (l->step) {
    case WIDEN: widen(keys, run, &t->low, &t->high); break;
    case COUNT: count_keys(keys, run, l->b, t->counts); break;
    case COLLECT:
      collect_keys(keys, run, l->b, l->asked, t->counts, l->room, l->collected, at, l->positions);
      break;
    }
  }
  return 0;
}

static int take_step(const void *given, int64_t first, int64_t last, locus_context *cx)
{
  for (int64_t piece = first; piece < last; piece++) LOCUS_TRY(take_piece(given, piece, cx));
  return 0;
}

/* Adds up the counts of the pieces, and finds the place where each collects its keys; -1 if keys
** have changed since, so that an ask falls outside. */
static int64_t plan_long(long_segment *l, int64_t below, ask *asks, int64_t m)
{
  const int64_t count = 1 << LONG_BITS;

  memset(l->ends, 0, sizeof l->ends);
  for (int64_t p = 0; p < l->pieces; p++)
    for (int64_t k = 0; k < count; k++) l->ends[k] += l->tallies[p].counts[k];
  const int64_t collected = plan_buckets(l->b, below, asks, m, l->ends, l->asked);
  for (int64_t p = 0; p < l->pieces; p++) {
    for (int64_t k = 0; k < count; k++) {
      const int64_t place = l->ends[k];
      l->ends[k] += l->tallies[p].counts[k];
      l->tallies[p].counts[k] = place;
    }
  }
  return collected;
}

/* Finds the places of all answers among the elements whose keys were collected. Equal ones lie in
** one bucket, in their order. Where another thread has changed keys, some were not collected. */
static int find_collected(long_segment *l, int64_t collected, ask *asks, int64_t m,
                          locus_context *cx)
{
  const int64_t item = locus_dtype_size(l->job->dtype);
  _Alignas(8) char near[BLOCK * 8];
  uint64_t keys[BLOCK];

  for (int64_t at = 0, open = m; at < collected && open > 0; at += BLOCK) {
    const uint64_t *positions = l->positions + at;
    const int64_t run = least(BLOCK, collected - at);
    LOCUS_TRY(locus_poll(cx));
    for (int64_t i = 0; i < run; i++) {
      if (positions[i] >= (uint64_t)l->n) return locus_fail_changed(cx, "elements");
      memcpy(near + i * item, element_at(l->job, l->begin + (int64_t)positions[i]), (size_t)item);
    }
    rank_runs[l->job->dtype](keys, near, run, l->job->descending);
    for (int64_t i = 0; i < run; i++) open -= meet(asks, m, keys[i], (int64_t)positions[i]);
  }
  l->placed = true;
  return 0;
}

/* With memory for `collected` keys twice, and for their positions. */
static int choose_long(long_segment *l, int64_t collected, ask *asks, int64_t m, uint64_t *memory,
                       locus_context *cx)
{
  l->step = COLLECT;
  l->collected = memory;
  l->room = collected;
  l->positions = l->job->index && m == l->job->wanted ? memory + 2 * collected : NULL;
  LOCUS_TRY(locus_parallel(take_step, l, l->pieces, 1, cx));
  LOCUS_TRY(choose_collected(memory, l->b, l->ends, asks, m, memory + collected, cx));
  return l->positions ? find_collected(l, collected, asks, m, cx) : 0;
}

static int take_range(long_segment *l, uint64_t low, uint64_t high, int64_t below, ask *asks,
                      int64_t m, locus_context *cx);

/* Without memory for the keys: all elements are read again for each bucket with an ask. */
static int narrow_long(long_segment *l, ask *asks, int64_t m, locus_context *cx)
{
  const uint64_t width = (uint64_t)1 << l->b.shift;

  for (int64_t i = 0, j; i < m; i = j) {
    const uint64_t low = asks[i].key;
    for (j = i + 1; j < m && asks[j].key == low; j++) continue;
    LOCUS_TRY(
        take_range(l, low, low + (width - 1), asks[i].place - asks[i].tie, asks + i, j - i, cx));
  }
  return 0;
}

/* Answers the asks whose keys lie in low..high, with `below` keys before these. */
static int take_range(long_segment *l, uint64_t low, uint64_t high, int64_t below, ask *asks,
                      int64_t m, locus_context *cx)
{
  l->b = buckets_between(low, high, LONG_BITS);
  for (int64_t p = 0; p < l->pieces; p++)
    memset(l->tallies[p].counts, 0, sizeof l->tallies[p].counts);
  l->step = COUNT;
  LOCUS_TRY(locus_parallel(take_step, l, l->pieces, 1, cx));
  const int64_t collected = plan_long(l, below, asks, m);
  const int64_t bytes = (l->job->index ? 3 : 2) * collected * 8;
  if (collected < 0) return locus_fail_changed(cx, "elements");
  if (l->b.shift == 0) return 0;
  uint64_t *memory = locus_memory_alloc(bytes);
  if (!memory) return narrow_long(l, asks, m, cx);
  const int status = choose_long(l, collected, asks, m, memory, cx);
  locus_memory_free(memory, bytes);
  return status;
}

static int take_long(long_segment *l, int64_t s, ask *asks, locus_context *cx)
{
  uint64_t low = UINT64_MAX, high = 0;

  l->begin = begin_of(l->job, s);
  l->n = length_of(l->job, s);
  begin_asks(l->job, s, asks);
  l->placed = false;
  for (int64_t p = 0; p < l->pieces; p++) {
    l->tallies[p].low = UINT64_MAX;
    l->tallies[p].high = 0;
  }
  l->step = WIDEN;
  LOCUS_TRY(locus_parallel(take_step, l, l->pieces, 1, cx));
  for (int64_t p = 0; p < l->pieces; p++) {
    if (l->tallies[p].low < low) low = l->tallies[p].low;
    if (l->tallies[p].high > high) high = l->tallies[p].high;
  }
  LOCUS_TRY(take_range(l, low, high, 0, asks, l->job->wanted, cx));
  if (l->job->index && !l->placed) LOCUS_TRY(find_positions(l->job, s, asks, cx));
  write_asks(l->job, s, asks);
  return 0;
}

static int take_long_segments(const locus_kth_job *job, locus_context *cx)
{
  const int64_t threads = locus_cpu_threads(), head = (int64_t)sizeof(long_segment);
  const int64_t bytes =
      head + threads * (int64_t)sizeof(tally) + job->wanted * (int64_t)sizeof(ask);
  long_segment *l = NULL;
  int status = 0;

  for (int64_t s = 0; status == 0 && s < job->segments; s++) {
    if (length_of(job, s) <= LONG) continue;
    if (!l) {
      l = locus_memory_alloc(bytes);
      if (!l) return locus_fail_memory(cx, bytes);
      l->job = job;
      l->pieces = threads;
      l->tallies = (tally *)(l + 1);
    }
    status = take_long(l, s, (ask *)(l->tallies + threads), cx);
  }
  locus_memory_free(l, bytes);
  return status;
}

/* -- The job ----------------------------------------------------------------------------------- */

static int64_t find_misfit(const locus_kth_job *job)
{
  const int64_t judged = locus_kth_judged(job), m = job->wanted;
  const int64_t offsets = job->offsets ? job->segments + 1 : 0;

  for (int64_t s = 0; s < offsets; s++)
    if (!locus_kth_leads(job, s)) return s;
  for (int64_t s = 0; s < judged; s++)
    for (int64_t i = 0; i < m; i++)
      if (!locus_kth_has(job, s, i)) return offsets + s * m + i;
  return -1;
}

static int choose_all(const locus_kth_job *job, locus_context *cx)
{
  shared p = {job, 1};

  p.pieces = least(job->segments, 1 + begin_of(job, job->segments) / KTH_GRAIN);
  p.pieces = least(p.pieces, locus_cpu_threads() * 8);
  LOCUS_TRY(locus_parallel(take_pieces, &p, p.pieces, 1, cx));
  return take_long_segments(job, cx);
}

/* The same of elements that lie in any order. */
static int choose_by_ids(const locus_kth_job *job, locus_context *cx)
{
  arrangement a = {.job = job, .ranges = plan_ranges(job), .step = step_of(job)};
  const int64_t bytes = arrangement_bytes(&a);
  locus_kth_job arranged = *job;

  a.places = locus_memory_alloc(bytes);
  if (!a.places) return locus_fail_memory(cx, bytes);
  arranged.in = a.to = (char *)(a.places + a.ranges * a.step);
  int status = arrange(&a, cx);
  if (status == 0) status = choose_all(&arranged, cx);
  locus_memory_free(a.places, bytes);
  return status;
}

int ISA(kth)(const locus_kth_job *job, locus_context *cx)
{
  *job->misfit = find_misfit(job);
  if (*job->misfit >= 0) return 0;
  if (job->segments == 0 || job->wanted == 0) return 0;
  return job->ids ? choose_by_ids(job, cx) : choose_all(job, cx);
}
