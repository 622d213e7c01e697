-- SPDX-License-Identifier: MIT
-- kthvalue, topk, median and nanmedian, compared with a stable sort in plain Lua.
local locus = require "locus"
local arrays = require "spec.support.data.arrays"
local rows = require "spec.support.models.rows"
local support = require "spec.support"

local nan, inf, same = support.nan, math.huge, support.same

local function raises(message, f, ...)
  assert.equal(message, support.message(f, ...))
end

-- Rows that are sorted and rows that are selected from, along every dimension.
local SHAPES = {{1}, {7}, {100}, {101}, {3, 4, 5}, {2, 130}, {130, 2}, {3, 110, 2}}

-- Answers for each row, lists of places in it, against what f gives.
local function check(f, a, dim, shape, places, count)
  local values, index = {}, {}
  for r, row in ipairs(rows.along(a, dim)) do
    values[r], index[r] = {}, places(row)
    for k, place in ipairs(index[r]) do values[r][k] = row[place] end
  end
  local v, i = f(arrays.tensor(a))
  arrays.check(v, shape, rows.placed(values, a, dim, count), a.dtype, dim, a)
  arrays.check(i, shape, rows.placed(index, a, dim, count), "int64", dim, a)
end

local function for_each_array(seed, body)
  math.randomseed(seed)
  for _, dtype in ipairs(support.sample(support.ordered, 4)) do
    for _, shape in ipairs(SHAPES) do
      local a = arrays.random(dtype, shape)
      for dim = 1, #shape do body(a, dim, shape[dim]) end
    end
  end
end

describe("kthvalue", function()
  it("is what sort has there", function()
    for_each_array(51, function(a, dim, n)
      local k = math.random(n)
      check(function(x) return x:kthvalue(k, dim) end, a, dim, rows.shape(a, dim),
        function(row) return {rows.order(row)[k]} end, 1)
    end)
  end)

  it("takes the last dimension unless told, keeps it, counts from base", function()
    local x = locus.tensor {{3, 1, 2}, {nan, 5, 4}}
    local v, i = x:kthvalue(2)
    same(v, {2}, {2, 5})
    same(i, {2}, {3, 2})
    v, i = locus.kthvalue {input = x, k = 3, dim = -1, keepdim = true, base = 0}
    same(v, {2, 1}, {3, nan})
    same(i, {2, 1}, {0, 0})
    v, i = locus.tensor(5):kthvalue(1)
    same(v, {}, {5})
    same(i, {}, {1}, "int64")
    same((locus.kthvalue({4, 2}, 1)), {}, {2})
    assert.equal("0x1", tostring(locus.zeros(0, 3):kthvalue(1, 2, true):size()))
  end)

  it("keeps int64 past 2^53", function()
    local near = arrays.int64("9007199254740993")
    local list = {}
    for i = 0, 200 do list[i + 1] = near + (i * 77) % 201 end
    local x = support.tensor("int64", list)
    same((x:kthvalue(1)), {}, {near})
    same((x:kthvalue(151)), {}, {near + 150})
    same((x[{ {1, 50} }]:kthvalue(2)), {}, {near + 1}) -- 47 * 77 = 18 * 201 + 1
  end)

  it("says which k is not there", function()
    local x = locus.zeros(2, 3)
    raises("kthvalue: 'k' must lie in 1..3, the elements along dimension 2, got 4", x.kthvalue, x,
      4)
    raises("kthvalue: 'k' must lie in 1..2, the elements along dimension 1, got 0", x.kthvalue, x,
      0, 1)
    raises("kthvalue: 'k' must lie in 1..0, the elements along dimension 1, got 1", locus.kthvalue,
      locus.zeros(0), 1)
    raises("kthvalue: 'k' is missing", x.kthvalue, x)
    raises("kthvalue: 'input' is complex64, and complex numbers have no order", locus.kthvalue,
      locus.zeros(3, {dtype = "complex64"}), 1)
  end)
end)

describe("topk", function()
  it("is the beginning of sort", function()
    for_each_array(52, function(a, dim, n)
      for _, k in ipairs {0, 1, math.ceil(n / 40), math.random(n), n} do
        local largest = k % 2 == 0
        local function first(row) return {unpack(rows.order(row, largest), 1, k)} end
        check(function(x) return x:topk(k, dim, largest) end, a, dim, rows.shape(a, dim, k), first,
          k)
      end
    end)
  end)

  it("gives the greatest first, of equal ones the first, NaN before all", function()
    local x = locus.tensor {3, nan, 9, 9, -inf}
    local v, i = x:topk(3)
    same(v, {3}, {nan, 9, 9})
    same(i, {3}, {2, 3, 4}, "int64")
    v, i = locus.topk {input = x, k = 2, largest = false, sorted = false, base = 0}
    same(v, {2}, {-inf, 3})
    same(i, {2}, {4, 0}, "int64")
    same((locus.tensor(5):topk(1)), {}, {5})
  end)

  it("takes from rows that are too long to sort", function()
    local x = locus.arange(300000):mul(7919):remainder(300007)
    local v, i = x:topk(5)
    local sorted, from = x:sort(1, true)
    same(v, {5}, support.values(sorted[{ {1, 5} }]))
    same(i, {5}, support.values(from[{ {1, 5} }]), "int64")
  end)

  it("says which k is not there", function()
    local x = locus.zeros(2, 3)
    raises("topk: 'k' must lie in 0..3, the elements along dimension 2, got 4", x.topk, x, 4)
    raises("topk: 'k' must lie in 0..2, the elements along dimension 1, got -1", x.topk, x, -1, 1)
    raises("topk: 'k' must lie in 1..1, the elements along dimension 1, got 0", locus.topk,
      locus.tensor(5), 0)
    raises("topk: 'input' is complex128, and complex numbers have no order", locus.topk,
      locus.zeros(3, {dtype = "complex128"}), 2)
  end)
end)

