-- SPDX-License-Identifier: MIT
-- Calls of bench/threads.lua by the function's name, that are not those of spec/ops: call(f, e),
-- where e has frames, string columns, groups and files of a million rows.
local locus = require "locus"

local N = 1e6
local rows, made = {}, nil

--- The number of rows, before any call: a spec has fewer.
function rows.set_size(n) N = n end

local function write_lines(path, line)
  local lines = {}
  for i = 1, 1000 do lines[i] = line:format(i * 7919 % 1000, i % 20) end
  local file = assert(io.open(path, "w"))
  local block = table.concat(lines)
  for _ = 1, N / 1000 do file:write(block) end
  file:close()
end

local function operands()
  local e, generator = {}, locus.generator(11)
  local names = {}
  for i = 1, 20 do names[i] = ("name%02d"):format(i) end
  local function column() return locus.strings(names):take(locus.randint(1, 21, {N},
    {generator = generator})) end
  e.x = locus.rand(N, {generator = generator})
  e.keys = locus.randint(0, 1e4, {N}, {generator = generator})
  e.time, e.order = locus.arange(N):long(), locus.randperm(N, {generator = generator})
  e.c, e.d, e.mask = column(), column(), e.x:gt(0.5)
  e.frame = locus.frame{{"time", e.time}, {"sym", e.c}, {"key", e.keys}, {"price", e.x}}
  e.groups, e.sums = e.frame:group "key", e.x:clone()
  e.index = locus.search_index(e.time:double():div_(N))
  e.few, e.sketch = e.frame:head(1e4), locus.sketch():push(e.x)
  e.gaps = e.frame:with("price", e.x:masked_fill(e.x:lt(0.1), locus.nan))
    :with("sym", e.c:map(function(s) return s == "name07" and "" or s end))
  e.bytes = e.sketch:tobytes()
  e.csv, e.log, e.json, e.folder = os.tmpname(), os.tmpname(), os.tmpname(), os.tmpname()
  os.remove(e.folder)
  e.frame:write_csv(e.csv)
  write_lines(e.log, "<%d> a%d\n")
  write_lines(e.json, '{"n": %d, "o": {"s": "a%d"}}\n')
  return e
end

--- The operands of these calls.
function rows.operands()
  made = made or operands()
  return made
end

--- Removes their files.
function rows.close()
  if not made then return end
  os.remove(made.csv)
  os.remove(made.log)
  os.remove(made.json)
  os.execute("rm -rf " .. made.folder)
end

local function add(prefix, list)
  for names, call in pairs(list) do
    for name in names:gmatch "%S+" do rows[prefix .. name] = call end
  end
end

local function of_frame(f, e) return f(e.frame) end
local function of_column(f, e) return f(e.c) end
local function of_row(f, e) return f(e.x) end
local function of_groups(f, e) return f(e.groups, "price") end

