/* SPDX-License-Identifier: MIT */
/* How values become keys. */
#include "core/number/exact.h"
#include "cpu/search/search.h"

#define TEMPLATE "cpu/search/key.inc"
#include "cpu/search/each_key.h"

#define FUNCTIONS_OF_FLOATS(id)                                                                   \
  {                                                                                               \
    keys_from_f64_##id, keys_from_i64_##id, keyless_f64_##id, keyless_i64_##id, keyless_own_##id, \
        any_nan_##id                                                                              \
  }
#define FUNCTIONS_OF_INTEGERS(id)                                                          \
  {                                                                                        \
    keys_from_f64_##id, keys_from_i64_##id, keyless_f64_##id, keyless_i64_##id, NULL, NULL \
  }

const key_functions ISA(key_functions)[LOCUS_DTYPES] = {
    [LOCUS_i32] = FUNCTIONS_OF_INTEGERS(i32),
    [LOCUS_i64] = FUNCTIONS_OF_INTEGERS(i64),
    [LOCUS_f32] = FUNCTIONS_OF_FLOATS(f32),
    [LOCUS_f64] = FUNCTIONS_OF_FLOATS(f64),
};
