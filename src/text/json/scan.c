/* SPDX-License-Identifier: MIT */
/* The grammar of RFC 8259. Values are skipped without recursion: a bit for each level says whether
** an object or an array is open. */
#include "text/json/scan.h"

const char *locus_json_fail(json_scan *scan, const char *at, const char *wrong)
{
  scan->fault = at;
  scan->wrong = wrong;
  return NULL;
}

const char *locus_json_skip_space(json_scan *scan, const char *at)
{
  for (;; at++) {
    if (*at == ' ' || *at == '\t' || *at == '\r') continue;
    if (*at != '\n' || scan->lines || at >= scan->end) return at;
    scan->feeds++;
  }
}

/* -- Strings ----------------------------------------------------------------------------------- */

static bool continues(unsigned char c)
{
  return (c & 0xc0) == 0x80;
}

/* The bytes of the character at `at`, which is beyond ASCII: 2 to 4; 0: it is no UTF-8. Surrogates,
** and characters that fewer bytes could hold, are none. */
static int bytes_of_character(const char *text)
{
  const unsigned char *at = (const unsigned char *)text;
  const unsigned char first = at[0];

  if (first < 0xc2 || first > 0xf4 || !continues(at[1])) return 0;
  if (first < 0xe0) return 2;
  if (!continues(at[2])) return 0;
  if (first < 0xf0) {
    if (first == 0xe0 && at[1] < 0xa0) return 0;
    return first == 0xed && at[1] >= 0xa0 ? 0 : 3;
  }
  if (!continues(at[3])) return 0;
  if (first == 0xf0 && at[1] < 0x90) return 0;
  return first == 0xf4 && at[1] >= 0x90 ? 0 : 4;
}

