/* SPDX-License-Identifier: MIT */
/* src/text/names beside a list that is searched from its beginning: the input is a program, each
** step a byte that chooses what is done and those that it takes. Allocations fail, too. */
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "fuzz.h"
#include "text/names/rank.h"

enum { MOST = 1500, LONGEST = 48 };

typedef struct word {
  char bytes[LONGEST];
  int64_t length;
} word;

/* A dictionary and the list that it must be. */
typedef struct pair {
  text_dictionary *dictionary;
  word words[MOST];
  int32_t count;
} pair;

static locus_context cx;

/* Whether to repeat a step that failed because an allocation was made to fail. */
static bool again(int status)
{
  const int64_t refused = locus_memory_fail(0, false);

  if (status && (!refused || cx.error.code != LOCUS_OUT_OF_MEMORY))
    fuzz_fail("fails: %s", cx.error.message);
  return status != 0;
}

/* Few bytes that differ, at the ends and in the middle, so that strings come again or nearly so. */
static word take_word(fuzz_input *input)
{
  const unsigned shape = fuzz_byte(input);
  word made = {.length = shape & 0x80 ? shape & 31 : shape & 3};

  if (shape & 0x40) made.length += 9;
  memset(made.bytes, (int)(shape >> 2 & 3) + 'a', sizeof made.bytes);
  if (made.length > 0) made.bytes[made.length - 1] = (char)fuzz_byte(input);
  if (made.length > 1) made.bytes[made.length / 2] ^= (char)(fuzz_byte(input) & 3);
  if (made.length > 2) made.bytes[0] = (char)fuzz_byte(input);
  return made;
}

static int32_t find(const pair *pair, const word *word)
{
  for (int32_t i = 0; i < pair->count; i++)
    if (pair->words[i].length == word->length &&
        memcmp(pair->words[i].bytes, word->bytes, (size_t)word->length) == 0)
      return i + 1;
  return 0;
}

static int32_t add(pair *pair, const word *word)
{
  const int32_t found = find(pair, word);

  if (found) return found;
  pair->words[pair->count++] = *word;
  return pair->count;
}

static void expect(const char *what, int64_t got, int64_t expected)
{
  if (got != expected)
    fuzz_fail("%s: %lld and not %lld", what, (long long)got, (long long)expected);
}

static void add_one(pair *pair, fuzz_input *input, unsigned failing)
{
  const word word = take_word(input);
  char *copy = fuzz_copy(word.bytes, (size_t)word.length, 0);
  int32_t id;
  int status;

  locus_memory_fail(failing, false);
  do status = locus_dictionary_add(pair->dictionary, copy, word.length, &id, &cx);
  while (again(status));
  expect("add", id, add(pair, &word));
  fuzz_free(copy, 0);
}

static void add_many(pair *pair, fuzz_input *input, unsigned failing)
{
  const int count = (int)fuzz_byte(input) % 70;
  word words[70];
  text_span spans[70];
  int32_t ids[70];
  int status;

  for (int i = 0; i < count; i++) {
    words[i] = take_word(input);
    spans[i].bytes = fuzz_copy(words[i].bytes, (size_t)words[i].length, 0);
    spans[i].length = words[i].length;
  }
  locus_memory_fail(failing, false);
  do status = locus_dictionary_add_many(pair->dictionary, spans, count, ids, &cx);
  while (again(status));
  for (int i = 0; i < count; i++) {
    expect("add_many", ids[i], add(pair, &words[i]));
    fuzz_free((char *)spans[i].bytes, 0);
  }
}

/* Many that are alike except for their last bytes. */
static void add_numbers(pair *pair, fuzz_input *input)
{
  const unsigned count = fuzz_byte(input), begin = fuzz_byte(input);

  for (unsigned i = begin; i < begin + count; i++) {
    word word = {.length = 6};
    int32_t id;
    memcpy(word.bytes, "number", 6);
    word.bytes[4] = (char)(i >> 4), word.bytes[5] = (char)(i & 15);
    if (locus_dictionary_add(pair->dictionary, word.bytes, word.length, &id, &cx))
      fuzz_fail("fails: %s", cx.error.message);
    expect("add", id, add(pair, &word));
  }
}

static void find_one(const pair *pair, fuzz_input *input)
{
  const word word = take_word(input);
  char *copy = fuzz_copy(word.bytes, (size_t)word.length, 0);

  expect("find", locus_dictionary_find(pair->dictionary, copy, word.length), find(pair, &word));
  fuzz_free(copy, 0);
}

static void check_names(const pair *pair)
{
  expect("count", locus_dictionary_count(pair->dictionary), pair->count);
  for (int32_t i = 0; i < pair->count; i++) {
    int64_t length;
    const char *name = locus_dictionary_name(pair->dictionary, i + 1, &length);
    expect("length", length, pair->words[i].length);
    expect("name", memcmp(name, pair->words[i].bytes, (size_t)length), 0);
  }
}

