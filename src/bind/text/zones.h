/* SPDX-License-Identifier: MIT */
/* Arguments that say what becomes of times which clocks show twice or never. */
#ifndef LOCUS_BIND_ZONES_H
#define LOCUS_BIND_ZONES_H

#include "bind/ground/call.h"
#include "text/time/clock.h"

/* The choice that the arguments `ambiguous` and `missing` make. */
clock_choice locus_arg_clock_choice(locus_call *call, int ambiguous, int missing);

#endif
