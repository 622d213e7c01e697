/* SPDX-License-Identifier: MIT */
/* Unknown names of arguments and dtypes, and their names in other libraries. */
#include "bind/ground/unknown.h"

#include <ctype.h>
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

/* Whether the name asks for parts or `rows` of a function that reads the whole. */
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

/* The types of NumPy, PyTorch, pandas, polars, Arrow and SQL, in small letters; the dtype here, or
** the type of a column, that holds their values; and another dtype that may be meant. */
static const char *const types_elsewhere[][3] = {
    {"float", "float64", "float32"},
    {"int", "int64", "int32"},
    {"i8", "int8", "int64"},
    {"integer", "int64"},
    {"long", "int64"},
    {"longlong", "int64"},
    {"bigint", "int64"},
    {"short", "int16"},
    {"smallint", "int16"},
    {"char", "int8"},
    {"tinyint", "int8"},
    {"byte", "uint8"},
    {"uint16", "int32"},
    {"uint32", "int64"},
    {"uint64", "int64"},
    {"i1", "int8"},
    {"i2", "int16"},
    {"i4", "int32"},
    {"i16", "int16"},
    {"i32", "int32"},
    {"i64", "int64"},
    {"u1", "uint8"},
    {"u2", "int32"},
    {"u4", "int64"},
    {"u8", "uint8", "int64"},
    {"u16", "int32"},
    {"u32", "int64"},
    {"u64", "int64"},
    {"number", "float64"},
    {"numeric", "float64"},
    {"real", "float64"},
    {"decimal", "float64"},
    {"double", "float64"},
    {"single", "float32"},
    {"half", "float16"},
    {"halffloat", "float16"},
    {"f2", "float16"},
    {"f4", "float32"},
    {"f8", "float64"},
    {"f16", "float16"},
    {"bf16", "bfloat16"},
    {"f32", "float32"},
    {"f64", "float64"},
    {"boolean", "bool"},
    {"logical", "bool"},
    {"complex", "complex128"},
    {"cfloat", "complex64"},
    {"cdouble", "complex128"},
    {"c8", "complex64"},
    {"c16", "complex128"},
    {"duration", "int64"},
    {"timedelta", "int64"},
    {"timedelta64", "int64"},
    {"str", "string"},
    {"string", "string"},
    {"text", "string"},
    {"object", "string"},
    {"category", "string"},
    {"categorical", "string"},
    {"enum", "string"},
    {"dictionary", "string"},
    {"utf8", "string"},
    {"varchar", "string"},
    {"unicode", "string"},
    {"largeutf8", "string"},
    {"large_utf8", "string"},
    {"large_string", "string"},
    {"time", "time"},
    {"datetime", "time"},
    {"datetime64", "time"},
    {"timestamp", "time"},
    {"date", "date"},
    {"date32", "date"},
    {"date64", "date"},
    {"ip", "ipv4"},
    {"inet", "ipv4"},
};

/* The name without the module it comes from, its order of bytes and what stands in brackets. */
static void strip(const char *name, char *stem, size_t size)
{
  size_t n = 0;
  const char *dot = strrchr(name, '.');

  if (dot && isalpha((unsigned char)dot[1])) name = dot + 1;
  name += strspn(name, "<>=|");
  for (; name[n] && !strchr("[( ", name[n]) && n + 1 < size; n++)
    stem[n] = (char)tolower((unsigned char)name[n]);
  stem[n] = '\0';
}

const char *locus_type_elsewhere(const char *name, const char **other)
{
  char stem[32];
  locus_dtype dtype;

  strip(name, stem, sizeof stem);
  *other = NULL;
  if (locus_dtype_find(stem, &dtype)) return locus_dtype_name(dtype);
  for (size_t k = 0; k < sizeof types_elsewhere / sizeof *types_elsewhere; k++) {
    if (strcmp(stem, types_elsewhere[k][0]) != 0) continue;
    *other = types_elsewhere[k][2];
    return types_elsewhere[k][1];
  }
  return NULL;
}

int locus_unknown_dtype(locus_call *call, int i, const char *expected)
{
  const char *const argument = call->params[i].name, *name = lua_tostring(call->L, i + 1), *other;
  const char *ours = locus_type_elsewhere(name, &other), *remark = "";
  locus_dtype dtype;

  if (!ours) return locus_arg_expected(call, i, expected);
  if (strcmp(ours, "string") == 0) {
    return locus_call_error(call,
                            "'%s' must be %s, got the string \"%.60s\"; strings are columns: "
                            "write locus.strings(list)",
                            argument, expected, name);
  }
  if (!locus_dtype_find(ours, &dtype)) {
    ours = "int64";
    remark = ", which times, dates and addresses are";
  }
  return locus_call_error(call, "'%s' must be %s, got the string \"%.60s\"; write \"%s\"%s%s%s%s",
                          argument, expected, name, ours, other ? " or \"" : "", other ? other : "",
                          other ? "\"" : "", remark);
}
