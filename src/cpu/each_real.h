/* SPDX-License-Identifier: MIT */
/* Instantiates TEMPLATE for every dtype that has an order. */
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
#undef TEMPLATE
