-- SPDX-License-Identifier: MIT
-- gather, index_select and take_along_dim, against a plain loop over every point.
local locus = require "locus"
local arrays = require "spec.support.data.arrays"
local points = require "spec.support.data.points"
local support = require "spec.support"

local nan = support.nan
local message, same = support.message, support.same
local random = math.random
local copy, each_point, long = points.copy, points.each, points.long
local index_of, random_case, strides = points.index_of, points.case, points.strides

describe("gather", function()
  it("reads along one dimension, in every dtype and layout", function()
    for _, dtype in ipairs(support.dtypes) do
      for _, layout in ipairs(support.layouts) do
        local case = random_case()
        local a, want = arrays.random(dtype, case.shape), {}
        each_point(case.points, case.shape, case.dim, case.positions, function(i, place)
          want[i] = a.values[place]
        end)
        local x, index = arrays.tensor(a, layout), index_of(case, layout)
        arrays.check(x:gather(case.dim, index), case.points, want, dtype, a, layout)
        local zeros = index:sub(index:gt(0):to(index.dtype))
        local out = locus.zeros(case.points, {dtype = dtype})
        assert.equal(out, locus.gather(x, case.dim, zeros, {base = 0, out = out}))
        arrays.check(out, case.points, want, dtype, a, layout)
      end
    end
  end)

  it("takes tables, nothing, one element, many", function()
    local x = locus.tensor {{1, 2, 3}, {4, 5, 6}}
    same(x:gather(2, {{3, 1}, {2, -1}}), {2, 2}, {3, 1, 5, 6})
    same(x:gather(-1, {{3}}), {1, 1}, {3})
    same(x:gather(2, long({}, {0, 7})), {0, 7}, {})
    same(x:gather(1, long({}, {0})), {0}, {})
    same(locus.zeros(0, 3):gather(2, long({}, {0, 2})), {0, 2}, {})
    same(locus.tensor(5):gather(1, {1, 1}), {2}, {5, 5})
    same(locus.tensor(5):gather(1, locus.tensor(1, {dtype = "int64"})), {}, {5})
    same(locus.tensor {5, 6}:gather(1, locus.tensor(2, {dtype = "int64"})), {}, {6})
    local n = 70000
    local rows, back = locus.arange(2 * n):view(n, 2), locus.arange(n, 0, -1, {dtype = "int64"})
    local want = locus.arange(2 * n - 2, -1, -2)
    assert.is_true(rows:gather(1, back:view(n, 1)):select(2, 1):equal(want))
    assert.is_true(rows:index_select(1, back - 1, {base = 0}):select(2, 1):equal(want))
  end)

  it("says what is wrong", function()
    local x = locus.tensor {{1, 2, 3}, {4, 5, 6}}
    local function says(text, ...) assert.equal("gather: " .. text, message(locus.gather, ...)) end
    says("index 4 at [1,2] is outside 1..3, the positions of dimension 2", x, 2, {{1, 4}})
    says("index 0 at [1,1] is outside 1..2, the positions of dimension 1", x, 1, {{0, 1}})
    says("index 2 at [0,0] is outside 0..1, the positions of dimension 1", x, 1, {{2}}, {base = 0})
    says("index -3 at [1,1] is outside 1..2, the positions of dimension 1", x, 1, {{-3}})
    says("'index' and 'input' must have the same number of dimensions, got sizes 2 and 2x3", x, 1,
      {1, 2})
    says("'index' of size 1x4 is larger than 'input' of size 2x3 in dimension 2", x, 1,
      {{1, 1, 1, 1}})
    says("'index' must be int64 or int32, got float64; write :long()", x, 1, x)
    says("'index' must be int64 or int32, got bool; write :long()", x, 1, x:gt(0))
    says("'dim' must be in 1..2 or -2..-1, got 3", x, 3, {{1}})
    says("'index' is missing", x, 1)
    says("'out' overlaps 'input' in memory; give a separate tensor", x, 1, {{1}}, {out = x})
    local index = long({1, 1}, {1, 2})
    says("'out' overlaps 'index' in memory; give a separate tensor", x:long(), 1, index,
      {out = index})
    says("'out' must be of size 1x2, got 3", x, 1, index, {out = locus.zeros(3)})
    says("'out' must be float64, got int64", x, 1, index, {out = long {}})
  end)
end)

