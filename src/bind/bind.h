/* SPDX-License-Identifier: MIT */
/* The binding: how Lua sees tensors and ops. The only folder that includes lua.h, the only one
** that raises. A bound function parses its arguments (may raise, owns nothing), anchors its results
** on the Lua stack, calls the op, and returns or raises. */
#ifndef LOCUS_BIND_H
#define LOCUS_BIND_H

#include <lauxlib.h>
#include <lua.h>

#include "op/op.h"

/* Of every bound C function. */
enum { UPVALUE_METATABLE = lua_upvalueindex(1), UPVALUE_STATE = lua_upvalueindex(2) };

/* What the collector is paced by: two kinds of memory, each on its own account. */
enum { LOCUS_HOST_BYTES, LOCUS_DEVICE_BYTES, LOCUS_ACCOUNTS };

typedef struct locus_account {
  int64_t live_at_rest;   /* bytes alive when the last collection ended */
  int64_t allocated_seen; /* bytes ever allocated, when the pace was last set */
} locus_account;

enum { LOCUS_CURRENT = -1 }; /* in place of a device: the one that "cuda" stands for */

/* What one Lua state keeps. */
typedef struct locus_state {
  locus_dtype default_dtype;
  locus_device default_device; /* or LOCUS_CURRENT */
  const char *function;        /* the bound function called last */
  double debt;          /* bytes of Lua heap the collector still has to walk */
  bool collecting;      /* a collection is running: do not start another */
  bool asked;           /* an unknown name asks for the parameters */
  locus_account account[LOCUS_ACCOUNTS];
} locus_state;

locus_state *locus_state_of(lua_State *L);

/* -- Arguments --------------------------------------------------------------------------------- */

enum {
  LOCUS_OPTIONAL = 1, /* may be left out or nil */
  LOCUS_NAMED = 2,    /* only by name; always optional */
  LOCUS_SIZES = 4,    /* takes all the positional numbers from its place on, as one table */
  LOCUS_NO_DIMS = 8,  /* dimensions, of which {} names none; in its place that is no option table */
};

enum { LOCUS_MOST_PARAMS = 16 };

typedef struct locus_param {
  const char *name; /* NULL ends the list */
  unsigned flags;
} locus_param;

typedef struct locus_call {
  lua_State *L;
  const char *function; /* its name in messages */
  const locus_param *params;
  int count;         /* of the parameters */
  int most;          /* of them, by position */
  int sizes;         /* which one takes sizes; LOCUS_MOST_PARAMS: none */
  unsigned required; /* bit i: argument i must be given */
  int positions;     /* values that came by position, nil or not */
  unsigned given; /* bit i: argument i was given and is not nil */
  locus_tensor *tensors[LOCUS_MOST_PARAMS]; /* argument i where it is a tensor, else NULL */
  bool collected; /* garbage was collected for this call already */
  lua_Hook hook;  /* seen at entry: a change means Ctrl-C */
  int hook_mask, hook_count;
  locus_context cx;
} locus_call;

/* Takes the arguments apart, by position and by name: afterwards argument i is at stack index
** i + 1, nil when absent, and the top is the number of parameters. */
void locus_call_begin(locus_call *call, lua_State *L, const char *function,
                      const locus_param *params);

/* The same for what only locus's own Lua files call: `count` arguments as they came. */
void locus_call_begin_plain(locus_call *call, lua_State *L, const char *function,
                            const locus_param *params, int count);

/* After an op: false when it is done, true when it should be called once more (memory was short
** and garbage has been collected); raises everything else. */
bool locus_call_again(locus_call *call, int status);

/* How many letters must change to make one name the other. */
int locus_spelling_distance(const char *a, const char *b);

static inline bool locus_arg_given(const locus_call *call, int i)
{
  return call->given >> i & 1;
}

