-- SPDX-License-Identifier: MIT
-- asof against a search of every row for every value: duplicates, infinities, empty sides, int64
-- past 2^53, mixed dtypes, groups by numbers and strings; and what it refuses.
local has_ffi = pcall(require, "ffi")
local locus = require "locus"
local support = require "spec.support"

local message, same = support.message, support.same
local inf, nan = math.huge, support.nan
local random = math.random

-- -- The plain form ------------------------------------------------------------------------------

-- Keys are {high, low}: numbers in two parts, so that int64 are exact; high alone is infinite.
local function less(a, b) return a[1] < b[1] or a[1] == b[1] and a[2] < b[2] end
local function equal(a, b) return a[1] == b[1] and a[2] == b[2] end

local function distance(a, b)
  if equal(a, b) then return 0 end
  return math.abs((a[1] - b[1]) + (a[2] - b[2]))
end

-- The nearest row on one side of a value; of equal keys the last one behind, the first one ahead.
local function nearest_row(keys, value, group, groups, inclusive, ahead)
  local best
  for j = 1, #keys do
    local fits = equal(keys[j], value) and inclusive or less(keys[j], value) ~= ahead
      and not equal(keys[j], value)
    if fits and groups[j] == group then
      local nearer = not best or (ahead and less(keys[j], keys[best]))
        or (not ahead and not less(keys[j], keys[best]))
      if nearer then best = j end
    end
  end
  return best
end

local function plain(keys, values, groups, of_values, options)
  local inclusive = options.inclusive ~= false
  local rows = {}
  for i, value in ipairs(values) do
    local function row(ahead)
      return nearest_row(keys, value, of_values[i], groups, inclusive, ahead)
    end
    local behind = options.direction ~= "forward" and row(false) or nil
    local ahead = options.direction ~= nil and options.direction ~= "backward" and row(true) or nil
    local best = behind or ahead
    if behind and ahead and distance(keys[ahead], value) < distance(keys[behind], value) then
      best = ahead
    end
    if best and options.tolerance and distance(keys[best], value) > options.tolerance then
      best = nil
    end
    rows[i] = (best or 0) + (options.base or 1) - 1
  end
  return rows
end

-- -- Random cases --------------------------------------------------------------------------------

local large = has_ffi and support.integer("9007199254740993") or 2 ^ 52

-- The element that a key stands for, in tensors of that dtype.
local make = {
  float64 = function(key) return key[1] + key[2] end,
  float32 = function(key) return key[1] + key[2] end,
  bfloat16 = function(key) return key[1] + key[2] end,
  int8 = function(key) return key[2] end,
  uint8 = function(key) return key[2] end,
  int32 = function(key) return key[2] end,
  int64 = function(key) return key[1] == 0 and key[2] or large + key[2] end,
}

-- Which keys a dtype has: around 0, infinite, around 2^53.
local function random_key(dtype)
  local low = random(0, 6)
  if dtype == "int64" and random(2) == 1 then return {2 ^ 53, low} end
  if dtype:find("float") then
    local place = random(12)
    if place == 1 then return {inf, 0} elseif place == 2 then return {-inf, 0} end
    return {0, low / 2}
  end
  return {0, low}
end

local function side(dtype, n, ascending)
  local keys, elements = {}, {}
  for i = 1, n do keys[i] = random_key(dtype) end
  if ascending then table.sort(keys, less) end
  for i = 1, n do elements[i] = make[dtype](keys[i]) end
  return keys, locus.tensor(elements, {dtype = dtype})
end

-- Groups of n rows: the columns that a plain search compares, and the arguments of asof. The values
-- have `most` keys, more than the sequence has.
local groups = {}

function groups.none(n)
  local list = {}
  for i = 1, n do list[i] = 1 end
  return list
end

function groups.numbers(n, most, dtype)
  local list = {}
  for i = 1, n do list[i] = random(most) end
  return list, locus.tensor(list, {dtype = dtype or "int64"})
end

function groups.strings(n, most)
  local list, names = {}, {"x", "", "y", "z", "v", "w", "xx"}
  for i = 1, n do list[i] = names[random(most)] end
  return list, locus.strings(list)
end

function groups.both(n, most)
  local a, numbers = groups.numbers(n, most, "int8")
  local b, names = groups.strings(n, most)
  for i = 1, n do a[i] = a[i] .. b[i] end
  return a, {numbers, names}
end

