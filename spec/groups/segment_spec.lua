-- SPDX-License-Identifier: MIT
-- segment: for each group of rows what a plain loop over its rows gives, in their order.
local locus = require "locus"
local arrays = require "spec.support.data.arrays"
local numbers = require "spec.support.models.numbers"
local oracle = require "spec.support.models.oracle"
local reductions = require "spec.support.models.reductions"
local support = require "spec.support"

local nan, inf = support.nan, math.huge

local function raises(message, f, ...)
  assert.equal(message, support.message(f, ...))
end

local function real(v) return v == true and 1 or v == false and 0 or tonumber(v) end

local function whole(dtype) return oracle.kind(dtype) <= 2 end

-- Integers modulo 2^64 from `one` on, floats as doubles, both in the order of the list.
local function fold(list, dtype, one, step)
  local answer = whole(dtype) and numbers.int64(one) or one
  for _, v in ipairs(list) do
    answer = step(answer, whole(dtype) and type(v) == "boolean" and real(v) or
                  whole(dtype) and v or real(v))
  end
  return answer
end

local function float(dtype) return whole(dtype) and "float64" or dtype end

local function in_order(list)
  local sum = 0
  for _, v in ipairs(list) do sum = sum + v end
  return sum
end

-- reductions.variance_of or deviation_of of a group, which has none below two rows.
local function spread(of)
  return function(list, dtype)
    local answer = #list > 1 and of(list, #list - 1, in_order) or nan
    return oracle.round(answer, float(dtype)), float(dtype)
  end
end

