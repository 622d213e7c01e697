/* SPDX-License-Identifier: MIT */
/* Runs fuzz/files.lua, with a core that libFuzzer sees into: package.cpath says where it lies. Its
** seeds go to the folder FUZZ_SEEDS first. */
#include <lauxlib.h>
#include <lualib.h>

#include "fuzz.h"

static lua_State *L;

/* Called once, before any input is read. */
int LLVMFuzzerInitialize(int *count, char ***words)
{
  (void)count, (void)words;
  L = luaL_newstate();
  luaL_openlibs(L);
  if (luaL_dostring(L, "local files = dofile 'fuzz/files.lua'\n"
                       "files.write_seeds(os.getenv 'FUZZ_SEEDS')\n"
                       "return files.check"))
    fuzz_fail("%s", lua_tostring(L, -1));
  return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  lua_pushvalue(L, 1);
  lua_pushlstring(L, (const char *)data, size);
  if (lua_pcall(L, 1, 0, 0)) fuzz_fail("%s", lua_tostring(L, -1));
  return 0;
}
