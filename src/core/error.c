/* SPDX-License-Identifier: MIT */
/* Writing an error down. */
#include "core/error.h"

#include <stdarg.h>
#include <stdio.h>

int locus_fail(locus_context *cx, const char *format, ...)
{
  va_list arguments;

  va_start(arguments, format);
  cx->error.code = LOCUS_BAD_CALL;
  vsnprintf(cx->error.message, sizeof cx->error.message, format, arguments);
  va_end(arguments);
  return -1;
}

int locus_fail_changed(locus_context *cx, const char *name)
{
  return locus_fail(cx, "%s changed while they were read: another thread or process writes there",
                    name);
}

int locus_poll(locus_context *cx)
{
  if (!cx->interrupted || !cx->interrupted(cx->user)) return 0;
  locus_fail(cx, "interrupted!");
  cx->error.code = LOCUS_INTERRUPTED;
  return -1;
}
