/* SPDX-License-Identifier: MIT */
/* DLPack, as lua/locus/dlpack.lua uses it. */
#include "core/exchange/dlpack.h"

#include <string.h>

#include "bind/bind.h"

/* dlpack_export(tensor, versioned): the address of a managed tensor. */
#define DLPACK_EXPORT_PARAMS(P) \
  P(input, LOCUS_REQUIRED, Tensor) P(versioned, LOCUS_REQUIRED, boolean)
static int dlpack_export(lua_State *L)
{
  LOCUS_PARAMS(DLPACK_EXPORT_PARAMS, any);
  locus_call call;
  void *made;
  int status;

  locus_call_begin_plain(&call, L, "to_dlpack", params, 2);
  const locus_tensor *tensor = locus_arg_tensor(&call, ARG_input);
  const bool versioned = locus_arg_bool(&call, ARG_versioned, true);
  do status = locus_dlpack_export(tensor, versioned, &made, &call.cx);
  while (locus_call_again(&call, status));
  lua_pushlightuserdata(L, made);
  return 1;
}

/* dlpack_import(pointer, versioned): a tensor of the managed tensor behind a void * cdata, and
** whether its elements are the bits of unsigned integers. */
#define DLPACK_IMPORT_PARAMS(P) \
  P(pointer, LOCUS_REQUIRED, any) P(versioned, LOCUS_REQUIRED, boolean)
static int dlpack_import(lua_State *L)
{
  LOCUS_PARAMS(DLPACK_IMPORT_PARAMS, any);
  locus_call call;
  void *managed;
  bool is_unsigned;
  int status;

  locus_call_begin_plain(&call, L, "from_dlpack", params, 2);
  memcpy(&managed, lua_topointer(L, 1), sizeof managed);
  const bool versioned = locus_arg_bool(&call, ARG_versioned, true);
  if (!managed) locus_call_error(&call, "'pointer' is NULL");
  locus_tensor *out = locus_push_tensor(L);
  do status = locus_dlpack_import(out, managed, versioned, &is_unsigned, &call.cx);
  while (locus_call_again(&call, status));
  locus_guard_shared(out);
  lua_pushboolean(L, is_unsigned);
  return 2;
}

/* dlpack_give_back(tensor): leaves the managed tensor of an import to the caller. */
#define GIVE_BACK_PARAMS(P) P(tensor, LOCUS_REQUIRED, Tensor)
static int give_back(lua_State *L)
{
  LOCUS_PARAMS(GIVE_BACK_PARAMS, any);
  locus_call call;

  locus_call_begin_plain(&call, L, "from_dlpack", params, 1);
  locus_dlpack_give_back(locus_arg_tensor(&call, ARG_tensor));
  return 0;
}

const locus_entry locus_bind_dlpack[] = {
    {"dlpack_export", dlpack_export, LOCUS_INTERNAL},
    {"dlpack_import", dlpack_import, LOCUS_INTERNAL},
    {"dlpack_give_back", give_back, LOCUS_INTERNAL},
    {0},
};
