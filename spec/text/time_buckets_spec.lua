-- SPDX-License-Identifier: MIT
-- Buckets of times, beside a walk from minute to minute that asks the clock; shifts by spans and
-- ranges, beside plain arithmetic on dates; and what each refuses.
local internal = require "locus.core".internal
local kinds = require "locus.tensor.kind"
local locus = require "locus"
local message = require("spec.support").message
local support = require "spec.support"

local PER_SECOND = {s = 1, ms = 1e3, us = 1e6, ns = 1e9}
local BERLIN = "CET-1CEST,M3.5.0,M10.5.0/3"

-- Clocks that change by an hour, by half an hour, at midnight in both directions, by two hours.
local ZONES = {BERLIN, "<+1030>-10:30<+11>-11,M10.1.0,M4.1.0", "CST5CDT,M3.2.0/0,M11.1.0/1",
               "<-03>3<-02>,M10.3.0/0,M2.3.0/0", "<+00>0<+02>-2,M3.5.0/1,M10.5.0/3"}

local function int64(list) return locus.tensor(list, {dtype = "int64"}) end

local function times(list, unit)
  return kinds.tagged(locus.is_tensor(list) and list or int64(list),
    kinds.named("time", unit or "s"))
end

local function time(text, unit) return (internal.parse_time(text, {unit = unit or "s"})) end

local function all_of(texts, unit)
  local list = {}
  for i, text in ipairs(texts) do list[i] = time(text, unit) end
  return times(list, unit)
end

local function numbers(tensor) return kinds.tagged(tensor, nil):totable() end

local function texts(t)
  local list, kind = numbers(t), kinds.of(t)
  for i, value in ipairs(list) do
    list[i] = kind.unit and internal.format_time(value, {unit = kind.unit})
      or internal.format_date(value)
  end
  return list
end

-- -- The walk ------------------------------------------------------------------------------------

local UNITS = {m = 60, h = 3600, day = 86400, week = 604800}

local function label_of(span, clock)
  local count, unit = span:match("^(%d*) ?(%a-)s?$")
  local length = UNITS[unit] * (tonumber(count) or 1)
  local phase = unit == "week" and 4 * 86400 or 0
  return math.floor((clock - phase) / length) * length + phase
end

-- The beginnings of the buckets of each minute from `first` on: where the label changes, or where
-- the clock shows just the label. A whole day's is the first minute of that label.
local function walk(zone, span, first, minutes)
  local at = locus.arange(0, minutes, {dtype = "int64"}) * 60 + first
  local clocks = internal.clocks(at, 1, internal.zone(zone)):totable()
  local whole = span:find("day") or span:find("week")
  local begins, first_of, begin, label = {}, {}, nil, nil
  for i, clock in ipairs(clocks) do
    local own, now = label_of(span, clock), first + (i - 1) * 60
    if own ~= label or own == clock then begin, label = now, own end
    first_of[own] = first_of[own] or now
    begins[i] = whole and first_of[own] or begin
  end
  return at, begins
end

