-- SPDX-License-Identifier: MIT
-- interval_lookup against a look at every range.
local has_ffi = pcall(require, "ffi")
local locus = require "locus"
local support = require "spec.support"

local message, same = support.message, support.same
local inf, nan = math.huge, support.nan
local random = math.random

describe("interval_lookup", function()
  it("has both ends, gaps, and ranges of one value", function()
    same(locus.interval_lookup({1, 5, 10}, {3, 5, inf}, {0, 1, 2, 3, 4, 5, 6, 10, 1e9, inf, nan}),
      {11}, {0, 1, 1, 1, 0, 2, 0, 3, 3, 3, 0}, "int64")
    same(locus.interval_lookup({-inf, 5}, {3, 7}, {{-inf, 1}, {4, 7}}, {base = 0}), {2, 2},
      {0, 0, -1, 1}, "int64")
    same(locus.interval_lookup(locus.zeros(0), locus.zeros(0), {1}), {1}, {0}, "int64")
    same(locus.interval_lookup({1}, {2}, locus.zeros(0)), {0}, {}, "int64")
  end)

  it("answers as a look at every range does, for any dtypes", function()
    local dtypes = {"uint8", "int16", "int32", "int64", "float16", "float32", "float64"}
    for _ = 1, 200 do
      local starts, ends, at = {}, {}, 0
      for i = 1, random(0, 12) do
        starts[i] = at + random(1, 4)
        ends[i] = starts[i] + random(0, 4)
        at = ends[i]
      end
      local values, want, base = {}, {}, random(0, 1)
      for i = 1, random(0, 40) do
        values[i], want[i] = random(0, at + 3), base - 1
        for j = 1, #starts do
          if starts[j] <= values[i] and values[i] <= ends[j] then want[i] = j + base - 1 end
        end
      end
      local function of(list) return locus.tensor(list, {dtype = dtypes[random(#dtypes)]}) end
      same(locus.interval_lookup(of(starts), of(ends), of(values), {base = base}), {#values}, want,
        "int64")
    end
  end)

  it("compares exactly", function()
    if not has_ffi then return end
    local large = support.integer("9007199254740993")
    local x = locus.tensor({large}, {dtype = "int64"})
    same(locus.interval_lookup(x, x, x), {1}, {1}, "int64")
    same(locus.interval_lookup(x, x, x:double()), {1}, {0}, "int64")
    same(locus.interval_lookup(x, x, x + 1), {1}, {0}, "int64")
  end)

  it("refuses ranges that overlap, are out of order, or are none", function()
    local function says(text, ...)
      assert.equal("interval_lookup: " .. text, message(locus.interval_lookup, ...))
    end
    says("ranges overlap: the one at [2] ends at 10, but the next one starts at 10",
      {1, 5, 10}, {3, 10, 11}, {0})
    says("ranges overlap: the one at [0] ends at 4, but the next one starts at 1",
      {1, 1}, {4, 10}, {0}, {base = 0})
    says("'starts' is not ascending: 4 at [3] follows 5", {1, 5, 4}, {3, 6, 11}, {0})
    says("the range at [2] starts at 5 but ends at 4.5", {1, 5, 14}, {3, 4.5, 15}, {0})
    says("'starts' holds NaN at [2], which has no place in an order", {1, nan}, {3, 4}, {0})
    says("'ends' holds NaN at [1], which has no place in an order", {1, 4}, {nan, 4}, {0})
    says("'starts' and 'ends' must have the same size, got 1 and 2", {1}, {1, 2}, {0})
    says("'starts' must be 1-D, got a float64 tensor of size 1x1", {{1}}, {1}, {0})
    says("'ends' is complex64, and complex numbers have no order", {1},
      locus.zeros(1, {dtype = "complex64"}), {0})

    says("'values' is missing", {1}, {1})
  end)
end)
