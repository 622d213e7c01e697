-- SPDX-License-Identifier: MIT
-- Times, dates and addresses from text and back, as columns are read and written.
local internal = require "locus.core".internal
local support = require "spec.support"

local parse_time, parse_date, parse_ipv4 =
  internal.parse_time, internal.parse_date, internal.parse_ipv4
local format_time, format_date, format_ipv4 =
  internal.format_time, internal.format_date, internal.format_ipv4

local PER_SECOND = {s = 1, ms = 1e3, us = 1e6, ns = 1e9}
local MINUTES = {"2026-11-22T08:30:00Z", "22/Nov/2026:08:30:00 +0000"}

-- Days since 1970 by counting years and months.
local function days_of(year, month, day)
  local function leap(y) return y % 4 == 0 and (y % 100 ~= 0 or y % 400 == 0) end
  local lengths = {31, leap(year) and 29 or 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31}
  local days = day - 1
  for y = 1970, year - 1 do days = days + (leap(y) and 366 or 365) end
  for y = year, 1969 do days = days - (leap(y) and 366 or 365) end
  for m = 1, month - 1 do days = days + lengths[m] end
  return days, lengths[month]
end

-- Reads with a clock that knows nothing, and with ones that know the same and another minute.
local function assert_time(expected, text, options)
  for _, after in ipairs {false, text, MINUTES[1], MINUTES[2]} do
    local given = {after = after or nil}
    for k, v in pairs(options or {}) do given[k] = v end
    local got, wrong = parse_time(text, given)
    assert(got == expected, ("%s: expected %s, got %s"):format(text, tostring(expected),
                                                               tostring(got or wrong)))
  end
end

local function assert_wrong(sentence, text, options)
  for _, after in ipairs {false, text, MINUTES[1], MINUTES[2]} do
    local given = {after = after or nil}
    for k, v in pairs(options or {}) do given[k] = v end
    local got, wrong = parse_time(text, given)
    assert(got == nil and wrong == sentence, ("%s: expected '%s', got %s"):format(
      text, sentence, tostring(got or wrong)))
  end
end

describe("a date #host #once", function()
  it("is read and written as days since 1970", function()
    for year = 1, 9999, 7 do
      for _, month in ipairs {1, 2, 3, 8, 12} do
        local days, length = days_of(year, month, 1)
        for _, day in ipairs {1, 28, length} do
          local text = ("%04d-%02d-%02d"):format(year, month, day)
          assert.equal(days + day - 1, parse_date(text))
          assert.equal(text, format_date(days + day - 1))
        end
        local after = ("%04d-%02d-%02d"):format(year, month, length + 1)
        assert.is_nil(parse_date(after), after)
      end
    end
    assert.equal(0, parse_date("1970-01-01"))
    assert.equal(-719528, parse_date("0000-01-01"))
    assert.equal(2932896, parse_date("9999-12-31"))
  end)

  it("must exist, and nothing else be there", function()
    for _, text in ipairs {
      "2026-02-29", "1900-02-29", "2026-04-31", "2026-00-10", "2026-13-01", "2026-01-00",
      "2026-01-32", "2026-1-01", "2026-01-1", "26-01-01", "2026/01/01", "2026-01-01 ",
      " 2026-01-01",
      "2026-01", "2026", "", "-", "2026-01-01T00:00", "02026-01-01", "20a6-01-01", "2026-01-0\0",
      "+26-01-01", "+123-01-01", "+1234567890123-01-01",
    } do
      assert.same({nil, "is not a date"}, {parse_date(text)}, text)
    end
    assert.equal(days_of(2024, 2, 29), parse_date("2024-02-29"))
    assert.equal(days_of(2000, 2, 29), parse_date("2000-02-29"))
  end)

  it("carries a sign beyond the years 0 to 9999, and reads back", function()
    assert.equal("9999-12-31", format_date(2932896))
    assert.equal("+10000-01-01", format_date(2932897))
    assert.equal("-0001-12-31", format_date(-719529))
    for exponent = 0, 14 do
      for _, sign in ipairs {-1, 1} do
        local days = sign * (10 ^ exponent + 17)
        assert.equal(days, parse_date(format_date(days)))
      end
    end
    assert.equal("365242499280472", format_date(365242499280472))
  end)
end)