static int hexadecimal(char c)
{
  if (c >= '0' && c <= '9') return c - '0';
  c |= 0x20;
  return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* The number of four digits behind \u; below 0 if they are none. */
static int code_unit(const char *at)
{
  int unit = 0;

  for (int i = 0; i < 4; i++) {
    const int digit = hexadecimal(at[i]);
    if (digit < 0) return -1;
    unit = unit * 16 + digit;
  }
  return unit;
}

static bool is_high(int unit)
{
  return unit >= 0xd800 && unit < 0xdc00;
}

static bool is_low(int unit)
{
  return unit >= 0xdc00 && unit < 0xe000;
}

/* The backslash at `at` and what belongs to it. */
static const char *skip_escape(json_scan *scan, const char *at)
{
  if (at[1] != 'u') {
    if (at[1] && strchr("\"\\/bfnrt", at[1])) return at + 2;
    return locus_json_fail(scan, at,
                           "has a backslash in front of a character that none may precede");
  }
  const int unit = code_unit(at + 2);
  if (unit < 0) return locus_json_fail(scan, at, "has \\u without four hexadecimal digits");
  if (!is_high(unit) && !is_low(unit)) return at + 6;
  if (is_high(unit) && at[6] == '\\' && at[7] == 'u' && is_low(code_unit(at + 8))) return at + 12;
  return locus_json_fail(scan, at, "has half of a surrogate pair");
}

const char *locus_json_skip_string(json_scan *scan, const char *at, bool *escaped)
{
  for (;;) {
    at = json_plain(at);
    const unsigned char c = (unsigned char)*at;
    if (c == '"') return at;
    if (c == '\\') {
      *escaped = true;
      at = skip_escape(scan, at);
      if (!at) return NULL;
    } else if (c >= 0x80) {
      const int bytes = bytes_of_character(at);
      if (bytes == 0) return locus_json_fail(scan, at, "is not UTF-8");
      at += bytes;
    } else if (c == '\n' || at >= scan->end) {
      return locus_json_fail(scan, at, "has a quote that does not close");
    } else {
      return locus_json_fail(scan, at, "has a control character in a string");
    }
  }
}

static char *put_character(char *to, int code)
{
  if (code < 0x80) {
    *to++ = (char)code;
    return to;
  }
  if (code < 0x800) {
    *to++ = (char)(0xc0 | code >> 6);
  } else {
    if (code < 0x10000) {
      *to++ = (char)(0xe0 | code >> 12);
    } else {
      *to++ = (char)(0xf0 | code >> 18);
      *to++ = (char)(0x80 | (code >> 12 & 0x3f));
    }
    *to++ = (char)(0x80 | (code >> 6 & 0x3f));
  }
  *to++ = (char)(0x80 | (code & 0x3f));
  return to;
}

/* The character of the escape at `at`, which moves behind it. */
static int unescape(const char **at)
{
  static const char names[] = "bfnrt", meant[] = "\b\f\n\r\t";
  const char c = (*at)[1];

  if (c != 'u') {
    const char *name = strchr(names, c);
    *at += 2;
    return name ? meant[name - names] : c;
  }
  const int unit = code_unit(*at + 2);
  *at += 6;
  if (!is_high(unit)) return unit;
  const int low = code_unit(*at + 2);
  *at += 6;
  return 0x10000 + (unit - 0xd800) * 0x400 + (low - 0xdc00);
}

char *locus_json_unescape(const char *text, const char *end, char *to)
{
  while (text < end) {
    const char *stop = memchr(text, '\\', (size_t)(end - text));
    if (!stop) stop = end;
    memcpy(to, text, (size_t)(stop - text));
    to += stop - text;
    text = stop;
    if (text < end) to = put_character(to, unescape(&text));
  }
  return to;
}

/* -- Numbers and words ------------------------------------------------------------------------- */

static bool is_digit(char c)
{
  return c >= '0' && c <= '9';
}

static const char *skip_digits(const char *at)
{
  while (is_digit(*at)) at++;
  return at;
}

const char *locus_json_skip_number(json_scan *scan, const char *at)
{
  const char *const begin = at;

  if (*at == '-') at++;
  if (!is_digit(*at)) return locus_json_fail(scan, begin, "has a minus sign without a number");
  if (*at == '0' && is_digit(at[1]))
    return locus_json_fail(scan, begin, "has a number that begins with 0");
  at = skip_digits(at);
  if (*at == '.') {
    if (!is_digit(at[1])) return locus_json_fail(scan, at, "has a point without digits behind it");
    at = skip_digits(at + 1);
  }
  if (*at != 'e' && *at != 'E') return at;
  const char *digits = at[1] == '+' || at[1] == '-' ? at + 2 : at + 1;
  if (!is_digit(*digits)) return locus_json_fail(scan, at, "has an exponent without digits");
  return skip_digits(digits);
}

const char *locus_json_skip_word(json_scan *scan, const char *at)
{
  if (memcmp(at, "true", 4) == 0 || memcmp(at, "null", 4) == 0) return at + 4;
  if (memcmp(at, "false", 5) == 0) return at + 5;
  if (*at == '\n' || at >= scan->end) return locus_json_fail(scan, at, "ends within a value");
  if (memcmp(at, "NaN", 3) == 0 || memcmp(at, "Infinity", 8) == 0)
    return locus_json_fail(scan, at, "has NaN or Infinity, which JSON does not have");
  return locus_json_fail(scan, at, "has no value where one is due");
}

/* -- Arrays and objects ------------------------------------------------------------------------ */

const char *locus_json_skip_colon(json_scan *scan, const char *at)
{
  at = json_space(scan, at);
  if (*at != ':') return locus_json_fail(scan, at, "has no colon behind a key");
  return json_space(scan, at + 1);
}

const char *locus_json_skip_comma(json_scan *scan, const char *at, char close, bool *more)
{
  at = json_space(scan, at);
  *more = *at == ',';
  if (*more) return json_space(scan, at + 1);
  if (*at == close) return at + 1;
  if (*at == '\n' || at >= scan->end)
    return locus_json_fail(scan, at,
                           close == '}' ? "ends within an object" : "ends within an array");
  return locus_json_fail(scan, at, "has no comma between two elements");
}

static const char *skip_key(json_scan *scan, const char *at)
{
  bool escaped;

  if (*at != '"') return locus_json_fail(scan, at, "has no key where one is due");
  at = json_string(scan, at + 1, &escaped);
  return at ? json_colon(scan, at + 1) : NULL;
}

static const char *skip_scalar(json_scan *scan, const char *at)
{
  bool escaped;

  if (*at == '"') {
    at = json_string(scan, at + 1, &escaped);
    return at ? at + 1 : NULL;
  }
  if (*at == '-' || is_digit(*at)) return locus_json_skip_number(scan, at);
  return locus_json_skip_word(scan, at);
}

/* The levels that are open. */
typedef struct json_levels {
  uint64_t object[JSON_DEPTH / 64]; /* a bit for each: it is no array */
  int depth;
} json_levels;

static bool in_object(const json_levels *levels)
{
  return levels->object[levels->depth / 64] >> levels->depth % 64 & 1;
}

/* Opens a level; returns the place of its first value, or of its end. */
static const char *open_level(json_scan *scan, const char *at, json_levels *levels, int around)
{
  if (++levels->depth + around >= JSON_DEPTH)
    return locus_json_fail(scan, at, "has more than 1023 arrays and objects within each other");
  const uint64_t bit = UINT64_C(1) << levels->depth % 64;
  uint64_t *word = &levels->object[levels->depth / 64];
  *word = *at == '{' ? *word | bit : *word & ~bit;
  return json_space(scan, at + 1);
}

/* Behind a value: closes the levels that end here. The place of the next value, or, with no open
** level left, the place behind all. */
static const char *close_levels(json_scan *scan, const char *at, json_levels *levels)
{
  while (levels->depth > 0) {
    const bool object = in_object(levels);
    bool more;
    at = json_comma(scan, at, object ? '}' : ']', &more);
    if (!at) return NULL;
    if (more) return object ? skip_key(scan, at) : at;
    levels->depth--;
  }
  return at;
}

static const char *skip_container(json_scan *scan, const char *at, int depth)
{
  json_levels levels;

  levels.depth = 0;
  do {
    if (*at == '{' || *at == '[') {
      const char close = *at == '{' ? '}' : ']';
      at = open_level(scan, at, &levels, depth);
      if (at && *at == close) levels.depth--, at++;
      else if (at && close == '}') {
        at = skip_key(scan, at);
        continue;
      } else continue;
    } else {
      at = skip_scalar(scan, at);
    }
    if (at) at = close_levels(scan, at, &levels);
  } while (at && levels.depth > 0);
  return at;
}

const char *locus_json_skip_value(json_scan *scan, const char *at, int depth)
{
  return *at == '{' || *at == '[' ? skip_container(scan, at, depth) : skip_scalar(scan, at);
}
