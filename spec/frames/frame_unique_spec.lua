-- SPDX-License-Identifier: MIT
-- f:unique, and locus.argsort of several keys, against plain Lua.
local locus = require "locus"
local support = require "spec.support"

local message, nan = support.message, support.nan
local long, random = locus.LongTensor, math.random

local function drawn(n, choices)
  local list = {}
  for i = 1, n do list[i] = choices[random(#choices)] end
  return list
end

describe("f:unique", function()
  it("keeps the first of equal rows, in order", function()
    math.randomseed(31)
    for _ = 1, 40 do
      local n = random(0, 60)
      local a, b = drawn(n, {"x", "y", "", "z"}), drawn(n, {1, 2, nan, -0.0, 0})
      local seen, first = {}, {}
      for i = 1, n do
        local text = b[i] ~= b[i] and "nan" or b[i] == 0 and "0" or tostring(b[i])
        local key = a[i] .. "|" .. text
        if not seen[key] then
          seen[key] = true
          first[#first + 1] = i
        end
      end
      local f = locus.frame {{"a", locus.strings(a)}, {"b", locus.tensor(b, {dtype = "float64"})},
                             {"row", locus.arange(1, n + 1):long():int()}}
      assert.same(first, f:unique("a", "b").row:totable())
      assert.same(first, f:unique{"b", "a"}.row:totable())
    end
  end)

  it("keeps columns and kinds, and says what is wrong", function()
    local f = locus.frame {{"t", long{5, 5, 6}, "time"}, {"x", {1, 2, 3}}}
    assert.same({1, 3}, f:unique("t").x:totable())
    assert.equal("time", f:unique("t"):types().t)
    assert.equal("unique: 'names' must hold the name of a column", message(f.unique, f, {}))
    assert.equal("unique: the frame has no column 'u'; it has 't', 'x'", message(f.unique, f, "u"))
  end)
end)

describe("argsort of several keys", function()
  it("sorts by the first one above all, each up or down", function()
    math.randomseed(32)
    for _ = 1, 60 do
      local n = random(0, 80)
      local lists = {drawn(n, {"b", "a", "", "ab"}), drawn(n, {2, 1, 3}), drawn(n, {5, -5})}
      local keys = {locus.strings(lists[1]), locus.tensor(lists[2], {dtype = "float32"}),
                    locus.tensor(lists[3], {dtype = "int64"})}
      local down = {random(2) == 1, random(2) == 1, random(2) == 1}
      local wanted = {}
      for i = 1, n do wanted[i] = i end
      table.sort(wanted, function(i, j)
        for k = 1, 3 do
          local x, y = lists[k][i], lists[k][j]
          if x ~= y then return (x < y) ~= down[k] end
        end
        return i < j
      end)
      support.same(locus.argsort(keys, {descending = down}), {n}, wanted, "int64")
    end
  end)

  it("has a base, strided keys, and one direction for all", function()
    local x = locus.tensor {{2, 9}, {1, 8}, {2, 7}}
    local a, b = x[{{}, 1}], x[{{}, 2}]
    support.same(locus.argsort {a, b}, {3}, {2, 3, 1}, "int64")
    support.same(locus.argsort({a, b}, {descending = true}), {3}, {1, 3, 2}, "int64")
    support.same(locus.argsort({a, b}, {base = 0}), {3}, {1, 2, 0}, "int64")
    support.same(locus.argsort(locus.strings {"b", "a"}), {2}, {2, 1}, "int64")
    support.same(locus.argsort {locus.strings {"b", "a"}}, {2}, {2, 1}, "int64")
    support.same(locus.argsort {{a, b}, descending = true}, {3}, {1, 3, 2}, "int64")
    support.same(locus.argsort {input = a, descending = true}, {3}, {1, 3, 2}, "int64")
  end)

  it("says what is wrong", function()
    local a, b = locus.tensor {1, 2}, locus.tensor {1, 2, 3}
    local function says(text, ...)
      assert.equal("argsort: " .. text, message(locus.argsort, ...))
    end
    says("'keys[2]' must be of size 2, like 'keys[1]', got a float64 tensor of size 3", {a, b})
    says("'keys[3]' must be a 1-D tensor or a string column, got the number 5", {a, a, 5})
    says("'keys[2]' is complex64, and complex numbers have no order",
      {a, a:to("complex64")})
    says("'descending' must be a boolean, or a list of one for each key, got a table",
      {a, a}, {descending = {true}})
  end)
end)
