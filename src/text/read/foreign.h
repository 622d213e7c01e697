/* SPDX-License-Identifier: MIT */
/* Recognises files that are no text by their first bytes, and says how to read them. */
#ifndef LOCUS_TEXT_FOREIGN_H
#define LOCUS_TEXT_FOREIGN_H

#include <stdbool.h>
#include <stdint.h>

#include "core/ieee.h"

/* "is Parquet; ...", the format of a file that begins so, or NULL. `undecided` says whether more
** bytes may decide it. */
const char *locus_foreign(const char *bytes, int64_t count, bool ended, bool *undecided);

/* A test that is quick and mostly enough: bit i of places[byte] is set where the byte may be byte i
** of such a file, as far as each byte tells by itself. */
enum { FOREIGN_FIRST = 3 };
void locus_foreign_begin(uint8_t places[256]);

#endif
