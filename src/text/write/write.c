/* SPDX-License-Identifier: MIT */
/* The text that grows, row by row. */
#include "text/write/write.h"

#include "core/memory.h"

enum { LEAST_ROOM = 1 << 12 };

void locus_writer_end(text_writer *w)
{
  locus_memory_free(w->bytes, w->room);
  w->bytes = NULL;
  w->length = w->room = 0;
}

int locus_writer_reserve(text_writer *w, int64_t bytes, locus_context *cx)
{
  int64_t room = w->room ? w->room : LEAST_ROOM;

  if (w->room - w->length >= bytes) return 0;
  while (room - w->length < bytes) room *= 2;
  if (w->most_room > 0 && room > w->most_room) return locus_fail_memory(cx, room);
  char *moved = w->bytes ? locus_memory_resize(w->bytes, w->room, room) : locus_memory_alloc(room);
  if (!moved) return locus_fail_memory(cx, room);
  w->bytes = moved;
  w->room = room;
  return 0;
}

int locus_write_rows(text_writer *w, int64_t first, int64_t rows, int64_t bytes, int64_t *written,
                     locus_context *cx)
{
  int64_t row = 0;
  int status = 0;

  while (row < rows && w->length < bytes) {
    const int64_t before = w->length;
    status = w->put_row(w, first + row, cx);
    if (status) {
      w->length = before;
      break;
    }
    row++;
    if (w->ends) *w->ends++ = (int32_t)w->length;
  }
  *written = row;
  return row > 0 ? 0 : status;
}
