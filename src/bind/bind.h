/* SPDX-License-Identifier: MIT */
/* The binding: how Lua sees tensors and ops. The only folder that includes lua.h, the only one
** that raises. A bound function parses its arguments (may raise, owns nothing), anchors its results
** on the Lua stack, calls the op, and returns or raises.
**
** The files of bound functions include this header. The headers below them are listed from the
** ground up, and the order binds: a header, or the file of its name, uses only what stands before
** it here. A header declares what the file of its name defines. */
#ifndef LOCUS_BIND_H
#define LOCUS_BIND_H

#include "bind/ground/state.h"     /* what one Lua state keeps */
#include "bind/ground/spelling.h"  /* how alike two names are */
#include "bind/ground/visible.h"   /* text without control characters */
#include "bind/ground/collect.h"   /* the pace of the collector */
#include "bind/ground/floats.h"    /* calls that compute by IEEE 754 */
#include "bind/ground/raise.h"     /* an error at the caller's line */
#include "bind/ground/interrupt.h" /* Ctrl-C at the prompt */
#include "bind/ground/scope.h"     /* tensors that are made while a call of tidy runs */
#include "bind/ground/handle.h"    /* a tensor's userdata */
#include "bind/ground/scalar.h"    /* Lua values to scalars and back */
#include "bind/ground/describe.h"  /* descriptions of values, in words */
#include "bind/ground/call.h"      /* a call, its parameters and its errors */
#include "bind/ground/surplus.h"   /* surplus values, and the options they were meant for */
#include "bind/ground/unknown.h"   /* names that others have */
#include "bind/ground/args.h"      /* arguments, laid out on the stack */
#include "bind/ground/table.h"     /* Lua tables as lists and as tensors */
#include "bind/ground/read.h"      /* arguments, checked and read by kind */
#include "bind/ground/results.h"   /* the results of functions */
#include "bind/ground/gathered.h"  /* columns that are gathered together */
#include "op/fold.h"
#include "op/op.h"

/* A bound function, and the Lua tables that it is put into: the module, the methods of tensors or
** both, locus.memory, locus.cuda, the methods of streams or of events; and, for locus's own Lua
** files and the specs, core.internal and the one that core.internal.mpi_functions makes. */
typedef struct locus_entry {
  const char *name;
  lua_CFunction function;
  enum {
    LOCUS_FUNCTION = 1,
    LOCUS_METHOD = 2,
    LOCUS_BOTH = 3,
    LOCUS_MEMORY = 4,
    LOCUS_CUDA = 8,
    LOCUS_STREAM = 16,
    LOCUS_EVENT = 32,
    LOCUS_INTERNAL = 64,
    LOCUS_MPI = 128,
  } tables;
} locus_entry;

/* THE list of arrays of entries; each is defined in the file of that name and ends with a NULL
** name. */
#define LOCUS_BIND(ENTRIES) \
  ENTRIES(tensor)           \
  ENTRIES(module)           \
  ENTRIES(declare)          \
  ENTRIES(object)           \
  ENTRIES(tidy)             \
  ENTRIES(reader)           \
  ENTRIES(reading)          \
  ENTRIES(json)             \
  ENTRIES(dictionary)       \
  ENTRIES(texts)            \
  ENTRIES(converting)       \
  ENTRIES(factorize)        \
  ENTRIES(join_rows)        \
  ENTRIES(overlaps)         \
  ENTRIES(builder)          \
  ENTRIES(files)            \
  ENTRIES(folder)           \
  ENTRIES(glob)             \
  ENTRIES(replace)          \
  ENTRIES(name_index)       \
  ENTRIES(terminal)         \
  ENTRIES(pack)             \
  ENTRIES(zip)              \
  ENTRIES(records)          \
  ENTRIES(create)           \
  ENTRIES(convert)          \
  ENTRIES(foreign)          \
  ENTRIES(dlpack)           \
  ENTRIES(arrow)            \
  ENTRIES(elements)         \
  ENTRIES(numbers)          \
  ENTRIES(times)            \
  ENTRIES(zones)            \
  ENTRIES(clock)            \
  ENTRIES(kind)             \
  ENTRIES(memory)           \
  ENTRIES(threads)          \
  ENTRIES(cuda)             \
  ENTRIES(stream)           \
  ENTRIES(event)            \
  ENTRIES(mpi)              \
  ENTRIES(unary)            \
  ENTRIES(binary)           \
  ENTRIES(compare)          \
  ENTRIES(view)             \
  ENTRIES(reshape)          \
  ENTRIES(cat)              \
  ENTRIES(flip)             \
  ENTRIES(tile)             \
  ENTRIES(diff)             \
  ENTRIES(index)            \
  ENTRIES(take)             \
  ENTRIES(along)            \
  ENTRIES(nonzero)          \
  ENTRIES(reduce)           \
  ENTRIES(scan)             \
  ENTRIES(fill)             \
  ENTRIES(sort)             \
  ENTRIES(tied_ranks)       \
  ENTRIES(kth)              \
  ENTRIES(bincount)         \
  ENTRIES(histogram)        \
  ENTRIES(segment)          \
  ENTRIES(window)           \
  ENTRIES(searchsorted)     \
  ENTRIES(search_index)     \
  ENTRIES(asof)             \
  ENTRIES(repeats)          \
  ENTRIES(where)            \
  ENTRIES(small)            \
  ENTRIES(deliver)          \
  ENTRIES(random)           \
  ENTRIES(write)

#define ENTRIES(name) extern const locus_entry locus_bind_##name[];
LOCUS_BIND(ENTRIES)
#undef ENTRIES

/* Called once, when the core is loaded: the environment's settings of memory and threads, which
** hold for the first Lua state. They raise if a setting is wrong. */
void locus_choose_cache(lua_State *L);
void locus_choose_threads(lua_State *L);

#endif
