-- SPDX-License-Identifier: MIT
-- between, digitize and interp against plain loops; answers of NumPy.
local ffi = require "ffi"
local locus = require "locus"
local arrays = require "spec.support.arrays"
local oracle = require "spec.support.oracle"
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

-- -- interp --------------------------------------------------------------------------------------

-- b - a, of a number b that is not less than a: exact before it is rounded, where one is an int64.
local function apart(b, a)
  if type(a) == "number" and type(b) == "number" then return b - a end
  local function parts(v)
    if type(v) ~= "number" then return v, 0 end
    local inside = math.min(math.max(v, -2 ^ 63), 2 ^ 63 - 1024)
    local whole = inside < 0 and math.ceil(inside) or math.floor(inside)
    return ffi.cast("int64_t", whole), v - whole
  end
  local b_whole, b_rest = parts(b)
  local a_whole, a_rest = parts(a)
  return tonumber(ffi.cast("uint64_t", b_whole - a_whole)) + b_rest - a_rest
end

-- As NumPy has it, but for places that are compared and subtracted exactly.
local function plain_interp(x, xp, fp, left, right)
  local n, j = #xp, 0
  if is_nan(x) then return x end
  while j < n and not before(x, xp[j + 1]) do j = j + 1 end
  if j == 0 then return left or fp[1] end
  if j == n then return before(xp[n], x) and right or fp[n] end
  if not before(xp[j], x) then return fp[j] end
  local slope = (fp[j + 1] - fp[j]) / apart(xp[j + 1], xp[j])
  local answer = slope * apart(x, xp[j]) + fp[j]
  if is_nan(answer) then answer = slope * -apart(xp[j + 1], x) + fp[j + 1] end
  if is_nan(answer) and fp[j] == fp[j + 1] then answer = fp[j] end
  return answer
end

local PLACES = {"uint8", "int16", "int64", "float16", "float32", "float64"}

local function numbers(a)
  local list = {}
  for i, v in ipairs(a.values) do list[i] = tonumber(v) end
  return list
end

-- The elements as places: of int64 cdata, of others numbers.
local function places_of(a)
  local list = numbers(a)
  for i = 1, a.dtype == "int64" and #list or 0 do list[i] = ffi.cast("int64_t", a.values[i]) end
  return list
end

