-- SPDX-License-Identifier: MIT
-- The three operations in plain Lua, slow and obvious, for specs to compare with. An array is
-- { dtype =, shape =, values = flat row-major list }; a Lua value beside tensors is
-- { scalar = "bool"|"int"|"float"|"complex", values = { v } }.

local has_ffi, ffi = pcall(require, "ffi")
local support = require "spec.support"
local int64 = has_ffi and ffi.typeof("int64_t")

local oracle = {}

-- By dtype, and by what a scalar is.
local KIND = support.known("the kind", { bool = 1, int = 2, float = 3, complex = 4 })
for dtype, c in pairs(support.types) do
  KIND[dtype] = ({ BOOL = 1, INTEGER = 2, FLOAT = 3, COMPLEX = 4 })[c.kind]
end

--- 1 bool, 2 integer, 3 float, 4 complex.
function oracle.kind(dtype)
  return KIND[dtype]
end

-- Significant bits, exponent of the least positive number, first power of two that is out of range.
local FORMAT = support.known("the format", {
  float16 = { 11, -24, 2 ^ 16 },
  bfloat16 = { 8, -133, 2 ^ 128 },
  float32 = { 24, -149, 2 ^ 128 },
})

local COMPUTED = support.known("the dtype of computations", {
  float16 = "float32", bfloat16 = "float32", float32 = "float32", float64 = "float64",
  complex64 = "float32", complex128 = "float64",
})

--- The dtype in which a float dtype, or the parts of a complex one, are computed.
function oracle.computed(dtype)
  return COMPUTED[dtype]
end

local function real(value)
  if type(value) == "boolean" then
    return value and 1 or 0
  end
  return value
end

-- A double that rounds to any shorter format as the int64 itself does: beyond 2^53 a sticky bit
-- stands for what is cut off.
local function sticky_double(value)
  local near = tonumber(value)
  if math.abs(near) < 2 ^ 53 then
    return near
  end
  local high = value / 2048
  if high * 2048 ~= value then
    high = require("bit").bor(high, int64(1))
  end
  return tonumber(high) * 2048
end

--- A real value rounded to a float dtype: nearest, ties to even, overflow to infinity.
function oracle.round(value, dtype)
  value = real(value)
  if dtype == "float64" then
    return tonumber(value)
  end
  local x = type(value) == "cdata" and sticky_double(value) or value
  if x ~= x or x == 0 or math.abs(x) == math.huge then
    return x
  end
  local digits, least, limit = unpack(FORMAT[dtype])
  local _, exponent = math.frexp(x)
  local unit = 2 ^ math.max(exponent - digits, least)
  local steps = math.abs(x) / unit
  local whole = math.floor(steps)
  if steps - whole > 0.5 or steps - whole == 0.5 and whole % 2 == 1 then
    whole = whole + 1
  end
  local size = whole * unit
  if size >= limit then
    size = math.huge
  end
  return x < 0 and -size or size
end

-- a < b for exact reals, each a double (not NaN) or an int64.
local function less(a, b)
  if type(a) == type(b) then
    return a < b
  elseif type(a) == "cdata" then
    return b >= 2 ^ 63 or b >= -2 ^ 63 and a < int64(math.ceil(b))
  end
  return a < -2 ^ 63 or a < 2 ^ 63 and int64(math.floor(a)) < b
end

--- True when a stands before b in the one order: exact numbers, -0.0 equal to 0.0, NaN last.
function oracle.before(a, b)
  a, b = real(a), real(b)
  if a ~= a then
    return false
  end
  return b ~= b or less(a, b)
end

--- True when every number of the row stands where the order wants it.
function oracle.is_sorted(row)
  for j = 2, #row do
    if oracle.before(row[j], row[j - 1]) then
      return false
    end
  end
  return true
end

