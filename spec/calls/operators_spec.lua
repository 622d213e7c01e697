-- SPDX-License-Identifier: MIT
-- Operators that Lua 5.1 has not: what LuaJITs from 2026-07 on make of them beside a tensor, as
-- docs/traps.md has it, and the metamethods that LuaJIT 3.0 will call.
local locus = require "locus"
local support = require "spec.support"

local m, n = locus.tensor {true, true, false}, locus.tensor {true, false, false}
local x = support.tensor("int32", {12, -7})

describe("metamethods of bits #once", function()
  local meta = debug.getmetatable(x)

  it("are logical on masks", function()
    support.same(meta.__band(m, n), {3}, {true, false, false}, "bool")
    support.same(meta.__bor(m, n), {3}, {true, true, false}, "bool")
    support.same(meta.__bxor(m, n), {3}, {false, true, false}, "bool")
    support.same(meta.__bnot(m, m), {3}, {false, false, true}, "bool")
  end)

  it("are bit by bit on integers, either side a number", function()
    support.same(meta.__band(x, 10), {2}, {8, 8}, "int32")
    support.same(meta.__band(10, x), {2}, {8, 8}, "int32")
    support.same(meta.__bor(1, x), {2}, {13, -7}, "int32")
    support.same(meta.__bxor(x, x), {2}, {0, 0}, "int32")
    support.same(meta.__bnot(x, x), {2}, {-13, 6}, "int32")
    support.same(meta.__shl(x, 1), {2}, {24, -14}, "int32")
    support.same(meta.__shl(1, x:abs()), {2}, {4096, 128}, "int32")
    support.same(meta.__shr(x, 1), {2}, {6, -4}, "int32")
    support.same(meta.__sar(x, 1), {2}, {6, -4}, "int32")
  end)

  it("refuse floats", function()
    for name, function_name in pairs {__band = "band", __bor = "bor", __bxor = "bxor",
                                      __shl = "lshift", __shr = "rshift"} do
      assert.matches("^" .. function_name .. ": ", support.message(meta[name], 1.5, m:double()))
    end
    assert.matches("^bnot: ", support.message(meta.__bnot, m:double()))
  end)
end)

-- The answer of a line about m, n and x, if LuaJIT parses it; else nil.
local function answer(line)
  local f = loadstring("local m, n, x = ... " .. line)
  if f then return {pcall(f, m, n, x)} end
end

describe("an operator that some LuaJITs have #once", function()
  it("asks objects, or refuses", function()
    local is_new = loadstring "return 1 != 2" ~= nil
    for line, expected in pairs {
      ["return x != 0"] = true, ["return !m"] = false, ["return m && n"] = n,
      ["return m || n"] = m, ["return m ? 1 : 2"] = 1, ["return m ?? n"] = m,
    } do
      assert.same(is_new and {true, expected} or nil, answer(line), line)
    end
  end)

  it("computes and assigns", function()
    local got = answer "local y = x y += 1 return y"
    if not got then return end
    support.same(got[2], {2}, {13, -6}, "int32")
    support.same(x, {2}, {12, -7}, "int32")
  end)

  it("of bits is answered by the tensor, or by nobody", function()
    for line, expected in pairs {
      ["return m & n"] = {true, false, false}, ["return m | n"] = {true, true, false},
      ["return m ~ n"] = {false, true, false}, ["return ~m"] = {false, false, true},
    } do
      local got = answer(line)
      if got and got[1] then support.same(got[2], {3}, expected, "bool") end
      assert(not got or got[1] or got[2]:find("attempt to perform arithmetic", 1, true), line)
    end
  end)
end)
