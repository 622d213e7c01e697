-- SPDX-License-Identifier: MIT
-- How LuaRocks builds, installs and tests locus; the work is done by CMakeLists.txt.
rockspec_format = "3.0"
package = "locus"
version = "scm-1"
source = { url = "git+file://." } -- the checkout itself; `luarocks make` reads nothing else
description = {
  summary = "Finds things in tensors: searchsorted, nonzero and where for LuaJIT",
  detailed = [[
A Torch7-style tensor module for LuaJIT with a C core. It answers three questions quickly and
exactly: where would this go (searchsorted), where is something (nonzero), which of the two, where
(where), with the tensors, indexing and reductions that a data pipeline around them needs.]],
  license = "MIT",
  labels = { "tensor", "luajit", "search", "numeric" },
}
dependencies = { "lua >= 5.1, < 5.2" }
build = {
  type = "cmake",
  variables = {
    CMAKE_BUILD_TYPE = "Release",
    LUA_INCDIR = "$(LUA_INCDIR)",
    LIBDIR = "$(LIBDIR)",
    LUADIR = "$(LUADIR)",
    LOCUS_CUDA_EMULATOR = "OFF",
  },
}
test = {
  type = "command",
  command = "cmake -S . -B build && cmake --build build --parallel 2 && busted",
}
