/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "plan.h"

static void make_room(notes *notes, size_t more)
{
  if (notes->length + more <= notes->room) return;
  notes->room = 2 * (notes->length + more);
  notes->text = realloc(notes->text, notes->room);
  if (!notes->text) fuzz_fail("no memory");
}

void note(notes *notes, const char *format, ...)
{
  va_list arguments;

  make_room(notes, 200);
  va_start(arguments, format);
  notes->length += (size_t)vsnprintf(notes->text + notes->length, 200, format, arguments);
  va_end(arguments);
}

void note_text(notes *notes, const char *text, size_t length)
{
  make_room(notes, length);
  if (length) memcpy(notes->text + notes->length, text, length);
  notes->length += length;
}

void note_bytes(notes *notes, const char *bytes, int64_t length)
{
  note(notes, "%lld:", (long long)length);
  note_text(notes, bytes, (size_t)length);
}

void note_value(notes *notes, locus_dtype dtype, int64_t bits)
{
  const int64_t size = locus_dtype_size(dtype);
  note(notes, "%llx,", (unsigned long long)bits & (UINT64_MAX >> (64 - 8 * size)));
}

void note_bad(result *result, int64_t line, int column, const char *text, int64_t length,
              const char *wrong)
{
  note(&result->bad, "line %lld column %d %s: ", (long long)line, column, wrong);
  note_bytes(&result->bad, text, length);
  note(&result->bad, "\n");
}

void free_result(result *result)
{
  free(result->rows.text);
  free(result->bad.text);
  memset(result, 0, sizeof *result);
}

static bool same_notes(const notes *a, const notes *b)
{
  return a->length == b->length && (a->length == 0 || memcmp(a->text, b->text, a->length) == 0);
}

void compare_results(const char *what, const result *expected, const result *got, bool lines)
{
  if (expected->failed == got->failed && same_notes(&expected->bad, &got->bad) &&
      (got->failed || (same_notes(&expected->rows, &got->rows) &&
                       memcmp(expected->types, got->types, sizeof got->types) == 0 &&
                       (!lines || expected->line == got->line))))
    return;
  fuzz_fail("%s\n-- expected: %s, line %lld\n%.*s%.*s\n-- got: %s, line %lld\n%.*s%.*s", what,
            expected->failed ? "fails" : "rows", (long long)expected->line,
            (int)expected->rows.length, expected->rows.text, (int)expected->bad.length,
            expected->bad.text, got->failed ? "fails" : "rows", (long long)got->line,
            (int)got->rows.length, got->rows.text, (int)got->bad.length, got->bad.text);
}
