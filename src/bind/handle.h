/* SPDX-License-Identifier: MIT */
/* The userdata that Lua knows a tensor by. */
#ifndef LOCUS_BIND_HANDLE_H
#define LOCUS_BIND_HANDLE_H

#include <lua.h>

#include "core/tensor.h"

/* Its address marks our userdata: nobody else's of that size begins with it. */
extern const char locus_handle_mark;

/* Small, because the collector is paced by the bytes it sees; the tensor is not among them.
** ORDER HANDLE: lua/locus/handle.lua declares these fields for the FFI. */
typedef struct locus_handle {
  const char *mark;
  locus_tensor *tensor;
} locus_handle;

/* The tensor at that index, NULL when it is something else. */
static inline locus_tensor *locus_test_tensor(lua_State *L, int index)
{
  const locus_handle *h = lua_touserdata(L, index);
  return h && lua_objlen(L, index) == sizeof *h && h->mark == &locus_handle_mark ? h->tensor : NULL;
}

/* The same at the address of a userdata that is known to be a tensor's. */
static inline locus_tensor *locus_held_tensor(const void *userdata)
{
  return ((const locus_handle *)userdata)->tensor;
}

/* Pushes a tensor without storage: a result waiting to be made. */
locus_tensor *locus_push_tensor(lua_State *L);
/* Pushes a view of the tensor at `index`, which an op then fills; it keeps the owner of foreign
** memory alive, too. */
locus_tensor *locus_push_view(lua_State *L, int index);
/* The metamethod __gc. */
int locus_drop_tensor(lua_State *L);

#endif