-- Another dtype on the other side.
function groups.mixed(n, most)
  local list, numbers = groups.numbers(n, most)
  return list, numbers:to(random(2) == 1 and "float64" or "int8")
end

function groups.nan(n, most)
  local list, elements = {}, {}
  for i = 1, n do
    list[i] = random(most - 1)
    elements[i] = list[i] == 1 and nan or list[i] == 2 and random() * 0 or list[i] / 2
  end
  return list, locus.tensor(elements)
end

-- Within each group the keys ascend, the whole may not.
local function shuffle_groups(keys, of)
  for i = #keys, 2, -1 do
    local j = random(i)
    keys[i], keys[j] = keys[j], keys[i]
  end
  local by_group = {}
  for i, group in ipairs(of) do
    by_group[group] = by_group[group] or {}
    table.insert(by_group[group], keys[i])
  end
  for _, list in pairs(by_group) do table.sort(list, less) end
  local at = {}
  for i, group in ipairs(of) do
    at[group] = (at[group] or 0) + 1
    keys[i] = by_group[group][at[group]]
  end
end

local sizes = {0, 1, 2, 5, 20, 70}
local pairs_of_dtypes = {
  {"float64", "float64"}, {"float32", "float64"}, {"float64", "bfloat16"}, {"int64", "int64"},
  {"int32", "int32"}, {"uint8", "int8"}, {"int8", "float64"}, {"float32", "uint8"},
  {"int64", "int32"},
}

local function elements(keys, dtype)
  local list = {}
  for i, key in ipairs(keys) do list[i] = make[dtype](key) end
  return locus.tensor(list, {dtype = dtype})
end