describe("interp", function()
  it("answers as NumPy does, up to the sign of 0, for any dtypes and layouts", function()
    math.randomseed(73)
    for _ = 1, 600 do
      local n = random(1, 9)
      local xp = arrays.sort_rows(arrays.random(arrays.pick(PLACES), {n}))
      local places = places_of(xp)
      if not is_nan(places[n]) then
        local fp = arrays.random(arrays.pick(PLACES), {n})
        local x = arrays.random(arrays.pick(PLACES), {random(0, 3), random(1, 7)})
        local left, right = arrays.pick{7, false} or nil, arrays.pick{-7, false} or nil
        local want, values = {}, numbers(fp)
        for i, v in ipairs(places_of(x)) do
          want[i] = plain_interp(v, places, values, left, right) + 0
        end
        local got = arrays.tensor(x):interp(arrays.tensor(xp), arrays.tensor(fp),
          {left = left, right = right})
        arrays.check(got + 0, x.shape, want, "float64", x, xp, fp, left or "", right or "")
      end
    end
  end)

  it("stays finite where it can beside infinite points", function()
    same(locus.interp({0.5, 1, inf, -inf, nan}, {0, 1, inf}, {1, 2, 3}), {5}, {1.5, 2, 3, 1, nan})
    same(locus.interp({0.5, 1, 3}, {0, 1, 2}, {1, inf, 3}), {3}, {inf, inf, 3})
    same(locus.interp({1, 1.5}, {1, 1, 2}, {3, 4, 5}), {2}, {4, 4.5})
    same(locus.interp({0, nan, 1, 9}, {1}, {7}, -1, -2), {4}, {-1, nan, 7, -2})
  end)

  it("tells int64 apart at any size, and so its fills", function()
    -- nodes 50 ns apart, as times in 2017: float64 holds every 256th
    local origin = 1500000000000000000LL
    local xp = locus.arange(0, 500, 50, {dtype = "int64"}) + origin
    local fp = locus.arange(0, 10) ^ 2
    local x = locus.arange(-1, 452, {dtype = "int64"}) + origin
    local got = x:interp(xp, fp, -1, -2)
    local want = {-1}
    for i = 0, 449 do
      local k = math.floor(i / 50)
      want[i + 2] = (2 * k + 1) / 50 * (i - 50 * k) + k * k
    end
    want[452], want[453] = 81, -2
    same(got, {453}, want, "float64")
    assert.equal(4, locus.interp(xp[3], xp, fp))
  end)

  it("has left and right one step outside, where float64 has no step", function()
    for _, ends in ipairs {{2LL ^ 60, 2LL ^ 60 + 100}, {2LL ^ 62, 2LL ^ 62 + 1},
                           {-9223372036854775807LL, 9223372036854775806LL}} do
      local xp = locus.tensor({ends[1], ends[2]}, {dtype = "int64"})
      local x = locus.tensor({ends[1] - 1, ends[1], ends[2], ends[2] + 1}, {dtype = "int64"})
      same(x:interp(xp, {1, 2}, 7, -7), {4}, {7, 1, 2, -7}, "float64")
      assert.equal(7, locus.interp(ends[1] - 1, xp, {1, 2}, 7))
      assert.equal(-7, locus.interp(ends[2] + 1, xp, {1, 2}, {right = -7}))
      same(x:select(1, 1):interp(xp, {1, 2}, 7), {}, {7}, "float64")
    end
    local most = 9223372036854775807LL
    local wide = locus.tensor({-most - 1, most}, {dtype = "int64"})
    assert.equal(0.5, locus.interp(0, wide, {0, 1}))
    assert.equal(0.75, locus.interp(2 ^ 62, wide, {0, 1}))
    -- floats beside int64, whichever is searched
    local nodes = locus.tensor({2LL ^ 60, 2LL ^ 60 + 512}, {dtype = "int64"})
    same(locus.tensor{2 ^ 60, 2 ^ 60 + 256, 2 ^ 60 + 512}:interp(nodes, {0, 1}), {3}, {0, 0.5, 1})
    local doubles = locus.tensor{2 ^ 60, 2 ^ 60 + 512}
    same((nodes + 1):interp(doubles, {0, 512}, {right = -7}), {2}, {1, -7})
    same(locus.LongTensor{0, 1}:interp({-0.5, 0.5, 1.5}, {0, 1, 0}), {2}, {0.5, 0.5})
    same(locus.tensor{0.25, 2.5, nan, inf, -inf}:interp(locus.LongTensor{0, 1, 4}, {0, 4, 1}),
      {5}, {1, 2.5, nan, 1, 0})
    -- a plain number keeps its digits beside float32
    assert.equal(0.1, locus.interp(0.1, locus.FloatTensor{0, 1}, {0, 1}))
    same(locus.tensor(0.1):interp(locus.FloatTensor{0, 1}, {0, 1}), {}, {0.1}, "float64")
  end)

  it("stays finite where slopes are not, and keeps digits where they lose theirs", function()
    local function at(x, xp, fp) return locus.interp(x, xp, fp) end
    assert.equal(0, at(0.5, {0, 1}, {-1.5e308, 1.5e308}))
    assert.equal(-7.5e307, at(0.25, {0, 1}, {-1.5e308, 1.5e308}))
    assert.equal(0.5, at(0, {-1.5e308, 1.5e308}, {0, 1}))
    assert.equal(0.75, at(7.5e307, {-1.5e308, 1.5e308}, {0, 1}))
    assert.equal(7.5e307, at(7.5e307, {-1.5e308, 1.5e308}, {-1.5e308, 1.5e308}))
    local tiny = 2 ^ -1074
    assert.equal(0.5, at(2 * tiny, {0, 4 * tiny}, {0, 1}))
    assert.equal(2, at(tiny, {0, tiny, 2 * tiny}, {1, 2, 4}))
    assert.equal(1, at(0, {0, tiny, 2 * tiny}, {1, 2, 4}))
    assert.equal(0.5e300, at(2 * tiny, {0, 4 * tiny}, {0, 1e300}))
    assert.equal(5e-21, at(5e299, {0, 1e300}, {0, 1e-20}))
    assert.equal(3, at(1e308, {-1.7e308, 1.7e308}, {3, 3}))
    assert.equal(1e-8, at(5e299, {0, 1e300}, {0, 2e-8}))
  end)

  it("is exact at each point and never falls where the line rises", function()
    math.randomseed(74)
    for _, kind in ipairs {"int64", "float64"} do
      for _, scale in ipairs {1, 2 ^ -1060, 2 ^ 1000} do
        local steps = locus.rand(200, {dtype = "float64"}) + 0.01
        local xp = locus.cumsum(steps, 1) * (kind == "int64" and 1000 or scale)
        if kind == "int64" then xp = locus.unique(xp:long()) + 2LL ^ 61 end
        local fp = locus.cumsum(locus.rand(#xp, {dtype = "float64"}), 1) * scale
        assert.is_true(xp:interp(xp, fp):equal(fp))
        for i = 1, #xp - 1, 7 do
          local gap = xp[i + 1] - xp[i]
          local x = (kind == "int64" and locus.arange(0, gap, {dtype = "int64"})
            or locus.arange(0, 50) / 50 * gap) + xp[i]
          assert.is_true(locus.is_sorted(x:interp(xp, fp)))
        end
      end
    end
  end)

  it("goes round a period of int64 exactly", function()
    local day = 86400000000000
    local noon = 20000 * 86400000000000LL + 43200000000000LL
    local x = locus.tensor({noon, noon + 1, noon + day / 2 + 1}, {dtype = "int64"})
    same(x:interp({43200000000000LL, 43200000000002LL}, {0, 2}, {period = day}), {3}, {0, 1, 1},
      "float64")
    same(locus.ByteTensor{10, 250}:interp(locus.ByteTensor{0, 180}, {0, 18}, {period = 360}), {2},
      {1, 11}, "float64")
  end)

  it("goes round a period", function()
    same(locus.interp({-180, -170, -185, 185, -10, -5, 0, 365}, {190, -190, 350, -350},
      {5, 10, 3, 4}, {period = 360}), {8}, {7.5, 5, 8.75, 6.25, 3, 3.25, 3.5, 3.75}, "float64")
    same(locus.interp({-180, 725}, {190, -190, 350, -350}, {5, 10, 3, 4}, 99, 99, -360), {2},
      {7.5, 3.75})
  end)

  it("takes a number and a 0-d tensor, and writes to out, which may be x", function()
    assert.equal(4.5, locus.interp(2, {1, 3}, {4, 5}))
    same(locus.tensor(2):interp({1, 3}, {4, 5}), {}, {4.5}, "float64")
    same(locus.zeros(0, 3):interp({1, 3}, {4, 5}), {0, 3}, {}, "float64")
    local x = locus.tensor({1, 2})
    assert.equal(x, x:interp({1, 3}, {4, 5}, {out = x}))
    same(x, {2}, {4, 4.5}, "float64")
  end)

  it("refuses what does not go, and leaves out as it was", function()
    local function says(text, ...) assert.equal("interp: " .. text, message(locus.interp, ...)) end
    says("'xp' and 'fp' must be of one size, got 2 and 1", {1}, {1, 2}, {1})
    says("'xp' has no elements", {1}, {}, {})
    says("'xp' must be 1-D, got a float64 tensor of size 1x1", {1}, {{1}}, {1})
    says("'fp' must be 1-D, got a 0-d float64 tensor", {1}, {1}, locus.tensor(1))
    says("'xp' is not ascending: 1 at [2] follows 3", {1}, {3, 1}, {1, 2})
    says("'xp' holds NaN at [2], which has no place in an order", {1}, {3, nan}, {1, 2})
    says("'period' must be a finite number other than 0, got 0", {1}, {3, 1}, {1, 2}, {period = 0})
    says("'period' must be a finite number other than 0, got inf", {1}, {3, 1}, {1, 2},
      {period = inf})
    local complex = locus.zeros(1, {dtype = "complex128"})
    says("'x' is complex128, and complex numbers have no order", complex, {1}, {1})
    says("'fp' is complex128, and complex numbers have no order", {1}, {1}, complex)
    local out = locus.ones(3)
    says("'out' must be of size 2, got 3", {1, 2}, {1, 2}, {1, 2}, {out = out})
    says("'out' must be float64, got float32", {1, 2}, {1, 2}, {1, 2}, {out = locus.FloatTensor(2)})
    same(out, {3}, {1, 1, 1})
    for i, name in ipairs {"x", "xp", "fp"} do
      local shared, given = locus.tensor {1, 2, 3, 4}, {{1, 2}, {1, 2}, {1, 2}}
      given[i] = shared[{ {1, 2} }]
      says(("'out' overlaps '%s' in memory; give a separate tensor"):format(name), given[1],
        given[2], given[3], {out = shared[{ {2, 3} }]})
      same(shared, {4}, {1, 2, 3, 4})
    end
  end)
end)
