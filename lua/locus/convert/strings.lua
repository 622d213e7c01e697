-- SPDX-License-Identifier: MIT
-- String columns to numbers, times and other types: each name is read once, as read_csv reads a
-- field of that type.
local core = require "locus.core"
local declare = require "locus.call.declare"
local lazy = require "locus.call.lazy"
local tags = require "locus.tensor.kind"
local internal = core.internal

local function types() return lazy("locus.frame.types") end

-- The values of the rows, by their names.
local function by_name(ids, values) return core.take(values:to(ids.device), ids) end

-- The texts that stand for nothing, in a list of their own.
local function texts(given)
  local list = {}
  for i, text in ipairs(given or list) do
    if type(text) ~= "string" then
      declare.raise("'missing[%d]' must be a string, got %s", i, internal.describe(text))
    end
    list[i] = text
  end
  return list
end

local function check_point(decimal)
  if decimal == nil then return "." end
  if decimal ~= "." and decimal ~= "," then
    declare.raise("'decimal' must be \".\" or \",\", got %s", internal.describe(decimal))
  end
  return decimal
end

-- A tensor of what the rows' names are worth. Raises about the first row whose name is marked in
-- `faults`; wrong(id) ends that sentence.
local function of_rows(ids, dictionary, values, faults, wrong)
  if faults then
    local row = by_name(ids, faults):nonzero()
    if #row > 0 then
      local id = tonumber(ids[row[1][1]])
      declare.raise("row %s %s: %s", tostring(row[1][1]), wrong(id),
        lazy("locus.frame.rejected").quoted(internal.dictionary_name(dictionary, id)))
    end
  end
  return by_name(ids, values)
end

local EMPTY = 'is empty; write {"duration", missing = value} if it may be'

local function durations(ids, dictionary, spec, missing)
  local unit = spec.unit or "us"
  local kind = type(unit) == "string" and tags.named("duration", unit)
  if not kind then
    declare.raise("'unit' must be \"s\", \"ms\", \"us\", \"ns\" or \"d\", got %s",
      internal.describe(unit))
  end
  local filled, absent = spec.missing, {[""] = true}
  for _, text in ipairs(missing) do absent[text] = true end
  local values, faults, reasons = {}, {}, {}
  for id, name in ipairs(internal.dictionary_names(dictionary)) do
    if absent[name] then
      values[id], reasons[id] = filled, EMPTY
    else
      values[id], reasons[id] = internal.parse_duration(name, {unit = unit})
    end
    faults[id] = values[id] == nil
    values[id] = values[id] or 0
  end
  local made = of_rows(ids, dictionary, core.tensor(values, {dtype = "int64", device = "cpu"}),
    core.tensor(faults, {dtype = "bool", device = "cpu"}), function(id) return reasons[id] end)
  return tags.tagged(made, kind)
end

local function to_type(ids, dictionary, spec, missing, decimal)
  local word = spec[1]
  missing = texts(missing)
  if word == "duration" then return durations(ids, dictionary, spec, missing) end
  if word == "skip" or word == "request_path" then
    declare.raise("the type %q is for readers of text; write c:map(f)", word)
  end
  local entry = types().read(spec, check_point(decimal), function(format, ...)
    declare.raise("the type " .. format, ...)
  end)
  local values, faults = internal.dictionary_convert(dictionary, entry.column, missing)
  local made = of_rows(ids, dictionary, values, faults, function(id)
    return types().wrong(entry, internal.dictionary_convert(dictionary, entry.column, missing, id))
  end)
  return entry.kind and tags.tagged(made, tags.named(entry.kind.type, entry.kind.unit)) or made
end

-- The type with those options, and the texts that stand for nothing: `missing` is a list of these,
-- or the value of a missing one.
local function with_options(spec, pattern, options)
  local made = {}
  for key, value in pairs(type(spec) == "table" and spec or {spec}) do made[key] = value end
  if pattern ~= nil and type(pattern) ~= "string" then
    declare.raise("'pattern' must be a string, got %s", internal.describe(pattern))
  end
  made[2] = pattern or made[2]
  local missing, nothing = options.missing, nil
  if type(missing) == "table" and (missing[1] == nil or type(missing[1]) == "string") then
    missing, nothing = nil, missing
  elseif type(missing) == "string" and missing ~= "forward" then
    missing, nothing = nil, {missing}
  end
  made.unit, made.zone = options.unit or made.unit, options.zone or made.zone
  made.ambiguous = options.ambiguous or made.ambiguous
  if missing ~= nil then made.missing = missing end
  return made, nothing
end

-- The column with its ids on the device.
local on = declare.define("to(input:any, device)", function(ids, device) return ids:to(device) end)
local function move(strings, ids, dictionary, c, device)
  local moved, origin = on(ids, device), select(3, strings.unchecked(c))
  return strings.make(moved, dictionary, origin, moved.device == ids.device)
end

return function(strings)
  local method = strings.method

  local function convert(ids, dictionary, spec, ...)
    ids, dictionary = strings.in_use(ids, dictionary)
    return to_type(ids, dictionary, spec, ...)
  end

  -- to(target, pattern, {missing, decimal, unit, zone, ambiguous}): the column as a type of
  -- read_csv's: "float64", {"int64", missing = -1}, "time", {"bool", "yes", "no"}, or "duration";
  -- or with its ids on a device, where they are checked again.
  -- Errors: the first row that does not fit.
  method("to(input:any, target:any=nil, pattern:any=nil, {missing:any=nil, decimal:any=nil, "
    .. "unit:any=nil, zone:any=nil, ambiguous:any=nil, device:any=nil})",
    function(ids, dictionary, c, target, pattern, missing, decimal, unit, zone, ambiguous, device)
      local options = {missing = missing, unit = unit, zone = zone, ambiguous = ambiguous}
      if target ~= nil and device ~= nil then
        declare.raise("'device' must be alone, without 'target', got %s", internal.describe(device))
      end
      if target == nil or not types().is(target) then
        options.pattern, options.decimal = pattern, decimal
        local name, value = next(options)
        if name then
          declare.raise("'%s' is for types, and there is none, got %s", name,
            internal.describe(value))
        end
        return move(strings, ids, dictionary, c, target or device)
      end
      local spec, nothing = with_options(target, pattern, options)
      if spec[1] == "string" then return c end
      return convert(ids, dictionary, spec, nothing, decimal)
    end, true)

  -- as_time(pattern, {unit, zone, ambiguous, missing}): the column as times.
  method("as_time(input:any, pattern:any=nil, {unit:any=nil, zone:any=nil, ambiguous:any=nil, "
    .. "missing:any=nil})", function(ids, dictionary, pattern, unit, zone, ambiguous, missing)
      return convert(ids, dictionary, with_options("time", pattern,
        {unit = unit, zone = zone, ambiguous = ambiguous, missing = missing}))
    end)

  -- as_date(pattern, {missing}): the column as dates.
  method("as_date(input:any, pattern:any=nil, {missing:any=nil})",
    function(ids, dictionary, pattern, missing)
      return convert(ids, dictionary, with_options("date", pattern, {missing = missing}))
    end)

  -- as_duration({unit, missing}): the column as durations.
  method("as_duration(input:any, {unit:any=nil, missing:any=nil})",
    function(ids, dictionary, unit, missing)
      local spec, nothing = with_options("duration", nil, {unit = unit, missing = missing})
      return convert(ids, dictionary, spec, nothing)
    end)
end
