/* SPDX-License-Identifier: MIT */
/* Writing an error down. */
#include "core/error.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#include "core/memory.h"

int locus_fail(locus_context *cx, const char *format, ...)
{
  va_list arguments;

  va_start(arguments, format);
  cx->error.code = LOCUS_BAD_CALL;
  vsnprintf(cx->error.message, sizeof cx->error.message, format, arguments);
  va_end(arguments);
  return -1;
}

int locus_fail_memory(locus_context *cx, int64_t bytes)
{
  locus_memory_counts counts = locus_memory_count();
  char limit[48] = "";

  if (counts.limit < INT64_MAX)
    snprintf(limit, sizeof limit, ", limit %" PRId64 " bytes", counts.limit);
  locus_fail(cx, "out of memory (wanted %" PRId64 " bytes, live %" PRId64 " bytes%s)", bytes,
             counts.live, limit);
  cx->error.code = LOCUS_OUT_OF_MEMORY;
  return -1;
}

int locus_poll(locus_context *cx)
{
  if (!cx->interrupted || !cx->interrupted(cx->user)) return 0;
  locus_fail(cx, "interrupted!");
  cx->error.code = LOCUS_INTERRUPTED;
  return -1;
}
