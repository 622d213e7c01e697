-- SPDX-License-Identifier: MIT
-- Calls of what is about times and dates.
local ONLY_TIMES = "takes times alone (time_parts_spec, time_buckets_spec)"
local NO_TENSOR = "takes no tensor"
local ZONE = {zone = "CET-1CEST,M3.5.0,M10.5.0/3"}

return {
  answers = "time_parts_spec, time_buckets_spec, time_range_spec",
  {"year quarter month day hour minute second weekday yearday isoweek isoyear date",
   function(f, e) return f(e.t, ZONE) end, on = "times", unlaid = ONLY_TIMES},
  {"floor ceil", function(f, e) return f(e.t, "2h", ZONE) end, on = "times", form = "by a span",
   unlaid = ONLY_TIMES},
  {"offset", function(f, e) return f(e.t, "1 month", ZONE) end, on = "times", unlaid = ONLY_TIMES},
  {"local_time", function(f, e) return f(e.t, ZONE.zone) end, on = "times", unlaid = ONLY_TIMES},
  {"utc_time", function(f, e) return f(e.t, ZONE.zone, {missing = "forward"}) end, on = "times",
   unlaid = ONLY_TIMES},
  {"time_range", function(f) return f("2026-01-31", "2026-12-31", "1 month", ZONE) end,
   on = "none", unlaid = NO_TENSOR},
}
