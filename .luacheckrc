-- SPDX-License-Identifier: MIT
-- luacheck's settings for the whole tree.
std = "luajit"
max_line_length = 100
exclude_files = { "build*/**", "lua_modules/**", "spec/conformance/cases.lua" }
files["spec"] = { std = "+busted" }
files["lua/locus/meta.lua"] = { unused = false }
files["*.rockspec"] = { std = "rockspec" }
