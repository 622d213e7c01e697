/* SPDX-License-Identifier: MIT */
/* src/text/json: the first HEAD bytes of an input choose, the others are the text. It is read whole
** and in pieces, which must give the same; strings as the naive reader of JSON gives them. Each
** string that was read is written, and must be read the same. */
#include <stdlib.h>

#include "naive_json.h"
#include "plan.h"
#include "text/names/strings.h"
#include "text/pack/inflate.h"
#include "text/read/foreign.h"
#include "text/write/escape.h"

enum { CHOICES = 6, DEEP = 1000 };

/* The columns a, o.x and l[1]. */
static json_program *make_keys(void)
{
  enum { RECORD, A, O, O_X, L, L_1, NODES };
  const json_program counts = {.node_count = NODES,
                               .key_count = 64 + 32 + 8,
                               .item_count = 1,
                               .table_size = 256 + 128,
                               .slot_count = 3};
  const int64_t bytes = locus_json_program_bytes(&counts);
  void *memory = calloc(1, (size_t)bytes);

  if (!memory) fuzz_fail("no memory");
  json_program *made = locus_json_program_place(memory, &counts);
  for (int i = 0; i < NODES; i++) made->nodes[i].slot = -1;
  made->nodes[A].slot = 0, made->nodes[O_X].slot = 1, made->nodes[L_1].slot = 2;
  json_node *record = &made->nodes[RECORD], *o = &made->nodes[O], *l = &made->nodes[L];
  record->wanted = 3, record->key_room = 3 + JSON_OTHERS, record->table_size = 128;
  o->keys = o->first = record->key_room, o->wanted = 1, o->key_room = 1 + JSON_OTHERS;
  o->table = record->table_size, o->table_size = 128;
  l->item_count = 1;
  made->items[0] = (json_item){1, L_1};
  locus_json_add_key(made, record, (text_span){"a", 1}, A);
  locus_json_add_key(made, record, (text_span){"o", 1}, O);
  locus_json_add_key(made, record, (text_span){"l", 1}, L);
  locus_json_add_key(made, o, (text_span){"x", 1}, O_X);
  return made;
}

static void choose(const uint8_t *head, const json_program *keys, plan *plan, delivery *delivery)
{
  static const int64_t limits[] = {1 << 20, 1, 5, 40};
  static const text_type types[] = {TEXT_STRING, TEXT_STRING, TEXT_GUESS_INTEGER, TEXT_INTEGER,
                                    TEXT_FLOAT,  TEXT_TIME,   TEXT_GUESS_FLOAT,   TEXT_BOOL};
  static const locus_dtype dtypes[] = {LOCUS_i32, LOCUS_i32, LOCUS_i64, LOCUS_i8,
                                       LOCUS_f32, LOCUS_i64, LOCUS_f64, LOCUS_b8};

  *plan = (struct plan){.keys = keys,
                        .separator = '\n',
                        .point = '.',
                        .quote = -1,
                        .escape = -1,
                        .limit = limits[head[4] % 8 < 5 ? 0 : head[4] % 4],
                        .count = 3};
  for (int i = 0; i < plan->count; i++) {
    const int type = head[5] & 1 << i ? (head[5] >> 3 | i) % 8 : 0;
    plan->fields[i] = (plan_field){.taken = true,
                                   .type = types[type],
                                   .dtype = dtypes[type],
                                   .fills = true,
                                   .filled = {"", 0},
                                   .per_second = 1000000};
  }
  *delivery = (struct delivery){
      .form = head[0] % 4, .seed = head[1], .failing = head[2], .most = head[3] % 16};
}

/* Names that the reader has made of strings are UTF-8, so they can be written, and are read back.
 */
static void check_string(const json_program *keys, const char *bytes, int64_t length)
{
  static const delivery whole = {.form = IN_ONE};
  notes text = {0};
  result once = {0}, again = {0};
  plan plan;
  delivery unused;
  char *made = malloc((size_t)(ESCAPED_BYTES * length + 2));
  const char *end = made ? locus_put_json_string(made, bytes, length, BYTES_FAIL) : NULL;

  if (!end) fuzz_fail("a string that was read cannot be written");
  note(&text, "{\"a\":");
  note_text(&text, made, (size_t)(end - made));
  note(&text, "}");
  choose((const uint8_t[CHOICES]){0}, keys, &plan, &unused);
  read_text(&plan, &whole, (const uint8_t *)text.text, text.length, &again);
  memcpy(once.types, again.types, sizeof again.types);
  note_bytes(&once.rows, bytes, length);
  note(&once.rows, ",0:,0:,\n");
  compare_results("a string that was written", &once, &again, false);
  free_result(&once);
  free_result(&again);
  free(text.text);
  free(made);
}

static void check_naive(const result *naive, const result *read)
{
  const size_t length = naive->rows.length;
  int64_t bad = 0;

  for (size_t i = 0; i < read->bad.length; i++) bad += read->bad.text[i] == '\n';
  if (naive->failed && read->failed) return;
  if (naive->failed == read->failed && bad == naive->line && length == read->rows.length &&
      (length == 0 || memcmp(naive->rows.text, read->rows.text, length) == 0))
    return;
  fuzz_fail("naive: %s, %lld bad\n%.*s\n-- reader: %s, %lld bad\n%.*s%.*s",
            naive->failed ? "fails" : "rows", (long long)naive->line, (int)length, naive->rows.text,
            read->failed ? "fails" : "rows", (long long)bad, (int)read->rows.length,
            read->rows.text, (int)read->bad.length, read->bad.text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  static const delivery in_bytes = {.form = IN_BYTES};
  static json_program *keys;
  plan plan;
  delivery delivery;
  result plain = {0}, given = {0}, naive = {0};

  if (size < CHOICES || size > CHOICES + 60000) return 0;
  if (!keys) keys = make_keys();
  choose(data, keys, &plan, &delivery);
  const uint8_t *text = data + CHOICES;
  size -= CHOICES;
  bool undecided;
  const char *const first = (const char *)text;
  const bool is_text = locus_compression_of(first, (int64_t)size, true, &undecided) == TEXT_PLAIN &&
                       !locus_foreign(first, (int64_t)size, true, &undecided);
  read_text(&plan, &in_bytes, text, size, &plain);
  read_text(&plan, &delivery, text, size, &given);
  compare_results("as it was given", &plain, &given, false);
  const bool strings = (data[5] & 7) == 0;
  if (is_text && strings && plan.limit > (1 << 19) &&
      naive_json((const char *)text, (int64_t)size, &naive) < DEEP)
    check_naive(&naive, &plain);
  if (size < 300 && locus_is_utf8((const char *)text, (int64_t)size))
    check_string(keys, (const char *)text, (int64_t)size);
  free_result(&naive);
  free_result(&plain);
  free_result(&given);
  return 0;
}
