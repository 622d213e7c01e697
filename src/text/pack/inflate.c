/* SPDX-License-Identifier: MIT */
/* The kinds of compression by their first bytes, and members one after the other. */
#include "text/pack/inflate.h"

#include <string.h>

#include "core/memory.h"
#include "text/pack/bzip2.h"
#include "text/pack/library.h"
#include "text/pack/lz4.h"
#include "text/pack/xz.h"
#include "text/pack/zlib.h"
#include "text/pack/zstd.h"

static const pack_codec *const codecs[] = {
    [TEXT_GZIP] = &locus_gzip_codec, [TEXT_ZSTD] = &locus_zstd_codec,
    [TEXT_XZ] = &locus_xz_codec,     [TEXT_BZIP2] = &locus_bzip2_codec,
    [TEXT_LZ4] = &locus_lz4_codec,   [TEXT_DEFLATE] = &locus_deflate_codec,
};

/* -- First bytes ------------------------------------------------------------------------------- */

/* `sure`: so many bytes are no text. In a mark \1 stands for a digit from 1 to 9, and \2 for any
** byte from 0x50 to 0x5f. */
typedef struct mark {
  const char *bytes;
  int length, sure;
  text_compression compression;
} mark;

static const mark marks[] = {
    {"\x28\xb5\x2f\xfd", 4, 2, TEXT_ZSTD},
    {"\2*M\x18", 4, 4, TEXT_ZSTD}, /* a frame to skip, which lz4 has, too */
    {"\xfd"
     "7zXZ\0",
     6, 2, TEXT_XZ},
    {"BZh\1"
     "1AY&SY",
     10, 5, TEXT_BZIP2},
    {"BZh\1\x17rE8P\x90", 10, 5, TEXT_BZIP2}, /* an empty one */
    {"\4\"M\x18", 4, 1, TEXT_LZ4},
};

static bool fits(char wanted, char byte)
{
  if (wanted == '\1') return byte >= '1' && byte <= '9';
  if (wanted == '\2') return byte >= 0x50 && byte <= 0x5f;
  return wanted == byte;
}

/* No text begins with the first byte of gzip; compress, whose files are another kind, shares it. */
static text_compression gzip_or_not(const char *bytes, int64_t count, bool ended, bool *undecided)
{
  *undecided = count == 1 && !ended;
  return count > 1 && bytes[1] == '\x9d' ? TEXT_PLAIN : TEXT_GZIP;
}

text_compression locus_compression_of(const char *bytes, int64_t count, bool ended, bool *undecided)
{
  *undecided = count == 0 && !ended;
  if (count == 0) return TEXT_PLAIN;
  if (bytes[0] == '\x1f') return gzip_or_not(bytes, count, ended, undecided);
  for (size_t k = 0; k < sizeof marks / sizeof *marks; k++) {
    int64_t same = 0;
    while (same < count && same < marks[k].length && fits(marks[k].bytes[same], bytes[same]))
      same++;
    if (same == marks[k].length) return marks[k].compression;
    if (same < count) continue;
    *undecided = !ended;
    if (ended && same >= marks[k].sure) return marks[k].compression;
  }
  return TEXT_PLAIN;
}

const char *locus_compression_name(text_compression compression)
{
  return codecs[compression]->form;
}

/* -- Members ----------------------------------------------------------------------------------- */

struct text_inflater {
  const pack_codec *codec;
  pack_stream stream;
  bool between;          /* members: nothing of the next one has been read */
  bool full;             /* the room has ended: more may come out without any more bytes */
  int64_t taken, member; /* bytes before now; before the current member, or behind the last one */
};

static int64_t bytes_of(const pack_codec *codec)
{
  return (int64_t)sizeof(text_inflater) + codec->bytes;
}

static int damaged(const text_inflater *inflater, locus_context *cx)
{
  const pack_codec *codec = inflater->codec;
  const char *why = inflater->stream.why;

  if (codec->part) {
    return locus_fail(cx,
                      "cannot be read: the compressed bytes are damaged (%s, at offset %lld in the "
                      "%s that begins at %lld)",
                      why ? why : "of another form", (long long)inflater->taken, codec->part,
                      (long long)inflater->member);
  }
  if (why) return locus_fail(cx, "cannot be read: the compressed bytes are damaged (%s)", why);
  return locus_fail(cx, "cannot be read: the compressed bytes are not of the form %s", codec->form);
}

