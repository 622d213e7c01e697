/* SPDX-License-Identifier: MIT */
/* Names that there are not here, of arguments and dtypes: how they are called elsewhere. */
#include "bind/ground/unknown.h"

#include <lauxlib.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "bind/ground/spelling.h"
#include "bind/ground/state.h"
#include "bind/ground/surplus.h"

/* Raises the parameters of the call as a table: they were asked for. */
static void tell_params(locus_call *call)
{
  locus_state_of(call->L)->asked = false;
  locus_push_params(call);
  lua_error(call->L);
}

/* The name in NumPy, PyTorch, pandas and polars, the name here, and a further remark. */
static const char *const elsewhere[][3] = {
    {"axis", "dim"},
    {"keepdims", "keepdim"},
    {"sep", "separator"},
    {"delimiter", "separator"},
    {"usecols", "columns"},
    {"names", "header"},
    {"new_columns", "header"},
    {"has_header", "header"},
    {"dtype", "types"},
    {"dtypes", "types"},
    {"schema", "types"},
    {"nrows", "rows"},
    {"n_rows", "rows"},
    {"chunksize", "rows"},
    {"chunk_size", "rows"},
    {"batchsize", "rows"},
    {"batch_size", "rows"},
    {"skiprows", "skip"},
    {"skip_rows", "skip"},
    {"skip_lines", "skip"},
    {"na_values", "missing"},
    {"null_values", "missing"},
    {"na_rep", "missing"},
    {"null_value", "missing"},
    {"quotechar", "quote"},
    {"quote_char", "quote"},
    {"comment_prefix", "comment"},
    {"decimal_comma", "decimal"},
    {"on_bad_lines", "bad"},
    {"ignore_errors", "bad"},
    {"float_format", "formats"},
    {"datetime_format", "formats"},
    {"lineterminator", "newline"},
    {"ddof", "correction"},
    {"unbiased", "correction", ", which is 0 for false"},
    {"ascending", "descending", ", the opposite"},
    {"replacement", "replace"},
    {"num_samples", "size"},
};

/* The row of that name where the call has such an argument, else NULL. */
static const char *const *known_elsewhere(const locus_call *call, const char *name)
{
  for (size_t k = 0; k < sizeof elsewhere / sizeof *elsewhere; k++) {
    if (strcmp(name, elsewhere[k][0]) != 0) continue;
    for (int i = 0; i < call->count; i++)
      if (strcmp(call->params[i].name, elsewhere[k][1]) == 0) return elsewhere[k];
  }
  return NULL;
}

/* Whether the name asks for parts, of a function that reads the whole, or `rows` of it. */
static bool asks_for_chunks(const locus_call *call, const char *name)
{
  static const char *const parts[] = {"chunksize", "chunk_size", "batchsize", "batch_size"};
  bool found = false;

  for (size_t k = 0; k < sizeof parts / sizeof *parts; k++)
    found = found || strcmp(name, parts[k]) == 0;
  return found && strncmp(call->function, "read_", 5) == 0;
}

int locus_unknown_name(locus_call *call, const char *name)
{
  int best = 0, least = INT_MAX;
  char all[320] = "";

  if (locus_state_of(call->L)->asked) tell_params(call);
  if (asks_for_chunks(call, name)) {
    return locus_call_error(call,
                            "there is no argument '%s'; write locus.chunks(source, "
                            "{rows = n})",
                            name);
  }
  if (strcmp(call->function, "frame") == 0) {
    return locus_call_error(call,
                            "there is no argument '%.60s'; keys have no order: write "
                            "frame{{\"%.60s\", column}}",
                            name, name);
  }
  const char *const *known = known_elsewhere(call, name);
  if (known) {
    return locus_call_error(call, "there is no argument '%s'; write '%s'%s", name, known[1],
                            known[2] ? known[2] : "");
  }
  for (int i = 0; i < call->count; i++) {
    const char *ours = call->params[i].name;
    int distance = locus_spelling_distance(name, ours);
    if (distance < least) {
      least = distance;
      best = i;
    }
    snprintf(all + strlen(all), sizeof all - strlen(all), "%s'%s'", i ? ", " : "", ours);
  }
  if (least <= (int)strlen(name) / 3 + 1) {
    return locus_call_error(call, "there is no argument '%.60s'; did you mean '%s'?", name,
                            call->params[best].name);
  }
  return locus_call_error(call, "there is no argument '%.60s'; the arguments are %s", name, all);
}

int locus_unknown_dtype(locus_call *call, int i, const char *expected)
{
  static const char *const ours[][2] = {
      {"uint16", "int32"}, {"uint32", "int64"},     {"uint64", "int64"},
      {"byte", "uint8"},   {"char", "int8"},        {"short", "int16"},
      {"long", "int64"},   {"half", "float16"},     {"double", "float64"},
      {"boolean", "bool"}, {"cfloat", "complex64"}, {"cdouble", "complex128"},
  };

  const char *name = lua_tostring(call->L, i + 1);
  for (size_t k = 0; k < sizeof ours / sizeof *ours; k++) {
    if (strcmp(name, ours[k][0]) == 0) {
      return locus_call_error(call, "'%s' must be %s, got the string \"%s\"; write \"%s\"",
                              call->params[i].name, expected, name, ours[k][1]);
    }
  }
  return locus_arg_expected(call, i, expected);
}
