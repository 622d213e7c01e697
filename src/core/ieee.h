/* SPDX-License-Identifier: MIT */
/* The assumptions of every file: floats as IEEE 754 has them. With options that relax this,
** searches and sorts go wrong about NaN and zeros, and answers differ between instruction sets. */
#ifndef LOCUS_IEEE_H
#define LOCUS_IEEE_H

#if defined __FAST_MATH__ || defined __ASSOCIATIVE_MATH__ || defined __RECIPROCAL_MATH__ ||      \
    defined __NO_SIGNED_ZEROS__ || (defined __FINITE_MATH_ONLY__ && __FINITE_MATH_ONLY__ > 0) || \
    (defined __FLT_EVAL_METHOD__ && __FLT_EVAL_METHOD__ != 0)
#error "locus needs IEEE floats: build without -ffast-math, -Ofast, -mfpmath=387 and options " \
       "like these, or add -fno-fast-math behind them"
#endif

#endif
