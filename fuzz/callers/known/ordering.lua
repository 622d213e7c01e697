-- SPDX-License-Identifier: MIT
-- searchsorted, bucketize, sort and argsort: an answer is checked against its law, which takes no
-- search and no sort: the element in front of a position comes before the value, and so on. Each
-- function makes one call by chance.
local arrays = require "fuzz.callers.known.arrays"
local compared = require "fuzz.callers.known.compared"
local ffi = require "ffi"
local locus = require "locus"
local plan = require "fuzz.callers.plan"
local sorted = require "fuzz.callers.known.sorted"

jit.off(true, true) -- see plan.compile

local pick, chance, random = plan.pick, plan.chance, math.random

local ops = {}

-- Whether position k, from 0, of a row of n is where x goes; `order` is before or its converse.
local GOES = [[local order = ...
return function(row, n, values, count, got, base, right)
  for i = 0, count - 1 do
    local k, x = tonumber(got[i]) - base, values[i]
    if k < 0 or k > n then return i end
    if right then
      if k > 0 and order(x, row[k - 1]) or k < n and not order(x, row[k]) then return i end
    else
      if k > 0 and not order(row[k - 1], x) or k < n and order(row[k], x) then return i end
    end
  end
end]]

local function settle(what, row, n, values, count, got, base, right, descending)
  local key = ("goes %s %s %s %s"):format(row[2], values[2], got[2], tostring(descending))
  local goes = arrays.compiled(GOES, key, descending and sorted.after or sorted.before)
  local at = goes(row[1], n, values[1], count, got[1], base, right)
  if at then
    error(("%s: value %d, %s, goes not to %s of %d"):format(what, at, tostring(values[1][at]),
      tostring(got[1][at]), n), 0)
  end
end

-- Rows of n, sorted; with a sorter, by which its tensor's rows are.
local function sequence_of(dtype, rows, n, descending)
  local s = arrays.random(dtype, rows * n)
  for r = 0, rows - 1 do sorted.sort(s.class, s.v + r * n, n, descending) end
  return s
end

-- The bytes of an array again, from its values, which have been moved about: elements with the same
-- value have the same bytes, or stand for the same.
local ENCODE = [[return function(raw, v, n) for i = 0, n - 1 do raw[i] = v[i] end end]]
local patterns = {}
local function pattern_of(dtype, x)
  if not patterns[dtype] then
    local of, halves = {}, require("fuzz.callers.known.rounding").halves[dtype]
    for raw = 0, 65535 do
      local y = halves[raw]
      of[y == y and (y == 0 and (1 / y < 0 and "-0" or 0) or y) or "nan"] = raw
    end
    patterns[dtype] = of
  end
  return patterns[dtype][x ~= x and "nan" or x == 0 and (1 / x < 0 and "-0" or 0) or x]
end

plan.compile {pattern_of}

local function encode(a)
  if a.dtype:find "float16" then
    for i = 0, a.n - 1 do a.raw[i] = pattern_of(a.dtype, a.v[i]) end
  else
    arrays.compiled(ENCODE, "encode " .. a.dtype)(a.raw, a.v, a.n)
  end
end

-- A sorter of rows, by which they are read in the order of s; s has its elements moved.
local function shuffled(s, rows, n, base)
  local order = ffi.new("int32_t[?]", math.max(1, n))
  local moved = arrays.blank(s.dtype, s.n)
  local sorter = arrays.of("int64", s.n, function() return 0 end)
  for r = 0, rows - 1 do
    for k = 0, n - 1 do order[k] = k end
    for k = n - 1, 1, -1 do
      local other = random(0, k)
      order[k], order[other] = order[other], order[k]
    end
    for k = 0, n - 1 do
      moved.v[r * n + order[k]] = s.v[r * n + k]
      sorter.v[r * n + k], sorter.raw[r * n + k] = order[k] + base, order[k] + base
    end
  end
  local shown = arrays.random(s.dtype, s.n, true)
  for i = 0, s.n - 1 do shown.v[i] = moved.v[i] end
  encode(shown)
  return shown, sorter
end

-- Values that are often elements of the sequence.
local function values_of(dtype, n, s)
  local a = arrays.random(dtype, n)
  if dtype == s.dtype and s.n > 0 and chance(2) then
    for i = 0, n - 1, 2 do a.v[i] = s.v[random(0, s.n - 1)] end
    encode(a)
  end
  return a
end

local function given(base, right, descending, small)
  return {base = base, right = right, descending = descending, out_int32 = small,
          out = chance(4) and locus.zeros({0}, {dtype = small and "int32" or "int64"}) or nil}
end

-- The shape of that many rows of n, with two dimensions in front of n at times.
local function in_rows(rows, n, deep)
  if rows == 1 then return {n} end
  return deep and rows % 2 == 0 and {2, rows / 2, n} or {rows, n}
end

