-- SPDX-License-Identifier: MIT
-- is_sorted and rank, compared with the one order in plain Lua.
local locus = require "locus"
local arrays = require "spec.support.data.arrays"
local oracle = require "spec.support.models.oracle"
local rows = require "spec.support.models.rows"
local support = require "spec.support"

local nan, same = support.nan, support.same

local function raises(message, f, ...)
  assert.equal(message, support.message(f, ...))
end

-- Whether each element of a list may stand behind the one before it.
local function in_order(row, descending, strict)
  for i = 2, #row do
    local a, b = row[i - 1], row[i]
    if descending then a, b = b, a end
    if oracle.before(b, a) or strict and not oracle.before(a, b) then return false end
  end
  return true
end

-- Puts most rows of the last dimension in order.
local function ordered(a, descending)
  arrays.sort_rows(a, descending)
  if math.random(3) == 1 and #a.values > 1 then
    local i = math.random(#a.values - 1)
    a.values[i], a.values[i + 1] = a.values[i + 1], a.values[i]
  end
  return a
end

local SHAPES = {{1}, {2}, {5}, {3, 2}, {4, 70}, {700}, {2, 3, 2}, {0}, {3, 0}, {0, 3}}

describe("is_sorted", function()
  it("tells of every row along every dimension, in every dtype and layout", function()
    math.randomseed(171)
    for _, dtype in ipairs(support.ordered) do
      for _, shape in ipairs(SHAPES) do
        for dim = 1, #shape do
          local descending, strict = math.random(2) == 1, math.random(2) == 1
          local a = ordered(arrays.random(dtype, shape), descending)
          local options = {descending = descending, strict = strict}
          local want, all = {}, true
          for r, row in ipairs(rows.along(a, #shape)) do
            want[r] = in_order(row, descending, strict)
            all = all and want[r]
          end
          for r = #want + 1, support.numel(rows.shape(a, #shape)) do want[r] = true end
          local order = {}
          for d = 1, #shape do order[d] = d < dim and d or d - 1 end
          order[dim] = #shape -- the rows of the last dimension now lie along dim
          local x = arrays.tensor(a):permute(order)
          same(x:is_sorted(dim, options), rows.shape(a, #shape), want, "bool")
          if dim == #shape then assert.equal(all, x:is_sorted(options), arrays.show(a)) end
        end
      end
    end
  end)

  it("has NaN last, once where strict, and takes -0 for 0", function()
    assert.is_true(locus.is_sorted{1, 2, nan, -nan})
    assert.is_false(locus.is_sorted{1, nan, 2})
    assert.is_false(locus.is_sorted({1, nan, nan}, {strict = true}))
    assert.is_true(locus.is_sorted({1, nan}, {strict = true}))
    assert.is_false(locus.is_sorted({1, 2, nan}, {descending = true}))
    assert.is_true(locus.is_sorted({nan, nan, 2, 1}, {descending = true}))
    assert.is_false(locus.is_sorted({nan, nan, 2, 1}, {descending = true, strict = true}))
    assert.is_true(locus.is_sorted{0, -0.0, 0})
    assert.is_false(locus.is_sorted({-0.0, 0}, {strict = true}))
  end)

  it("tells int64 past 2^53 apart", function()
    local big = support.integer("9007199254740993")
    assert.is_false(support.tensor("int64", {big, big - 1}):is_sorted())
    assert.is_true(support.tensor("int64", {big - 1, big}):is_sorted{strict = true})
  end)

  it("writes to out, of one element is true, and reads expanded rows", function()
    local x, out = locus.tensor{{1, 2}, {4, 3}}, locus.zeros(2, {dtype = "bool"})
    assert.equal(out, x:is_sorted(2, {out = out}))
    same(out, {2}, {true, false}, "bool")
    same(x:is_sorted{dim = -2}, {2}, {true, true}, "bool")
    same(locus.tensor(5):is_sorted(1), {}, {true}, "bool")
    assert.is_true(locus.tensor(5):is_sorted())
    assert.is_true(locus.zeros(0):is_sorted())
    local same_row = locus.tensor{2, 2, 3}:expand(4, 3)
    same(same_row:is_sorted(1, {strict = true}), {3}, {false, false, false}, "bool")
    assert.is_true(same_row:is_sorted())
    assert.is_true(support.tensor("bool", {0, 1}):is_sorted{strict = true})
  end)

  it("says what is wrong", function()
    local x = locus.zeros(2, 3)
    raises("is_sorted: 'input' is complex64, and complex numbers have no order", locus.is_sorted,
      locus.zeros(2, {dtype = "complex64"}))
    raises("is_sorted: 'dim' must be in 1..2 or -2..-1, got 3", x.is_sorted, x, 3)
    raises("is_sorted: 'out' must be bool, got float64", x.is_sorted, x, 2,
      {out = locus.zeros(2)})
    raises("is_sorted: 'strict' must be true or false, got the number 1", x.is_sorted, x,
      {strict = 1})
  end)
end)

-- The ranks of equal elements, which are first..last in order, the number-th different ones.
local METHODS = {
  average = function(first, last) return (first + last) / 2 end,
  min = function(first) return first end,
  max = function(_, last) return last end,
  dense = function(_, _, number) return number end,
}

local function ranked(row, method, descending, base)
  local at, answers, number, first = rows.order(row, descending), {}, 0, 1
  for place = 1, #at do
    local a, b = row[at[place]], row[at[place + 1]]
    if place == #at or oracle.before(a, b) or oracle.before(b, a) then
      number = number + 1
      for i = first, place do
        local answer = METHODS[method] and METHODS[method](first, place, number) or i
        answers[at[i]] = answer + base - 1
      end
      first = place + 1
    end
  end
  return answers
end

local function answers_in(method) return method == "average" and "float64" or "int64" end

describe("rank", function()
  it("places the elements of every row along every dimension, in every dtype and layout", function()
    math.randomseed(172)
    for _, dtype in ipairs(support.ordered) do
      for _, method in ipairs {"average", "min", "max", "dense", "ordinal"} do
        for _, shape in ipairs(SHAPES) do
          local a, dim = arrays.random(dtype, shape), math.random(#shape)
          local descending, base = math.random(2) == 1, math.random(0, 1)
          local want = {}
          for r, row in ipairs(rows.along(a, dim)) do
            want[r] = ranked(row, method, descending, base)
          end
          local options = {method = method, descending = descending, base = base}
          same(arrays.tensor(a):rank(dim, options), shape, rows.placed(want, a, dim, shape[dim]),
            answers_in(method))
        end
      end
    end
  end)

  it("has NaN last, all of them equal, and takes -0 for 0", function()
    local x = locus.tensor{nan, 0, -0.0, 7, -nan}
    same(x:rank(), {5}, {4.5, 1.5, 1.5, 3, 4.5}, "float64")
    same(x:rank{method = "min"}, {5}, {4, 1, 1, 3, 4}, "int64")
    same(x:rank{method = "dense"}, {5}, {3, 1, 1, 2, 3}, "int64")
    same(x:rank{method = "max", descending = true}, {5}, {2, 5, 5, 3, 2}, "int64")
    same(x:rank{method = "ordinal", descending = true}, {5}, {1, 4, 5, 3, 2}, "int64")
    same(locus.tensor{{nan, nan}, {nan, 1}}:rank(), {2, 2}, {1.5, 1.5, 2, 1}, "float64")
  end)

  it("finds equal elements at any distance", function()
    local n = support.device == "cpu" and 150000 or 3000
    for _, dtype in ipairs(support.ordered) do
      local x = (locus.arange(n) * 7):remainder(11):lt(4):to(dtype)
      local ones = tonumber(x:count_nonzero())
      local zeros = #x - ones
      local where = x:long() + 1
      local function expected(of_zero, of_one) return locus.tensor{of_zero, of_one}[where] end
      assert.is_true(x:rank():equal(expected((zeros + 1) / 2, zeros + (ones + 1) / 2)))
      assert.is_true(x:rank{method = "min"}:equal(expected(1, zeros + 1):long()))
      assert.is_true(x:rank{method = "max", base = 0}:equal(expected(zeros, #x):long() - 1))
    end
  end)

  it("takes int64 past 2^53 for different", function()
    local big = support.integer("9007199254740993")
    local x = support.tensor("int64", {big, big - 1, big})
    same(x:rank{method = "dense"}, {3}, {2, 1, 2}, "int64")
  end)

  it("starts anew in each row, whose ends may be equal", function()
    local x = locus.tensor{{1, 2}, {2, 2}, {2, 3}}
    same(x:rank{method = "min"}, {3, 2}, {1, 2, 1, 1, 1, 2}, "int64")
    same(x:rank{method = "dense"}, {3, 2}, {1, 2, 1, 1, 1, 2}, "int64")
    same(x:rank(), {3, 2}, {1, 2, 1.5, 1.5, 1, 2}, "float64")
  end)

  it("writes to out, of one element is base, and reads expanded rows", function()
    local x, out = locus.tensor{{2, 1}, {4, 4}}, locus.zeros(2, 2)
    assert.equal(out, x:rank(2, {out = out}))
    same(out, {2, 2}, {2, 1, 1.5, 1.5}, "float64")
    local wide = locus.zeros(2, 4, {dtype = "int64"})
    x:rank(1, {method = "max", out = wide[{{}, {1, 3, 2}}]})
    same(wide, {2, 4}, {1, 0, 1, 0, 2, 0, 2, 0}, "int64")
    same(locus.tensor(5):rank(), {}, {1}, "float64")
    same(locus.tensor(nan):rank(1, {method = "dense", base = 0}), {}, {0}, "int64")
    same(locus.rank{3, 1}, {2}, {2, 1}, "float64")
    same(locus.tensor{2, 2, 3}:expand(2, 3):rank(1), {2, 3}, {1.5, 1.5, 1.5, 1.5, 1.5, 1.5})
    same(locus.zeros(3, 0):rank(), {3, 0}, {}, "float64")
    same(locus.zeros(0, 3):rank{method = "min"}, {0, 3}, {}, "int64")
  end)

  it("says what is wrong", function()
    local x = locus.zeros(2, 3)
    raises("rank: 'input' is complex64, and complex numbers have no order", locus.rank,
      locus.zeros(2, {dtype = "complex64"}))
    raises("rank: 'dim' must be in 1..2 or -2..-1, got 3", x.rank, x, 3)
    raises("rank: 'method' must be one of average min max dense ordinal, got \"mean\"", x.rank, x,
      {method = "mean"})
    raises("rank: 'out' must be int64, got float64", x.rank, x, 1,
      {method = "dense", out = locus.zeros(2, 3)})
    raises("rank: 'out' overlaps 'input' in memory; give a separate tensor", x.rank, x,
      {out = x})
    same(x, {2, 3}, {0, 0, 0, 0, 0, 0}, "float64")
  end)
end)
