/* SPDX-License-Identifier: MIT */
/* Sorting a row for its values alone, by vectors: elements of 4 and 8 bytes become keys where the
** values are to be, are sorted there as signed integers, and become elements again. */
#ifndef LOCUS_VALUES_H
#define LOCUS_VALUES_H

#include "cpu/order/keys.h"
#include "cpu/order/quicksort.h"

#if PARTITIONS
enum {
  MANY_WORDS = 1 << 18, /* from here on two digits are sorted as fast as vectors */
  FEW_NEAR = 64,        /* fewer keys are not worth making narrow */
};

typedef struct key_outline {
  int64_t low, high;    /* the least and the greatest key */
  bool rising, falling; /* keys never fall, always do */
} key_outline;

#define key_of_i32 key_4
#define key_of_f32 key_4
#define key_of_i64 key_8
#define key_of_f64 key_8
#define TEMPLATE "cpu/order/values.inc"
#define KEYS_ALONE
#include "cpu/block/each_real.h"

typedef void make_keys(void *to, const void *in, int64_t n, bool descending, bool first,
                       key_outline *o);
static make_keys *const makers_of_keys[LOCUS_DTYPES] = {[LOCUS_i32] = make_keys_i32,
                                                        [LOCUS_i64] = make_keys_i64,
                                                        [LOCUS_f32] = make_keys_f32,
                                                        [LOCUS_f64] = make_keys_f64};
typedef void unmake_keys(void *run, int64_t n, bool descending);
static unmake_keys *const unmakers_of_keys[LOCUS_DTYPES] = {[LOCUS_i32] = unmake_keys_i32,
                                                            [LOCUS_i64] = unmake_keys_i64,
                                                            [LOCUS_f32] = unmake_keys_f32,
                                                            [LOCUS_f64] = unmake_keys_f64};

/* Writes the keys of a row, and what they are like. */
static int make_row_of_keys(const sorting *s, const char *elements, void *keys, key_outline *o,
                            locus_context *cx)
{
  const int64_t n = s->in.n, item = s->in.item;

  *o = (key_outline){item == 4 ? INT32_MAX : INT64_MAX, item == 4 ? INT32_MIN : INT64_MIN, true,
                     true};
  for (int64_t at = 0; at < n; at += BLOCK) {
    LOCUS_TRY(locus_poll(cx));
    makers_of_keys[s->job->in.dtype]((char *)keys + at * item, elements + at * item,
                                     least(BLOCK, n - at), s->job->descending, at == 0, o);
  }
  return 0;
}

/* Subtracts `low` from n keys, which then have 32 bits, and the other way about. Keys may lie where
** the differences are to be if they are as wide. */
static int narrow_keys(key_4 *to, const void *keys, int64_t n, int64_t item, int64_t low,
                       locus_context *cx)
{
  const uint64_t by = (uint64_t)low - (uint64_t)INT32_MIN;

  for (int64_t at = 0; at < n; at += BLOCK) {
    const int64_t end = least(n, at + BLOCK);
    const key_4 *near = keys;
    const key_8 *far = keys;
    LOCUS_TRY(locus_poll(cx));
    if (item == 4) {
      for (int64_t i = at; i < end; i++) to[i] = (key_4)((uint32_t)near[i] - (uint32_t)by);
    } else {
      for (int64_t i = at; i < end; i++) to[i] = (key_4)(uint32_t)((uint64_t)far[i] - by);
    }
  }
  return 0;
}

static int widen_keys(void *keys, const key_4 *from, int64_t n, int64_t item, int64_t low,
                      locus_context *cx)
{
  const uint64_t by = (uint64_t)low - (uint64_t)INT32_MIN;

  for (int64_t at = 0; at < n; at += BLOCK) {
    const int64_t end = least(n, at + BLOCK);
    key_4 *near = keys;
    key_8 *far = keys;
    LOCUS_TRY(locus_poll(cx));
    if (item == 4) {
      for (int64_t i = at; i < end; i++) near[i] = (key_4)((uint32_t)from[i] + (uint32_t)by);
    } else {
      for (int64_t i = at; i < end; i++) far[i] = (key_8)((uint64_t)(int64_t)from[i] + by);
    }
  }
  return 0;
}

/* Sorts keys in a range of 32 bits: as half as wide ones, by digits if these are few and equal keys
** as well. */
static int sort_near_keys(void *keys, void *spare, int64_t n, int64_t item, const key_outline *o,
                          bool by_digits, locus_context *cx)
{
  const uint64_t span = (uint64_t)o->high - (uint64_t)o->low;
  key_4 *near = item == 4 ? keys : spare, *other = item == 4 ? spare : near + n;
  words w = {(uint32_t *)near, (uint32_t *)other};

  LOCUS_TRY(narrow_keys(near, keys, n, item, o->low, cx));
  if (by_digits) LOCUS_TRY(sort_words(&w, n, 64 - __builtin_clzll(span), cx));
  else
    LOCUS_TRY(ISA(sort_keys_4)(near, other, n, INT32_MIN, (key_4)(INT32_MIN + (int64_t)span), cx));
  return widen_keys(keys, (const key_4 *)w.now, n, item, o->low, cx);
}

static int sort_keys(void *keys, void *spare, int64_t n, int64_t item, const key_outline *o,
                     locus_context *cx)
{
  const uint64_t span = (uint64_t)o->high - (uint64_t)o->low;
  const bool by_digits =
      n >= MANY_WORDS && n <= MOST_WORDS && span >= (uint64_t)n && span < 1 << 2 * WORD_BITS;

  if (by_digits || (item == 8 && span <= UINT32_MAX && n >= FEW_NEAR))
    return sort_near_keys(keys, spare, n, item, o, by_digits, cx);
  return item == 4 ? ISA(sort_keys_4)(keys, spare, n, (key_4)o->low, (key_4)o->high, cx)
                   : ISA(sort_keys_8)(keys, spare, n, o->low, o->high, cx);
}

/* Keys back to elements, where they lie. */
static int unmake_row_of_keys(const sorting *s, char *keys, int64_t n, locus_context *cx)
{
  const locus_dtype dtype = s->job->in.dtype;

  if (locus_dtype_kind(dtype) == LOCUS_INTEGER && !s->job->descending) return 0;
  for (int64_t at = 0; at < n; at += BLOCK) {
    LOCUS_TRY(locus_poll(cx));
    unmakers_of_keys[dtype](keys + at * s->in.item, least(BLOCK, n - at), s->job->descending);
  }
  return 0;
}

static int sort_values_by_vectors(const sorting *s, const char *elements, char *values,
                                  locus_context *cx)
{
  const int64_t n = s->in.n;
  key_outline o;

  LOCUS_TRY(make_row_of_keys(s, elements, values, &o, cx));
  if (o.rising || o.falling) return write_ordered(s, elements, values, NULL, o.falling, 0, n, cx);
  LOCUS_TRY(sort_keys(values, s->spare, n, s->in.item, &o, cx));
  LOCUS_TRY(unmake_row_of_keys(s, values, n, cx));
  return write_alike(s, elements, values, cx);
}
#endif

#endif