-- A sequence of one row or several, values in as many, and all options.
function ops.searchsorted()
  local rows, base, deep = chance(3) and random(4) or 1, random(0, 1), chance(2)
  local right, descending, small = chance(2), chance(3), chance(3)
  local n = pick {random(0, 20), random(20, 400), random(400, 4000)}
  local first = pick(arrays.ordered)
  local second = chance(2) and first or pick(arrays.ordered)
  local count = math.floor(arrays.count() / rows)
  local s = sequence_of(first, rows, n, descending)
  local v = values_of(second, rows * count, s)
  local options = given(base, right, descending, small)
  local shown = s
  if chance(4) then
    local sorter
    shown, sorter = shuffled(s, rows, n, base)
    options.sorter = arrays.tensor(sorter, in_rows(rows, n, deep))
  else
    encode(s)
  end
  local sequence = arrays.tensor(shown, in_rows(rows, n, deep))
  local values = arrays.tensor(v, in_rows(rows, count, deep))
  local results
  if chance(4) then
    options.right, options.side, options.out = nil, "both", nil
    results = {sequence:searchsorted(values, options)}
  else
    results = {[right and 2 or 1] = sequence:searchsorted(values, options)}
  end
  for side, t in pairs(results) do
    local got = arrays.read(t)
    for r = 0, rows - 1 do
      settle("searchsorted of " .. first .. " and " .. second, {s.v + r * n, s.class}, n,
        {v.v + r * count, v.class}, count, {got.v + r * count, got.class}, base, side == 2,
        descending)
    end
    compared.seen(got)
  end
end

function ops.bucketize()
  local first, second = pick(arrays.ordered), pick(arrays.ordered)
  local base, right = random(0, 1), chance(2)
  local n = pick {random(0, 20), random(20, 400), random(400, 4000)}
  local s = sequence_of(first, 1, n)
  encode(s)
  local shape, count = arrays.shape(arrays.count())
  if #shape == 0 then shape = {1} end
  local v = values_of(second, count, s)
  local t = arrays.tensor(v, shape):bucketize(arrays.tensor(s, {n}), given(base, right, nil,
    chance(3)))
  local got = arrays.read(t)
  settle("bucketize of " .. second .. " in " .. first, {s.v, s.class}, n, {v.v, v.class}, count,
    {got.v, got.class}, base, right)
  compared.seen(got)
end

-- -- Sorting ------------------------------------------------------------------------------------

-- Rows of a matrix along a dimension: each position once, in order, equal elements in theirs.
local ORDERED = [[local order = ...
return function(v, index, values, n, step, base, seen)
  for i = 0, n - 1 do seen[i] = 0 end
  local last, from
  for i = 0, n - 1 do
    local k = tonumber(index[i * step]) - base
    if k < 0 or k >= n or seen[k] == 1 then return i, "is no position, or comes twice" end
    seen[k] = 1
    local x = v[k * step]
    if i > 0 then
      if order(x, last) then return i, "is out of order" end
      if not order(last, x) and k < from then return i, "has lost its place among equals" end
    end
    if values and values[i * step] ~= x and (x == x or values[i * step] == values[i * step]) then
      return i, "is another element"
    end
    last, from = x, k
  end
end]]

local function check_order(what, a, shape, dim, descending, index, values, base)
  local n = shape[dim]
  local seen = ffi.new("uint8_t[?]", math.max(n, 1))
  local key = ("ordered %s %s %s"):format(a.class, tostring(descending), tostring(values ~= nil))
  local check = arrays.compiled(ORDERED, key, descending and sorted.after or sorted.before)
  local rows, step = shape[3 - dim], dim == 1 and shape[2] or 1
  for r = 0, rows - 1 do
    local first = dim == 1 and r or r * shape[2]
    local at, said = check(a.v + first, index.v + first, values and values.v + first, n, step, base,
      seen)
    if at then
      error(("%s of %s, %dx%d by %d: element %d of row %d %s"):format(what, a.dtype, shape[1],
        shape[2], dim, at, r, said), 0)
    end
  end
end

local function matrix()
  local n = arrays.count()
  local rows = chance(3) and 1 or random(1, 40)
  local shape, dim = {rows, math.floor(n / rows)}, random(2)
  if dim == 1 then shape[1], shape[2] = shape[2], shape[1] end
  local a = arrays.random(pick(arrays.ordered), shape[1] * shape[2])
  return a, arrays.tensor(a, shape), shape, dim
end

function ops.sort()
  local a, t, shape, dim = matrix()
  local descending, base = chance(2), random(0, 1)
  local v, i = t:sort(dim, descending, {base = base})
  local values, index = arrays.read(v), arrays.read(i)
  check_order("sort", a, shape, dim, descending, index, values, base)
  compared.seen(values)
  compared.seen(index, 0)
end

function ops.argsort()
  local a, t, shape, dim = matrix()
  local descending, base = chance(2), random(0, 1)
  local index = arrays.read(t:argsort(dim, descending, {base = base}))
  check_order("argsort", a, shape, dim, descending, index, nil, base)
  compared.seen(index)
end

return ops