describe("a time #host #once", function()
  it("is read in ISO 8601", function()
    local at = days_of(2026, 11, 22) * 86400
    local minute = at + 8 * 3600 + 30 * 60
    for text, expected in pairs {
      ["2026-11-22"] = at, ["2026-11-22T08:30"] = minute, ["2026-11-22 08:30"] = minute,
      ["2026-11-22T08:30Z"] = minute, ["2026-11-22T08:30+01:00"] = minute - 3600,
      ["2026-11-22T08:30:59"] = minute + 59, ["2026-11-22t08:30:59z"] = minute + 59,
      ["2026-11-22 08:30:59.25"] = minute + 59.25, ["2026-11-22 08:30:59,25Z"] = minute + 59.25,
      ["2026-11-22T08:30:00.000001"] = minute + 0.000001,
      ["2026-11-22T08:30:00.123456000Z"] = minute + 0.123456,
      ["2026-11-22T08:30:00+01"] = minute - 3600, ["2026-11-22T08:30:00-0130"] = minute + 5400,
      ["2026-11-22T08:30:00 +05:45"] = minute - 20700, ["2026-11-22T08:30:00-00:00"] = minute,
      ["2026-11-22T08:30:00 UTC"] = minute, ["2026-11-22 08:30 utc"] = minute,
      ["2026-11-22T08:30:00.5GMT"] = minute + 0.5, ["2026-11-22T08:30:00 gmt"] = minute,
      ["2026-11-22T08:30:00 Z"] = minute, ["2026-11-22T00:00:00+23:59"] = at - 86340,
      ["1969-12-31T23:59:59.999999Z"] = -0.000001, ["1970-01-01T00:00:00+00:01"] = -60,
      ["0000-01-01T00:00:00Z"] = -719528 * 86400, ["9999-12-31T23:59:59Z"] = 2932897 * 86400 - 1,
      ["+12026-11-22T08:30:00Z"] = minute + 146097 * 25 * 86400,
    } do
      assert_time(math.floor(expected * 1e6 + 0.5), text)
    end
  end)

  it("is read as in the common log", function()
    local minute = (days_of(2026, 11, 22) * 86400 + 8 * 3600 + 30 * 60) * 1e6
    assert_time(minute + 59e6, "22/Nov/2026:08:30:59 +0000")
    assert_time(minute + 59e6 - 3600e6, "22/Nov/2026:08:30:59 +0100")
    assert_time(minute + 59e6 + 34200e6, "22/nov/2026:08:30:59 -0930")
    assert_time(minute + 59.125e6, "22/NOV/2026:08:30:59.125")
    for month, name in ipairs {"Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct",
                               "Nov", "Dec"} do
      assert_time(days_of(2024, month, 7) * 86400, ("07/%s/2024:00:00:00 +0000"):format(name),
                  {unit = "s"})
    end
    assert_time(days_of(2024, 2, 29) * 86400, "29/Feb/2024:00:00:00 +0000", {unit = "s"})
  end)

  -- POSIX counts no leap second: it has the number of the one behind it.
  it("takes the leap second for the first one of the next minute", function()
    local year = days_of(2017, 1, 1) * 86400
    for text, expected in pairs {
      ["2016-12-31T23:59:60Z"] = year, ["2016-12-31 23:59:60.25"] = year + 0.25,
      ["2017-01-01T05:29:60+05:30"] = year, ["31/Dec/2016:18:59:60 -0500"] = year,
      ["2017-01-01T00:00:00Z"] = year, ["2016-12-31T23:59:59Z"] = year - 1,
    } do
      assert_time(expected * 1e6, text)
    end
    local options = {unit = "s", pattern = "%d.%m.%Y %H:%M:%S"}
    assert.equal(year, parse_time("31.12.2016 23:59:60", options))
    options.pattern = "%F %I:%M:%S %p"
    assert.equal(year, parse_time("2016-12-31 11:59:60 PM", options))
    options.pattern = "%F %T%z"
    assert.equal(year, parse_time("2017-01-01 00:59:60+01", options))
    for _, text in ipairs {"2016-12-31 23:59:60", "2016-12-30 23:59:60", "2016-12-31 00:00:60"} do
      assert.same({nil, "is a date with a time of day"}, {parse_date(text, {pattern = "%F %T"})})
    end
  end)

  it("must exist, and nothing else be there", function()
    for _, text in ipairs {
      "", "T", "2026-11-22T", "2026-11-22T08", "2026-11-22T08:", "2026-11-22T08:3",
      "2026-11-22T8:30",
      "2026-11-22T08:30:", "2026-11-22T08:30:5", "2026-11-22T08:30:61", "2026-11-22T24:00:00",
      "2026-11-22T08:60:00", "2026-02-29T00:00:00", "2026-11-31T00:00:00", "2026-11-22T08:30:59.",
      "2026-11-22T08:30:59.Z", "2026-11-22T08:30.5",
      "2026-11-22T08:30:59ZZ", "2026-11-22T08:30:59Z ", "2026-11-22T08:30:59 ",
      "2026-11-22T08:30:59  Z", "2026-11-22T08:30:59 UT", "2026-11-22T08:30:59 UTC+1",
      "2026-11-22T08:30:59  UTC", "2026-11-22 UTC", "2026-1-2", "2026-11-22 9:05",
      "2026-11-22T08:30:59+", "2026-11-22T08:30:59+1",
      "2026-11-22T08:30:59+24:00", "2026-11-22T08:30:59+01:60", "2026-11-22T08:30:59+01:",
      "2026-11-22T08:30:59+010", "2026-11-22T08:30:59+01000", "2026-11-22Z", "2026-11-22+01",
      "2026-11-22X08:30:59", "2026-11-22  08:30:59", " 2026-11-22", "20261122T083059Z",
      "22/Nov/2026", "22/Nov/2026:08:30", "22/Nov/2026:08:30:5", "22/Nov/2026:08:30:61 +0000",
      "31/Nov/2026:08:30:59 +0000", "22/Nuv/2026:08:30:59 +0000", "22/11/2026:08:30:59 +0000",
      "22/Nov/2026 08:30:59 +0000", "22/Nov/2026:08:30:59 +0100]", "2/Nov/2026:08:30:59 +0000",
      "00/Nov/2026:08:30:59 +0000", "22/Nov-2026:08:30:59 +0000", "1763800259",
      "nan", "2026-11-22T08:30:5\0",
    } do
      assert_wrong("is not a time", text)
    end
  end)

  it("may be cut anywhere", function()
    for _, text in ipairs {"2026-11-22T08:30:59.123456+01:00", "22/Nov/2026:08:30:59 +0100"} do
      for length = 0, #text do
        local part = text:sub(1, length)
        local fresh = {parse_time(part)}
        for _, after in ipairs(MINUTES) do
          assert.same(fresh, {parse_time(part, {after = after})}, part)
        end
      end
    end
  end)

  it("may have zeros behind its unit, any number of them", function()
    for _, zeros in ipairs {1, 9, 40} do
      local text = "2026-11-22T08:30:59.123456789" .. ("0"):rep(zeros)
      assert.same({parse_time("2026-11-22T08:30:59.123456789", {unit = "ns"})},
        {parse_time(text, {unit = "ns"})})
      assert_wrong("has a finer fraction than nanoseconds", text .. "1", {unit = "ns"})
    end
  end)

  it("is as fine as its unit, and no finer", function()
    local names = {s = "seconds", ms = "milliseconds", us = "microseconds", ns = "nanoseconds"}
    for unit, places in pairs {s = 0, ms = 3, us = 6, ns = 9} do
      for digits = 1, 9 do
        local ones = ("1"):rep(digits)
        local text = "1970-01-01T00:00:01." .. ones
        if digits > places then
          assert_wrong("has a finer fraction than " .. names[unit], text, {unit = unit})
        else
          assert_time(tonumber("1" .. ones .. ("0"):rep(places - digits)), text, {unit = unit})
        end
        assert_time(PER_SECOND[unit], "1970-01-01T00:00:01." .. ("0"):rep(digits), {unit = unit})
      end
    end
  end)

  it("is one that int64 holds", function()
    local low, high = support.range.int64[1], support.range.int64[2]
    assert_time(low, "1677-09-21T00:12:43.145224192Z", {unit = "ns"})
    assert_time(high, "2262-04-11T23:47:16.854775807Z", {unit = "ns"})
    local sentence = "is a time that int64 cannot hold in "
    for _, text in ipairs {"1677-09-21T00:12:43.145224191Z", "2262-04-11T23:47:16.854775808Z",
                           "0000-01-01", "9999-12-31T23:59:59"} do
      assert_wrong(sentence .. "nanoseconds", text, {unit = "ns"})
    end
    assert_time(high, "+294247-01-10T04:00:54.775807Z")
    assert_wrong(sentence .. "microseconds", "+294247-01-10T04:00:54.775808Z")
    assert_time(high, "+292277026596-12-04T15:30:07Z", {unit = "s"})
    assert_wrong(sentence .. "seconds", "+292277026596-12-04T15:30:08Z", {unit = "s"})
    assert_wrong(sentence .. "milliseconds", "-999999999999-01-01", {unit = "ms"})
  end)

  it("is written with the digits that it takes", function()
    for text, value in pairs {
      ["1970-01-01T00:00:00Z"] = 0, ["1970-01-01T00:00:00.000001Z"] = 1,
      ["1970-01-01T00:00:00.500Z"] = 5e5, ["1969-12-31T23:59:59.999Z"] = -1e3,
      ["2026-11-22T08:30:59Z"] = 1795336259e6, ["0000-01-01T00:00:00Z"] = -62167219200e6,
      ["+10000-01-01T00:00:00Z"] = 253402300800e6,
    } do
      assert.equal(text, format_time(value))
    end
    assert.equal("-0001-12-31T23:59:59.999Z", format_time(-62167219200e3 - 1, {unit = "ms"}))
    assert.equal("1677-09-21T00:12:43.145224192Z",
                 format_time(support.range.int64[1], {unit = "ns"}))
    assert.equal("-292277022657-01-27T08:29:52Z", format_time(support.range.int64[1], {unit = "s"}))
  end)

  it("reads back, in every unit and in patterns that show all of it", function()
    for unit in pairs(PER_SECOND) do
      for _ = 1, 500 do
        local value = math.floor((math.random() - 0.5) * 2 ^ math.random(1, 54))
        assert_time(value, format_time(value, {unit = unit}), {unit = unit})
        for _, pattern in ipairs {"%Y-%m-%d %H:%M:%S.%f", "%d.%b.%Y %I:%M:%S %p %f%z", "%s.%f",
                                  "%j/%Y %T,%f", "%%%F %T %f"} do
          local options = {unit = unit, pattern = pattern}
          assert.equal(value, parse_time(format_time(value, options), options))
        end
      end
      for _, value in ipairs(support.range.int64) do
        assert_time(value, format_time(value, {unit = unit}), {unit = unit})
      end
    end
  end)
end)

