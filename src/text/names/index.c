/* SPDX-License-Identifier: MIT */
/* Names in files by their hash. */
#include "text/names/index.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "core/once.h"
#include "text/names/hash.h"

/* The words of the head. CHECK is a hash of the others and of the number of words; an index from
** before there was a check has a fixed mark there, and is written anew. BOOT is the start of the
** machine in which it was last written to; all zeros: it holds FILLED names, and the disk has
** it. */
enum { CHECK, FILLED, KEYS, BOOT = KEYS + 2 * LOCUS_HASH_KEYS, HEAD = BOOT + 4 };
enum { FEWEST_SLOTS = 64, BOOT_BYTES = 16 };
enum { ENDS_LOOKED_AT = 1 << 14 }; /* the last ones: 128 KB, some microseconds */

static const text_hash_keys plain = {{1, 3, 5, 7}};

static uint64_t hash_of(const int32_t *words, const char *bytes, int64_t length)
{
  text_hash_keys keys;

  memcpy(&keys, words + KEYS, sizeof keys);
  return locus_hash(bytes, length, &keys);
}

/* An id of this boot of the machine, different from that of any other; false if it is not known. */
static bool this_boot(char id[BOOT_BYTES])
{
  const int file = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC);
  char text[64];

  const ssize_t length = file < 0 ? 0 : read(file, text, sizeof text);
  if (file >= 0) close(file);
  if (length < BOOT_BYTES) return false;
  const uint64_t halves[2] = {locus_hash(text, length / 2, &plain) | 1,
                              locus_hash(text + length / 2, length - length / 2, &plain)};
  memcpy(id, halves, BOOT_BYTES);
  return true;
}

int64_t locus_index_words(int64_t names)
{
  int64_t slots = FEWEST_SLOTS;

  while (slots < 2 * names) slots *= 2;
  return HEAD + slots;
}

/* -- Slots ------------------------------------------------------------------------------------- */

/* The slot where the search for a hash begins; the number of slots is a power of two. */
static int64_t first_slot(uint64_t hash, int64_t slots)
{
  return (int64_t)(hash >> 32) & (slots - 1);
}

/* Whether the name lies among the bytes; where it begins and ends. */
static bool read_ends(const text_names *names, int32_t id, int64_t *begin, int64_t *end)
{
  *begin = id > 1 ? LOCUS_ONCE(names->ends[id - 2]) : 0;
  *end = LOCUS_ONCE(names->ends[id - 1]);
  return *begin >= 0 && *begin <= *end && *end <= names->length;
}

int32_t locus_index_find(const int32_t *words, int64_t count, const text_names *names,
                         const char *bytes, int64_t length)
{
  const int64_t slots = count - HEAD;
  int64_t at = first_slot(hash_of(words, bytes, length), slots), begin, end;

  for (int64_t i = 0; i < slots; i++, at = (at + 1) & (slots - 1)) {
    const int32_t id = LOCUS_ONCE(words[HEAD + at]);
    if (id < 0 || id > words[FILLED]) return LOCUS_INDEX_DAMAGED;
    if (id == 0 || id > names->count) return 0;
    if (!read_ends(names, id, &begin, &end)) return LOCUS_INDEX_DAMAGED;
    if (end - begin == length && memcmp(names->bytes + begin, bytes, (size_t)length) == 0)
      return id;
  }
  return LOCUS_INDEX_DAMAGED; /* an index has empty slots */
}

void locus_index_add(int32_t *words, int64_t count, int32_t id, const char *bytes, int64_t length)
{
  const int64_t slots = count - HEAD;
  int64_t at = first_slot(hash_of(words, bytes, length), slots);

  for (int64_t i = 0; i < slots; i++, at = (at + 1) & (slots - 1)) {
    const int32_t there = words[HEAD + at];
    if (there >= 1 && there < id) continue;
    words[HEAD + at] = id;
    words[FILLED]++;
    return;
  }
}

/* -- Whole ones -------------------------------------------------------------------------------- */

static int32_t check_of(const int32_t *words, int64_t count)
{
  int32_t head[HEAD];

  memcpy(head, words, sizeof head);
  head[CHECK] = (int32_t)count;
  const uint64_t hash = locus_hash((const char *)head, sizeof head, &plain);
  return (int32_t)(uint32_t)(hash ^ hash >> 32);
}

void locus_index_seal(int32_t *words, int64_t count)
{
  words[CHECK] = check_of(words, count);
}

static bool last_ends_ascend(const text_names *names)
{
  int64_t begin, end;
  const int32_t last = names->count;

  for (int32_t id = last > ENDS_LOOKED_AT ? last - ENDS_LOOKED_AT + 1 : 1; id <= last; id++)
    if (!read_ends(names, id, &begin, &end)) return false;
  return true;
}

void locus_index_begin(int32_t *words, int64_t count)
{
  const text_hash_keys keys = locus_hash_new_keys();

  memset(words, 0, (size_t)count * sizeof *words);
  memcpy(words + KEYS, &keys, sizeof keys);
}

bool locus_index_holds(const int32_t *words, int64_t count, const text_names *names, int64_t more)
{
  static const char on_disk[BOOT_BYTES];
  char boot[BOOT_BYTES];
  const int64_t slots = count - HEAD;

  if (slots < FEWEST_SLOTS || (slots & (slots - 1))) return false;
  if (words[CHECK] != check_of(words, count) || !last_ends_ascend(names)) return false;
  const int64_t filled = words[FILLED];
  if (filled < names->count || 2 * (filled + more) > slots) return false;
  if (memcmp(words + BOOT, on_disk, BOOT_BYTES) == 0) return filled == names->count;
  return this_boot(boot) && memcmp(words + BOOT, boot, BOOT_BYTES) == 0;
}

void locus_index_touch(int32_t *words)
{
  char boot[BOOT_BYTES];

  /* All ones is the id of no boot: a later one cannot tell whether pages were lost. */
  if (!this_boot(boot)) memset(boot, 0xFF, BOOT_BYTES);
  memcpy(words + BOOT, boot, BOOT_BYTES);
}
