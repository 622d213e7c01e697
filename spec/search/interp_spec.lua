-- SPDX-License-Identifier: MIT
-- interp against a plain loop that compares and subtracts places exactly.
local ffi = require "ffi"
local locus = require "locus"
local arrays = require "spec.support.data.arrays"
local oracle = require "spec.support.models.oracle"
local support = require "spec.support"

local message, same = support.message, support.same
local inf, nan = math.huge, support.nan
local before, random = oracle.before, math.random

local function is_nan(v) return v ~= v end

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

-- As NumPy has it, except that places are compared and subtracted exactly.
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
    local most = 0x1.fffffffffffffp1023
    assert.equal(-most / 2, at(0.25, {0, 1}, {-most, most}))
    assert.equal(most / 2, at(0.75, {0, 1}, {-most, most}))
    assert.equal(most - 2 ^ 972, at(1 - 2 ^ -53, {0, 1}, {-0.9 * most, most}))
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
    -- a piece longer than all numbers, and int64 on it
    local ends = {-1.5e308, 1.5e308}
    same(locus.LongTensor{-5, 0, 4611686018427387904LL}:interp(ends, {0, 1}), {3}, {.5, .5, .5})
    same(locus.LongTensor{0}:interp(ends, {-1.5e308, 1.5e308}), {1}, {0})
  end)

  it("goes round a period of int64 that is longer than half of it", function()
    local period = 3 * 2 ^ 61
    local xp = locus.tensor({2LL ^ 62, 5 * 2LL ^ 60}, {dtype = "int64"})
    local x = locus.tensor({2LL ^ 62, 9 * 2LL ^ 59, 5 * 2LL ^ 60, 0LL, 2LL ^ 61},
      {dtype = "int64"})
    same(x:interp(xp, {0, 20}, {period = period}), {5}, {0, 10, 20, 16, 8})
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
    says("'xp' and 'fp' must have the same size, got 2 and 1", {1}, {1, 2}, {1})
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
