-- SPDX-License-Identifier: MIT
-- luacheck's settings for the whole tree.
std = "luajit"
max_line_length = 100
ignore = {"581"} -- `not (x < y)` is not `x >= y` where one of them is NaN, which may be any number
exclude_files = { "build*/**", "lua_modules/**", "spec/conformance/cases.lua" }
-- Specs put functions of their own in the place of io's and os's, and take these back.
files["spec"] = { std = "+busted", ignore = {"122"} }
files["examples/lookup"] = { std = "+ngx_lua" } -- runs in OpenResty
files["lua/locus/meta"] = { unused = false, max_line_length = 140 }
files["lua/locus/meta/functions.lua"] = { max_line_length = false } -- .ci/meta writes it
files["*.rockspec"] = { std = "rockspec" }
