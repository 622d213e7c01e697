/* SPDX-License-Identifier: MIT */
/* Instantiates TEMPLATE for every dtype that has an order. It then reads
**   ID                    the dtype's id
**   T, V                  its element and its value type
**   LOAD(x), STORE(v)     the value of an element, the element of a value
**   KIND                  KIND_BOOL, KIND_INTEGER, KIND_FLOAT or KIND_COMPLEX, for #if
**   FN(name)              name_<id>
** KEYS_ALONE leaves out all dtypes that are no search key, COMPLEX_TOO adds the dtypes without an
** order. All of these are undefined again. A macro cannot include a file, so these stanzas are
** written by hand. Tables made from dtype.def name each instance, and do not compile if a dtype has
** none here, or one of another kind. */
#define T CAT(locus_, ID)
#define V CAT(locus_value_, ID)
#define LOAD(x) CAT(locus_load_, ID)(x)
#define STORE(v) CAT(LOCUS_STORE_, ID)(v)
#define FN(name) CAT(CAT(name, _), ID)

#ifndef KEYS_ALONE
#define KIND KIND_BOOL
#define ID b8
#include TEMPLATE
#undef ID
#undef KIND
#endif

#define KIND KIND_INTEGER
#ifndef KEYS_ALONE
#define ID u8
#include TEMPLATE
#undef ID
#define ID i8
#include TEMPLATE
#undef ID
#define ID i16
#include TEMPLATE
#undef ID
#endif
#define ID i32
#include TEMPLATE
#undef ID
#define ID i64
#include TEMPLATE
#undef ID
#undef KIND

#define KIND KIND_FLOAT
#ifndef KEYS_ALONE
#define ID f16
#include TEMPLATE
#undef ID
#define ID bf16
#include TEMPLATE
#undef ID
#endif
#define ID f32
#include TEMPLATE
#undef ID
#define ID f64
#include TEMPLATE
#undef ID
#undef KIND

#ifdef COMPLEX_TOO
#define KIND KIND_COMPLEX
#define ID c64
#include TEMPLATE
#undef ID
#define ID c128
#include TEMPLATE
#undef ID
#undef KIND
#endif

#undef KEYS_ALONE
#undef COMPLEX_TOO
#undef T
#undef V
#undef LOAD
#undef STORE
#undef FN
#undef TEMPLATE
