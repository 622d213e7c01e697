/* SPDX-License-Identifier: MIT */
/* Instantiates TEMPLATE for the dtypes that rows are searched as, the keys of dtype.def. */
#define KIND KIND_INTEGER
#define ID i32
#include TEMPLATE
#undef ID
#define ID i64
#include TEMPLATE
#undef ID
#undef KIND
#define KIND KIND_FLOAT
#define ID f32
#include TEMPLATE
#undef ID
#define ID f64
#include TEMPLATE
#undef ID
#undef KIND
#undef TEMPLATE
