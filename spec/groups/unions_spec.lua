-- SPDX-License-Identifier: MIT
-- intersect, union, setdiff, setxor and rle, against Lua tables at random; what two dtypes have in
-- common, and what they refuse.
local locus = require "locus"
local numbering = require "spec.support.models.numbering"
local oracle = require "spec.support.models.oracle"
local support = require "spec.support"

local random, same = math.random, support.same

local function raises(message, f, ...)
  assert.equal(message, support.message(f, ...))
end

-- The different elements of lists, in order of first appearance, and which of them stand in each.
local function different(...)
  local found, list = {}, {}
  for k, elements in ipairs {...} do
    for _, v in ipairs(elements) do
      local key = numbering.key(v)
      if not found[key] then
        found[key] = {value = v}
        list[#list + 1] = found[key]
      end
      found[key][k] = true
    end
  end
  return list
end

-- Those that `keep` answers true for, in order where `sorted`.
local function kept(list, keep, sorted)
  local values = {}
  for _, entry in ipairs(list) do
    if keep(entry) then values[#values + 1] = entry.value end
  end
  if sorted then table.sort(values, oracle.before) end
  return values
end

local NAMES = {
  intersect = function(entry) return entry[1] and entry[2] end,
  union = function() return true end,
  setdiff = function(entry) return entry[1] and not entry[2] end,
  setxor = function(entry) return not (entry[1] and entry[2]) end,
}

local function keys(list)
  local found = {}
  for i, v in ipairs(list) do found[i] = numbering.key(v) end
  return found
end

-- Zeros are of either sign, and NaN of any.
local function check(got, want, dtype)
  assert.equal(dtype, got.dtype)
  assert.same({#want}, support.shape(got))
  assert.same(keys(want), keys(support.values(got)))
end

local function laid(dtype, list)
  return support.laid(support.tensor(dtype, list), support.layouts[random(#support.layouts)])
end

local function first_places(values, list)
  local places = {}
  for i, v in ipairs(values) do
    for j = #list, 1, -1 do
      if numbering.key(list[j]) == numbering.key(v) then places[i] = j end
    end
  end
  return places
end

describe("intersect, union, setdiff and setxor", function()
  it("are those of sets, in every dtype, sorted or as they come", function()
    math.randomseed(172)
    for _, dtype in ipairs(support.sample(support.dtypes, 5)) do
      local complex = support.types[dtype].kind == "COMPLEX"
      for _, n in ipairs {0, 1, 7, 200} do
        local x = laid(dtype, numbering.random(dtype, n, n == 7))
        local y = laid(dtype, numbering.random(dtype, random(0, n + 3)))
        local list = different(support.values(x), support.values(y))
        for name, keep in pairs(NAMES) do
          check(x[name](x, y, {sorted = false}), kept(list, keep, false), dtype)
          if not complex then check(x[name](x, y), kept(list, keep, true), dtype) end
        end
      end
    end
  end)

  it("keep the order of first appearance unless sorted", function()
    local x, y = locus.tensor{3, 1, 3, 2}, locus.tensor{9, 2, 3, 9, 8}
    same(x:intersect(y, {sorted = false}), {2}, {3, 2})
    same(x:union(y, {sorted = false}), {5}, {3, 1, 2, 9, 8})
    same(y:setdiff(x, {sorted = false}), {2}, {9, 8})
    same(x:setxor(y, {sorted = false}), {3}, {1, 9, 8})
    local z = locus.zeros(2, {dtype = "complex64"})
    same(z:union(z, {sorted = false}), {1}, {support.complex(0, 0)}, "complex64")
  end)

  it("tell where common elements first stand in both", function()
    math.randomseed(173)
    for _, dtype in ipairs(support.ordered) do
      local x = laid(dtype, numbering.random(dtype, 90, true))
      local y = laid(dtype, numbering.random(dtype, 90))
      for _, sorted in ipairs {true, false} do
        local values, in_x, in_y = x:intersect(y, {return_indices = true, sorted = sorted})
        local list = support.values(values)
        same(in_x, {#list}, first_places(list, support.values(x)), "int64")
        same(in_y, {#list}, first_places(list, support.values(y)), "int64")
        local _, a, b = x:intersect(y, {return_indices = true, sorted = sorted, base = 0})
        assert.is_true(a:equal(in_x - 1) and b:equal(in_y - 1))
      end
    end
    local _, a, b = locus.intersect({{5, 6}, {7, 6}}, {{6}, {7}}, {return_indices = true})
    same(a, {2}, {2, 3}, "int64")
    same(b, {2}, {1, 2}, "int64")
    assert.equal(1, select("#", locus.intersect({1}, {2})))
  end)

  it("compare two dtypes exactly", function()
    local big = support.integer("9007199254740993")
    local long = support.tensor("int64", {big, big - 1, 5, support.range.int64[1]})
    local double = support.tensor("float64", {2 ^ 53, 5, 5.5, -2 ^ 63, support.nan})
    same(long:intersect(double), {3}, {-2 ^ 63, 5, 2 ^ 53}, "float64")
    same(long:setdiff(double), {1}, {big}, "int64")
    same(double:setdiff(long), {2}, {5.5, support.nan}, "float64")
    same(long:setxor(long[{ {2, 4} }]), {1}, {big}, "int64")
    same(long:union(long), {4}, {support.range.int64[1], 5, big - 1, big}, "int64")
    local bytes, chars = support.tensor("uint8", {200, 3}), support.tensor("int8", {-56, 3})
    same(bytes:intersect(chars), {1}, {3}, "int16")
    same(bytes:union(chars), {3}, {-56, 3, 200}, "int16")
    same(support.tensor("bool", {1}):intersect(bytes), {0}, {}, "uint8")
    same(locus.intersect(support.tensor("float32", {16777216}),
      support.tensor("int32", {16777217, 16777216})), {1}, {16777216}, "float32")
  end)

  it("take tables, of any size, and nothing", function()
    same(locus.union({{2, 1}, {2, 2}}, {}), {2}, {1, 2})
    same(locus.setdiff({}, {1}), {0}, {})
    same(locus.intersect({1, 2}, {}), {0}, {})
    same(locus.tensor(4):setxor{4, 5}, {1}, {5})
    same(locus.tensor{2, 1}:expand(3, 2):union{3}, {3}, {1, 2, 3})
  end)

  it("say what is wrong", function()
    local x, z = locus.zeros(2), locus.zeros(2, {dtype = "complex64"})
    raises("union: 'other' is complex64, and complex numbers have no order; write sorted = false",
      x.union, x, z)
    raises("setxor: 'input' is complex64, and complex numbers have no order; write sorted = false",
      locus.setxor, z, x)
    raises("intersect: 'other' must be of a dtype that goes with int64, got complex64",
      locus.intersect, x:long(), z, {sorted = false})
    raises("setdiff: 'other' is missing", x.setdiff, x)
    raises("setdiff: 'other' must be a tensor or a table, got the number 5", x.setdiff, x, 5)
    raises("isin: 'values' must be of a dtype that goes with complex64, got int64", z.isin, z,
      x:long())
  end)
end)

describe("rle", function()
  it("gives where runs begin, how long they are, and their elements", function()
    math.randomseed(174)
    for _, dtype in ipairs(support.sample(support.dtypes, 5)) do
      for _, n in ipairs {0, 1, 2, 300} do
        local x = laid(dtype, numbering.random(dtype, n, true))
        local list, firsts, lengths, elements = support.values(x), {}, {}, {}
        for i, v in ipairs(list) do
          if i == 1 or numbering.key(v) ~= numbering.key(list[i - 1]) then
            firsts[#firsts + 1], lengths[#firsts + 1], elements[#firsts + 1] = i, 0, v
          end
          lengths[#firsts] = lengths[#firsts] + 1
        end
        local starts, counts, values = x:rle()
        same(starts, {#firsts}, firsts, "int64")
        same(counts, {#firsts}, lengths, "int64")
        same(values, {#firsts}, elements, dtype)
        assert.is_true(x:rle{base = 0}:equal(starts - 1))
      end
    end
  end)

  -- Runs begin at, before and behind the edges of blocks and chunks.
  it("finds runs in long rows", function()
    local firsts = {1, 2, 1024, 1025, 1026, 2048, 65535, 65536, 65537, 65538, 131072, 131074}
    for _, dtype in ipairs(support.sample(support.dtypes, 5)) do
      for _, n in ipairs {131074, 131075, 150000} do
        local lengths, x = {}, locus.zeros(n, {dtype = dtype})
        for k, first in ipairs(firsts) do
          lengths[k] = (firsts[k + 1] or n + 1) - first
          x[{{first, first + lengths[k] - 1}}] = k % 2 == 0
        end
        local starts, counts, values = x:rle()
        same(starts, {#firsts}, firsts, "int64")
        same(counts, {#firsts}, lengths, "int64")
        assert.is_true(values:equal(x[starts]))
      end
    end
  end)

  it("takes any NaN for NaN, and any true for true", function()
    local bytes = "\0\0\192\127" .. "\1\0\192\255" .. "\255\255\255\127" .. "\0\0\128\127"
    local x = locus.from_string(bytes, "float32"):to(support.device)
    same((x:rle()), {2}, {1, 4}, "int64")
    x = locus.from_string("\1\2\0\0\255\128", "bool"):to(support.device)
    same((x:rle()), {3}, {1, 3, 5}, "int64")
  end)

  it("flattens, and keeps int64 past 2^53 apart", function()
    local starts, lengths, values = locus.rle{{1, 1}, {1, 2}}
    same(starts, {2}, {1, 4}, "int64")
    same(lengths, {2}, {3, 1}, "int64")
    same(values, {2}, {1, 2})
    same((select(3, locus.tensor(5):rle())), {1}, {5})
    local big = support.integer("9007199254740993")
    same((support.tensor("int64", {big, big - 1, big - 1}):rle()), {2}, {1, 2}, "int64")
    same((locus.tensor{1, 1, 2}:expand(2, 3):rle()), {4}, {1, 3, 4, 6}, "int64")
  end)

  it("says what is wrong", function()
    raises("rle: 'input' must be a tensor or a table, got the number 1", locus.rle, 1)
    raises("rle: 'base' must be 1 or 0, got the number 2", locus.rle, {1}, {base = 2})
  end)
end)