static int heed(const text_inflater *inflater, pack_status status, locus_context *cx)
{
  switch (status) {
  case PACK_GOING:
  case PACK_ENDED: return 0;
  case PACK_NO_MEMORY: return locus_fail_memory(cx, 1 << 16);
  case PACK_TOO_LARGE:
    return locus_fail(cx, "is compressed by %s in a way that takes %s", inflater->codec->form,
                      inflater->codec->bound);
  case PACK_DAMAGED: break;
  }
  return damaged(inflater, cx);
}

int locus_inflater_new(text_inflater **made, text_compression compression, locus_context *cx)
{
  const pack_codec *codec = codecs[compression];
  pack_stream found = {.state = NULL};
  char what[48] = "is compressed by ";

  strcat(what, codec->form);
  LOCUS_TRY(locus_library_find(codec->library, what, found.function, cx));
  text_inflater *inflater = locus_memory_alloc(bytes_of(codec));
  if (!inflater) return locus_fail_memory(cx, bytes_of(codec));
  memset(inflater, 0, (size_t)bytes_of(codec));
  inflater->codec = codec;
  inflater->stream = found;
  inflater->stream.state = inflater + 1;
  if (heed(inflater, codec->begin(&inflater->stream, false), cx) == 0) {
    *made = inflater;
    return 0;
  }
  locus_memory_free(inflater, bytes_of(codec));
  return -1;
}

void locus_inflater_free(text_inflater *inflater)
{
  if (!inflater) return;
  inflater->codec->end(&inflater->stream);
  locus_memory_free(inflater, bytes_of(inflater->codec));
}

bool locus_inflater_done(const text_inflater *inflater)
{
  return inflater->between;
}

int locus_inflater_cut(const text_inflater *inflater, locus_context *cx)
{
  static const char early[] = "cannot be read: the compressed bytes end too early";

  if (!inflater->codec->part) return locus_fail(cx, early);
  return locus_fail(cx, "%s (at offset %lld in the %s that begins at %lld)", early,
                    (long long)inflater->taken, inflater->codec->part, (long long)inflater->member);
}

static bool begins_member(const pack_codec *codec, char byte)
{
  return byte == *codec->first || (codec->skips && fits('\2', byte));
}

/* Behind a member comes the next one, or zeros, which tapes leave up to the end of gzip and which
** pad streams of xz. Other bytes are an error, since rows may follow. */
static int leave_member(text_inflater *inflater, const char **from, int64_t *left,
                        locus_context *cx)
{
  const pack_codec *codec = inflater->codec;
  const int64_t ended = inflater->member;

  for (; codec->zeros && *left > 0 && **from == 0; ++*from, --*left) inflater->taken++;
  if (*left == 0) return 0;
  const int64_t zeros = inflater->taken - ended;
  if ((zeros == 0 || (codec->zeros == 4 && zeros % 4 == 0)) && begins_member(codec, **from)) {
    inflater->between = false;
    inflater->member = inflater->taken;
    return heed(inflater, codec->begin(&inflater->stream, true), cx);
  }
  return locus_fail(cx,
                    "cannot be read: the %s that ends at offset %lld is followed by no other one, "
                    "but by the byte 0x%02x at offset %lld%s",
                    codec->part, (long long)ended, (unsigned)(unsigned char)**from,
                    (long long)inflater->taken, zeros > 0 ? " behind zeros" : "");
}

/* The bytes that the library takes and gives at once. */
static int inflate_some(text_inflater *inflater, const char **from, int64_t *left, char *to,
                        int64_t room, int64_t *written, locus_context *cx)
{
  pack_bytes bytes = {*from, (size_t)*left, to, (size_t)room};

  const pack_status status = inflater->codec->step(&inflater->stream, &bytes);
  inflater->taken += bytes.in - *from;
  *from = bytes.in;
  *left = (int64_t)bytes.left;
  *written += room - (int64_t)bytes.room;
  inflater->full = bytes.room == 0 && status == PACK_GOING;
  if (status == PACK_ENDED) {
    inflater->between = true;
    inflater->member = inflater->taken;
  }
  return heed(inflater, status, cx);
}

int locus_inflate(text_inflater *inflater, const char **from, int64_t *left, char *to, int64_t room,
                  int64_t *written, locus_context *cx)
{
  *written = 0;
  while ((*left > 0 || inflater->full) && *written < room) {
    if (inflater->between && !inflater->codec->part) break;
    if (inflater->between) LOCUS_TRY(leave_member(inflater, from, left, cx));
    if (inflater->between) break;
    LOCUS_TRY(inflate_some(inflater, from, left, to + *written, room - *written, written, cx));
  }
  return 0;
}
