/* SPDX-License-Identifier: MIT */
/* Instantiates TEMPLATE for every dtype that has an order; with COMPLEX_TOO for the others also. No
** macro can include, so these stanzas are by hand: tables made from dtype.def name each instance,
** and do not compile when a dtype has none here, or one of another kind. */
#define KIND KIND_BOOL
#define ID b8
#include TEMPLATE
#undef ID
#undef KIND
#define KIND KIND_INTEGER
#define ID u8
#include TEMPLATE
#undef ID
#define ID i8
#include TEMPLATE
#undef ID
#define ID i16
#include TEMPLATE
#undef ID
#define ID i32
#include TEMPLATE
#undef ID
#define ID i64
#include TEMPLATE
#undef ID
#undef KIND
#define KIND KIND_FLOAT
#define ID f16
#include TEMPLATE
#undef ID
#define ID bf16
#include TEMPLATE
#undef ID
#define ID f32
#include TEMPLATE
#undef ID
#define ID f64
#include TEMPLATE
#undef ID
#undef KIND
#ifdef COMPLEX_TOO
#define KIND KIND_COMPLEX
#define ID c64
#include TEMPLATE
#undef ID
#define ID c128
#include TEMPLATE
#undef ID
#undef KIND
#endif
#undef TEMPLATE
