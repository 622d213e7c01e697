/* SPDX-License-Identifier: MIT */
/* Tensors made while a call of tidy runs: a list that holds no reference, so the collector can take
** them. */
#ifndef LOCUS_BIND_SCOPE_H
#define LOCUS_BIND_SCOPE_H

#include "bind/ground/state.h"

typedef struct locus_scope locus_scope;

/* The place of one thing in the list of its scope; part of that thing. In no list, `scope` is
** NULL. */
typedef struct locus_member {
  locus_scope *scope;
  struct locus_member *previous, *next;
} locus_member;

/* A userdata. While it is open it is in the list of the state. */
struct locus_scope {
  locus_state *state; /* NULL when it is closed */
  locus_member *first;
  locus_scope *outer; /* the next one in the list of the state */
  lua_State *L;       /* the coroutine that runs the call */
  bool suspended;     /* whether that had yielded when it was looked at last */
};

void locus_scope_open(locus_scope *scope, lua_State *L, locus_state *state);
/* Nothing more comes into it; its members stay. One that is closed may be closed again. */
void locus_scope_close(locus_scope *scope);
/* All members leave it. */
void locus_scope_empty(locus_scope *scope);

/* The scope of the tensors that this coroutine makes now; NULL when none is open, or all open ones
** belong to coroutines that have yielded. */
locus_scope *locus_scope_find(lua_State *L, locus_state *state);
static inline locus_scope *locus_scope_of(lua_State *L, locus_state *state)
{
  return state->scopes ? locus_scope_find(L, state) : NULL;
}

/* The same without knowing which coroutine runs; false where that would decide. */
bool locus_scope_sole(const locus_state *state, locus_scope **found);

void locus_scope_add(locus_scope *scope, locus_member *member);
void locus_scope_remove(locus_member *member); /* from no scope, too */

#endif
