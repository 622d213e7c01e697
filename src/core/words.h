/* SPDX-License-Identifier: MIT */
/* The families of ops that differ in a word, one enumeration each: the rows of their lists. */
#ifndef LOCUS_WORDS_H
#define LOCUS_WORDS_H

#define BOOL(name, expression)
#define INTEGER(name, expression)
#define FLOAT(name, expression)
#define COMPLEX(name, expression)

typedef enum locus_unary {
#define UNARY(name, computed) LOCUS_UNARY_##name,
#include "core/unary.def"
#undef UNARY
  LOCUS_UNARIES
} locus_unary;

typedef enum locus_binary {
#define BINARY(name, computed) LOCUS_BINARY_##name,
#include "core/binary.def"
#undef BINARY
  LOCUS_BINARIES
} locus_binary;

#undef BOOL
#undef INTEGER
#undef FLOAT
#undef COMPLEX

typedef enum locus_compare {
#define COMPARE(name, relation, swapped) LOCUS_COMPARE_##name,
#include "core/compare.def"
#undef COMPARE
  LOCUS_COMPARES
} locus_compare;

typedef enum locus_reduce {
#define REDUCE(name, result) LOCUS_REDUCE_##name,
#include "core/reduce.def"
#undef REDUCE
  LOCUS_REDUCES
} locus_reduce;

typedef enum locus_scan {
#define SCAN(name, result) LOCUS_SCAN_##name,
#include "core/scan.def"
#undef SCAN
  LOCUS_SCANS
} locus_scan;

typedef enum locus_segment {
#define SEGMENT(name, result) LOCUS_SEGMENT_##name,
#include "core/segment.def"
#undef SEGMENT
  LOCUS_SEGMENTS
} locus_segment;

#endif
