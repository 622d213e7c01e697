/* SPDX-License-Identifier: MIT */
/* The keys of objects by name: small tables with open addresses. They have as many entries as the
** program wants and a few more, so no text can make a search in them long. */
#include "text/json/program.h"

static int64_t rounded(int64_t bytes)
{
  return (bytes + 63) & ~INT64_C(63);
}

int64_t locus_json_program_bytes(const json_program *counts)
{
  return rounded((int64_t)sizeof *counts) +
         rounded(counts->node_count * (int64_t)sizeof(json_node)) +
         rounded(counts->key_count * (int64_t)sizeof(json_key)) +
         rounded(counts->item_count * (int64_t)sizeof(json_item)) +
         rounded(counts->table_size * (int64_t)sizeof(int32_t)) +
         rounded(counts->slot_count * (int64_t)sizeof(json_value));
}

static void *part(char **at, int64_t bytes)
{
  void *begin = *at;

  *at += rounded(bytes);
  return begin;
}

static void find_parts(json_program *program)
{
  char *at = (char *)program + rounded((int64_t)sizeof *program);

  program->nodes = part(&at, program->node_count * (int64_t)sizeof(json_node));
  program->keys = part(&at, program->key_count * (int64_t)sizeof(json_key));
  program->items = part(&at, program->item_count * (int64_t)sizeof(json_item));
  program->table = part(&at, program->table_size * (int64_t)sizeof(int32_t));
  program->values = part(&at, program->slot_count * (int64_t)sizeof(json_value));
}

json_program *locus_json_program_place(void *memory, const json_program *counts)
{
  json_program *program = memory;

  *program = *counts;
  program->bytes = locus_json_program_bytes(counts);
  program->record = 0;
  find_parts(program);
  return program;
}

json_program *locus_json_program_copy(void *memory, const json_program *from)
{
  json_program *program = memory;

  memcpy(program, from, (size_t)from->bytes);
  find_parts(program);
  for (int32_t i = 0; i < program->key_count; i++)
    if (program->keys[i].node < 0) program->keys[i].name.bytes = program->keys[i].text;
  return program;
}

static uint64_t hash_of(text_span name)
{
  uint64_t hash = (uint64_t)name.length, word;
  int64_t i = 0;

  for (; i + 8 <= name.length; i += 8) {
    memcpy(&word, name.bytes + i, 8);
    hash = (hash ^ word) * UINT64_C(0x9e3779b97f4a7c15);
    hash ^= hash >> 32;
  }
  word = 0;
  memcpy(&word, name.bytes + i, (size_t)(name.length - i));
  hash = (hash ^ word) * UINT64_C(0x9e3779b97f4a7c15);
  return hash ^ hash >> 32;
}

/* The place in the node's table of that name, or of the empty entry where it belongs. */
static int32_t *entry_of(const json_program *program, const json_node *node, text_span name)
{
  int32_t *table = program->table + node->table;
  const uint64_t mask = (uint64_t)node->table_size - 1;

  for (uint64_t at = hash_of(name);; at++) {
    int32_t *entry = &table[at & mask];
    if (*entry == 0) return entry;
    const text_span found = program->keys[*entry - 1].name;
    if (found.length == name.length && memcmp(found.bytes, name.bytes, (size_t)name.length) == 0)
      return entry;
  }
}

/* Names with bytes that JSON may write in several ways are not compared as they are written. */
static bool is_quick(text_span name)
{
  if (name.length + 2 > JSON_QUICK) return false;
  for (int64_t i = 0; i < name.length; i++) {
    const unsigned char c = (unsigned char)name.bytes[i];
    if (c < ' ' || c == '"' || c == '\\') return false;
  }
  return true;
}

void locus_json_add_key(json_program *program, json_node *node, text_span name, int32_t to)
{
  const int32_t place = node->keys + node->key_count++;
  json_key *key = &program->keys[place];

  key->name = name;
  key->node = to;
  key->next = place + 1 < node->keys + node->wanted ? place + 1 : node->keys;
  key->quick = 0;
  if (is_quick(name)) {
    key->quick = (int32_t)name.length + 2;
    memcpy(key->text, name.bytes, (size_t)name.length);
    memcpy(key->text + name.length, "\":", 2);
    memset(key->mask, 0xff, (size_t)key->quick);
  }
  *entry_of(program, node, name) = place + 1;
}

json_key *locus_json_find_key(const json_program *program, const json_node *node, text_span name)
{
  const int32_t entry = *entry_of(program, node, name);
  return entry == 0 ? NULL : &program->keys[entry - 1];
}

/* Its bytes lie in the key itself, whose copies have their own. */
json_key *locus_json_remember(json_program *program, json_node *node, text_span name)
{
  json_key *key = &program->keys[node->keys + node->key_count];

  if (node->key_count == node->key_room || !is_quick(name)) return NULL;
  locus_json_add_key(program, node, name, -1);
  key->name.bytes = key->text;
  return key;
}

/* A place that the record has not had yet has nothing below it. */
void locus_json_forget(json_program *program, json_node *node)
{
  if (node->record != program->record) return;
  node->record = 0;
  if (node->slot >= 0) program->values[node->slot].record = 0;
  for (int32_t i = 0; i < node->wanted; i++)
    locus_json_forget(program, &program->nodes[program->keys[node->keys + i].node]);
  for (int32_t i = 0; i < node->item_count; i++)
    locus_json_forget(program, &program->nodes[program->items[node->items + i].node]);
}
