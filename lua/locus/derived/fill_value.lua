-- SPDX-License-Identifier: MIT
-- A value that a caller wrote for the elements of a tensor: of times a text, too, or an element in
-- another unit.
local core = require "locus.core"
local declare = require "locus.call.declare"
local filling = require "locus.derived.filling"
local kinds = require "locus.tensor.kind"
local internal = core.internal

local scalars = {number = true, boolean = true, cdata = true}

-- The value as an element of a tensor that is like this one; `what` names it in errors.
return function(like, value, what)
  local dtype, kind = internal.dtype_of(like), kinds.of(like)
  if kind then
    local one = kinds.tagged(core.zeros(1, {dtype = dtype, device = "cpu"}), kind)
    local ok, made = pcall(core.full_like, one, value)
    if not ok then error((tostring(made):gsub("'fill_value'", (what:gsub("%%", "%%%%")), 1)), 0) end
    return made[1]
  elseif not scalars[type(value)] then
    declare.raise("%s must be a number, a boolean or a cdata, got %s", what,
      internal.describe_number(value))
  elseif filling(value, dtype) then
    return value
  end
  declare.raise("%s must be a value of %s, got %s", what, dtype,
    type(value) == "number" and internal.spell(value) or internal.describe(value))
end
