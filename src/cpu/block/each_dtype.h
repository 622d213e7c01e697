/* SPDX-License-Identifier: MIT */
/* Instantiates TEMPLATE for every dtype. */
#define COMPLEX_TOO
#include "cpu/block/each_real.h"
#undef COMPLEX_TOO
