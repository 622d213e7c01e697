-- SPDX-License-Identifier: MIT
-- Time zones: local time against the system's `date`, and back to UTC, where a time may come twice
-- or never.
local internal = require "locus.core".internal
local locus = require "locus"
local support = require "spec.support"
local text = require "spec.support.text"

local function int64(list) return locus.tensor(list, {dtype = "int64"}) end

-- Seconds that the clocks are ahead of UTC.
local function offsets(zone, times)
  times = locus.is_tensor(times) and times or int64(times)
  return (internal.clocks(times, 1, zone) - times):totable()
end

-- The offset of a zone at each time by `date`, in seconds.
local function offsets_of_date(zone, times)
  local lines = {}
  for i, time in ipairs(times) do lines[i] = ("@%.0f\n"):format(time) end
  local path = os.tmpname()
  local file = assert(io.open(path, "w"))
  file:write(table.concat(lines))
  file:close()
  local pipe = io.popen(("env -u LD_PRELOAD TZ='%s' date -f %s +%%::z"):format(zone, path))
  local result = {}
  for line in pipe:lines() do
    local sign, hours, minutes, seconds = line:match "^([+-])(%d+):(%d+):(%d+)$"
    table.insert(result, (hours * 3600 + minutes * 60 + seconds) * (sign == "-" and -1 or 1))
  end
  pipe:close()
  os.remove(path)
  return result
end

-- The first seconds with another offset than the one before, from `first` to `last`: half days are
-- compared, and halved until one second is left.
local function changes(zone, first, last)
  local half_day = 43200
  local low = locus.arange(first, last, half_day, {dtype = "int64"})
  local high = low + half_day
  local function ahead(at) return internal.clocks(at, 1, zone) - at end
  local differ = ahead(low):ne(ahead(high))
  low, high = low[differ], high[differ]
  local before = ahead(low)
  for _ = 1, 16 do
    local middle = low + ((high - low) / 2):long()
    local same = ahead(middle):eq(before)
    low, high = locus.where(same, middle, low), locus.where(same, high, middle)
  end
  return high
end

-- 10,000 times: the seconds around the zone's changes, filled up with random ones.
local function times_of_interest(zone, first, last)
  local times = {}
  for _, change in ipairs(changes(zone, first, last):totable()) do
    for step = -1, 1 do table.insert(times, tonumber(change) + step) end
  end
  math.randomseed(20240229)
  while #times < 10000 do table.insert(times, math.random(first, last)) end
  return times
end