describe("an IPv4 address #host #once", function()
  it("is read and written", function()
    for text, value in pairs {["0.0.0.0"] = 0, ["255.255.255.255"] = 2 ^ 32 - 1,
                              ["192.168.0.1"] = 3232235521, ["1.20.255.7"] = 18153223} do
      assert.equal(value, parse_ipv4(text))
      assert.equal(text, format_ipv4(value))
    end
    for _ = 1, 2000 do
      local value = math.random(0, 2 ^ 32 - 1)
      assert.equal(value, parse_ipv4(format_ipv4(value)))
    end
    assert.equal("-1", format_ipv4(-1))
    assert.equal("4294967296", format_ipv4(2 ^ 32))
  end)

  it("is four numbers without leading zeros", function()
    for _, text in ipairs {"", ".", "1", "1.2.3", "1.2.3.", "1.2.3.4.", "1.2.3.4.5", "1..3.4",
                           ".1.2.3", "256.1.1.1", "1.1.1.256", "01.1.1.1", "1.1.1.00", "1.1.1.1000",
                           " 1.1.1.1", "1.1.1.1 ", "1.1.1.-1", "a.1.1.1", "0x1.1.1.1", "::1",
                           "1.1.1.1\0"} do
      assert.same({nil, "is not an IPv4 address"}, {parse_ipv4(text)}, text)
    end
  end)
end)
