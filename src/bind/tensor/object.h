/* SPDX-License-Identifier: MIT */
/* Objects that are written in Lua. */
#ifndef LOCUS_BIND_OBJECT_H
#define LOCUS_BIND_OBJECT_H

#include "bind/bind.h"

/* Whether such an object is at that index: its environment is its table. */
bool locus_is_object(lua_State *L, int index);

#endif
