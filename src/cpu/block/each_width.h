/* SPDX-License-Identifier: MIT */
/* Instantiates TEMPLATE for every width of an element: WIDTH bytes, of type bits_<WIDTH>. */
#define WIDTH 1
#include TEMPLATE
#undef WIDTH
#define WIDTH 2
#include TEMPLATE
#undef WIDTH
#define WIDTH 4
#include TEMPLATE
#undef WIDTH
#define WIDTH 8
#include TEMPLATE
#undef WIDTH
#define WIDTH 16
#include TEMPLATE
#undef WIDTH
#undef TEMPLATE
