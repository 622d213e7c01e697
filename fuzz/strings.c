/* SPDX-License-Identifier: MIT */
/* src/text/names/strings.c: strings laid out by offsets of both sizes and by views, beside one that
** is read as the layouts are written down; and UTF-8 beside a decoder. The input is the layout, the
** place of each string, and a buffer. */
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "fuzz.h"
#include "text/names/strings.h"

enum { MOST = 40, BUFFERS = 3 };

static locus_context cx;

/* A small number, now and then one far off or below 0. */
static int64_t take_number(fuzz_input *input)
{
  const unsigned byte = fuzz_byte(input);
  return byte < 250 ? byte % 64 : (int64_t)fuzz_word(input);
}

/* -- Where a string lies ----------------------------------------------------------------------- */

typedef struct layout {
  text_strings strings;
  uint8_t *present;
  int32_t *offsets, *views;
  int64_t *wide;
  char *buffers[BUFFERS];
  int64_t lengths[BUFFERS];
} layout;

static void make_offsets(layout *l, fuzz_input *input, bool wide)
{
  const int64_t n = l->strings.count + 1;
  int64_t at = 0;

  l->offsets = malloc((size_t)n * sizeof *l->offsets);
  l->wide = malloc((size_t)n * sizeof *l->wide);
  for (int64_t i = 0; i < n; i++) {
    const unsigned step = fuzz_byte(input);
    at = step < 240 ? (int64_t)((uint64_t)at + step % 8) : take_number(input);
    l->wide[i] = at;
    l->offsets[i] = (int32_t)at;
  }
  l->strings.offsets = wide ? NULL : l->offsets;
  l->strings.wide_offsets = wide ? l->wide : NULL;
}

static void make_views(layout *l, fuzz_input *input)
{
  l->views = malloc((size_t)l->strings.count * 16 + 1);
  for (int64_t i = 0; i < 4 * l->strings.count; i += 4) {
    l->views[i] = (int32_t)take_number(input);
    for (int k = 1; k < 4; k++)
      l->views[i + k] = l->views[i] > 12 ? (int32_t)take_number(input) : (int32_t)fuzz_word(input);
    if (l->views[i] > 12 && l->views[i + 2] > 0) l->views[i + 2] %= BUFFERS + 1;
  }
  l->strings.views = l->views;
}

static void make_layout(layout *l, fuzz_input *input)
{
  const unsigned how = fuzz_byte(input);

  *l = (layout){.strings.count = fuzz_byte(input) % MOST};
  if (how & 4) {
    l->present = malloc((size_t)l->strings.count + 1);
    for (int64_t i = 0; i < l->strings.count; i++) l->present[i] = fuzz_byte(input) % 2;
    l->strings.present = l->present;
  }
  if (how & 2) make_views(l, input);
  else make_offsets(l, input, how & 1);
  for (int i = 0; i < BUFFERS; i++) {
    const int64_t left = input->end - input->at, share = left / (BUFFERS - i);
    l->buffers[i] = fuzz_copy(input->at, (size_t)share, 0);
    l->lengths[i] = share;
    input->at += share;
  }
  l->strings.bytes = l->buffers[0];
  l->strings.buffers = (const char *const *)l->buffers;
  l->strings.lengths = l->lengths;
  l->strings.buffer_count = BUFFERS;
}

static void free_layout(layout *l)
{
  free(l->present);
  free(l->offsets);
  free(l->wide);
  free(l->views);
  for (int i = 0; i < BUFFERS; i++) fuzz_free(l->buffers[i], 0);
}

/* String i, as Arrow's page on columns has it; NULL: it lies nowhere. */
static const char *find_string(const layout *l, int64_t i, int64_t *length)
{
  int64_t buffer = 0, begin;

  *length = 0;
  if (l->present && !l->present[i]) return "";
  if (l->views) {
    const int32_t *view = l->views + 4 * i;
    *length = view[0];
    if (view[0] >= 0 && view[0] <= 12) return (const char *)&view[1];
    buffer = view[2];
    begin = view[3];
  } else if (l->strings.offsets) {
    begin = l->offsets[i];
    *length = (int64_t)l->offsets[i + 1] - begin;
  } else {
    begin = l->wide[i];
    if (begin < 0 || l->wide[i + 1] < begin) return NULL;
    *length = l->wide[i + 1] - begin;
  }
  if (buffer < 0 || buffer >= BUFFERS || *length < 0 || begin < 0) return NULL;
  if (begin > l->lengths[buffer] || *length > l->lengths[buffer] - begin) return NULL;
  return l->buffers[buffer] + begin;
}

static void check_strings(const layout *l, const text_dictionary *d, const int32_t *ids)
{
  for (int64_t i = 0; i < l->strings.count; i++) {
    int64_t length, held;
    const char *wanted = find_string(l, i, &length);
    const char *got = locus_dictionary_name(d, ids[i], &held);
    if (!wanted) fuzz_fail("string %lld lies nowhere, and was read", (long long)i);
    if (held != length || memcmp(got, wanted, (size_t)length) != 0)
      fuzz_fail("string %lld is another one", (long long)i);
  }
}

static void read_strings(const layout *l, unsigned failing)
{
  text_dictionary *d;
  int32_t ids[MOST];
  bool lost = false;

  if (locus_dictionary_new(&d, &cx)) fuzz_fail("fails: %s", cx.error.message);
  locus_memory_fail(failing, false);
  int status = locus_dictionary_add_strings(d, &l->strings, ids, &cx);
  if (locus_memory_fail(0, false) && status)
    status = locus_dictionary_add_strings(d, &l->strings, ids, &cx);
  for (int64_t i = 0, length; i < l->strings.count; i++) lost |= !find_string(l, i, &length);
  if (lost != (status != 0)) fuzz_fail("answers %d where %d is right", status, lost);
  if (!status) check_strings(l, d, ids);
  locus_dictionary_free(d);
}

/* -- UTF-8 ------------------------------------------------------------------------------------- */

/* The bytes of the character at p, by its number: 0 where it is none, or shorter is possible. */
static int64_t decode(const uint8_t *p, int64_t left)
{
  static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
  const int size = p[0] < 0x80       ? 1
                   : p[0] >> 5 == 6  ? 2
                   : p[0] >> 4 == 14 ? 3
                   : p[0] >> 3 == 30 ? 4
                                     : 0;
  uint32_t number = size == 1 ? p[0] : p[0] & (0xFFu >> (size + 1));

  if (size == 0 || size > left) return 0;
  for (int k = 1; k < size; k++) {
    if (p[k] >> 6 != 2) return 0;
    number = number << 6 | (p[k] & 63);
  }
  if (number < least[size] || number > 0x10FFFF) return 0;
  return number >= 0xD800 && number < 0xE000 ? 0 : size;
}

static void check_utf8(const char *bytes, int64_t length)
{
  int64_t at = 0;

  for (int64_t size; at < length; at += size) {
    size = decode((const uint8_t *)bytes + at, length - at);
    if (size == 0) break;
  }
  if (locus_is_utf8(bytes, length) != (at == length))
    fuzz_fail("UTF-8 up to byte %lld", (long long)at);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  fuzz_input input = {data, data + size};
  const int64_t live = locus_memory_live();
  const unsigned failing = fuzz_byte(&input) % 8;
  layout l;

  make_layout(&l, &input);
  read_strings(&l, failing);
  for (int i = 0; i < BUFFERS; i++) check_utf8(l.buffers[i], l.lengths[i]);
  free_layout(&l);
  if (locus_memory_live() != live) fuzz_fail("memory that nobody freed");
  return 0;
}