-- Where the median of a row stands.
local function middle(row, skips_nan)
  local at, numbers = rows.order(row), 0
  for _, v in ipairs(row) do numbers = numbers + (v == v and 1 or 0) end
  if numbers < #row and (not skips_nan or numbers == 0) then return {at[numbers + 1]} end
  return {at[math.floor((numbers + 1) / 2)]}
end

describe("median and nanmedian", function()
  for _, name in ipairs {"median", "nanmedian"} do
    it("is right along a dimension: " .. name, function()
      for_each_array(53, function(a, dim)
        local function place(row) return middle(row, name == "nanmedian") end
        check(function(x) return x[name](x, dim) end, a, dim, rows.shape(a, dim), place, 1)
      end)
    end)

    it("is the same of all elements, as a number: " .. name, function()
      for_each_array(54, function(a, dim)
        if dim > 1 then return end
        local wanted = a.values[middle(a.values, name == "nanmedian")[1]]
        local got = locus[name](arrays.tensor(a))
        assert.is_true(support.same_value(got, wanted == 0 and 0 or wanted), arrays.show(a))
      end)
    end)
  end

  it("is the lower of two, where quantile(0.5) is the mean of both", function()
    local x = locus.tensor {4, 1, 3, 2}
    assert.equal(2, x:median())
    assert.equal(2.5, x:quantile(0.5))
    local v, i = x:median(1)
    same(v, {}, {2})
    same(i, {}, {4}, "int64")
  end)

  it("is NaN where there is one; nanmedian leaves them out", function()
    local x = locus.tensor {{1, nan, 3, nan}, {nan, nan, nan, nan}, {1, 4, 2, 3}}
    local v, i = x:median(2)
    same(v, {3}, {nan, nan, 2})
    same(i, {3}, {2, 1, 3})
    v, i = x:nanmedian(2, true, {base = 0})
    same(v, {3, 1}, {1, nan, 2})
    same(i, {3, 1}, {0, 0, 2})
    assert.is_true(x:median() ~= x:median())
    assert.equal(2, x:nanmedian())
  end)

  it("stays a tensor over everything with keepdim or out", function()
    local x, out = locus.tensor {{5, 1}, {3, 9}}, locus.zeros(0)
    same(x:median(nil, true), {1, 1}, {3})
    assert.equal(out, x:median {out = out})
    same(out, {}, {3})
  end)

  it("says where nothing is", function()
    raises("median: 'input' has no elements", locus.median, locus.zeros(0, 3))
    raises("nanmedian: 'input' has no elements along dimension 1", locus.nanmedian,
      locus.zeros(0, 3), 1)
    raises("median: 'input' is complex64, and complex numbers have no order", locus.median,
      locus.zeros(3, {dtype = "complex64"}))
    assert.equal("0", tostring(locus.zeros(0, 3):median(2):size()))
  end)
end)

describe("out of these", function()
  it("is written to, in any layout", function()
    local x = locus.tensor {{3, 9, 1}, {8, 2, 7}}
    local v, i = locus.zeros(2, 2):select(2, 1), locus.zeros(0, {dtype = "int64"})
    local a, b = x:median(2, {out = {v, i}})
    assert.equal(v, a)
    assert.equal(i, b)
    same(v, {2}, {3, 7})
    same(i, {2}, {1, 3})
    local most = {locus.zeros(2, 1), locus.zeros(2, 1, {dtype = "int64"})}
    assert.equal(most[1], (x:topk(1, 2, {out = most})))
    same(most[1], {2, 1}, {9, 8})
    x:kthvalue(1, 2, true, {out = most})
    same(most[2], {2, 1}, {3, 2})
  end)

  it("is left alone when it is wrong", function()
    local x, v = locus.tensor {{3, 9, 1}, {8, 2, 7}}, locus.full({2}, 5)
    local i, long = locus.zeros(2, {dtype = "int64"}), locus.zeros(2, 3, {dtype = "int64"})
    local function out(...) return x.median, x, 2, {out = ...} end
    raises("median: 'out' must be a table of two tensors, {values, indices}, got a float64 tensor "
      .. "of size 2", out(v))
    raises("median: 'out' must be a table of two tensors, {values, indices}; at 2 it has nil",
      out {v})
    raises("median: 'out[2]' must be int64, got float64", out {v, locus.zeros(2)})
    raises("median: 'out[1]' must be float64, got int64", out {i, v})
    raises("median: 'out[2]' must be of size 2, got 2x3", out {v, long})
    raises("median: 'out[1]' overlaps 'input' in memory; give a separate tensor",
      out {x:select(2, 1), i})
    raises("median: 'out' holds the same tensor twice", out {v, v})
    raises("topk: 'out[1]' must be of size 2x1, got 2", x.topk, x, 1, {out = {v, i}})
    raises("kthvalue: 'out[2]' must be of size 2, got 2x3", x.kthvalue, x, 1, {out = {v, long}})
    raises("median: 'out' must be a tensor, got a table", x.median, x, {out = {v, i}})
    same(v, {2}, {5, 5})
    same(x, {2, 3}, {3, 9, 1, 8, 2, 7})
  end)
end)