/* Raises "function: 'argument' must be <expected>, got <what is there>". */
int locus_arg_expected(locus_call *call, int i, const char *expected);
/* Raises "function: <message>". */
int locus_call_error(locus_call *call, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

bool locus_arg_bool(locus_call *call, int i, bool absent);
int64_t locus_arg_int(locus_call *call, int i, int64_t absent);
double locus_arg_number(locus_call *call, int i, double absent);
const char *locus_arg_string(locus_call *call, int i, const char *absent);
int64_t locus_arg_base(locus_call *call, int i); /* 1, or 0 */
locus_dtype locus_arg_dtype(locus_call *call, int i, locus_dtype absent);
locus_device locus_arg_device(locus_call *call, int i, locus_device absent);
/* A device of CUDA, by its number from 0 or its name: the current one where none is given. */
int locus_arg_cuda(locus_call *call, int i);
/* A dimension of 1..ndim, or -ndim..-1 from the end, as 0-based. */
int locus_arg_dim(locus_call *call, int i, int ndim, int absent);
/* A bit mask of dimensions: a number or a table of them, none twice; absent: all, and so {} unless
** the parameter is one of LOCUS_NO_DIMS. */
uint32_t locus_arg_dims(locus_call *call, int i, int ndim);
/* Sizes: a number or a table of them; -1 is let through where `infer`. */
void locus_arg_shape(locus_call *call, int i, locus_shape *shape, bool infer);

/* A tensor; a table is made into one and replaces the argument. */
locus_tensor *locus_arg_tensor(locus_call *call, int i);
/* The same, the table read as that dtype. */
locus_tensor *locus_arg_tensor_as(locus_call *call, int i, locus_dtype dtype);
/* The same as a value that carries the argument's name; any dtype for LOCUS_DTYPES. */
void locus_arg_tensor_value(locus_call *call, int i, locus_dtype dtype, locus_value *value);
/* A tensor, table, number, boolean or cdata. */
void locus_arg_value(locus_call *call, int i, locus_value *value);
/* The caller's `out`, or a result waiting to be made, which takes the argument's place. */
locus_tensor *locus_arg_out(locus_call *call, int i);
/* The first argument of an in-place op: a tensor, which no table stands for. */
locus_tensor *locus_arg_self(locus_call *call, locus_value *value);
/* Pushes the two tensors of the caller's `out`, a table of the form that `names` shows ("{values,
** indices}"), or two results waiting to be made. */
void locus_push_outs(locus_call *call, int i, const char *names, locus_tensor *outs[2]);

/* -- Values ------------------------------------------------------------------------------------ */

/* The tensor at that index, NULL when it is something else. */
locus_tensor *locus_test_tensor(lua_State *L, int index);
/* The same at the address of a userdata that is known to be a tensor's. */
locus_tensor *locus_held_tensor(const void *userdata);
/* Pushes a tensor without storage: a result waiting to be made. */
locus_tensor *locus_push_tensor(lua_State *L);
/* Pushes a view of the tensor at `index`, which an op then fills; foreign owners stay anchored. */
locus_tensor *locus_push_view(lua_State *L, int index);
/* Pushes the tensor at index 1 as C can read it: a view, or a copy of what lies on a device. */
locus_tensor *locus_push_readable(locus_call *call);
/* Pushes the columns of the z x n tensor at `index`, one view each; answers n. */
int locus_push_columns(lua_State *L, int index);
/* Pushes one element as a Lua value. */
void locus_push_element(lua_State *L, locus_dtype dtype, const void *element);
/* Pushes a tensor's first element, fetched from its device. */
void locus_push_first(locus_call *call, const locus_tensor *tensor);
void locus_push_int64(lua_State *L, int64_t value);
/* Pushes the result that argument `out` holds; its only element as a Lua value where the operands
** were scalars and no `out` was given. Answers 1. */
int locus_push_result(locus_call *call, int out, bool scalar);
/* Pushes a size table: compares with ==, prints as 2x3. */
void locus_push_shape(lua_State *L, const locus_shape *shape);
/* Reads a number, boolean or cdata; false when it is something else. */
bool locus_read_scalar(lua_State *L, int index, locus_value *value);
/* "a cdata of type double [3]", for one that is no scalar; leaves it on the stack. */
const char *locus_describe_cdata(lua_State *L, int index);
/* The length of the table at an absolute index, -1 when its keys are not exactly 1..n. */
int locus_list_length(lua_State *L, int index);
/* Reads an exact integer: an integral number or an int64 cdata. */
bool locus_read_int64(lua_State *L, int index, int64_t *value);

/* What a value is, for messages: "a float32 tensor of size 2x3", "the number 1.5". */
const char *locus_describe(lua_State *L, int index); /* leaves a string on the stack */

/* Replaces the table at `index` by a new tensor of that dtype, or of the one its elements have
** (LOCUS_DTYPES), on the device call->cx.home. */
void locus_table_to_tensor(locus_call *call, int index, const char *name, locus_dtype dtype);

/* Raises the sentence at the line of the nearest caller that is not locus's own Lua. */
int locus_raise(lua_State *L, const char *message);
/* The name of the function that this caller called: `function`, unless one of locus's own Lua
** called that on his behalf. It lives while that runs. */
const char *locus_called(lua_State *L, const char *function);
/* Raises the parameters of the call as a table: they were asked for. */
void locus_tell_params(const locus_call *call);

/* What has no device goes where the tensors of the list in argument i are. */
void locus_home_among(locus_call *call, int i, int count);

/* Searches with what searchsorted.c reads for `right`, `side` and `out`, and pushes the answers. */
int locus_answer_search(locus_call *call, const locus_search *search, int right, int side, int out);

/* -- Memory ------------------------------------------------------------------------------------ */

/* Lets the collector keep pace with the bytes that tensors hold. */
void locus_pace(lua_State *L, locus_state *state);
/* One full collection; errors of finalizers are dropped. */
void locus_collect(lua_State *L, locus_state *state);

/* Sets how many freed bytes are kept, for the first Lua state; raises what is wrong with the
** environment. */
void locus_choose_cache(lua_State *L);

/* -- Threads ----------------------------------------------------------------------------------- */

/* Sets how many threads there are, for the first Lua state; raises what is wrong with the
** environment. */
void locus_choose_threads(lua_State *L);

/* -- Registration ------------------------------------------------------------------------------ */

/* THE list of what only Lua can make or tell: its name, and whether that takes LuaJIT's FFI. Lua
** gives them to `setup`, which keeps them in the registry. */
#define LOCUS_HOOKS(HOOK) \
  HOOK(size, false)       \
  HOOK(source, false)     \
  HOOK(declared, false)   \
  HOOK(stream, false)     \
  HOOK(event, false)      \
  HOOK(classify, true)    \
  HOOK(int64, true)       \
  HOOK(complex, true)     \
  HOOK(point, true)       \
  HOOK(pointer, true)

#define HOOK(name, ffi) extern const char locus_hook_##name[]; /* its key in the registry */
LOCUS_HOOKS(HOOK)
#undef HOOK

/* A bound function: in the module, among the methods, in both, in locus.memory or locus.cuda, among
** the methods of streams or events, or for locus's own Lua files and the specs alone. */
typedef struct locus_entry {
  const char *name;
  lua_CFunction function;
  enum {
    LOCUS_FUNCTION = 1,
    LOCUS_METHOD = 2,
    LOCUS_BOTH = 3,
    LOCUS_MEMORY = 4,
    LOCUS_CUDA = 8,
    LOCUS_STREAM = 16,
    LOCUS_EVENT = 32,
    LOCUS_INTERNAL = 64,
  } where;
} locus_entry;

/* THE list of tables; each is defined in the bind file of that name and ends with a NULL name. */
#define LOCUS_BIND(TABLE) \
  TABLE(tensor)           \
  TABLE(table)            \
  TABLE(module)           \
  TABLE(declare)          \
  TABLE(create)           \
  TABLE(convert)          \
  TABLE(foreign)          \
  TABLE(print)            \
  TABLE(memory)           \
  TABLE(threads)          \
  TABLE(cuda)             \
  TABLE(stream)           \
  TABLE(event)            \
  TABLE(unary)            \
  TABLE(binary)           \
  TABLE(compare)          \
  TABLE(view)             \
  TABLE(reshape)          \
  TABLE(cat)              \
  TABLE(index)            \
  TABLE(nonzero)          \
  TABLE(reduce)           \
  TABLE(cumsum)           \
  TABLE(sort)             \
  TABLE(bincount)         \
  TABLE(searchsorted)     \
  TABLE(search_index)     \
  TABLE(where)            \
  TABLE(into)

#define TABLE(name) extern const locus_entry locus_bind_##name[];
LOCUS_BIND(TABLE)
#undef TABLE

#endif
