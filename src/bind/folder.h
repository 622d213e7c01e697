/* SPDX-License-Identifier: MIT */
/* Open folders, within which files are found whatever their paths lead to meanwhile. */
#ifndef LOCUS_BIND_FOLDER_H
#define LOCUS_BIND_FOLDER_H

#include <lua.h>

/* The descriptor of the open folder at that index; raises where it is none. */
int locus_check_folder(lua_State *L, int index);

#endif
