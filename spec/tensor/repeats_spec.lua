-- SPDX-License-Identifier: MIT
-- repeat_interleave: slices and elements each so many times, against plain loops; positions; what
-- it refuses.
local core = require "locus.core"
local locus = require "locus"
local arrays = require "spec.support.data.arrays"
local support = require "spec.support"

local random = math.random
local message, same = support.message, support.same

-- The elements of an array, the slices along a dimension as often as the list says.
local function repeated(a, dim, counts)
  local inner, size, values = 1, a.shape[dim], {}
  for d = dim + 1, #a.shape do inner = inner * a.shape[d] end
  local total = 0
  for _, count in ipairs(counts) do total = total + count end
  for start = 0, #a.values - 1, math.max(size * inner, 1) do
    for k = 0, size - 1 do
      for _ = 1, counts[k + 1] do
        for i = 1, inner do values[#values + 1] = a.values[start + k * inner + i] end
      end
    end
  end
  local shape = {unpack(a.shape)}
  shape[dim] = total
  return values, shape
end

local function counts_of(n, most)
  local counts = {}
  for i = 1, n do counts[i] = random(0, most) end
  return counts
end

local function all_of(count, n)
  local counts = {}
  for i = 1, n do counts[i] = count end
  return counts
end

local SHAPES = {{0}, {1}, {5}, {3, 4}, {4, 0}, {0, 3}, {2, 3, 5}, {300}, {40, 7}}

describe("repeat_interleave", function()
  it("gives slices of every dtype and layout as often as counts say", function()
    math.randomseed(41)
    for _, dtype in ipairs(support.dtypes) do
      for _, shape in ipairs(SHAPES) do
        local a, dim = arrays.random(dtype, shape), random(#shape)
        local x, n = arrays.tensor(a), shape[dim]
        local counts = counts_of(n, 4)
        local values, wide = repeated(a, dim, counts)
        if n ~= 1 then
          local list = support.tensor(arrays.pick(support.integers), counts)
          list = support.laid(list, arrays.pick(support.layouts))
          same(x:repeat_interleave(list, dim), wide, values, dtype)
          same(x:repeat_interleave(list, dim - #shape - 1), wide, values, dtype)
        end
        local count = random(0, 3)
        values, wide = repeated(a, dim, all_of(count, n))
        for _, one in ipairs {count, locus.tensor({count}, {dtype = "int64"}),
                              locus.tensor(count, {dtype = "int32"}), {count}} do
          same(x:repeat_interleave(one, dim), wide, values, dtype)
        end
        same(x, shape, a.values, dtype)
      end
    end
  end)

  it("takes elements in C order where no dimension is named", function()
    math.randomseed(42)
    for _, shape in ipairs {{}, {0}, {7}, {2, 3}, {3, 1, 4}} do
      local a = arrays.random("int64", shape)
      local flat = {dtype = "int64", shape = {#a.values}, values = a.values}
      local counts = counts_of(#a.values, 3)
      local values, wide = repeated(flat, 1, counts)
      same(arrays.tensor(a):repeat_interleave(counts, nil), wide, values, "int64")
      values, wide = repeated(flat, 1, all_of(3, #a.values))
      same(arrays.tensor(a):repeat_interleave(3), wide, values, "int64")
      same(locus.repeat_interleave{arrays.tensor(a), repeats = 3LL}, wide, values, "int64")
    end
  end)

  it("gives positions of counts alone", function()
    math.randomseed(43)
    for _, dtype in ipairs(support.integers) do
      for _, n in ipairs {0, 1, 2, 40, 700} do
        local counts, positions, from_zero = counts_of(n, 3), {}, {}
        for i, count in ipairs(counts) do
          for _ = 1, count do
            positions[#positions + 1], from_zero[#from_zero + 1] = i, i - 1
          end
        end
        local list = support.laid(support.tensor(dtype, counts), arrays.pick(support.layouts))
        same(locus.repeat_interleave(list), {#positions}, positions, "int64")
        same(list:repeat_interleave{base = 0}, {#positions}, from_zero, "int64")
      end
    end
    same(locus.repeat_interleave{2, 0, 3}, {5}, {1, 1, 3, 3, 3}, "int64")
    same(locus.repeat_interleave({2, 0}, {output_size = 2}), {2}, {1, 1}, "int64")
  end)

  it("goes on from block to block", function()
    math.randomseed(44)
    for _, counts in ipairs {counts_of(30000, 3), counts_of(900, 90),
                             {0, 50000, 0, 0, 7, 60000, 1}} do
      local positions = {}
      for i, count in ipairs(counts) do
        for _ = 1, count do positions[#positions + 1] = i end
      end
      same(locus.repeat_interleave(counts), {#positions}, positions, "int64")
    end
  end)

  it("writes slices of any width, few times, many times and not at all", function()
    math.randomseed(45)
    local function check(a, counts)
      local values, wide = repeated(a, 2, counts)
      local want = support.tensor("uint8", values):view(unpack(wide))
      assert.is_true(arrays.tensor(a):repeat_interleave(counts, 2):equal(want), a.shape[3])
    end
    for _, inner in ipairs {1, 2, 3, 4, 8, 15, 16, 17, 32, 33, 64, 100, 127, 128, 129, 500} do
      for _, most in ipairs {2, 9, 60} do
        local n = random(2, 20)
        local a = {dtype = "uint8", shape = {random(1, 2), n, inner}, values = {}}
        for i = 1, a.shape[1] * n * inner do a.values[i] = random(0, 255) end
        local counts = counts_of(n, most)
        check(a, counts)
        if most == 9 then
          counts[random(n)], counts[n] = math.floor(20000 / inner), 0
          check(a, counts)
        end
      end
    end
  end)

  it("takes less from strided slices than there are, and more", function()
    math.randomseed(46)
    for _, layout in ipairs(support.layouts) do
      local a = arrays.random("int32", {6, 9})
      local x = support.laid(support.tensor("int32", a.values):view(6, 9), layout)
      for dim = 1, 2 do
        for _, most in ipairs {0, 1, 5} do
          local counts = counts_of(a.shape[dim], most)
          local values, wide = repeated(a, dim, counts)
          same(x:repeat_interleave(counts, dim), wide, values, "int32")
        end
      end
    end
    local many = locus.ones(1, {dtype = "uint8"}):expand(3, 2 ^ 40)
    assert.equal("0x1099511627776", tostring(many:repeat_interleave({0, 0, 0}, 1):size()))
  end)

  it("is not led out of memory by ends that make no sense", function()
    local function repeats(list, ends, dim)
      return core.internal.repeats(locus.tensor(list), locus.tensor(ends, {dtype = "int64"}), dim)
    end
    same(repeats({5, 6, 7}, {1, 1, 4}, 1), {4}, {5, 7, 7, 7})
    for _, ends in ipairs {{9, -5, 3}, {-1, -1, 5}, {2 ^ 40, 0, 6}, {-7, 900, 400}} do
      for _, list in ipairs {{1, 2, 3}, {{1, 1, 1}, {2, 2, 2}, {3, 3, 3}}} do
        local found = repeats(list, ends, 1)
        assert.is_true(found:ge(1):all() and found:le(3):all())
      end
    end
    assert.equal("repeats: 'ends' must not end with -1", message(repeats, {1, 2}, {3, -1}, 1))
    assert.equal("repeats: 'ends' must be of size 2, got 3", message(repeats, {1, 2}, {1, 2, 3}, 1))
    assert.equal("repeats: 'ends' must be int64, 1-D and contiguous",
      message(repeats, {1, 2}, {{1}, {2}}, 1))
    assert.equal("repeats: 'input' must have dimensions and be contiguous",
      message(repeats, 5, {1}, 1))
  end)

  it("keeps bits, and makes memory of its own", function()
    local most = support.range.int64[2]
    same(support.tensor("int64", {most, most - 1}):repeat_interleave{2, 1}, {3},
         {most, most, most - 1}, "int64")
    same(support.tensor("float64", {-0.0, support.nan}):repeat_interleave(2), {4},
         {-0.0, -0.0, support.nan, support.nan})
    for _, count in ipairs {1, {1, 1}} do
      local x = locus.tensor{1, 2}
      x:repeat_interleave(count):zero_()
      same(x, {2}, {1, 2})
    end
  end)

  it("writes into out", function()
    local x = locus.tensor{{1, 2}, {3, 4}}
    for _, counts in ipairs {2, {3, 1}} do
      local want = x:repeat_interleave(counts, 1)
      for _, layout in ipairs(support.layouts) do
        local out = support.laid(locus.zeros(4, 2), layout)
        assert.is_true(rawequal(out, x:repeat_interleave(counts, 1, {out = out})))
        assert.is_true(out:equal(want))
      end
      assert.is_true(x:repeat_interleave(counts, 1, {out = locus.zeros(0)}):equal(want))
      assert.equal("repeat_interleave: 'out' must be of size 4x2, got 3",
        message(x.repeat_interleave, x, counts, 1, {out = locus.zeros(3)}))
    end
    assert.equal("repeat_interleave: 'out' must be int64, got float64",
      message(locus.repeat_interleave, {1, 2}, {out = locus.zeros(3)}))
    assert.equal("repeat_interleave: 'out' overlaps 'input' in memory; give a separate tensor",
      message(locus.repeat_interleave, x, 1, 1, {out = x}))
    same(x, {2, 2}, {1, 2, 3, 4})
  end)

  it("says what is wrong", function()
    local f, x = locus.repeat_interleave, locus.tensor{{1, 2}, {3, 4}}
    local function raises(sentence, ...)
      assert.equal("repeat_interleave: " .. sentence, message(f, ...))
    end
    raises("'input' is missing")
    raises("'input' must be a tensor or a table, got the number 5", 5)
    raises("'input' must be of an integer dtype, got float64", x)
    raises("'input' must be 1-D, got an int64 tensor of size 1x2", {{1, 2}})
    raises("'input' must not be negative, got -1", {1, -1})
    raises("'input' is 1.5, which int64 cannot hold, at [2]", {1, 1.5})
    raises("'repeats' is missing", x, nil, 1)
    raises("'repeats' must be a tensor, a table or a whole number, got the number 1.5", x, 1.5)
    raises("'repeats' must be of an integer dtype, got bool", x, x[1]:gt(1), 1)
    raises("'repeats' must be 0-d or 1-D, got size 1x2", x, {{1, 2}}, 1)
    raises("'repeats' must be of size 2, as 'input' is along dimension 1, got 3", x, {1, 2, 3}, 1)
    raises("'repeats' must be of size 4, as 'input' is along dimension 1, got 2", x, {1, 2})
    raises("'repeats' must not be negative, got -2", x, {1, -2}, 1)
    raises("'repeats' must not be negative, got -1", x, -1)
    raises("'repeats' must give at most 2^53 elements, got more", x, 2 ^ 53)
    raises("'repeats' must give at most 2^53 elements, got more", x, {2 ^ 62, 2 ^ 62}, 1)
    raises("'output_size' must be 3, the sum of 'repeats', got 4", x, {1, 2}, 1, {output_size = 4})
    raises("'output_size' must be 8, the sum of 'repeats', got 4", x, 2, {output_size = 4})
    raises("'dim' must be in 1..2 or -2..-1, got 3", x, 2, 3)
    raises("'input' must have dimensions, got a 0-d tensor", locus.tensor(5), 2, 1)
  end)
end)

describe("the advice on names", function()
  it("tells repeat, which is a word of Lua, from tile", function()
    local advice = " has no 'repeat'; write x:repeat_interleave(repeats), or x:tile(dims)"
    assert.equal("locus" .. advice, message(function() return locus["repeat"] end))
    assert.truthy(message(function() return locus.ones(1)["repeat"] end):find(advice, 1, true))
  end)
end)
