/* SPDX-License-Identifier: MIT */
/* Rows are written in rounds. Each round cuts the next rows into slices of about equally many
** bytes, as far as the rows before tell. Threads take the slices by turns, and write each to a text
** of its own, by a copy of the writer. Whoever has written one pours all that are whole into the
** file, in order, unless another thread is at that:
**
**   slice     |  0  |  1  |  2  |  3  |  4  |  5  |  6  |  7  |
**               in the file     | whole     | in work   | not begun
**                               turn                    next
**
** So the file is written beside the rest, and no thread waits for it. Pipes, terminals and
** functions are the calling thread's: their slices are joined to the writer's text behind the
** round. A worker would not be killed by a pipe that nobody reads any more, since it blocks
** signals.
**
** Invariant: a slice counts where all in front of it have all their rows. One that has not is the
** last of its round: a row did not fit, memory was short, or an id named nothing. The next round
** begins with that row, on one thread, which has no limit, or says what is wrong with it. So the
** text and the error are those of one thread. */
#include "text/write/share.h"

#include <errno.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/stat.h>

#include "core/device.h"
#include "core/memory.h"
#include "core/parallel.h"

enum {
  PER_THREAD = 16,       /* slices: all threads end at about the same time */
  SLICE = 1 << 17,       /* bytes of a slice, mostly at the utmost */
  MOST_ROOM = 2 * SLICE, /* for its text */
  MOST_ROWS = 1 << 15,
  LEAST = 1 << 13,         /* bytes that are worth a slice, */
  LEAST_IN_TESTS = 1 << 6, /* and so few in tests, */
  SLICE_IN_TESTS = 1 << 9, /* which see many rounds */
};

typedef struct text_slice {
  text_writer writer; /* a copy, with a text of its own */
  int64_t first, rows;
  int64_t written;   /* how many of them are in the text */
  int64_t place;     /* of the text in the writer's */
  atomic_bool ready; /* it is written, up to its end or a row that did not do */
} text_slice;

struct text_slices {
  int64_t bytes; /* of this block */
  int count, used;
  atomic_int next; /* the first that nobody has taken */
  atomic_int turn; /* the first that is not in the file; changed by the thread that pours */
  atomic_flag pours;
  atomic_bool over; /* no more slices are worth taking, or pouring behind the turn */
  FILE *file;       /* NULL: the slices are joined */
  bool beside;      /* it is written to beside the rest */
  bool refused;     /* by the file */
  int reason;

  int32_t *ends; /* of rows, in the texts of their slices */
  int64_t ends_bytes;
  int64_t *cut; /* where pieces of the writer's text end: `cuts` of them, up to cut_at handed on */
  int64_t cut_bytes;
  int cuts, cut_at;
  text_slice slice[];
};

/* -- Memory ------------------------------------------------------------------------------------ */

void locus_slices_free(text_writer *w)
{
  text_slices *slices = w->slices;

  if (!slices) return;
  for (int k = 0; k < slices->count; k++)
    locus_memory_free(slices->slice[k].writer.bytes, slices->slice[k].writer.room);
  locus_memory_free(slices->ends, slices->ends_bytes);
  locus_memory_free(slices->cut, slices->cut_bytes);
  locus_memory_free(slices, slices->bytes);
  w->slices = NULL;
}

static int make_slices(text_writer *w, locus_context *cx)
{
  const int count = PER_THREAD * locus_cpu_threads();
  const int64_t bytes = (int64_t)sizeof(text_slices) + count * (int64_t)sizeof(text_slice);
  text_slices *made = locus_memory_alloc(bytes);

  if (!made) return locus_fail_memory(cx, bytes);
  memset(made, 0, (size_t)bytes);
  made->bytes = bytes;
  made->count = count;
  atomic_flag_clear(&made->pours);
  w->slices = made;
  return 0;
}

