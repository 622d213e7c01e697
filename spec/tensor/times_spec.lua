-- SPDX-License-Identifier: MIT
-- Times written down, texts beside times, elements as values, and their text.
local has_ffi = pcall(require, "ffi")
local locus = require "locus"
local support = require "spec.support"

local message = support.message

local TIMES = {"2026-11-22", "2026-11-22T10:30:00Z", "2026-11-25T08:00:00.25Z"}
local function times(options) return locus.times(TIMES, options):to(support.device) end
local function list(t) return t:cpu():totable() end

describe("locus.times", function()
  it("reads what read_csv reads, in every unit", function()
    for unit, per_second in pairs {s = 1, ms = 1e3, us = 1e6, ns = 1e9} do
      local texts = {"2026-11-22", "22/Nov/2026:01:00:00 +0100", "2026-11-22T08:30:59Z",
                     "-0044-03-15"}
      if unit == "ns" then texts[4] = nil end
      local text = "t\n" .. table.concat(texts, "\n") .. "\n"
      local f = locus.read_csv({text = text}, {types = {t = {"time", unit = unit}}})
      local t = locus.times(texts, {unit = unit})
      assert.equal(unit, t.unit)
      assert.is_true(t:equal(f.t))
      assert.is_true(locus.times(locus.strings(texts), {unit = unit}):equal(f.t))
      assert.equal(1795305600 * per_second, tonumber(t:long()[1]))
    end
  end)

  it("takes numbers, values of other units, patterns and tensors", function()
    local at = locus.time("2026-11-22", {unit = "s"})
    assert.same({5, 1795305600000}, list(locus.times({5, has_ffi and at or "2026-11-22"},
      {unit = "ms"})))
    assert.same({20779}, list(locus.dates({"22.11.2026"}, {pattern = "%d.%m.%Y"})))
    assert.same({}, list(locus.times{}))
    local x = locus.tensor({1, 2}, {dtype = "int64"})
    local t = locus.times(x, {unit = "s"})
    x[1] = 7
    assert.equal(7, t:long()[1])
    assert.same({5400000000, -1}, list(locus.durations{"1:30:00", "-0:00:00.000001"}))
    assert.same({2}, list(locus.durations({"2 days"}, {unit = "d"})))
  end)

  it("names function and argument in its errors", function()
    assert.equal("time: 'value' is the string \"soon\", which is not a time; write "
      .. '"2026-11-22T10:00:00Z", or give its pattern', message(locus.time, "soon"))
    assert.equal("date: 'input' is the string \"2026-11-22T10:00\", which is not a date; write "
      .. '"2026-11-22", or give its pattern', message(locus.date, "2026-11-22T10:00"))
    assert.equal("times: 'list[2]' is the string \"soon\", which is not a time; write "
      .. '"2026-11-22T10:00:00Z"',
      message(locus.times, {"2026-11-22", "soon"}))
    assert.equal("times: 'unit' must be one of s ms us ns, got the string \"m\"",
      message(locus.times, {}, {unit = "m"}))
    assert.matches("has a finer fraction than seconds",
      message(locus.time, "2026-11-22T10:00:00.5Z", {unit = "s"}))
    assert.matches("'value' must be a text or a number, got a table; write locus.times%(list%)",
      message(locus.time, {1}))
    assert.matches("must be int64, got a float64 tensor", message(locus.times, locus.zeros(2)))
    assert.matches("the pattern '%%H' does not give", message(locus.time, "1", {pattern = "%H"}))
  end)
end)