--- Row r (from 1) of the innermost dimension, read through the sorter when there is one.
function oracle.row(sequence, r, sorter, base)
  local n = sequence.shape[#sequence.shape]
  local row = {}
  for j = 1, n do
    local k = sorter and tonumber(sorter.values[(r - 1) * n + j]) - base + 1 or j
    row[j] = sequence.values[(r - 1) * n + k]
  end
  return row
end

--- searchsorted by counting: left counts what stands before the value, right what does not stand
--- after it. Options: right, base (1 unless given), sorter, descending. Rows must be sorted.
function oracle.searchsorted(sequence, values, options)
  local base = options.base or 1
  local rounds = (values.scalar or #values.shape == 0) and KIND[sequence.dtype] == 3
  local per_row = #sequence.shape > 1 and values.shape[#values.shape]
  local result, row, at = {}, nil, nil
  for i, value in ipairs(values.values) do
    local r = per_row and math.floor((i - 1) / per_row) + 1 or 1
    if at ~= r then
      row, at = oracle.row(sequence, r, options.sorter, base), r
    end
    value = rounds and oracle.round(value, sequence.dtype) or value
    local count = 0
    for _, element in ipairs(row) do
      local first, second = element, value
      if options.descending then
        first, second = value, element
      end
      local counts
      if options.right then
        counts = not oracle.before(second, first)
      else
        counts = oracle.before(first, second)
      end
      count = count + (counts and 1 or 0)
    end
    result[i] = count + base
  end
  return result
end

--- The indices of a flat row-major position (from 0), each from 0.
function oracle.unravel(position, shape)
  local index = {}
  for d = #shape, 1, -1 do
    index[d] = position % shape[d]
    position = math.floor(position / shape[d])
  end
  return index
end

local function is_zero(value)
  if has_ffi and ffi.istype("complex", value) then
    return value.re == 0 and value.im == 0
  end
  return real(value) == 0
end

--- nonzero as a flat list of rows and their number; base is 1 unless given.
function oracle.nonzero(input, base)
  local rows, count = {}, 0
  for i, value in ipairs(input.values) do
    if not is_zero(value) then
      count = count + 1
      for _, k in ipairs(oracle.unravel(i - 1, input.shape)) do
        rows[#rows + 1] = k + (base or 1)
      end
    end
  end
  return rows, count
end

local SIGNED = support.known("the signed dtype of twice the width", { uint8 = "int16" })

-- The wider one, the signed one of two; where that is no wider, a signed one that holds both.
local function promote_integers(a, b)
  local wide_a, wide_b = support.types[a].size, support.types[b].size
  local signed_a, signed_b = not a:find("^u"), not b:find("^u")
  if signed_a == signed_b then
    return wide_a > wide_b and a or b
  elseif signed_b then
    return wide_b > wide_a and b or SIGNED[a]
  end
  return promote_integers(b, a)
end

--- The dtype two tensors of one rank promote to.
function oracle.promote(a, b)
  if a == b then
    return a
  elseif KIND[a] > KIND[b] then
    a, b = b, a
  end
  if KIND[b] == 4 then
    local double = a == "float64" or a == "complex128" or b == "complex128"
    return double and "complex128" or "complex64"
  elseif KIND[a] < KIND[b] then
    return b
  elseif KIND[a] == 3 then
    return oracle.computed(a) == "float64" and a or oracle.computed(b)
  elseif KIND[a] == 2 then
    return promote_integers(a, b)
  end
  error("no spec knows what " .. a .. " and " .. b .. " make")
end

local function rank(operand)
  return operand.scalar and 0 or #operand.shape == 0 and 1 or 2
end

local function default_dtype(scalar, float)
  if scalar == "complex" then
    return float == "float64" and "complex128" or "complex64"
  end
  return scalar == "bool" and "bool" or scalar == "int" and "int64" or float
end

--- The dtype of where(c, x, y): a lower rank counts only when its kind is higher. `float` is the
--- default dtype.
function oracle.result_type(x, y, float)
  if rank(x) < rank(y) then
    x, y = y, x
  end
  if x.scalar then
    return oracle.promote(default_dtype(x.scalar, float), default_dtype(y.scalar, float))
  elseif rank(x) == rank(y) then
    return oracle.promote(x.dtype, y.dtype)
  end
  local kind = KIND[y.dtype or y.scalar]
  if kind <= KIND[x.dtype] then
    return x.dtype
  elseif kind == 4 and KIND[x.dtype] == 3 then
    return x.dtype == "float64" and "complex128" or "complex64"
  end
  return y.dtype or default_dtype(y.scalar, float)
end

--- A value as a result of this dtype holds it.
function oracle.convert(value, dtype)
  local kind = KIND[dtype]
  if kind == 4 then
    local part = oracle.computed(dtype)
    if ffi.istype("complex", value) then
      return ffi.new("complex", oracle.round(value.re, part), oracle.round(value.im, part))
    end
    return ffi.new("complex", oracle.round(value, part), 0)
  elseif kind == 3 then
    return oracle.round(value, dtype)
  end
  return kind == 2 and real(value) or value
end

--- The shape that all of these broadcast to.
function oracle.broadcast(...)
  local shape = {}
  for _, other in ipairs({ ... }) do
    while #shape < #other do
      table.insert(shape, 1, 1)
    end
    local shift = #shape - #other
    for d, size in ipairs(other) do
      if shape[shift + d] == 1 then
        shape[shift + d] = size
      end
    end
  end
  return shape
end

-- The element of a broadcast array that stands at an index of the result.
local function element(array, index)
  local position, shape = 0, array.shape or {}
  for d, size in ipairs(shape) do
    local k = index[#index - #shape + d]
    position = position * size + (size == 1 and 0 or k)
  end
  return array.values[position + 1]
end

--- where(condition, x, y) as an array. `float` is the default dtype.
function oracle.where(condition, x, y, float)
  local shape = oracle.broadcast(condition.shape, x.shape or {}, y.shape or {})
  local result = { dtype = oracle.result_type(x, y, float), shape = shape, values = {} }
  local n = 1
  for _, size in ipairs(shape) do
    n = n * size
  end
  for i = 1, n do
    local index = oracle.unravel(i - 1, shape)
    local value = element(element(condition, index) and x or y, index)
    result.values[i] = oracle.convert(value, result.dtype)
  end
  return result
end

return oracle
