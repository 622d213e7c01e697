/* SPDX-License-Identifier: MIT */
/* Compression of a text by gzip or zstd, piece after piece, by libraries of the system. */
#ifndef LOCUS_TEXT_PACKER_H
#define LOCUS_TEXT_PACKER_H

#include "text/pack/codec.h"

/* All 0 before it begins. */
typedef struct text_packer {
  pack_stream stream;
  const struct packing *packing;
} text_packer;

/* Whether there is such a form, and its greatest level. */
bool locus_packing_find(const char *form, int *most);
/* Begins at a level from 1 on; 0: the form's own. A failure leaves it as it was. */
int locus_packer_begin(text_packer *packer, const char *form, int level, locus_context *cx);
void locus_packer_end(text_packer *packer); /* one that has not begun is fine */
/* Takes bytes and gives bytes. PACK_GOING: the room or the bytes are used up. With `last` it goes
** on until PACK_ENDED. */
int locus_pack(text_packer *packer, pack_bytes *bytes, bool last, pack_status *status,
               locus_context *cx);

#endif
