-- SPDX-License-Identifier: MIT
-- between and digitize against plain loops; answers of NumPy.
local locus = require "locus"
local arrays = require "spec.support.data.arrays"
local oracle = require "spec.support.models.oracle"
local support = require "spec.support"

local message, same = support.message, support.same
local inf, nan = math.huge, support.nan
local before, random = oracle.before, math.random

local function is_nan(v) return v ~= v end

-- -- between -------------------------------------------------------------------------------------

-- Whether a <= b, or a < b, of numbers that are not NaN.
local function holds(a, b, included)
  if is_nan(a) or is_nan(b) then return false end
  return before(a, b) or included and not before(b, a)
end

local function is_between(v, low, high, inclusive)
  return holds(low, v, inclusive == "both" or inclusive == "left")
    and holds(v, high, inclusive == "both" or inclusive == "right")
end

local SIDES = {"both", "neither", "left", "right"}

describe("between", function()
  it("compares exactly, for any three dtypes and layouts", function()
    math.randomseed(71)
    for _ = 1, 600 do
      local m, n, dtypes = random(0, 5), random(0, 5), {}
      for i = 1, 3 do dtypes[i] = arrays.pick(support.ordered) end
      local x = arrays.random(dtypes[1], {m, n})
      local low, high = arrays.random(dtypes[2], {m, n}), arrays.random(dtypes[3], {m, n})
      local inclusive, want = arrays.pick(SIDES), {}
      for i, v in ipairs(x.values) do
        want[i] = is_between(v, low.values[i], high.values[i], inclusive)
      end
      local got = arrays.tensor(x):between(arrays.tensor(low), arrays.tensor(high),
        {inclusive = inclusive})
      arrays.check(got, {m, n}, want, "bool", inclusive, x, low, high)
    end
  end)

  it("is both comparisons, of many elements in any order of memory", function()
    math.randomseed(76)
    for _ = 1, 60 do
      local function random_tensor()
        local sizes = {arrays.pick {1, 3}, arrays.pick {1, 2500}}
        return arrays.tensor(arrays.random(arrays.pick(support.ordered), sizes),
          arrays.pick(support.layouts))
      end
      local x, low, high = random_tensor(), random_tensor(), random_tensor()
      local want = x:ge(low):logical_and(x:lt(high))
      assert.is_true(want:equal(x:between(low, high, {inclusive = "left"})))
    end
    local x = locus.arange(0, 200000):remainder(1000)
    local low, high = x - x:remainder(3), x + x:remainder(2)
    local inside = x:remainder(3):ne(0):logical_and(x:remainder(2):ne(0))
    assert.is_true(inside:equal(x:between(low, high, {inclusive = "neither"})))
    assert.equal(200000, x:between(low, high):sum())
  end)

  it("rounds a number for each bound that asks for it", function()
    local single, double = locus.FloatTensor {0.1}, locus.DoubleTensor {0.1}
    same(locus.between(0.1, single, double), {1}, {true}, "bool")
    same(locus.between(0.1, double, single), {1}, {true}, "bool")
    same(double:between(single, 1), {1}, {false}, "bool")
    same(locus.between(2LL ^ 53 + 1, locus.LongTensor {2LL ^ 53 + 1}, locus.tensor {2 ^ 53}), {1},
      {true}, "bool")
    same(locus.LongTensor {2LL ^ 53 + 1}:between(2 ^ 53, 2 ^ 53), {1}, {false}, "bool")
  end)

  it("broadcasts, takes numbers, and answers numbers with a boolean", function()
    local x = locus.tensor({1, 2, 3})
    same(x:between({{1}, {2}}, 2), {2, 3}, {true, true, false, false, true, false}, "bool")
    same(locus.between(2, {1, 3}, {{5}, {1}}), {2, 2}, {true, false, false, false}, "bool")
    same(locus.tensor(2):between(1, 3), {}, {true}, "bool")
    assert.is_true(locus.between(2, 1, 2))
    assert.is_false(locus.between(2, 1, 2, {inclusive = "left"}))
    assert.is_false(locus.between(nan, -inf, inf))
    same(locus.FloatTensor{0.1, 0.2}:between(0.1, 0.2), {2}, {true, true}, "bool")
    same(locus.ByteTensor{0, 255}:between(-1, 254.5), {2}, {true, false}, "bool")
  end)

  it("writes to out, which may be an input", function()
    local out = locus.zeros(0, {dtype = "bool"})
    assert.equal(out, locus.between({1, 5}, 2, 9, {out = out}))
    same(out, {2}, {false, true}, "bool")
    local mask = locus.tensor({true, false})
    assert.equal(mask, mask:between(1, 1, {out = mask}))
    same(mask, {2}, {true, false}, "bool")
    same(locus.between(1, 0, 2, {out = out:zero_():narrow(1, 1, 1):squeeze(1)}), {}, {true})
  end)

  it("refuses what does not go", function()
    local x = locus.tensor({1, 2, 3})
    assert.equal("between: 'inclusive' must be one of both, neither, left or right, got the string "
      .. '"none"', message(locus.between, x, 1, 2, {inclusive = "none"}))
    local mask = locus.BoolTensor {true, false, true}
    assert.equal("between: 'out' overlaps 'high' in memory; give a separate tensor",
      message(locus.between, {0, 1}, 0, mask[{ {1, 2} }], {out = mask[{ {2, 3} }]}))
    assert.equal(mask, mask:between(false, true, {out = mask}))
    assert.is_true(mask:all())
    assert.equal("between: 'out' must be bool, got float64",
      message(locus.between, x, 1, 2, {out = x}))
    assert.equal("between: 'high' is missing", message(locus.between, x, 1))
    assert.matches("^between: .*broadcast", message(locus.between, x, {1, 2}, 5))
    assert.equal("between: complex values have no order; only eq and ne compare them",
      message(locus.between, locus.zeros(2, {dtype = "complex64"}), 1, 2))
  end)
end)

