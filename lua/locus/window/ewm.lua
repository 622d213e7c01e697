-- SPDX-License-Identifier: MIT
-- Exponentially weighted means, of tensors and for groups. They come from a kernel of the CPU
-- (src/cpu/run/ewm.c); tensors of a device are brought there and back.
local core = require "locus.core"
local declare = require "locus.call.declare"
local tensor_kind = require "locus.tensor.kind"
local internal, methods = core.internal, core.methods

local types = select(2, internal.dtypes())
local ewm = {}

-- 1 - exp(-x), right for small x too.
local function lost(x)
  local t = math.tanh(x / 2)
  return 2 * t / (1 + t)
end

-- The ways to say alpha: each with its least value, whether that is allowed, and the alpha of it.
local WAYS = {
  {"alpha", "greater than 0 and at most 1", function(v) return v <= 1 and v or nil end},
  {"span", "at least 1 and finite", function(v) return v >= 1 and 2 / (v + 1) or nil end},
  {"halflife", "greater than 0 and finite",
   function(v) return v > 0 and lost(math.log(2) / v) or nil end},
  {"com", "at least 0 and finite", function(v) return v >= 0 and 1 / (1 + v) or nil end},
}
local EXAMPLES = "alpha = 0.1, span = 20, halflife = 10 and com = 9"

local function alpha_of(given)
  local name, alpha
  for _, way in ipairs(WAYS) do
    local value = given[way[1]]
    if value ~= nil then
      if name then
        declare.raise("'%s' does not go with '%s'; write one of %s", way[1], name, EXAMPLES)
      end
      name, alpha = way[1], way[3](value)
      if not (alpha and alpha > 0) then
        declare.raise("'%s' must be %s, got %s", name, way[2], internal.spell(value))
      end
    end
  end
  return alpha or declare.raise("'alpha' is missing; write one of %s", EXAMPLES)
end

ewm.OPTIONS = "{alpha:number=nil, span:number=nil, halflife:number=nil, com:number=nil, "
  .. "adjust:boolean=true, min:integer=1, ignore_na:boolean=false"

-- The options of the kernel, and alpha, from those of ewm.OPTIONS.
local function options_of(alpha, span, halflife, com, adjust, min, ignore_na)
  min = tonumber(min)
  if min < 0 then declare.raise("'min' must not be negative, got %d", min) end
  local one = alpha_of {alpha = alpha, span = span, halflife = halflife, com = com}
  return one, {adjust = adjust, min = math.max(min, 1), ignore_na = ignore_na}
end

-- Contiguous float64 of the CPU, and the answers' dtype and device.
local function opened(input)
  local dtype, device = internal.dtype_of(input), internal.device_of(input)
  local answer = types[dtype].kind == "FLOAT" and dtype or core.get_default_dtype()
  local plain = methods.to(methods.cpu(tensor_kind.plain(input)), "float64")
  return methods.contiguous(plain), answer, device
end

local function closed(found, dtype, device)
  found = methods.to(found, dtype)
  return device == "cpu" and found or methods.to(found, device)
end

--- The answers of a column for its groups, of which state has `ids` and `size`.
function ewm.grouped(state, column, ...)
  local alpha, options = options_of(...)
  local x, dtype, device = opened(column)
  options.ids, options.groups = methods.contiguous(methods.cpu(state.ids)), state.size
  return closed(internal.ewm(x, alpha, options), dtype, device)
end

-- The elements before a dimension, along it and behind it.
local function around(x, dim)
  local outer, inner = 1, 1
  for d = 1, dim - 1 do outer = outer * x:size(d) end
  for d = dim + 1, methods.dim(x) do inner = inner * x:size(d) end
  return outer, x:size(dim), inner
end

-- ewm_mean(input, {alpha, ...}): for each element along a dimension the mean of those up to it, in
-- which every one weighs 1 - alpha of the next.
-- Source: https://pandas.pydata.org/docs/reference/api/pandas.DataFrame.ewm.html
declare.both(("ewm_mean(input:tensor, %s, dim=nil})"):format(ewm.OPTIONS), function(input, ...)
  local dim = select(8, ...)
  if types[internal.dtype_of(input)].kind == "COMPLEX" then
    declare.raise("'input' must be of real numbers, got %s", internal.describe(input))
  elseif methods.dim(input) == 0 then
    declare.raise("'input' must have dimensions, got a 0-d tensor")
  end
  local alpha, options = options_of(...)
  local x, dtype, device = opened(input)
  local found = internal.ewm(methods.view(x, around(x, dim or methods.dim(x))), alpha, options)
  return closed(methods.view_as(found, x), dtype, device)
end)

return ewm
