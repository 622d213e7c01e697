/* SPDX-License-Identifier: MIT */
/* String interning: a hash table of open addressing with linear probing, over strings that lie one
** behind the other.
**
** A slot is 32 bits: the number of a string, and above it as many bits of the hash as there is room
** for (a fingerprint, or tag). With 2^bits slots, numbers take `bits` bits:
**
**   slots   | 0 | tag  3 | 0 | tag  1 | tag  2 | 0 | ...      0: empty
**                                 |                  the highest bits of the hash choose
**   ends    | 0 | 4 | 9 | 12 |    |                  the first slot, its low 32 the tag
**             \___/ <-------------+
**   bytes   "Oslo" "Paris" "Rom"        string id = bytes[ends[id - 1] .. ends[id])
**
** A probe reads the next slot until it finds the string or an empty slot. The bytes of a string are
** compared only where the tag agrees, so nearly every comparison of strings is a hit.
**
** Invariants: no slot is ever emptied, and so a string lies between its first slot and the next
** empty one. At least half of the slots are empty, hence each probe ends; small tables are emptier
** (has_slots). Numbers are 1 to n in the order of arrival and never change; only `slots` is rebuilt
** when the table doubles, from the strings themselves, which are hashed again.
**
** A batch of strings is hashed first, then the slots, ends and bytes of all of them are prefetched,
** so that a batch waits for memory once and not once per string (add_many).
**
** Source: D. Knuth, The Art of Computer Programming, volume 3, 1998, section 6.4, algorithm L (open
** addressing with linear probing). The hash is that of hash.h. */
#include "text/names/dictionary.h"

#include <inttypes.h>
#include <string.h>

#include "core/memory.h"
#include "core/once.h"
#include "text/names/hash.h"

/* BITS: of the number of slots. */
enum { FIRST_BITS = 6, FEW_BITS = 12, NEAR_BITS = 16, FIRST_NAMES = 15, FIRST_BYTES = 192 };
enum { BATCH = 32 }; /* strings whose memory is waited for at once */

struct text_dictionary {
  uint32_t *slots; /* 2^bits of them, 0: empty; the number is in the low bits of that count */
  int64_t *ends;   /* string id ends before byte ends[id], where the next begins; ends[0] = 0 */
  char *bytes;     /* the strings */
  int64_t room;    /* of bytes */
  int32_t count, names; /* strings; as many as `ends` has room for */
  int bits;
  text_hash_keys keys;
};

static int64_t slots_bytes(int bits)
{
  return ((int64_t)1 << bits) * (int64_t)sizeof(uint32_t);
}

static int64_t ends_bytes(int64_t names)
{
  return (names + 1) * (int64_t)sizeof(int64_t);
}

int64_t locus_dictionary_bytes(const text_dictionary *d)
{
  return (int64_t)sizeof *d + slots_bytes(d->bits) + ends_bytes(d->names) + d->room;
}

int32_t locus_dictionary_count(const text_dictionary *d)
{
  return d->count;
}

static uint32_t *new_slots(int bits)
{
  uint32_t *slots = locus_memory_alloc(slots_bytes(bits));
  if (slots) memset(slots, 0, (size_t)slots_bytes(bits));
  return slots;
}

void locus_dictionary_free(text_dictionary *d)
{
  if (!d) return;
  locus_memory_free(d->slots, slots_bytes(d->bits));
  locus_memory_free(d->ends, ends_bytes(d->names));
  locus_memory_free(d->bytes, d->room);
  locus_memory_free(d, sizeof *d);
}

