/* SPDX-License-Identifier: MIT */
/* The failure of a call, and its repetition. */
#include "bind/ground/call.h"

#include <stdarg.h>
#include <stdio.h>

#include "bind/ground/collect.h"
#include "bind/ground/interrupt.h"
#include "bind/ground/raise.h"
#include "bind/ground/state.h"

int locus_call_error(locus_call *call, const char *format, ...)
{
  char message[640];
  va_list arguments;
  int used = snprintf(message, sizeof message, "%s: ", locus_called(call->L, call->function));

  va_start(arguments, format);
  vsnprintf(message + used, sizeof message - (size_t)used, format, arguments);
  va_end(arguments);
  return locus_raise(call->L, message);
}

/* On a changed hook the old one is put back first: raising while LuaJIT's is pending ends in
** "error in error handling". */
static void raise_interrupt(locus_call *call)
{
  lua_sethook(call->L, call->hook, call->hook_mask, call->hook_count);
  locus_interrupt_raised();
  locus_raise(call->L, "interrupted!");
}

bool locus_call_again(locus_call *call, int status)
{
  if (status == 0) return false;
  if (call->cx.error.code == LOCUS_INTERRUPTED) raise_interrupt(call);
  if (call->cx.error.code == LOCUS_OUT_OF_MEMORY && !call->collected) {
    call->collected = true;
    locus_collect(call->L, locus_state_of(call->L));
    locus_device_trim();
    return true;
  }
  locus_call_error(call, "%s", call->cx.error.message);
  return false;
}

void locus_call_poll(locus_call *call)
{
  if (locus_poll(&call->cx)) locus_call_again(call, -1);
}