add("", {
  ["time_range"] = function(f) return f("1900-01-01", "2014-01-01", "1h") end,
  ["overlaps"] = function(f, e) return f(e.x, e.x, e.x) end,
  ["rolling"] = function(f, e) return f(e.x, {on = e.time, span = 100}) end,
  ["sessions"] = function(f, e) return f(e.time, {by = e.c, gap = 100}) end,
  ["shift"] = of_row,
  ["ewm_mean"] = function(f, e) return f(e.x, {span = 20}) end,
  ["sketch"] = function(f, e) return f {bytes = e.bytes} end,
  ["sort argsort rank median nanmedian unique is_sorted"] = of_row,
  ["kthvalue topk"] = function(f, e) return f(e.x, 1000) end,
  ["quantile nanquantile"] = function(f, e) return f(e.x, {0.25, 0.5, 0.99}) end,
  ["isin"] = function(f, e) return f(e.keys, e.keys[{{1, 5000}}]) end,
  ["bincount"] = function(f, e) return f(e.keys + 1) end,
  ["segment"] = function(f, e) return f(e.x, e.keys + 1, "sum") end,
  ["lookup"] = function(f, e) return f(e.time, e.order) end,
  ["take"] = function(f, e) return f(e.x, e.order) end,
  ["group_by"] = function(f, e) return f{e.keys, e.c}.ids end,
  ["asof"] = function(f, e) return f(e.time * 2, e.time * 1.5) end,
  ["bernoulli"] = of_row,
  ["choice"] = function(f, e) return f(e.x, N) end,
  ["IntTensor ShortTensor ByteTensor CharTensor short"] = function(f)
    local list = {}
    for i = 1, N do list[i] = i % 100 end
    return f(list)
  end,
  ["times durations dates"] = function(f, e) return f(e.time) end,
  ["time duration date"] = function(f) return f(5) end,
  ["as_unit"] = function(f, e) return f(locus.times(e.time), "ns") end,
  ["format_time"] = function(f, e) return f(locus.times(e.time), "%F") end,
  ["interval_lookup"] = function(f, e) return f(e.time * 2, e.time * 2 + 1, e.x * N) end,
  ["read_csv"] = function(f, e) return f(e.csv) end,
  ["read_json"] = function(f, e)
    return f(e.json, {types = {n = "int64", s = {"string", path = "o.s"}}})
  end,
  ["read_log"] = function(f, e)
    return f(e.log, "<$n> $s", {types = {n = "int64", s = "string"}})
  end,
  ["chunks"] = function(f, e)
    for part in f(e.csv, {rows = 2e5}) do part.price:sum() end
  end,
  ["strings"] = function(f, e) return f(e.few.sym:totable()) end,
  ["frame"] = function(f, e) return f{{"a", e.x}, {"b", e.c}} end,
  ["cat"] = function(f, e) return f{e.frame, e.frame} end,
  ["expand"] = function(f, e) return f(e.x, 4, N) end,
  ["view reshape"] = function(f, e) return f(e.x, 1000, 1000) end,
  ["plot"] = function(f, e) return tostring(f(e.x)) end,
  ["stack vstack"] = function(f, e) return f{e.x, e.x} end,
  ["to"] = function(f, e) return f(e.x, "float32") end,
  ["index_add_"] = function(f, e) return f(e.sums, 1, e.order, e.x) end,
  ["index_put_"] = function(f, e) return f(e.sums, {e.order}, e.x) end,
  ["scatter scatter_ scatter_add scatter_add_"] = function(f, e)
    return f(e.sums, 1, e.order, e.x)
  end,
  ["scatter_reduce scatter_reduce_"] = function(f, e) return f(e.sums, 1, e.order, e.x, "sum") end,
  ["gather"] = function(f, e) return f(e.x, 1, e.order) end,
  ["take_along_dim"] = function(f, e) return f(e.x, e.order, 1) end,
  ["put_"] = function(f, e) return f(e.sums, e.order, e.x) end,
  ["rand randn exponential zeros ones empty"] = function(f) return f(N) end,
  ["full"] = function(f) return f({N}, 7) end,
  ["randint"] = function(f) return f(0, 9, {N}) end,
  ["randperm arange"] = function(f) return f(N) end,
  ["linspace"] = function(f) return f(0, 1, N) end,
  ["range"] = function(f) return f(1, N) end,
  ["index:searchsorted"] = function(_, e) return e.index:searchsorted(e.x) end,
})

add("frame:", {
  ["rolling"] = function(f, e) return f(e.frame, {on = "time", span = 1e6}) end,
  ["columns types"] = of_frame,
  ["with"] = function(f, e) return f(e.frame, "more", e.x) end,
  ["sort"] = function(f, e) return f(e.frame, {"sym", "-price"}) end,
  ["select drop column"] = function(f, e) return f(e.frame, "sym") end,
  ["rename"] = function(f, e) return f(e.frame, {sym = "name"}) end,
  ["head tail"] = function(f, e) return f(e.frame, 10) end,
  ["describe"] = of_frame,
  ["totable"] = function(f, e) return f(e.few) end,
  ["to"] = function(f, e) return f(e.frame, "cpu") end,
  ["write_csv"] = function(f, e) return f(e.frame, "/dev/null") end,
  ["write_json"] = function(f, e) return f(e.frame, "/dev/null") end,
  ["iter"] = function(f, e) for _ in f(e.few) do end end,
  ["take"] = function(f, e) return f(e.frame, e.order) end,
  ["asof"] = function(f, e)
    return f(e.frame, e.frame:select("time", "sym", "key"):rename("key", "at"),
      {on = "time", by = "sym"})
  end,
  ["unique"] = function(f, e) return f(e.frame, "sym", "key") end,
  ["fill_missing"] = function(f, e) return f(e.gaps, {price = 0, sym = "none"}) end,
  ["drop_missing"] = function(f, e) return f(e.gaps) end,
  ["value_counts"] = function(f, e) return f(e.frame, "sym", "key") end,
  ["pivot"] = function(f, e)
    return f(e.frame, {rows = "key", columns = "sym", values = "price", how = "mean"})
  end,
  ["unpivot"] = function(f, e)
    return f(e.frame, {on = {"price", "key"}, index = {"sym", "time"}})
  end,
  ["join"] = function(f, e)
    return f(e.frame, e.frame:select("time", "key"):rename("key", "other"), {on = {"time"}})
  end,
  ["group"] = function(f, e) return f(e.frame, "sym", "key").ids end,
  ["save"] = function(f, e)
    f(e.frame, e.folder)
    os.execute("rm -rf " .. e.folder)
  end,
  ["plot"] = function(f, e) return tostring(f(e.frame, "time", "price")) end,
})

