/* SPDX-License-Identifier: MIT */
/* Instantiates TEMPLATE for every width of an element. It then reads
**   WIDTH the number of bytes: 1, 2, 4, 8 or 16
**   U          bits_<WIDTH>
**   FN(name)   name_<WIDTH>
** WIDTHS_OF_NUMBERS leaves 16 out. All of these are undefined again. */
#define U CAT(bits_, WIDTH)
#define FN(name) CAT(CAT(name, _), WIDTH)

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
#ifndef WIDTHS_OF_NUMBERS
#define WIDTH 16
#include TEMPLATE
#undef WIDTH
#endif

#undef WIDTHS_OF_NUMBERS
#undef U
#undef FN
#undef TEMPLATE