local function assert_agrees_with_date(name, first, last)
  local zone = internal.zone(name)
  local times = times_of_interest(zone, first, last)
  local ours, theirs = offsets(zone, times), offsets_of_date(name, times)
  assert.are.equal(#times, #theirs)
  for i, time in ipairs(times) do
    if ours[i] ~= theirs[i] then
      error(("%s at %.0f: %d, date says %d"):format(name, time, ours[i], theirs[i]))
    end
  end
end

local has_zones = text.has_zones()

describe("a zone #once #host", function()
  if not has_zones then return pending "needs the package tzdata" end

  local YEAR_1900, YEAR_1971, YEAR_2200, YEAR_2401 = -2208988800, 31536000, 7258118400, 13601088000

  -- Two changes a year, none, many irregular ones, half an hour of daylight time, the year wrapped
  -- around, less than standard time in winter, changes named by negative hours and hours above 24.
  for _, name in ipairs {
    "Europe/Berlin", "America/New_York", "Asia/Kolkata", "Africa/Casablanca", "Australia/Lord_Howe",
    "America/Sao_Paulo", "Europe/Dublin", "America/Nuuk", "Asia/Gaza",
  } do
    it("agrees with date in " .. name, function()
      assert_agrees_with_date(name, YEAR_1900, YEAR_2200)
    end)
  end

  -- From 1971 on: the C library follows such rules only after 1970.
  for _, rule in ipairs {
    "UTC0", "<+03>-3", "<-0330>+3:30", "CET-1CEST,M3.5.0,M10.5.0/3", "NZST-12NZDT,M9.5.0,M4.1.0/3",
    "AAA-3BBB,J60/-5,300/30:15:10", "XXX3YYY2:30:15,59,J65/167", "IST-2IDT,M3.4.4/26,M10.5.0",
  } do
    it("agrees with date under the rule " .. rule, function()
      assert_agrees_with_date(rule, YEAR_1971, YEAR_2401)
    end)
  end

  it("can have daylight time all year", function()
    local zone = internal.zone "EST5EDT,0/0,J365/25"
    for _, offset in ipairs(offsets(zone, times_of_interest(zone, YEAR_1900, YEAR_2401))) do
      assert.are.equal(-4 * 3600, offset)
    end
  end)

  it("repeats its rule every 400 years, to the ends of int64", function()
    local zone = internal.zone "Europe/Berlin"
    local cycle = 146097 * 86400
    local summer, winter = 1752000000 + cycle, 1737000000 + cycle
    assert.are.same({7200, 3600, 7200, 3600},
      offsets(zone, {summer, winter, summer + 1000 * cycle, winter + 1000 * cycle}))
    assert.are.same({3208, 3600},
      offsets(zone, int64 {-0x8000000000000000LL, 0x7fffffffffffffffLL - 7200}))
    assert.matches("%+292277026596%-12%-04T15:30:07 in zone '' is a time that int64 cannot hold",
                   support.message(offsets, zone, int64 {0x7fffffffffffffffLL}))
    zone = internal.zone "CET-1CEST,M3.5.0,M10.5.0/3"
    assert.are.same({7200, 3600}, offsets(zone, {summer - 3000 * cycle, winter - 3000 * cycle}))
  end)

  it("has the same answers in every unit", function()
    local zone = internal.zone "Australia/Lord_Howe"
    local seconds = int64(times_of_interest(zone, -3e9, 5e9))
    local ahead = internal.clocks(seconds, 1, zone) - seconds
    for _, per_second in ipairs {1000, 1000000, 1000000000} do
      local times = seconds * per_second + per_second - 1
      local clocks = internal.clocks(times, per_second, zone)
      assert.is_true((clocks - times):eq(ahead * per_second):all())
    end
  end)

  it("goes back from local times, which may come twice or never", function()
    for _, name in ipairs {"Europe/Berlin", "Australia/Lord_Howe", "Africa/Monrovia"} do
      local zone = internal.zone(name)
      local times = int64(times_of_interest(zone, -3e9, 5e9))
      local clocks = internal.clocks(times, 1, zone)
      local first = internal.unclocks(clocks, 1, zone, "first")
      local second = internal.unclocks(clocks, 1, zone, "second")
      assert.is_true(first:eq(times):logical_or(second:eq(times)):all())
      assert.is_true(first:le(second):all())
      assert.is_true(internal.clocks(first, 1, zone):eq(clocks):all())
      assert.is_true(internal.clocks(second, 1, zone):eq(clocks):all())
      assert.is_true(first:ne(second):any())
    end
  end)

  it("says which local time comes twice, and which does not exist", function()
    local zone = internal.zone "Europe/Berlin"
    local spring, autumn = 1774751400, 1792895400 -- 2026-03-29T02:30, 2026-10-25T02:30 on clocks
    local clocks = int64 {0, autumn, spring}
    assert.equal("unclocks: 2026-10-25T02:30:00 comes twice in zone 'Europe/Berlin'; write "
      .. 'ambiguous = "first" or "second"', support.message(internal.unclocks, clocks, 1, zone))
    assert.equal("unclocks: 2026-03-29T02:30:00 does not exist in zone 'Europe/Berlin', where "
      .. 'clocks jump from 02:00:00 to 03:00:00; write missing = "forward" for the moment of the '
      .. "jump", support.message(internal.unclocks, clocks, 1, zone, "second"))
    assert.are.same({-3600, autumn - 7200, spring - 5400},
      internal.unclocks(clocks, 1, zone, "first", "forward"):totable())
    assert.are.same({-3600, autumn - 3600, spring - 5400},
      internal.unclocks(clocks, 1, zone, "second", "forward"):totable())
    assert.matches("'ambiguous' must be \"first\" or \"second\", got",
      support.message(internal.unclocks, clocks, 1, zone, "last"))
    assert.matches("'missing' must be \"forward\", got",
      support.message(internal.unclocks, clocks, 1, zone, "first", "back"))
  end)

  it("says which is the first one, on several threads", function()
    local zone = internal.zone "Europe/Berlin"
    local clocks = locus.full({100000}, 0, {dtype = "int64"})
    clocks[{{70001, 100000}}] = 1792895400
    clocks[90000] = 1774751400
    local threads = locus.get_num_threads()
    for _, count in ipairs {1, 2, 5} do
      locus.set_num_threads(count)
      local message = support.message(internal.unclocks, clocks, 1, zone)
      locus.set_num_threads(threads)
      assert.matches("2026-10-25T02:30:00 comes twice", message, 1, true)
    end
  end)
end)

describe("times written down #once #host", function()
  local BERLIN = {zone = "CET-1CEST,M3.5.0,M10.5.0/3"}

  it("are on the clocks of a zone", function()
    assert.equal("2026-07-01T10:00:00Z", tostring(locus.time("2026-07-01 12:00", BERLIN)))
    assert.equal("2026-07-01T12:00:00Z", tostring(locus.time("2026-07-01 12:00Z", BERLIN)))
    local t = locus.times({"2026-07-01 12:00", "2026-12-01 12:00:00.5"}, {zone = BERLIN.zone,
      unit = "ms"})
    assert.same({1782900000000, 1796122800500}, t:long():totable())
    t = locus.times(locus.strings{"1.7.2026 12:00"}, {zone = BERLIN.zone,
      pattern = "%d.%m.%Y %H:%M"})
    assert.equal("2026-07-01T10:00:00Z", tostring(t[1]))
    assert.equal("2026-10-25T00:30:00Z", tostring(locus.time("2026-10-25 02:30",
      {zone = BERLIN.zone, ambiguous = "first"})))
    assert.equal("2026-03-29T01:00:00Z", tostring(locus.time("2026-03-29 02:30:59.5",
      {zone = BERLIN.zone, missing = "forward"})))
    assert.equal("time: 'value' is the string \"2026-10-25 02:30\", which comes twice in its zone; "
      .. 'write ambiguous = "first" or "second"',
      support.message(locus.time, "2026-10-25 02:30", BERLIN))
    assert.equal("times: 'ambiguous' goes with 'zone'",
                 support.message(locus.times, {"2026-10-25"}, {ambiguous = "first"}))
  end)

  it("are formatted as the clocks show them", function()
    local t = locus.times{"2026-07-01T10:00:00Z", "2026-12-01T11:00:00Z"}
    assert.same({"2026-07-01T12:00:00+02:00", "2026-12-01T12:00:00+01:00"},
                locus.format_time(t, nil, BERLIN):totable())
    assert.equal("12:00 +0200", locus.format_time(t[1], "%H:%M %z", BERLIN))
    assert.equal("1970-01-01T00:53:28+00:53:28",
                 locus.format_time(0, nil, {zone = "LMT-0:53:28"}))
    assert.equal("format_time: 'zone' goes with times, and 't' has dates",
                 support.message(locus.format_time, locus.dates{"2026-01-01"}, nil, BERLIN))
  end)

  it("are read and written in a zone", function()
    local types = {t = {"time", zone = BERLIN.zone}}
    local function read(lines, options)
      for key, value in pairs(options or {}) do types.t[key] = value end
      return locus.read_csv({text = lines}, {types = types})
    end
    local f = read("t\n2026-07-01 12:00\n2026-07-01 12:00Z\n2026-12-01\n2026-12-01T12:00+05:00\n")
    assert.equal("t\n2026-07-01T12:00:00+02:00\n2026-07-01T14:00:00+02:00\n"
      .. "2026-12-01T00:00:00+01:00\n2026-12-01T08:00:00+01:00\n", f:write_csv(nil, BERLIN))
    assert.same(f.t:long():totable(), read(f:write_csv(nil, BERLIN)).t:long():totable())
    assert.equal("t\n12:00 +0200\n14:00 +0200\n00:00 +0100\n08:00 +0100\n",
      f:write_csv(nil, {zone = BERLIN.zone, formats = {t = "%H:%M %z"}}))
    assert.matches("column 't' %(1%) comes twice in its zone; write ambiguous = \"first\" or "
      .. '"second": "2026%-10%-25 02:30"', support.message(read, "t\n2026-10-25 02:30\n"))
    assert.matches("does not exist in its zone, whose clocks jump over it; write missing = ",
                   support.message(read, "t\n2026-03-29 02:30\n"))
    local filled = read("t,x\n2026-03-29 02:30,1\n,2\n2026-10-25 02:30,3\n",
      {ambiguous = "second", missing = {-1, "forward"}})
    assert.same({1774746000000000, -1, 1792891800000000}, filled.t:long():totable())
    assert.matches("has missing = .*, which is neither a value nor \"forward\"",
                   support.message(read, "t\n", {missing = "back"}))
    assert.equal("write_csv: 'zone' goes with columns of times, and the frame has none",
      support.message(f.write_csv, locus.frame{{"x", {1}}}, nil, BERLIN))
  end)

  it("are read alike by several threads", function()
    local lines, threads = {"t"}, locus.get_num_threads()
    for i = 1, 40000 do
      lines[i + 1] = os.date("!%Y-%m-%d %H:%M:%S", 1774750000 + i * 400 - (i % 7) * 3e6)
    end
    local csv, expected = table.concat(lines, "\n") .. "\n", nil
    for _, count in ipairs {1, 2, 5} do
      locus.set_num_threads(count)
      local f = locus.read_csv({text = csv}, {types = {t = {"time", zone = BERLIN.zone,
        ambiguous = "first", missing = "forward"}}})
      expected = expected or f.t
      assert.is_true(locus.equal(expected, f.t))
      assert.equal(expected:numel(), 40000)
    end
    locus.set_num_threads(threads)
  end)
end)
