-- SPDX-License-Identifier: MIT
-- Parts of times and dates, beside the C library's os.date: every unit, before 1970 and at the ends
-- of int64, in zones, of every layout, by threads.
local kinds = require "locus.tensor.kind"
local locus = require "locus"
local support = require "spec.support"

local PER_SECOND = {s = 1, ms = 1e3, us = 1e6, ns = 1e9}
local FORMATS = {year = "%Y", month = "%m", day = "%d", hour = "%H", minute = "%M", second = "%S",
                 weekday = "%u", yearday = "%j", isoweek = "%V", isoyear = "%G"}
local OF_DAYS = {"year", "month", "day", "weekday", "yearday", "isoweek", "isoyear"}

local function times(list, unit)
  local tensor = locus.is_tensor(list) and list or locus.tensor(list, {dtype = "int64"})
  return kinds.tagged(tensor, kinds.named("time", unit or "s"))
end

local function dates(list)
  return kinds.tagged(locus.tensor(list, {dtype = "int64"}), kinds.named("date"))
end

local function numbers(tensor) return kinds.tagged(tensor, nil):totable() end

-- Seconds at the turns of years, months and days, and random ones, from the year 1600 to 2400.
local function seconds()
  math.randomseed(1582)
  local list = {}
  for year = 1600, 2400, 7 do
    local first = os.time {year = year, month = 1, day = 1, hour = 12} -- in whatever zone
    first = first - first % 86400
    for day = -3, 3 do list[#list + 1] = first + day * 86400 - day % 2 end
  end
  for _ = 1, 3000 do list[#list + 1] = math.random(-11e9, 13e9) end
  return list
end

describe("parts of times", function()
  local list = seconds()

  it("are those of the C library, in every unit", function()
    for unit, per_second in pairs(PER_SECOND) do
      local some = list
      if unit == "ns" then -- which end in 2262
        some = {}
        for _, s in ipairs(list) do if math.abs(s) < 9.2e9 then some[#some + 1] = s end end
      end
      local all = locus.tensor(some, {dtype = "int64"}) * per_second + (per_second - 1)
      for word, format in pairs(FORMATS) do
        local t = times(all, unit)
        local got = numbers(t[word](t))
        for i, s in ipairs(some) do
          local expected = tonumber(os.date("!" .. format, s))
          if got[i] ~= expected then
            error(("%s of %.0f %s: %s, expected %s"):format(word, s, unit, got[i], expected))
          end
        end
      end
    end
  end)

  it("are plain int64, and date has dates", function()
    local t = times {0, 86400}
    assert.is_nil(kinds.of(t:year()))
    assert.equal("int64", t:year().dtype)
    assert.equal("date", kinds.of(t:date()).type)
    assert.same({0, 1}, numbers(t:date()))
    assert.same({1, 1}, numbers(t:quarter()))
    local quarters = {}
    for month = 1, 12 do quarters[month] = math.ceil(month / 3) end
    local months = locus.time_range("2025-01-31", "2025-12-31", "1 month")
    assert.same(quarters, numbers(months:quarter()))
  end)

  it("of dates are those of their midnight", function()
    local days = {}
    for i, s in ipairs(list) do days[i] = math.floor(s / 86400) end
    local d, t = dates(days), times(locus.tensor(days, {dtype = "int64"}) * 86400)
    for _, word in ipairs(OF_DAYS) do
      assert.same(numbers(t[word](t)), numbers(d[word](d)), word)
    end
    assert.same(days, numbers(d:date()))
    for _, word in ipairs {"hour", "minute", "second"} do
      assert.equal(word .. ": 'input' must be times, got dates, which have no " .. word,
                   support.message(d[word], d))
    end
    assert.equal("year: 'zone' goes with times, got dates, which have no time of day",
                 support.message(d.year, d, {zone = "UTC"}))
  end)

  it("reach to the ends of int64", function()
    local ends = times(locus.tensor(support.range.int64, {dtype = "int64"}), "ns")
    assert.same({1677, 2262}, numbers(ends:year()))
    assert.same({264, 101}, numbers(ends:yearday()))
    assert.same({43, 16}, numbers(ends:second()))
    ends = times(locus.tensor(support.range.int64, {dtype = "int64"}), "s")
    assert.same({-292277022657, 292277026596}, numbers(ends:year()))
    assert.same({29, 30}, numbers(ends:minute()))
    assert.same({30, 31}, numbers(ends:minute{zone = "+00:01"}))
    assert.same({9, 16}, numbers(ends:hour{zone = "+01:00"}))
    assert.same({7, 14}, numbers(ends:hour{zone = "-01:00"}))
    assert.same({-1, 0}, numbers(dates({-719529, -719528}):year()))
    assert.same({12, 1}, numbers(dates({-719529, -719528}):month()))
    local beyond = dates {0, 5e15}
    assert.equal("month: the date 5000000000000000 is beyond the calendar",
                 support.message(beyond.month, beyond))
  end)

  it("in a zone are those that its clocks show", function()
    local berlin = "CET-1CEST,M3.5.0,M10.5.0/3"
    local t = locus.time_range("2026-03-29T00:30:00Z", "2026-03-29T01:30:00Z", "30m")
    assert.same({1, 3, 3}, numbers(t:hour{zone = berlin}))
    assert.same({30, 0, 30}, numbers(t:minute{zone = berlin}))
    t = locus.time_range("2026-12-31T22:30:00Z", "2026-12-31T23:30:00Z", "30m")
    assert.same({2026, 2027, 2027}, numbers(t:year{zone = berlin}))
    assert.same({31, 1, 1}, numbers(t:day{zone = berlin}))
    assert.same({365, 1, 1}, numbers(t:yearday{zone = berlin}))
    assert.same({4, 5, 5}, numbers(t:weekday{zone = berlin}))
    assert.same({53, 53, 53}, numbers(t:isoweek{zone = berlin}))
    assert.same({2026, 2026, 2026}, numbers(t:isoyear{zone = berlin}))
    assert.same({20818, 20819, 20819}, numbers(t:date{zone = berlin}))
    assert.same({4, 4, 5}, numbers(t:hour{zone = "+05:45"}))
    assert.same({15, 45, 15}, numbers(t:minute{zone = "+05:45"}))
  end)

  it("keep size and layout, of nothing too", function()
    local t = times(locus.arange(0, 6e6, 1e6, {dtype = "int64"}):view(2, 3))
    assert.equal("2x3", tostring(t:day().shape))
    assert.same(numbers(t:clone():t():contiguous():day()), numbers(t:t():day()))
    assert.same({{1, 12, 24}, {4, 16, 27}}, numbers(t:day()))
    assert.equal(0, #times({}):hour())
    assert.same(numbers(t:t():day()), numbers(t:day():t()))
  end)

  it("are the same on any number of threads", function()
    local t = times(locus.arange(-3e13, 3e13, 6e8 + 1, {dtype = "int64"}), "ms")
    local expected = {}
    local threads = locus.get_num_threads()
    for _, count in ipairs {1, 2, 5} do
      locus.set_num_threads(count)
      for word in pairs(FORMATS) do
        local got = t[word](t, {zone = "AAA-3:30BBB,M3.5.0,M10.5.0"})
        expected[word] = expected[word] or got
        assert.is_true(locus.equal(expected[word], got), word)
      end
    end
    locus.set_num_threads(threads)
  end)

  it("of what is no time are an error", function()
    local x = locus.tensor{1, 2}
    assert.equal("hour: 'input' must be times or dates, got a float64 tensor of size 2; write "
      .. "locus.times(x)", support.message(x.hour, x))
    local span = kinds.tagged(locus.tensor({1}, {dtype = "int64"}), kinds.named("duration", "s"))
    assert.matches("hour: 'input' must be times or dates, got", support.message(span.hour, span))
    local t = times {0}
    assert.matches("hour: 'zone' must be a name such as \"Europe/Berlin\", got the number 1",
                   support.message(t.hour, t, {zone = 1}))
  end)
end)