static void check_translation(const pair *from, const pair *to)
{
  int32_t *ids = calloc((size_t)from->count + 1, sizeof *ids);

  locus_dictionary_translate(from->dictionary, to->dictionary, ids);
  for (int32_t i = 0; i < from->count; i++) expect("translate", ids[i], find(to, &from->words[i]));
  free(ids);
}

static void gather(const pair *from, pair *to, fuzz_input *input, unsigned failing)
{
  const int count = (int)fuzz_byte(input) % 20;
  int32_t ids[20], numbers[20],
      *translation = malloc(((size_t)from->count + 1) * sizeof *translation);
  int status;

  if (from->count == 0) {
    free(translation);
    return;
  }
  for (int i = 0; i < count; i++) ids[i] = 1 + (int32_t)fuzz_byte(input) % from->count;
  locus_memory_fail(failing, false);
  do
    status = locus_dictionary_gather(from->dictionary, to->dictionary, ids, count, translation,
                                     numbers, &cx);
  while (again(status));
  for (int i = 0; i < count; i++) {
    expect("gather", translation[ids[i] - 1], add(to, &from->words[ids[i] - 1]));
    expect("gather", numbers[i], translation[ids[i] - 1]);
  }
  for (int32_t i = 0; i < from->count; i++) {
    bool named = false;
    for (int j = 0; j < count; j++) named |= ids[j] == i + 1;
    if (!named) expect("gather", translation[i], 0);
  }
  ids[0] = from->count + 1;
  if (!locus_dictionary_gather(from->dictionary, to->dictionary, ids, 1, translation, numbers, &cx))
    fuzz_fail("a number beyond the last one is gathered");
  free(translation);
}

static int order(const word *a, const word *b)
{
  const int64_t least = a->length < b->length ? a->length : b->length;
  const int sign = memcmp(a->bytes, b->bytes, (size_t)least);

  if (sign) return sign < 0 ? -1 : 1;
  return (a->length > b->length) - (a->length < b->length);
}

static void check_comparison(const pair *pair, fuzz_input *input)
{
  const word word = take_word(input);
  int8_t *signs = calloc((size_t)pair->count + 1, 1);

  locus_dictionary_compare(pair->dictionary, word.bytes, word.length, signs);
  for (int32_t i = 0; i < pair->count; i++)
    expect("compare", signs[i], order(&pair->words[i], &word));
  free(signs);
}

static void check_ranks(const pair *pair, unsigned failing)
{
  int32_t *ranks = calloc((size_t)pair->count + 1, sizeof *ranks);
  int32_t *by_rank = calloc((size_t)pair->count + 1, sizeof *by_rank);
  int status;

  locus_memory_fail(failing, false);
  do status = locus_dictionary_rank(pair->dictionary, ranks, &cx);
  while (again(status));
  for (int32_t i = 0; i < pair->count; i++) {
    if (ranks[i] < 1 || ranks[i] > pair->count || by_rank[ranks[i] - 1])
      fuzz_fail("the rank %d of %d", ranks[i], pair->count);
    by_rank[ranks[i] - 1] = i + 1;
  }
  for (int32_t i = 1; i < pair->count; i++)
    expect("ranks", order(&pair->words[by_rank[i - 1] - 1], &pair->words[by_rank[i] - 1]), -1);
  free(ranks);
  free(by_rank);
}

static void step(pair *pairs, fuzz_input *input)
{
  const unsigned what = fuzz_byte(input), failing = what >> 5;
  pair *pair = &pairs[what >> 4 & 1], *other = &pairs[!(what >> 4 & 1)];

  switch (what & 15) {
  case 0:
  case 1:
  case 2: add_one(pair, input, failing); break;
  case 3:
  case 4:
  case 5: add_many(pair, input, failing); break;
  case 6: add_numbers(pair, input); break;
  case 7: find_one(pair, input); break;
  case 8: check_names(pair); break;
  case 9: check_translation(pair, other); break;
  case 10: gather(pair, other, input, failing); break;
  case 11: check_comparison(pair, input); break;
  case 12: check_ranks(pair, failing); break;
  case 13: locus_dictionary_trim(pair->dictionary); break;
  default: locus_dictionary_bytes(pair->dictionary); break;
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  fuzz_input input = {data, data + size};
  static pair pairs[2];
  const int64_t live = locus_memory_live();

  for (int i = 0; i < 2; i++) {
    pairs[i].count = 0;
    if (locus_dictionary_new(&pairs[i].dictionary, &cx)) fuzz_fail("fails: %s", cx.error.message);
  }
  while (input.at < input.end && pairs[0].count + pairs[1].count < MOST - 300) step(pairs, &input);
  locus_memory_fail(0, false);
  for (int i = 0; i < 2; i++) {
    check_names(&pairs[i]);
    check_ranks(&pairs[i], 0);
    locus_dictionary_free(pairs[i].dictionary);
  }
  if (locus_memory_live() != live) fuzz_fail("memory that nobody freed");
  return 0;
}
