/* SPDX-License-Identifier: MIT */
/* Scopes and their members. */
#include "bind/ground/scope.h"

/* Sorts the scopes by the nesting of their calls, the innermost first. A coroutine that had yielded
** at the last check, and runs again, was resumed inside all others that run. */
static void sort_scopes(locus_state *state)
{
  locus_scope *resumed = NULL, **end = &resumed;

  for (locus_scope **at = &state->scopes; *at;) {
    locus_scope *scope = *at;
    bool had_yielded = scope->suspended;
    scope->suspended = lua_status(scope->L) == LUA_YIELD;
    if (!had_yielded || scope->suspended) {
      at = &scope->outer;
      continue;
    }
    *at = scope->outer;
    *end = scope;
    end = &scope->outer;
  }
  *end = state->scopes;
  state->scopes = resumed;
}

void locus_scope_open(locus_scope *scope, lua_State *L, locus_state *state)
{
  sort_scopes(state);
  *scope = (locus_scope){.state = state, .outer = state->scopes, .L = L};
  state->scopes = scope;
}

void locus_scope_close(locus_scope *scope)
{
  if (!scope->state) return;
  locus_scope **at = &scope->state->scopes;
  while (*at != scope) at = &(*at)->outer;
  *at = scope->outer;
  scope->state = NULL;
}

void locus_scope_empty(locus_scope *scope)
{
  while (scope->first) locus_scope_remove(scope->first);
}

/* Tensors that a coroutine makes while it has an open scope belong to its innermost one. Otherwise
** they belong to the scopes of the coroutines that have resumed it. sort_scopes finds the innermost
** of these, except for a coroutine that has yielded and run on between two looks. */
locus_scope *locus_scope_find(lua_State *L, locus_state *state)
{
  locus_scope *found = NULL;

  if (state->scopes->L == L) return state->scopes;
  sort_scopes(state);
  for (locus_scope *scope = state->scopes; scope; scope = scope->outer) {
    if (scope->L == L) return scope;
    if (!found && !scope->suspended) found = scope;
  }
  return found;
}

/* If one coroutine has opened all of them, and has not yielded, then it runs, or it has resumed the
** one that does. */
bool locus_scope_sole(const locus_state *state, locus_scope **found)
{
  locus_scope *inner = state->scopes;

  for (const locus_scope *scope = inner; scope; scope = scope->outer)
    if (scope->L != inner->L) return false;
  *found = inner && lua_status(inner->L) != LUA_YIELD ? inner : NULL;
  return true;
}

void locus_scope_add(locus_scope *scope, locus_member *member)
{
  member->scope = scope;
  if (!scope) return;
  member->previous = NULL;
  member->next = scope->first;
  if (member->next) member->next->previous = member;
  scope->first = member;
}

void locus_scope_remove(locus_member *member)
{
  if (!member->scope) return;
  if (member->previous) member->previous->next = member->next;
  else member->scope->first = member->next;
  if (member->next) member->next->previous = member->previous;
  member->scope = NULL;
}
