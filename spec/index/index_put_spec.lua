-- SPDX-License-Identifier: MIT
-- index_put_: writing, or adding, where index tensors and masks say.
local locus = require "locus"
local arrays = require "spec.support.data.arrays"
local numbers = require "spec.support.models.numbers"
local support = require "spec.support"

local nan = support.nan

local function long(list, shape) return support.tensor("int64", list, shape) end

local function raises(message, f, ...)
  assert.equal(message, support.message(f, ...))
end

describe("index_put_", function()
  it("writes as x[positions] = values does, and gives x", function()
    local x, y = locus.zeros(4, 3), locus.zeros(4, 3)
    local rows, mask = long {4, 1, -2}, locus.tensor({true, false, true})
    for _, case in ipairs {
      {{rows}, {1, 2, 3}}, {{rows, rows:minimum(3)}, {7, 8, 9}}, {{rows:select(1, 2)}, 5},
      {{long({1, 2}, {2, 1}), mask}, {{1, 2}, {3, 4}}}, {{x:eq(0)}, -1}, {{rows:int()}, 6},
    } do
      assert.equal(x, x:index_put_(case[1], case[2]))
      y[case[1]] = case[2]
      support.same(x, {4, 3}, support.values(y), "float64")
    end
    assert.equal(x, x:index_put_{indices = {rows}, values = 0, accumulate = false})
  end)

  it("keeps the last of several values, or adds all of them", function()
    local x = locus.zeros(3)
    x:index_put_({long {1, 3, 1, 1}}, {1, 2, 3, 4})
    support.same(x, {3}, {4, 0, 2})
    x:index_put_({long {1, 3, 1, 1}}, {1, 2, 3, 4}, true)
    support.same(x, {3}, {12, 0, 4})
    x:index_put_({long {-1, -1}}, 0.5, {accumulate = true})
    support.same(x, {3}, {12, 0, 5})
  end)

  it("adds every dtype as + does, in order", function()
    math.randomseed(41)
    for _, dtype in ipairs(support.dtypes) do
      for _, n in ipairs {1, 7, 3000} do
        local a, b = arrays.random(dtype, {5}), arrays.random(dtype, {n})
        local places, want = {}, {}
        for i, v in ipairs(a.values) do want[i] = v end
        for i = 1, n do
          local p = math.random(5)
          places[i] = math.random(2) == 1 and p or p - 6
          want[p] = numbers.apply("add", want[p], b.values[i], dtype)
        end
        for _, layout in ipairs(support.layouts) do
          local x = arrays.tensor(a, layout)
          x:index_put_({support.laid(long(places), layout)}, arrays.tensor(b, layout), true)
          arrays.check(x, {5}, want, dtype, n, layout)
        end
      end
    end
  end)

  it("rounds each sum to the dtype", function()
    local x = support.tensor("float16", {2048, 0})
    x:index_put_({long {1, 1, 2, 2}}, 1, true)
    support.same(x, {2}, {2048, 2}, "float16")
    x = support.tensor("uint8", {200})
    x:index_put_({long {1, 1}}, 100, true)
    support.same(x, {1}, {144}, "uint8")
    x = support.tensor("int64", {support.range.int64[2], 0})
    x:index_put_({long {1, 2}}, 1LL, true)
    support.same(x, {2}, {support.range.int64[1], 1}, "int64")
    x = locus.tensor({false, true, false})
    x:index_put_({long {1, 2, 2, 3}}, {true, true, true, false}, true)
    support.same(x, {3}, {true, true, false}, "bool")
    x = locus.tensor({1, nan})
    x:index_put_({long {1, 2}}, {nan, 1}, true)
    support.same(x, {2}, {nan, nan})
  end)

  it("adds whole rows, to several dimensions, and where a mask says", function()
    local x = locus.zeros(3, 2)
    x:index_put_({long {2, 2}}, {{1, 2}, {10, 20}}, true)
    support.same(x, {3, 2}, {0, 0, 11, 22, 0, 0})
    x:index_put_({long {2, 2, 1}, long {1, 1, 2}}, {1, 2, 3}, true)
    support.same(x, {3, 2}, {0, 3, 14, 22, 0, 0})
    x:index_put_({long({3, 3}, {2, 1}), long {1, 2, 2}}, 1, true) -- broadcast: 6 points
    support.same(x, {3, 2}, {0, 3, 14, 22, 2, 4})
    x:index_put_({x:eq(0)}, 5, true)
    support.same(x, {3, 2}, {5, 3, 14, 22, 2, 4})
    x:index_put_({locus.tensor({true, false, true})}, {1, 2}, true)
    support.same(x, {3, 2}, {6, 5, 14, 22, 3, 6})
    x:t():index_put_({long {1, 1}}, {1, 2, 3}, true)
    support.same(x, {3, 2}, {8, 5, 18, 22, 9, 6})
    local y = locus.zeros(2, 2, 2)
    y:index_put_({long {1, 1}, locus.tensor({{true, false}, {false, true}})}, {1, 2}, true)
    support.same(y, {2, 2, 2}, {1, 0, 0, 2, 0, 0, 0, 0})
  end)

  it("takes tables of positions and of booleans", function()
    local x = locus.zeros(3)
    x:index_put_({{1, 1, 3}}, {1, 2, 3}, true)
    support.same(x, {3}, {3, 0, 3})
    x:index_put_({{true, false, true}}, 1, true)
    support.same(x, {3}, {4, 0, 4})
    x:index_put_({{}}, 1, true)
    support.same(x, {3}, {4, 0, 4})
    locus.zeros(0, 3):index_put_({long {}}, 1, true)
    locus.zeros(2, 0):index_put_({long {1, 1}}, 1, true)
  end)

  it("counts from base", function()
    local x = locus.zeros(3)
    x:index_put_({long {0, 2, 0, -1}}, {1, 2, 3, 4}, {accumulate = true, base = 0})
    support.same(x, {3}, {4, 0, 6})
    x:index_put_({{0}}, 9, {base = 0})
    support.same(x, {3}, {9, 0, 6})
    x:index_put_({locus.tensor({false, true, true})}, 1, true, {base = 0})
    support.same(x, {3}, {9, 1, 7})
    raises("index_put_: index 3 at [0] is outside 0..2, the positions of dimension 1",
           x.index_put_, x, {long {3}}, 1, {base = 0})
    raises("index_put_: index -4 at [1] is outside 0..2, the positions of dimension 1",
           x.index_put_, x, {long {0, -4}}, 1, {base = 0})
  end)

  it("adds a value or reads positions that share memory with x as if copied", function()
    local x = locus.tensor({1, 2, 3})
    x:index_put_({long {1, 1, 2}}, x, true)
    support.same(x, {3}, {4, 5, 3})
    local p = long {1, 2, 1}
    p:index_put_({p}, 1LL, true)
    support.same(p, {3}, {3, 3, 1})
  end)

  it("converts values, and adds to a tensor of another dtype nothing that does not fit", function()
    local x = support.tensor("int32", {1, 2})
    x:index_put_({long {1, 1}}, locus.tensor({1.9, 2}), true)
    support.same(x, {2}, {4, 2}, "int32")
    raises("index_put_: 'values' holds 3000000000 at [2], which int32 cannot hold", x.index_put_, x,
           {long {1, 2}}, locus.tensor({1, 3e9}), true)
    raises("index_put_: 'values' is 3000000000, which int32 cannot hold, at [2]", x.index_put_, x,
           {long {1, 2}}, {1, 3e9}, true)
    raises("index_put_: 'values' is 0.5, which int32 cannot hold", x.index_put_, x, {long {1}}, 0.5,
           true)
    support.same(x, {2}, {4, 2}, "int32")
  end)

  it("says what is wrong, and writes nothing then", function()
    local x = locus.zeros(2, 3)
    local function case(message, ...) raises("index_put_: " .. message, x.index_put_, x, ...) end
    case("'indices' is missing")
    case("'values' is missing", {long {1}})
    case("index 3 at [2] is outside 1..2, the positions of dimension 1", {long {1, 3}}, 1, true)
    case("index 0 at [1] is outside 1..3, the positions of dimension 2", {long {1}, long {0}}, 1)
    case("3 dimensions are indexed in a tensor of size 2x3; ranges are written t[{ {1, 3} }]",
         {long {1}, long {1}, long {1}}, 1)
    case("'values' of size 2 does not broadcast to 1x3", {long {1}}, {1, 2}, true)
    case("a mask of size 3 does not match the size 2 it stands for",
         {locus.tensor({true, true, true})}, 1, true)
    case("index tensors of size 2 and 3 do not broadcast together", {long {1, 2}, long {1, 2, 3}},
         1, true)
    case("the tensor at [1] must be int64 or int32, or a bool mask, got float64; write :long()",
         {locus.tensor({1})}, 1)
    local wanted = "'indices' must be a table of index tensors and masks"
    case(wanted .. ", got an int64 tensor of size 1", long {1}, 1)
    case(wanted .. ", got the number 1", 1, 1)
    case(wanted .. ", got a table", {}, 1)
    case(wanted .. "; at 2 it has the number 1", {long {1}, 1}, 1)
    case("'indices' must have the keys 1..n and no others", {long {1}, [3] = long {1}}, 1)
    case("'accumulate' must be true or false, got the number 1", {long {1}}, 1, 1)
    case("'base' must be 1 or 0, got the number 2", {long {1}}, 1, {base = 2})
    case("'values' must be a tensor, a table or a number, got the string \"x\"", {long {1}}, "x")
    raises("index_put_: 'input' must be a tensor, got a table", x.index_put_, {1}, {long {1}}, 1)
    raises("index_put_: the tensor has elements that share memory; write to its contiguous()",
           x.index_put_, locus.zeros(1):expand(3), {long {1}}, 1, true)
    support.same(x, {2, 3}, {0, 0, 0, 0, 0, 0})
  end)
end)
