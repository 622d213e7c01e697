/* SPDX-License-Identifier: MIT */
/* Open folders: files are found within them, wherever their paths lead meanwhile. */
#ifndef LOCUS_BIND_FOLDER_H
#define LOCUS_BIND_FOLDER_H

#include <lua.h>
#include <stdio.h>

/* Has a handle of Lua's that is open be that of another open file, too; programs that are started
** do not inherit it. 0, or -1 and errno. */
int locus_give_descriptor(int file, FILE *handle);
/* The descriptor of the open folder at that index; raises where it is none. */
int locus_check_folder(lua_State *L, int index);

#endif