describe("a text beside times", function()
  local t = times()

  it("is a time, in all that compare and search", function()
    assert.same({false, true, true}, list(t:ge("2026-11-22T10:30:00Z")))
    assert.same({true, false, false}, list(locus.gt("2026-11-22T10:30:00Z", t)))
    assert.same({false, true, false}, list(t:eq("2026-11-22 10:30")))
    assert.same({true, false, true}, list(t:ne("2026-11-22 10:30")))
    assert.same({false, true, false}, list(t:between("2026-11-22T06:00", "2026-11-24")))
    assert.same({true, false, true}, list(t:isin{TIMES[1], TIMES[3]}))
    assert.equal(3, t:searchsorted("2026-11-23"))
    assert.same({3, 4}, list(t:searchsorted{"2026-11-23", "2026-11-26"}))
    assert.same({1, 1, 2}, list(locus.bucketize(t, {"2026-11-23"})))
    assert.equal(2, t:lookup(TIMES[2]))
    assert.same({0, 2}, list(locus.asof(t, {"2026-11-21", "2026-11-23"})))
    assert.same({0, 2}, list(locus.interval_lookup(t, t, {"2026-11-21", TIMES[2]})))
  end)

  it("is a time, where values are written", function()
    local x = times()
    x[1] = "2000-01-01"
    assert.equal("2000-01-01T00:00:00Z", locus.format_time(x[{{1, 1}}])[1])
    x:masked_fill_(x:lt("2001-01-01"), "1999-01-01")
    x[{{2, 3}}] = {"1998-01-01", "1997-01-01"}
    assert.same({915148800e6, 883612800e6, 852076800e6}, list(x))
    assert.same({"2026-11-22T00:00:00Z", "1970-01-01T00:00:00Z", "1970-01-01T00:00:00Z"},
      locus.format_time(locus.where(t:lt(TIMES[2]), t, "1970-01-01")):totable())
    assert.equal("2020-01-01T00:00:00Z",
      locus.format_time(t:clone():fill_("2020-01-01")):totable()[3])
    assert.same({1, 1795305600e6}, list(t:take({0, 1}, 1)))
  end)

  it("is read as the kind of the tensor has it", function()
    assert.same({true}, list(locus.dates{"2026-11-22"}:eq("2026-11-22")))
    assert.same({true}, list(locus.durations{"1:30:00"}:gt("1:29:59")))
    local f = locus.frame{{"ip", {3232235777}, "ipv4"}}
    assert.same({true}, list(f.ip:eq("192.168.1.1")))
  end)

  it("raises where it is none, and writes nothing", function()
    assert.equal("gt: 'other' is the string \"yesterday\", which is not a time; write "
      .. '"2026-11-22T10:00:00Z"', message(t.gt, t, "yesterday"))
    assert.equal("searchsorted: 'values[2]' is the string \"x\", which is not a time; write "
      .. '"2026-11-22T10:00:00Z"', message(t.searchsorted, t, {TIMES[1], "x"}))
    assert.matches("is not a date", message(locus.eq, locus.dates{1}, "2026-11-22T10:00"))
    assert.matches("has a finer fraction than seconds",
      message(locus.eq, times{unit = "ms"}:floor_divide(1000) and locus.times({0}, {unit = "s"}),
        "2026-11-22T10:00:00.5Z"))
    local x = times()
    assert.matches("is not a time", message(function() x[1] = "soon" end))
    assert.is_true(x:equal(t))
    assert.matches("must be a tensor, a table or a number", message(locus.gt, locus.ones(2), "a"))
  end)
end)

