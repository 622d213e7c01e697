/* SPDX-License-Identifier: MIT */
/* A reader of JSON that is written as plainly as RFC 8259 is: a function for each rule, a byte at a
** time. Each answers whether the text holds what the rule says, and goes behind it. */
#include "naive_json.h"

#include "plan.h"

typedef struct text {
  const char *at, *end;
  int depth, deepest;
} text;

static int next(const text *t)
{
  return t->at < t->end ? (unsigned char)*t->at : -1;
}

static bool is(text *t, int byte)
{
  if (next(t) != byte) return false;
  t->at++;
  return true;
}

static bool is_digit(int byte)
{
  return byte >= '0' && byte <= '9';
}

static bool space(text *t, bool feeds)
{
  while (next(t) == ' ' || next(t) == '\t' || next(t) == '\r' || (feeds && next(t) == '\n'))
    t->at++;
  return true;
}

static bool word(text *t, const char *letters)
{
  for (; *letters; letters++)
    if (!is(t, *letters)) return false;
  return true;
}

static bool digits(text *t)
{
  if (!is_digit(next(t))) return false;
  while (is_digit(next(t))) t->at++;
  return true;
}

static bool number(text *t)
{
  is(t, '-');
  if (!is(t, '0') && !digits(t)) return false;
  if (is(t, '.') && !digits(t)) return false;
  if (!is(t, 'e') && !is(t, 'E')) return true;
  if (!is(t, '+')) is(t, '-');
  return digits(t);
}

/* -- Strings ----------------------------------------------------------------------------------- */

static void put_code(notes *out, unsigned code)
{
  char bytes[4];
  size_t count = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;

  for (size_t k = count; k-- > 1; code >>= 6) bytes[k] = (char)(0x80 | (code & 0x3f));
  bytes[0] = (char)(count == 1 ? code : (0xf00u >> count & 0xffu) | code);
  note_text(out, bytes, count);
}

/* Behind \u. */
static bool four(text *t, unsigned *code)
{
  *code = 0;
  for (int k = 0; k < 4; k++) {
    const int byte = next(t), low = byte | 0x20;
    const int digit = is_digit(byte) ? byte - '0' : low >= 'a' && low <= 'f' ? low - 'a' + 10 : -1;
    if (digit < 0) return false;
    *code = *code * 16 + (unsigned)digit;
    t->at++;
  }
  return true;
}

/* Behind the backslash. */
static bool escape(text *t, notes *out)
{
  static const char from[] = "\"\\/bfnrt", to[] = "\"\\/\b\f\n\r\t";
  unsigned code, low;
  const char *known = next(t) > 0 ? strchr(from, next(t)) : NULL;

  if (known) {
    t->at++;
    note_text(out, to + (known - from), 1);
    return true;
  }
  if (!is(t, 'u') || !four(t, &code)) return false;
  if (code >= 0xdc00 && code < 0xe000) return false;
  if (code >= 0xd800 && code < 0xdc00) {
    if (!is(t, '\\') || !is(t, 'u') || !four(t, &low) || low < 0xdc00 || low > 0xdfff) return false;
    code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
  }
  put_code(out, code);
  return true;
}

/* A character of several bytes, by the code point that it stands for. */
static bool character(text *t, notes *out)
{
  const int first = next(t), more = first < 0xe0 ? 1 : first < 0xf0 ? 2 : 3;
  unsigned code = (unsigned)first & (0x3fu >> more);

  if (first < 0xc0 || first > 0xf7 || t->end - t->at <= more) return false;
  for (int k = 1; k <= more; k++) {
    if (((unsigned char)t->at[k] & 0xc0) != 0x80) return false;
    code = code << 6 | ((unsigned char)t->at[k] & 0x3f);
  }
  if (code < (more == 1 ? 0x80u : more == 2 ? 0x800u : 0x10000u) || code > 0x10ffff) return false;
  if (code >= 0xd800 && code < 0xe000) return false;
  note_text(out, t->at, (size_t)more + 1);
  t->at += more + 1;
  return true;
}

static bool string(text *t, notes *out)
{
  if (!is(t, '"')) return false;
  while (next(t) != '"') {
    const int byte = next(t);
    if (byte < ' ') return false; /* also at the end */
    if (byte < 0x80 && byte != '\\') note_text(out, t->at++, 1);
    else if (byte == '\\' ? !(is(t, '\\') && escape(t, out)) : !character(t, out)) return false;
  }
  return is(t, '"');
}

/* -- Values ------------------------------------------------------------------------------------ */

/* Where a value stands, as far as a column asks for it: NOWHERE in all others. */
typedef enum place { NOWHERE, RECORD, AT_A, AT_O, AT_O_X, AT_L, AT_L_1, PLACES } place;

typedef struct naive_record {
  notes texts[PLACES];
} naive_record;

