/* SPDX-License-Identifier: MIT */
/* Rows by several threads: where their slices go, and the pieces of the text. */
#include "text/write/share.h"

#include <string.h>
#include <sys/stat.h>

#include "core/device.h"
#include "core/parallel.h"
#include "text/write/slices.h"

/* -- Joining ----------------------------------------------------------------------------------- */

static int copy_slices(const void *job, int64_t begin, int64_t end, locus_context *cx)
{
  const text_writer *w = job;

  for (int64_t k = begin; k < end; k++) {
    const text_slice *slice = &w->slices->slice[k];
    if (slice->writer.length == 0) continue; /* which may have no bytes */
    memcpy(w->bytes + slice->place, slice->writer.bytes, (size_t)slice->writer.length);
  }
  return locus_poll(cx);
}

/* The first row that ends at that byte of the slice's text, or behind it. */
static int64_t row_that_ends(const int32_t *ends, int64_t rows, int64_t byte)
{
  int64_t low = 0;

  while (low < rows) {
    const int64_t middle = low + (rows - low) / 2;
    if (ends[middle] < byte) low = middle + 1;
    else rows = middle;
  }
  return low;
}

/* Where the pieces of the text end, which are the same as one thread makes. */
static void cut_text(text_slices *slices, int count)
{
  int64_t begin = 0; /* of the piece */

  for (int k = 0; k < count; k++) {
    const text_slice *slice = &slices->slice[k];
    const int32_t *ends = slice->writer.ends - slice->written;
    for (;;) {
      const int64_t byte = begin + PIECE_BYTES - slice->place;
      const int64_t row = row_that_ends(ends, slice->written, byte);
      if (row == slice->written) break;
      slices->cut[slices->cuts++] = begin = slice->place + ends[row];
    }
  }
}

static int join(text_writer *w, int count, bool cut, locus_context *cx)
{
  text_slices *slices = w->slices;
  int64_t length = w->length;

  for (int k = 0; k < count; k++) {
    slices->slice[k].place = length;
    length += slices->slice[k].writer.length;
  }
  LOCUS_TRY(locus_writer_reserve(w, length - w->length, cx));
  if (cut) {
    const int64_t most = (length / PIECE_BYTES + 1) * (int64_t)sizeof *slices->cut;
    LOCUS_TRY(locus_slices_ensure((void **)&slices->cut, &slices->cut_bytes, most, cx));
  }
  LOCUS_TRY(locus_parallel(copy_slices, w, count, 1, cx));
  if (cut) cut_text(slices, count);
  w->length = length;
  return 0;
}

/* -- Rows -------------------------------------------------------------------------------------- */

static bool is_on_disk(FILE *file)
{
  struct stat status;
  return file && fstat(fileno(file), &status) == 0 && S_ISREG(status.st_mode);
}

/* The text so far comes before the slices. */
static void pour_text(text_writer *w)
{
  locus_slices_pour(w->slices, w->bytes, w->length);
  w->length = 0;
}

static int pour_slices(text_slices *slices, int count, locus_context *cx)
{
  for (int k = 0; k < count && !slices->refused; k++) {
    LOCUS_TRY(locus_poll(cx));
    locus_slices_pour(slices, slices->slice[k].writer.bytes, slices->slice[k].writer.length);
  }
  return 0;
}

static int write_round(text_writer *w, int64_t first, int64_t rows, bool cut, text_progress *done,
                       locus_context *cx)
{
  text_slices *slices = w->slices;
  int count;

  slices->refused = false;
  slices->cuts = slices->cut_at = 0;
  slices->beside = is_on_disk(slices->file);
  if (slices->file) pour_text(w);
  if (slices->refused) return 0;
  LOCUS_TRY(locus_slices_write(w, first, rows, cut, &count, cx));
  done->written = slices->rows_taken;
  if (done->written > 0) w->row_bytes = (double)slices->bytes_taken / (double)slices->rows_taken;
  if (slices->beside) return 0;
  return slices->file ? pour_slices(slices, count, cx) : join(w, count, cut, cx);
}

/* `all`: as many as make a piece; else few, which tell how long rows are. */
static int write_alone(text_writer *w, int64_t first, int64_t rows, bool all, bool cut,
                       text_progress *done, locus_context *cx)
{
  const int64_t before = w->length, most = cut ? PIECE_BYTES : before + PIECE_BYTES;
  const int64_t few = before + locus_least_slice();

  LOCUS_TRY(locus_write_rows(w, first, rows, all || few > most ? most : few, &done->written, cx));
  if (done->written > 0) w->row_bytes = (double)(w->length - before) / (double)done->written;
  return 0;
}

static int write_some(text_writer *w, int64_t first, int64_t rows, FILE *file, bool cut,
                      text_progress *done, locus_context *cx)
{
  const bool alone = locus_cpu_threads() == 1;

  if (alone || (double)rows * w->row_bytes < 2.0 * (double)locus_least_slice())
    return write_alone(w, first, rows, alone || w->row_bytes > 0, cut, done, cx);
  if (!w->slices) LOCUS_TRY(locus_slices_make(w, cx));
  w->slices->file = file;
  LOCUS_TRY(write_round(w, first, rows, cut, done, cx));
  done->refused = w->slices->refused;
  done->reason = w->slices->reason;
  if (done->written > 0 || done->refused) return 0;
  if (write_alone(w, first, rows, false, cut, done, cx) == 0) return 0;
  locus_slices_free(w); /* which may be all the memory that there is */
  return write_alone(w, first, rows, false, cut, done, cx);
}

int locus_write_shared(text_writer *w, int64_t first, int64_t rows, FILE *file, bool cut,
                       text_progress *done, locus_context *cx)
{
  *done = (text_progress){.written = 0};
  if (w->taken > 0) memmove(w->bytes, w->bytes + w->taken, (size_t)(w->length - w->taken));
  w->length -= w->taken;
  w->taken = 0;
  w->first = first;
  LOCUS_TRY(write_some(w, first, rows, file, cut, done, cx));
  w->rows += done->written;
  const int cuts = w->slices ? w->slices->cuts - w->slices->cut_at : 0;
  done->pieces = cuts > 0 ? cuts : w->length >= PIECE_BYTES;
  return 0;
}

int64_t locus_writer_piece(const text_writer *w)
{
  const text_slices *slices = w->slices;
  const bool is_cut = slices && slices->cut_at < slices->cuts;
  return (is_cut ? slices->cut[slices->cut_at] : w->length) - w->taken;
}

void locus_writer_drop(text_writer *w, int64_t bytes)
{
  text_slices *slices = w->slices;

  if (slices && slices->cut_at < slices->cuts) slices->cut_at++;
  w->taken += bytes;
  if (w->taken == w->length) w->taken = w->length = 0;
}