int locus_dictionary_new(text_dictionary **made, locus_context *cx)
{
  text_dictionary *d = locus_memory_alloc(sizeof *d);

  if (!d) return locus_fail_memory(cx, sizeof *d);
  *d = (text_dictionary){.room = FIRST_BYTES, .names = FIRST_NAMES, .bits = FIRST_BITS};
  d->slots = new_slots(FIRST_BITS);
  d->ends = locus_memory_alloc(ends_bytes(FIRST_NAMES));
  d->bytes = locus_memory_alloc(FIRST_BYTES);
  if (!d->slots || !d->ends || !d->bytes) {
    const int64_t wanted = locus_dictionary_bytes(d);
    locus_dictionary_free(d);
    return locus_fail_memory(cx, wanted);
  }
  d->ends[0] = 0;
  d->keys = locus_hash_keys();
  *made = d;
  return 0;
}

const char *locus_dictionary_name(const text_dictionary *d, int32_t id, int64_t *length)
{
  const int64_t begin = d->ends[id - 1];
  *length = d->ends[id] - begin;
  return d->bytes + begin;
}

/* -- Finding ----------------------------------------------------------------------------------- */

/* Short strings, which most are, without a call. */
static inline bool same(const char *a, const char *b, int64_t length)
{
  if (length > 16) return memcmp(a, b, (size_t)length) == 0;
  if (length >= 8) {
    const int64_t last = length - 8;
    return locus_read_8(a) == locus_read_8(b) && locus_read_8(a + last) == locus_read_8(b + last);
  }
  if (length >= 4) {
    const int64_t last = length - 4;
    return locus_read_4(a) == locus_read_4(b) && locus_read_4(a + last) == locus_read_4(b + last);
  }
  for (int64_t i = 0; i < length; i++)
    if (a[i] != b[i]) return false;
  return true;
}

static inline uint64_t hash_of(const text_dictionary *d, const char *bytes, int64_t length)
{
  return locus_hash(bytes, length, &d->keys);
}

/* The bits of the number in a slot; the others, if any, are those of the hash. */
static inline uint32_t number_bits(const text_dictionary *d)
{
  return (uint32_t)(((uint64_t)1 << d->bits) - 1);
}

/* The slot of the string, or the empty one where it would go. The first bits of the hash choose
** where it begins. */
static inline uint32_t *find(const text_dictionary *d, const char *bytes, int64_t length,
                             uint64_t hash)
{
  const uint32_t mask = number_bits(d);

  for (uint32_t at = (uint32_t)(hash >> (64 - d->bits));; at = (at + 1) & mask) {
    const uint32_t slot = d->slots[at];
    if (!slot) return &d->slots[at];
    if ((slot ^ (uint32_t)hash) > mask) continue;
    int64_t held;
    const char *name = locus_dictionary_name(d, (int32_t)(slot & mask), &held);
    if (held == length && same(name, bytes, length)) return &d->slots[at];
  }
}

int32_t locus_dictionary_find(const text_dictionary *d, const char *bytes, int64_t length)
{
  return (int32_t)(*find(d, bytes, length, hash_of(d, bytes, length)) & number_bits(d));
}

/* -- Adding ------------------------------------------------------------------------------------ */

/* At most half of the slots are in use, so that the first one mostly decides: a quarter of those
** that fit into a near cache, an eighth of a few. */
static bool has_slots(const text_dictionary *d)
{
  const int spare = d->bits < FEW_BITS ? 3 : d->bits <= NEAR_BITS ? 2 : 1;
  return d->count < (int64_t)1 << (d->bits - spare);
}

/* Rebuilds the slots: hashes every string again, in the order of numbers. */
static int grow_slots(text_dictionary *d, locus_context *cx)
{
  const int bits = d->bits + 1;
  uint32_t *slots = locus_memory_resize(d->slots, slots_bytes(d->bits), slots_bytes(bits));

  if (!slots) return locus_fail_memory(cx, slots_bytes(bits));
  d->slots = slots;
  d->bits = bits;
  memset(slots, 0, (size_t)slots_bytes(bits));
  const uint32_t mask = number_bits(d);
  for (int32_t id = 1; id <= d->count; id++) {
    int64_t length;
    const char *name = locus_dictionary_name(d, id, &length);
    const uint64_t hash = hash_of(d, name, length);
    uint32_t at = (uint32_t)(hash >> (64 - bits));
    while (slots[at]) at = (at + 1) & mask;
    slots[at] = ((uint32_t)hash & ~mask) | (uint32_t)id;
  }
  return 0;
}

