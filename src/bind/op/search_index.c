/* SPDX-License-Identifier: MIT */
/* search_index: the parts of the objects of lua/locus/search/search_index.lua. */
#include "bind/op/searchsorted.h"

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
** the preparation of a sequence for repeated searches, as an object with a method
** searchsorted(values, {out_int32=false, right=false, side=nil, out=nil, base=1}). Arguments are
** those of searchsorted. The object keeps the sequence alive; after a write to the sequence, an
** answer is some position of its range. paged: it keeps the first element of each page of memory,
** and a search touches one page; errors: a sorter, a sequence that is not 1-D, contiguous and on
** the CPU. This function returns the parts of the object: a view of the sequence, the index, a view
** of the sorter or nil, whether it descends, and whether it is to be paged; then there is no index
** yet. */
#define SEARCH_INDEX_PARAMS(P)                     \
  P(sorted_sequence, LOCUS_REQUIRED, Table)        \
  P(sorter, LOCUS_NAMED, Tensor | integer[] = nil) \
  P(base, LOCUS_NAMED, 0 | 1 = 1)                  \
  P(check, LOCUS_NAMED, boolean = false)           \
  P(descending, LOCUS_NAMED, boolean = false)      \
  P(paged, LOCUS_NAMED, boolean = false)
static int search_index(lua_State *L)
{
  LOCUS_PARAMS(SEARCH_INDEX_PARAMS, SearchIndex);
  locus_call call;
  locus_search search = {0};
  int status;

  locus_call_begin(&call, L, "search_index", params);
  search.base = locus_arg_base(&call, ARG_base);
  search.check = locus_arg_bool(&call, ARG_check, false);
  search.descending = locus_arg_bool(&call, ARG_descending, false);
  locus_arg_tensor_value(&call, ARG_sorted_sequence, LOCUS_DTYPES, &search.sorted_sequence);
  if (locus_arg_given(&call, ARG_sorter))
    locus_arg_tensor_value(&call, ARG_sorter, LOCUS_i64, &search.sorter);
  search.paged = locus_arg_bool(&call, ARG_paged, false);
  push_kept(&call, ARG_sorted_sequence);
  locus_tensor *index = locus_push_tensor(L);
  push_kept(&call, ARG_sorter);
  lua_pushboolean(L, search.descending);
  if (search.paged && search.sorter.tensor)
    locus_call_error(&call, "'sorter' cannot be given with paged = true");
  do status = locus_search_index(&search, index, &call.cx);
  while (locus_call_again(&call, status));
  lua_pushboolean(L, search.paged);
  return 5;
}

/* Pushes the tensor at position i of the parts that search_index gave, NULL when there is none. */
static locus_tensor *push_part(lua_State *L, int i)
{
  lua_rawgeti(L, 1, i);
  return locus_test_tensor(L, -1);
}

/* search_indexed(index, values, {...}): the method, index being the list of parts that search_index
** gave. */
#define SEARCH_INDEXED_PARAMS(P)                        \
  P(index, LOCUS_REQUIRED, SearchIndex)                 \
  P(values, LOCUS_REQUIRED, Data)                       \
  P(out_int32, LOCUS_NAMED, boolean = false)            \
  P(right, LOCUS_NAMED, boolean = false)                \
  P(side, LOCUS_NAMED, "left" | "right" | "both" = nil) \
  P(out, LOCUS_NAMED, Tensor | Tensor[] = nil)          \
  P(base, LOCUS_NAMED, 0 | 1 = 1)
static int search_indexed(lua_State *L)
{
  LOCUS_PARAMS(SEARCH_INDEXED_PARAMS, any, any);
  locus_call call;
  locus_search search = {.sorted_sequence.name = "sorted_sequence", .sorter.name = "sorter"};

  locus_call_begin(&call, L, "searchsorted", params);
  search.out_int32 = locus_arg_bool(&call, ARG_out_int32, false);
  search.base = locus_arg_base(&call, ARG_base);
  search.sorted_sequence.tensor = call.tensors[ARG_index] = push_part(L, 1);
  call.cx.home = locus_tensor_device(search.sorted_sequence.tensor);
  call.kind = search.sorted_sequence.tensor->kind;
  search.index = push_part(L, 2);
  search.sorter.tensor = push_part(L, 3);
  lua_rawgeti(L, 1, 4);
  search.descending = lua_toboolean(L, -1);
  locus_arg_value(&call, ARG_values, &search.values);
  return locus_answer_search(&call, &search, ARG_right, ARG_side, ARG_out);
}

const locus_entry locus_bind_search_index[] = {
    {"search_index", search_index, LOCUS_INTERNAL},
    {"search_indexed", search_indexed, LOCUS_INTERNAL},
    {0},
};
