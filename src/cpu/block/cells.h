/* SPDX-License-Identifier: MIT */
/* Makes the cells of core/unary.def and core/binary.def that the template's KIND has into
** LOOP(op, expression), the others into nothing. The template undefines them at its end. */
#if KIND == KIND_BOOL
#define BOOL(op, expression) LOOP(op, expression)
#else
#define BOOL(op, expression)
#endif
#if KIND == KIND_INTEGER
#define INTEGER(op, expression) LOOP(op, expression)
#else
#define INTEGER(op, expression)
#endif
#if KIND == KIND_FLOAT
#define FLOAT(op, expression) LOOP(op, expression)
#else
#define FLOAT(op, expression)
#endif
#if KIND == KIND_COMPLEX
#define COMPLEX(op, expression) LOOP(op, expression)
#else
#define COMPLEX(op, expression)
#endif
