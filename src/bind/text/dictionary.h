/* SPDX-License-Identifier: MIT */
/* Dictionaries as Lua values, which string columns are made of. */
#ifndef LOCUS_BIND_DICTIONARY_H
#define LOCUS_BIND_DICTIONARY_H

#include <lua.h>

#include "text/names/dictionary.h"

/* Pushes a value without a dictionary, and returns the place for one. The value owns the dictionary
** that is put there. */
text_dictionary **locus_push_dictionary(lua_State *L);
/* The dictionary at that index, NULL when it is something else. */
text_dictionary *locus_test_dictionary(lua_State *L, int index);

#endif
