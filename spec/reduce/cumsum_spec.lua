-- SPDX-License-Identifier: MIT
-- cumsum: running sums along a dimension.
local locus = require "locus"
local arrays = require "spec.support.data.arrays"
local numbers = require "spec.support.models.numbers"
local oracle = require "spec.support.models.oracle"
local support = require "spec.support"

local nan, inf = support.nan, math.huge

local function raises(message, f, ...)
  assert.equal(message, support.message(f, ...))
end

-- The running sums of a list and their dtype: floats are added as doubles, in order.
local function running(list, dtype)
  local kind, sums = oracle.kind(dtype), {}
  local part = kind == 4 and oracle.computed(dtype)
  local sum, re, im = kind <= 2 and numbers.int64(0) or 0, 0, 0
  for i, v in ipairs(list) do
    if kind == 4 then
      re, im = re + v.re, im + v.im
      sums[i] = support.complex(oracle.round(re, part), oracle.round(im, part))
    else
      sum = sum + (v == true and 1 or v == false and 0 or v)
      sums[i] = kind == 3 and oracle.round(sum, dtype) or sum
    end
  end
  return sums, kind <= 2 and "int64" or dtype
end

-- The same along a dimension of an array.
local function cumsum(a, dim)
  local inner, n, sums, dtype = 1, a.shape[dim], {}, nil
  for d = dim + 1, #a.shape do inner = inner * a.shape[d] end
  for start = 1, #a.values do
    if math.floor((start - 1) / inner) % n == 0 then
      local row = {}
      for k = 0, n - 1 do row[k + 1] = a.values[start + k * inner] end
      row, dtype = running(row, a.dtype)
      for k = 0, n - 1 do sums[start + k * inner] = row[k + 1] end
    end
  end
  return sums, dtype
end

describe("cumsum", function()
  it("is right for every dtype, layout and dimension", function()
    math.randomseed(31)
    for _, dtype in ipairs(support.dtypes) do
      for _, shape in ipairs {{7}, {4, 3, 5}, {1, 6}, {3, 1100}, {1100, 3}} do
        local a = arrays.random(dtype, shape)
        for _, layout in ipairs(support.layouts) do
          local x = arrays.tensor(a, layout)
          for dim = 1, #shape do
            local sums, answer = cumsum(a, dim)
            arrays.check(x:cumsum(dim), shape, sums, answer, layout, dim, a)
          end
        end
      end
    end
  end)

  it("is right of many rows side by side, in any number of blocks", function()
    math.randomseed(32)
    for _, dtype in ipairs(support.dtypes) do
      for _, shape in ipairs {{5, 8}, {3, 9}, {2, 1030}, {2, 3, 9}, {3, 2, 1025}} do
        local a = arrays.random(dtype, shape)
        for _, layout in ipairs(support.layouts) do
          local x = arrays.tensor(a, layout)
          for dim = 1, #shape - 1 do
            local sums, answer = cumsum(a, dim)
            arrays.check(x:cumsum(dim), shape, sums, answer, layout, dim, dtype)
          end
        end
      end
    end
  end)

  it("counts in int64, modulo 2^64", function()
    support.same(locus.tensor({true, false, true}):cumsum(1), {3}, {1, 1, 2}, "int64")
    local big = support.integer("9007199254740993")
    support.same(support.tensor("int64", {big, big}):cumsum(1), {2},
                 {big, support.integer("18014398509481986")}, "int64")
    local low, most = unpack(support.range.int64)
    support.same(support.tensor("int64", {most, 1}):cumsum(1), {2}, {most, low}, "int64")
    support.same(support.tensor("uint8", {255, 255}):cumsum(1), {2}, {255, 510}, "int64")
  end)

  it("adds floats as doubles", function()
    support.same(support.tensor("float32", {2 ^ 24, 1, 1}):cumsum(1), {3},
                 {2 ^ 24, 2 ^ 24, 2 ^ 24 + 2}, "float32")
    support.same(locus.tensor({1, inf, -inf, nan}):cumsum(1), {4}, {1, inf, nan, nan}, "float64")
  end)

  it("takes empty, 0-d and expanded tensors, tables, numbers and names", function()
    support.same(locus.zeros(0):cumsum(1), {0}, {}, "float64")
    support.same(locus.zeros(2, 0, 3):cumsum(2), {2, 0, 3}, {}, "float64")
    support.same(locus.zeros(2, 0, 3, {dtype = "bool"}):cumsum(-1), {2, 0, 3}, {}, "int64")
    support.same(locus.tensor(5):cumsum(1), {}, {5}, "float64")
    support.same(locus.tensor(5):cumsum(-1), {}, {5}, "float64")
    support.same(locus.tensor({{2}}):expand(1, 3):cumsum(2), {1, 3}, {2, 4, 6}, "float64")
    support.same(locus.cumsum({{1, 2}, {3, 4}}, -1), {2, 2}, {1, 3, 3, 7}, "float64")
    support.same(locus.cumsum{input = {1, 2}, dim = 1}, {2}, {1, 3}, "float64")
    assert.equal(5, locus.cumsum(5, 1))
    assert.equal(1, locus.cumsum(true, -1))
  end)

  it("writes to out", function()
    local x = locus.tensor({{1, 2}, {3, 4}})
    local out = locus.zeros(2, 2):t()
    assert.equal(out, x:cumsum(1, {out = out}))
    support.same(out, {2, 2}, {1, 2, 4, 6})
    local none = locus.zeros(0)
    assert.equal(none, x:cumsum{dim = 2, out = none})
    support.same(none, {2, 2}, {1, 3, 3, 7})
    local zero_d = locus.zeros({})
    assert.equal(zero_d, locus.cumsum(5, 1, {out = zero_d}))
    assert.equal(5, zero_d:item())
  end)

  it("says what is wrong with its arguments", function()
    local x = locus.tensor({1, 2, 3})
    raises("cumsum: 'dim' is missing", x.cumsum, x)
    raises("cumsum: 'dim' must be in 1..1 or -1..-1, got 2", x.cumsum, x, 2)
    raises("cumsum: 'dim' must be a dimension, got the Lua boolean true", x.cumsum, x, true)
    raises("cumsum: 'input' must be a tensor, a table or a number, got the string \"x\"",
           locus.cumsum, "x", 1)
    raises("cumsum: 'out' must be of size 3, got 2", x.cumsum, x, 1, {out = locus.zeros(2)})
    raises("cumsum: 'out' must be float64, got int64", x.cumsum, x, 1,
           {out = locus.zeros(3, {dtype = "int64"})})
    raises("cumsum: 'out' overlaps 'input' in memory; give a separate tensor", x.cumsum, x, 1,
           {out = x})
    raises("cumsum: there is no argument 'dims'; did you mean 'dim'?", x.cumsum, x, {dims = 1})
    support.same(x, {3}, {1, 2, 3})
  end)
end)
