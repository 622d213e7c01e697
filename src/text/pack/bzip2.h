/* SPDX-License-Identifier: MIT */
/* Reading bzip2. */
#ifndef LOCUS_TEXT_BZIP2_H
#define LOCUS_TEXT_BZIP2_H

#include "text/pack/codec.h"

extern const pack_codec locus_bzip2_codec;

#endif
