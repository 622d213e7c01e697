/* SPDX-License-Identifier: MIT */
/* Plans from the first bytes of an input. */
#include "plan.h"

#define SPAN(text) ((text_span){text, sizeof text - 1})

static const plan_field kinds[] = {
    {.type = TEXT_GUESS_INTEGER, .dtype = LOCUS_i64, .fills = true, .missing = 0x7ff8000000000000},
    {.type = TEXT_STRING, .dtype = LOCUS_i32},
    {.type = TEXT_INTEGER, .dtype = LOCUS_i64},
    {.type = TEXT_FLOAT, .dtype = LOCUS_f64, .fills = true, .missing = 0x7ff8000000000000},
    {.type = TEXT_TIME, .dtype = LOCUS_i64, .per_second = 1000000},
    {.type = TEXT_DATE, .dtype = LOCUS_i64},
    {.type = TEXT_IPV4, .dtype = LOCUS_i64},
    {.type = TEXT_BOOL, .dtype = LOCUS_b8},
    {.type = TEXT_REQUEST_PATH, .dtype = LOCUS_i32, .filled = {"/none", 5}},
    {.type = TEXT_INTEGER, .dtype = LOCUS_u8},
    {.type = TEXT_INTEGER, .dtype = LOCUS_i16, .fills = true, .missing = -1},
    {.type = TEXT_FLOAT, .dtype = LOCUS_f32},
    {.type = TEXT_FLOAT, .dtype = LOCUS_bf16, .fills = true, .missing = 0x7fc0},
    {.type = TEXT_FLOAT, .dtype = LOCUS_f16, .fills = true, .missing = 0x7e00},
    {.type = TEXT_TIME, .dtype = LOCUS_i64, .per_second = 1000000000, .fills = true, .missing = 7},
    {.type = TEXT_TIME, .dtype = LOCUS_i64, .per_second = 1, .pattern = "%d/%m/%Y %H:%M:%S"},
    {.type = TEXT_TIME, .dtype = LOCUS_i64, .per_second = 1000, .pattern = "%s.%f", .fills = true},
    {.type = TEXT_DATE, .dtype = LOCUS_i64, .pattern = "%d %b %y"},
    {.type = TEXT_STRING, .dtype = LOCUS_i32, .filled = {"nothing", 7}},
    {.type = TEXT_INTEGER, .dtype = LOCUS_i8},
    {.type = TEXT_INTEGER, .dtype = LOCUS_i32, .fills = true},
    {.type = TEXT_IPV4, .dtype = LOCUS_i64, .fills = true, .missing = -1},
    {.type = TEXT_BOOL, .dtype = LOCUS_b8, .fills = true},
    {.type = TEXT_NOTHING, .dtype = LOCUS_u8},
};

static const text_span literals[] = {
    SPAN(" "), SPAN("\""), SPAN("\" "), SPAN("] \""), SPAN(","), SPAN("aab"), SPAN(" - "),
};

static void choose_fields(plan *plan, const uint8_t *head)
{
  const size_t many = sizeof literals / sizeof *literals;

  plan->count = 1 + head[7] % MOST_FIELDS;
  for (int i = 0; i < plan->count; i++) {
    const unsigned kind = head[8 + i] % (sizeof kinds / sizeof *kinds + 1);
    plan_field *field = &plan->fields[i];
    if (kind < sizeof kinds / sizeof *kinds) {
      *field = kinds[kind];
      if (!field->filled.bytes) field->filled = SPAN("");
      field->taken = true;
      if (field->type == TEXT_NOTHING && (plan->log || i + 1 < plan->count)) field->taken = false;
    }
    if (!plan->log) continue;
    const unsigned choice = head[18 + i % 6] + (unsigned)i;
    field->ends = literals[choice % many];
    field->escapes = choice / many % 2 && *field->ends.bytes == '"';
    if (i + 1 == plan->count && head[18] & 0x80) field->ends = SPAN("");
  }
}

/* As read.lua checks them: no two of the bytes that take text apart are the same. */
static void choose_dialect(plan *plan, const uint8_t *head)
{
  static const int64_t limits[] = {1 << 20, 1, 2, 5, 10, 30, 100, 300};
  static const text_span comments[] = {SPAN(""), SPAN("#"), SPAN("//"), SPAN("a\"")};
  static const text_span missing[] = {SPAN("NA"), SPAN("-"), SPAN("x y")};

  plan->log = head[0] & 1;
  plan->header = head[0] & 2 && !plan->log;
  plan->point = head[0] & 4 ? ',' : '.';
  plan->separator = plan->log ? '\n' : ",;\t|: \0\xff"[head[1] % 8];
  if (plan->separator == plan->point) plan->separator = ';';
  plan->quote = plan->log || head[0] & 16 ? -1 : (unsigned char)"\"'`\xfe"[head[2] % 4];
  plan->skip_blanks = head[0] & 32 && !plan->log;
  plan->blanks = head[0] & 64 && !plan->log;
  if (plan->blanks) plan->separator = ' ';
  plan->escape = head[0] & 128 && plan->quote >= 0 ? '\\' : -1;
  plan->comment = comments[head[3] % 4];
  plan->before = head[3] & 4 ? SPAN("<4>") : SPAN("");
  plan->missings = head[4] % 4;
  memcpy(plan->missing, missing, sizeof missing);
  plan->limit = limits[head[5] % 8];
  plan->skip = head[6] % 3;
}

void make_plan(const uint8_t *head, plan *plan, delivery *delivery)
{
  memset(plan, 0, sizeof *plan);
  choose_dialect(plan, head);
  choose_fields(plan, head);
  delivery->form = head[14] % 4;
  delivery->compressed = head[0] & 8;
  delivery->seed = head[15];
  delivery->failing = head[16];
  delivery->most = head[17] % 16;
}
