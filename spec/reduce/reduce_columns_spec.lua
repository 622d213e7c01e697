-- SPDX-License-Identifier: MIT
-- Reductions of many rows. They go over several rows side by side if these lie closer together than
-- their elements, or are short. The sizes are around a tile of 64 columns by 16 elements (128 where
-- they are read in place), the lanes of a block, and blocks, in layouts of either kind.
local arrays = require "spec.support.data.arrays"
local locus = require "locus"
local reductions = require "spec.support.models.reductions"
local support = require "spec.support"

local OPS = {"sum", "mean", "any", "all", "count_nonzero"}

-- How an array of rows by columns lies: its elements, and the dimension that is reduced.
local layouts = {
  columns = function(x) return x, 1 end,
  ["transposed rows"] = function(x) return x:t():contiguous():t(), 1 end,
  rows = function(x) return x:t():contiguous(), 2 end,
  ["every other column"] = function(x)
    return locus.stack({x, x:clone()}, 3):flatten(2)[{{}, {1, -1, 2}}], 1
  end,
  ["in a cube"] = function(x) return locus.stack({x, x:clone()}, 2)[{{}, 2}], 1 end,
}

-- The right answers of ops of an array along its rows, by op.
local function expected(a, ops)
  local of = {}
  for _, op in ipairs(ops) do
    local answer = reductions[op] or reductions.ops[op]
    of[op] = {reductions.by_dims(answer, a, {true}, false)}
  end
  return of
end

-- Checks all ops of an array of n by count elements in each layout.
local function check(dtype, n, count, close)
  local a = arrays.random(dtype, {n, count}, close)
  local extremes = dtype:find("complex") and {} or {"min", "max"}
  local of, ends = expected(a, OPS), expected(a, extremes)
  local at = expected(a, #extremes > 0 and {"argmin", "argmax"} or {})
  for name, lay in pairs(layouts) do
    local x, dim = lay(arrays.tensor(a, "contiguous"))
    for _, op in ipairs(OPS) do
      local shape, values, answer = unpack(of[op])
      arrays.check(x[op](x, dim), shape, values, answer, op, name, dtype, n, count)
    end
    for _, op in ipairs(extremes) do
      local found, places = x[op](x, dim)
      local shape, values = unpack(ends[op])
      arrays.check(found, shape, values, dtype, op, name, n, count)
      arrays.check(places, shape, at["arg" .. op][2], "int64", op, name, n, count)
    end
  end
end

describe("reductions side by side", function()
  for _, dtype in ipairs(support.dtypes) do
    it("give what one row after the other gives: " .. dtype, function()
      math.randomseed(31)
      for _, n in ipairs(support.sample({1, 2, 10, 15, 16, 17, 33, 65}, 3)) do
        for _, count in ipairs {7, 8, 9, 65} do check(dtype, n, count, n % 2 == 0) end
      end
    end)
  end

  for _, dtype in ipairs {"float32", "float64", "float16", "int32", "bool"} do
    it("add up long columns block by block: " .. dtype, function()
      math.randomseed(32)
      for _, n in ipairs(support.sample({127, 128, 129, 1023, 1025, 3100}, 2)) do
        check(dtype, n, 9)
      end
      for _, count in ipairs {2, 3} do check(dtype, 1100, count) end
      check(dtype, 70, 130)
    end)
  end

  it("find the first of equals, of zeros and of NaN, in any tile #native", function()
    local nan = support.nan
    for _, n in ipairs {5, 16, 40, 130} do
      for at = 1, n do
        local x = locus.zeros({n, 9}, {dtype = "float32"})
        x[{at, {2}}] = 1
        x[{{at, n}, 3}] = -1
        x[{at, 4}] = nan
        x[{n, 4}] = nan
        x[{at, 5}] = -0.0
        x[{{at, n}, 6}] = math.huge
        local greatest, places = x:max(1)
        local least, low = x:min(1)
        assert.same({1, at, 1, at, 1, at, 1, 1, 1}, places:totable())
        assert.same({1, at == 1 and 2 or 1, at, at, 1, 1, 1, 1, 1}, low:totable())
        assert.same({1, at == 1 and -1 or 0, math.huge}, {greatest[2], greatest[3], greatest[6]})
        assert.is_true(greatest[4] ~= greatest[4] and least[4] ~= least[4])
        assert.equal(at == 1 and -math.huge or math.huge, 1 / least[5])
      end
    end
  end)

  it("stop once every column is settled", function()
    local x = locus.zeros({3000, 70}, {dtype = "uint8"})
    assert.is_false(x:any(1):any())
    x[{2990, {}}] = 1
    assert.is_true(x:any(1):all())
    x[{{}, {1, 69}}] = 1
    local every = x:all(1)
    assert.equal(69, every:count_nonzero())
    assert.is_false(every[70])
  end)

  it("reduce several dimensions that cannot be read as one", function()
    math.randomseed(33)
    local a = arrays.random("float32", {6, 20, 7})
    local x = arrays.tensor(a)
    for _, op in ipairs(OPS) do
      local shape, values, answer = reductions.by_dims(reductions.ops[op], a, {true, false, true},
                                                       false)
      arrays.check(x[op](x, {1, 3}), shape, values, answer, op)
    end
  end)
end)
