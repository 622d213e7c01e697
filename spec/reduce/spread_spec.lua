-- SPDX-License-Identifier: MIT
-- std, var, nanstd and nanvar, bit for bit beside two passes in plain Lua; and x ^ 0.5.
local ffi = require "ffi"
local locus = require "locus"
local arrays = require "spec.support.data.arrays"
local reductions = require "spec.support.models.reductions"
local support = require "spec.support"

local nan, inf = support.nan, math.huge
local FLAT = 2500 -- a row of several blocks of sums

local function raises(message, f, ...)
  assert.equal(message, support.message(f, ...))
end

-- The variance of a list, or its root, in the dtype of the answer.
local function plain(correction, is_root)
  return function(list, dtype)
    local divisor = #list > 0 and math.max(#list - correction, 0) or 0
    return reductions.ops[is_root and "std" or "var"](list, dtype, divisor)
  end
end

-- Finite elements, some of them NaN where the dtype has it.
local function holed(dtype, shape)
  local a = arrays.random(dtype, shape)
  for i, v in ipairs(a.values) do
    if dtype:find("float") and v - v ~= 0 then a.values[i] = i % 3 == 0 and nan or 1.5 end
  end
  return a
end

local function plain_present(correction, name)
  return function(list, dtype) return reductions.ops[name](list, dtype, correction) end
end

-- The same elements in each of the layouts: plain Lua, which is slow, answers once.
local function check(a, layouts, dims, correction, keepdim)
  local set = {}
  for _, d in ipairs(dims) do set[d] = true end
  for _, name in ipairs {"var", "std", "nanvar", "nanstd"} do
    local by_list = #name > 3 and plain_present(correction, name)
      or plain(correction, name == "std")
    local shape, values, dtype = reductions.by_dims(by_list, a, set, keepdim)
    for _, layout in ipairs(layouts) do
      local x = arrays.tensor(a, layout)
      local got = x[name](x, #dims > 1 and dims or dims[1],
        {correction = correction, keepdim = keepdim})
      arrays.check(got, shape, values, dtype, name, layout, correction, a)
    end
  end
end

