/* SPDX-License-Identifier: MIT */
/* Ctrl-C at the prompt. */
#ifndef LOCUS_BIND_INTERRUPT_H
#define LOCUS_BIND_INTERRUPT_H

#include <lua.h>

/* Pushes the address of a handler for SIGINT that serves this state: it has the running code raise
** "interrupted!". It is ready for the next signal. */
void locus_push_interrupt_handler(lua_State *L);

/* Takes note that an interrupt raises its error now: more of them at once mean the same one. */
void locus_interrupt_raised(void);

#endif
