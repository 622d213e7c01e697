/* SPDX-License-Identifier: MIT */
/* The userdata of a tensor. */
#ifndef LOCUS_BIND_HANDLE_H
#define LOCUS_BIND_HANDLE_H

#include "bind/ground/scope.h"
#include "core/tensor.h"

/* Its address marks our userdata: no other userdata of that size begins with it. */
extern const char locus_handle_mark;

/* Small, because the collector is paced by the bytes it sees, which do not include the tensor.
** ORDER HANDLE: lua/locus/tensor/handle.lua declares these fields for the FFI. */
typedef struct locus_handle {
  const char *mark;
  locus_tensor *tensor;
} locus_handle;

/* The tensor at that index, NULL when it is something else. One that has been freed has no
** storage. */
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

/* Pushes a tensor without storage: a result yet to be made. It belongs to the scope in which it is
** made. */
locus_tensor *locus_push_tensor(lua_State *L);
/* Pushes a blank: a userdata that has no tensor yet, which calls through the FFI then fill. */
void locus_push_blank(lua_State *L);
/* Whether a userdata that points to this tensor is a blank. */
bool locus_is_blank(const locus_tensor *tensor);
/* Gives the blank at that address a tensor without storage, which belongs to the scope; NULL when
** memory is short. */
locus_tensor *locus_fill_blank(void *userdata, locus_scope *scope);
/* Makes it a blank again. */
void locus_clear_blank(locus_tensor *tensor);
/* Pushes a view of the tensor at `index`, which an op then fills; it keeps the owner of foreign
** memory alive, too. */
locus_tensor *locus_push_view(lua_State *L, int index);
/* The metamethod __gc. */
int locus_drop_tensor(lua_State *L);

/* The function that frees a tensor while Lua may still hold it. */
typedef enum {
  LOCUS_BY_FINALIZER,
  LOCUS_BY_FREE,
  LOCUS_BY_TIDY,
  LOCUS_BLANK,
  LOCUS_FREERS
} locus_freer;

/* Takes the tensor from its userdata; only its views remain. */
void locus_free_tensor(locus_tensor *tensor, locus_freer by);
/* Frees the members of a scope. */
void locus_free_members(locus_scope *scope);
/* The words after "has been freed" for such a tensor: "", " by free" or " by tidy". */
const char *locus_freed_by(const locus_tensor *tensor);

/* Gives a tensor that has not been freed to another scope, or with NULL to none. */
void locus_give_tensor(locus_tensor *tensor, locus_scope *scope);
/* The scope to which it belongs. */
locus_scope *locus_scope_of_tensor(const locus_tensor *tensor);

#endif