/* Another block where this one is too small. */
static int ensure(void **block, int64_t *bytes, int64_t wanted, locus_context *cx)
{
  if (*bytes >= wanted) return 0;
  void *larger = locus_memory_alloc(wanted);
  if (!larger) return locus_fail_memory(cx, wanted);
  locus_memory_free(*block, *bytes);
  *block = larger;
  *bytes = wanted;
  return 0;
}

/* -- A round ----------------------------------------------------------------------------------- */

static int64_t least_bytes(void)
{
  return locus_small_pieces() ? LEAST_IN_TESTS : LEAST;
}

/* How many rows a slice has: so many that all threads have some of few rows, too. */
static int64_t rows_of_slice(const text_writer *w, int64_t rows)
{
  const int64_t all = (int64_t)((double)rows * w->row_bytes);
  const int64_t least = least_bytes(), most = locus_small_pieces() ? SLICE_IN_TESTS : SLICE;
  int64_t bytes = all / w->slices->count;

  bytes = bytes < least ? least : bytes > most ? most : bytes;
  const int64_t each = (int64_t)((double)bytes / w->row_bytes);
  return each < 1 ? 1 : each > MOST_ROWS ? MOST_ROWS : each;
}

static int begin_round(text_writer *w, int64_t first, int64_t rows, bool cut, locus_context *cx)
{
  text_slices *slices = w->slices;
  const int64_t each = rows_of_slice(w, rows), needed = (rows - 1) / each + 1;

  slices->used = needed < slices->count ? (int)needed : slices->count;
  if (cut) {
    const int64_t bytes = slices->used * each * (int64_t)sizeof *slices->ends;
    LOCUS_TRY(ensure((void **)&slices->ends, &slices->ends_bytes, bytes, cx));
  }
  for (int k = 0; k < slices->used; k++) {
    text_slice *slice = &slices->slice[k];
    char *const bytes = slice->writer.bytes;
    const int64_t room = slice->writer.room, begin = k * each;
    slice->writer = *w;
    slice->writer.bytes = bytes;
    slice->writer.room = room;
    slice->writer.length = 0;
    slice->writer.most_room = MOST_ROOM;
    slice->writer.slices = NULL;
    slice->writer.ends = cut ? slices->ends + begin : NULL;
    slice->first = first + begin;
    slice->rows = rows - begin < each ? rows - begin : each;
    slice->written = 0;
    atomic_store(&slice->ready, false);
  }
  atomic_store(&slices->next, 0);
  atomic_store(&slices->turn, 0);
  atomic_store(&slices->over, false);
  slices->refused = false;
  slices->cuts = slices->cut_at = 0;
  return 0;
}

static void pour(text_slices *slices, const char *bytes, int64_t length)
{
  if (length == 0) return;
  errno = 0;
  if (fwrite(bytes, 1, (size_t)length, slices->file) == (size_t)length) return;
  slices->reason = errno;
  slices->refused = true;
}

static bool may_pour(text_slices *slices)
{
  const int turn = atomic_load(&slices->turn);
  return turn < slices->used && atomic_load(&slices->slice[turn].ready);
}

/* One thread at a time, which looks again when it has given up its turn: a slice may have become
** whole before that, whose thread saw that another one pours. */
static void pour_in_turn(text_slices *slices)
{
  bool ended = false;

  while (!ended && may_pour(slices) && !atomic_flag_test_and_set(&slices->pours)) {
    while (!ended && may_pour(slices)) {
      const text_slice *slice = &slices->slice[atomic_load(&slices->turn)];
      if (!slices->refused) pour(slices, slice->writer.bytes, slice->writer.length);
      ended = slices->refused || slice->written < slice->rows;
      atomic_store(&slices->turn, ended ? slices->used : atomic_load(&slices->turn) + 1);
    }
    if (ended) atomic_store(&slices->over, true);
    atomic_flag_clear(&slices->pours);
  }
}