add("sketch:", {
  ["push"] = function(f, e) return f(locus.sketch(), e.x) end,
  ["merge"] = function(f, e) return f(locus.sketch(), e.sketch) end,
  ["quantile"] = function(f, e) return f(e.sketch, 0.5) end,
  ["count sum mean min max tobytes"] = function(f, e) return f(e.sketch) end,
  ["clear"] = function(f) return f(locus.sketch()) end,
})

add("group:", {
  ["sum prod mean std var min max any all first last nunique nansum nanmean nanstd nanvar "
    .. "nanmin nanmax nancount nanmedian"] = of_groups,
  ["shift diff cumsum rank"] = of_groups,
  ["cumcount"] = function(f, e) return f(e.groups) end,
  ["ewm_mean"] = function(f, e) return f(e.groups, "price", {span = 20}) end,
  ["rolling"] = function(f, e) return f(e.groups, {on = "time", span = 1e6}) end,
  ["count"] = function(f, e) return f(e.groups) end,
  ["ffill bfill"] = function(f, e) return f(e.groups, e.gaps.price) end,
  ["quantile nanquantile"] = function(f, e) return f(e.groups, "price", 0.95) end,
  ["rows"] = function(f, e) return f(e.groups, 5) end,
  ["each"] = function(f, e) return f(e.few:group("sym"), function(part) return #part end) end,
  ["agg"] = function(f, e)
    return f(e.groups, {n = "count", s = {"sum", "price"}, m = {"max", "time"}})
  end,
})

add("windows:", {
  ["sum mean min max std var count median first last nansum nanmean nanmin nanmax nanstd nanvar "
    .. "nancount nanmedian"] = function(f, e) return f(e.x:rolling {rows = 100, min = 1}) end,
  ["quantile nanquantile"] = function(f, e) return f(e.x:rolling {rows = 100}, 0.9) end,
})

-- A column of a million rows with these names.
local function texts_of(e, ...)
  local key = (...)
  e[key] = e[key] or locus.strings {...}:take(e.order % 2 + 1)
  return e[key]
end

add("strings:", {
  ["shift"] = function(f, e) return f(e.c, 3) end,
  ["diff"] = of_column,
  ["eq ne lt le gt ge"] = function(f, e) return f(e.c, e.d) end,
  ["isin lookup"] = function(f, e) return f(e.c, e.d) end,
  ["match"] = function(f, e) return f(e.c, "1$") end,
  ["map"] = function(f, e) return f(e.c, string.upper) end,
  ["unique unique_consecutive sort argsort compact"] = of_column,
  ["ffill bfill"] = function(f, e) return f(e.gaps.sym) end,
  ["fill_missing"] = function(f, e) return f(e.gaps.sym, "none") end,
  ["totable"] = function(f, e) return f(e.few.sym) end,
  ["to"] = function(f, e) return f(e.c, "cpu") end,
  ["as_time as_date"] = function(f, e) return f(texts_of(e, "2026-11-22", "2026-11-23")) end,
  ["as_duration"] = function(f, e) return f(texts_of(e, "1:30:00", "0:00:05")) end,
  ["take"] = function(f, e) return f(e.c, e.order) end,
  ["iter"] = function(f, e) for _ in f(e.few.sym) do end end,
})

return rows
