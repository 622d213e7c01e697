-- SPDX-License-Identifier: MIT
-- luacheck's settings for the whole tree.
std = "luajit"
max_line_length = 100
exclude_files = { "build*/**", "lua_modules/**", "spec/conformance/cases.lua" }
files["spec"] = { std = "+busted" }
files["lua/locus/meta.lua"] = { unused = false, max_line_length = 140 }
files["lua/locus/*/meta.lua"] = { max_line_length = 140 }
files["lua/locus/meta"] = { max_line_length = 140 }
files["*.rockspec"] = { std = "rockspec" }
