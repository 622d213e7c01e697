-- SPDX-License-Identifier: MIT
-- quantile and nanquantile, compared with what sorted rows have, and with figures made by hand.
local locus = require "locus"
local arrays = require "spec.support.data.arrays"
local oracle = require "spec.support.models.oracle"
local rows = require "spec.support.models.rows"
local support = require "spec.support"

local nan, inf, same = support.nan, math.huge, support.same

local function raises(message, f, ...)
  assert.equal(message, support.message(f, ...))
end

-- Between a and b, by the rules: what is infinite wins, and one against the other is NaN.
local function mixed(a, b, weight)
  local infinite_a, infinite_b = math.abs(a) == inf, math.abs(b) == inf
  if weight == 0 or a == b then return a end
  if infinite_a and infinite_b then return nan end
  if infinite_a or infinite_b then return infinite_a and a or b end
  if b - a == inf then return a * (1 - weight) + b * weight end
  return weight < 0.5 and a + (b - a) * weight or b - (b - a) * (1 - weight)
end

local ups = { -- whether the upper one is taken
  lower = function() return false end,
  higher = function(weight) return weight > 0 end,
  nearest = function(weight, rank) return weight > 0.5 or weight == 0.5 and rank % 2 == 1 end,
}
local KINDS = {"linear", "lower", "higher", "nearest", "midpoint"}

local function number(v)
  if type(v) == "boolean" then return v and 1 or 0 end
  return tonumber(v)
end

-- The quantile of a row, whose dtype is this.
local function naive(row, q, how, dtype, skips_nan)
  local sorted, numbers = {}, 0
  for k, place in ipairs(rows.order(row)) do
    sorted[k] = row[place] == 0 and 0 or row[place]
    numbers = numbers + (row[place] == row[place] and 1 or 0)
  end
  if numbers < #row and not skips_nan or numbers == 0 then return nan end
  local at = q * (numbers - 1)
  local rank = math.floor(at)
  local a, b, weight = sorted[rank + 1], sorted[math.min(rank + 2, numbers)], at - rank
  if ups[how] then
    if ups[how](weight, rank) then return b end
    return a
  end
  if how == "midpoint" then weight = weight > 0 and 0.5 or 0 end
  local v = mixed(number(a), number(b), weight)
  return oracle.kind(dtype) == 3 and oracle.round(v, dtype) or v
end

local function answer_dtype(dtype, how)
  return (ups[how] or oracle.kind(dtype) == 3) and dtype or "float64"
end

local QS = {0.5, 0, 0.95, 1, 0.3, 0.75, 0.3}
local SHAPES = {{1}, {2}, {9}, {101}, {3, 4, 5}, {2, 130}, {130, 2}, {3, 110, 2}}

