-- SPDX-License-Identifier: MIT
-- fill_missing: a value in the place of missing elements. NaN is missing, complex numbers with a
-- part that is, and of integers the one that `missing` names.
local core = require "locus.core"
local declare = require "locus.call.declare"
local filling = require "locus.derived.filling"
local internal, methods = core.internal, core.methods

local types = select(2, internal.dtypes())
local missing = {}

-- Whether elements can be NaN.
local function has_nan(dtype)
  local kind = types[dtype].kind
  return kind == "FLOAT" or kind == "COMPLEX"
end

-- Where elements are missing: a mask, or one false for all.
function missing.of(input, named)
  local dtype = internal.dtype_of(input)
  if named ~= nil then
    if types[dtype].kind ~= "INTEGER" then
      declare.raise("'missing' is a value of integers, and 'input' is %s, where %s", dtype,
        has_nan(dtype) and "NaN is missing" or "nothing is missing")
    elseif not filling(named, dtype) then
      declare.raise("'missing' must be a value of %s, got %s", dtype,
        internal.describe_number(named))
    end
    return core.eq(input, named)
  end
  if has_nan(dtype) then return core.isnan(input) end
  return core.zeros({}, {dtype = "bool", device = internal.device_of(input)})
end

-- The value as the dtype of the input, in its size if it is a tensor.
local function of_dtype(input, value, what)
  local dtype = internal.dtype_of(input)
  if core.is_tensor(value) then
    return methods.expand(methods.to(value, dtype), methods.size(input))
  end
  if filling(value, dtype) then return value end
  declare.raise("%s must be a value of %s, got %s", what, dtype,
    type(value) == "number" and internal.spell(value) or internal.describe(value))
end

-- The elements, and the value in the place of missing ones; `what` names the value in errors.
function missing.fill(input, value, what, named, out)
  return core.where(missing.of(input, named), of_dtype(input, value, what), input, {out = out})
end

-- fill_missing(input, value, {missing=, out=}): the elements, with `value`, a number or a tensor
-- that broadcasts to the input, in the place of missing ones. The dtype stays.
-- Source: https://pandas.pydata.org/docs/reference/api/pandas.Series.fillna.html
declare.both("fill_missing(input:tensor, value:value, {missing:any=nil, out=nil})",
  function(input, value, named, out)
    return missing.fill(input, value, "'value'", named, out)
  end)

-- fill_missing_(input, value, {missing=}): in place.
declare.both("fill_missing_(input:out, value:value, {missing:any=nil})",
  function(input, value, named)
    return missing.fill(input, value, "'value'", named, input)
  end)

return missing
