/* SPDX-License-Identifier: MIT */
/* Bytes of TZif files. No byte is trusted: counts are compared with the size before anything behind
** the header is read. Sources: RFC 8536, RFC 9636 (version 4). */
#include "text/time/tzif.h"

#include <string.h>

#include "core/memory.h"
#include "text/time/rule.h"

/* A data block: its counts, and the place of its transition times, each of `width` bytes. */
typedef struct tzif_block {
  int64_t first, size; /* bytes */
  int width;
  uint32_t isut, isstd, leap, time, type, abbreviations;
} tzif_block;

typedef struct tzif_file {
  const unsigned char *bytes;
  int64_t size;
  const char *name;
} tzif_file;

enum { HEADER = 44 };

static uint32_t read_u32(const unsigned char *at)
{
  return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
}

static int64_t read_time(const unsigned char *at, int width)
{
  if (width == 4) return (int32_t)read_u32(at);
  return (int64_t)((uint64_t)read_u32(at) << 32 | read_u32(at + 4));
}

/* The block whose header is at `at`. */
static int find_block(const tzif_file *file, int64_t at, int width, tzif_block *block,
                      locus_context *cx)
{
  const unsigned char *const header = file->bytes + at;

  if (file->size - at < HEADER)
    return locus_fail(cx, "%s is truncated: its header is not complete", file->name);
  if (memcmp(header, "TZif", 4) != 0)
    return locus_fail(cx, "%s is malformed: it has no second header", file->name);
  *block = (tzif_block){at + HEADER,
                        0,
                        width,
                        read_u32(header + 20),
                        read_u32(header + 24),
                        read_u32(header + 28),
                        read_u32(header + 32),
                        read_u32(header + 36),
                        read_u32(header + 40)};
  block->size = (int64_t)block->time * (width + 1) + (int64_t)block->type * 6 +
                block->abbreviations + (int64_t)block->leap * (width + 4) + block->isstd +
                block->isut;
  if (file->size - block->first < block->size)
    return locus_fail(cx, "%s is truncated: it has %lld bytes, its header asks for %lld",
                      file->name, (long long)file->size, (long long)(block->first + block->size));
  return 0;
}

/* The offset of a local time type, in the range that RFC 9636 asks for. */
static int read_offset(const tzif_file *file, const tzif_block *block, uint32_t index,
                       int32_t *offset, locus_context *cx)
{
  if (index >= block->type)
    return locus_fail(cx, "%s is malformed: it uses local time type %u of %u", file->name,
                      index + 1, block->type);
  const int64_t types = block->first + (int64_t)block->time * (block->width + 1);
  *offset = (int32_t)read_u32(file->bytes + types + 6 * (int64_t)index);
  if (*offset < -89999 || *offset > 93599)
    return locus_fail(cx, "%s is malformed: its local time type %u is %d seconds ahead of UTC",
                      file->name, index + 1, *offset);
  return 0;
}

static int read_changes(const tzif_file *file, const tzif_block *block, zone_changes *changes,
                        locus_context *cx)
{
  static const int64_t LATEST = INT64_C(1) << 40; /* in the year 36812 */
  const unsigned char *const times = file->bytes + block->first;
  const unsigned char *const indices = times + (int64_t)block->time * block->width;

  LOCUS_TRY(read_offset(file, block, 0, &changes->ahead[0], cx));
  for (uint32_t i = 0; i < block->time; i++) {
    changes->at[i] = read_time(times + (int64_t)i * block->width, block->width);
    if (i > 0 && changes->at[i] <= changes->at[i - 1])
      return locus_fail(cx, "%s is malformed: its transition %u is not after the one before",
                        file->name, i + 1);
    if (changes->at[i] > LATEST)
      return locus_fail(cx, "%s is malformed: its transition %u is tens of thousands of years away",
                        file->name, i + 1);
    LOCUS_TRY(read_offset(file, block, indices[i], &changes->ahead[i + 1], cx));
  }
  changes->count = block->time;
  return 0;
}

/* The rule in the footer, which begins at `at`; *has says whether there is one. */
static int read_footer(const tzif_file *file, int64_t at, time_rule *rule, bool *has,
                       locus_context *cx)
{
  const char *const text = (const char *)file->bytes + at + 1;
  const char *place;

  if (file->size - at < 2 || file->bytes[at] != '\n')
    return locus_fail(cx, "%s is truncated: its footer is not complete", file->name);
  const char *const end = memchr(text, '\n', (size_t)(file->size - at - 1));
  if (!end) return locus_fail(cx, "%s is truncated: its footer is not complete", file->name);
  *has = end > text;
  if (!*has) return 0;
  const char *const needs = locus_parse_rule(text, end, rule, &place);
  if (!needs) return 0;
  return locus_fail(cx, "%s is malformed: its rule needs %s at character %d", file->name, needs,
                    (int)(place - text) + 1);
}

static int make_zone(const tzif_file *file, const tzif_block *block, const time_rule *rule,
                     time_zone **zone, locus_context *cx)
{
  const int64_t room = (int64_t)block->time + (rule ? RULE_CHANGES : 0);
  const int64_t bytes = room * 8 + (room + 1) * 4;
  char *const memory = locus_memory_alloc(bytes);
  zone_changes changes = {0, room, (int64_t *)memory, (int32_t *)(memory + room * 8)};
  int64_t cycle = INT64_MAX;
  bool always = false;

  if (!memory) return locus_fail_memory(cx, bytes);
  int status = read_changes(file, block, &changes, cx);
  if (status == 0 && rule) {
    const int64_t from = changes.count > 0 ? changes.at[changes.count - 1] : INT64_MIN;
    locus_rule_add(rule, from, &changes, &cycle, &always);
  }
  if (status == 0) status = locus_zone_make(&changes, cycle, always, zone, cx);
  locus_memory_free(memory, bytes);
  return status;
}

int locus_tzif_parse(const unsigned char *bytes, int64_t size, const char *name, time_zone **zone,
                     locus_context *cx)
{
  const tzif_file file = {bytes, size, name};
  tzif_block block;
  time_rule rule;
  bool has_rule = false;

  if (size < 4 || memcmp(bytes, "TZif", 4) != 0)
    return locus_fail(cx, "%s is no file of a time zone (TZif)", name);
  LOCUS_TRY(find_block(&file, 0, 4, &block, cx));
  if (bytes[4] != 0) {
    LOCUS_TRY(find_block(&file, block.first + block.size, 8, &block, cx));
    LOCUS_TRY(read_footer(&file, block.first + block.size, &rule, &has_rule, cx));
  }
  if (block.leap > 0)
    return locus_fail(cx,
                      "%s counts leap seconds, which times here do not: take the zone that is not "
                      "in the folder right",
                      name);
  return make_zone(&file, &block, has_rule ? &rule : NULL, zone, cx);
}