/* Each thread takes slices until there are none. What is wrong with a row is found out again, by
** one thread. */
static int write_slices(const void *job, int64_t begin, int64_t end, locus_context *cx)
{
  text_slices *slices = *(text_slices *const *)job;
  locus_context alone = {.device = LOCUS_CPU};

  (void)begin, (void)end;
  while (!atomic_load(&slices->over)) {
    const int k = atomic_fetch_add(&slices->next, 1);
    if (k >= slices->used) break;
    text_slice *slice = &slices->slice[k];
    LOCUS_TRY(locus_poll(cx));
    locus_write_rows(&slice->writer, slice->first, slice->rows, INT64_MAX, &slice->written, &alone);
    if (slice->written < slice->rows) atomic_store(&slices->over, true);
    atomic_store(&slice->ready, true);
    if (slices->beside) pour_in_turn(slices);
  }
  return 0;
}

/* Slices that count, and their rows. */
static int count_slices(const text_slices *slices, int64_t *rows)
{
  int k = 0;
  bool is_whole = true;

  for (*rows = 0; is_whole && k < slices->used && atomic_load(&slices->slice[k].ready); k++) {
    *rows += slices->slice[k].written;
    is_whole = slices->slice[k].written == slices->slice[k].rows;
  }
  return k;
}

/* -- Joining ----------------------------------------------------------------------------------- */

static int copy_slices(const void *job, int64_t begin, int64_t end, locus_context *cx)
{
  const text_writer *w = job;

  for (int64_t k = begin; k < end; k++) {
    const text_slice *slice = &w->slices->slice[k];
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
    LOCUS_TRY(ensure((void **)&slices->cut, &slices->cut_bytes, most, cx));
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
  pour(w->slices, w->bytes, w->length);
  w->length = 0;
}

static int pour_slices(text_slices *slices, int count, locus_context *cx)
{
  for (int k = 0; k < count && !slices->refused; k++) {
    LOCUS_TRY(locus_poll(cx));
    pour(slices, slices->slice[k].writer.bytes, slices->slice[k].writer.length);
  }
  return 0;
}

static void note_row_bytes(text_writer *w, int count, int64_t rows)
{
  int64_t bytes = 0;

  for (int k = 0; k < count; k++) bytes += w->slices->slice[k].writer.length;
  if (rows > 0) w->row_bytes = (double)bytes / (double)rows;
}

static int write_round(text_writer *w, int64_t first, int64_t rows, bool cut, text_progress *done,
                       locus_context *cx)
{
  text_slices *slices = w->slices;

  slices->beside = is_on_disk(slices->file);
  LOCUS_TRY(begin_round(w, first, rows, cut, cx));
  if (slices->file) pour_text(w);
  if (slices->refused) return 0;
  LOCUS_TRY(locus_parallel(write_slices, &slices, locus_cpu_threads(), 1, cx));
  const int count = count_slices(slices, &done->written);
  note_row_bytes(w, count, done->written);
  if (slices->beside) return 0;
  return slices->file ? pour_slices(slices, count, cx) : join(w, count, cut, cx);
}

/* `all`: as many as make a piece; else few, which tell how long rows are. */
static int write_alone(text_writer *w, int64_t first, int64_t rows, bool all, bool cut,
                       text_progress *done, locus_context *cx)
{
  const int64_t before = w->length, most = cut ? PIECE_BYTES : before + PIECE_BYTES;
  const int64_t few = before + least_bytes();

  LOCUS_TRY(locus_write_rows(w, first, rows, all || few > most ? most : few, &done->written, cx));
  if (done->written > 0) w->row_bytes = (double)(w->length - before) / (double)done->written;
  return 0;
}

static int write_some(text_writer *w, int64_t first, int64_t rows, FILE *file, bool cut,
                      text_progress *done, locus_context *cx)
{
  const bool alone = locus_cpu_threads() == 1;

  if (alone || (double)rows * w->row_bytes < 2.0 * (double)least_bytes())
    return write_alone(w, first, rows, alone || w->row_bytes > 0, cut, done, cx);
  if (!w->slices) LOCUS_TRY(make_slices(w, cx));
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
  LOCUS_TRY(write_some(w, first, rows, file, cut, done, cx));
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