describe("std and var", function()
  it("are right for every dtype, layout, set of dimensions and correction", function()
    math.randomseed(51)
    for _, dtype in ipairs(support.ordered) do
      for _, layout in ipairs(support.layouts) do
        for _, dims in ipairs {{1}, {2}, {3}, {1, 3}, {3, 2}, {1, 2, 3}} do
          local a = arrays.random(dtype, {2, 3, 5})
          check(a, {layout}, dims, ({0, 1, 0.5, 2, 40})[math.random(5)], math.random(2) == 1)
        end
      end
      check(arrays.random(dtype, {3, FLAT}), support.layouts, {2}, 1, false)
      check(holed(dtype, {FLAT, 3}), support.layouts, {1}, 1, true)
      check(holed(dtype, {70, 9}), support.layouts, {1}, 0, false)
      check(holed(dtype, {3, FLAT}), support.layouts, {2}, 2, false)
    end
  end)

  it("are right for rows that threads share, and for many short ones", function()
    math.randomseed(55)
    for _, dtype in ipairs {"float64", "float32", "bfloat16", "int64"} do
      for _, shape in ipairs {{2, 30000}, {1, 90000}, {1100, 3}, {2, 1030}} do
        check(holed(dtype, shape), support.layouts, {2}, 1, false)
      end
    end
  end)

  it("answer over everything with a number", function()
    math.randomseed(52)
    for _, dtype in ipairs(support.ordered) do
      local a = arrays.random(dtype, {3, 40})
      local x = arrays.tensor(a)
      for _, correction in ipairs {0, 1, 7, -1, -2.5} do
        local options = {correction = correction}
        local var = plain(correction)(a.values, dtype)
        local std = plain(correction, true)(a.values, dtype)
        assert.is_true(support.same_value(x:var(options), var), dtype)
        assert.is_true(support.same_value(x:std(options), std), dtype)
        support.same(x:var{dim = {1, 2}, correction = correction}, {}, {var})
        options.keepdim = true
        support.same(x:std(options), {1, 1}, {std})
      end
    end
    assert.equal("number", type(locus.LongTensor{1, 2}:std()))
  end)

  it("take tables, names, and a dimension from the end", function()
    local x = locus.tensor {{1, 2, 3}, {4, 5, 9}}
    assert.equal(14 / 3, locus.var {{1, 3}, {2, 6}})
    support.same(x:std(-1, {correction = 0}), {2}, {math.sqrt(2 / 3), math.sqrt(14 / 3)})
    support.same(x:var{dim = -2, keepdim = true}, {1, 3}, {4.5, 4.5, 18})
    support.same(locus.var{input = x, dim = {-1, 1}}, {}, {8})
    support.same(x:var{dim = {}}, {}, {8})
  end)

  it("agree with what segment has of one group", function()
    math.randomseed(53)
    for _, dtype in ipairs {"float64", "float32", "int32"} do
      local x = arrays.tensor(arrays.random(dtype, {700}))
      x = dtype == "int32" and x or x:masked_fill(x:isfinite():logical_not(), 3)
      local ids = locus.ones(700, {dtype = "int64"})
      for _, name in ipairs {"std", "var"} do
        assert.is_true(x:segment(ids, name):allclose(x[name](x, 1):unsqueeze(1), 1e-6))
      end
    end
  end)

  it("stay accurate far from zero", function()
    local x = locus.tensor {1e9 + 4, 1e9 + 7, 1e9 + 13, 1e9 + 16}
    assert.equal(30, x:var())
    assert.equal(22.5, x:var{correction = 0})
    assert.equal(math.sqrt(30), x:std())
    assert.equal(0, locus.full(1000, 0.1):float():var())
    assert.equal(30, (locus.LongTensor {4, 7, 13, 16} + 2 ^ 52):var())
    local many = locus.arange(0, 100000) % 2 + 1e9
    assert.is_true(math.abs(many:var{correction = 0} - 0.25) < 1e-14)
  end)

  it("are NaN of one element, beside infinities and NaN, and of nothing", function()
    for _, list in ipairs {{5}, {1, inf}, {-inf, inf, 0}, {1, nan, 2}} do
      for _, dtype in ipairs(support.floats) do
        local x = support.tensor(dtype, list)
        support.same(x:var(1), {}, {nan}, dtype)
        support.same(x:std{dim = 1, keepdim = true}, {1}, {nan}, dtype)
      end
    end
    assert.is_true(support.same_value(nan, locus.tensor(5):std()))
    assert.is_true(support.same_value(nan, locus.zeros(0):var{correction = 0}))
    assert.is_true(support.same_value(nan, locus.zeros(0):var{correction = -1}))
    support.same(locus.zeros(0, 2):std(1), {2}, {nan, nan}, "float64")
    support.same(locus.zeros(0, 2):std(2), {0}, {}, "float64")
    support.same(locus.tensor(5):var{dim = 1, correction = 0}, {}, {0}, "float64")
  end)

  it("pass NaN over in their nan forms", function()
    local x = locus.tensor {{1, nan, 3, 5}, {nan, nan, nan, 7}, {nan, nan, nan, nan}}
    support.same(x:nanvar(2), {3}, {4, nan, nan})
    support.same(x:nanstd(2, {correction = 0, keepdim = true}), {3, 1}, {math.sqrt(8 / 3), 0, nan})
    support.same(x:nanvar{dim = 2, correction = 3}, {3}, {inf, nan, nan})
    support.same(x:nanvar{dim = 2, correction = -1}, {3}, {2, 0, nan})
    assert.equal(x:masked_select(x:isfinite()):std(), x:nanstd())
    support.same(locus.tensor{nan, inf, 1}:nanstd(1), {}, {nan})
    assert.is_true(support.same_value(nan, locus.zeros(0):nanvar{correction = -1}))
    local out = locus.zeros(3)
    assert.equal(out, locus.nanstd(x, 2, {out = out}))
    support.same(out, {3}, {2, nan, nan})
    raises("nanstd: 'input' must be real, got complex64", locus.nanstd,
      locus.zeros(2, {dtype = "complex64"}))
    raises("nanvar: 'correction' must not be NaN", x.nanvar, x, {correction = nan})
    raises("nanvar: 'out' overlaps 'input' in memory; give a separate tensor", x.nanvar, x, 1,
      {out = x:select(1, 1)})
  end)

  it("count elements that are not NaN, in nancount", function()
    local x = locus.tensor {{1, nan, 3}, {nan, nan, inf}}
    assert.equal(3, x:nancount())
    support.same(x:nancount(2), {2}, {2, 1}, "int64")
    support.same(x:nancount({1, 2}, true), {1, 1}, {3}, "int64")
    support.same(locus.nancount(x, -1, true), {2, 1}, {2, 1}, "int64")
    assert.equal(2, locus.nancount {5, nan, 7})
    assert.equal(0, locus.nancount(nan))
    assert.equal(0, locus.zeros(0, 4):nancount())
    support.same(locus.zeros(0, 2):nancount(1), {2}, {0, 0}, "int64")
    support.same(locus.zeros(2, 0):nancount(2), {2}, {0, 0}, "int64")
    assert.equal(4, locus.zeros(4, {dtype = "bool"}):nancount())
    local out = locus.zeros(0, {dtype = "int64"})
    assert.equal(out, x:nancount(1, {out = out}))
    support.same(out, {3}, {1, 0, 2}, "int64")
    raises("nancount: 'out' must be int64, got float64", x.nancount, x, 1, {out = locus.zeros(3)})
    raises("nancount: 'dim' must be in 1..2 or -2..-1, got 3", x.nancount, x, 3)
  end)

  it("divide by zero where the correction leaves nothing", function()
    local x, equal = locus.tensor {1, 2}, locus.tensor {3, 3}
    for _, correction in ipairs {2, 2.5, 100, inf} do
      assert.equal(inf, x:var{correction = correction})
      assert.equal(inf, x:std{correction = correction})
      assert.is_true(support.same_value(nan, equal:var{correction = correction}))
    end
    assert.equal(1, x:var{correction = 1.5})
  end)

  it("write to out", function()
    local x, out = locus.tensor {{1, 2, 3}, {4, 5, 9}}, locus.zeros(2, 2)
    local column = out:select(2, 1)
    assert.equal(column, x:var(2, {out = column}))
    support.same(out, {2, 2}, {1, 0, 7, 0})
    local whole = locus.zeros {}
    assert.equal(whole, x:std{out = whole})
    assert.equal(x:std(), whole:item())
    support.same(x:var{keepdim = true, out = locus.zeros(0)}, {1, 1}, {8})
    local float = locus.zeros(3, {dtype = "float32"})
    support.same(x:float():std(1, {correction = 0, out = float}), {3}, {1.5, 1.5, 3}, "float32")
  end)

  it("give integers the default dtype", function()
    local before = locus.get_default_dtype()
    finally(function() locus.set_default_dtype(before) end)
    locus.set_default_dtype("float32")
    assert.equal("float32", locus.LongTensor {1, 2}:var(1).dtype)
    assert.equal("float64", locus.tensor({1, 2}, {dtype = "float64"}):var(1).dtype)
  end)

  it("say what is wrong with their arguments", function()
    local x = locus.tensor {{1, 2, 3}, {4, 5, 6}}
    raises("std: 'input' must be real, got complex64", locus.std,
      locus.zeros(2, {dtype = "complex64"}))
    raises("var: 'dim' must be in 1..2 or -2..-1, got 3", x.var, x, 3)
    raises("var: 'dim' names a dimension twice", x.var, x, {1, 1})
    raises("std: 'correction' must not be NaN", x.std, x, {correction = nan})
    raises("std: 'correction' must be a number, got the string \"1\"", x.std, x, {correction = "1"})
    raises("var: takes at most 2 arguments by position, got 3; write {keepdim = true}", x.var, x, 1,
           true)
    raises("var: 'input' must be a tensor or a table, got the number 5", locus.var, 5)
    raises("std: 'out' must be of size 3, got 2", x.std, x, 1, {out = locus.zeros(2)})
    raises("std: 'out' must be float64, got float32", x.std, x, 1,
      {out = locus.zeros(3, {dtype = "float32"})})
    raises("var: 'out' overlaps 'input' in memory; give a separate tensor", x.var, x, 1,
      {out = x:select(1, 1)})
    raises("var: 'out' must be a tensor, got the number 5", x.var, x, 1, {out = 5})
    support.same(x, {2, 3}, {1, 2, 3, 4, 5, 6})
  end)
end)

describe("x ^ 0.5", function()
  it("is rounded correctly", function()
    math.randomseed(54)
    local list = {0, inf, 5e-324, 2 ^ 1023, 0.1}
    for i = #list + 1, 3000 do list[i] = math.random() * 2 ^ math.random(-1000, 1000) end
    local roots = support.memory(locus.tensor(list) ^ 0.5, "double")
    for i, v in ipairs(list) do assert.equal(math.sqrt(v), roots[i - 1]) end
    local floats = support.memory(locus.tensor(list):float():abs() ^ 0.5, "float")
    for i, v in ipairs(list) do
      local float = tonumber(ffi.new("float", v))
      assert.equal(tonumber(ffi.new("float", math.sqrt(float))), floats[i - 1])
    end
    support.same(locus.tensor {-0.0, -inf, -1, nan} ^ 0.5, {4}, {0, inf, nan, nan})
  end)
end)
