-- SPDX-License-Identifier: MIT
-- `luajit -llocus.repl`: the prompt. Where no terminal is there to type at, the input is one
-- program, as it is for luajit.
if not rawget(_G, "jit") then error("locus.repl needs LuaJIT, and this is " .. _VERSION, 0) end

os.exit(require "locus.repl.command"({[0] = "luajit -llocus.repl"}), true)
