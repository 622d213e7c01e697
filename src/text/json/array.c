/* SPDX-License-Identifier: MIT */
/* What stands around the objects of JSON. A comma belongs to the element in front of it, with the
** white space behind it, so that each record begins with its first byte. */
#include "text/json/array.h"

#include <stdio.h>

#include "text/json/scan.h"

/* The next byte that is no white space; the reader counts the lines in front of it. */
static char *skip_space(text_reader *reader, char *at)
{
  json_scan scan = {.end = reader->end};

  at += locus_json_skip_space(&scan, at) - at;
  reader->line += scan.feeds;
  return at;
}

/* An array without a first element ends on the bracket's line, in whatever pieces it comes. */
static void skip_to_element(text_reader *reader)
{
  const int64_t line = reader->line;
  char *first = skip_space(reader, reader->at);

  if (first < reader->end) reader->at = first;
  else reader->line = line;
}

void locus_json_look(text_reader *reader)
{
  const int64_t line = reader->line;

  if (reader->form == TEXT_ARRAY) skip_to_element(reader);
  if (reader->form != TEXT_UNSEEN) return;
  char *begin = skip_space(reader, reader->at);
  if (begin == reader->end) {
    reader->line = line;
  } else if (*begin == '[') {
    reader->form = TEXT_ARRAY;
    reader->at = begin + 1;
    skip_to_element(reader);
    reader->complete = reader->end;
  } else {
    reader->form = TEXT_LINES;
    reader->line = line;
  }
}

bool locus_json_between(const text_reader *reader)
{
  return reader->form == TEXT_ARRAY_ENDED || (reader->form == TEXT_ARRAY && *reader->at == ']');
}

static void bad_between(text_record *record, const char *fault, const char *end, const char *wrong)
{
  const int64_t left = end - fault, length = left < JSON_SHOWN ? left : JSON_SHOWN;
  const char *feed = memchr(fault, '\n', (size_t)length);

  locus_record_bad(record, -1, fault, feed ? feed : fault + length, wrong);
}

void locus_json_bad_at(const text_reader *reader, text_record *record, const char *fault,
                       const char *wrong)
{
  bad_between(record, fault, reader->end, wrong);
}

void locus_json_bad_length(const text_reader *reader, text_record *record, const char *begin,
                           const char *end)
{
  snprintf(record->wrong_text, sizeof record->wrong_text, "is longer than %lld bytes",
           (long long)reader->limit);
  bad_between(record, begin, end, record->wrong_text);
}

text_state locus_json_pass(text_reader *reader, text_record *record)
{
  if (reader->form == TEXT_ARRAY) reader->at++;
  reader->form = TEXT_ARRAY_ENDED;
  reader->at = skip_space(reader, reader->at);
  if (reader->at == reader->end || !locus_json_is_fault(reader, reader->at)) return TEXT_READ;
  record->line = reader->line;
  locus_json_bad_at(reader, record, reader->at, "has text behind the array");
  return TEXT_BROKEN;
}

text_state locus_json_leave_open(text_reader *reader, text_record *record)
{
  if (reader->form == TEXT_ARRAY_ENDED) return TEXT_READ;
  record->line = reader->line;
  if (reader->end - reader->at > reader->limit + JSON_SLACK)
    locus_json_bad_length(reader, record, reader->at, reader->end);
  else if (reader->final) locus_json_bad_at(reader, record, reader->at, "ends within an array");
  else return TEXT_READ;
  return TEXT_BROKEN;
}
