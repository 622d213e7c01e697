/* SPDX-License-Identifier: MIT */
/* Open folders: their files are found even if the path leads elsewhere by now. */
#ifndef LOCUS_BIND_FOLDER_H
#define LOCUS_BIND_FOLDER_H

#include <lua.h>
#include <stdio.h>

/* Makes an open handle of Lua's that of another open file; programs that are started do not inherit
** it. 0, or -1 and errno. */
int locus_give_descriptor(int file, FILE *handle);
/* The descriptor of the open folder at that index; raises if it is none. */
int locus_check_folder(lua_State *L, int index);

#endif
