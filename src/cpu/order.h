/* SPDX-License-Identifier: MIT */
/* The one order of real values: before_<dtype>(a, b), for every dtype that has one. */
#ifndef LOCUS_ORDER_H
#define LOCUS_ORDER_H

#include "cpu/kernel.h"

#define TEMPLATE "cpu/order.inc"
#include "cpu/each_real.h"

#endif
