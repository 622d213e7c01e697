/* SPDX-License-Identifier: MIT */
/* Ctrl-C at the prompt. */
#ifndef LOCUS_BIND_INTERRUPT_H
#define LOCUS_BIND_INTERRUPT_H

#include <lua.h>

/* Pushes the address of a handler for SIGINT for this state: it makes the running code raise
** "interrupted!". It is ready for the next signal. */
void locus_push_interrupt_handler(lua_State *L);

/* Notes that an interrupt raises its error now: further signals at this moment mean the same
** one. */
void locus_interrupt_raised(void);

#endif
