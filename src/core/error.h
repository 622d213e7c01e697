/* SPDX-License-Identifier: MIT */
/* Errors below the binding, and the context that a call carries. */
#ifndef LOCUS_ERROR_H
#define LOCUS_ERROR_H

#include "core/dtype.h"

typedef enum locus_code {
  LOCUS_BAD_CALL = 1, /* the caller's arguments; the message says which */
  LOCUS_OUT_OF_MEMORY,
  LOCUS_INTERRUPTED,
} locus_code;

/* Filled by the function that returns -1. The message is one sentence without the function's
** name. */
typedef struct locus_error {
  locus_code code;
  char message[500];
} locus_error;

typedef int32_t locus_device; /* an index: LOCUS_CPU, or one of a backend's */

/* The context that every op and every job runner gets besides its work. */
typedef struct locus_context {
  locus_error error;
  locus_device device;             /* of the runner */
  locus_device home;               /* of values without a device: numbers, tables, new tensors */
  locus_dtype default_dtype;       /* of numbers that come without one: f64 or f32 */
  bool (*interrupted)(void *user); /* asked between chunks of work; NULL: never */
  void *user;
} locus_context;

/* Fills cx->error and returns -1, so that a check reads `return locus_fail(cx, ...)`. */
int locus_fail(locus_context *cx, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* For memory that others may write to: numbers of that name have changed since they were
** checked. */
int locus_fail_changed(locus_context *cx, const char *name);

/* 0, or -1 when the user has asked to stop. Cheap; called at least every few milliseconds. */
int locus_poll(locus_context *cx);

#define LOCUS_TRY(call)         \
  do {                          \
    if ((call) != 0) return -1; \
  } while (0)

#endif
