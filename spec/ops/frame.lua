-- SPDX-License-Identifier: MIT
-- Calls of frames, of their groups and joins, and of builders.
local kinds = require "locus.tensor.kind"
local locus = require "locus"

local NO_TENSOR = "takes no tensor"

-- The call of a method of a frame of two columns.
local function on_frame(call)
  return function(f, e)
    return call(f, locus.frame {{"seq", e.seq}, {"sym", {"b", "a", "b", "c"}}}, e)
  end
end

local function alone(f, frame) return f(frame) end

-- The same of its groups by a column.
local function on_group(call)
  return on_frame(function(f, frame) return call(f, frame:group("sym")) end)
end

local function of_seq(f, groups) return f(groups, "seq") end

local function joined(how, suffix, missing)
  return on_frame(function(f, frame)
    local named = {on = {"sym"}, how = how, suffix = suffix, missing = missing}
    return f(frame, frame[frame.seq:gt(1)], named)
  end)
end

return {
  answers = "frame_spec, frame_methods_spec, frame_sort_spec, frame_asof_spec, frame_unique_spec, "
    .. "missing_spec, pivot_spec, frame_join_spec, join_keys_spec, group_spec, agg_spec, "
    .. "builder_spec, write_csv_spec, write_json_spec, rolling_spec, grouped_spec, ewm_spec",
  {"frame", function(f, e) return f {{"a", e.y}, {"b", {1, 2, 3}}} end, unlaid = NO_TENSOR},
  {"frame", on_frame(function(_, f)
    return f[2], f[{{2, 3}}], f:head(2).seq, #f, tostring(f)
  end), form = "its rows"},
  {"frame", on_frame(function(_, f) return f[f.seq:gt(2)] end), form = "a mask of it"},
  {"cat", on_frame(function(f, frame) return f {frame, frame} end), form = "of frames"},
  {"cat", on_frame(function(f, frame) return f {frame, frame:drop("sym"), {fill = true}} end),
   form = "with fill"},
  {"frame:with", on_frame(function(f, frame) return f(frame, "more", {1, 2, 3, 4}) end)},
  {"frame:sort", on_frame(function(f, frame) return f(frame, {"sym", "-seq"}) end)},
  {"frame:select frame:drop frame:column",
   on_frame(function(f, frame) return f(frame, "sym") end)},
  {"frame:rename", on_frame(function(f, frame) return f(frame, {sym = "name"}) end)},
  {"frame:head frame:tail", on_frame(function(f, frame) return f(frame, 2) end)},
  {"frame:columns frame:totable frame:describe", on_frame(alone)},
  {"frame:types", on_frame(function(f, frame) return tostring(f(frame)) end)},
  {"frame:to", on_frame(function(f, frame, e) return f(frame, e.x.device) end)},
  {"frame:write_csv", on_frame(function(f, frame)
    return f(frame, {formats = {sym = string.upper}, comment = "1", separator = "blanks"})
  end)},
  {"frame:write_json", on_frame(function(f, frame)
    return f(frame, {array = true, nest = true, formats = {sym = string.upper}})
  end)},
  {"frame:iter", on_frame(function(f, frame)
    for _ in f(frame) do end
  end)},
  {"frame:take", on_frame(function(f, frame)
    return f(frame, {0, 2}, {sym = "none"}), f(frame, {1})
  end), runner = "gather_columns", device = function(f, e)
    local frame = locus.frame {{"x", e.x}, {"i", e.i}, {"b", e.bytes}}
    local taken, rows = f(frame, e.order:remainder(e.n), {i = -1, b = 9}), frame[e.order:neg()]
    return taken.x, taken.i, taken.b, rows.x, rows.i, rows.b
  end},
  {"frame:asof", on_frame(function(f, frame)
    local other = frame:rename("seq", "at"):with("seq", frame.seq)
    return f(frame, other, {on = "seq", by = "sym"})
  end)},
  {"frame:value_counts", on_frame(function(f, frame) return f(frame, "sym", "seq") end)},
  {"frame:pivot", on_frame(function(f, frame)
    return f(frame, {rows = "seq", columns = "sym", how = "count"})
  end), form = "of counts"},
  {"frame:pivot", on_frame(function(f, frame)
    local named = {rows = "seq", columns = "sym", how = "last", missing = {x = -1}}
    return f(frame:with("x", frame.seq), named)
  end)},
  {"frame:unpivot", on_frame(function(f, frame)
    return f(frame:with("x", frame.seq), {index = "sym", name = "of", value = "is"})
  end)},
  {"frame:fill_missing", on_frame(function(f, frame)
    return f(frame:with("x", frame.seq:double()), {x = 1, sym = "none"})
  end)},
  {"frame:drop_missing", on_frame(function(f, frame)
    return f(frame:with("x", frame.seq:double())), f(frame, "sym")
  end)},
  {"frame:unique", on_frame(function(f, frame) return f(frame, "sym", "seq") end)},
  {"argsort", on_frame(function(_, frame)
    return locus.argsort {frame.sym, frame.seq} -- the method sorts tensors alone
  end), form = "of keys"},
  {"frame:join", joined("inner", "_g"), form = "inner"},
  {"frame:join", joined("left", "_g", {seq = 0}), form = "left"},
  {"frame:join", joined "semi", form = "semi"},
  {"frame:join", joined "anti", form = "anti"},
  {"frame:join", on_frame(function(f, frame)
    return f(frame, frame, {on = "seq", suffix = "_g", validate = "1:1"})
  end)},

  {"frame:group", on_frame(function(f, frame) return f(frame, "sym").ids end)},
  {"frame:group", on_frame(function(f, frame)
    local time = kinds.tagged(frame.seq:long(), kinds.named("time", "s"))
    return f(frame:with("time", time), {"sym", time = "2s", empty = true}).keys
  end), form = "by buckets"},
  {"group_by", on_frame(function(f, frame) return f{frame.seq, frame.sym}.keys end)},
  {"group:sum group:prod group:mean group:std group:var group:min group:max group:any group:all "
    .. "group:first group:last group:nunique", on_group(of_seq)},
  {"group:nansum group:nanmean group:nanmin group:nanmax group:nancount group:nanmedian",
   on_group(function(f, groups) return f(groups, {1, locus.nan, 3, locus.nan}) end)},
  {"group:nanstd group:nanvar", on_group(function(f, groups)
    return f(groups, {1, locus.nan, 3, locus.nan}, {correction = 0}), f(groups, "seq")
  end)},
  {"group:max", on_frame(function(f, frame) return f(frame:group("seq"), "sym") end),
   form = "of strings"},
  {"group:ffill group:bfill", on_group(function(f, groups)
    return f(groups, "seq", {limit = 2})
  end)},
  {"group:count", on_group(alone)},
  {"group:quantile", on_group(function(f, groups) return f(groups, "seq", 0.5) end)},
  {"group:nanquantile", on_group(function(f, groups)
    return f(groups, {1, locus.nan, 3, locus.nan}, {0.5, 0.9}), f(groups, "seq", 0.5)
  end)},
  {"group:quantile", on_group(function(f, groups)
    return f(groups, "seq", {0.5, 0.9}, {interpolation = "higher"})
  end), form = "an element"},
  {"group:std", on_group(function(f, groups) return f(groups, "seq", {correction = 0}) end),
   form = "of all"},
  {"group:sum", on_group(function(f, groups) return f(groups, "seq", {dtype = "int8"}) end),
   form = "in a dtype"},
  {"group:rows", on_group(function(f, groups) return f(groups, 2) end)},
  {"group:each", on_group(function(f, groups)
    f(groups, function(part) return part.seq:sum() end)
  end)},
  {"group:agg", on_group(function(f, groups)
    return f(groups, {n = "count", s = {"sum", "seq"}})
  end)},

  {"group:shift group:diff", on_group(function(f, groups)
    return f(groups, "seq", 1), f(groups, "sym", -2, {fill = f == groups.diff or "x"})
  end)},
  {"group:cumsum group:rank", on_group(of_seq)},
  {"group:ewm_mean", on_group(function(f, groups)
    return f(groups, "seq", {alpha = 0.3}), f(groups, "seq", {span = 3, adjust = false, min = 2})
  end)},
  {"ewm_mean", function(f, e) return f(e.x, {alpha = 0.3, dim = 1}) end, laid = function(f, e)
    return f(e.x, {halflife = 2}), f(e.x, {com = 1, adjust = false, dim = 1})
  end, layouts = "int16 float32", alike = function(f, e)
    return f(e.x:double():masked_fill(e.x:lt(3), locus.nan),
      {span = e.random(9), dim = e.dim, ignore_na = e.random(2) == 1, min = e.random(3)})
  end},
  {"group:rank", on_group(function(f, groups)
    return f(groups, "seq", {method = "dense", descending = true, base = 0})
  end), form = "dense"},
  {"group:cumcount", on_group(function(f, groups) return f(groups), f(groups, {base = 0}) end)},
  {"group:rolling", on_group(function(f, groups)
    return f(groups, {rows = 2}):mean("seq"), f(groups, {on = "seq", span = 2}):sum("seq")
  end)},
  {"frame:rolling", on_frame(function(f, frame)
    return f(frame, 2, {min = 1}):max("seq"),
      f(frame, {on = "seq", span = 2, closed = "both"}):count("seq")
  end)},
  {"rolling", function(f, e) return f(e.x, {rows = 2, dim = 2}):sum() end, form = "its sums",
   laid = function(f, e)
     return f(e.x, {rows = 3, min = 1}):sum(), f(e.x, {rows = 2, dim = 1, fill = 1}):max()
   end, layouts = "int16 float32"},
  {"rolling", function(f, e) return f(e.seq, {rows = 2, center = true, fill = 0}) end,
   allocates = false},
  {"windows:sum windows:mean windows:min windows:max windows:std windows:var windows:count "
    .. "windows:median windows:first windows:last windows:nansum windows:nanmean windows:nanmin "
    .. "windows:nanmax windows:nanstd windows:nanvar windows:nancount windows:nanmedian",
   function(f, e) return f(e.seq:rolling {rows = 2}) end},
  {"windows:std windows:var windows:nanstd windows:nanvar", function(f, e)
    return f(e.seq:rolling {rows = 2}, {correction = 0})
  end, form = "of all"},
  {"windows:quantile windows:nanquantile", function(f, e)
    return f(e.seq:rolling {rows = 2}, 0.3, {interpolation = "higher"})
  end},
  {"sessions", function(f, e) return f(e.seq, {gap = 2, by = e.seq}) end,
   unlaid = "takes a column"},

  {"builder", function(f) return f("int64") end, unlaid = NO_TENSOR},
  {"builder:push", function(f)
    local b = locus.builder("float64")
    for i = 1, 600 do f(b, i) end
    assert(#b == 600)
  end},
  {"builder:extend", function(f, e)
    local b = locus.builder("float64")
    f(b, e.seq)
    f(b, {1, 2})
    return b:column()
  end},
  {"builder:tensor", function(f) return f(locus.builder("int8")) end},
  {"builder:column builder:clear", function(f)
    local b = locus.builder("string")
    b:push("a")
    return f(b)
  end},
  {"builder:frame", function(f)
    local b = locus.builder{{"price", "float64"}, {"sym", "string"}}
    b:push(1.5, "IBM")
    b:push{sym = "AAPL", price = 2}
    b:extend(f(b))
    return f(b)
  end},
}
