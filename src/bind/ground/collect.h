/* SPDX-License-Identifier: MIT */
/* Paces the collector by the bytes that tensors hold. */
#ifndef LOCUS_BIND_COLLECT_H
#define LOCUS_BIND_COLLECT_H

#include "bind/ground/state.h"

/* Lets the collector keep pace with the bytes that tensors hold. */
void locus_pace(lua_State *L, locus_state *state);
/* One full collection; errors of finalizers are dropped. */
void locus_collect(lua_State *L, locus_state *state);

#endif
