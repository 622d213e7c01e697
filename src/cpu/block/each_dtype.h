/* SPDX-License-Identifier: MIT */
/* Instantiates TEMPLATE for every dtype, with the words of each_real.h. */
#define COMPLEX_TOO
#include "cpu/block/each_real.h"
