-- SPDX-License-Identifier: MIT
-- segment_reduce: of the elements of each segment, one by one, what segment (segment_spec) answers
-- of them as of one group; `initial`; what it refuses.
local locus = require "locus"
local arrays = require "spec.support.data.arrays"
local support = require "spec.support"

local random = math.random
local message, same = support.message, support.same
local nan, inf = support.nan, math.huge

local HOWS = {"sum", "mean", "max", "min", "prod"}

-- The answer of a segment without elements.
local function empty(how, dtype)
  if how == "max" or how == "min" then
    return support.tensor(dtype, {how == "max" and -inf or inf})
  end
  return locus.zeros(0, {dtype = dtype}):segment(locus.zeros(0, {dtype = "int64"}), how,
    {groups = 1})
end

-- The elements of an array along a dimension, at those positions of the others (both from 0).
local function element(a, dim, outer, k, within)
  local inner = 1
  for d = dim + 1, #a.shape do inner = inner * a.shape[d] end
  return a.values[(outer * a.shape[dim] + k) * inner + within + 1]
end

-- The answers for marks[r]: where the segments of outer row r begin and the last one ends, from 0.
local function expected(a, dim, how, marks, outer, inner)
  local values, count = {}, #marks[1] - 1
  local dtype = empty(how == "mean" and how or "sum", a.dtype).dtype
  if how == "max" or how == "min" then dtype = a.dtype end
  for o = 0, outer - 1 do
    local own = marks[o + 1] or marks[1]
    for s = 1, count do
      for within = 0, inner - 1 do
        local list = {}
        for k = own[s], own[s + 1] - 1 do list[#list + 1] = element(a, dim, o, k, within) end
        local ones = locus.ones(#list, {dtype = "int64"})
        local one = #list == 0 and empty(how, a.dtype)
          or support.tensor(a.dtype, list):segment(ones, how)
        values[#values + 1] = support.values(one)[1]
      end
    end
  end
  local shape = {unpack(a.shape)}
  shape[dim] = count
  return shape, values, dtype
end

local function flat(lists, change)
  local values = {}
  for _, list in ipairs(lists) do
    for _, v in ipairs(list) do values[#values + 1] = change and change(v) or v end
  end
  return values
end

local function lengths_of(lists)
  local lengths = {}
  for r, marks in ipairs(lists) do
    lengths[r] = {}
    for s = 1, #marks - 1 do lengths[r][s] = marks[s + 1] - marks[s] end
  end
  return lengths
end

-- Rows of marks that ascend from 0 to n, or with gaps at both ends; none equal where `filled`.
local function random_marks(rows, count, n, gaps, filled)
  local lists = {}
  for r = 1, rows do
    local marks = {}
    for s = 1, count + 1 do marks[s] = filled and s - 1 or random(0, n) end
    if filled then
      for _ = 1, n - count do
        local s = random(2, count + 1)
        for later = s, count + 1 do marks[later] = marks[later] + 1 end
      end
    end
    table.sort(marks)
    if not gaps then marks[1], marks[count + 1] = 0, n end
    lists[r] = marks
  end
  return lists
end

local function as_tensor(lists, a, dim, change)
  local shape, width = {}, lists[1] and #lists[1] or 0
  for d = 1, #lists > 1 and dim - 1 or 0 do shape[d] = a.shape[d] end
  shape[#shape + 1] = width
  local t = support.tensor(arrays.pick{"int64", "int32"}, flat(lists, change), shape)
  return support.laid(t, arrays.pick(support.layouts))
end

local CASES = {{{7}, 1}, {{300}, 1}, {{6, 4}, 1}, {{3, 5}, 2}, {{2, 6, 3}, 2}, {{2, 3, 5}, 3},
               {{1, 9}, 2}, {{4, 6, 0}, 2}}

-- Checks all forms on an array of a dtype.
local function check(dtype, shape, dim, how)
  local floats = support.types[dtype].kind == "FLOAT"
  local a, outer, inner = arrays.random(dtype, shape), 1, 1
  for d = 1, dim - 1 do outer = outer * shape[d] end
  for d = dim + 1, #shape do inner = inner * shape[d] end
  local x, needs = arrays.tensor(a), (how == "max" or how == "min") and not floats
  for _, rows in ipairs {1, outer} do
    local count = random(1, 4)
    local marks = random_marks(rows, count, shape[dim], false, needs)
    local want, values, answer = expected(a, dim, how, marks, outer, inner)
    local lengths = as_tensor(lengths_of(marks), a, dim)
    same(x:segment_reduce(how, {lengths = lengths, axis = dim}), want, values, answer)
    local out = support.laid(locus.zeros(want, {dtype = answer}), arrays.pick(support.layouts))
    assert.is_true(rawequal(out, x:segment_reduce(how, {lengths = lengths, axis = dim, out = out})))
    same(out, want, values, answer)
    if not needs then marks = random_marks(rows, count, shape[dim], true) end
    want, values = expected(a, dim, how, marks, outer, inner)
    local offsets = as_tensor(marks, a, dim, function(v) return v + 1 end)
    same(x:segment_reduce(how, {offsets = offsets, axis = dim - #shape - 1}), want, values, answer)
    same(x:segment_reduce(how, {offsets = offsets - 1, axis = dim, base = 0}), want, values, answer)
  end
end

describe("segment_reduce", function()
  for _, how in ipairs(HOWS) do
    it("gives the " .. how .. " of segments of every dtype, along any dimension", function()
      math.randomseed(71)
      for _, dtype in ipairs(support.ordered) do
        for _, case in ipairs(support.sample(CASES, 3)) do check(dtype, case[1], case[2], how) end
      end
    end)
  end

  it("knows segments without elements, and NaN", function()
    local x = locus.tensor{1, nan, 3}
    local function of(how, values, initial)
      same(x:segment_reduce(how, {lengths = {1, 0, 2}, initial = initial}), {3}, values, "float64")
    end
    of("sum", {1, 0, nan})
    of("prod", {1, 1, nan})
    of("mean", {1, nan, nan})
    of("max", {1, -inf, nan})
    of("min", {1, inf, nan})
    of("sum", {6, 5, nan}, 5)
    of("max", {5, 5, nan}, 5)
  end)

  it("takes in an initial value", function()
    local lengths = {2, 0, 1}
    local function of(dtype, how, initial, values, answer)
      local x = support.tensor(dtype, {3, 4, 6})
      same(x:segment_reduce(how, {lengths = lengths, initial = initial}), {3}, values, answer)
    end
    for _, dtype in ipairs {"float32", "float64", "float16", "bfloat16"} do
      of(dtype, "sum", 0.5, {7.5, 0.5, 6.5}, dtype)
      of(dtype, "prod", -2, {-24, -2, -12}, dtype)
      of(dtype, "mean", 1, {4, 1, 7}, dtype)
      of(dtype, "max", 5, {5, 5, 6}, dtype)
      of(dtype, "min", 3.5, {3, 3.5, 3.5}, dtype)
    end
    for _, dtype in ipairs(support.integers) do
      of(dtype, "sum", 5LL, {12, 5, 11}, "int64")
      of(dtype, "prod", 2, {24, 2, 12}, "int64")
      of(dtype, "mean", 1, {4, 1, 7}, "float64")
      of(dtype, "max", 5, {5, 5, 6}, dtype)
      of(dtype, "min", 4, {3, 4, 4}, dtype)
    end
    of("bool", "max", 0, {true, false, true}, "bool")
    local most = support.range.int64[2]
    same(support.tensor("int64", {most, 1}):segment_reduce("max", {lengths = {1, 0, 1},
      initial = most - 1}), {3}, {most, most - 1, most - 1}, "int64")
  end)

  it("keeps int64 exact, and adds floats in their order", function()
    local most = support.range.int64[2]
    local x = support.tensor("int64", {most, 1, most, -1})
    same(x:segment_reduce("sum", {lengths = {2, 2}}), {2}, {support.range.int64[1], most - 1})
    local y = support.tensor("float64", {2 ^ 53, 1, 1, -2 ^ 53, 1})
    same(y:segment_reduce("sum", {lengths = {4, 1}}), {2}, {0, 1}, "float64")
    local half = support.tensor("float16", {60000, 60000, -60000})
    same(half:segment_reduce("sum", {lengths = {3}, initial = 1000}), {1}, {60992}, "float16")
    same(half:segment_reduce("sum", {lengths = {2, 1}, initial = -60000}), {2}, {60000, -inf},
         "float16")
  end)

  it("takes nothing at all", function()
    for _, how in ipairs(HOWS) do
      local none = locus.zeros(0)
      assert.equal("2", tostring(none:segment_reduce(how, {lengths = {0, 0}}).shape))
      assert.equal("0", tostring(none:segment_reduce(how, {offsets = {1}}).shape))
      local x = locus.zeros(2, 3, 0)
      assert.equal("2x2x0", tostring(x:segment_reduce(how, {lengths = {1, 2}, axis = 2}).shape))
      assert.equal("0x1", tostring(locus.zeros(0, 3):segment_reduce(how,
        {lengths = {3}, axis = 2}).shape))
    end
  end)

  it("lets lengths be less than all where unsafe", function()
    local x = locus.tensor{1, 2, 3, 4}
    same(x:segment_reduce("sum", {lengths = {1, 2}, unsafe = true}), {2}, {1, 5})
    assert.equal("segment_reduce: 'lengths' must add up to at most 4, the size of dimension 1, got "
      .. "5", message(x.segment_reduce, x, "sum", {lengths = {1, 4}, unsafe = true}))
  end)

  it("says what is wrong", function()
    local f, x = locus.segment_reduce, locus.tensor{1, 2, 3, 4}
    local function raises(sentence, ...)
      assert.equal("segment_reduce: " .. sentence, message(f, ...))
    end
    raises("'data' is missing")
    raises("'reduce' is missing", x)
    raises("'reduce' must be one of sum mean max min prod, or nansum nanmean "
      .. "nanmax nanmin, got \"median\"", x, "median")
    raises("'data' must be real, got complex64", locus.zeros(2, {dtype = "complex64"}), "sum")
    raises("'data' must have dimensions, got a 0-d tensor", locus.tensor(5), "sum",
           {lengths = {1}})
    raises("takes either 'lengths' or 'offsets', got neither", x, "sum")
    raises("takes either 'lengths' or 'offsets', got both", x, "sum", {lengths = {4},
           offsets = {1, 5}})
    raises("'lengths' must be a tensor or a table, got the number 4", x, "sum", {lengths = 4})
    raises("'lengths' must be of an integer dtype, got float64", x, "sum", {lengths = x})
    raises("'lengths' must be 1-D, got size 1x2", x, "sum", {lengths = {{2, 2}}})
    raises("'lengths' must be 1-D, got size 0-d", x, "sum",
           {lengths = locus.tensor(4, {dtype = "int64"})})
    raises("'lengths' must be 1-D or of size 2xn, got size 1x2", x:view(2, 2), "sum",
           {lengths = {{1, 1}}, axis = 2})
    raises("'lengths' must not be negative, got -1", x, "sum", {lengths = {5, -1}})
    raises("'lengths' must add up to 4, the size of dimension 1, got 3", x, "sum",
           {lengths = {1, 2}})
    raises("'lengths' is 1.5, which int64 cannot hold, at [1]", x, "sum", {lengths = {1.5}})
    raises("'offsets' must be from 1 to 5, got 6", x, "sum", {offsets = {1, 6}})
    raises("'offsets' must be from 0 to 4, got -1", x, "sum", {offsets = {-1, 4}, base = 0})
    raises("'offsets' must not descend, got 2 behind a greater one", x, "sum",
           {offsets = {1, 3, 2}})
    raises("'offsets' must hold where the first segment begins, got none", x, "sum",
           {offsets = locus.zeros(0, {dtype = "int64"})})
    raises("'max' of int64 takes an element of each segment, and segment 2 has none; give "
           .. "'initial'", x:long(), "max", {lengths = {2, 0, 2}})
    raises("'initial' must be a number that int64 can hold, got the number 1.5", x:long(), "sum",
           {lengths = {4}, initial = 1.5})
    raises("'initial' must be a number that uint8 can hold, got the number 256", x:byte(), "max",
           {lengths = {4}, initial = 256})
    raises("'initial' must be a number that float64 can hold, got the Lua boolean true", x, "sum",
           {lengths = {4}, initial = true})
    local out = locus.tensor{7, 8}
    raises("'out' must be float64, got int64", x, "sum", {lengths = {4}, out = out:long()})
    raises("'out' must be of size 1, got 2", x, "sum", {lengths = {4}, out = out})
    raises("'out' overlaps 'data' in memory; give a separate tensor", x, "sum",
           {lengths = {2, 2}, out = x[{ {1, 2} }]})
    same(out, {2}, {7, 8})
    same(x, {4}, {1, 2, 3, 4})
  end)

  it("takes long segments and short ones beside them", function()
    math.randomseed(82)
    local lengths = locus.tensor({700, 3, 5000, 1, 1200, 513, 512, 2, 90, 640}, {dtype = "int64"})
    local ids = locus.arange(1, 11, {dtype = "int64"}):repeat_interleave(lengths)
    for _, dtype in ipairs(support.ordered) do
      local x = arrays.tensor(arrays.random(dtype, {#ids}))
      for _, how in ipairs(HOWS) do
        local want = support.values(x:segment(ids, how))
        local got = x:segment_reduce(how, {lengths = lengths})
        same(got, {10}, want, x:segment(ids, how).dtype)
      end
    end
  end)
end)

describe("segment_reduce without NaN", function()
  it("answers about the elements that are there, along any dimension", function()
    for _, dtype in ipairs {"float64", "float32", "float16"} do
      local x = locus.rand(4, 12, 3):mul(8):to(dtype)
      x = x:masked_fill(locus.rand(4, 12, 3):lt(0.5), nan)
      x[{2}] = nan
      for axis, lengths in ipairs {{1, 0, 3}, {5, 0, 4, 3}, {2, 1}} do
        for _, how in ipairs {"sum", "mean", "max", "min"} do
          local got = x:segment_reduce("nan" .. how, {lengths = lengths, axis = axis})
          local before = 1
          for s, length in ipairs(lengths) do
            local part = x:narrow(axis, before, length)
            local want = length > 0 and part["nan" .. how](part, axis)
              or locus.full(got:select(axis, s).shape, how == "sum" and 0 or nan, {dtype = dtype})
            local own = got:select(axis, s)
            assert.is_true(locus.allclose(own, want, 1e-3, 1e-3, true), how)
            before = before + length
          end
        end
      end
    end
  end)

  it("takes offsets, initial and integers, and leaves gaps out", function()
    local x = support.tensor("float64", {nan, 1, nan, nan, 4})
    same(x:segment_reduce("nanmin", {offsets = {2, 3, 5}}), {2}, {1, nan}, "float64")
    same(x:segment_reduce("nansum", {lengths = {1, 2}, unsafe = true}), {2}, {0, 1}, "float64")
    same(x:segment_reduce("nanmax", {lengths = {1, 4}, initial = 2}), {2}, {2, 4}, "float64")
    same(x:segment_reduce("nanmean", {lengths = {3, 2}, initial = 1}), {2}, {2, 5}, "float64")
    local whole = locus.tensor({1, 5}, {dtype = "int64", device = support.device})
    same(whole:segment_reduce("nanmean", {lengths = {2}}), {1}, {3}, "float64")
    assert.equal("segment_reduce: 'reduce' must be one of sum mean max min prod, or nansum nanmean "
      .. "nanmax nanmin, got \"nanprod\"",
      message(x.segment_reduce, x, "nanprod", {lengths = {5}}))
  end)
end)
