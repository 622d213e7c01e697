-- SPDX-License-Identifier: MIT
-- shift: elements some places further along, as roll moves them, and a value in the places that
-- they leave. It takes roll's time.
local core = require "locus.core"
local declare = require "locus.call.declare"
local fill_value = require "locus.derived.fill_value"
local kinds = require "locus.tensor.kind"
local internal, methods = core.internal, core.methods

local types = select(2, internal.dtypes())
local shift = {}

-- The value for places that no element reaches: the one given, or NaN. It raises where the dtype
-- cannot hold it, or has no NaN; the tensor is the argument of that name.
function shift.fill(tensor, fill, name, places)
  local dtype = internal.dtype_of(tensor)
  local kind = types[dtype].kind
  if fill == nil then
    if kind == "FLOAT" or kind == "COMPLEX" then return 0 / 0 end
    local own = kinds.of(tensor)
    if own then
      declare.raise("%s has %s, which have no NaN for %s; write fill = \"%s\"", name, own.text,
        places, own.example)
    end
    declare.raise("%s is %s, which has no NaN for %s; write fill = %s, or %s", name, dtype, places,
      kind == "BOOL" and "false" or "0",
      kind == "BOOL" and "fill = true" or "another " .. dtype)
  end
  return fill_value(tensor, fill, "'fill'")
end

local LEFT = "the places that the shift leaves"

-- shift(input, k, ...): each element k places further along the dimension, or back where k is
-- negative. Elements that leave at one end are gone; the places at the other hold `fill`.
-- Source: https://pandas.pydata.org/docs/reference/api/pandas.Series.shift.html
declare.both("shift(input:tensor, k:integer=1, {fill:any=nil, dim=nil, out=nil})",
  function(input, k, fill, dim, out)
    local ndim = methods.dim(input)
    if ndim == 0 then declare.raise("'input' must have dimensions, got a 0-d tensor") end
    if k ~= 0 or fill ~= nil then fill = shift.fill(input, fill, "'input'", LEFT) end
    dim = dim or ndim
    local n = methods.size(input, dim)
    k = tonumber(k)
    local places = math.min(math.abs(k), n)
    local moved = core.roll(input, k < 0 and -places or places, dim, {out = out})
    if places > 0 then
      methods.fill_(methods.narrow(moved, dim, k > 0 and 1 or n - places + 1, places), fill)
    end
    return moved
  end)

return shift
