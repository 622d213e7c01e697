-- SPDX-License-Identifier: MIT
-- norm and logsumexp beside the same in plain Lua.
local core = require "locus.core"
local locus = require "locus"
local arrays = require "spec.support.data.arrays"
local oracle = require "spec.support.models.oracle"
local reductions = require "spec.support.models.reductions"
local support = require "spec.support"

local nan, inf = support.nan, math.huge

local function raises(message, f, ...)
  assert.equal(message, support.message(f, ...))
end

local function real(v) return v == true and 1 or v == false and 0 or tonumber(v) end

local function rounded(answer, dtype)
  local wide = oracle.kind(dtype) > 2 and dtype or "float64"
  return oracle.round(answer, wide), wide
end

-- The norm of a list; that of other powers is computed by C's pow in another order.
local function plain_norm(p)
  return function(list, dtype)
    local size, nonzero, greatest, least = {}, 0, 0, inf
    for i, v in ipairs(list) do
      size[i] = math.abs(real(v))
      if size[i] ~= 0 then nonzero = nonzero + 1 end
      if size[i] ~= size[i] then greatest, least = nan, nan end
      if size[i] > greatest then greatest = size[i] end
      if size[i] < least then least = size[i] end
    end
    if p == 0 then return rounded(nonzero, dtype) end
    if p == inf then return rounded(greatest, dtype) end
    if p == -inf then return rounded(least, dtype) end
    if p == 1 or p == 2 then return reductions.ops["norm" .. p](list, dtype) end
    local powers = {}
    for i, v in ipairs(size) do powers[i] = v ^ p end
    return rounded(reductions.ops.sum(powers, "float64") ^ (1 / p), dtype)
  end
end

