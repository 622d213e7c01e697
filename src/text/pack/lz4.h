/* SPDX-License-Identifier: MIT */
/* Reading lz4. */
#ifndef LOCUS_TEXT_LZ4_H
#define LOCUS_TEXT_LZ4_H

#include "text/pack/codec.h"

extern const pack_codec locus_lz4_codec;

#endif