-- -- digitize ------------------------------------------------------------------------------------

-- How many bins come before a value: NumPy's number.
local function plain_digitize(v, bins, right, descending)
  local count = 0
  for _, bin in ipairs(bins) do
    local first, second = bin, v
    if descending then first, second = v, bin end
    local strictly = right ~= descending
    if strictly and before(first, second) or not strictly and not before(second, first) then
      count = count + 1
    end
  end
  return count
end

describe("digitize", function()
  it("counts as a look at every bin does, for any dtypes and layouts", function()
    math.randomseed(72)
    for _ = 1, 600 do
      local descending, right, base = random(2) == 1, random(2) == 1, random(0, 1)
      local bins = arrays.sort_rows(arrays.random(arrays.pick(support.ordered), {random(0, 9)}),
        descending)
      local x = arrays.random(arrays.pick(support.ordered), {random(0, 3), random(1, 5)})
      local values, n, want = bins.values, #bins.values, {}
      descending = n > 0 and before(values[n], values[1])
      for i, v in ipairs(x.values) do
        want[i] = plain_digitize(v, values, right, descending) + base
      end
      local got = arrays.tensor(x):digitize(arrays.tensor(bins, "contiguous"), right, {base = base})
      arrays.check(got, x.shape, want, "int64", tostring(right), x, bins)
    end
  end)

  it("gives NumPy's numbers with base = 0", function()
    local x, options = {1, 2, nan, 5, 0}, {base = 0}
    same(locus.digitize(x, {1, 2, 4}, options), {5}, {1, 2, 3, 3, 0}, "int64")
    same(locus.digitize(x, {1, 2, 4}, true, options), {5}, {0, 1, 3, 3, 0}, "int64")
    same(locus.digitize(x, {4, 2, 1}, options), {5}, {2, 1, 0, 0, 3}, "int64")
    same(locus.digitize(x, {4, 2, 1}, true, options), {5}, {3, 2, 0, 0, 3}, "int64")
    same(locus.digitize({1}, {}, options), {1}, {0}, "int64")
    same(locus.digitize({1}, {1, 1}, options), {1}, {2}, "int64")
  end)

  it("takes a number, strided bins, out and out_int32", function()
    assert.equal(3, locus.digitize(3, {1, 2, 4}))
    same(locus.tensor(3):digitize({1, 2, 4}), {}, {3}, "int64")
    local bins = locus.tensor({{9, 0}, {4, 0}, {1, 0}}):select(2, 1)
    same(locus.digitize({5, 0}, bins), {2}, {2, 4}, "int64")
    local out = locus.zeros(0, {dtype = "int32"})
    assert.equal(out, locus.digitize({5, 0}, bins, {out_int32 = true, out = out}))
    same(out, {2}, {2, 4}, "int32")
  end)

  it("refuses what does not go", function()
    local function says(text, ...)
      assert.equal("digitize: " .. text, message(locus.digitize, ...))
    end
    says("'bins' must ascend or descend, but falls at [3] and rises at [2]", {1}, {1, 2, 1})
    says("'bins' must ascend or descend, but falls at [1] and rises at [3]", {1}, {3, 1, 1, 2},
      {base = 0})
    says("'bins' must be 1-D, got a float64 tensor of size 1x2", {1}, {{1, 2}})
    says("'bins' is complex64, and complex numbers have no order", {1},
      locus.zeros(1, {dtype = "complex64"}))
    says("'x' is complex64, and complex numbers have no order",
      locus.zeros(1, {dtype = "complex64"}), {1})
    says("'bins' is missing", {1})
    says("'out' must be int64, got float64", {1}, {1, 2}, {out = locus.zeros(1)})
  end)
end)
