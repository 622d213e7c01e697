/* SPDX-License-Identifier: MIT */
/* Numbers by width that can be compared as bits: core/number/equality.h. */
#ifndef LOCUS_EQUAL_H
#define LOCUS_EQUAL_H

#include "core/number/equality.h"
#include "cpu/block/kernel.h"

#define WIDTHS_OF_NUMBERS
#define TEMPLATE "cpu/block/equal.inc"
#include "cpu/block/each_width.h"

#endif
