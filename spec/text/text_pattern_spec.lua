-- SPDX-License-Identifier: MIT
-- Times and dates by patterns as of strftime, from text and back.
local internal = require "locus.core".internal
local support = require "spec.support"

local parse_time, parse_date = internal.parse_time, internal.parse_date
local format_time, format_date = internal.format_time, internal.format_date

-- Days since 1970, by what spec/text/text_time_spec.lua holds up.
local function days_of(year, month, day)
  return parse_date(("%04d-%02d-%02d"):format(year, month, day))
end

describe("a pattern #host #once", function()
  local function assert_both(text, pattern, expected)
    local options = {unit = "s", pattern = pattern}
    assert.equal(expected, parse_time(text, options))
    assert.equal(text, format_time(expected, options))
  end

  it("reads nothing else", function()
    for text, pattern in pairs {
      ["4001999"] = "%j%Y", ["/011999"] = "%j%Y", ["0001999"] = "%j%Y", ["36a1999"] = "%j%Y",
      ["367 1999"] = "%j %Y", ["1999 "] = "%Y %j", ["2026-01-01 01 a"] = "%F %I %p",
      ["2026-01-01 01 ax"] = "%F %I %p", ["2026-01-01 01 xm"] = "%F %I %p",
      ["2026-01-01"] = "%F%%", ["2026-01-01x"] = "%F%%", ["1/Jan/19991"] = "%d/%b/%Y",
      ["2026112"] = "%Y%m%d", ["202611"] = "%Y%m%d", ["2026-1-12 101"] = "%F %H%M",
      ["1 2-2026"] = "%d%m-%Y", ["/2/2026"] = "%m/%d/%Y", ["1//2026"] = "%m/%d/%Y",
      ["13/2/2026"] = "%m/%d/%Y", ["0/2/2026"] = "%m/%d/%Y", ["1/ 2/2026"] = "%m/%d/%Y",
      ["1/2/26"] = "%m/%d/%Y", ["001/2/2026"] = "%m/%d/%Y", ["  1/02/2026"] = "%e/%m/%Y",
      [" 11/02/2026"] = "%e/%m/%Y",
      ["Sept 1 2026"] = "%B %e %Y", ["Janu 1 2026"] = "%B %e %Y", ["Ja 1 2026"] = "%b %e %Y",
      ["2026-01-01 61"] = "%F %M", ["2026-01-01  9"] = "%F %H", ["2026-01-01   9"] = "%F %k",
      ["Tues 2026-01-01"] = "%A %F", ["Thursday 2026-01-01"] = "%a %F", ["Th 2026-01-01"] = "%a %F",
      ["123456789012345678901"] = "%s", ["-"] = "%s", ["2026-0"] = "%F",
      ["2026-01-01 12:6"] = "%F %T",
      ["1-01-2026"] = "%F", ["2026-01-01 12:30"] = "%F %T",
    } do
      assert.is_nil((parse_time(text, {unit = "s", pattern = pattern})), text)
    end
  end)

  it("reads and writes each of its directives", function()
    local at = days_of(2026, 3, 5) * 86400 + 13 * 3600 + 4 * 60 + 9
    assert_both("05.03.2026 13:04:09", "%d.%m.%Y %H:%M:%S", at)
    assert_both("05/Mar/2026:13:04:09 +0000", "%d/%b/%Y:%H:%M:%S %z", at)
    assert_both("2026-03-05 01:04:09 PM", "%F %I:%M:%S %p", at)
    assert_both("03/05/26 13:04:09.0", "%D %T.%f", at)
    assert_both("2026064130409", "%Y%j%H%M%S", at)
    assert_both("Thursday,  5 March 2026 13:04:09", "%A, %e %B %Y %T", at)
    assert_both("Thu Mar  5 13:04:09 2026", "%a %b %e %H:%M:%S %Y", at)
    assert_both(" 9:04:09 AM 20260305", "%l:%M:%S %p %Y%m%d", at - 4 * 3600)
    assert_both(" 503 2026", "%e%m %Y", at - at % 86400)
    assert_both(" 9:04:09 20260305", "%k:%M:%S %Y%m%d", at - 4 * 3600)
    assert_both("12:04:09 PM 20260305", "%l:%M:%S %p %Y%m%d", at - 3600)
    assert_both("00 20260305", "%S %Y%m%d", days_of(2026, 3, 5) * 86400)
    assert_both("1772715849", "%s", at)
    for _, second in ipairs(support.range.int64) do
      assert_both(tostring(second):gsub("LL$", ""), "%s", second)
    end
    assert_both("100% 20260305", "100%% %Y%m%d", days_of(2026, 3, 5) * 86400)
    assert_both("12AM 01.01.69", "%I%p %d.%m.%y", -365 * 86400)
    assert_both("12PM 31.12.68", "%I%p %d.%m.%y", days_of(2068, 12, 31) * 86400 + 43200)
    assert_both("366 2024", "%j %Y", days_of(2024, 12, 31) * 86400)
    assert.equal(at - 5400, parse_time("05.03.2026 13:04:09+01:30",
                                       {unit = "s", pattern = "%d.%m.%Y %T%z"}))
    assert.equal("-0.500000", format_time(-500000, {pattern = "%s.%f"}))
    assert.equal("-1", format_time(-500000, {pattern = "%s"})) -- the second that it lies in
    assert.equal("-1.500000", format_time(-1500000, {pattern = "%s.%f"}))
    assert.equal(-1500000, parse_time("-1.5", {pattern = "%s.%f"}))
  end)

  it("takes one digit where no other stands in front of it", function()
    local at = days_of(2000, 1, 2) * 86400
    local function seconds(text, pattern)
      return (parse_time(text, {unit = "s", pattern = pattern}))
    end
    for text, pattern in pairs {
      ["1/2/2000"] = "%m/%d/%Y", ["01/2/2000"] = "%m/%d/%Y", ["2.1.2000"] = "%d.%m.%Y",
      ["2000-1-2"] = "%F", ["1/2/00"] = "%D", ["2 jan 2000"] = "%d %b %Y",
      ["2 January 2000"] = "%d %B %Y", ["02 JAN 2000"] = "%e %B %Y", ["2JAN2000"] = "%d%b%Y",
      ["sun 2.1.2000"] = "%A %d.%m.%Y", ["SUNDAY 2.1.2000"] = "%A %d.%m.%Y",
      ["SUNday 2.1.2000"] = "%aday %d.%m.%Y",
      ["2/1 2000"] = "%e/%m %Y", [" 2/1 2000"] = "%e/%m %Y", ["02/1 2000"] = "%e/%m %Y",
    } do
      assert.equal(at, seconds(text, pattern), text)
    end
    assert.equal(at + 9 * 3600 + 5 * 60, seconds("1/2/2000 9:05", "%m/%d/%Y %H:%M"))
    assert.equal(at + 9 * 3600 + 5 * 60 + 7, seconds("1/2/2000 9:5:7", "%m/%d/%Y %T"))
    assert.equal(at + 21 * 3600, seconds("1/2/2000 9PM", "%m/%d/%Y %I%p"))
    assert.equal(at + 21 * 3600, seconds("1/2/2000 9 pm", "%m/%d/%Y %l %p"))
    assert.equal(at + 3600 + 60 * 23, seconds("1/2/2000 0123", "%m/%d/%Y %H%M"))
    assert.is_nil(seconds("1/2/2000 123", "%m/%d/%Y %H%M"))
    assert.equal(days_of(2000, 1, 2), parse_date("1/2/2000", {pattern = "%m/%d/%Y"}))
  end)

  it("refuses a weekday that is not the date's", function()
    local pattern = "%a, %d %b %Y %H:%M:%S %z" -- which is where it is written
    local options = {unit = "s", pattern = pattern}
    assert.equal(784111777, parse_time("Sun, 06 Nov 1994 08:49:37 GMT", options))
    assert.equal(784111777, parse_time("Mon, 07 Nov 1994 00:49:37 +1600", options))
    local wrong = "has another weekday than its date"
    assert.same({nil, wrong}, {parse_time("Mon, 06 Nov 1994 08:49:37 GMT", options)})
    assert.same({nil, wrong}, {parse_date("Mon 2000-01-02", {pattern = "%A %F"})})
    for day = -8, 8 do
      local text = format_date(day, {pattern = "%A %F"})
      assert.equal(day, parse_date(text, {pattern = "%A %F"}))
    end
    assert.equal("Thursday 1970-01-01", format_date(0, {pattern = "%A %F"}))
    assert.equal("Wednesday 1969-12-31", format_date(-1, {pattern = "%A %F"}))
  end)

  it("matches whole", function()
    for _, case in ipairs {
      {"05.03.2026 ", "%d.%m.%Y"}, {"05.03.26", "%d.%m.%Y"},
      {"05-03-2026", "%d.%m.%Y"}, {"30.02.2026", "%d.%m.%Y"}, {"000 2026", "%j %Y"},
      {"366 2026", "%j %Y"}, {"00 AM 2026-01-01", "%I %p %F"}, {"13 PM 2026-01-01", "%I %p %F"},
      {"01 XM 2026-01-01", "%I %p %F"}, {"9223372036854775808", "%s"}, {"+5", "%s"}, {"", "%s"},
      {"-", "%s"}, {"2026-01-01 61", "%F %S"},
      {"2026-01-01 60", "%F %M"}, {"2026-01-01 24", "%F %H"}, {"2026-01-01", "%F "},
      {"2026-01-01 ", "%F %f"},
    } do
      local options = {unit = "s", pattern = case[2]}
      assert.same({nil, "is not a time"}, {parse_time(case[1], options)}, case[1])
    end
    assert.same({nil, "has a finer fraction than seconds"},
                {parse_time("2026-01-01 5", {unit = "s", pattern = "%F %f"})})
  end)

  it("also reads and writes dates, which have no time of day", function()
    local day = days_of(2026, 3, 5)
    assert.equal(day, parse_date("05.03.2026", {pattern = "%d.%m.%Y"}))
    assert.equal("05.03.2026", format_date(day, {pattern = "%d.%m.%Y"}))
    assert.equal(day, parse_date("2026-03-05 00:00", {pattern = "%F %H:%M"}))
    assert.same({nil, "is a date with a time of day"},
                {parse_date("2026-03-05 00:01", {pattern = "%F %H:%M"})})
    assert.same({nil, "is not a date"}, {parse_date("2026-3-5 ", {pattern = "%F"})})
    local last = 106751991167300 -- of those whose seconds int64 can count
    for _, days in ipairs {-last, last} do
      assert.equal(format_date(days), format_date(days, {pattern = "%F"}))
    end
    assert.equal("106751991167301", format_date(last + 1, {pattern = "%F"}))
    assert.equal("-106751991167301", format_date(-last - 1, {pattern = "%F"}))
  end)

  it("that cannot do is told why", function()
    local no_date, twice = "does not give year, month and day", "gives the same part twice"
    local half = "has one of %I and %p without the other"
    local runs_on = "has digits right behind %s or %f, which would take them, too"
    local unknown = "has a directive that is none of "
      .. "%Y %y %m %b %B %d %e %j %a %A %H %k %I %l %p %M %S %f %z %s %F %D %T %%"
    for pattern, why in pairs {
      [""] = no_date, ["%Y"] = no_date, ["%H:%M"] = no_date, ["%Y-%M-%d"] = no_date,
      ["%F %Y"] = twice, ["%s %z"] = twice, ["%F %H %p"] = twice, ["%F %I"] = half,
      ["%F %p"] = half, ["%F %l"] = half, ["%F %A %a"] = twice, ["%F %e"] = twice,
      ["%F %B"] = twice, ["%F %k %H"] = twice, ["%F %f%e"] = runs_on, ["%a %A"] = twice,
      ["%A"] = no_date, ["%F %Q"] = unknown, ["%F%"] = unknown,
      ["%s%f"] = runs_on, ["%s0"] = runs_on, ["%f%Y-%m-%d"] = runs_on, ["%f%F"] = runs_on,
      ["%F %f%T"] = runs_on, ["%F %f%H"] = runs_on, ["%F %f9"] = runs_on,
    } do
      assert.equal(("parse_time: the pattern '%s' %s"):format(pattern, why),
                   support.message(parse_time, "x", {pattern = pattern}))
    end
    assert.matches("format_time: 'unit' must be one of s ms us ns",
                   support.message(format_time, 1, {unit = "min"}))
  end)
end)
