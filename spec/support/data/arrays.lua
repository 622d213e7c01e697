-- SPDX-License-Identifier: MIT
-- Random arrays for specs (spec/support/models/oracle.lua says what an array is), tensors of them
-- in any layout, rows sorted and shuffled, and a comparison whose message holds what it takes to
-- redo it by hand.

local ffi = require "ffi"
local oracle = require "spec.support.models.oracle"
local support = require "spec.support"

local arrays = {}

local random = math.random

--- A random element of a list.
function arrays.pick(list)
  return list[random(#list)]
end

--- An int64 cdata from decimals.
function arrays.int64(text)
  return ffi.new("int64_t", support.integer(text))
end

-- Numbers where dtypes part: limits, ends of exact ranges, ties of a rounding, the special floats.
local WIDE = {}
for i, text in ipairs {
  "9007199254740991", "9007199254740992", "9007199254740993", "9007199254740994",
  "-9007199254740993", "4611686018427387904", "4611686018427387905", "9223372036854775806",
  "9223372036854775807", "-9223372036854775808", "16777217", "2147483647", "-2147483648",
} do
  WIDE[i] = arrays.int64(text)
end
local FLOATS = {
  support.nan, math.huge, -math.huge, 0, -0.0, 0.1, -0.1, 2 ^ 53, 2 ^ 53 + 2, -2 ^ 63, 2 ^ 63,
  2 ^ 63 - 1024, 2 ^ 62, 16777217, 16777216, 255.5, 256, 127.5, -128.5, 65504, 65519, 3e38, 2 ^ -24,
  2 ^ -149, 5e-324, -5e-324, 2147483647.5,
}

local function in_range(value, dtype)
  local low, high = unpack(support.range[dtype])
  return not oracle.before(value, low) and not oracle.before(high, value)
end

--- The values where dtypes part that a dtype holds, each once.
function arrays.edges(dtype)
  local kind, list, seen = oracle.kind(dtype), {}, {}
  if kind == 1 then return { false, true } end
  if kind == 4 then
    local parts = arrays.edges(oracle.computed(dtype))
    for i, part in ipairs(parts) do list[i] = support.complex(part, parts[#parts + 1 - i]) end
    return list
  end
  local function add(value)
    local text = support.show(value)
    if not seen[text] then list[#list + 1], seen[text] = value, true end
  end
  if kind == 3 then
    for _, value in ipairs(FLOATS) do add(oracle.round(value, dtype)) end
    return list
  end
  for _, values in ipairs { { 0, 1, 3 }, support.range[dtype], WIDE } do
    for _, value in ipairs(values) do
      if in_range(value, dtype) then add(value) end
    end
  end
  return list
end

--- A random value that a dtype holds; `plain` keeps to 0..100.
function arrays.value_of(dtype, plain)
  local kind = oracle.kind(dtype)
  if kind == 1 then
    return random(2) == 1
  elseif plain then
    return oracle.convert(random(0, 100), dtype)
  elseif kind == 4 then
    local part = oracle.computed(dtype)
    return support.complex(arrays.value_of(part), arrays.value_of(part))
  elseif kind == 3 then
    return oracle.round(random(3) == 1 and arrays.pick(FLOATS) or random(-12, 12) / 2, dtype)
  end
  local value = random(3) == 1 and arrays.pick(random(2) == 1 and WIDE or support.range[dtype])
    or random(-6, 6)
  return in_range(value, dtype) and value or random(0, 6)
end

--- A random array; `plain` as in value_of.
function arrays.random(dtype, shape, plain)
  local values = {}
  for i = 1, support.numel(shape) do
    values[i] = arrays.value_of(dtype, plain)
  end
  return { dtype = dtype, shape = shape, values = values }
end

--- The tensor of an array in a layout of support.layouts, a random one unless given.
function arrays.tensor(a, layout)
  local t = support.tensor(a.dtype, a.values, a.shape)
  return support.laid(t, layout or arrays.pick(support.layouts))
end

local function after(a, b)
  return oracle.before(b, a)
end

--- Sorts every row of the innermost dimension in place.
function arrays.sort_rows(a, descending)
  local n = a.shape[#a.shape]
  for start = 0, #a.values - 1, math.max(n, 1) do
    local row = { unpack(a.values, start + 1, start + n) }
    table.sort(row, descending and after or oracle.before)
    for j, value in ipairs(row) do
      a.values[start + j] = value
    end
  end
  return a
end

--- Shuffles every row of a sorted array in place and gives the sorter that undoes it.
function arrays.shuffle_rows(a, base)
  local n = a.shape[#a.shape]
  local sorter = { dtype = arrays.pick { "int64", "int32" }, shape = a.shape, values = {} }
  for start = 0, #a.values - 1, math.max(n, 1) do
    local row, order = { unpack(a.values, start + 1, start + n) }, {}
    for j = 1, n do
      table.insert(order, random(j), j)
    end
    for place, j in ipairs(order) do
      a.values[start + place] = row[j]
      sorter.values[start + j] = place - 1 + base
    end
  end
  return sorter
end

--- An array as one line of text.
function arrays.show(a)
  local words = {}
  for i, value in ipairs(a.values) do
    words[i] = support.show(value)
  end
  local what = a.dtype or a.scalar
  return what .. " {" .. table.concat(a.shape or {}, ",") .. "}: " .. table.concat(words, " ")
end

--- Raises unless the tensor is as expected; the message lists the arrays and notes that follow.
function arrays.check(t, shape, values, dtype, ...)
  local difference = support.difference(t, shape, values, dtype)
  if difference then
    local lines = { difference }
    for _, a in ipairs { ... } do
      lines[#lines + 1] = type(a) == "table" and arrays.show(a) or tostring(a)
    end
    error(table.concat(lines, "\n  "), 2)
  end
end

return arrays
