/* SPDX-License-Identifier: MIT */
/* Instantiates TEMPLATE for every dtype that has an order; with COMPLEX_TOO for the others also. */
#define ID b8
#include TEMPLATE
#undef ID
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
#ifdef COMPLEX_TOO
#define ID c64
#include TEMPLATE
#undef ID
#define ID c128
#include TEMPLATE
#undef ID
#endif
#undef TEMPLATE
