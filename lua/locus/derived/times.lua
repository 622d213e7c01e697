-- SPDX-License-Identifier: MIT
-- Times, dates and durations written down, and their text.
local core = require "locus.core"
local declare = require "locus.call.declare"
local kinds = require "locus.tensor.kind"
local lazy = require "locus.call.lazy"
local quantity = require "locus.tensor.quantity"
local internal, methods = core.internal, core.methods

local SINGLE = {string = true, number = true, cdata = true}

local function strings() return lazy("locus.frame.strings") end

-- The kind of that type and unit.
local function named(type, unit)
  local kind = kinds.named(type, unit)
  if kind and not (type == "time" and unit == "d") then return kind end
  declare.raise("'unit' must be one of s ms us ns%s, got %s", type == "duration" and " d" or "",
    internal.describe(unit))
end

local function check_pattern(pattern, output)
  local wrong = pattern and internal.check_pattern(pattern, output)
  if wrong then declare.raise("the pattern '%s' %s", pattern, wrong) end
end

-- -- One value -----------------------------------------------------------------------------------

-- How texts are read: {pattern=, zone=, ambiguous=, missing=}, zone being the core's; nil for the
-- usual way.
local function way(pattern, zone, ambiguous, missing)
  check_pattern(pattern)
  if ambiguous ~= nil and ambiguous ~= "first" and ambiguous ~= "second" then
    declare.raise("'ambiguous' must be \"first\" or \"second\", got %s",
      internal.describe(ambiguous))
  elseif missing ~= nil and missing ~= "forward" then
    declare.raise("'missing' must be \"forward\", got %s", internal.describe(missing))
  elseif zone == nil and (ambiguous or missing) then
    declare.raise("'%s' goes with 'zone'", ambiguous and "ambiguous" or "missing")
  end
  return (pattern or zone ~= nil) and {pattern = pattern, ambiguous = ambiguous,
    missing = missing, zone = zone ~= nil and internal.zone(zone) or nil} or nil
end

-- The number of units of a text, with the error's place in a list.
local function parsed(kind, text, by, name)
  local options = {unit = kind.unit}
  for key, value in pairs(by or {}) do options[key] = value end
  local value, wrong = internal["parse_" .. kind.type](text, options)
  if not wrong then return value end
  if by and by.zone and wrong:find("zone", 1, true) then
    declare.raise("'%s' is %s, which %s", name, internal.describe(text), wrong)
  end
  local more = not (by and by.pattern) and kind.type ~= "duration" and ", or give its pattern" or ""
  declare.raise("'%s' is %s, which %s; write \"%s\"%s", name, internal.describe(text), wrong,
    kind.example, more)
end

-- A 1-element tensor of the kind, of a text, a number of units, or a value of another unit.
local function one(kind, value, by, name)
  if type(value) == "string" then value = parsed(kind, value, by, name) end
  return internal.with_meanings({value}, kind.number, name)
end

-- The value, or the tensor or string column as such.
local function made(kind, value, by, name)
  name = name or "value"
  if not SINGLE[type(value)] then
    local is_list = type(value) == "table" or core.is_tensor(value)
    declare.raise("'%s' must be a text or a number, got %s%s", name, internal.describe(value),
      is_list and ("; write locus.%ss(list)"):format(kind.type) or "")
  end
  return one(kind, value, by, name)[1]
end

