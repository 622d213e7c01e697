-- SPDX-License-Identifier: MIT
-- How LuaRocks builds, installs and tests locus; the work is done by CMakeLists.txt.
rockspec_format = "3.0"
package = "locus"
version = "0.1.0-1"
-- Where packing finds the sources; `luarocks make` takes the checkout as it is.
source = { url = "git+file://.", tag = "v" .. version:match("^[%d.]+") }
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
-- LuaRocks' own way with CMake builds on one core. A variable that nobody gave is empty.
build = {
  type = "command",
  build_command = [[
    $(CMAKE) -S . -B build.luarocks -DCMAKE_BUILD_TYPE=Release -DLOCUS_CUDA_EMULATOR=OFF \
      -DLOCUS_CUDA="$(LOCUS_CUDA)" -DLOCUS_MPI="$(LOCUS_MPI)" -DLUA_INCDIR="$(LUA_INCDIR)" -DLIBDIR="$(LIBDIR)" \
      -DLUADIR="$(LUADIR)" -DBINDIR="$(BINDIR)" -DDOCDIR="$(PREFIX)/doc" &&
    $(CMAKE) --build build.luarocks --parallel \
      "${CMAKE_BUILD_PARALLEL_LEVEL:-$(getconf _NPROCESSORS_ONLN)}"]],
  install_command = "$(CMAKE) --install build.luarocks",
}
test = {
  type = "command",
  command = "cmake -S . -B build && cmake --build build --parallel 2 && busted",
}