-- By the names of core/segment.def: of a list of elements and their dtype the answer and its dtype.
local ops = {
  sum = function(list, dtype)
    local sum = fold(list, dtype, 0, function(a, b) return a + b end)
    if whole(dtype) then return sum, "int64" end
    return oracle.round(sum, dtype), dtype
  end,
  prod = function(list, dtype)
    local product = fold(list, dtype, 1, function(a, b) return a * b end)
    if whole(dtype) then return product, "int64" end
    return oracle.round(product, dtype), dtype
  end,
  mean = function(list, dtype)
    return oracle.round(reductions.mean_of(list, in_order), float(dtype)), float(dtype)
  end,
  var = spread(reductions.variance_of),
  std = spread(reductions.deviation_of),
  min = reductions.ops.min,
  max = reductions.ops.max,
  first = function(list, dtype) return list[1], dtype end,
  last = function(list, dtype) return list[#list], dtype end,
  any = reductions.ops.any,
  all = reductions.ops.all,
  count = function(list) return #list, "int64" end,
}
local needs_row = {min = true, max = true, first = true, last = true}
local hows = {}
for how in pairs(ops) do hows[#hows + 1] = how end
table.sort(hows)

-- The answer of each of `groups` groups.
local function expected(how, a, ids, groups)
  local lists, answers, dtype = {}, {}, nil
  for g = 1, groups do lists[g] = {} end
  for i, g in ipairs(ids) do table.insert(lists[g], a.values[i]) end
  for g = 1, groups do answers[g], dtype = ops[how](lists[g], a.dtype) end
  return answers, dtype
end

-- n ids, each of 1 .. groups at least once where there is room.
local function random_ids(n, groups)
  local ids = {}
  for i = 1, n do ids[i] = i <= groups and i or math.random(groups) end
  for i = n, 2, -1 do
    local j = math.random(i)
    ids[i], ids[j] = ids[j], ids[i]
  end
  return ids
end

describe("segment", function()
  it("has an oracle", function() support.covers("segment", ops) end)

  for _, how in ipairs(hows) do
    it("gives the " .. how .. " of groups of every dtype and layout", function()
      math.randomseed(61)
      for _, dtype in ipairs(support.sample(support.ordered, 4)) do
        for _, case in ipairs {{1, 1}, {7, 3}, {40, 1}, {40, 40}, {300, 5}, {2100, 700}} do
          local n, groups = case[1], case[2]
          local a, list = arrays.random(dtype, {n}), random_ids(n, groups)
          local answers, answer = expected(how, a, list, groups)
          for _, layout in ipairs(n < 100 and support.layouts or {arrays.pick(support.layouts)}) do
            local of = arrays.pick(groups > 120 and {"int16", "int32", "int64"} or support.integers)
            local ids = support.laid(support.tensor(of, list), arrays.pick(support.layouts))
            local x = arrays.tensor(a, layout)
            support.same(x:segment(ids, how), {groups}, answers, answer)
          end
        end
      end
    end)

    it("writes the " .. how .. " into out", function()
      local x = support.tensor("float32", {1.5, -2, 4, 0.5})
      local ids = support.tensor("int32", {2, 1, 2, 1})
      local want = x:segment(ids, how)
      for _, layout in ipairs(support.layouts) do
        local out = support.laid(locus.zeros(2, {dtype = want.dtype}), layout)
        assert.is_true(rawequal(out, x:segment(ids, how, {out = out})))
        assert.is_true(out:equal(want))
      end
      local none = locus.zeros(0, {dtype = want.dtype})
      assert.is_true(x:segment(ids, how, {out = none}):equal(want))
    end)
  end

  it("adds rows in their order", function()
    local x = support.tensor("float64", {2 ^ 53, 1, 1, -2 ^ 53, 1})
    support.same(x:segment({1, 1, 1, 1, 1}, "sum"), {1}, {1}, "float64")
    support.same(x:segment({1, 2, 2, 1, 1}, "sum"), {2}, {1, 2}, "float64")
    local half = support.tensor("float16", {60000, 60000, -60000})
    support.same(half:segment({1, 1, 1}, "sum"), {1}, {60000}, "float16")
    support.same(half:segment({1, 1, 2}, "sum"), {2}, {inf, -60000}, "float16")
  end)

  it("goes on from block to block", function()
    math.randomseed(62)
    local n, groups = 70000, 4
    local a, sorted = {dtype = "float64", shape = {n}, values = {}}, {}
    for i = 1, n do a.values[i], sorted[i] = math.random() - 0.5, math.floor(i / 20000) + 1 end
    local mixed = random_ids(n, groups)
    for _, list in ipairs {sorted, mixed} do
      local ids = support.tensor("int64", list)
      for _, how in ipairs {"sum", "mean", "std", "min", "first", "last"} do
        local answers = expected(how, a, list, groups)
        for _, layout in ipairs {"contiguous", "stepped"} do
          support.same(arrays.tensor(a, layout):segment(ids, how), {groups}, answers, "float64")
        end
      end
    end
  end)

  it("keeps int64 exact and modulo 2^64", function()
    local most = support.range.int64[2]
    local x = support.tensor("int64", {most, 1, most, -1, most - 1})
    local ids = {1, 1, 2, 2, 3}
    support.same(x:segment(ids, "sum"), {3}, {support.range.int64[1], most - 1, most - 1}, "int64")
    support.same(x:segment(ids, "prod"), {3}, {most, -most, most - 1}, "int64")
    support.same(x:segment(ids, "max"), {3}, {most, most, most - 1}, "int64")
    support.same(x:segment(ids, "last"), {3}, {1, -1, most - 1}, "int64")
  end)

  it("knows NaN, infinities and the sign of zero", function()
    local x = support.tensor("float64", {nan, 1, inf, -inf, 0, -0.0, -0.0, 0})
    local ids = {1, 1, 2, 2, 3, 3, 4, 4}
    support.same(x:segment(ids, "min"), {4}, {nan, -inf, 0, -0.0}, "float64")
    support.same(x:segment(ids, "max"), {4}, {nan, inf, 0, -0.0}, "float64")
    support.same(x:segment(ids, "sum"), {4}, {nan, nan, 0, 0}, "float64")
    support.same(x:segment(ids, "std"), {4}, {nan, nan, 0, 0}, "float64")
    support.same(x:segment(ids, "any"), {4}, {true, true, false, false}, "bool")
    support.same(x:segment(ids, "all"), {4}, {true, true, false, false}, "bool")
    support.same(x:segment(ids, "first"), {4}, {nan, inf, 0, -0.0}, "float64")
  end)

  it("divides squared distances by one less than the rows", function()
    local x = support.tensor("float64", {1e8 + 1, 1e8 + 2, 1e8 + 3, 5})
    support.same(x:segment({1, 1, 1, 2}, "var"), {2}, {1, nan}, "float64")
    support.same(x:segment({1, 1, 1, 2}, "std"), {2}, {1, nan}, "float64")
  end)

  it("answers for groups without rows", function()
    local x, ids = support.tensor("float32", {3, 4}), support.tensor("int64", {2, 2})
    local function of(how, values, dtype)
      support.same(x:segment(ids, how, {groups = 3}), {3}, values, dtype)
    end
    of("sum", {0, 7, 0}, "float32")
    of("prod", {1, 12, 1}, "float32")
    of("count", {0, 2, 0}, "int64")
    of("mean", {nan, 3.5, nan}, "float32")
    of("var", {nan, 0.5, nan}, "float32")
    of("any", {false, true, false}, "bool")
    of("all", {true, true, true}, "bool")
    for how in pairs(needs_row) do
      local out = support.tensor("float32", {8, 9, 10})
      raises(('segment: "%s" takes a row of each group, and group 1 has none'):format(how),
             locus.segment, x, ids, how, {groups = 3, out = out})
      support.same(out, {3}, {8, 9, 10})
      raises(('segment: "%s" takes a row of each group, and group 0 has none'):format(how),
             locus.segment, x, ids, how, {base = 0})
    end
  end)

  it("takes nothing at all", function()
    for _, dtype in ipairs(support.ordered) do
      local x, ids = locus.zeros(0, {dtype = dtype}), locus.zeros(0, {dtype = "int64"})
      for _, how in ipairs(hows) do
        support.same(x:segment(ids, how), {0}, {})
        if needs_row[how] then
          raises(('segment: "%s" takes a row of each group, and group 1 has none'):format(how),
                 locus.segment, x, ids, how, {groups = 2})
        else
          assert.equal(2, #x:segment(ids, how, {groups = 2}))
        end
      end
    end
  end)

  it("numbers groups from base on, and takes tables and names", function()
    support.same(locus.segment({5, 6, 7}, {0, 2, 0}, "sum", {base = 0}), {3}, {12, 0, 6}, "float64")
    support.same(locus.segment{input = {true, false}, ids = {2, 1}, how = "sum", groups = 4}, {4},
                 {0, 1, 0, 0}, "int64")
    local one = locus.tensor({2}, {dtype = "int8"})
    support.same(locus.ones(500):segment(one:expand(500), "sum"), {2}, {0, 500}, "float64")
    support.same(locus.tensor({1.5}):expand(3):segment({1, 2, 1}, "mean"), {2}, {1.5, 1.5})
  end)

  it("means of integers have the default dtype", function()
    local before = locus.get_default_dtype()
    locus.set_default_dtype("float32")
    finally(function() locus.set_default_dtype(before) end)
    support.same(locus.LongTensor{1, 2}:segment({1, 1}, "mean"), {1}, {1.5}, "float32")
  end)

  it("leaves out as it was where an id is no group", function()
    local x, out = locus.tensor{1, 2, 3}, locus.tensor{7, 8}
    raises("segment: 'ids' must hold numbers up to 2, the last of 2 groups, got 3 at [3]",
           locus.segment, x, {1, 2, 3}, "sum", {groups = 2, out = out})
    raises("segment: 'ids' must hold numbers of at least 1 (0 with base = 0), got 0 at [2]",
           locus.segment, x, {1, 0, 2}, "sum", {out = out})
    raises("segment: 'ids' must hold numbers of at least 0, got -1 at [1]",
           locus.segment, x, {-1, -2, -3}, "sum", {base = 0, out = out})
    raises("segment: 'ids' must hold numbers up to 1, the last of 2 groups, got 2 at [3]",
           locus.segment, x, {1, 0, 2}, "sum", {groups = 2, base = 0, out = out})
    support.same(out, {2}, {7, 8})
  end)

  it("says what else is wrong", function()
    local x, ids = locus.tensor{1, 2, 3}, locus.LongTensor{1, 2, 1}
    raises("segment: 'how' must be one of sum prod min max mean std var first last any all count "
           .. 'nansum nanmin nanmax nanmean nanstd nanvar nancount, got "total"',
           locus.segment, x, ids, "total")
    raises("segment: 'how' must be a string, got the number 1", locus.segment, x, ids, 1)
    raises("segment: 'input' must be real, got complex64", locus.segment,
           locus.zeros(3, {dtype = "complex64"}), ids, "sum")
    raises("segment: 'input' must be 1-D, got size 1x3", locus.segment, {{1, 2, 3}}, ids, "sum")
    raises("segment: 'ids' must be of size 3, like 'input', got 2", locus.segment, x, {1, 2}, "sum")
    raises("segment: 'ids' must be of size 3, like 'input', got 1x3", locus.segment, x,
           {{1, 2, 3}}, "sum")
    raises("segment: 'ids' must be of an integer dtype, got float64", locus.segment, x, x, "sum")
    raises("segment: 'ids' must be of an integer dtype, got bool", locus.segment, x, x:gt(1), "sum")
    raises("segment: 'groups' must not be negative, got -1", locus.segment, x, ids, "sum",
           {groups = -1})
    raises("segment: 'out' must be float64, got int64", locus.segment, x, ids, "sum",
           {out = locus.LongTensor{1, 2}})
    raises("segment: 'out' must be of size 2, got 3", locus.segment, x, ids, "sum",
           {out = locus.zeros(3)})
    raises("segment: 'out' overlaps 'input' in memory; give a separate tensor", locus.segment, x,
           ids, "sum", {out = x:narrow(1, 1, 2)})
    raises("segment: 'out' overlaps 'ids' in memory; give a separate tensor", locus.segment, x,
           ids, "count", {out = ids:narrow(1, 1, 2)})
    raises("segment: 'ids' must hold numbers of groups, up to 4294967295, got 9223372036854775807; "
           .. "unique with return_inverse = true numbers other keys",
           locus.segment, x, {1, 2, support.range.int64[2]}, "count", {base = 0})
  end)
end)
