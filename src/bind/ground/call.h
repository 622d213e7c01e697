/* SPDX-License-Identifier: MIT */
/* A call of a bound function: its parameters, its arguments, and its failure. */
#ifndef LOCUS_BIND_CALL_H
#define LOCUS_BIND_CALL_H

#include <lua.h>

#include "core/tensor.h"

enum {
  LOCUS_REQUIRED = 0,
  LOCUS_OPTIONAL = 1, /* may be left out or nil */
  LOCUS_NAMED = 2,    /* only by name; always optional */
  LOCUS_SIZES = 4,    /* takes all positional values from its place, as one table */
  LOCUS_NO_DIMS = 8,  /* dimensions: {} means none of them, and is never an empty option table */
  LOCUS_NAMES = 16,   /* with LOCUS_SIZES: of strings in place of numbers */
  LOCUS_TENSORS = 32, /* with LOCUS_SIZES: of tensors in place of numbers */
  LOCUS_TABLE = 64,   /* the argument may be a table: {} is that, and never an empty option table */
};

enum { LOCUS_MOST_PARAMS = 24 };

typedef struct locus_param {
  const char *name; /* NULL ends the list */
  unsigned flags;
  const char *type; /* of lua/locus/meta, and " = " with the default; in the last row the results */
} locus_param;

/* A function declares its parameters once, a row each: the name, the flags, and the type as
** lua/locus/meta has it, with the default where the argument may be left out:
**
**   #define ROLL_PARAMS(P)             \
**     P(input, LOCUS_REQUIRED, Table)  \
**     P(shifts, LOCUS_REQUIRED, Dims)  \
**     P(dims, LOCUS_OPTIONAL, Dims = nil)
**
** In the function LOCUS_PARAMS(ROLL_PARAMS, Tensor) defines `params` and the places ARG_input,
** ARG_shifts, ARG_dims; the types of the results come last. LOCUS_FILE_PLACES(ROLL_PARAMS), outside
** of functions, defines the places AT_input, AT_shifts, AT_dims for all functions of the file.
*.ci/meta.lua writes what editors know
** of the function from them. */
#define LOCUS_PARAM(name, flags, type) {#name, flags, #type},
#define LOCUS_PLACE(name, flags, type) ARG_##name,
#define LOCUS_RESULTS(...) \
  {                        \
    NULL, 0, #__VA_ARGS__  \
  }
#define LOCUS_PLACES(ROWS) enum { ROWS(LOCUS_PLACE) }
#define LOCUS_FILE_PLACE(name, flags, type) AT_##name,
#define LOCUS_FILE_PLACES(ROWS) enum { ROWS(LOCUS_FILE_PLACE) }
#define LOCUS_PARAMS(ROWS, ...) \
  LOCUS_PLACES(ROWS);           \
  static const locus_param params[] = {ROWS(LOCUS_PARAM) LOCUS_RESULTS(__VA_ARGS__)}
#define LOCUS_NO_PARAMS(...) static const locus_param params[] = {LOCUS_RESULTS(__VA_ARGS__)}

typedef struct locus_call {
  lua_State *L;
  const char *function; /* its name in messages */
  const locus_param *params;
  int count;                                /* of the parameters */
  int most;                                 /* of values by position */
  int sizes;                                /* which one takes sizes; LOCUS_MOST_PARAMS: none */
  unsigned required;                        /* bit i: argument i must be given */
  int positions;                            /* values that came by position, nil or not */
  unsigned given;                           /* bit i: argument i was given and is not nil */
  locus_tensor *tensors[LOCUS_MOST_PARAMS]; /* argument i where it is a tensor, else NULL */
  int kind;                                 /* of the first tensor that has one (core/kind.h) */
  bool collected;                           /* garbage was collected for this call already */
  lua_Hook hook;                            /* seen at entry: a change means Ctrl-C */
  int hook_mask, hook_count;
  locus_context cx;
} locus_call;

static inline bool locus_arg_given(const locus_call *call, int i)
{
  return call->given >> i & 1;
}

/* Raises "function: <message>". */
int locus_call_error(locus_call *call, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* After an op: false when it is done, true when it should be called once more (memory was short
** and garbage has been collected); raises any other error. */
bool locus_call_again(locus_call *call, int status);

/* Raises when the user has asked to stop. */
void locus_call_poll(locus_call *call);
enum { LOCUS_POLL_EVERY = 4096 }; /* entries of a table that is walked */

#endif
