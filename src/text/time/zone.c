/* SPDX-License-Identifier: MIT */
/* Offsets in force, and the moments at which a clock shows a time.
**
** A zone is a sorted list of changes. Times beyond the list are moved into it by whole cycles of
** 400 years, so that a rule for all years to come costs no computation. A table over slots of time
** says where in the list to look, for the centuries that it covers; beyond them a search halves the
** list. */
#include "text/time/zone.h"

#include <string.h>

#include "core/memory.h"

enum { MOST_SLOTS = 4096 };

const time_zone locus_utc = {.cycle = INT64_MAX, .offset = (const int32_t[1]){0}};

/* The slots begin with the first change that is not thousands of years away. */
static void fill_slots(time_zone *zone, int32_t *slot)
{
  static const int64_t FIRST = -(INT64_C(1) << 36);
  int64_t k = 0;

  while (k < zone->count && zone->at[k] < FIRST) k++;
  if (k == zone->count) return;
  zone->base = zone->at[k];
  zone->slots = ((zone->at[zone->count - 1] - zone->base) >> SLOT_BITS) + 1;
  if (zone->slots > MOST_SLOTS) zone->slots = MOST_SLOTS;
  for (int64_t i = 0; i < zone->slots; i++) {
    while (k < zone->count && zone->at[k] < zone->base + (i << SLOT_BITS)) k++;
    slot[i] = (int32_t)k;
  }
  zone->slot = slot;
}

int locus_zone_make(const zone_changes *changes, int64_t cycle, bool always, time_zone **zone,
                    locus_context *cx)
{
  const int64_t most = changes->count;
  const int64_t bytes = (int64_t)sizeof(time_zone) + most * 8 + (most + 1 + MOST_SLOTS) * 4;
  time_zone *made = locus_memory_alloc(bytes);

  if (!made) return locus_fail_memory(cx, bytes);
  int64_t *at = (int64_t *)(made + 1), count = 0;
  int32_t *offset = (int32_t *)(at + most);
  offset[0] = changes->ahead[0];
  for (int64_t i = 0; i < most; i++) {
    if (count > 0 && at[count - 1] == changes->at[i]) count--; /* replaced at once */
    if (changes->ahead[i + 1] == offset[count]) continue;
    at[count++] = changes->at[i];
    offset[count] = changes->ahead[i + 1];
  }
  *made = (time_zone){
      .bytes = bytes, .cycle = cycle, .always = always, .count = count, .at = at, .offset = offset};
  fill_slots(made, offset + most + 1);
  *zone = made;
  return 0;
}

void locus_zone_free(time_zone *zone)
{
  if (zone && zone->bytes > 0) locus_memory_free(zone, zone->bytes);
}

/* The second moved by whole cycles into the list; *moved is by how much. */
static int64_t into_cycle(const time_zone *zone, int64_t second, __int128 *moved)
{
  const uint64_t whole = (uint64_t)CYCLE_SECONDS;

  *moved = 0;
  if (zone->cycle == INT64_MAX) return second;
  if (second >= zone->cycle) {
    const uint64_t since = (uint64_t)second - (uint64_t)zone->cycle;
    *moved = since - since % whole;
  } else if (zone->always) {
    const uint64_t until = (uint64_t)zone->cycle - (uint64_t)second - 1;
    *moved = -(__int128)(until - until % whole) - CYCLE_SECONDS;
  }
  return (int64_t)(second - *moved);
}

static int64_t clamp(__int128 second)
{
  return second > INT64_MAX ? INT64_MAX : second < INT64_MIN ? INT64_MIN : (int64_t)second;
}

/* How many changes are at or before a second. */
static int64_t count_changes(const time_zone *zone, int64_t second)
{
  const int64_t *base = zone->at;

  if (second >= zone->base && (second - zone->base) >> SLOT_BITS < zone->slots) {
    int64_t k = zone->slot[(second - zone->base) >> SLOT_BITS];
    while (k < zone->count && zone->at[k] <= second) k++;
    return k;
  }
  /* Changes before `base` are at or before it; of the `left` behind, the answer is among them. */
  for (int64_t left = zone->count; left > 0; left /= 2) {
    const int64_t half = left - left / 2;
    base += base[half - 1] <= second ? half : 0;
  }
  return base - zone->at;
}

void locus_zone_find(const time_zone *zone, int64_t second, zone_interval *found)
{
  __int128 moved;
  const int64_t k = count_changes(zone, into_cycle(zone, second, &moved));

  found->offset = zone->offset[k];
  found->before = zone->offset[k > 0 ? k - 1 : 0];
  found->first = k > 0 ? clamp(zone->at[k - 1] + moved) : INT64_MIN;
  found->last = k < zone->count ? clamp(zone->at[k] + moved - 1) : INT64_MAX;
}

void locus_zone_moment(const time_zone *zone, int64_t clock, zone_moment *found)
{
  const int64_t end = clamp((__int128)clock + MOST_OFFSET);
  zone_interval in;
  bool beyond = false;

  *found = (zone_moment){0};
  locus_zone_find(zone, clamp((__int128)clock - MOST_OFFSET), &in);
  for (;;) {
    const __int128 second = (__int128)clock - in.offset;
    beyond |= second != clamp(second);
    if (second == clamp(second) && second >= in.first && second <= in.last) {
      if (found->times++ == 0) found->first = (int64_t)second;
      found->last = (int64_t)second;
    }
    if (in.last >= end) break;
    const int64_t next = in.last + 1, low = next + in.offset;
    locus_zone_find(zone, next, &in);
    if (found->times == 0 && low <= clock && clock < next + in.offset) {
      found->first = found->last = next;
      found->low = low;
      found->high = next + in.offset;
    }
  }
  if (found->times == 0 && beyond) found->times = -1;
}