describe("index_select", function()
  it("gives slices, in every dtype and layout", function()
    for _, dtype in ipairs(support.dtypes) do
      for _, layout in ipairs(support.layouts) do
        local case = random_case()
        local n, want, row = random(0, 8), {}, {}
        for i = 1, n do row[i] = random(case.shape[case.dim]) end
        local sizes = copy(case.shape)
        sizes[case.dim] = n
        local a, steps = arrays.random(dtype, case.shape), strides(sizes)
        local at = setmetatable({}, {__index = function(_, i)
          return row[math.floor((i - 1) / steps[case.dim]) % n + 1]
        end})
        each_point(sizes, case.shape, case.dim, at, function(i, place)
          want[i] = a.values[place]
        end)
        local index = support.laid(long(row), layout)
        arrays.check(arrays.tensor(a, layout):index_select(case.dim, index), sizes, want, dtype, a)
        arrays.check(arrays.tensor(a):index_select(case.dim, index:sub(1):int(), {base = 0}),
          sizes, want, dtype, a)
      end
    end
  end)

  it("takes 0-d tensors, and positions from the end", function()
    local x = locus.tensor {{1, 2, 3}, {4, 5, 6}}
    same(x:index_select(2, {-1, 1}), {2, 2}, {3, 1, 6, 4})
    same(x:index_select(1, locus.tensor(2, {dtype = "int64"})), {1, 3}, {4, 5, 6})
    same(locus.tensor(7):index_select(1, {1}), {}, {7})
    same(locus.zeros(0, 3):index_select(2, {3, 3}), {0, 2}, {})
    local out = locus.zeros(0)
    assert.equal(out, x:index_select(1, {2, 2}, {out = out}))
    same(out, {2, 3}, {4, 5, 6, 4, 5, 6})
  end)

  it("says what is wrong", function()
    local function says(text, ...)
      assert.equal("index_select: " .. text, message(locus.index_select, locus.zeros(2, 3), ...))
    end
    says("index 4 at [2] is outside 1..3, the positions of dimension 2", 2, {1, 4})
    says("'index' must be 1-D, got size 1x2", 1, {{1, 2}})
    says("'index' must be int64 or int32, got float64; write :long()", 1, locus.zeros(1))
    assert.equal("index_select: 'index' of a 0-d tensor must be of size 1",
      message(locus.index_select, locus.tensor(5), 1, {1, 1}))
    assert.equal("index_select: index 1 at [1] is no position of dimension 1, whose size is 0",
      message(locus.index_select, locus.zeros(0), 1, {1}))
  end)
end)

describe("take_along_dim", function()
  local x = locus.tensor {{1, 2, 3}, {4, 5, 6}}

  it("broadcasts outside the dimension, or flattens", function()
    same(x:take_along_dim({{2}, {-1}}, 2), {2, 1}, {2, 6})
    same(x:take_along_dim({{2, 1}}, 2), {2, 2}, {2, 1, 5, 4})
    same(x[{{1, 1}, {}}]:take_along_dim(long({3, 1, 2, 1}, {4, 1}), 2), {4, 1}, {3, 1, 2, 1})
    same(x:take_along_dim {6, 1}, {2}, {6, 1})
    same(x:t():take_along_dim({{2}}, {base = 0}), {1}, {2})
    same(locus.take_along_dim({7, 8}, {2}), {1}, {8})
  end)

  it("undoes what argsort says", function()
    local y = locus.tensor {{3, 1, 2}, {9, nan, 7}}
    assert.is_true(y:take_along_dim(y:argsort(2), 2)[{{}, {1, 2}}]:equal(y:sort(2)[{{}, {1, 2}}]))
    local out = locus.zeros(2, 3)
    assert.equal(out, y:take_along_dim(y:argsort(2), 2, {out = out}))
  end)

  it("says what is wrong", function()
    local function says(text, ...)
      assert.equal("take_along_dim: " .. text, message(locus.take_along_dim, x, ...))
    end
    says("'indices' of size 3x1 does not go with 'input' of size 2x3 along dimension 2",
      {{1}, {1}, {1}}, 2)
    says("'indices' of size 2 does not go with 'input' of size 2x3 along dimension 1", {1, 1}, 1)
    says("index 9 at [1] is outside 1..6, the positions of dimension 1", {9})
    says("'index' must be int64 or int32, got float64; write :long()", x)
  end)
end)

