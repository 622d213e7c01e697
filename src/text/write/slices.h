/* SPDX-License-Identifier: MIT */
/* The slices of rows that threads write side by side: slices.c says how. */
#ifndef LOCUS_TEXT_SLICES_H
#define LOCUS_TEXT_SLICES_H

#include <stdatomic.h>
#include <stdio.h>

#include "text/write/write.h"

typedef struct text_slice {
  text_writer writer; /* a copy, with a text of its own */
  int64_t rows;       /* to be written */
  int64_t written;    /* how many of them are in the text */
  int64_t place;      /* of the text in the writer's */
  atomic_int ready;   /* the number of the slice that is in it, counted from 1; 0: none */
} text_slice;

struct text_slices {
  int64_t bytes; /* of this block */
  int count;     /* of the places below: slice k of a round is in place k % count */
  /* The round. */
  int used;
  int64_t first, rows, each; /* rows of all slices; of a slice */
  atomic_int next;           /* the first that nobody has taken */
  atomic_int turn; /* the first that is not taken over; changed by the thread that pours */
  atomic_flag pours;
  atomic_bool over; /* no more slices are worth taking, or taking over behind the turn */
  int64_t rows_taken, bytes_taken; /* over, of those in front of the turn */
  FILE *file;                      /* NULL: the slices are joined */
  bool beside;                     /* it is written to beside the rest */
  bool refused;                    /* by the file */
  int reason;

  int32_t *ends; /* of rows, in the texts of their slices */
  int64_t ends_bytes;
  int64_t *cut; /* where pieces of the writer's text end: `cuts` of them, up to cut_at handed on */
  int64_t cut_bytes;
  int cuts, cut_at;
  text_slice slice[];
};

int locus_slices_make(text_writer *writer, locus_context *cx);
void locus_slices_free(text_writer *writer); /* before the writer is ended */

/* How few bytes of rows are worth a slice. */
int64_t locus_least_slice(void);
/* Another block where this one is smaller than `wanted` bytes. */
int locus_slices_ensure(void **block, int64_t *bytes, int64_t wanted, locus_context *cx);

/* Writes a round of slices of those rows. They are poured if `beside` says so, and `rows_taken`
** counts them; else *count is the number of those that count. `cut`: the ends of rows are noted. */
int locus_slices_write(text_writer *writer, int64_t first, int64_t rows, bool cut, int *count,
                       locus_context *cx);
/* Writes the bytes to the file; `refused` and `reason` say if that failed. */
void locus_slices_pour(text_slices *slices, const char *bytes, int64_t length);

#endif
