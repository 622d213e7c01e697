-- SPDX-License-Identifier: MIT
-- Times and dates as the functions of this folder take them: tensors of such a kind, a zone by its
-- name. Their loops are C on the CPU; tensors of a device go there and back.
local core = require "locus.core"
local declare = require "locus.call.declare"
local kinds = require "locus.tensor.kind"
local quantity = require "locus.tensor.quantity"
local internal, methods = core.internal, core.methods

local moments = {}

--- By unit of times.
moments.per_second = {s = 1, ms = 1e3, us = 1e6, ns = 1e9}

local DAYS = "dates, which have no time of day"

--- The zone of that name, for the core; nil: UTC.
function moments.zone(name) return name ~= nil and internal.zone(name) or nil end

--- Reads an input: {kind=, per_second=, values=, device=, zone=}; per_second is 0 for dates.
function moments.take(input, zone, what)
  local kind = kinds.of(input)
  if not kind or kind.type ~= "time" and kind.type ~= "date" then
    declare.raise("'%s' must be times or dates, got %s%s", what or "input",
      internal.describe(input), kind and "" or "; write locus.times(x)")
  end
  if kind.type == "date" and zone ~= nil then
    declare.raise("'zone' goes with times, got %s", DAYS)
  end
  local device = internal.device_of(input)
  local values = device == "cpu" and input or methods.cpu(input)
  return {kind = kind, per_second = kind.unit and moments.per_second[kind.unit] or 0,
          values = methods.contiguous(values), device = device, zone = moments.zone(zone)}
end

--- A result of the core on the input's device, of that kind; nil: numbers.
function moments.give(taken, result, kind)
  if taken.device ~= "cpu" then result = methods.to(result, taken.device) end
  return kind and kinds.tagged(result, kind) or result
end

--- The kind of a tensor or an element; nil for numbers and texts.
function moments.kind(value)
  if quantity.is and quantity.is(value) then return (quantity.parts(value)) end
  return kinds.of(value)
end

-- Raises what a value must be.
local function refuse(value, name)
  declare.raise("'%s' must be a time as text, an element of times, or a whole number of units, got "
    .. "%s", name, internal.describe(value))
end

--- One moment in the units of that kind: text, as the reader reads it, a time's element, or a
--- whole number of units.
function moments.one(value, kind, zone, name)
  if type(value) == "string" then
    local got, wrong
    if kind.type == "date" then
      got, wrong = internal.parse_date(value)
    else
      got, wrong = internal.parse_time(value, {unit = kind.unit, zone = zone})
    end
    if got == nil then
      declare.raise("'%s' is \"%s\", which %s%s", name, value:sub(1, 60), wrong,
        wrong:find("^is not ") and ('; write "%s"'):format(kind.example) or "")
    end
    return got
  end
  local unlike = moments.kind(value)
  if unlike and unlike.type ~= "time" and unlike.type ~= "date" or type(value) == "boolean" then
    refuse(value, name)
  end
  local tensor = core.is_tensor(value) and methods.numel(value) == 1 and methods.view(value, 1)
    or quantity.is and quantity.is(value) and core.full({1}, value, {dtype = "int64"})
  if tensor then
    local own = kinds.of(tensor)
    if own and own ~= kind then tensor = methods.as_unit(tensor, kind.unit or "d") end
    return kinds.tagged(tensor, nil)[1]
  end
  local ok, number = pcall(core.full, {1}, value, {dtype = "int64"})
  if not ok then refuse(value, name) end
  return number[1]
end

return moments
