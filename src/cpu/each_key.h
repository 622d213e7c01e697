/* SPDX-License-Identifier: MIT */
/* Instantiates TEMPLATE for the dtypes that rows are searched as; search_row.h says which for
** which. */
#define ID i32
#include TEMPLATE
#undef ID
#define ID i64
#include TEMPLATE
#undef ID
#define ID f32
#include TEMPLATE
#undef ID
#define ID f64
#include TEMPLATE
#undef ID
#undef TEMPLATE
