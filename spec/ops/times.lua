-- SPDX-License-Identifier: MIT
-- Calls of times, dates and durations.
local locus = require "locus"
local ONLY_TIMES = "takes times alone (time_parts_spec, time_buckets_spec)"
local NO_TENSOR = "takes no tensor"
local ZONE = {zone = "CET-1CEST,M3.5.0,M10.5.0/3"}
local TIMES = {"2026-11-22", "2026-11-22T10:00:00Z", "2026-11-20"}

local list = {
  answers = "times_spec, kind_spec, time_parts_spec, time_buckets_spec, time_range_spec",
  {"time", function(f) return f("2026-11-22") end},
  {"time", function(f) return f("22.11.2026", {pattern = "%d.%m.%Y"}) end,
   form = "by a pattern"},
  {"duration", function(f) return f("1:30:00", {unit = "ms"}) end},
  {"times", function(f) return f(TIMES, {unit = "ns"}) end},
  {"times", function(f) return f(locus.strings(TIMES)) end, form = "of strings"},
  {"dates", function(f) return f{"2026-11-22", 3} end},
  {"dates", function(f) return f({"22.11.2026"}, {pattern = "%d.%m.%Y"}) end,
   form = "by a pattern"},
  {"durations", function(f) return f{"1:30:00", 5} end},
  {"as_unit", function(f)
    return f(locus.times(TIMES), "ns"), f(locus.times(TIMES), "s"), f(locus.dates{1, 2}, "us")
  end},
  {"format_time", function(f) return f(locus.times(TIMES)), f(locus.times(TIMES), "%H:%M") end},
  {"format_time", function(f) return f(1795341600, "%F", {unit = "s"}) end, form = "of a number",
   allocates = false},
  {"mean", function(f) return f(locus.times(TIMES)) end, form = "of times"},
  {"quantile", function(f) return f(locus.times(TIMES), 0.3) end, form = "of times"},
  {"eq", function(f) return f(locus.times(TIMES), TIMES[2]) end, form = "of times and a text"},
  {"isin", function(f) return f(locus.times(TIMES), TIMES) end, form = "of times and texts"},
}
for _, row in ipairs(list) do
  row.on = "none"
  if not (row.form or ""):find "^of times" then row.unlaid = "takes no tensor but times" end
end

local zoned = {
  {"year quarter month day hour minute second weekday yearday isoweek isoyear date",
   function(f, e) return f(e.t, ZONE) end, on = "times", unlaid = ONLY_TIMES},
  {"floor ceil", function(f, e) return f(e.t, "2h", ZONE) end, on = "times", form = "by a span"},
  {"offset", function(f, e) return f(e.t, "1 month", ZONE) end, on = "times", unlaid = ONLY_TIMES},
  {"local_time", function(f, e) return f(e.t, ZONE.zone) end, on = "times", unlaid = ONLY_TIMES},
  {"utc_time", function(f, e) return f(e.t, ZONE.zone, {missing = "forward"}) end, on = "times",
   unlaid = ONLY_TIMES},
  {"time_range", function(f) return f("2026-01-31", "2026-12-31", "1 month", ZONE) end,
   on = "none", unlaid = NO_TENSOR},
}
for _, row in ipairs(zoned) do list[#list + 1] = row end
return list
