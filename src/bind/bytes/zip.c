/* SPDX-License-Identifier: MIT */
/* Entries of ZIP archives, and checksums: lua/locus/files/zip.lua knows where an entry lies. */
#include "text/zip/zip.h"

#include <lauxlib.h>
#include <lualib.h>

#include "bind/bind.h"
#include "text/zip/crc.h"

#define ZIP "locus.zip"

enum { PIECE = 1 << 24 }; /* bytes between looks at Ctrl-C */

/* `rest` is the tensor to fill, or a checksum. */
#define ENTRY_PARAMS(P)         \
  P(entry, LOCUS_REQUIRED, any) \
  P(file, LOCUS_REQUIRED, any)  \
  P(rest, LOCUS_REQUIRED, any)
LOCUS_FILE_PLACES(ENTRY_PARAMS);
static const locus_param entry_params[] = {ENTRY_PARAMS(LOCUS_PARAM){0}};

static int free_zip(lua_State *L)
{
  locus_zip_free(lua_touserdata(L, 1));
  return 0;
}

/* zip_entry(packed, deflated): an entry that takes `packed` bytes, to be read from its first
** one. */
#define ZIP_ENTRY_PARAMS(P) P(packed, LOCUS_REQUIRED, integer) P(deflated, LOCUS_REQUIRED, boolean)
static int zip_entry(lua_State *L)
{
  LOCUS_PARAMS(ZIP_ENTRY_PARAMS, any);
  locus_call call;
  int status;

  locus_call_begin_plain(&call, L, "load", params, 2);
  const int64_t packed = locus_arg_int(&call, ARG_packed, 0);
  const bool deflated = locus_arg_bool(&call, ARG_deflated, false);
  text_zip *zip = lua_newuserdata(L, sizeof *zip);
  *zip = (text_zip){0};
  if (luaL_newmetatable(L, ZIP)) {
    lua_pushcfunction(L, free_zip);
    lua_setfield(L, -2, "__gc");
    lua_pushliteral(L, "zip");
    lua_setfield(L, -2, "__metatable");
  }
  lua_setmetatable(L, -2);
  do status = locus_zip_begin(zip, packed, deflated, &call.cx);
  while (locus_call_again(&call, status));
  return 1;
}

/* Pushes the archive's error; raises all others, at the second time at the latest. */
static void push_wrong(locus_call *call)
{
  while (call->cx.error.code != LOCUS_BAD_CALL) locus_call_again(call, -1);
  lua_pushstring(call->L, call->cx.error.message);
}

/* zip_read(entry, file, tensor): reads all bytes of a tensor in C order on the CPU. Gives their
** number, and the error if there is one. */
static int zip_read(lua_State *L)
{
  text_zip *zip = luaL_checkudata(L, AT_entry + 1, ZIP);
  FILE *file = *(FILE **)luaL_checkudata(L, AT_file + 1, LUA_FILEHANDLE);
  locus_call call;
  int64_t done = 0, got;
  int status = 0;

  locus_call_begin_plain(&call, L, "load", entry_params, 3);
  const locus_tensor *tensor = locus_arg_tensor(&call, AT_rest);
  const int64_t bytes = tensor->numel * locus_dtype_size(tensor->dtype);
  while (done < bytes) {
    const int64_t piece = bytes - done < PIECE ? bytes - done : PIECE;
    status = locus_zip_read(zip, file, tensor->data + done, piece, &got, &call.cx);
    done += got;
    if (status || got < piece) break;
    locus_call_poll(&call);
  }
  lua_pushnumber(L, (lua_Number)done);
  if (!status) return 1;
  push_wrong(&call);
  return 2;
}

/* zip_finish(entry, file, crc): ends the entry; the error of the whole, or nil. */
static int zip_finish(lua_State *L)
{
  text_zip *zip = luaL_checkudata(L, AT_entry + 1, ZIP);
  FILE *file = *(FILE **)luaL_checkudata(L, AT_file + 1, LUA_FILEHANDLE);
  locus_call call;

  locus_call_begin_plain(&call, L, "load", entry_params, 3);
  const uint32_t crc = (uint32_t)locus_arg_int(&call, AT_rest, 0);
  const int status = locus_zip_finish(zip, file, crc, &call.cx);
  if (status) push_wrong(&call);
  locus_zip_free(zip);
  return status ? 1 : 0;
}

/* crc32(data, crc): the checksum of a string, or of the bytes of a tensor in C order on the CPU,
** behind others whose checksum is `crc`. */
#define CRC32_PARAMS(P) P(data, LOCUS_REQUIRED, Tensor) P(crc, LOCUS_REQUIRED, integer)
static int crc32(lua_State *L)
{
  LOCUS_PARAMS(CRC32_PARAMS, any);
  locus_call call;
  size_t length;

  locus_call_begin_plain(&call, L, "savez", params, 2);
  const char *bytes = lua_tolstring(L, 1, &length);
  int64_t left = (int64_t)length;
  if (!bytes) {
    const locus_tensor *tensor = locus_arg_tensor(&call, ARG_data);
    bytes = tensor->data;
    left = tensor->numel * locus_dtype_size(tensor->dtype);
  }
  uint32_t crc = (uint32_t)locus_arg_int(&call, ARG_crc, 0);
  for (; left > 0; left -= PIECE, bytes += PIECE) {
    const int64_t piece = left < PIECE ? left : PIECE;
    if (locus_crc32_shared(&crc, bytes, piece, &call.cx)) locus_call_again(&call, -1);
    locus_call_poll(&call);
  }
  lua_pushnumber(L, crc);
  return 1;
}

const locus_entry locus_bind_zip[] = {
    {"zip_entry", zip_entry, LOCUS_INTERNAL},
    {"zip_read", zip_read, LOCUS_INTERNAL},
    {"zip_finish", zip_finish, LOCUS_INTERNAL},
    {"crc32", crc32, LOCUS_INTERNAL},
    {0},
};
