/* SPDX-License-Identifier: MIT */
/* Arrow's C data interface: columns for and from other libraries in the same process. The maker
** fills a struct, and its last owner releases it, once. To move a struct is to copy its bytes and
** to clear `release` in the old place.
**
** Source: https://arrow.apache.org/docs/format/CDataInterface.html */
#ifndef LOCUS_ARROW_H
#define LOCUS_ARROW_H

#include "core/tensor.h"

/* ORDER ARROW: lua/locus/arrow/structs.lua declares both structs for the FFI. */
typedef struct locus_arrow_schema {
  const char *format, *name, *metadata;
  int64_t flags, n_children;
  struct locus_arrow_schema **children, *dictionary;
  void (*release)(struct locus_arrow_schema *schema);
  void *private_data;
} locus_arrow_schema;

typedef struct locus_arrow_array {
  int64_t length, null_count, offset, n_buffers, n_children;
  const void **buffers;
  struct locus_arrow_array **children, *dictionary;
  void (*release)(struct locus_arrow_array *array);
  void *private_data;
} locus_arrow_array;

/* The children of a struct; the caller fills it next. Until then it counts as released. */
typedef struct locus_arrow_below {
  int64_t children;
  bool dictionary;
} locus_arrow_below;

/* What a schema says; `kind`, or NULL, as metadata under the key "locus.kind". */
typedef struct locus_arrow_words {
  const char *format, *name, *kind;
} locus_arrow_words;

/* Fills a struct that counts as released, with copies of the words. */
int locus_arrow_describe(locus_arrow_schema *schema, const locus_arrow_words *words,
                         locus_arrow_below below, locus_context *cx);

enum { LOCUS_ARROW_BUFFERS = 3 }; /* at most, in structs of ours */

/* The same without nulls, with the elements of contiguous tensors on the CPU as buffers. It keeps
** their storages. A buffer may be NULL. */
int locus_arrow_export(locus_arrow_array *array, int64_t length, const locus_tensor *const *buffers,
                       int count, locus_arrow_below below, locus_context *cx);

/* Whether the elements stay while a struct keeps the storage: foreign bytes may not. */
bool locus_arrow_can_keep(const locus_tensor *tensor);

/* A tensor without elements that represents the array while views of it are made. */
int locus_arrow_borrow(locus_tensor *holder, locus_context *cx);

/* A read-only 1-D tensor of `count` elements of the array behind `holder`, or a copy of them if
** they are not aligned. */
int locus_arrow_view(locus_tensor *view, const locus_tensor *holder, const void *data,
                     locus_dtype dtype, int64_t count, locus_context *cx);

/* Moves the array to its views: it is released when the holder and the views are gone. */
void locus_arrow_take(const locus_tensor *holder, locus_arrow_array *array);

#endif
