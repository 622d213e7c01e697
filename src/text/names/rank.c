/* SPDX-License-Identifier: MIT */
/* The strings of a dictionary in the order of their bytes, by merge sort, which no choice of
** strings makes slow. The first eight bytes behind the common prefix are compared as a number,
** which mostly decides. */
#include "text/names/rank.h"

#include <string.h>

#include "core/memory.h"

typedef struct entry {
  uint64_t first; /* eight bytes behind the prefix, big-endian, filled with zeros */
  int32_t id;
} entry;

enum { FIRST = sizeof(uint64_t), POLL_EVERY = 1 << 16 };

static uint64_t first_bytes(const char *bytes, int64_t length)
{
  uint64_t first = 0;
  for (int64_t i = 0; i < FIRST; i++)
    first = first << 8 | (i < length ? (unsigned char)bytes[i] : 0);
  return first;
}

/* The length of the prefix that all strings share. */
static int64_t common_bytes(const text_dictionary *d)
{
  int64_t common, length;
  const int32_t n = locus_dictionary_count(d);
  const char *one = n ? locus_dictionary_name(d, 1, &common) : NULL;

  for (int32_t id = 2; id <= n; id++) {
    const char *name = locus_dictionary_name(d, id, &length);
    if (length < common) common = length;
    int64_t same = 0;
    while (same < common && name[same] == one[same]) same++;
    common = same;
  }
  return n ? common : 0;
}

static int order_of_strings(const char *a, int64_t a_length, const char *b, int64_t b_length)
{
  const int64_t both = a_length < b_length ? a_length : b_length;
  const int order = memcmp(a, b, (size_t)both);
  return order ? order : (a_length > b_length) - (a_length < b_length);
}

void locus_dictionary_compare(const text_dictionary *d, const char *bytes, int64_t length,
                              int8_t *signs)
{
  const uint64_t first = first_bytes(bytes, length);

  for (int32_t i = 0; i < locus_dictionary_count(d); i++) {
    int64_t held;
    const char *name = locus_dictionary_name(d, i + 1, &held);
    const uint64_t begin = first_bytes(name, held);
    int order = (begin > first) - (begin < first);
    if (!order) order = order_of_strings(name, held, bytes, length);
    signs[i] = (int8_t)((order > 0) - (order < 0));
  }
}

static inline bool is_before(const text_dictionary *d, const entry *a, const entry *b)
{
  if (a->first != b->first) return a->first < b->first;
  int64_t a_length, b_length;
  const char *a_name = locus_dictionary_name(d, a->id, &a_length);
  const char *b_name = locus_dictionary_name(d, b->id, &b_length);
  return order_of_strings(a_name, a_length, b_name, b_length) < 0;
}

/* Merges from[begin..middle) and from[middle..end), both in order, to `to`. */
static void merge(const text_dictionary *d, const entry *from, entry *to, int64_t begin,
                  int64_t middle, int64_t end)
{
  int64_t a = begin, b = middle;

  for (int64_t at = begin; at < end; at++) {
    const bool second = a == middle || (b < end && is_before(d, &from[b], &from[a]));
    to[at] = from[second ? b++ : a++];
  }
}

/* Merges runs of twice the length at each pass, from one half of `entries` to the other; returns
** the half that holds the result. */
static int sort(const text_dictionary *d, entry *entries, int64_t n, entry **sorted,
                locus_context *cx)
{
  entry *from = entries, *to = entries + n;
  int64_t done = 0;

  for (int64_t run = 1; run < n; run *= 2) {
    for (int64_t begin = 0; begin < n; begin += 2 * run) {
      const int64_t middle = begin + run < n ? begin + run : n;
      const int64_t end = middle + run < n ? middle + run : n;
      merge(d, from, to, begin, middle, end);
      done += end - begin;
      if (done < POLL_EVERY) continue;
      LOCUS_TRY(locus_poll(cx));
      done = 0;
    }
    entry *other = from;
    from = to;
    to = other;
  }
  *sorted = from;
  return 0;
}

int locus_dictionary_rank(const text_dictionary *d, int32_t *ranks, locus_context *cx)
{
  const int64_t n = locus_dictionary_count(d), bytes = 2 * n * (int64_t)sizeof(entry);
  const int64_t common = common_bytes(d);
  entry *entries = locus_memory_alloc(bytes), *sorted;

  if (!entries) return locus_fail_memory(cx, bytes);
  for (int32_t id = 1; id <= n; id++) {
    int64_t length;
    const char *name = locus_dictionary_name(d, id, &length);
    entries[id - 1] = (entry){first_bytes(name + common, length - common), id};
  }
  const int status = sort(d, entries, n, &sorted, cx);
  for (int64_t i = 0; status == 0 && i < n; i++) ranks[sorted[i].id - 1] = (int32_t)(i + 1);
  locus_memory_free(entries, bytes);
  return status;
}
