-- SPDX-License-Identifier: MIT
-- locus.overlaps against a loop over all pairs: points and ranges, every dtype, ties, touching
-- ends, NaN; and one number beside asof and interval_lookup.
local locus = require "locus"
local support = require "spec.support"

local message, nan = support.message, support.nan
local random = math.random

-- The pairs by a loop over all: ranges in the order of their starts.
local function slow(starts, ends, first, last)
  local order, values, ranges = {}, {}, {}
  for i = 1, #starts do order[i] = i end
  table.sort(order, function(a, b)
    if starts[a] ~= starts[b] then return starts[a] < starts[b] end
    return a < b
  end)
  for j = 1, #first do
    for _, i in ipairs(order) do
      if starts[i] <= last[j] and ends[i] >= first[j] then
        values[#values + 1], ranges[#ranges + 1] = j, i
      end
    end
  end
  return {values, ranges}
end

local function drawn(n, most)
  local first, last = {}, {}
  for i = 1, n do
    first[i] = random(0, most)
    last[i] = first[i] + random(0, math.floor(most / 4))
  end
  return first, last
end

local function lists(a, b) return {a:totable(), b:totable()} end

describe("locus.overlaps", function()
  it("finds every range of each value, in order, for any number of threads", function()
    math.randomseed(91)
    for round = 1, 60 do
      local starts, ends = drawn(random(0, 90), random(2, 100))
      local first, last = drawn(random(0, 60), 100)
      locus.set_num_threads(round % 5 + 1)
      assert.same(slow(starts, ends, first, first), lists(locus.overlaps(starts, ends, first)))
      assert.same(slow(starts, ends, first, last),
        lists(locus.overlaps(starts, ends, first, last)))
    end
    locus.set_num_threads(locus.get_num_threads())
  end)

  it("takes every real dtype, exactly, and values of another", function()
    for _, dtype in ipairs {"uint8", "int8", "int16", "int32", "int64", "float16", "bfloat16",
                            "float32", "float64"} do
      local function of(list) return locus.tensor(list, {dtype = dtype}) end
      assert.same({{1, 2, 2}, {1, 1, 2}}, lists(locus.overlaps(of {1, 5}, of {6, 9}, of {3, 6})))
      assert.same({{1}, {2}}, lists(locus.overlaps(of {1, 5}, of {4, 9}, {5.5})))
    end
    local far = locus.LongTensor {"9007199254740993", "9007199254740995"}
    assert.same({{1}, {2}}, lists(locus.overlaps(far, far, locus.LongTensor {"9007199254740995"})))
    assert.same({{}, {}}, lists(locus.overlaps(far, far, locus.LongTensor {"9007199254740994"})))
  end)

  it("counts positions from base, and gives NaN and nothing no range", function()
    assert.same({{0, 0}, {1, 0}}, lists(locus.overlaps({3, 1}, {9, 6}, {5}, {base = 0})))
    assert.same({{}, {}}, lists(locus.overlaps({1}, {2}, {nan})))
    assert.same({{}, {}}, lists(locus.overlaps({}, {}, {1})))
    assert.same({{}, {}}, lists(locus.overlaps({1}, {2}, {})))
    assert.same({{1, 1}, {1, 2}}, lists(locus.overlaps({-math.huge, 0}, {math.huge, 0}, 0)))
    local strided = locus.tensor({{1, 9}, {5, 9}, {3, 9}}):t()[1]
    assert.same({{1, 1}, {1, 3}}, lists(locus.overlaps(strided, strided + 3, {4})))
  end)

  it("says what is wrong", function()
    local function says(wanted, ...)
      assert.equal("overlaps: " .. wanted, message(locus.overlaps, ...))
    end
    says("the range at [2] of 'starts' starts at 5 but ends at 3", {1, 5}, {4, 3}, {1})
    says("the range at [1] of 'values' starts at 2 but ends at 1", {1}, {4}, {2}, {1})
    says("'ends' holds NaN at [1], which has no place in an order", {1}, {nan}, {1})
    says("'starts' and 'ends' must have the same size, got 1 and 2", {1}, {1, 2}, {1})
    says("'values' must be 1-D, got a float64 tensor of size 1x1", {1}, {1}, {{1}})
    local many = locus.zeros(3e6)
    assert.matches("^overlaps: there are 9000000000000 pairs, that is 144000000000000 bytes, ",
      message(locus.overlaps, many, many, many))
  end)
end)

describe("one number", function()
  it("is a value of asof and interval_lookup, as of searchsorted", function()
    assert.same({2, 0, 3}, {locus.asof({1, 2, 3}, 2.5), locus.asof({1, 2, 3}, 0),
                            locus.asof({1, 2, 3}, 2.5, {direction = "forward"})})
    assert.equal(1, locus.asof(locus.FloatTensor {0.1}, 0.1)) -- rounded to float32
    assert.equal(2, locus.asof(locus.LongTensor {1, 2, 3}, 2.5))
    local function lookup(...) return locus.interval_lookup({1, 5}, {2, 6}, ...) end
    assert.same({2, 0, 1}, {lookup(5.5), lookup(3), lookup(5, {base = 0})})
    local one = locus.interval_lookup({1, 5}, {2, 6}, locus.tensor(5))
    assert.same({0, 2}, {one:dim(), one:item()})
    assert.equal(0, locus.asof({1, 2}, locus.tensor(1)):dim())
  end)
end)
