-- SPDX-License-Identifier: MIT
-- Ranges of times and dates: each step from the start, both ends or not, upwards and downwards,
-- across changes of clocks.
local internal = require "locus.core".internal
local kinds = require "locus.tensor.kind"
local locus = require "locus"
local support = require "spec.support"

local BERLIN = "CET-1CEST,M3.5.0,M10.5.0/3"

local function texts(t)
  local list, kind = kinds.tagged(t, nil):totable(), kinds.of(t)
  for i, value in ipairs(list) do
    list[i] = kind.unit and internal.format_time(value, {unit = kind.unit})
      or internal.format_date(value)
  end
  return list
end

local range = locus.time_range

describe("a range of times #once", function()
  it("has every step from start to stop", function()
    for unit, per_second in pairs {s = 1, ms = 1e3, us = 1e6, ns = 1e9} do
      local t = range("2026-01-01", "2026-01-02", "15m", {unit = unit})
      assert.equal(97, #t)
      assert.equal(unit, kinds.of(t).unit)
      local plain = kinds.tagged(t, nil)
      assert.is_true(plain:diff():eq(900 * per_second):all())
      assert.equal("2026-01-01T00:00:00Z", texts(t)[1])
    end
    assert.same({"2026-01-01T00:00:00Z"}, texts(range("2026-01-01", "2026-01-01T00:59:59Z", "1h")))
    assert.equal(0, #range("2026-01-02", "2026-01-01", "1h"))
    assert.equal("us", kinds.of(range("2026-01-02", "2026-01-01", "1h")).unit)
  end)

  it("by months goes from month to month in one step each", function()
    assert.same({"2024-01-31T00:00:00Z", "2024-02-29T00:00:00Z", "2024-03-31T00:00:00Z",
                 "2024-04-30T00:00:00Z"}, texts(range("2024-01-31", "2024-05-01", "1 month")))
    for step, count in pairs {year = 101, quarter = 401, month = 1201, week = 5218, day = 36526} do
      local t = range("1950-01-01", "2050-01-01", step)
      assert.equal(count, #t, step)
      assert.equal(1950, t:year():totable()[1])
    end
  end)

  it("by days in a zone keeps the time on the clock", function()
    assert.same({"2026-03-27T23:00:00Z", "2026-03-28T23:00:00Z", "2026-03-29T22:00:00Z"},
                texts(range("2026-03-28", "2026-03-30", "1d", {zone = BERLIN})))
    assert.equal(366, #range("2026-01-01T12:00", "2027-01-01T12:00", "day", {zone = BERLIN}))
    assert.matches("time_range: 2026%-03%-29T02:30:00 does not exist in zone",
      support.message(range, "2026-03-28T02:30", "2026-03-31", "day", {zone = BERLIN}))
    assert.same("2026-03-29T01:00:00Z", texts(range("2026-03-28T02:30", "2026-03-31", "day",
      {zone = BERLIN, missing = "forward"}))[2])
    assert.same("2026-10-25T01:30:00Z", texts(range("2026-10-24T02:30", "2026-10-26", "day",
      {zone = BERLIN, ambiguous = "second"}))[2])
  end)

  it("leaves out ends as asked", function()
    local function counted(closed)
      return #range("2026-01-01", "2026-01-05", "1d", {closed = closed})
    end
    assert.same({5, 4, 4, 3}, {counted "both", counted "left", counted "right", counted "none"})
    local t = range("2026-01-01", "2026-01-05", "1d", {closed = "right"})
    assert.equal("2026-01-02T00:00:00Z", texts(t)[1])
    t = range("2026-01-01", "2026-01-04T12:00", "1d", {closed = "left"})
    assert.equal("2026-01-04T00:00:00Z", texts(t)[4])
    assert.equal(0, #range("2026-01-02", "2026-01-01", "1d", {closed = "none"}))
  end)

  it("goes down by a negative step", function()
    assert.same({"2026-01-03T00:00:00Z", "2026-01-02T00:00:00Z", "2026-01-01T00:00:00Z"},
                texts(range("2026-01-03", "2026-01-01", "-1 day")))
    assert.equal(0, #range("2026-01-01", "2026-01-03", "-1 day"))
  end)

  it("of dates has dates", function()
    local d = range("2026-01-31", "2026-04-01", "1 month", {unit = "day"})
    assert.equal("date", kinds.of(d).type)
    assert.same({"2026-01-31", "2026-02-28", "2026-03-31"}, texts(d))
    local start = kinds.tagged(locus.tensor({0}, {dtype = "int64"}), kinds.named("date"))
    assert.same({"1970-01-01", "1970-01-08"}, texts(range(start, "1970-01-10", "week")))
  end)

  it("takes elements and numbers, and checks what it takes", function()
    local start = kinds.tagged(locus.tensor({1000}, {dtype = "int64"}), kinds.named("time", "ms"))
    assert.same({"1970-01-01T00:00:01Z", "1970-01-01T00:00:02Z"}, texts(range(start, 2500, "1s")))
    for sentence, call in pairs {
      ["time_range: 'step' must be a span such as \"15m\" or \"1 day\", got the number 1"] =
        {"2026-01-01", "2026-01-02", 1},
      ['time_range: \'step\' is "1mo"; write "1 month"'] = {"2026-01-01", "2026-01-02", "1mo"},
      ["time_range: 'start' must be a time as text, an element of times, or a whole number of "
        .. "units, got the duration 1:30:00"] =
        {locus.duration "1:30:00", locus.duration "2:00:00", "1h"},
      ["time_range: 'stop' must be a time as text, an element of times, or a whole number of "
        .. "units, got the duration 1:30:00"] = {"2026-01-01", locus.duration "1:30:00", "1h"},
      ["time_range: 'stop' is \"x\", which is not a date; write \"2026-11-22\""] = {
        locus.date "2026-01-01", "x", "1d"},
      ["time_range: 'start' is \"x\", which is not a time; write \"2026-11-22T10:00:00Z\""] =
        {"x", "2026-01-02", "1d"},
      ['time_range: \'unit\' must be "s", "ms", "us", "ns" or "day", got the string "m"'] =
        {"2026-01-01", "2026-01-02", "1d", {unit = "m"}},
      ['time_range: \'closed\' must be "both", "left", "right" or "none", got the string "x"'] =
        {"2026-01-01", "2026-01-02", "1d", {closed = "x"}},
      ["time_range: 'unit' is \"s\", but an end has the unit \"ms\""] =
        {start, "2026-01-02", "1d", {unit = "s"}},
      ["time_range: 'stop' must be a time as text, an element of times, or a whole number of "
        .. "units, got the number 1.5"] = {"2026-01-01", 1.5, "1d"},
      ["time_range: 'zone' goes with times, got dates, which have no time of day"] =
        {"2026-01-01", "2026-01-02", "1d", {unit = "day", zone = "UTC"}},
    } do
      assert.equal(sentence, support.message(range, unpack(call)))
    end
  end)

  it("ends before int64 does", function()
    local most = support.range.int64[2]
    local t = range(most - 5, most, "2ns", {unit = "ns"})
    assert.equal(3, #t)
  end)
end)