static int grow_ends(text_dictionary *d, locus_context *cx)
{
  const int64_t names = d->names > INT32_MAX / 2 ? INT32_MAX : 2 * (int64_t)d->names + 1;
  int64_t *ends = locus_memory_resize(d->ends, ends_bytes(d->names), ends_bytes(names));

  if (!ends) return locus_fail_memory(cx, ends_bytes(names));
  d->ends = ends;
  d->names = (int32_t)names;
  return 0;
}

static int grow_bytes(text_dictionary *d, int64_t length, locus_context *cx)
{
  int64_t room = d->ends[d->count] + length;

  if (room < 2 * d->room) room = 2 * d->room;
  char *bytes = locus_memory_resize(d->bytes, d->room, room);
  if (!bytes) return locus_fail_memory(cx, room);
  d->bytes = bytes;
  d->room = room;
  return 0;
}

/* Less than a quarter is not worth the copy. */
static bool wastes(int64_t held, int64_t used)
{
  return used < held - held / 4;
}

void locus_dictionary_trim(text_dictionary *d)
{
  const int64_t room = d->ends[d->count] > FIRST_BYTES ? d->ends[d->count] : FIRST_BYTES;
  const int32_t names = d->count > FIRST_NAMES ? d->count : FIRST_NAMES;

  if (wastes(d->room, room)) {
    char *bytes = locus_memory_resize(d->bytes, d->room, room);
    if (bytes) d->bytes = bytes, d->room = room;
  }
  if (wastes(d->names, names)) {
    int64_t *ends = locus_memory_resize(d->ends, ends_bytes(d->names), ends_bytes(names));
    if (ends) d->ends = ends, d->names = names;
  }
}

/* Adds a string that is not there; *at is the empty slot of its hash. */
static __attribute__((noinline)) int append(text_dictionary *d, const char *bytes, int64_t length,
                                            uint64_t hash, uint32_t *at, locus_context *cx)
{
  const int64_t begin = d->ends[d->count];

  if (d->count == INT32_MAX)
    return locus_fail(cx, "there are more than %d different strings", INT32_MAX);
  if (d->count == d->names) LOCUS_TRY(grow_ends(d, cx));
  if (length > d->room - begin) LOCUS_TRY(grow_bytes(d, length, cx));
  if (!has_slots(d)) {
    LOCUS_TRY(grow_slots(d, cx));
    at = find(d, bytes, length, hash);
  }
  memcpy(d->bytes + begin, bytes, (size_t)length);
  d->count++;
  d->ends[d->count] = begin + length;
  *at = ((uint32_t)hash & ~number_bits(d)) | (uint32_t)d->count;
  return 0;
}

static inline int add(text_dictionary *d, const char *bytes, int64_t length, uint64_t hash,
                      int32_t *id, locus_context *cx)
{
  uint32_t *at = find(d, bytes, length, hash);

  *id = (int32_t)(*at & number_bits(d));
  if (*id) return 0;
  LOCUS_TRY(append(d, bytes, length, hash, at, cx));
  *id = d->count;
  return 0;
}

int locus_dictionary_add(text_dictionary *d, const char *bytes, int64_t length, int32_t *id,
                         locus_context *cx)
{
  return add(d, bytes, length, hash_of(d, bytes, length), id, cx);
}

