/* SPDX-License-Identifier: MIT */
/* The range of keys. */
#ifndef LOCUS_TEXT_KEY_RANGE_H
#define LOCUS_TEXT_KEY_RANGE_H

#include "core/error.h"
#include "text/names/keys.h"

/* Whether the keys lie so close together that direct addressing takes no more memory than slots
** would; then the least key, and how many keys there can be from it on. */
int locus_key_range(const key_source *source, uint64_t *first, uint64_t *range, bool *narrow,
                    locus_context *cx);

#endif
