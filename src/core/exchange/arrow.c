/* SPDX-License-Identifier: MIT */
/* Each struct that we make has one block of memory, which also holds everything it points to. */
#include "core/exchange/arrow.h"

#include <string.h>

#include "core/memory.h"

/* -- For others -------------------------------------------------------------------------------- */

typedef struct schema_block {
  int64_t bytes;
  locus_arrow_schema dictionary, *child[];
} schema_block;

typedef struct array_block {
  int64_t bytes;
  locus_storage *storage[LOCUS_ARROW_BUFFERS];
  const void *buffers[LOCUS_ARROW_BUFFERS];
  locus_arrow_array dictionary, *child[];
} array_block;

static void release_schema(locus_arrow_schema *schema)
{
  schema_block *block = schema->private_data;

  for (int64_t i = 0; i < schema->n_children; i++)
    if (block->child[i]->release) block->child[i]->release(block->child[i]);
  if (block->dictionary.release) block->dictionary.release(&block->dictionary);
  schema->release = NULL;
  locus_memory_free(block, block->bytes);
}

static void release_array(locus_arrow_array *array)
{
  array_block *block = array->private_data;

  for (int64_t i = 0; i < array->n_children; i++)
    if (block->child[i]->release) block->child[i]->release(block->child[i]);
  if (block->dictionary.release) block->dictionary.release(&block->dictionary);
  for (int i = 0; i < LOCUS_ARROW_BUFFERS; i++) locus_storage_release(block->storage[i]);
  array->release = NULL;
  locus_memory_free(block, block->bytes);
}

/* Metadata: how many pairs there are, then the length and the bytes of each key and value. */
static const char KEY[] = "locus.kind";

static int64_t metadata_bytes(const char *kind)
{
  return kind ? (int64_t)(3 * sizeof(int32_t) + sizeof KEY - 1 + strlen(kind)) : 0;
}

static char *put(char *out, int32_t number, const char *bytes)
{
  memcpy(out, &number, sizeof number);
  if (bytes) memcpy(out + sizeof number, bytes, (size_t)number);
  return out + sizeof number + (bytes ? number : 0);
}

static const char *put_metadata(char *out, const char *kind)
{
  if (!kind) return NULL;
  put(put(put(out, 1, NULL), sizeof KEY - 1, KEY), (int32_t)strlen(kind), kind);
  return out;
}

int locus_arrow_describe(locus_arrow_schema *schema, const locus_arrow_words *words,
                         locus_arrow_below below, locus_context *cx)
{
  const size_t format = strlen(words->format) + 1, name = strlen(words->name) + 1;
  const int64_t n = below.children;
  const int64_t pointers = n * (int64_t)sizeof schema, structs = n * (int64_t)sizeof *schema;
  const int64_t bytes = (int64_t)(sizeof(schema_block) + format + name) + pointers + structs +
                        metadata_bytes(words->kind);

  schema_block *block = locus_memory_alloc(bytes);
  if (!block) return locus_fail_memory(cx, bytes);
  memset(block, 0, (size_t)bytes);
  block->bytes = bytes;
  locus_arrow_schema *children = (locus_arrow_schema *)(block->child + n);
  for (int64_t i = 0; i < n; i++) block->child[i] = children + i;
  char *text = (char *)(children + n);
  *schema = (locus_arrow_schema){.format = memcpy(text, words->format, format),
                                 .n_children = n,
                                 .name = memcpy(text + format, words->name, name),
                                 .metadata = put_metadata(text + format + name, words->kind),
                                 .children = n ? block->child : NULL,
                                 .dictionary = below.dictionary ? &block->dictionary : NULL,
                                 .release = release_schema,
                                 .private_data = block};
  return 0;
}

int locus_arrow_export(locus_arrow_array *array, int64_t length, const locus_tensor *const *buffers,
                       int count, locus_arrow_below below, locus_context *cx)
{
  const int64_t n = below.children, each = (int64_t)(sizeof array + sizeof *array);
  const int64_t bytes = (int64_t)sizeof(array_block) + n * each;

  array_block *block = locus_memory_alloc(bytes);
  if (!block) return locus_fail_memory(cx, bytes);
  memset(block, 0, (size_t)bytes);
  block->bytes = bytes;
  locus_arrow_array *children = (locus_arrow_array *)(block->child + n);
  for (int64_t i = 0; i < n; i++) block->child[i] = children + i;
  for (int i = 0; i < count; i++) {
    if (!buffers[i]) continue;
    block->buffers[i] = buffers[i]->data;
    block->storage[i] = buffers[i]->storage;
    locus_storage_retain(block->storage[i]);
  }
  *array = (locus_arrow_array){.length = length,
                               .n_buffers = count,
                               .n_children = n,
                               .buffers = block->buffers,
                               .children = n ? block->child : NULL,
                               .dictionary = below.dictionary ? &block->dictionary : NULL,
                               .release = release_array,
                               .private_data = block};
  return 0;
}

bool locus_arrow_can_keep(const locus_tensor *tensor)
{
  return !tensor->storage->foreign || tensor->storage->lender;
}

/* -- From others ------------------------------------------------------------------------------- */

/* Lends to the holder and to each view. */
typedef struct borrowed {
  locus_lender lender; /* first: that address is known elsewhere */
  atomic_int storages;
  locus_arrow_array array; /* once it has been taken */
} borrowed;

static void end(locus_lender *lender)
{
  borrowed *b = (borrowed *)lender;

  if (atomic_fetch_sub_explicit(&b->storages, 1, memory_order_acq_rel) > 1) return;
  if (b->array.release) b->array.release(&b->array);
  locus_memory_free(b, sizeof *b);
}

static int wrap(locus_tensor *view, borrowed *b, const void *data, locus_dtype dtype, int64_t count,
                locus_context *cx)
{
  const locus_shape shape = {.ndim = 1, .size = {count}};
  const locus_loan loan = {
      .device = LOCUS_CPU, .data = (void *)data, .readonly = true, .lender = &b->lender};

  LOCUS_TRY(locus_tensor_wrap(view, dtype, &shape, &loan, cx));
  atomic_fetch_add_explicit(&b->storages, 1, memory_order_relaxed);
  return 0;
}

int locus_arrow_borrow(locus_tensor *holder, locus_context *cx)
{
  borrowed *b = locus_memory_alloc(sizeof *b);

  if (!b) return locus_fail_memory(cx, sizeof *b);
  *b = (borrowed){.lender = {end}};
  const int status = wrap(holder, b, NULL, LOCUS_u8, 0, cx);
  if (status) locus_memory_free(b, sizeof *b);
  return status;
}

int locus_arrow_view(locus_tensor *view, const locus_tensor *holder, const void *data,
                     locus_dtype dtype, int64_t count, locus_context *cx)
{
  const int64_t item = locus_dtype_size(dtype);
  const locus_shape shape = {.ndim = 1, .size = {count}};

  if ((uintptr_t)data % (uintptr_t)item == 0)
    return wrap(view, (borrowed *)holder->storage->lender, data, dtype, count, cx);
  LOCUS_TRY(locus_tensor_new(view, dtype, &shape, LOCUS_CPU, cx));
  memcpy(view->data, data, (size_t)(count * item));
  return 0;
}

void locus_arrow_take(const locus_tensor *holder, locus_arrow_array *array)
{
  ((borrowed *)holder->storage->lender)->array = *array;
  array->release = NULL;
}
