/* SPDX-License-Identifier: MIT */
/* The conversions of runs: from every dtype to every dtype. */
#include "cpu/block/block.h"
#include "cpu/isa/isa.h"

#define TEMPLATE "cpu/block/cast.inc"
#include "cpu/block/each_dtype.h"

/* casts[from][to] */
static cast_run *const *const casts[LOCUS_DTYPES] = {
#define DTYPE(id, element, value, kind, name) casts_from_##id,
#include "core/dtype.def"
};

cast_run *ISA(cast_of)(locus_dtype from, locus_dtype to)
{
  if (from == LOCUS_f16 && to == LOCUS_f32) return widen_f16;
  if (from == LOCUS_f32 && to == LOCUS_f16) return narrow_f16;
  return casts[from][to];
}
