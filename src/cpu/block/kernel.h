/* SPDX-License-Identifier: MIT */
/* The beginning of every file that is built once per instruction set: the names that differ per
** set, and the runners of the set. The words of templates are those of each_real.h and
** each_width.h. */
#ifndef LOCUS_KERNEL_H
#define LOCUS_KERNEL_H

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "core/number/element.h"
#include "core/jobs.h"
#include "core/memory.h"
#include "core/parallel.h"

#define PASTE(a, b) a##b
#define CAT(a, b) PASTE(a, b)

/* The linker's name of `name` in this instruction set, for every name that crosses files. */
#define ISA(name) CAT(CAT(locus_, LOCUS_ISA_ID), CAT(_, name))

/* For each runner: int ISA(where)(const locus_where_job *job, locus_context *cx);
** No other module defines them, so the linker names a missing one. */
#define JOB(runner, type)                                                              \
  __attribute__((visibility("hidden"))) int ISA(runner)(const locus_##type##_job *job, \
                                                        locus_context *cx);
LOCUS_JOBS(JOB)
LOCUS_CPU_JOBS(JOB)
#undef JOB

/* For KIND in templates: the kind of a dtype, as a number that #if can compare. */
#define KIND_BOOL 0
#define KIND_INTEGER 1
#define KIND_FLOAT 2
#define KIND_COMPLEX 3

/* The kinds as the enum has them: cast.inc and key.inc hold the stanzas against it. */
enum {
#define DTYPE(id, element, value, kind, name) kind_of_##id = LOCUS_##kind,
#include "core/dtype.def"
};
#define CHECK_KIND() _Static_assert(KIND == (int)FN(kind_of), "dtype.def gives another kind")

/* An unsigned integer as wide as an element of `width` bytes. */
typedef uint8_t bits_1;
typedef uint16_t bits_2;
typedef uint32_t bits_4;
typedef uint64_t bits_8;
typedef struct bits_16 {
  uint64_t low, high;
} bits_16;

/* A table of name_<width>, to be indexed by width_index(width). */
#define BY_WIDTH(name)                                \
  {                                                   \
    name##_1, name##_2, name##_4, name##_8, name##_16 \
  }
enum { WIDTHS = 5 };

static inline int width_index(int64_t width)
{
  return __builtin_ctzll((uint64_t)width);
}

/* For templates with constants among their parameters. Without optimisation nothing is gained by
** copying them, and they would take most of the compiler's time. */
#ifdef __OPTIMIZE__
#define ALWAYS_INLINE inline __attribute__((always_inline))
#else
#define ALWAYS_INLINE inline
#endif

/* INDEPENDENT marks a loop in which no element is read after another one is written, so that it may
** be vectorised. UNROLL marks one with a constant number of turns, at most 32, whose arrays should
** be registers; clang unrolls it by itself. */
#ifdef __clang__
#define INDEPENDENT _Pragma("clang loop vectorize(assume_safety)")
#define UNROLL
#else
#define INDEPENDENT _Pragma("GCC ivdep")
#define UNROLL _Pragma("GCC unroll 32")
#endif

static inline int64_t least(int64_t a, int64_t b)
{
  return a < b ? a : b;
}

/* The number of elements of `item` bytes between `place` and the next line of 64 bytes. */
static inline int64_t before_line(const void *place, int64_t item)
{
  return (int64_t)(-(uintptr_t)place % 64) / item;
}

#endif
