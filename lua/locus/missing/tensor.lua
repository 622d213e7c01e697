-- SPDX-License-Identifier: MIT
-- fill_missing: a value in the place of missing elements. NaN is missing, complex numbers with a
-- part that is, and of integers the one that `missing` names.
local core = require "locus.core"
local declare = require "locus.call.declare"
local fill_value = require "locus.derived.fill_value"
local kinds = require "locus.tensor.kind"
local internal, methods = core.internal, core.methods

local types = select(2, internal.dtypes())
local missing = {}

-- Whether elements can be NaN.
local function has_nan(dtype)
  local kind = types[dtype].kind
  return kind == "FLOAT" or kind == "COMPLEX"
end

--- Raises unless the tensor, which `whose` names in errors, may have a value that is missing.
function missing.check(input, whose)
  local dtype = internal.dtype_of(input)
  if types[dtype].kind == "INTEGER" then return end
  declare.raise("'missing' is a value of integers, and %s is %s, where %s", whose, dtype,
    has_nan(dtype) and "NaN is missing" or "nothing is missing")
end

-- Where elements are missing: a mask, or one false for all.
local function missing_of(input, named, whose)
  if named ~= nil then
    missing.check(input, whose)
    return core.eq(input, fill_value(input, named, "'missing'"))
  end
  if has_nan(internal.dtype_of(input)) then return core.isnan(input) end
  return core.zeros({}, {dtype = "bool", device = internal.device_of(input)})
end

-- The value as the dtype of the input, in its size if it is a tensor.
local function of_dtype(input, value, what, whose)
  local dtype = internal.dtype_of(input)
  if type(value) == "string" and not kinds.of(input) then
    declare.raise("%s must be a value of %s, got %s", what, dtype, internal.describe(value))
  elseif not core.is_tensor(value) then
    return fill_value(input, value, what)
  end
  kinds.check_same(input, whose, value, what)
  if internal.dtype_of(value) ~= dtype then value = methods.to(value, dtype) end
  return methods.expand(value, methods.size(input))
end

--- The elements, and the value in the place of missing ones; `what` and `whose` name the value and
--- the tensor in errors.
function missing.fill(input, value, what, whose, named, out)
  local mask = missing_of(input, named, whose)
  return core.where(mask, of_dtype(input, value, what, whose), input, {out = out})
end

-- fill_missing(input, value, {missing=, out=}): the elements, with `value`, a number or a tensor
-- that broadcasts to the input, in the place of missing ones. The dtype stays.
-- Source: https://pandas.pydata.org/docs/reference/api/pandas.Series.fillna.html
declare.both("fill_missing(input:tensor, value:value, {missing:any=nil, out=nil})",
  function(input, value, named, out)
    return missing.fill(input, value, "'value'", "'input'", named, out)
  end)

-- fill_missing_(input, value, {missing=}): in place.
declare.both("fill_missing_(input:out, value:value, {missing:any=nil})",
  function(input, value, named)
    return missing.fill(input, value, "'value'", "'input'", named, input)
  end)

return missing
