-- SPDX-License-Identifier: MIT
-- min, max, argmin, argmax.
local locus = require "locus"
local arrays = require "spec.support.data.arrays"
local reductions = require "spec.support.models.reductions"
local support = require "spec.support"

local nan, inf = support.nan, math.huge

local function raises(message, f, ...)
  assert.equal(message, support.message(f, ...))
end

local function plus(values, n)
  local moved = {}
  for i, v in ipairs(values) do moved[i] = v + n end
  return moved
end

describe("an extreme", function()
  it("is min or max, and nothing else", function()
    support.covers("reduce", {min = true, max = true}, "ELEMENT")
  end)

  for _, op in ipairs {"min", "max"} do
    local function by_dims(...) return reductions.by_dims(reductions.ops[op], ...) end
    local function places_by_dims(...) return reductions.by_dims(reductions["arg" .. op], ...) end

    it(op .. " is right for every dtype, layout and dimension", function()
      math.randomseed(21)
      for _, dtype in ipairs(support.ordered) do
        for _, layout in ipairs(support.layouts) do
          local a = arrays.random(dtype, {4, 3, 5})
          local x = arrays.tensor(a, layout)
          for dim = 1, 3 do
            for _, keepdim in ipairs {false, true} do
              local shape, values = by_dims(a, {[dim] = true}, keepdim)
              local _, at = places_by_dims(a, {[dim] = true}, keepdim)
              local v, i = x[op](x, dim, keepdim)
              arrays.check(v, shape, values, dtype, op, a, dim)
              arrays.check(i, shape, at, "int64", op, a, dim)
              local zero = x["arg" .. op](x, dim - 4, keepdim, {base = 0})
              arrays.check(zero, shape, plus(at, -1), "int64", op, a, dim)
            end
          end
          local got, at = x[op](x), x["arg" .. op](x)
          assert.is_true(support.same_value(got, (reductions.ops[op](a.values, dtype))))
          assert.equal((reductions["arg" .. op](a.values)), at)
          assert.equal(at - 1, x["arg" .. op](x, {base = 0}))
        end
      end
    end)

    it(op .. " is right along long rows", function()
      math.randomseed(22)
      for _, dtype in ipairs(support.ordered) do
        for _, n in ipairs {1024, 1025, 2500} do
          local a = arrays.random(dtype, {2, n}, dtype ~= "float64")
          local _, values = by_dims(a, {false, true})
          local _, at = places_by_dims(a, {false, true})
          for _, layout in ipairs(support.layouts) do
            local v, i = arrays.tensor(a, layout)[op](arrays.tensor(a, layout), 2)
            arrays.check(v, {2}, values, dtype, op, n)
            arrays.check(i, {2}, at, "int64", op, n)
          end
        end
      end
    end)
  end

  -- min and max of a table of dimensions, amin and amax of any.
  local BY_NAME = {min = "amin", max = "amax"}
  for op, name in pairs(BY_NAME) do
    local function by_dims(...) return reductions.by_dims(reductions.ops[op], ...) end

    it(op .. " and " .. name .. " give the values alone over several dimensions", function()
      math.randomseed(23)
      for _, dtype in ipairs(support.ordered) do
        for _, layout in ipairs(support.layouts) do
          local a = arrays.random(dtype, {3, 2, 4})
          local x = arrays.tensor(a, layout)
          for _, dims in ipairs {{1}, {3}, {1, 2}, {3, 1}, {2, 3}, {1, 2, 3}} do
            local set = {}
            for _, d in ipairs(dims) do set[d] = true end
            for _, keepdim in ipairs {false, true} do
              local shape, values = by_dims(a, set, keepdim)
              for _, f in ipairs {op, name} do
                local v, more = x[f](x, dims, keepdim)
                arrays.check(v, shape, values, dtype, f, a, table.concat(dims, " "))
                assert.is_nil(more)
              end
              if #dims == 1 then
                local v, more = locus[name](x, dims[1] - 4, keepdim)
                arrays.check(v, shape, values, dtype, name, a, dims[1])
                assert.is_nil(more)
              end
            end
          end
          local whole = reductions.ops[op](a.values, dtype)
          assert.is_true(support.same_value(whole, x[name](x)))
          assert.is_true(support.same_value(whole, x[name](x, {dim = {}}):item()))
          assert.is_true(support.same_value(whole, x[op](x, {dim = {}}):item()))
        end
      end
    end)
  end

  it("of nothing is an error, unless nothing is asked for", function()
    for _, op in ipairs {"amin", "amax", "max"} do
      local f = locus[op]
      raises(op .. ": 'input' has no elements", f, locus.zeros(0))
      raises(op .. ": 'input' has no elements", f, locus.zeros(0), {1})
      raises(op .. ": 'input' of size 2x0 has no elements along dimension 2", f,
             locus.zeros(2, 0), {1, 2})
      support.same(f(locus.zeros(2, 0, 3), {1, 3}), {0}, {}, "float64")
    end
    assert.equal(5, locus.amax(5))
    support.same(locus.amax(5, 1), {}, {5}, "float64")
    assert.is_true(locus.amin({1, nan, 2}) ~= locus.amin({1, nan, 2}))
  end)

  it("has a position in C order also with keepdim or out", function()
    local x, out = locus.tensor({{3, 9, 1}, {8, 2, 8}}), locus.LongTensor()
    support.same(x:argmax{keepdim = true}, {1, 1}, {2}, "int64")
    support.same(x:t():argmax(nil, true, {base = 0}), {1, 1}, {2}, "int64")
    assert.equal(out, x:argmin{out = out})
    support.same(out, {}, {3}, "int64")
    support.same(locus.argmax(locus.tensor(4), {keepdim = true}), {}, {1}, "int64")
  end)

  it("is NaN where there is one, at the first one's position", function()
    for _, dtype in ipairs(support.floats) do
      local x = support.tensor(dtype, {1, nan, -inf, inf, nan})
      for _, op in ipairs {"min", "max"} do
        local v, i = x[op](x, 1)
        support.same(v, {}, {nan}, dtype)
        support.same(i, {}, {2}, "int64")
        assert.is_true(x[op](x) ~= x[op](x))
        assert.equal(2, x["arg" .. op](x))
      end
    end
    local late = locus.zeros(5000)
    late[4000] = nan
    assert.equal(4000, late:argmin())
    assert.equal(4000, late:argmax())
  end)

  it("is the first of equal elements, the two zeros being equal #native", function()
    local x = locus.tensor({3, 1, 3, 1})
    assert.equal(1, x:argmax())
    assert.equal(2, x:argmin())
    local zeros = locus.tensor({0, -0.0})
    assert.equal(1, zeros:argmin())
    assert.equal(inf, 1 / zeros:min())
    zeros = locus.tensor({-0.0, 0})
    assert.equal(1, zeros:argmax())
    assert.equal(-inf, 1 / zeros:max())
    assert.equal(1, locus.full({3000}, 7):argmax())
  end)

  it("knows the ends of every integer dtype", function()
    for _, dtype in ipairs(support.integers) do
      local low, high = unpack(support.range[dtype])
      local x = support.tensor(dtype, {1, high, low, 0})
      assert.is_true(support.same_value(x:min(), low))
      assert.is_true(support.same_value(x:max(), high))
      assert.equal(3, x:argmin())
      assert.equal(2, x:argmax())
    end
  end)

  it("takes bools, tables, numbers, 0-d tensors and names", function()
    assert.is_true(locus.max({true, false}))
    assert.is_false(locus.min({true, false}))
    assert.equal(3, locus.max({{1, 3}, {2, 0}}))
    assert.equal(2, locus.argmax({{1, 3}, {2, 0}}))
    assert.equal(5, locus.min(5))
    assert.equal(1, locus.argmin(5))
    local v, i = locus.max(locus.tensor(5), -1)
    support.same(v, {}, {5}, "float64")
    support.same(i, {}, {1}, "int64")
    v, i = locus.min{{{1, 3}, {2, 0}}, dim = 2, keepdim = true, base = 0}
    support.same(v, {2, 1}, {1, 0})
    support.same(i, {2, 1}, {0, 1})
    support.same(locus.argmin{input = {{1, 3}, {2, 0}}, dim = 1}, {2}, {1, 2}, "int64")
  end)

  it("needs something to choose from", function()
    local none = locus.zeros(0)
    for _, op in ipairs {"min", "max", "argmin", "argmax"} do
      local f = locus[op]
      raises(op .. ": 'input' has no elements", f, none)
      raises(op .. ": 'input' has no elements", f, none, 1)
      raises(op .. ": 'input' has no elements", f, locus.zeros(0, 3))
      raises(op .. ": 'input' of size 2x0 has no elements along dimension 2", f,
             locus.zeros(2, 0), 2)
      local v, i = f(locus.zeros(2, 0), 1)
      assert.equal("0", tostring(v:size()))
      assert.equal(op:sub(1, 3) ~= "arg" and "0" or nil, i and tostring(i:size()))
    end
  end)

  it("says what is wrong with its arguments", function()
    local x = locus.tensor({{1, 2, 3}})
    local z = locus.zeros(2, {dtype = "complex64"})
    for _, op in ipairs {"min", "max", "argmin", "argmax"} do
      local f = locus[op]
      raises(op .. ": 'input' is complex64, and complex numbers have no order", f, z)
      raises(op .. ": 'input' is complex64, and complex numbers have no order", f, z, 1)
      raises(op .. ": 'dim' must be in 1..2 or -2..-1, got -3", f, x, -3)
      raises(op .. ": 'base' must be 1 or 0, got the number 2", f, x, {base = 2})
      raises(op .. ": 'input' must be a tensor, a table or a number, got the string \"x\"", f, "x")
    end
    for _, op in ipairs {"argmin", "argmax"} do
      raises(op .. ": 'dim' must be a dimension, got a table", locus[op], x, {1, 2})
    end
    for _, op in ipairs {"max", "amax"} do
      raises(op .. ": 'dim' must be in 1..2 or -2..-1, got 3", x[op], x, {1, 3})
      raises(op .. ": 'dim' names a dimension twice", x[op], x, {2, -1})
      raises(op .. ": 'input' is complex64, and complex numbers have no order", z[op], z, {1})
      raises(op .. ": 'input' is complex64, and complex numbers have no order", z[op], z)
    end
    assert.matches("amax: there is no argument 'base'", support.message(x.amax, x, {base = 1}))
    raises("max: 'dim' must be a dimension, got a float64 tensor of size 1x3; write "
           .. "locus.maximum(a, b)", x.max, x, x)
  end)

  it("writes to out", function()
    local x = locus.tensor({{1, 9, 3}, {4, 5, 6}})
    local v, i = locus.zeros(2), locus.zeros(2, 2, {dtype = "int64"}):select(2, 1)
    local a, b = x:max(2, {out = {v, i}})
    assert.equal(v, a)
    assert.equal(i, b)
    support.same(v, {2}, {9, 6})
    support.same(i, {2}, {2, 3})
    assert.equal(v, x:max({2}, {out = v}))
    assert.equal(v, x:amax(2, {out = v}))
    support.same(v, {2}, {9, 6})
    local most = locus.tensor(0)
    for _, op in ipairs {"max", "amax"} do
      assert.equal(most, x[op](x, {out = most:zero_()}))
      assert.equal(9, most:item())
    end
    local at = locus.zeros(0, {dtype = "int64"})
    assert.equal(at, x:argmin(1, true, {out = at, base = 0}))
    support.same(at, {1, 3}, {0, 1, 0}, "int64")
  end)

  it("leaves everything alone when out is wrong", function()
    local x = locus.tensor({{1, 9, 3}, {4, 5, 6}})
    local v, i = locus.zeros(2), locus.zeros(2, {dtype = "int64"})
    local long = locus.zeros(2, 3, {dtype = "int64"})
    local function out(...) return x.max, x, 2, {out = ...} end
    raises("max: 'out' must be a table of two tensors, {values, indices}, got a float64 tensor of "
           .. "size 2", out(v))
    raises("max: 'out' must be a table of two tensors, {values, indices}; at 2 it has nil",
           out({v}))
    raises("max: 'out[2]' must be int64, got float64", out({v, locus.zeros(2)}))
    raises("max: 'out[1]' must be float64, got int64", out({i, v}))
    raises("max: 'out[2]' must be of size 2, got 2x3", out({v, long}))
    raises("max: 'out[1]' overlaps 'input' in memory; give a separate tensor",
           out({x:select(2, 1), i}))
    local both = long:select(2, 1)
    raises("max: 'out[2]' overlaps 'out[1]' in memory; give a separate tensor", long.max, long, 2,
           {out = {i, i:view(2)}})
    raises("max: 'out' holds the same tensor twice", long.max, long, 2, {out = {i, i}})
    raises("max: 'out' must be a tensor, got a table", x.max, x, {out = {v, i}})
    raises("max: 'out' must be a tensor, got a table", x.max, x, {1, 2}, {out = {v, i}})
    raises("amin: 'out' must be a tensor, got a table", x.amin, x, 1, {out = {v, i}})
    raises("amin: 'out' must be of size 3, got 2", x.amin, x, 1, {out = v})
    raises("argmax: 'out' overlaps 'input' in memory; give a separate tensor", long.argmax, long,
           2, {out = both})
    support.same(v, {2}, {0, 0})
    support.same(i, {2}, {0, 0})
    support.same(x, {2, 3}, {1, 9, 3, 4, 5, 6})
  end)
end)
