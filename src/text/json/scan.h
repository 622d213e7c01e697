/* SPDX-License-Identifier: MIT */
/* The grammar of RFC 8259: where a value ends, and whether it is one. */
#ifndef LOCUS_TEXT_JSON_SCAN_H
#define LOCUS_TEXT_JSON_SCAN_H

#include "core/number/digits.h"

/* Arrays and objects within each other. */
enum { JSON_DEPTH = 1024 };

/* Text of one record or several. A line feed or a zero byte stands at its end, and bytes of padding
** behind it. */
typedef struct json_scan {
  const char *end;
  bool lines;        /* a line feed ends the record; else it is white space */
  int64_t feeds;     /* line feeds within the record */
  const char *fault; /* where the text is no JSON */
  const char *wrong; /* the end of a sentence that says so */
} json_scan;

/* All functions take the place of the next byte. They return the place behind what they read; NULL
** if it is not there, and `fault` and `wrong` then say why. */
const char *locus_json_skip_space(json_scan *scan, const char *at);
const char *locus_json_fail(json_scan *scan, const char *at, const char *wrong);
/* Behind the opening quote: returns the place of the closing one. *escaped: a backslash occurs. */
const char *locus_json_skip_string(json_scan *scan, const char *at, bool *escaped);
const char *locus_json_skip_number(json_scan *scan, const char *at);
/* true, false or null. */
const char *locus_json_skip_word(json_scan *scan, const char *at);
/* Any value, with all that it contains. `depth`: of the arrays and objects around it. */
const char *locus_json_skip_value(json_scan *scan, const char *at, int depth);
/* The comma or the bracket `close` behind an element: *more says which. */
const char *locus_json_skip_comma(json_scan *scan, const char *at, char close, bool *more);
/* The colon behind a key, and the space around it. */
const char *locus_json_skip_colon(json_scan *scan, const char *at);

/* Writes the contents of a string without its escapes, and returns the end of what it wrote. The
** string has been skipped before, so it is right. */
char *locus_json_unescape(const char *text, const char *end, char *to);

/* The next byte that is no white space. */
LOCUS_INLINE const char *json_space(json_scan *scan, const char *at)
{
  if ((unsigned char)*at > ' ') return at;
  if (*at == ' ' && (unsigned char)at[1] > ' ') return at + 1;
  return locus_json_skip_space(scan, at);
}

/* The first quote, backslash, control character or byte beyond ASCII. */
LOCUS_INLINE const char *json_plain(const char *at)
{
  for (;; at += 8) {
    uint64_t word;
    memcpy(&word, at, 8);
    const uint64_t quotes = (word ^ EACH_BYTE('"')) - EACH_BYTE(1);
    const uint64_t escapes = (word ^ EACH_BYTE('\\')) - EACH_BYTE(1);
    const uint64_t controls = word - EACH_BYTE(' ');
    const uint64_t found = (quotes | escapes | controls | word) & EACH_BYTE(0x80);
    if (found) return at + __builtin_ctzll(found) / 8;
  }
}

/* Like locus_json_skip_string. */
LOCUS_INLINE const char *json_string(json_scan *scan, const char *at, bool *escaped)
{
  const char *stop = json_plain(at);
  if (*stop == '"') return stop;
  return locus_json_skip_string(scan, stop, escaped);
}

/* Like locus_json_skip_comma and locus_json_skip_colon: mostly there is little white space. */
LOCUS_INLINE const char *json_comma(json_scan *scan, const char *at, char close, bool *more)
{
  *more = *at == ',';
  if (*more) return json_space(scan, at + 1);
  return *at == close ? at + 1 : locus_json_skip_comma(scan, at, close, more);
}

LOCUS_INLINE const char *json_colon(json_scan *scan, const char *at)
{
  return *at == ':' ? json_space(scan, at + 1) : locus_json_skip_colon(scan, at);
}

#endif
