/* SPDX-License-Identifier: MIT */
/* The functions by which lua/locus/write compresses text. */
#include "text/pack/packer.h"

#include <lauxlib.h>
#include <string.h>

#include "bind/bind.h"

#define PACK_PARAMS(P) \
  P(packer, LOCUS_REQUIRED, any) P(text, LOCUS_REQUIRED, any) P(last, LOCUS_OPTIONAL, any)
static const locus_param params[] = {PACK_PARAMS(LOCUS_PARAM){0}};

#define PACKER "locus.packer"

static int end_packer(lua_State *L)
{
  locus_packer_end(luaL_checkudata(L, 1, PACKER));
  return 0;
}

/* packer(form, level): one that compresses text by "gzip" or "zstd"; without a level by the form's
** own. */
static int new_packer(lua_State *L)
{
  locus_call call;
  int status;

  locus_call_begin_plain(&call, L, "write_csv", params, 2);
  const char *form = luaL_checkstring(L, 1);
  const int level = (int)luaL_optinteger(L, 2, 0);
  text_packer *packer = lua_newuserdata(L, sizeof *packer);
  memset(packer, 0, sizeof *packer);
  if (luaL_newmetatable(L, PACKER)) {
    lua_pushcfunction(L, end_packer);
    lua_setfield(L, -2, "__gc");
  }
  lua_setmetatable(L, -2);
  do status = locus_packer_begin(packer, form, level, &call.cx);
  while (locus_call_again(&call, status));
  return 1;
}

/* packing(form): its greatest level, nil if there is no such form. */
static int packing_level(lua_State *L)
{
  int most;

  if (locus_packing_find(luaL_checkstring(L, 1), &most)) lua_pushinteger(L, most);
  else lua_pushnil(L);
  return 1;
}

/* pack(packer, text, last): the compressed bytes that are ready, which may be none; with `last` all
** that are left, and the packer ends. */
static int pack(lua_State *L)
{
  enum { ROOM = 1 << 14 };
  text_packer *packer = luaL_checkudata(L, 1, PACKER);
  const bool last = lua_toboolean(L, 3);
  pack_bytes bytes = {.room = 0};
  pack_status status = PACK_GOING;
  char room[ROOM];
  locus_call call;
  luaL_Buffer out;

  locus_call_begin_plain(&call, L, "write_csv", params, 3);
  bytes.in = luaL_checklstring(L, 2, &bytes.left);
  luaL_buffinit(L, &out);
  do {
    bytes.out = room;
    bytes.room = ROOM;
    if (locus_pack(packer, &bytes, last, &status, &call.cx)) locus_call_again(&call, -1);
    luaL_addlstring(&out, room, ROOM - bytes.room);
  } while (status == PACK_GOING && (last || bytes.left > 0 || bytes.room == 0));
  luaL_pushresult(&out);
  if (last) locus_packer_end(packer);
  return 1;
}

const locus_entry locus_bind_pack[] = {
    {"packing", packing_level, LOCUS_INTERNAL},
    {"packer", new_packer, LOCUS_INTERNAL},
    {"end_packer", end_packer, LOCUS_INTERNAL},
    {"pack", pack, LOCUS_INTERNAL},
    {0},
};
