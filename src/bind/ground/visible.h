/* SPDX-License-Identifier: MIT */
/* Foreign text made safe to show, so that no terminal obeys it. */
#ifndef LOCUS_BIND_VISIBLE_H
#define LOCUS_BIND_VISIBLE_H

#include <lua.h>
#include <stdbool.h>
#include <stddef.h>

/* Pushes the text, with everything that is no printable character as \n, \r, \t or \x1b: the bytes
** below a space, DEL, the controls from U+0080 to U+009F, marks that change the direction of text
** or end its lines, and bytes that are no UTF-8. `quoted`: a quote and a backslash have a backslash
** in front, too. */
const char *locus_push_visible(lua_State *L, const char *text, size_t length, bool quoted);

#endif
