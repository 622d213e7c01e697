/* SPDX-License-Identifier: MIT */
/* search_index: what lua/locus/search_index.lua makes its objects of. */
#include "bind/searchsorted.h"

/* Pushes a view of argument i, or nil. */
static void push_kept(locus_call *call, int i)
{
  if (!locus_arg_given(call, i)) {
    lua_pushnil(call->L);
    return;
  }
  locus_tensor *view = locus_push_view(call->L, i + 1);
  locus_tensor_alias(view, locus_arg_tensor(call, i));
}

/* search_index(sorted_sequence, {sorter=nil, base=1, check=false, descending=false, paged=false}):
** what is worth doing once for a sequence that is searched again and again, in an object with a
** method searchsorted(values, {out_int32=false, right=false, side=nil, out=nil, base=1}). Arguments
** as those of searchsorted. It keeps the sequence alive; once that has been written to, an answer
** is some position of its range. paged: it keeps the first element of each page of memory, and a
** search touches one page; errors: a sorter, what is not 1-D, in one piece, or on the CPU. Here it
** answers with what the object is made of: a view of the sequence, the index, a view of the sorter
** or nil, whether it descends, and whether it is to be paged, where the index is none yet. */
static int search_index(lua_State *L)
{
  enum { SORTED_SEQUENCE, SORTER, BASE, CHECK, DESCENDING, PAGED };
  static const locus_param params[] = {{"sorted_sequence", 0},      {"sorter", LOCUS_NAMED},
                                       {"base", LOCUS_NAMED},       {"check", LOCUS_NAMED},
                                       {"descending", LOCUS_NAMED}, {"paged", LOCUS_NAMED}, {0}};
  locus_call call;
  locus_search search = {0};
  int status;

  locus_call_begin(&call, L, "search_index", params);
  search.base = locus_arg_base(&call, BASE);
  search.check = locus_arg_bool(&call, CHECK, false);
  search.descending = locus_arg_bool(&call, DESCENDING, false);
  locus_arg_tensor_value(&call, SORTED_SEQUENCE, LOCUS_DTYPES, &search.sorted_sequence);
  if (locus_arg_given(&call, SORTER))
    locus_arg_tensor_value(&call, SORTER, LOCUS_i64, &search.sorter);
  search.paged = locus_arg_bool(&call, PAGED, false);
  push_kept(&call, SORTED_SEQUENCE);
  locus_tensor *index = locus_push_tensor(L);
  push_kept(&call, SORTER);
  lua_pushboolean(L, search.descending);
  if (search.paged && search.sorter.tensor)
    locus_call_error(&call, "'sorter' cannot be given with paged = true");
  do status = locus_search_index(&search, index, &call.cx);
  while (locus_call_again(&call, status));
  lua_pushboolean(L, search.paged);
  return 5;
}

/* Pushes the tensor at position i of what search_index gave, NULL when there is none. */
static locus_tensor *push_part(lua_State *L, int i)
{
  lua_rawgeti(L, 1, i);
  return locus_test_tensor(L, -1);
}

/* search_indexed(index, values, {...}): the method, index a list of what search_index gave. */
static int search_indexed(lua_State *L)
{
  enum { INDEX, VALUES, OUT_INT32, RIGHT, SIDE, OUT, BASE };
  static const locus_param params[] = {{"index", 0},
                                       {"values", 0},
                                       {"out_int32", LOCUS_NAMED},
                                       {"right", LOCUS_NAMED},
                                       {"side", LOCUS_NAMED},
                                       {"out", LOCUS_NAMED},
                                       {"base", LOCUS_NAMED},
                                       {0}};
  locus_call call;
  locus_search search = {.sorted_sequence.name = "sorted_sequence", .sorter.name = "sorter"};

  locus_call_begin(&call, L, "searchsorted", params);
  search.out_int32 = locus_arg_bool(&call, OUT_INT32, false);
  search.base = locus_arg_base(&call, BASE);
  search.sorted_sequence.tensor = call.tensors[INDEX] = push_part(L, 1);
  call.cx.home = locus_tensor_device(search.sorted_sequence.tensor);
  search.index = push_part(L, 2);
  search.sorter.tensor = push_part(L, 3);
  lua_rawgeti(L, 1, 4);
  search.descending = lua_toboolean(L, -1);
  locus_arg_value(&call, VALUES, &search.values);
  return locus_answer_search(&call, &search, RIGHT, SIDE, OUT);
}

const locus_entry locus_bind_search_index[] = {
    {"search_index", search_index, LOCUS_INTERNAL},
    {"search_indexed", search_indexed, LOCUS_INTERNAL},
    {0},
};