describe("kinds in numbers", function()
  it("have means and quantiles, to the nearest unit", function()
    local t = locus.times({1, 2, 4, 9}, {unit = "ns"}):to(support.device)
    assert.equal("1970-01-01T00:00:00.000000004Z", locus.format_time(t:mean(), {unit = "ns"}))
    assert.same({4}, list(t:view(1, 4):mean(2)))
    assert.same({{4}}, list(t:view(1, 4):mean(2, true)))
    assert.equal("time", t:view(2, 2):mean(1).kind)
    assert.same({2, 7}, list(t:view(2, 2):mean(2)))
    local huge = locus.times({2 ^ 62, 2 ^ 62 + 2 ^ 12}, {unit = "ns"}):to(support.device)
    assert.equal(2 ^ 62 + 2 ^ 11, tonumber(huge:mean(1):long():item()))
    assert.same({3}, list(t:quantile({0.5}, 1)))
    assert.equal("1970-01-01T00:00:00.000000002Z", locus.format_time(t:median(), {unit = "ns"}))
    assert.matches("'input' has no elements, and times have no NaN",
      message(locus.mean, locus.times{}))
  end)

  it("are counted in other units, exactly", function()
    local t = locus.times{"2026-11-22", "1969-12-31T12:00:00Z"}:to(support.device)
    assert.same({1795305600, -43200}, list(t:as_unit("s")))
    assert.equal("ns", t:as_unit("ns").unit)
    assert.matches("'input' holds 1969%-12%-31T12:00:00Z at %[2%], which dates cannot hold",
      message(t.as_unit, t, "d"))
    assert.same({20779}, list(t[{{1, 1}}]:as_unit("d")))
    assert.equal("date", t[{{1, 1}}]:as_unit("d").kind)
    assert.same({86400}, list(locus.durations({1}, {unit = "d"}):as_unit("s")))
    local halves = locus.durations {"0:00:00.5"}
    assert.equal("as_unit: 'input' holds 0:00:00.5 at [1], which durations in s cannot hold; the "
      .. 'unit "us" can', message(halves.as_unit, halves, "s"))
    assert.matches("which durations in days cannot hold", message(halves.as_unit, halves, "d"))
    assert.matches("which times in ns cannot hold",
      message(locus.times({"2999-01-01"}).as_unit, locus.times{"2999-01-01"}, "ns"))
    assert.matches("must be a tensor of times", message(locus.methods.as_unit, locus.ones(2), "s"))
  end)
end)

