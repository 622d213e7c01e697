-- SPDX-License-Identifier: MIT
-- The parts of times and dates: years, hours, weekdays, on the clocks of a zone.
local core = require "locus.core"
local declare = require "locus.call.declare"
local kinds = require "locus.tensor.kind"
local moments = require "locus.time.moments"
local internal = core.internal

-- Those that dates have, too.
local OF_DATES = {year = true, quarter = true, month = true, day = true, weekday = true,
                  yearday = true, isoweek = true, isoyear = true, date = true}

-- That part of each time or date, int64. Months and days count from 1, weekdays from Monday, 1, to
-- Sunday, 7, days of the year from 1. Weeks of ISO 8601 begin on Monday and belong to the year of
-- their Thursday, which isoyear gives. date gives dates. With `zone` the parts are those that its
-- clocks show; without it those of UTC.
local function part(number, word)
  return function(input, zone)
    local taken = moments.take(input, zone)
    if taken.per_second == 0 and not OF_DATES[word] then
      declare.raise("'input' must be times, got dates, which have no %s", word)
    end
    local found = internal.time_part(taken.values, taken.per_second, taken.zone, number)
    return moments.give(taken, found, word == "date" and kinds.named("date") or nil)
  end
end

-- date, which takes texts too, is in lua/locus/derived/times.lua.
local parts = {}
for number, word in ipairs(internal.time_parts()) do
  parts[word] = part(number, word)
  if word ~= "date" then
    declare.method(word .. "(input:tensor, {zone:any=nil})", parts[word])
  end
end

return parts