describe("buckets of times #host", function()
  for _, zone in ipairs(ZONES) do
    it("begin where a walk along the clock finds them, in " .. zone, function()
      local changes = {}
      local hours = locus.arange(time("2026-01-01"), time("2027-01-01"), 3600, {dtype = "int64"})
      local ahead = internal.clocks(hours, 1, internal.zone(zone)) - hours
      for _, i in ipairs(ahead:diff():ne(0):nonzero():flatten():totable()) do
        changes[#changes + 1] = tonumber(hours[i])
      end
      assert.equal(2, #changes)
      for _, change in ipairs(changes) do
        for _, span in ipairs {"15m", "20m", "1h", "90m", "2h", "3h", "4h", "7h", "day", "2 days",
                               "week"} do
          -- the first and the last bucket are not seen in full
          local days = span == "week" and 8 or span == "2 days" and 3 or 2
          local at, begins = walk(zone, span, change - days * 86400, (2 * days + 1) * 1440)
          local got = numbers(times(at):floor(span, {zone = zone}))
          for i = (days - 1) * 1440, (days + 1) * 1440 do
            if got[i] ~= begins[i] then
              error(("%s, %s at %s: %s, expected %s"):format(zone, span,
                internal.format_time(at[i], {unit = "s"}),
                internal.format_time(got[i], {unit = "s"}),
                internal.format_time(begins[i], {unit = "s"})))
            end
          end
          local t = times(at)
          local floor = kinds.tagged(t:floor(span, {zone = zone}), nil)
          local ceil = kinds.tagged(t:ceil(span, {zone = zone}), nil)
          local next_floor = kinds.tagged(times(ceil):floor(span, {zone = zone}), nil)
          assert.is_true(next_floor:eq(ceil):all(), span)
          assert.is_true(ceil:eq(floor):eq(at:eq(floor)):all(), span)
          -- no bucket begins in between
          local last = kinds.tagged(times(ceil - 1):floor(span, {zone = zone}), nil)
          assert.is_true(last:eq(floor):logical_or(at:eq(floor)):all(), span)
        end
      end
    end)
  end

  it("have 23 and 25 hours where clocks change", function()
    local days = all_of {"2026-03-29T12:00:00Z", "2026-10-25T12:00:00Z", "2026-11-01T12:00:00Z"}
    local begin, next = days:floor("day", {zone = BERLIN}), days:ceil("day", {zone = BERLIN})
    assert.same({"2026-03-28T23:00:00Z", "2026-10-24T22:00:00Z", "2026-10-31T23:00:00Z"},
                texts(begin))
    assert.same({23 * 3600, 25 * 3600, 24 * 3600}, numbers(next - begin))
  end)

  it("are those of every unit", function()
    for unit, per_second in pairs(PER_SECOND) do
      local t = times(int64({-1, 0, 899, 900, 1e9}) * per_second, unit)
      assert.same({-900 * per_second, 0, 0, 900 * per_second, 999999900 * per_second},
                  numbers(t:floor("15m")), unit)
      assert.equal(unit, kinds.of(t:floor("15m")).unit)
      assert.same({0, 0, 900 * per_second, 900 * per_second, 1000000800 * per_second},
                  numbers(t:ceil("15m")), unit)
    end
    assert.same({-250, 0, 0, 250}, numbers(times({-1, 0, 249, 250}, "ms"):floor("250ms")))
    assert.equal("floor: the span is no whole number of the time's unit",
                 support.message(locus.floor, times {0}, "250ms"))
  end)

  it("by months, quarters and years begin on their first day", function()
    local t = all_of {"2024-02-29T23:59:59Z", "1969-12-31T00:00:00Z", "2026-07-01T00:00:00Z"}
    for span, expected in pairs {
      month = {"2024-02-01", "1969-12-01", "2026-07-01"},
      quarter = {"2024-01-01", "1969-10-01", "2026-07-01"},
      year = {"2024-01-01", "1969-01-01", "2026-01-01"},
      ["2 months"] = {"2024-01-01", "1969-11-01", "2026-07-01"},
      ["10 years"] = {"2020-01-01", "1960-01-01", "2020-01-01"},
      week = {"2024-02-26", "1969-12-29", "2026-06-29"},
      ["2 weeks"] = {"2024-02-19", "1969-12-22", "2026-06-22"},
    } do
      local got = texts(t:floor(span))
      for i, day in ipairs(expected) do assert.equal(day .. "T00:00:00Z", got[i], span) end
    end
    assert.same({"2024-03-01T00:00:00Z", "1970-01-01T00:00:00Z", "2026-07-01T00:00:00Z"},
                texts(t:ceil("month")))
  end)

  it("count from an origin", function()
    local t = all_of {"2026-04-05T05:59:00Z", "2026-04-05T06:00:00Z", "2025-01-31T00:00:00Z"}
    assert.same({"2026-04-04T06:00:00Z", "2026-04-05T06:00:00Z", "2025-01-30T06:00:00Z"},
                texts(t:floor("day", {origin = "2000-01-01T06:00:00Z"})))
    assert.same({"2025-04-06T00:00:00Z", "2025-04-06T00:00:00Z", "2024-04-06T00:00:00Z"},
                texts(t:floor("year", {origin = "2026-04-06"})))
    assert.same({"2026-03-31T00:00:00Z", "2026-03-31T00:00:00Z", "2025-01-31T00:00:00Z"},
                texts(t:floor("month", {origin = "1999-12-31"})))
    assert.same({"2025-02-28T00:00:00Z"},
                texts(all_of({"2025-03-30T23:00:00Z"}):floor("month", {origin = "1999-12-31"})))
    assert.same({"2026-04-05T04:00:00Z", "2026-04-05T04:00:00Z", "2025-01-30T05:00:00Z"},
                texts(t:floor("day", {origin = "2000-01-01T06:00:00", zone = BERLIN})))
    assert.same({5, 5, 7, 7}, numbers(times({5, 6, 7, 8}):floor("2s", {origin = 1})))
    assert.same({5, 5, 7, 7}, numbers(times({5, 6, 7, 8}):floor("2s", {origin = times({9})})))
    for _, wrong in ipairs {true, locus.duration "1:00:00"} do
      assert.matches("floor: 'origin' must be a time as text, an element of times, or a whole "
        .. "number of units, got ", support.message(t.floor, t, "1h", {origin = wrong}))
    end
    assert.matches("floor: 'span' must be one such as", support.message(t.floor, t, 3600))
    assert.matches("floor: 'origin' is \"x\", which is not a time",
                   support.message(locus.floor, t, "day", {origin = "x"}))
    assert.matches("floor: 'origin' must be a time as text, an element of times, or a whole number",
                   support.message(locus.floor, t, "day", {origin = 1.5}))
  end)

  it("of dates are dates", function()
    local days = {-40000, -1, 0, 3, 4, 20000}
    local d = kinds.tagged(int64(days), kinds.named("date"))
    for _, span in ipairs {"day", "3 days", "week", "2 weeks", "month", "quarter", "year"} do
      local t = times(int64(days) * 86400)
      for _, name in ipairs {"floor", "ceil"} do
        local got = d[name](d, span)
        assert.equal("date", kinds.of(got).type)
        local expected = (kinds.tagged(t[name](t, span), nil) / 86400):long()
        assert.same(numbers(expected), numbers(got), span)
      end
    end
    assert.equal("floor: the span is no whole number of days",
                 support.message(d.floor, d, "1h"))
    assert.equal("floor: 'zone' goes with times, got dates, which have no time of day",
                 support.message(d.floor, d, "day", {zone = "UTC"}))
  end)

  it("that int64 cannot hold are an error, and nothing wraps", function()
    local least, most = unpack(support.range.int64)
    local low, high = times(int64 {least}, "ns"), times(int64 {most}, "ns")
    assert.equal("floor: the bucket of 1677-09-21T00:12:43.145224192Z begins beyond int64",
                 support.message(low.floor, low, "day"))
    assert.equal("ceil: the bucket of 2262-04-11T23:47:16.854775807Z ends beyond int64",
                 support.message(high.ceil, high, "month", {zone = BERLIN}))
    assert.same({"1677-09-22T00:00:00Z"}, texts(low:ceil("day")))
    assert.same({"2262-04-01T00:00:00Z"}, texts(high:floor("month")))
    assert.matches("ceil: the bucket of %+292277026596%-12%-04T15:30:07Z ends beyond int64",
                   support.message(high.ceil, times(int64 {most}), "year"))
    assert.matches("floor: the span is longer than int64 can hold",
                   support.message(high.floor, high, "9223372036854775807 weeks"))
    local d = kinds.tagged(int64 {most}, kinds.named("date"))
    assert.matches("floor: the bucket of .* begins beyond int64",
                   support.message(d.floor, d, "month"))
  end)

  it("are the same on any number of threads, for any order and layout", function()
    math.randomseed(3)
    local list = {}
    for i = 1, 60000 do list[i] = math.random(-1e10, 1e10) end
    local random = times(list)
    local threads = locus.get_num_threads()
    for _, span in ipairs {"1h", "day", "month"} do
      local expected
      for _, count in ipairs {1, 2, 5} do
        locus.set_num_threads(count)
        local got = random:floor(span, {zone = BERLIN})
        expected = expected or got
        assert.is_true(locus.equal(expected, got), span)
      end
      locus.set_num_threads(threads)
      local some = random[{{1, 60000, 7}}]
      assert.is_true(locus.equal(expected[{{1, 60000, 7}}], some:floor(span, {zone = BERLIN})))
      local matrix = random:view(300, 200)
      assert.is_true(locus.equal(expected:view(300, 200):t(), matrix:t():floor(span,
        {zone = BERLIN})))
      local back = kinds.tagged(random, nil):sort({indices = false})
      local sorted = times(back):floor(span, {zone = BERLIN})
      assert.is_true(locus.equal(kinds.tagged(expected, nil):sort({indices = false}),
        kinds.tagged(sorted, nil)), span)
    end
    assert.equal(0, #times({}):floor("day"))
  end)

  it("refuse what is no span and no time", function()
    local t = times {0}
    assert.equal('floor: \'span\' is "1mo"; write "1 month"', support.message(t.floor, t, "1mo"))
    assert.equal('ceil: \'span\' is "-1h"; write it without a sign',
                 support.message(t.ceil, t, "-1h"))
    assert.equal("floor: 'input' must be times or dates, got a float64 tensor of size 1; write "
      .. "locus.times(x)", support.message(locus.floor, locus.tensor{1}, "day"))
    assert.same({1}, locus.tensor{1.5}:floor():totable())
  end)
end)

-- -- Shifts --------------------------------------------------------------------------------------

describe("buckets beyond int64 #host", function()
  it("raise, and do not wrap", function()
    local ns = locus.times({"2026-01-01"}, {unit = "ns"})
    for _, span in ipairs {"293 years", "300 years", "1000 years", "3600 months"} do
      assert.equal("ceil: the bucket of 2026-01-01T00:00:00Z ends beyond int64",
        message(ns.ceil, ns, span))
    end
    assert.equal("2170-01-01T00:00:00Z", tostring(ns:ceil("200 years")[1]))
    local us = locus.times {"2026-01-01"}
    assert.matches("ends beyond int64", message(us.ceil, us, "300000 years"))
  end)

  it("more of them than groups have numbers are refused at once", function()
    local f = locus.frame {{"t", locus.times({"2026-01-01", "2026-01-02"}, {unit = "ns"})}}
    assert.equal("group: there are more than 4294967295 buckets from the first time to the last",
      message(f.group, f, {t = "1ns", empty = true}))
  end)
end)

describe("times moved by spans #host", function()
  it("keep their day of the month, or take the last one", function()
    local t = all_of {"2024-01-31T10:00:00Z", "2023-12-31T23:59:59Z", "2024-02-29T00:00:00Z"}
    for span, expected in pairs {
      ["1 month"] = {"2024-02-29T10", "2024-01-31T23", "2024-03-29T00"},
      ["-1 month"] = {"2023-12-31T10", "2023-11-30T23", "2024-01-29T00"},
      ["13 months"] = {"2025-02-28T10", "2025-01-31T23", "2025-03-29T00"},
      ["1 year"] = {"2025-01-31T10", "2024-12-31T23", "2025-02-28T00"},
      ["-4 years"] = {"2020-01-31T10", "2019-12-31T23", "2020-02-29T00"},
      quarter = {"2024-04-30T10", "2024-03-31T23", "2024-05-29T00"},
      ["2 weeks"] = {"2024-02-14T10", "2024-01-14T23", "2024-03-14T00"},
      ["-1d"] = {"2024-01-30T10", "2023-12-30T23", "2024-02-28T00"},
    } do
      for i, text in ipairs(texts(t:offset(span))) do assert.equal(expected[i], text:sub(1, 13)) end
    end
    assert.same({"2024-01-31T09:58:30Z"}, texts(t[{{1, 1}}]:offset("-90s")))
  end)

  it("by days keep the time on the clock, by hours do not", function()
    local t = all_of {"2026-03-28T11:00:00Z", "2026-10-24T10:00:00Z"}
    assert.same({"2026-03-29T10:00:00Z", "2026-10-25T11:00:00Z"},
                texts(t:offset("1 day", {zone = BERLIN})))
    assert.same({"2026-03-29T11:00:00Z", "2026-10-25T10:00:00Z"},
                texts(t:offset("24h", {zone = BERLIN})))
  end)

  it("to a time that comes twice or never raise, unless told what to do", function()
    local twice, never = all_of {"2026-10-24T00:30:00Z"}, all_of {"2026-03-28T01:30:00Z"}
    assert.equal(("offset: 2026-10-25T02:30:00 comes twice in zone '%s'; write ambiguous = "
      .. '"first" or "second"'):format(BERLIN),
      support.message(twice.offset, twice, "1 day", {zone = BERLIN}))
    assert.matches("offset: 2026%-03%-29T02:30:00 does not exist in zone",
                   support.message(never.offset, never, "1 day", {zone = BERLIN}))
    local function moved(t, options)
      options.zone = BERLIN
      return texts(t:offset("1 day", options))[1]
    end
    assert.equal("2026-10-25T00:30:00Z", moved(twice, {ambiguous = "first"}))
    assert.equal("2026-10-25T01:30:00Z", moved(twice, {ambiguous = "second"}))
    assert.equal("2026-03-29T01:00:00Z", moved(never, {missing = "forward"}))
  end)

  it("of dates are dates", function()
    local d = kinds.tagged(int64 {0, 30, 59}, kinds.named("date"))
    assert.same({"1970-02-01", "1970-02-28", "1970-04-01"}, texts(d:offset("1 month")))
    assert.same({7, 37, 66}, numbers(d:offset("week")))
    assert.equal("offset: the span is no whole number of days", support.message(d.offset, d, "1h"))
  end)

  it("beyond int64 or the calendar raise", function()
    local most = times(int64 {support.range.int64[2]}, "ns")
    for _, span in ipairs {"1ns", "1 day", "1 month", "768614336404564650 years"} do
      assert.matches("offset: 2262%-04%-11T23:47:16.854775807Z goes to a time that int64 cannot",
                     support.message(most.offset, most, span))
      assert.matches("cannot hold", support.message(most.offset, most, span, {zone = BERLIN}))
    end
    local t = times {0, 5, 6}
    assert.equal("offset: 1970-01-01T00:00:00Z goes to a time that int64 cannot hold",
                 support.message(t.offset, t, "1000000000000 years"))
    assert.equal("offset: the span is longer than int64 can hold",
                 support.message(t.offset, t, "9223372036854775807 weeks"))
  end)
end)

-- -- Clocks --------------------------------------------------------------------------------------

describe("clocks #host", function()
  it("go from UTC to a zone and back", function()
    local t = all_of({"2026-07-01T12:00:00.25Z", "2026-12-01T12:00:00Z"}, "ms")
    local clock = t:local_time(BERLIN)
    assert.same({"2026-07-01T14:00:00.250Z", "2026-12-01T13:00:00Z"}, texts(clock))
    assert.same(texts(t), texts(clock:utc_time(BERLIN)))
    local twice = all_of {"2026-10-25T02:30:00Z"}
    assert.matches("utc_time: 2026%-10%-25T02:30:00 comes twice",
                   support.message(twice.utc_time, twice, BERLIN))
    assert.same({"2026-10-25T01:30:00Z"}, texts(twice:utc_time(BERLIN, {ambiguous = "second"})))
    local never = all_of {"2026-03-29T02:30:00Z"}
    assert.same({"2026-03-29T01:00:00Z"}, texts(never:utc_time(BERLIN, {missing = "forward"})))
    local d = kinds.tagged(int64 {0}, kinds.named("date"))
    assert.equal("local_time: 'zone' goes with times, got dates, which have no time of day",
                 support.message(d.local_time, d, BERLIN))
  end)
end)
