-- SPDX-License-Identifier: MIT
-- Arrays as another dtype holds them, as results of mixed dtypes are, and broadcast to a shape.
local arrays = require "fuzz.callers.known.arrays"
local plan = require "fuzz.callers.plan"
local rounding = require "fuzz.callers.known.rounding"

jit.off(true, true) -- see plan.compile

local convert = {}

local function same(x) return x end
plan.compile {same}

local function from_int64(round)
  if round == rounding.to.float64 then return tonumber end
  return plan.compile({function(x) return round(rounding.sticky(x)) end})[1]
end

local MAP = [[local f = ...
return function(from, to, n) for i = 0, n - 1 do to[i] = f(from[i]) end end]]
local PAIR = [[local f = ...
return function(from, to, n) for i = 0, n - 1 do to[2 * i], to[2 * i + 1] = f(from[i]), 0 end end]]

-- The dtype of the parts of a complex dtype, or itself.
local PARTS = {complex64 = "float32", complex128 = "float64"}

--- The array as that dtype, which holds its kind, holds it.
function convert.to(a, dtype)
  if a.dtype == dtype then return a end
  local b = arrays.blank(dtype, a.n)
  local round = rounding.to[PARTS[dtype] or dtype]
  local f = not round and same or a.class == "q" and from_int64(round) or round
  local template, n = MAP, a.n
  if b.class == "z" then
    if a.class == "z" then n = 2 * n else template = PAIR end
  end
  arrays.compiled(template, a.class .. " to " .. dtype, f)(a.v, b.v, n)
  return b
end

local SPREAD = [[return function(from, to, n, first, step)
  for i = 0, n - 1 do to[i] = from[first + i * step] end
end]]
local SPREAD_PAIRS = [[return function(from, to, n, first, step)
  for i = 0, n - 1 do
    to[2 * i], to[2 * i + 1] = from[2 * (first + i * step)], from[2 * (first + i * step) + 1]
  end
end]]

--- The array of one shape, broadcast to another.
function convert.spread(a, shape, whole)
  local strides, inner, n = {}, 1, 1
  for d = #whole, 1, -1 do
    local size = shape[d - #whole + #shape] or 1
    strides[d] = size == 1 and 0 or inner
    inner = inner * size
    n = n * whole[d]
  end
  if inner == n then return a end
  local b = arrays.blank(a.dtype, n)
  local source = a.class == "z" and SPREAD_PAIRS or SPREAD
  local spread = arrays.compiled(source, "spread " .. a.class)
  local row = whole[#whole] or 1
  for r = 0, n > 0 and n / row - 1 or -1 do
    local left, at = r, 0
    for d = #whole - 1, 1, -1 do
      at = at + left % whole[d] * strides[d]
      left = math.floor(left / whole[d])
    end
    spread(a.v, b.v + r * row * (a.class == "z" and 2 or 1), row, at, strides[#whole] or 0)
  end
  return b
end

--- Shapes that broadcast to one, each with some of its dimensions 1 or missing.
function convert.part_of(shape)
  if math.random(2) == 1 then return {unpack(shape)} end
  local first, part = math.random(#shape + 1), {}
  for d = first, #shape do
    part[#part + 1] = math.random(4) == 1 and shape[d] ~= 0 and 1 or shape[d]
  end
  return part
end

return convert
