/* SPDX-License-Identifier: MIT */
/* Runs fuzz/files.lua, with a core that libFuzzer sees into: package.cpath says where it lies. It
** sees lines of Lua, too. The seeds go to the folder FUZZ_SEEDS first. */
#include <lauxlib.h>
#include <lualib.h>

#include "fuzz.h"

static lua_State *L;

/* Counters by line, which libFuzzer reads and clears as it does those of branches. */
enum { COUNTERS = 1 << 15 };
__attribute__((section("__libfuzzer_extra_counters"))) static uint8_t counters[COUNTERS];

static void count_line(lua_State *state, lua_Debug *here)
{
  lua_getinfo(state, "S", here);
  const uintptr_t file = (uintptr_t)here->source >> 3; /* the string is there as long as its code */
  counters[(file * 0x9e3779b1u + (uintptr_t)here->currentline) % COUNTERS]++;
}

/* Called once, before any input is read. */
int LLVMFuzzerInitialize(int *count, char ***words)
{
  (void)count, (void)words;
  L = luaL_newstate();
  luaL_openlibs(L);
  if (luaL_dostring(L, "jit.off()\n" /* compiled code calls no hook */
                       "local files = dofile 'fuzz/files.lua'\n"
                       "files.write_seeds(os.getenv 'FUZZ_SEEDS')\n"
                       "return files.check"))
    fuzz_fail("%s", lua_tostring(L, -1));
  lua_sethook(L, count_line, LUA_MASKLINE, 0);
  return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  lua_pushvalue(L, 1);
  lua_pushlstring(L, (const char *)data, size);
  if (lua_pcall(L, 1, 0, 0)) fuzz_fail("%s", lua_tostring(L, -1));
  return 0;
}
