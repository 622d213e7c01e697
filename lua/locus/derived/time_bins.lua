-- SPDX-License-Identifier: MIT
-- The edges of bins of times, dates and durations: whole units, so that they are such themselves.
-- Bin i of n begins at low + floor(i * (high - low) / n), which is exact in int64: the quotient of
-- the whole width, and that of what is left.
local core = require "locus.core"
local declare = require "locus.call.declare"
local fill_value = require "locus.derived.fill_value"
local kinds = require "locus.tensor.kind"
local internal = core.internal

-- The ends of the bins, as tensors of one plain element; `given` is the option `range`.
local function ends_of(input, given)
  local low, high
  if given == nil then
    if input:numel() == 0 then return core.zeros(1, {dtype = "int64"}) end
    low, high = core.amin(input), core.amax(input)
  else
    if type(given) ~= "table" or #given ~= 2 then
      declare.raise("'range' must be a table of two %ss, got %s", kinds.of(input).type,
        internal.describe_number(given))
    end
    declare.check_keys(given, "'range'", "a table of its two ends", 2)
    low, high = fill_value(input, given[1], "'range[1]'"), fill_value(input, given[2], "'range[2]'")
  end
  local function plain(end_)
    return kinds.plain(core.full({1}, end_, {dtype = "int64", device = internal.device_of(input)}))
  end
  if core.any(core.gt(plain(low), plain(high))) then
    declare.raise("'range' must not fall, got %s and %s", tostring(low), tostring(high))
  end
  return plain(low), plain(high)
end

-- The edges of that many bins, of input's kind: over `range`, or from the least to the greatest
-- element, where no bin is shorter than a unit.
return function(input, count, range)
  local low, high = ends_of(input, range)
  local units = (high or low) - low
  if core.any(core.lt(units, 0)) then
    declare.raise("'input' has times more than 2^63 units apart; write range = {low, high}")
  elseif core.any(core.lt(units, count)) then
    if range ~= nil then
      declare.raise("'bins' is %d, but 'range' has %d %s; write at most as many", count,
        tonumber(units[1]), kinds.of(input).unit or "days")
    end
    units = core.full_like(units, count)
  end
  local places = core.arange(count + 1, {dtype = "int64", device = internal.device_of(input)})
  local width = core.floor_divide(units, count)
  local rest = core.floor_divide(places * (units - width * count), count)
  return kinds.tagged(low + places * width + rest, kinds.of(input))
end
