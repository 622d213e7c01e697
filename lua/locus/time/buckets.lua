-- SPDX-License-Identifier: MIT
-- Times and dates moved to the buckets that hold them, and by spans.
local core = require "locus.core"
local declare = require "locus.call.declare"
local kinds = require "locus.tensor.kind"
local moments = require "locus.time.moments"
local internal = core.internal

local buckets = {}

-- The origin as the clocks of the zone show it.
function buckets.origin(origin, taken)
  if origin == nil then return nil end
  local one = moments.one(origin, taken.kind, taken.zone, "origin")
  if not taken.zone then return one end
  local times = core.full({1}, one, {dtype = "int64", device = "cpu"})
  return internal.clocks(times, taken.per_second, taken.zone)[1]
end

--- The beginning of each bucket, or with `up` of the next one.
function buckets.cut(input, span, zone, origin, up)
  local taken = moments.take(input, zone)
  local found = internal.cut_times(taken.values, taken.per_second, taken.zone, span, up,
    buckets.origin(origin, taken))
  return moments.give(taken, found, taken.kind)
end

-- The beginning of the bucket of each time or date, a span such as "15m", "day" or "2 weeks" on the
-- clocks of the zone. Errors: a span that is not a whole number of units; a beginning that int64
-- cannot hold.
-- Source: https://docs.pola.rs/api/python/stable/reference/expressions/api/
-- polars.Expr.dt.truncate.html
local line = "(input:tensor, span:any, {zone:any=nil, origin:any=nil})"
buckets.floor = declare.define("floor" .. line, function(input, span, zone, origin)
  return buckets.cut(input, span, zone, origin, false)
end)

-- The same times where they begin a bucket, else the beginning of the next one.
buckets.ceil = declare.define("ceil" .. line, function(input, span, zone, origin)
  return buckets.cut(input, span, zone, origin, true)
end)

-- offset(input, span, {zone=nil, ambiguous=nil, missing=nil}): times and dates later by a span, or
-- earlier by "-1 month". Days, weeks, months, quarters and years are those of the clocks of the
-- zone, and a month that is too short ends at its last day. Errors: a time that the clocks show
-- twice or never, unless `ambiguous` or `missing` says which is meant; beyond int64.
-- Source: https://docs.pola.rs/api/python/stable/reference/expressions/api/
-- polars.Expr.dt.offset_by.html
declare.method("offset(input:tensor, span:any, {zone:any=nil, ambiguous:any=nil, missing:any=nil})",
  function(input, span, zone, ambiguous, missing)
    local taken = moments.take(input, zone)
    local found = internal.shift_times(taken.values, taken.per_second, taken.zone, span, ambiguous,
      missing)
    return moments.give(taken, found, taken.kind)
  end)

-- -- Ranges --------------------------------------------------------------------------------------

local CLOSED = {both = true, left = true, right = true, none = true}

-- The kind of a range: that of an end which is an element, else times.
local function kind_of_range(start, stop, unit)
  local function of(value)
    local kind = moments.kind(value)
    return kind and (kind.type == "time" or kind.type == "date") and kind or nil
  end
  local kind = of(start) or of(stop)
  if unit == nil then return kind or kinds.named("time", "us") end
  local wanted = unit == "day" and kinds.named("date")
    or moments.per_second[unit] and kinds.named("time", unit)
  if not wanted then
    declare.raise("'unit' must be \"s\", \"ms\", \"us\", \"ns\" or \"day\", got %s",
      internal.describe(unit))
  elseif kind and kind ~= wanted then
    declare.raise("'unit' is \"%s\", but an end has the unit \"%s\"", unit, kind.unit or "day")
  end
  return wanted
end

-- At least as many steps as fit, from a step that no calendar makes shorter.
local function most_steps(low, high, step, per_second)
  local count, word = step:match("^%s*[-+]?%s*(%d*)%s*(%a+)")
  local unit = per_second == 0 and "day" or ({[1] = "s", [1e3] = "ms", [1e6] = "us",
                                              [1e9] = "ns"})[per_second]
  local days = ({month = 28, quarter = 90, year = 365})[(word or ""):gsub("s$", "")]
  local length
  if days then
    length = days * (per_second == 0 and 1 or 86400 * per_second) * (tonumber(count) or 1)
  else
    length = tonumber(internal.span((step:gsub("^%s*[-+]%s*", "")), unit, "step"))
    if length and per_second > 0 and length >= 86400 * per_second then
      length = length - 7200 * per_second -- a day of 22 hours
    end
  end
  return math.floor((tonumber(high) - tonumber(low)) / length) + 3
end

-- time_range(start, stop, step, {unit=nil, zone=nil, closed="both", ambiguous=nil, missing=nil}):
-- start, start + step, start + 2 steps and so on up to stop, each made from start in one step, so
-- that a range by months from the 31st has the ends of months. Ends are times as text, on the
-- clocks of the zone, elements of times or dates, or whole numbers of units.
-- Source: https://docs.pola.rs/api/python/stable/reference/expressions/api/
-- polars.datetime_range.html
declare.func("time_range(start:any, stop:any, step:any, {unit:any=nil, zone:any=nil, "
  .. 'closed:any="both", ambiguous:any=nil, missing:any=nil})',
  function(start, stop, step, unit, zone, closed, ambiguous, missing)
    local kind = kind_of_range(start, stop, unit)
    if kind.type == "date" and zone ~= nil then
      declare.raise("'zone' goes with times, got dates, which have no time of day")
    elseif not CLOSED[closed] then
      declare.raise("'closed' must be \"both\", \"left\", \"right\" or \"none\", got %s",
        internal.describe(closed))
    elseif type(step) ~= "string" then
      declare.raise("'step' must be a span such as \"15m\" or \"1 day\", got %s",
        internal.describe(step))
    end
    local own = moments.zone(zone)
    local per_second = kind.unit and moments.per_second[kind.unit] or 0
    local from = moments.one(start, kind, own, "start")
    local to = moments.one(stop, kind, own, "stop")
    local down = step:find("^%s*%-") ~= nil
    local most = most_steps(down and to or from, down and from or to, step, per_second)
    local made = internal.step_times(from, to, math.max(most, 0), per_second, own, step, ambiguous,
      missing)
    local first, last = 1, #made
    if (closed == "right" or closed == "none") and last > 0 then first = 2 end
    if (closed == "left" or closed == "none") and last >= first and made[last] == to then
      last = last - 1
    end
    if first > 1 or last < #made then made = made[{{first, last}}]:clone() end
    return kinds.tagged(made, kind)
  end)

return buckets