static place member_of(place at, const notes *key)
{
  if (key->length != 1) return NOWHERE;
  switch (at) {
  case RECORD:
    return *key->text == 'a' ? AT_A : *key->text == 'o' ? AT_O : *key->text == 'l' ? AT_L : NOWHERE;
  case AT_O: return *key->text == 'x' ? AT_O_X : NOWHERE;
  default: return NOWHERE;
  }
}

/* A key that comes again: its old value is gone. */
static void forget(naive_record *record, place at)
{
  record->texts[at].length = 0;
  if (at == AT_O) record->texts[AT_O_X].length = 0;
  if (at == AT_L) record->texts[AT_L_1].length = 0;
}

static bool value(text *t, place at, bool feeds, naive_record *record);

static bool member(text *t, place at, bool feeds, naive_record *record)
{
  notes key = {0};
  const bool is_key = string(t, &key);
  const place to = is_key ? member_of(at, &key) : NOWHERE;

  free(key.text);
  return is_key && space(t, feeds) && is(t, ':') && space(t, feeds) && value(t, to, feeds, record);
}

static bool container(text *t, place at, bool feeds, naive_record *record)
{
  const bool object = *t->at++ == '{';
  const char close = object ? '}' : ']';
  int items = 0;

  if (++t->depth > t->deepest) t->deepest = t->depth;
  space(t, feeds);
  if (!is(t, close)) {
    do {
      const place to = at == AT_L && !object && items == 1 ? AT_L_1 : NOWHERE;
      space(t, feeds);
      if (object ? !member(t, at, feeds, record) : !value(t, to, feeds, record)) return false;
      space(t, feeds);
      items++;
    } while (is(t, ','));
    if (!is(t, close)) return false;
  }
  t->depth--;
  return true;
}

static bool value(text *t, place at, bool feeds, naive_record *record)
{
  const char *begin = t->at;
  notes decoded = {0};
  bool right;

  if (at != NOWHERE) forget(record, at);
  switch (next(t)) {
  case '{':
  case '[': right = container(t, at, feeds, record); break;
  case '"': right = string(t, &decoded); break;
  case 't': right = word(t, "true"); break;
  case 'f': right = word(t, "false"); break;
  case 'n': right = word(t, "null"); break;
  default: right = number(t);
  }
  notes *out = &record->texts[at];
  if (at != NOWHERE) out->length = 0;
  if (right && at != NOWHERE && *begin == '"') note_text(out, decoded.text, decoded.length);
  else if (right && at != NOWHERE && *begin != 'n') note_text(out, begin, (size_t)(t->at - begin));
  free(decoded.text);
  return right;
}

/* -- Records ----------------------------------------------------------------------------------- */

static void note_row(naive_record *record, result *result)
{
  static const place columns[] = {AT_A, AT_O_X, AT_L_1};

  for (int i = 0; i < 3; i++) {
    const notes *text = &record->texts[columns[i]];
    note_bytes(&result->rows, text->text, (int64_t)text->length);
    note(&result->rows, ",");
  }
  note(&result->rows, "\n");
  result->row_count++;
}

/* Whether it can go on behind the item. */
static bool item(text *t, bool feeds, naive_record *record, result *result)
{
  const bool object = next(t) == '{';

  for (int k = 0; k < PLACES; k++) record->texts[k].length = 0;
  if (!value(t, RECORD, feeds, record)) return false;
  space(t, feeds);
  if (!feeds && (!object || next(t) != -1)) return false;
  if (feeds && next(t) != ',' && next(t) != ']') return false;
  if (object) note_row(record, result);
  else result->line++;
  return true;
}

static void read_array(text *t, naive_record *record, result *result)
{
  t->at++;
  t->depth = 1;
  space(t, true);
  bool right = next(t) == ']';
  if (!right) {
    do right = space(t, true) && item(t, true, record, result);
    while (right && is(t, ','));
  }
  result->failed = !(right && is(t, ']') && space(t, true) && next(t) == -1);
}

static void read_lines(text *t, naive_record *record, result *result)
{
  while (t->at < t->end) {
    const char *feed = memchr(t->at, '\n', (size_t)(t->end - t->at));
    text line = {t->at, feed ? feed : t->end, 0, t->deepest};
    t->at = feed ? feed + 1 : t->end;
    space(&line, false);
    if (next(&line) != -1 && !item(&line, false, record, result)) result->line++;
    t->deepest = line.deepest;
  }
}

int naive_json(const char *bytes, int64_t length, result *result)
{
  text t = {bytes, bytes + length, 0, 0};
  naive_record record = {0};

  if (length >= 3 && memcmp(bytes, "\xef\xbb\xbf", 3) == 0) t.at += 3;
  text first = t;
  space(&first, true);
  if (next(&first) == '[') read_array(&first, &record, result), t.deepest = first.deepest;
  else read_lines(&t, &record, result);
  for (int k = 0; k < PLACES; k++) free(record.texts[k].text);
  return t.deepest;
}
