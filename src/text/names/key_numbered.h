/* SPDX-License-Identifier: MIT */
/* Ids that are numbers in the order of first appearance already, as a reader's ids of strings. */
#ifndef LOCUS_TEXT_KEY_NUMBERED_H
#define LOCUS_TEXT_KEY_NUMBERED_H

#include "core/tensor.h"

/* Whether the keys are so, which `numbered` says: then ids are the same, and firsts, an int64
** tensor without elements that grows, gets the first row of each, counted from 1. Else both may
** hold anything. */
int locus_keys_are_numbered(const int32_t *keys, int64_t count, int32_t *ids, locus_tensor *firsts,
                            bool *numbered, locus_context *cx);

#endif
