-- SPDX-License-Identifier: MIT
-- Calls of string columns.
local locus = require "locus"

local EVERY = {return_inverse = true, return_counts = true, return_index = true}

local list = {
  answers = "strings_spec, shift_spec, missing_spec, dictionary_spec, sets_spec, take_spec, "
    .. "frame_join_spec, arrow_spec, string_types_spec",
  {"strings", function(f) return f{"b", "a", "b"} end, on = "pair", unlaid = "takes no tensor"},
  {"strings", function(_, e) return e.c[2], e.c.ids, e.c.names, #e.c, tostring(e.c) end,
   form = "an element"},
  {"strings", function(_, e) return e.c[e.mask] end, form = "a mask of it"},
  {"strings:eq strings:ne strings:lt strings:le strings:gt strings:ge strings:isin strings:lookup",
   function(f, e) return f(e.c, e.d) end},
  {"strings:eq", function(f, e) return f(e.c, "b"), e.c:lt("b") end, form = "of a string"},
  {"strings:isin", function(f, e) return f(e.c, {"b", "x"}) end, form = "of a list"},
  {"strings:match", function(f, e) return f(e.c[e.mask], "^b") end},
  {"strings:map", function(f, e) return f(e.c, string.upper), f(e.c, string.len) end},
  {"strings:unique strings:unique_consecutive", function(f, e) return f(e.c, EVERY) end},
  {"strings:sort", function(f, e) return f(e.c, true) end},
  {"strings:argsort strings:compact strings:totable", function(f, e) return f(e.c) end},
  {"strings:to", function(f, e) return f(e.c, "cpu") end, allocates = false},
  {"strings:to", function(f)
    return f(locus.strings{"1", "x", "2"}, {"int8", missing = 0}, {missing = "x", decimal = ","})
  end, form = "numbers"},
  {"strings:as_time strings:as_date", function(f)
    return f(locus.strings{"2026-11-22", ""}, {missing = 0})
  end},
  {"strings:as_duration", function(f) return f(locus.strings{"1:30:00"}, {unit = "s"}) end},
  {"strings:take", function(f, e) return f(e.c, {0, 2, 1}, "x") end},
  {"strings:shift", function(f, e) return f(e.c, 2, {fill = "x"}), f(e.c, -1) end},
  {"strings:diff", function(f, e) return f(e.c) end},
  {"strings:ffill strings:bfill", function(f, e) return f(e.c, {limit = 1}), f(e.c) end},
  {"strings:fill_missing", function(f, e) return f(e.c, "x"), f(e.c, e.d) end},
  {"strings:iter", function(f, e)
    for _ in f(e.c) do end
  end},
  {"cat", function(f, e) return f {e.c, e.d} end, form = "of strings"},
  {"strings:to_arrow", function(f)
    return locus.from_arrow(f(locus.strings({"a", "b", "a"}, {device = "cpu"})))
  end, on = "pair"},
}
for _, row in ipairs(list) do row.on = row.on or "strings" end
return list