/* Prefetches the memory that a search for strings of these hashes will read: the slots, then the
** ends that these name, then the bytes. */
static void prefetch(const text_dictionary *d, const uint64_t *hashes, int n)
{
  const int shift = 64 - d->bits;
  const uint32_t mask = number_bits(d);

  for (int i = 0; i < n; i++) __builtin_prefetch(&d->slots[hashes[i] >> shift]);
  for (int i = 0; i < n; i++) __builtin_prefetch(&d->ends[d->slots[hashes[i] >> shift] & mask]);
  for (int i = 0; i < n; i++) {
    const uint32_t id = d->slots[hashes[i] >> shift] & mask;
    __builtin_prefetch(d->bytes + d->ends[id - (id > 0)]);
  }
}

int locus_dictionary_add_many(text_dictionary *d, const text_span *spans, int64_t n, int32_t *ids,
                              locus_context *cx)
{
  uint64_t hashes[BATCH];

  for (int64_t begin = 0; begin < n; begin += BATCH) {
    const int count = n - begin < BATCH ? (int)(n - begin) : BATCH;
    const text_span *span = spans + begin;
    for (int i = 0; i < count; i++) hashes[i] = hash_of(d, span[i].bytes, span[i].length);
    if (d->bits > NEAR_BITS) prefetch(d, hashes, count);
    for (int i = 0; i < count; i++)
      LOCUS_TRY(add(d, span[i].bytes, span[i].length, hashes[i], &ids[begin + i], cx));
  }
  return 0;
}

void locus_dictionary_clear(text_dictionary *d)
{
  if (d->count > 0) memset(d->slots, 0, (size_t)slots_bytes(d->bits));
  d->count = 0;
}

/* -- Two dictionaries -------------------------------------------------------------------------- */

int locus_dictionary_add_unknown(text_dictionary *d, const text_dictionary *known,
                                 const text_span *spans, int64_t n, int32_t *ids, locus_context *cx)
{
  uint64_t hashes[BATCH];

  for (int64_t begin = 0; begin < n; begin += BATCH) {
    const int count = n - begin < BATCH ? (int)(n - begin) : BATCH;
    const text_span *span = spans + begin;
    for (int i = 0; i < count; i++) hashes[i] = hash_of(d, span[i].bytes, span[i].length);
    if (known->bits > NEAR_BITS) prefetch(known, hashes, count);
    for (int i = 0; i < count; i++) {
      int32_t *id = &ids[begin + i];
      *id = (int32_t)(*find(known, span[i].bytes, span[i].length, hashes[i]) & number_bits(known));
      if (*id) continue;
      LOCUS_TRY(add(d, span[i].bytes, span[i].length, hashes[i], id, cx));
      *id = -*id;
    }
  }
  return 0;
}

void locus_dictionary_translate(const text_dictionary *from, const text_dictionary *to,
                                int32_t *ids)
{
  for (int32_t id = 1; id <= from->count; id++) {
    int64_t length;
    const char *name = locus_dictionary_name(from, id, &length);
    ids[id - 1] = locus_dictionary_find(to, name, length);
  }
}

int locus_dictionary_gather(const text_dictionary *from, text_dictionary *to, const int32_t *ids,
                            int64_t n, int32_t *translation, int32_t *numbers, locus_context *cx)
{
  enum { POLL_EVERY = 1 << 16 };
  int64_t length;

  memset(translation, 0, (size_t)from->count * sizeof *translation);
  for (int64_t i = 0; i < n; i++) {
    const int32_t id = LOCUS_ONCE(ids[i]);
    if (i % POLL_EVERY == POLL_EVERY - 1) LOCUS_TRY(locus_poll(cx));
    if (id < 1 || id > from->count) {
      return locus_fail(cx, "id %" PRId64 " is %" PRId32 ", but the names are 1 to %" PRId32, i + 1,
                        id, from->count);
    }
    if (!translation[id - 1]) {
      const char *name = locus_dictionary_name(from, id, &length);
      LOCUS_TRY(locus_dictionary_add(to, name, length, &translation[id - 1], cx));
    }
    numbers[i] = translation[id - 1];
  }
  return 0;
}