-- Whether two answers are the same, or differ in the last places of a dtype only.
local function near(got, want, places)
  for i, v in ipairs(want) do
    local g = got[i]
    if not (g == v or g ~= g and v ~= v or math.abs(g - v) <= places * math.abs(v)) then
      error(("element %d: expected %.17g, got %.17g"):format(i, v, g), 2)
    end
  end
  assert.equal(#want, #got)
end

local PLACES = {float16 = 2 ^ -10, bfloat16 = 2 ^ -7, float32 = 2 ^ -22}

describe("norm", function()
  it("is right for every dtype, layout, dimension and power", function()
    math.randomseed(61)
    for _, dtype in ipairs(support.ordered) do
      for _, layout in ipairs(support.layouts) do
        for _, p in ipairs {2, 1, 0, inf, -inf} do
          for _, shape in ipairs {{2, 3, 5}, {40, 9}} do
            local a = arrays.random(dtype, shape)
            local x = arrays.tensor(a, layout)
            for dim = 1, #shape do
              local reduced = {}
              reduced[dim] = true
              local sizes, values, answer = reductions.by_dims(plain_norm(p), a, reduced, false)
              arrays.check(x:norm(p, dim), sizes, values, answer, p, layout, dim, a)
            end
            assert.is_true(support.same_value((plain_norm(p)(a.values, dtype)), x:norm(p)))
          end
        end
      end
    end
  end)

  it("takes any other power", function()
    math.randomseed(62)
    for _, dtype in ipairs(support.ordered) do
      for _, p in ipairs {3, 0.5, 4, -1, -2.5} do
        local a = arrays.random(dtype, {4, 6})
        local x = arrays.tensor(a, "transposed")
        local _, values, answer = reductions.by_dims(plain_norm(p), a, {false, true}, false)
        local got = x:norm(p, 2)
        assert.equal(answer, got.dtype)
        near(got:totable(), values, PLACES[answer] or 1e-12)
      end
    end
  end)

  it("takes dims, keepdim, dtype, out, names, tables and numbers", function()
    local x = locus.tensor({{3, -4}, {0, 12}})
    assert.equal(13, x:norm())
    assert.equal(13, x:norm("fro"))
    assert.equal(13, locus.norm{{{3, -4}, {0, 12}}, p = 2})
    support.same(x:norm(2, 2), {2}, {5, 12}, "float64")
    support.same(x:norm(1, {1, 2}, true), {1, 1}, {19}, "float64")
    support.same(x:norm{keepdim = true}, {1, 1}, {13}, "float64")
    support.same(x:norm{dim = {}}, {}, {13}, "float64")
    support.same(x:norm(2, {2}, {dtype = "float32"}), {2}, {5, 12}, "float32")
    support.same(locus.tensor(-3):norm(2, 1), {}, {3}, "float64")
    support.same(x:long():norm(2, 2), {2}, {5, 12}, "float64")
    locus.set_default_dtype("float32")
    local default = x:long():norm(2, 2)
    locus.set_default_dtype("float64")
    support.same(default, {2}, {5, 12}, "float32")
    local out = locus.zeros(2, 2):select(2, 1)
    assert.equal(out, x:norm(2, 2, {out = out}))
    support.same(out, {2}, {5, 12}, "float64")
  end)

  it("has an answer of nothing, except for extremes and negative powers", function()
    local none = locus.zeros(0, 3)
    for _, p in ipairs {2, 1, 0, 3} do
      assert.equal(0, none:norm(p))
      support.same(none:norm(p, 1), {3}, {0, 0, 0}, "float64")
    end
    for _, p in ipairs {inf, -inf, -1} do
      raises("norm: 'input' has no elements", locus.norm, locus.zeros(0), p)
      raises("norm: 'input' of size 0x3 has no elements along dimension 1", none.norm, none, p, 1)
      support.same(none:norm(p, 2), {0}, {}, "float64")
    end
  end)

  it("is computed in float64", function()
    assert.equal(oracle.round(1e30, "float32"), locus.FloatTensor{1e30}:norm())
    assert.equal(oracle.round(1e30, "float32"), locus.FloatTensor{1e30}:norm(3))
    local least = support.range.int64[1]
    assert.equal(2 ^ 63, support.tensor("int64", {least, 5}):norm(inf))
    assert.equal(2 ^ 63, support.tensor("int64", {least}):norm())
    assert.equal(1e200, locus.norm({1e200}))
    assert.equal(65504, support.tensor("float16", {65504}):norm())
    assert.equal(2, locus.norm({nan, 1, 0}, 0))
    assert.is_true(locus.norm({nan, inf}, inf) ~= locus.norm({nan, inf}, inf))
  end)

  it("says what is wrong with its arguments", function()
    local x = locus.tensor({{3, -4}})
    raises("norm: 'p' must be a number or \"fro\", got the string \"nuc\"", x.norm, x, "nuc")
    raises("norm: 'p' must be a number or \"fro\", got the number nan", x.norm, x, nan)
    raises("norm: 'dtype' must be a float dtype, got int64", x.norm, x, {dtype = "int64"})
    raises("norm: 'input' must be real, got complex64", locus.norm,
           locus.zeros(2, {dtype = "complex64"}))
    raises("norm: 'input' must be a tensor or a table, got the number -3", locus.norm, -3)
    raises("norm: 'dim' must be in 1..2 or -2..-1, got 3", x.norm, x, 2, 3)
    raises("norm: 'out' must be of size 1, got 3", x.norm, x, 2, 2, {out = locus.zeros(3)})
    raises("norm: 'out' must be float64, got float32", x.norm, x, 2, 2,
           {out = locus.FloatTensor()})
    raises("norm: 'out' overlaps 'input' in memory; give a separate tensor", x.norm, x, 2, 1,
           {out = x:select(1, 1)})
    support.same(x, {1, 2}, {3, -4})
  end)

  it("stands on sums that have oracles", function()
    math.randomseed(63)
    for _, op in ipairs {"norm1", "norm2"} do
      for _, dtype in ipairs(support.ordered) do
        for _, layout in ipairs(support.layouts) do
          for _, shape in ipairs {{40, 3}, {1, 2100}, {70, 9}} do
            local a = arrays.random(dtype, shape)
            for dim = 1, 2 do
              local sizes, values, answer =
                reductions.by_dims(reductions.ops[op], a, {dim == 1, dim == 2}, false)
              arrays.check(core.internal[op](arrays.tensor(a, layout), dim), sizes, values, answer,
                           op, layout, dim, dtype)
            end
          end
        end
      end
    end
  end)
end)

describe("logsumexp", function()
  -- In float64, without a greatest element taken out, which small numbers do not need.
  local function plain(list, dtype)
    local sum = 0
    for _, v in ipairs(list) do sum = sum + math.exp(real(v)) end
    return rounded(math.log(sum), dtype)
  end

  it("is right for every dtype, layout and dimension", function()
    math.randomseed(64)
    for _, dtype in ipairs(support.ordered) do
      for _, layout in ipairs(support.layouts) do
        for _, shape in ipairs {{2, 3, 5}, {40, 9}} do
          local a = arrays.random(dtype, shape, true)
          local x = arrays.tensor(a, layout)
          for dim = 1, #shape do
            local reduced = {}
            reduced[dim] = true
            local sizes, values, answer = reductions.by_dims(plain, a, reduced, true)
            local got = x:logsumexp(dim, true)
            assert.equal(answer, got.dtype)
            assert.equal(table.concat(sizes, "x"), tostring(got.shape))
            near(got:flatten():totable(), values, PLACES[answer] or 1e-13)
          end
        end
      end
    end
  end)

  it("neither overflows nor loses infinities and NaN", function()
    assert.equal(1000 + math.log(2), locus.logsumexp({1000, 1000}))
    assert.equal(-1000 + math.log(2), locus.logsumexp({-1000, -1000}))
    local x = locus.tensor({{inf, 1}, {inf, -inf}, {-inf, -inf}, {-inf, 5}, {nan, inf}})
    support.same(x:logsumexp(2), {5}, {inf, inf, -inf, 5, nan}, "float64")
    support.same(x:float():logsumexp(-1), {5}, {inf, inf, -inf, 5, nan}, "float32")
    support.same(locus.zeros(0, 3):logsumexp(1), {3}, {-inf, -inf, -inf}, "float64")
    support.same(locus.zeros(0, 3):logsumexp(2), {0}, {}, "float64")
    assert.equal(-inf, locus.logsumexp({}))
  end)

  it("takes dims, keepdim, out and names", function()
    local x = locus.zeros(2, 3)
    local log6 = math.log(6)
    assert.equal(log6, x:logsumexp())
    support.same(x:logsumexp({1, 2}), {}, {log6}, "float64")
    support.same(x:logsumexp({1, 2}, true), {1, 1}, {log6}, "float64")
    support.same(locus.logsumexp{x, dim = 1}, {3}, {math.log(2), math.log(2), math.log(2)})
    local out = locus.zeros(0)
    assert.equal(out, x:logsumexp(2, {out = out}))
    support.same(out, {2}, {math.log(3), math.log(3)})
    support.same(x, {2, 3}, {0, 0, 0, 0, 0, 0})
    raises("logsumexp: 'input' must be real, got complex128", locus.logsumexp,
           locus.zeros(2, {dtype = "complex128"}))
    raises("logsumexp: 'dim' must be in 1..2 or -2..-1, got 3", x.logsumexp, x, 3)
    raises("logsumexp: 'out' must be of size 2, got 4", x.logsumexp, x, 2,
           {out = locus.zeros(4)})
  end)
end)
