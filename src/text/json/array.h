/* SPDX-License-Identifier: MIT */
/* What stands around the objects of JSON: the lines, or the brackets of one array. */
#ifndef LOCUS_TEXT_JSON_ARRAY_H
#define LOCUS_TEXT_JSON_ARRAY_H

#include "text/read/record.h"

enum {
  JSON_SHOWN = 64,      /* bytes of a text that its error may show */
  JSON_SLACK = 1 << 16, /* bytes of white space that may be behind a long element */
};

/* Whether it is a fault of the text, and not the end of the buffer, behind which it may go on: the
** error must not depend on the pieces of the text. */
static inline bool locus_json_is_fault(const text_reader *reader, const char *fault)
{
  return reader->final || reader->end - fault > JSON_SHOWN;
}

/* The text from there on is to blame; the record that begins there is too long. */
void locus_json_bad_at(const text_reader *reader, text_record *record, const char *fault,
                       const char *wrong);
void locus_json_bad_length(const text_reader *reader, text_record *record, const char *begin,
                           const char *end);
/* Looks whether the text is an array, once its first byte has come, and enters it. All of the
** buffer
** is then complete: its elements end where they end. */
void locus_json_look(text_reader *reader);
/* Whether the reader is behind the last element of an array; passes over what is there. */
bool locus_json_between(const text_reader *reader);
text_state locus_json_pass(text_reader *reader, text_record *record);
/* The buffer ends within the array. */
text_state locus_json_leave_open(text_reader *reader, text_record *record);

#endif
