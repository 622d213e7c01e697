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

-- Groups of n rows: what a plain search compares, and what asof is given.
local groups = {}

function groups.none(n)
  local list = {}
  for i = 1, n do list[i] = 1 end
  return list
end

function groups.numbers(n, dtype)
  local list = {}
  for i = 1, n do list[i] = random(4) end
  return list, locus.tensor(list, {dtype = dtype or "int64"})
end

function groups.strings(n)
  local list, names = {}, {"x", "", "y", "z"}
  for i = 1, n do list[i] = names[random(4)] end
  return list, locus.strings(list)
end

function groups.both(n)
  local a, numbers = groups.numbers(n, "int8")
  local b, names = groups.strings(n)
  for i = 1, n do a[i] = a[i] .. b[i] end
  return a, {numbers, names}
end

function groups.nan(n)
  local list, elements = {}, {}
  for i = 1, n do
    list[i] = random(3)
    elements[i] = list[i] == 1 and nan or list[i] == 2 and random() * 0 or 1.5
  end
  return list, locus.tensor(elements)
end

-- Within each group the keys ascend, the whole may not.
local function shuffle_groups(keys, of)
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
  local of_rows, rows_by = groups[kind](n)
  local of_values, values_by = groups[kind](m)
  if not globally then
    for i = #keys, 2, -1 do
      local j = random(i)
      keys[i], keys[j] = keys[j], keys[i]
    end
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
        for _ = 1, 12 do
          for _, dtypes in ipairs(pairs_of_dtypes) do check(kind, dtypes, direction, true) end
          if kind ~= "none" then
            check(kind, pairs_of_dtypes[random(#pairs_of_dtypes)], direction, false)
          end
        end
      end)
    end
  end
end)
