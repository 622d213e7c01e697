-- SPDX-License-Identifier: MIT
-- How the inputs of the bench's calls are made: each function gives the tensors and numbers of a
-- case at a size, by the names that the calls use.
local locus = require "locus"

-- The first of the random numbers of each dtype, and their span; float64 holds all these integers.
local SPAN = {
  bool = { 0, 2 }, uint8 = { 0, 256 }, int8 = { -128, 256 }, int16 = { -32768, 65536 },
  int32 = { -2 ^ 31, 2 ^ 32 - 1 }, int64 = { -2 ^ 52, 2 ^ 53 },
  float16 = { 0, 1 }, bfloat16 = { 0, 1 }, float32 = { 0, 1 }, float64 = { 0, 1 },
}

local FILL = [[
local random, floor, exp, log, sqrt, cos, pi = ...
return function(p, n, a, b, c)
  for i = 0, n - 1 do p[i] = %s end
end]]

-- A contiguous tensor whose element i, from 0, is the expression in i, a, b, c. Each expression is
-- compiled by itself, so that a hundred million elements take a second.
local function filled(dtype, shape, expression, a, b, c)
  local half = dtype == "float16" or dtype == "bfloat16"
  local t = locus.empty(shape, { dtype = half and "float32" or dtype })
  local m = math
  local fill = assert(loadstring(FILL:format(expression)))(
    m.random, m.floor, m.exp, m.log, m.sqrt, m.cos, m.pi)
  fill(t:data(), t:numel(), a, b, c)
  return half and t:to(dtype) or t
end

-- As filled, where the expression gives reals and an integer dtype takes the integer below.
local function numbers(dtype, shape, expression, ...)
  if not dtype:find "float" then
    expression = "floor(" .. expression .. ")"
  end
  return filled(dtype, shape, expression, ...)
end

local inputs = {}

local NORMAL = "sqrt(-2 * log(1 - random())) * cos(2 * pi * random())"

-- Random numbers over the range of this dtype, or of another one.
local function drawn(dtype, shape, data, range)
  if data == "skewed" then
    return filled(dtype, shape, "exp(2 * " .. NORMAL .. ")")  -- lognormal
  end
  return numbers(dtype, shape, "a + random() * b", unpack(SPAN[range or dtype]))
end

-- Ascending rows of n random numbers, one in each n-th of the range.
local function ascending(dtype, shape, n)
  local first, span = unpack(SPAN[dtype])
  return numbers(dtype, shape, "a + (i % c + random()) * b", first, span / n, n)
end

-- Elements that are nonzero with this density; "runs" of 64 follow one another.
local function sparse(dtype, shape, density, data)
  local nonzero = data == "runs" and "i % 128 < 64" or "random() < a"
  local value = dtype:find "float" and "1 + random()" or "1"
  return filled(dtype, shape, nonzero .. " and " .. value .. " or 0", density)
end

-- A permutation of 1..n.
local function shuffled(n)
  local t = locus.range(1, n):long()
  local p = t:data()
  for i = n - 1, 1, -1 do
    local k = math.random(0, i)
    p[i], p[k] = p[k], p[i]
  end
  return t
end

function inputs.search(case, size)
  local rows, n, m = size.rows, size.n, size.m
  local keys
  if case.data == "skewed" then
    keys = (drawn(case.dtype, n, "skewed"):sort())
  else
    keys = ascending(case.dtype, rows and { rows, n } or n, n)
  end
  local shape, dtype = rows and { rows, m } or m, case.values or case.dtype
  if case.data == "ascending" then
    return { keys = keys, values = ascending(dtype, shape, m) }
  end
  return { keys = keys, values = drawn(dtype, shape, case.data, case.dtype) }
end

function inputs.sorter(case, size)
  local input = inputs.search(case, size)
  input.sorter = shuffled(size.n)
  input.sorter0 = input.sorter - 1
  local keys = locus.empty_like(input.keys)
  keys[input.sorter] = input.keys
  input.keys = keys
  return input
end

function inputs.index(case, size)
  local input = inputs.search(case, size)
  input.index = input.keys:search_index()
  return input
end

function inputs.one_value(case, size)
  return {
    keys = ascending(case.dtype, size.n, size.n), value = 0.371, right = { right = true },
  }
end

--- The elements in the middle, about half of them: as a range, and as positions in another order.
function inputs.places(case, size)
  local first, last = math.floor(size.n / 4), math.ceil(size.n / 4 * 3)
  local places = shuffled(last - first) + first
  return {
    x = drawn(case.dtype, size.n), range = { { first + 1, last } },
    places = places, places0 = places - 1, first = first, last = last,
  }
end

function inputs.nonzero(case, size)
  local x = sparse(case.dtype, size.shape or size.n, case.density, case.data)
  return { x = case.transposed and x:t() or x }
end

function inputs.mask(case, size)
  return {
    x = drawn(case.dtype, size.n), mask = sparse("bool", size.n, case.density, case.data),
  }
end

function inputs.where(case, size)
  local shape = size.shape or size.n
  return {
    cond = sparse("bool", shape, case.density or 0.5, case.data),
    x = drawn(case.dtype, shape),
    y = drawn(case.values or case.dtype, shape),
  }
end

function inputs.where_number(case, size)
  return { cond = sparse("bool", size.n, 0.5), x = drawn(case.dtype, size.n) }
end

function inputs.broadcast(case, size)
  local rows, columns = unpack(size.shape)
  return {
    cond = sparse("bool", size.shape, 0.5),
    x = drawn(case.dtype, { rows, 1 }), y = drawn(case.dtype, { 1, columns }),
  }
end

function inputs.transposed(case, size)
  local input = inputs.where(case, size)
  input.x = drawn(case.dtype, { size.shape[2], size.shape[1] }):t()
  return input
end

function inputs.pair(case, size)
  return { x = drawn(case.dtype, size.n), y = drawn(case.dtype, size.n) }
end

function inputs.one(case, size)
  return { x = drawn(case.dtype, size.shape or size.n) }
end

--- Zeros and ones: every order of addition gives the same sum.
function inputs.bits(case, size)
  return { x = filled(case.dtype, size.n, "random() < 0.5 and 1 or 0") }
end

--- A matrix to be read by columns.
function inputs.columns(case, size)
  return { x = drawn(case.dtype, size.shape):t() }
end

return inputs
