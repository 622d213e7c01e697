/* SPDX-License-Identifier: MIT */
/* Reading xz. */
#ifndef LOCUS_TEXT_XZ_H
#define LOCUS_TEXT_XZ_H

#include "text/pack/codec.h"

extern const pack_codec locus_xz_codec;

#endif