local function check(kind, dtypes, direction, globally)
  local n, m = sizes[random(#sizes)], sizes[random(#sizes)]
  local keys, sequence = side(dtypes[1], n, true)
  local values, wanted = side(dtypes[2], m, true)
  local of_rows, rows_by = groups[kind](n, 4)
  local of_values, values_by = groups[kind](m, random(2) == 1 and 4 or 7)
  if not globally then
    shuffle_groups(keys, of_rows)
    shuffle_groups(values, of_values)
    sequence, wanted = elements(keys, dtypes[1]), elements(values, dtypes[2])
  end
  local options = {direction = direction, base = random(2) - 1, inclusive = random(2) == 1}
  if random(3) > 1 then options.tolerance = ({0, 0.5, 1, 2, inf})[random(5)] end
  options.by = rows_by and {rows_by, values_by} or nil
  local got = locus.asof(sequence, wanted, options)
  assert.equal("int64", got.dtype)
  assert.are.same(plain(keys, values, of_rows, of_values, options), got:totable())
end

describe("asof of random rows", function()
  for _, direction in ipairs {"backward", "forward", "nearest"} do
    for kind in pairs(groups) do
      it(direction .. ", groups: " .. kind, function()
        for _ = 1, support.slow and 3 or 12 do
          for _, dtypes in ipairs(pairs_of_dtypes) do check(kind, dtypes, direction, true) end
          if kind ~= "none" then
            check(kind, pairs_of_dtypes[random(#pairs_of_dtypes)], direction, false)
          end
        end
      end)
    end
  end
end)

describe("asof", function()
  local long = locus.LongTensor

  it("takes the last of equal rows behind, the first ahead", function()
    same(locus.asof({1, 3, 3, 5}, {0, 1, 2, 3, 4, 9}), {6}, {0, 1, 1, 3, 3, 4}, "int64")
    same(locus.asof({1, 3, 3, 5}, {0, 1, 2, 3, 4, 9}, {direction = "forward"}), {6},
      {1, 1, 2, 2, 4, 0}, "int64")
    same(locus.asof({1, 3, 3, 5}, {2, 3, 4}, {inclusive = false, base = 0}), {3}, {0, 0, 2},
      "int64")
    same(locus.asof({1, 3, 3, 5}, {2, 3, 4}, {direction = "nearest"}), {3}, {1, 3, 3}, "int64")
  end)

  it("answers for empty sides", function()
    for _, direction in ipairs {"backward", "forward", "nearest"} do
      local options = {direction = direction, tolerance = 1, base = 0}
      same(locus.asof(locus.zeros(0), {1, 2}, options), {2}, {-1, -1}, "int64")
      same(locus.asof({1, 2}, locus.zeros(0), options), {0}, {}, "int64")
      options.by = {long{}, long{1, 1}}
      same(locus.asof(locus.zeros(0), {1, 2}, options), {2}, {-1, -1}, "int64")
      options.by = {long{1, 1}, long{}}
      same(locus.asof({1, 2}, locus.zeros(0), options), {0}, {}, "int64")
    end
  end)

  it("measures int64 exactly, over their whole range", function()
    if not has_ffi then return end
    local least, most = unpack(support.range.int64)
    local ends = locus.tensor({least, most}, {dtype = "int64"})
    local function asof(values, options)
      return locus.asof(ends, locus.tensor(values, {dtype = "int64"}), options):totable()
    end
    assert.same({1, 1, 2}, asof({least, 0, most}, {tolerance = 2 ^ 63}))
    assert.same({1, 0, 2}, asof({least, 0, most}, {tolerance = most}))
    assert.same({1, 2, 2}, asof({-1, 0, most}, {direction = "nearest"}))
    assert.same({1}, asof({most - 1}, {tolerance = 2 ^ 64}))
    assert.same({0}, asof({most - 1}, {tolerance = 2 ^ 63}))
    local x = locus.tensor({large, large + 2}, {dtype = "int64"})
    same(locus.asof(x, x - 1, {direction = "forward", tolerance = 1}), {2}, {1, 2}, "int64")
    same(locus.asof(x, x + 1, {tolerance = support.integer("1")}), {2}, {1, 2}, "int64")
    same(locus.asof(x, x + 1, {tolerance = 0.5}), {2}, {0, 0}, "int64")
    same(locus.asof(x, x:double()), {2}, {0, 2}, "int64") -- 2^53 and 2^53 + 4
  end)

  it("reads where elements lie", function()
    local x = locus.arange(12):view(3, 4):t()
    local options = {by = {locus.zeros(4, 2):long():select(2, 1), locus.zeros(1):long():expand(4)}}
    same(locus.asof(x:select(2, 1), x:select(2, 2) - 2), {4}, {3, 4, 4, 4}, "int64")
    same(locus.asof(x:select(2, 1), x:select(2, 2) - 2, options), {4}, {3, 4, 4, 4}, "int64")
  end)

  it("finds nothing for keys that the sequence does not have", function()
    local by = {locus.strings{"a", "b"}, locus.strings{"c", "b", "a"}}
    same(locus.asof({1, 2}, {3, 3, 3}, {by = by}), {3}, {0, 2, 1}, "int64")
    by = {{by[1], long{1, 2}}, {by[2], long{1, 2, 2}}}
    same(locus.asof({1, 2}, {3, 3, 3}, {by = by}), {3}, {0, 2, 0}, "int64")
  end)

  it("takes each key that the sequence lacks for a group of its own", function()
    local function asof(...) return locus.asof(...):totable() end
    for _, direction in ipairs {"backward", "forward", "nearest"} do
      local function finds(rows, sequence, values, by, tolerance)
        assert.same(rows, asof(sequence, values,
          {by = by, direction = direction, tolerance = tolerance}))
      end
      finds({0, 0}, {1}, {5, 3}, {{"a"}, {"b", "c"}})
      finds({0, 0}, {1}, {5, 3}, {{1}, {2, 3}}, 1)
      finds({0, 0, 0}, {1, 2}, {5, 3, 4}, {long{1, 1}, locus.tensor{2.5, nan, 2.5 / 2}})
      finds({0, 0}, {}, {5, 3}, {{}, {1, 2}})
      finds({0, 0}, {1}, {5, 3}, {{{"a"}, {1}}, {{"b", "a"}, {1, 2}}})
      finds({0, 0}, {1}, {5, 3}, {{{"a"}, {1}}, {{"b", "c"}, {1, 1}}})
    end
    assert.same({0, 2, 0, 1}, asof({1, 1}, {9, 8, 7, 6}, {by = {{"a", "b"}, {"c", "b", "d", "a"}}}))
  end)

  it("wants each such key's values to ascend", function()
    local function says(text, ...)
      assert.equal("asof: 'values' " .. text, message(locus.asof, ...))
    end
    says("is not ascending within its group: 3 at [3] follows 5 at [1]", {1}, {5, 4, 3},
      {by = {{"a"}, {"b", "c", "b"}}})
    says("is not ascending within its group: 3 at [2] follows 5 at [0]", {1}, {5, 4, 3},
      {by = {{7}, {8, 9, 8}}, base = 0})
    says("is not ascending within its group: 3 at [3] follows 5 at [1]", {1}, {5, 4, 3},
      {by = {{{"a"}, {1}}, {{"b", "b", "b"}, {2, 1, 2}}}})
  end)

  it("takes lists for keys", function()
    local function asof(by) return locus.asof({1, 2}, {3, 3}, {by = by}):totable() end
    assert.same({2, 0}, asof{{"a", "b"}, {"b", "c"}})
    assert.same({1, 2}, asof{{7, 8}, locus.tensor{7, 8}})
    assert.same({0, 2}, asof{{{"a", "b"}, {7, 8}}, {{"a", "b"}, {8, 8}}})
    assert.same({0}, locus.asof({}, {3}, {by = {{}, {1}}}):totable())
    assert.equal("asof: 'by[2]' must be of size 2, like 'values', got a float64 tensor of size 1",
      message(asof, {{1, 2}, {1}}))
  end)

  it("refuses what is out of order, also within groups, and NaN", function()
    assert.equal("asof: 'sorted_sequence' is not ascending: 2 at [3] follows 3",
      message(locus.asof, {1, 3, 2}, {1}))
    assert.equal("asof: 'values' is not ascending: 2 at [1] follows 3",
      message(locus.asof, {1}, {3, 2}, {base = 0}))
    assert.equal("asof: 'sorted_sequence' holds NaN at [3], which has no place in an order",
      message(locus.asof, {1, 3, nan}, {1}))
    assert.equal("asof: 'values' holds NaN at [1], which has no place in an order",
      message(locus.asof, {1}, {nan, 2}))
    local by = {locus.strings{"a", "b", "a", "b"}, locus.strings{"a", "b"}}
    same(locus.asof({3, 1, 4, 2}, {5, 2}, {by = by}), {2}, {3, 4}, "int64")
    assert.equal("asof: 'sorted_sequence' is not ascending within its group: 0 at [4] follows 1 "
      .. "at [2]", message(locus.asof, {3, 1, 4, 0}, {5, 2}, {by = by}))
    assert.equal("asof: 'values' is not ascending within its group: 2 at [2] follows 5 at [1]",
      message(locus.asof, {1}, {5, 2}, {by = {long{1}, long{1, 1}}}))
    assert.equal("asof: 'sorted_sequence' holds NaN at [2], which has no place in an order",
      message(locus.asof, {3, nan, 4, 0}, {5, 2}, {by = by}))
  end)

  it("says what is wrong with its arguments", function()
    local x, y = locus.tensor{1, 2}, locus.tensor{1, 2, 3}
    local function says(text, ...) assert.equal("asof: " .. text, message(locus.asof, ...)) end
    says("'values' is missing", x)
    says("'sorted_sequence' must be 1-D, got a float64 tensor of size 1x2", {{1, 2}}, x)
    says("'values' must be 1-D, got a float64 tensor of size 1x1", x, {{5}})
    says("'values' is complex64, and complex numbers have no order", x, x:to("complex64"))
    says("'direction' must be \"backward\", \"forward\" or \"nearest\", got \"up\"", x, x,
      {direction = "up"})
    says("'tolerance' must be a number of at least 0, got the number -1", x, x, {tolerance = -1})
    says("'tolerance' must be a number of at least 0, got the number nan", x, x, {tolerance = nan})
    says("'by' must be {of the sequence, of the values}, got a float64 tensor of size 2", x, x,
      {by = x})
    says("'by[2]' must be of size 3, like 'values', got a float64 tensor of size 2", x, y,
      {by = {x, x}})
    says("'by[1]' must be a 1-D tensor or a string column, got the number 5", x, y, {by = {5, y}})
    says("'by[1]' and 'by[2]' must have dtypes that compare, got int64 and complex128", x, y,
      {by = {x:long(), y:to("complex128")}})
    says("'by[1]' and 'by[2]' must both hold strings or both numbers, got a string column of size "
      .. "2 and a float64 tensor of size 3", x, y, {by = {locus.strings{"a", "b"}, y}})
    says("'by[1]' and 'by[2]' must be lists with the same number of keys", x, y, {by = {{x}, {y,
      y}}})
    says("'by[2][2]' must be of size 3, like 'values', got a float64 tensor of size 2", x, y,
      {by = {{x, x}, {y, x}}})
  end)
end)
