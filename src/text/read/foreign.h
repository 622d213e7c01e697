/* SPDX-License-Identifier: MIT */
/* Files that are no text, told by their first bytes: what they are, and how they are read. */
#ifndef LOCUS_TEXT_FOREIGN_H
#define LOCUS_TEXT_FOREIGN_H

#include <stdbool.h>
#include <stdint.h>

#include "core/ieee.h"

/* "is Parquet; ...", what a file is that begins so, or NULL; `undecided` is whether more bytes may
** tell, which come unless it has ended. */
const char *locus_foreign(const char *bytes, int64_t count, bool ended, bool *undecided);

/* A test that is quick and mostly enough: bit i of places[byte] is set where the byte may be byte i
** of such a file, as far as each byte tells by itself. */
enum { FOREIGN_FIRST = 3 };
void locus_foreign_begin(uint8_t places[256]);

#endif
