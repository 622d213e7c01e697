/* SPDX-License-Identifier: MIT */
/* Names in files by their hash. */
#include "text/names/index.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "text/names/hash.h"

/* The words of the head. BOOT is the start of the machine in which it was last written to; all
** zeros: it holds FILLED names, and the disk has it. */
enum { MARK, FILLED, KEYS, BOOT = KEYS + 2 * LOCUS_HASH_KEYS, HEAD = BOOT + 4 };
enum { MARKED = 0x3158494C, FEWEST_SLOTS = 64, BOOT_BYTES = 16 };

static uint64_t hash_of(const int32_t *words, const char *bytes, int64_t length)
{
  text_hash_keys keys;

  memcpy(&keys, words + KEYS, sizeof keys);
  return locus_hash(bytes, length, &keys);
}

/* A name of this start of the machine, different from that of any other; false where that is not
** known. */
static bool this_boot(char id[BOOT_BYTES])
{
  const int file = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC);
  const text_hash_keys plain = {{1, 3, 5, 7}};
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

/* Where a search of that hash begins; the slots are a power of two. */
static int64_t first_slot(uint64_t hash, int64_t slots)
{
  return (int64_t)(hash >> 32) & (slots - 1);
}

static bool is_name(const text_names *names, int32_t id, const char *bytes, int64_t length)
{
  const int64_t begin = id > 1 ? names->ends[id - 2] : 0, end = names->ends[id - 1];

  if (end - begin != length || begin < 0 || end > names->length) return false;
  return memcmp(names->bytes + begin, bytes, (size_t)length) == 0;
}

int32_t locus_index_find(const int32_t *words, int64_t count, const text_names *names,
                         const char *bytes, int64_t length)
{
  const int64_t slots = count - HEAD;
  int64_t at = first_slot(hash_of(words, bytes, length), slots);

  for (int64_t i = 0; i < slots; i++, at = (at + 1) & (slots - 1)) {
    const int32_t id = words[HEAD + at];
    if (id < 1 || id > names->count) return 0;
    if (is_name(names, id, bytes, length)) return id;
  }
  return 0;
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

void locus_index_begin(int32_t *words, int64_t count)
{
  const text_hash_keys keys = locus_hash_new_keys();

  memset(words, 0, (size_t)count * sizeof *words);
  words[MARK] = MARKED;
  memcpy(words + KEYS, &keys, sizeof keys);
}

bool locus_index_holds(const int32_t *words, int64_t count, const text_names *names, int64_t more)
{
  static const char on_disk[BOOT_BYTES];
  char boot[BOOT_BYTES];
  const int64_t slots = count - HEAD;

  if (slots < FEWEST_SLOTS || (slots & (slots - 1)) || words[MARK] != MARKED) return false;
  const int64_t filled = words[FILLED];
  if (filled < names->count || 2 * (filled + more) > slots) return false;
  if (memcmp(words + BOOT, on_disk, BOOT_BYTES) == 0) return filled == names->count;
  return this_boot(boot) && memcmp(words + BOOT, boot, BOOT_BYTES) == 0;
}

void locus_index_touch(int32_t *words)
{
  char boot[BOOT_BYTES];

  if (!this_boot(boot)) words[MARK] = 0; /* it cannot be told later whether pages were lost */
  else memcpy(words + BOOT, boot, BOOT_BYTES);
}
