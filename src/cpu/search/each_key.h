/* SPDX-License-Identifier: MIT */
/* Instantiates TEMPLATE for the dtypes that rows are searched as: i32, i64, f32 and f64. It then
** reads, beside the words of each_real.h,
**   KEY_WIDTH the number of bytes of a key
**   W(name)       name_<KEY_WIDTH>: what isa.h has for lanes of that width
**   HIGHEST_KEY   of integers
** All of these are undefined again. */
#define KEY_WIDTH CAT(KEY_WIDTH_OF_, ID)
#define KEY_WIDTH_OF_i32 4
#define KEY_WIDTH_OF_i64 8
#define KEY_WIDTH_OF_f32 4
#define KEY_WIDTH_OF_f64 8
#define W(name) CAT(CAT(name, _), KEY_WIDTH)
#define HIGHEST_KEY CAT(HIGHEST_KEY_, ID)
#define HIGHEST_KEY_i32 INT32_MAX
#define HIGHEST_KEY_i64 INT64_MAX

#define KEYS_ALONE
#include "cpu/block/each_real.h"

#undef KEY_WIDTH
#undef KEY_WIDTH_OF_i32
#undef KEY_WIDTH_OF_i64
#undef KEY_WIDTH_OF_f32
#undef KEY_WIDTH_OF_f64
#undef W
#undef HIGHEST_KEY
#undef HIGHEST_KEY_i32
#undef HIGHEST_KEY_i64
