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

int locus_arrow_describe(locus_arrow_schema *schema, const char *format, const char *name,
                         locus_arrow_below below, locus_context *cx)
{
  const int64_t n = below.children, texts = (int64_t)(strlen(format) + strlen(name)) + 2;
  const int64_t pointers = n * (int64_t)sizeof schema, structs = n * (int64_t)sizeof *schema;
  const int64_t bytes = (int64_t)sizeof(schema_block) + pointers + structs + texts;

  schema_block *block = locus_memory_alloc(bytes);
  if (!block) return locus_fail_memory(cx, bytes);
  memset(block, 0, (size_t)bytes);
  block->bytes = bytes;
  locus_arrow_schema *children = (locus_arrow_schema *)(block->child + n);
  for (int64_t i = 0; i < n; i++) block->child[i] = children + i;
  char *text = (char *)(children + n);
  *schema = (locus_arrow_schema){.format = strcpy(text, format),
                                 .n_children = n,
                                 .name = strcpy(text + strlen(format) + 1, name),
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
