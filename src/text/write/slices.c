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
** So the file is written beside the rest. The place of a slice takes a later one when it is in the
** file: all stay in the caches. A thread waits only where all places are full. Pipes, terminals and
** functions are the calling thread's: their slices are joined to the writer's text behind the
** round. A worker would not be killed by a pipe that nobody reads any more, since it blocks
** signals.
**
** Invariant: a slice counts where all in front of it have all their rows. One that has not is the
** last of its round: a row did not fit, memory was short, or an id named nothing. The next round
** begins with that row, on one thread, which has no limit, or says what is wrong with it. So the
** text and the error are those of one thread. */
#include "text/write/slices.h"

#include <errno.h>
#include <string.h>
#include <time.h>

#include "core/device.h"
#include "core/memory.h"
#include "core/parallel.h"

enum {
  PER_THREAD = 8,        /* slices */
  TURNS = 64,            /* how often each is written anew in a round, at the utmost */
  SLICE = 1 << 16,       /* bytes of a slice, mostly at the utmost: all stay in a core's cache */
  MOST_ROOM = 4 * SLICE, /* for its text */
  MOST_ROWS = 1 << 15,
  LEAST = 1 << 13,         /* bytes that are worth a slice, */
  LEAST_IN_TESTS = 1 << 6, /* and so few in tests, */
  SLICE_IN_TESTS = 1 << 9, /* which see many rounds */
  WAIT_NS = 20000,
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

int locus_slices_make(text_writer *w, locus_context *cx)
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

int locus_slices_ensure(void **block, int64_t *bytes, int64_t wanted, locus_context *cx)
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

int64_t locus_least_slice(void)
{
  return locus_small_pieces() ? LEAST_IN_TESTS : LEAST;
}

/* The number of rows of a slice, small enough that all threads get slices of few rows, too. */
static int64_t rows_of_slice(const text_writer *w, int64_t rows)
{
  const int64_t all = (int64_t)((double)rows * w->row_bytes);
  const int64_t least = locus_least_slice(), most = locus_small_pieces() ? SLICE_IN_TESTS : SLICE;
  int64_t bytes = all / w->slices->count;

  bytes = bytes < least ? least : bytes > most ? most : bytes;
  const int64_t each = (int64_t)((double)bytes / w->row_bytes);
  return each < 1 ? 1 : each > MOST_ROWS ? MOST_ROWS : each;
}

static int begin_round(text_writer *w, int64_t first, int64_t rows, bool cut, locus_context *cx)
{
  text_slices *slices = w->slices;
  const int64_t each = rows_of_slice(w, rows), needed = (rows - 1) / each + 1;
  const int most = slices->beside ? TURNS * slices->count : slices->count;

  slices->used = needed < most ? (int)needed : most;
  slices->first = first;
  slices->rows = rows;
  slices->each = each;
  if (cut) {
    const int64_t bytes = slices->used * each * (int64_t)sizeof *slices->ends;
    LOCUS_TRY(locus_slices_ensure((void **)&slices->ends, &slices->ends_bytes, bytes, cx));
  }
  for (int k = 0; k < slices->count; k++) {
    text_slice *slice = &slices->slice[k];
    char *const bytes = slice->writer.bytes;
    const int64_t room = slice->writer.room;
    slice->writer = *w;
    slice->writer.bytes = bytes;
    slice->writer.room = room;
    slice->writer.most_room = MOST_ROOM;
    slice->writer.slices = NULL;
    slice->writer.ends = cut ? slices->ends + k * each : NULL;
    atomic_store(&slice->ready, 0);
  }
  atomic_store(&slices->next, 0);
  atomic_store(&slices->turn, 0);
  atomic_store(&slices->over, false);
  slices->rows_taken = slices->bytes_taken = 0;
  return 0;
}

void locus_slices_pour(text_slices *slices, const char *bytes, int64_t length)
{
  if (length == 0) return;
  errno = 0;
  if (fwrite(bytes, 1, (size_t)length, slices->file) == (size_t)length) return;
  slices->reason = errno;
  slices->refused = true;
}

/* The slice whose turn it is; NULL while it is not written, or where there is none. */
static const text_slice *next_in_turn(text_slices *slices)
{
  const int turn = atomic_load(&slices->turn);
  const text_slice *slice = &slices->slice[turn % slices->count];
  return turn < slices->used && atomic_load(&slice->ready) == turn + 1 ? slice : NULL;
}

/* Behind a slice without all its rows there is no turn. */
static bool take_over(text_slices *slices, const text_slice *slice)
{
  const bool is_last = slices->refused || slice->written < slice->rows;

  slices->rows_taken += slice->written;
  slices->bytes_taken += slice->writer.length;
  atomic_store(&slices->turn, is_last ? slices->used : atomic_load(&slices->turn) + 1);
  if (is_last) atomic_store(&slices->over, true);
  return !is_last;
}

/* One thread at a time, which looks again when it has let others pour: a slice may have become
** whole before that, whose thread saw that another one pours. */
static void pour_in_turn(text_slices *slices)
{
  const text_slice *slice;

  while (next_in_turn(slices) && !atomic_flag_test_and_set(&slices->pours)) {
    while ((slice = next_in_turn(slices))) {
      locus_slices_pour(slices, slice->writer.bytes, slice->writer.length);
      if (!take_over(slices, slice)) break;
    }
    atomic_flag_clear(&slices->pours);
  }
}

/* Slice k is written where slice k - count has been taken over, which rarely takes long. */
static int await_place(text_slices *slices, int k, locus_context *cx)
{
  const struct timespec while_others_pour = {0, WAIT_NS};

  while (k - atomic_load(&slices->turn) >= slices->count && !atomic_load(&slices->over)) {
    nanosleep(&while_others_pour, NULL);
    LOCUS_TRY(locus_poll(cx));
  }
  return locus_poll(cx);
}

/* One thread finds the error of a row again. */
static void write_slice(text_slices *slices, int k)
{
  text_slice *slice = &slices->slice[k % slices->count];
  const int64_t begin = k * slices->each, left = slices->rows - begin;
  locus_context alone = {.device = LOCUS_CPU};

  slice->rows = left < slices->each ? left : slices->each;
  slice->writer.length = 0;
  locus_write_rows(&slice->writer, slices->first + begin, slice->rows, INT64_MAX, &slice->written,
                   &alone);
  if (slice->written < slice->rows) atomic_store(&slices->over, true);
  atomic_store(&slice->ready, k + 1);
}

/* Each thread takes slices until there are none. Those that have been taken are written even where
** it is over: they may be in front of the slice that ended it. */
static int write_slices(const void *job, int64_t begin, int64_t end, locus_context *cx)
{
  text_slices *slices = *(text_slices *const *)job;

  (void)begin, (void)end;
  while (!atomic_load(&slices->over)) {
    const int k = atomic_fetch_add(&slices->next, 1);
    if (k >= slices->used) break;
    LOCUS_TRY(await_place(slices, k, cx));
    if (k - atomic_load(&slices->turn) >= slices->count) break;
    write_slice(slices, k);
    if (slices->beside) pour_in_turn(slices);
  }
  return 0;
}

/* Behind the round: how many slices are joined, or poured by this thread. */
static int count_slices(text_slices *slices)
{
  const text_slice *slice;
  int count = 0;

  while ((slice = next_in_turn(slices))) {
    count++;
    if (!take_over(slices, slice)) break;
  }
  return count;
}

int locus_slices_write(text_writer *w, int64_t first, int64_t rows, bool cut, int *count,
                       locus_context *cx)
{
  text_slices *slices = w->slices;

  LOCUS_TRY(begin_round(w, first, rows, cut, cx));
  LOCUS_TRY(locus_parallel(write_slices, &slices, locus_cpu_threads(), 1, cx));
  *count = count_slices(slices);
  return 0;
}