local function check(name, a, dim, how)
  local x, options = arrays.tensor(a), {interpolation = how}
  local lists, shape = {}, rows.shape(a, dim)
  for r, row in ipairs(rows.along(a, dim)) do lists[r] = row end
  local all, dtype = {}, answer_dtype(a.dtype, how)
  for _, q in ipairs(QS) do
    local wanted = {}
    for r, row in ipairs(lists) do wanted[r] = naive(row, q, how, a.dtype, name ~= "quantile") end
    arrays.check(x[name](x, q, dim, options), shape, wanted, dtype, how, q, dim, a)
    for _, v in ipairs(wanted) do all[#all + 1] = v end
  end
  arrays.check(x[name](x, QS, dim, options), {#QS, unpack(shape)}, all, dtype, how, dim, a)
end

describe("quantile and nanquantile", function()
  for _, name in ipairs {"quantile", "nanquantile"} do
    it("is what a sorted row has, along every dimension: " .. name, function()
      math.randomseed(61)
      for _, dtype in ipairs(support.sample(support.ordered, 4)) do
        for k, shape in ipairs(SHAPES) do
          local a = arrays.random(dtype, shape, k % 3 == 0)
          for dim = 1, #shape do check(name, a, dim, arrays.pick(KINDS)) end
        end
        for _, how in ipairs(KINDS) do check(name, arrays.random(dtype, {2, 6}), 2, how) end
      end
    end)

    it("is the same of all elements: " .. name, function()
      math.randomseed(62)
      for _, dtype in ipairs(support.sample(support.ordered, 4)) do
        for _, n in ipairs {1, 4, 99, 100, 101, 102, 1500} do
          local a, how = arrays.random(dtype, {n}, n % 2 == 0), arrays.pick(KINDS)
          local wanted, x = {}, arrays.tensor(a)
          for i, q in ipairs(QS) do
            wanted[i] = naive(a.values, q, how, dtype, name ~= "quantile")
            local got = x[name](x, {q = q, interpolation = how})
            assert.is_true(support.same_value(wanted[i], got), arrays.show(a))
          end
          arrays.check(x[name](x, {q = QS, interpolation = how}), {#QS}, wanted,
            answer_dtype(dtype, how), how, a)
        end
      end
    end)
  end

  it("has NumPy's figures", function()
    local x = locus.tensor {5, 2, 3, 1}
    same(x:quantile {0, 0.1, 0.5, 0.75, 1}, {5}, {1, 1.3, 2.5, 3.5, 5}, "float64")
    local half = {0.5, 0.1}
    same(x:quantile(half, {interpolation = "lower"}), {2}, {2, 1})
    same(x:quantile(half, {interpolation = "higher"}), {2}, {3, 2})
    same(x:quantile(half, {interpolation = "nearest"}), {2}, {3, 1})
    same(x:quantile(half, {interpolation = "midpoint"}), {2}, {2.5, 1.5})
    -- halfway: the even rank, 0 of 0 and 1, 2 of 1 and 2
    same(locus.tensor {10, 20}:quantile({0.5}, {interpolation = "nearest"}), {1}, {10})
    same(locus.tensor {10, 20, 30, 40}:quantile({0.5}, {interpolation = "nearest"}), {1}, {30})
    same(locus.tensor {{10, 7, 4}, {3, 2, 1}}:quantile(0.5, 1), {3}, {6.5, 4.5, 2.5})
    same(locus.tensor {{10, 7, 4}, {3, 2, 1}}:quantile(0.5, 2, true), {2, 1}, {7, 2})
    assert.equal(3.5, locus.tensor {{10, 7, 4}, {3, 2, 1}}:quantile(0.5))
  end)

  it("is a number for a number, and a tensor with keepdim, out or a list", function()
    local x, out = locus.arange(24):reshape(2, 3, 4), locus.zeros(0)
    assert.equal(11.5, x:quantile(0.5))
    assert.equal(11.5, x:quantile(locus.tensor(0.5)))
    same(x:quantile(0.5, nil, true), {1, 1, 1}, {11.5})
    same(x:quantile({0.5}, nil, true), {1, 1, 1, 1}, {11.5})
    assert.equal(out, x:quantile(0.5, {out = out}))
    same(out, {}, {11.5})
    same(x:quantile(locus.tensor {0, 1}), {2}, {0, 23})
    same(x:quantile({}, 2), {0, 2, 4}, {})
    same(x:quantile(0.5, -2), {2, 4}, {4, 5, 6, 7, 16, 17, 18, 19})
    same(x:quantile({0, 1}, 1, true), {2, 1, 3, 4}, support.values(x))
    assert.equal(5, locus.tensor(5):quantile(0.3))
    same(locus.tensor(5):quantile(0.3, 1), {}, {5})
    assert.equal(1.5, locus.quantile({1, 2}, 0.5))
  end)

  it("is NaN where a value is; nanquantile leaves them out", function()
    local x = locus.tensor {{1, nan, 3}, {nan, nan, nan}, {1, 2, 4}}
    same(x:quantile(0.5, 2), {3}, {nan, nan, 2})
    same(x:nanquantile(0.5, 2), {3}, {2, nan, 2})
    same(x:nanquantile({0, 1}, 2), {2, 3}, {1, nan, 1, 3, nan, 4})
    assert.equal(2, x:nanquantile(0.5))
    same(x:quantile {0}, {1}, {nan})
  end)

  it("keeps infinities, and differences that are none", function()
    same(locus.tensor {-inf, 5, inf}:quantile {0, 0.25, 0.5, 0.75, 1}, {5},
      {-inf, -inf, 5, inf, inf})
    same(locus.tensor {-inf, inf}:quantile {0, 0.5, 1}, {3}, {-inf, nan, inf})
    same(locus.tensor {inf, inf}:quantile {0.5}, {1}, {inf})
    same(locus.tensor {-1.5e308, 1.5e308}:quantile {0.25, 0.5}, {2}, {-0.75e308, 0})
    local most = 0x1.fffffffffffffp1023
    same(locus.tensor {-most, most}:quantile {0.25, 0.75, 1}, {3}, {-most / 2, most / 2, most})
    same(locus.tensor {-0.9 * most, most}:quantile {1 - 2 ^ -53, 1}, {2}, {most - 2 ^ 972, most})
    same(locus.group_by {1, 1, 2, 2}:quantile({-inf, 5, -1.5e308, 1.5e308}, {0.25, 0.5}), {2, 2},
      {-inf, -inf, -0.75e308, 0})
  end)

  it("keeps elements of integers where nothing is mixed", function()
    local near = arrays.int64("9007199254740993")
    for _, n in ipairs {3, 103} do
      local list = {}
      for i = 1, n do list[i] = near + 2 * (i - 1) end
      local x = support.tensor("int64", list)
      local middle = near + (n - 1)
      for _, how in ipairs {"lower", "higher", "nearest"} do
        assert.equal(middle, x:quantile(0.5, {interpolation = how}))
        same(x:quantile({0.5, 0}, {interpolation = how}), {2}, {middle, near}, "int64")
      end
    end
    same(support.tensor("uint8", {1, 2}):quantile {0.5}, {1}, {1.5}, "float64")
    same(support.tensor("bool", {1, 0}):quantile {0.5}, {1}, {0.5}, "float64")
    same(support.tensor("float32", {1, 2}):quantile {0.1}, {1}, {oracle.round(1.1, "float32")},
      "float32")
  end)

  it("asks the job once, whatever is asked", function()
    local internal = require "locus.core".internal
    local kth, calls = internal.kth, 0
    internal.kth = function(...)
      calls = calls + 1
      return kth(...)
    end
    local x = locus.arange(1000):reshape(4, 250)
    local ok, message = pcall(function()
      x:quantile(QS)
      x:quantile(QS, 2)
      x:nanquantile(QS)
      x:nanquantile(QS, 2)
    end)
    internal.kth = kth
    assert.is_true(ok, message)
    assert.equal(4, calls)
  end)

  it("writes to out, or leaves it alone", function()
    local x, out = locus.tensor {{1, 2}, {3, 5}}, locus.full({2}, 7)
    assert.equal(out, x:quantile(0.5, 1, {out = out}))
    same(out, {2}, {2, 3.5})
    raises("quantile: 'out' must be float64, got float32", x.quantile, x, 0.5, 1,
      {out = out:float()})
    raises("quantile: 'out' must be of size 3x2, got 2", x.quantile, x, {0, 0.5, 1}, 1, {out = out})
    raises("nanquantile: 'out' overlaps 'input' in memory; give a separate tensor", x.nanquantile,
      x, 0.5, 1, {out = x[1]})
    raises("quantile: 'out' overlaps 'q' in memory; give a separate tensor", x.quantile, x, out, 1,
      {out = out})
    same(out, {2}, {2, 3.5})
  end)

  it("take q as int64 cdata, too", function()
    local x, half = locus.tensor {3, 1, 2}, require "ffi".new("complex", 0.5, 0)
    assert.equal(3, x:quantile(1LL))
    assert.equal(1, x:nanquantile(0ULL))
    local q = {0LL, 0.5, 1LL}
    support.same(x:quantile(q), {3}, {1, 2, 3}, "float64")
    assert.equal("cdata", type(q[1]))
    assert.equal("quantile: 'q' must be a number from 0 to 1, or a list of such, got the cdata 2",
      support.message(locus.quantile, x, 2LL))
    assert.matches("^quantile: 'q' must be a number from 0 to 1, or a list of such, got",
      support.message(locus.quantile, x, half))
  end)

  it("says what is wrong", function()
    local x = locus.tensor {1, 2}
    raises("quantile: 'q' must be a number from 0 to 1, or a list of such, got the number 2",
      x.quantile, x, {0.5, 2})
    raises("nanquantile: 'q' must be a number from 0 to 1, or a list of such, got the number nan",
      x.nanquantile, x, nan)
    raises("quantile: 'q' must be a number from 0 to 1, or a list of such, got the string \"x\"",
      x.quantile, x, "x")
    raises("quantile: 'q' must be a number from 0 to 1, or a list of such, got a table", x.quantile,
      x, locus.zeros(2, 2))
    raises("quantile: 'q' is missing", x.quantile, x)
    raises("quantile: 'interpolation' must be one of linear, lower, higher, nearest or midpoint, "
      .. "got the string \"cubic\"", x.quantile, x, 0.5, {interpolation = "cubic"})
    raises("quantile: 'input' has no elements", locus.quantile, locus.zeros(0), 0.5)
    raises("quantile: 'input' has no elements along dimension 2", locus.quantile, locus.zeros(3, 0),
      0.5, 2)
    raises("quantile: 'input' is complex64, and complex numbers have no order", locus.quantile,
      locus.zeros(3, {dtype = "complex64"}), 0.5)
    assert.equal("2x0", tostring(locus.zeros(0, 3):quantile({0, 1}, 2):size()))
  end)
end)
