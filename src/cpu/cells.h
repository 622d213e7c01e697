/* SPDX-License-Identifier: MIT */
/* Makes the cells of core/unary.def and core/binary.def that the template's KIND has into
** LOOP(op, expression), the others into nothing. Included once per dtype. */
#undef BOOL
#undef INTEGER
#undef FLOAT
#undef COMPLEX
#define BOOL(op, expression)
#define INTEGER(op, expression)
#define FLOAT(op, expression)
#define COMPLEX(op, expression)

#if KIND == KIND_BOOL
#undef BOOL
#define BOOL(op, expression) LOOP(op, expression)
#elif KIND == KIND_INTEGER
#undef INTEGER
#define INTEGER(op, expression) LOOP(op, expression)
#elif KIND == KIND_FLOAT
#undef FLOAT
#define FLOAT(op, expression) LOOP(op, expression)
#else
#undef COMPLEX
#define COMPLEX(op, expression) LOOP(op, expression)
#endif
