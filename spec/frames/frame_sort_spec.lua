-- SPDX-License-Identifier: MIT
-- f:sort against a sort in plain Lua: random keys with ties, NaN, -0.0, int64 beyond 2^53, strings.
local has_ffi = pcall(require, "ffi")
local locus = require "locus"
local support = require "spec.support"
local before = require("spec.support.text").before

local message = support.message
local nan = support.nan

local random = math.random

-- A column of n elements with many ties, and the same as a list.
local make = {}

function make.float64(n)
  local choices = {nan, -0.0, 0, 1.5, -1.5, locus.inf, -locus.inf, 1e300, -nan}
  local list = {}
  for i = 1, n do list[i] = choices[random(#choices)] end
  return locus.tensor(list), list
end

function make.int64(n)
  local base = has_ffi and support.integer("9007199254740992") or 0
  local least = has_ffi and support.range.int64[1] or -7
  local list = {}
  for i = 1, n do list[i] = random(8) == 1 and least or base + random(4) end
  return locus.tensor(list, {dtype = "int64"}), list
end

function make.string(n)
  local choices = {"", "a", "aa", "b", "A", "\255", "\0", "\0a", "\195\169"}
  local list = {}
  for i = 1, n do list[i] = choices[random(#choices)] end
  return locus.strings(list), list
end

for _, dtype in ipairs {"uint8", "int8", "int16", "int32", "float16", "bfloat16", "float32"} do
  make[dtype] = function(n)
    local list, low = {}, dtype == "uint8" and 0 or -2
    for i = 1, n do list[i] = random(low, 2) end
    local float = dtype:find "float"
    for i = 1, float and n or 0 do
      if random(4) == 1 then list[i] = nan end
    end
    return locus.tensor(list, {dtype = dtype}), list
  end
end

function make.bool(n)
  local list = {}
  for i = 1, n do list[i] = random(2) == 1 end
  return locus.tensor(list), list
end

-- -1, 0 or 1: NaN after all others, whatever the direction.
local function compare(a, b, descending)
  local sign = descending and -1 or 1
  if a ~= a or b ~= b then return (a ~= a and 1 or 0) - (b ~= b and 1 or 0) end
  if type(a) == "boolean" then a, b = a and 1 or 0, b and 1 or 0 end
  if type(a) == "string" then
    return sign * (before(a, b) and -1 or before(b, a) and 1 or 0)
  end
  return sign * (a < b and -1 or b < a and 1 or 0)
end

-- The positions 1..n in the order of those keys: {list, descending}.
local function sorted(n, keys)
  local order = {}
  for i = 1, n do order[i] = i end
  table.sort(order, function(i, j)
    for _, key in ipairs(keys) do
      local c = compare(key[1][i], key[1][j], key[2])
      if c ~= 0 then return c < 0 end
    end
    return i < j
  end)
  return order
end

describe("sort", function()
  it("by one column of any dtype, up and down", function()
    math.randomseed(11)
    for dtype, of in pairs(make) do
      for _, n in ipairs {0, 1, 2, 50, 300} do
        local column, list = of(n)
        local f = locus.frame {{"x", column}, {"row", locus.arange(1, n + 1)}}
        for _, descending in ipairs {false, true} do
          local got = f:sort(descending and "-x" or "x").row:totable()
          assert.same(sorted(n, {{list, descending}}), got, dtype)
        end
      end
    end
  end)

  it("by several columns, the first above all", function()
    math.randomseed(12)
    local names = {"float64", "int64", "string", "uint8", "bool"}
    for _ = 1, 60 do
      local n = random(0, 120)
      local columns, keys, by = {{"row", locus.arange(1, n + 1)}}, {}, {}
      for k = 1, random(2, 4) do
        local column, list = make[names[random(#names)]](n)
        local name, descending = "k" .. k, random(2) == 1
        columns[#columns + 1] = {name, column}
        keys[k], by[k] = {list, descending}, (descending and "-" or "") .. name
      end
      local got = locus.frame(columns):sort(by)
      assert.same(sorted(n, keys), got.row:totable())
      for k, key in ipairs(keys) do
        local column = got:column("k" .. k)
        for i, place in ipairs(got.row:totable()) do
          assert.is_true(support.same_value(key[1][place], column[i]) or key[1][place] == column[i]
            or key[1][place] ~= key[1][place])
        end
      end
    end
  end)

  it("takes names one by one, strided columns, and names that begin with a minus", function()
    local x = locus.tensor {{2, 9}, {1, 8}, {2, 7}}
    local f = locus.frame {{"a", x[{{}, 1}]}, {"b", x[{{}, 2}]}, {"-b", {2, 1, 3}}}
    assert.same({8, 7, 9}, f:select("a", "b"):sort("a", "b").b:totable())
    assert.same({8, 9, 7}, f:select("a", "b"):sort("a", "-b").b:totable())
    assert.same({8, 9, 7}, f:sort("-b").b:totable()) -- the column of that very name
    assert.same({7, 9, 8}, f:sort("--b").b:totable())
    assert.same({2, 1, 2}, f.a:totable()) -- as it was
  end)

  it("sorts by strings whose names are shared with other columns", function()
    local all = locus.strings {"c", "b", "a", "d"}
    local f = locus.frame {{"s", all[locus.tensor {1, 3, 3}:long()]}, {"n", {1, 2, 3}}}
    assert.same({"a", "a", "c"}, f:sort("s").s:totable())
    assert.same({1, 2, 3}, f:sort("-s").n:totable())
  end)

  it("says what it cannot sort by", function()
    local f = locus.frame {{"time", {1}}, {"z", locus.ones(1, {dtype = "complex64"})}}
    local function by(...) return message(f.sort, f, ...) end
    assert.equal("sort: the frame has no column 'tme'; did you mean 'time'?", by "tme")
    assert.equal("sort: the frame has no column 'tme'; did you mean 'time'?", by "-tme")
    assert.equal("sort: 'names' must hold the name of a column", by {})
    assert.equal("sort: 'names' is missing", by())
    assert.equal("sort: 'names[1]' must be a name, got the Lua boolean true; write "
      .. '"-name" for the reverse order', by(true))
    assert.equal("sort: the column 'z' is complex64, and complex numbers have no order", by "z")
  end)
end)