-- time(value, {unit="us", pattern=nil, zone=nil, ambiguous=nil, missing=nil}): a time, of a text as
-- read_csv reads it (ISO 8601, the common log's, or by the pattern), or of a number of units since
-- 1970 UTC. A text without an offset is on the clocks of the zone.
declare.func('time(value:any, {unit:string="us", pattern:string=nil, zone:any=nil, '
  .. "ambiguous:any=nil, missing:any=nil})",
  function(value, unit, pattern, zone, ambiguous, missing)
    return made(named("time", unit), value, way(pattern, zone, ambiguous, missing))
  end)

-- date(input, {pattern=nil, zone=nil}): a date, of a text or of a number of days since 1970. The
-- dates of a tensor of times, as the clocks of a zone show them.
declare.both("date(input:any, {pattern:string=nil, zone:any=nil})", function(input, pattern, zone)
  if core.is_tensor(input) then
    if pattern then declare.raise("'pattern' is for texts, and 'input' is a tensor") end
    return lazy("locus.time.parts").date(input, zone)
  elseif zone ~= nil and SINGLE[type(input)] then
    declare.raise("'zone' is for a tensor of times, got %s", internal.describe(input))
  end
  return made(kinds.named("date"), input, way(pattern), "input")
end)

-- duration(value, {unit="us"}): a duration, of a text as it prints, or of a number of units.
declare.func('duration(value:any, {unit:string="us"})',
  function(value, unit) return made(named("duration", unit), value) end)

-- -- Several -------------------------------------------------------------------------------------

-- The elements of a list: texts, numbers of units, values.
local function of_list(kind, list, by)
  if not by then return internal.with_meanings(list, kind.number, "list") end
  local read = {}
  for i, value in ipairs(list) do
    local name = ("list[%d]"):format(i)
    read[i] = type(value) == "string" and parsed(kind, value, by, name) or value
  end
  if #list ~= #read then declare.raise("'list' has a gap at [%d]", #read + 1) end
  return internal.with_meanings(read, kind.number, "list")
end

-- Each name is read once.
local function of_strings(kind, c, by)
  local ids, dictionary = strings().parts(c:compact())
  local made_of = of_list(kind, internal.dictionary_names(dictionary), by)
  return core.take(made_of:to(internal.device_of(ids)), ids)
end

local function row(kind, list, by)
  if type(list) == "table" then
    return of_list(kind, list, by):to(core.get_default_device())
  elseif core.is_tensor(list) then
    if internal.dtype_of(list) ~= "int64" then
      declare.raise("'list' must be int64, got %s; write x:long()", internal.describe(list))
    end
    local own = kinds.of(list)
    if own and (own.type == "duration") ~= (kind.type == "duration") then
      declare.raise("'list' must hold %ss, got %s", kind.type, internal.describe(list))
    end
    if own and own ~= kind then return methods.as_unit(list, kind.unit or "d") end
    return kinds.tagged(list, kind)
  elseif strings().is(list) then
    return of_strings(kind, list, by)
  end
  declare.raise("'list' must be a list, a string column or an int64 tensor, got %s",
    internal.describe(list))
end

-- times(list, {unit="us", pattern=nil, zone=nil, ambiguous=nil, missing=nil}): a 1-D tensor of
-- times, of a list of what time() takes, of a string column, or of an int64 tensor of units, whose
-- elements it shares.
declare.func('times(list:any, {unit:string="us", pattern:string=nil, zone:any=nil, '
  .. "ambiguous:any=nil, missing:any=nil})",
  function(list, unit, pattern, zone, ambiguous, missing)
    return row(named("time", unit), list, way(pattern, zone, ambiguous, missing))
  end)

-- dates(list, {pattern=nil}): the same of dates.
declare.func("dates(list:any, {pattern:string=nil})",
  function(list, pattern) return row(kinds.named("date"), list, way(pattern)) end)

-- durations(list, {unit="us"}): the same of durations.
declare.func('durations(list:any, {unit:string="us"})',
  function(list, unit) return row(named("duration", unit), list) end)

-- -- Units ---------------------------------------------------------------------------------------

-- Raises for the first element that a mask marks.
local function refuse(input, mask, kind)
  local position = core.nonzero(mask:flatten(), {as_tuple = true})[1]
  local text, own = internal.elements(input, {position})[1], kinds.of(input)
  declare.raise("'input' holds %s at [%d], which %s cannot hold%s", text, position, kind.text,
    kind.per_day < own.per_day and ("; the unit \"%s\" can"):format(own.unit) or "")
end

-- as_unit(input, unit): the same times or durations in another unit; "d" makes dates of times, and
-- any other unit times of dates. Exact: an element that the unit cannot hold is an error.
declare.method("as_unit(input:tensor, unit:string)", function(input, unit)
  local own = kinds.of(input)
  if not own or own.per_day == 0 then
    declare.raise("'input' must be a tensor of times, dates or durations, got %s",
      internal.describe(input))
  end
  local moment = own.type ~= "duration"
  local kind = moment and unit == "d" and kinds.named("date")
    or named(moment and "time" or "duration", unit)
  local plain = kinds.plain(input)
  if kind.per_day < own.per_day then
    local ratio = own.per_day / kind.per_day
    local rest = core.ne(plain % ratio, 0)
    if core.any(rest) then refuse(input, rest, kind) end
    return kinds.tagged(core.floor_divide(plain, ratio), kind)
  end
  local ratio = kind.per_day / own.per_day
  local most = core.floor_divide(core.tensor({2 ^ 63 - 1024}, {dtype = "int64"}), ratio)[1]
  local past = core.gt(core.abs(plain), most)
  if core.any(past) then refuse(input, past, kind) end
  return kinds.tagged(plain * ratio, kind)
end)

-- -- Text ----------------------------------------------------------------------------------------

local function formatter(kind, pattern, zone)
  if kind.type == "duration" or kind.type == "ipv4" then
    declare.raise("'t' must be a time or a date, got a %s; write tostring(t)", kind.type)
  end
  local format, options = internal["format_" .. kind.type], {unit = kind.unit, pattern = pattern}
  if kind.type == "date" then
    if zone ~= nil then declare.raise("'zone' goes with times, and 't' has dates") end
    options.unit = nil
  elseif zone ~= nil then
    options.zone = internal.zone(zone)
  end
  return function(value) return format(value, options) end
end

-- format_time(t, pattern=nil, {unit="us", zone=nil}): the text of a time or date, or a string
-- column of those of a 1-D tensor; without a pattern as they print. A number counts units since
-- 1970. With `zone` a time is written as its clocks show it.
declare.func('format_time(t:any, pattern:string=nil, {unit:string="us", zone:any=nil})',
  function(t, pattern, unit, zone)
    check_pattern(pattern, true)
    if not core.is_tensor(t) then
      if t == nil or not SINGLE[type(t)] or type(t) == "string" then
        declare.raise("'t' must be a time, a tensor of times or a number, got %s",
          internal.describe(t))
      end
      local kind = quantity.is and quantity.is(t) and quantity.parts(t) or named("time", unit)
      return formatter(kind, pattern, zone)(t)
    end
    local kind = kinds.of(t)
    if not kind or methods.dim(t) ~= 1 then
      declare.raise("'t' must be a time, or a 1-D tensor of times or dates, got %s",
        internal.describe(t))
    end
    local format, list = formatter(kind, pattern, zone), {}
    local values, inverse = core.unique(kinds.plain(t), {return_inverse = true})
    for i, value in ipairs(methods.totable(values)) do list[i] = format(value) end
    return strings().of(list, internal.device_of(t)):take(inverse)
  end)

-- -- Means ---------------------------------------------------------------------------------------

-- How many elements there are along a dimension, a list of them, or all.
local function count_along(x, dim)
  if methods.dim(x) == 0 or dim == nil or type(dim) == "table" and #dim == 0 then
    return methods.numel(x)
  end
  local count = 1
  for _, d in ipairs(type(dim) == "table" and dim or {dim}) do
    count = count * methods.size(x, d)
  end
  return count
end

-- The mean of times, dates or durations, of the same kind: to the nearest unit, of two as near the
-- later one. Quotients and remainders by the count are added apart, so that no sum overflows.
local function mean(input, dim, keepdim)
  local kind, plain = kinds.of(input), kinds.plain(input)
  local whole = dim == nil and not keepdim
  local count = count_along(plain, dim)
  if not (count >= 1) then
    declare.raise("'input' has no elements, and %ss have no NaN", kind.type)
  end
  local function summed(x)
    local sums = core.sum(x, dim, not whole and keepdim)
    return whole and core.full({1}, sums, {dtype = "int64", device = internal.device_of(x)}) or sums
  end
  local rests = summed(plain % count)
  local means = summed(core.floor_divide(plain, count))
    + core.floor_divide(rests * 2 + count, 2 * count)
  means = kinds.tagged(means, kind)
  return whole and means[1] or means
end

return {mean = mean}
