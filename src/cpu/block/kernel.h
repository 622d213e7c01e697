/* SPDX-License-Identifier: MIT */
/* The words that kernel templates are written in. A template is included once per type with ID
** defined as a dtype's id and KIND as its kind; it then reads
**   T, V          the element and the value type
**   LOAD(x)       the value of an element      STORE(v)  the element of a value
**   KIND          one of KIND_BOOL, KIND_INTEGER, KIND_FLOAT, KIND_COMPLEX, for #if
**   FN(name)      name_<id>
*/
#ifndef LOCUS_KERNEL_H
#define LOCUS_KERNEL_H

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "core/element.h"
#include "core/jobs.h"
#include "core/memory.h"
#include "cpu/threads.h"

#define PASTE(a, b) a##b
#define CAT(a, b) PASTE(a, b)

#define T CAT(locus_, ID)
#define V CAT(locus_value_, ID)
#define LOAD(x) CAT(locus_load_, ID)(x)
#define STORE(v) CAT(LOCUS_STORE_, ID)(v)
#define FN(name) CAT(CAT(name, _), ID)

#define KIND_BOOL 0
#define KIND_INTEGER 1
#define KIND_FLOAT 2
#define KIND_COMPLEX 3

/* The kinds as the enum has them: cast.inc and search_key.inc hold the stanzas against it. */
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

/* For templates with constants among their parameters. */
#define ALWAYS_INLINE inline __attribute__((always_inline))

static inline int64_t least(int64_t a, int64_t b)
{
  return a < b ? a : b;
}

#endif