describe("times in other hands", function()
  local function cpu_times() return locus.times(TIMES):cpu() end

  it("come from builders, which take texts and values", function()
    local b = locus.builder{{"t", "time"}, {"d", "date"}, {"w", "duration"}}
    b:push(TIMES[1], "2026-11-22", "1:30:00")
    b:push(cpu_times()[2], "2026-11-23", 5)
    assert.matches("push: 't' is the string \"soon\", which is not a time",
      message(b.push, b, "soon", 1, 1))
    local f = b:frame()
    assert.same({t = "time", d = "date", w = "duration"}, f:types())
    assert.same({1795305600e6, 1795343400e6}, list(f.t))
    local column = locus.builder("time")
    for i = 1, 100 do column:push(i) end
    column:extend(cpu_times())
    column:extend{TIMES[1]}
    assert.equal("time", column:tensor().kind)
    assert.equal(104, #column:tensor())
  end)

  it("go through Arrow and folders, and lose their kind in files of NumPy", function()
    local t = cpu_times()
    local days = locus.dates{1, 2}:cpu()
    for _, x in ipairs {t, t:as_unit("ns"), t - t, (t - t):as_unit("ns"), days} do
      local path = os.tmpname()
      os.remove(path)
      locus.frame{{"x", x}}:save(path)
      local back = locus.load(path).x
      assert.same({x.kind, x.unit}, {back.kind, back.unit})
      assert.is_true(back:cpu():equal(x))
      os.execute("rm -r " .. path)
      if has_ffi then
        back = locus.from_arrow(x:to_arrow())
        assert.same({x.kind, x.unit}, {back.kind, back.unit})
        assert.is_true(back:cpu():equal(x))
      end
    end
    local path = os.tmpname()
    t:save(path)
    assert.is_nil(locus.load(path).kind)
    os.remove(path)
    assert.is_nil(locus.from_dlpack(t:to_dlpack()).kind)
  end)

  it("stand in for missing ones", function()
    local f = locus.frame{{"t", times()}, {"k", {1, 2, 3}}}
    local at = locus.tensor({0, 2}, {dtype = "int64", device = support.device})
    assert.same({1767225600e6, 1795343400e6}, list(f:take(at, {t = "2026-01-01", k = 0}).t))
    local g = locus.frame{{"k", locus.tensor({3, 4}):to(support.device)}}
    assert.same({1795593600250000, 1767225600e6},
      list(g:join(f, {on = "k", how = "left", missing = {t = "2026-01-01"}}).t))
    assert.matches("'missing.t' is the string \"x\", which is not a time",
      message(f.take, f, at, {t = "x", k = 0}), 1, true)
  end)

  it("are searched by an index, and drawn on an axis of times", function()
    local t = cpu_times()
    assert.same({3}, list(locus.search_index(t):searchsorted{"2026-11-23"}))
    local function drawn(picture) return (tostring(picture):gsub("\n[^\n]*$", "")) end
    assert.equal(drawn(locus.frame{{"t", t}, {"y", {1, 2, 3}}}:plot("t", "y")),
      drawn(locus.tensor{1, 2, 3}:plot{x = t}))
  end)

  it("pass through groups and frames", function()
    local f = locus.frame{{"t", times()}, {"k", {1, 1, 2}}}
    local g = f:group("k"):agg{a = {"min", "t"}, b = {"max", "t"}, c = {"mean", "t"},
      d = {"first", "t"}, e = {"last", "t"}, q = {"quantile", "t", 0.5}}
    for _, name in ipairs {"a", "b", "c", "d", "e", "q"} do
      assert.equal("time", g:column(name).kind, name)
    end
    assert.same({1795324500e6, 1795593600250000}, list(g.c))
    assert.same({1795324500e6, 1795593600250000}, list(g.q))
    assert.equal("time", f:group("t").keys.t.kind)
    assert.equal("time", f:sort("-t").t.kind)
  end)
end)

if not has_ffi then return end

describe("an element of times", function()
  local t = times()
  local a, b = t[1], t[2]

  it("prints as its time, and joins texts", function()
    assert.equal("2026-11-22T00:00:00Z", tostring(a))
    assert.equal("at 2026-11-22T10:30:00Z!", "at " .. b .. "!")
    assert.equal("2026-11-25T08:00:00.250Z", tostring(t:max()))
    assert.equal("2026-11-22", tostring(locus.date("2026-11-22")))
    local texts = {[5400] = "1:30:00", [0] = "0:00:00", [-1] = "-0:00:01",
                   [2 * 86400 + 3 * 3600] = "2 days 03:00:00", [86400] = "1 day 00:00:00"}
    for seconds, text in pairs(texts) do
      assert.equal(text, tostring(locus.duration(seconds, {unit = "s"})))
      assert.is_true(locus.duration(text, {unit = "s"}) == locus.duration(seconds, {unit = "s"}))
    end
    assert.equal("2 days 03:00:00.5", tostring(locus.duration("2 days 03:00:00.5")))
    assert.equal("5 days", tostring(locus.duration(5, {unit = "d"})))
  end)

  it("is the bare number by item, and in totable", function()
    assert.equal(1795305600e6, a:item())
    assert.equal("number", type(t:cpu():totable()[1]))
    assert.equal(1795305600e6, t[{{1, 1}}]:item())
    local far = locus.time("2200-01-01", {unit = "ns"}) - 1
    assert.equal("7258118399999999999LL", tostring(far:item()))
  end)

  it("computes as tensors do", function()
    assert.equal("10:30:00", tostring(b - a))
    assert.equal("2026-11-22T00:01:00Z", tostring(a + 60e6))
    assert.equal("2026-11-22T00:01:00Z", tostring(60e6 + a))
    assert.equal("2026-11-22T10:30:00Z", tostring(a + (b - a)))
    assert.equal("2026-11-21T13:30:00Z", tostring(a - (b - a)))
    assert.equal("5:15:00", tostring((b - a):floor_divide(2)))
    assert.equal("21:00:00", tostring((b - a) * 2))
    assert.equal("-10:30:00", tostring(-(b - a)))
    assert.equal("0:30:00", tostring((b - a) % 3600e6))
    assert.equal(2, (b - a) / locus.duration("5:15:00"))
    assert.equal(1795305600, a / 1e6)
    assert.equal("2026-11-22T10:30:00Z", tostring(a + locus.duration("10:30:00", {unit = "s"})))
    assert.equal("1 day", tostring(locus.date(3) - locus.date(2)))
    assert.matches("both times, which do not add", message(function() return a + b end))
    assert.matches("write locus.time%(text%)", message(function() return a - "2026" end))
    assert.matches("a time has no 'foo'", message(function() return a.foo end))
  end)

  it("compares with its kind, numbers and texts", function()
    assert.is_true(a < b and a <= b and b > a and not (a > b) and a <= a)
    assert.is_true(a == t[1] and a ~= b and a ~= nil and a ~= "x" and a ~= {})
    assert.is_true(a == 1795305600e6 and a < 1795305600e6 + 1 and a > 0.5)
    assert.is_true(a == "2026-11-22" and a < "2026-11-23" and "2026-11-21" < a)
    assert.is_true(a == locus.time("2026-11-22", {unit = "ns"}))
    assert.is_true(a == locus.date("2026-11-22") and a < locus.date("2026-11-23"))
    assert.is_true(a ~= locus.duration(a:item()))
    assert.matches("is not a time", message(function() return a < "soon" end))
  end)

  it("stands where tensors take a number", function()
    assert.same({false, true, false}, list(t:eq(b)))
    assert.equal(2, t:searchsorted(b))
    assert.same({false, true, false}, list(t:eq(locus.time(TIMES[2], {unit = "ns"}))))
    assert.matches("'other' is 2026.*0001Z, which dates cannot hold",
      message(locus.eq, locus.dates{1}, a + 1))
    local x = times()
    x[1] = b
    x:masked_fill_(x:gt(b), a)
    assert.same({list(t)[2], list(t)[2], list(t)[1]}, list(x))
    local made = locus.tensor{a, b}
    assert.equal("time", made.kind)
    assert.same({a:item(), b:item()}, list(made))
    assert.same({"0:00:00", "10:30:00", "3 days 08:00:00.25"},
      {tostring((t - a)[1]), tostring((t - a)[2]), tostring((t - a)[3])})
    assert.equal("time", (a + locus.zeros(2):long()).kind)
    assert.equal("2026-11-22", locus.format_time(a, "%F"))
    assert.equal("2026-11-22T00:00:00Z", tostring(a:as_unit("s")))
  end)

  it("comes from rows, and goes into frames", function()
    local f = locus.frame{{"time", t}, {"x", {1, 2, 3}}}
    assert.is_true(f[2].time == b)
    for i, row in f:iter() do assert.is_true(row.time == t[i]) end
    assert.equal("{time = 2026-11-22T00:00:00Z, x = 1}", tostring(f[1]))
    assert.equal("time", f:types().time)
    assert.equal("number", type(f:totable().time[1]))
    local g = f:group("x"):agg{first = {"first", "time"}, mean = {"mean", "time"}}
    assert.same({first = "time", mean = "time", x = "float64"}, g:types())
    local texts = {}
    for text in f:write_csv{formats = {time = function(v) return tostring(v) end}}
      :gmatch("\n([^,]+)") do texts[#texts + 1] = text end
    assert.same({"2026-11-22T00:00:00Z", "2026-11-22T10:30:00Z", "2026-11-25T08:00:00.250Z"}, texts)
    assert.is_true(f:asof(f:rename{x = "y"}, {on = "time", tolerance = locus.duration("1:00:00")})
      .y:equal(f.x))
  end)
end)

describe("values beside what they do not go with", function()
  it("raise one sentence", function()
    local d = locus.dates {"2026-01-01"}
    local sentence = "< and > compare whole values; write x:lt(y) or x:gt(y)"
    assert.equal(sentence, message(function() return d[1] < {} end))
    assert.equal(sentence, message(function() return {} <= d[1] end))
    assert.matches("^%.%. joins texts, numbers and times, got ",
      message(function() return d[1] .. {} end))
    assert.matches("^durations: 'list' must hold durations", message(locus.durations, d))
    assert.matches("^times: 'list' must hold times", message(locus.times, locus.durations {5}))
  end)
end)
