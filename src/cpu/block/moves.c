/* SPDX-License-Identifier: MIT */
/* Copies elements between strided places and a contiguous run, by their width. */
#include "cpu/block/block.h"
#include "cpu/isa/isa.h"

#define TEMPLATE "cpu/block/move.inc"
#include "cpu/block/each_width.h"

typedef void gather_tile_run(void *run, const void *in, int64_t row_step, int64_t column_step,
                             int64_t rows, int64_t columns);
typedef void scatter_tile_run(void *out, int64_t row_step, int64_t column_step, const void *run,
                              int64_t rows, int64_t columns);
static gather_tile_run *const gathers[WIDTHS] = BY_WIDTH(gather_tile);
static scatter_tile_run *const scatters[WIDTHS] = BY_WIDTH(scatter_tile);

void ISA(gather_tile)(void *run, const void *in, int64_t row_step, int64_t column_step,
                      int64_t rows, int64_t columns, int64_t item)
{
  gathers[width_index(item)](run, in, row_step, column_step, rows, columns);
}

void ISA(scatter_tile)(void *out, int64_t row_step, int64_t column_step, const void *run,
                       int64_t rows, int64_t columns, int64_t item)
{
  scatters[width_index(item)](out, row_step, column_step, run, rows, columns);
}

void ISA(copy_nontemporal)(char *to, const char *from, int64_t bytes)
{
  const int64_t head = least(bytes, before_line(to, 1)), lines = (bytes - head) / 64;
  const int64_t tail = bytes - head - lines * 64;

  memcpy(to, from, (size_t)head);
  copy_lines(to + head, from + head, lines);
  memcpy(to + bytes - tail, from + bytes - tail, (size_t)tail);
}
