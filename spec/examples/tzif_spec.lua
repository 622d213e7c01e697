-- SPDX-License-Identifier: MIT
-- examples/tzif.lua: local time against the system's `date`, TZif files of every version, and one
-- sentence for whatever file or rule cannot be read.

local locus = require "locus"
local text = require "spec.support.text"

if not text.has_zones() then
  return pending "examples/tzif.lua needs the time zones of tzdata"
end

package.path = "examples/?.lua;" .. package.path
local tzif = require "tzif"

local function offsets(zone, times)
  return zone:offsets(locus.tensor(times, {dtype = "int64"})):totable()
end

-- Local time -------------------------------------------------------------------------------------

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

-- 10,000 times: the seconds around the zone's changes between `first` and `last`, filled up with
-- random ones.
local function times_of_interest(zone, first, last)
  local times = {}
  local function around(changes, from)
    for _, change in ipairs(changes:totable()) do
      if change > first and change < last and change >= from then
        for step = -1, 1 do table.insert(times, tonumber(change) + step) end
      end
    end
  end
  around(zone.recorded.changes, first)
  if zone.ruled then around(zone.ruled.changes, zone.ruled_from) end
  math.randomseed(20240229)
  while #times < 10000 do table.insert(times, math.random(first, last)) end
  return times
end

local function assert_agrees_with_date(name, first, last)
  local zone = tzif.zone(name)
  local times = times_of_interest(zone, first, last)
  local ours, theirs = offsets(zone, times), offsets_of_date(name, times)
  assert.are.equal(#times, #theirs)
  for i, time in ipairs(times) do
    if ours[i] ~= theirs[i] then
      error(("%s at %.0f: %d, date says %d"):format(name, time, ours[i], theirs[i]))
    end
  end
end

describe("a zone #once", function()
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
    local zone = tzif.zone "EST5EDT,0/0,J365/25"
    for _, offset in ipairs(offsets(zone, times_of_interest(zone, YEAR_1900, YEAR_2401))) do
      assert.are.equal(-4 * 3600, offset)
    end
  end)

  it("repeats its rule every 400 years, to the ends of int64", function()
    local zone = tzif.zone "Europe/Berlin"
    local cycle = 146097 * 86400
    local summer, winter = 1752000000 + cycle, 1737000000 + cycle
    assert.are.same({7200, 3600, 7200, 3600},
      offsets(zone, {summer, winter, summer + 1000 * cycle, winter + 1000 * cycle}))
    assert.are.same({3208, 3600}, offsets(zone, {-0x8000000000000000LL, 0x7fffffffffffffffLL}))
  end)

  it("takes no times and a matrix of times", function()
    local zone = tzif.zone "Asia/Kolkata"
    assert.are.equal(0, zone:offsets(locus.zeros(0, {dtype = "int64"})):numel())
    local times = locus.full({2, 3}, 1700000000, {dtype = "int64"})
    assert.is_true(zone:offsets(times):eq(19800):all())
    assert.are.equal("2x3", tostring(zone:offsets(times).shape))
  end)
end)

-- TZif files -------------------------------------------------------------------------------------

local function big_endian(n, width)
  local bytes = {}
  for i = width, 1, -1 do
    bytes[i] = string.char(n % 256)
    n = math.floor(n / 256)
  end
  return table.concat(bytes)
end

-- A header and its data: `data` may have version, leap (a count), times, indexes (local time types
-- from 0) and types (their offsets).
local function tzif_block(width, data)
  local times, indexes, types = data.times or {}, data.indexes or {}, data.types or {0}
  local parts = {"TZif", data.version or "2", ("\0"):rep(15)}
  for _, count in ipairs {0, 0, data.leap or 0, #times, #types, 4} do
    table.insert(parts, big_endian(count, 4))
  end
  for _, time in ipairs(times) do table.insert(parts, big_endian(time, width)) end
  for _, index in ipairs(indexes) do table.insert(parts, string.char(index)) end
  for _, offset in ipairs(types) do table.insert(parts, big_endian(offset, 4) .. "\0\0") end
  return table.concat(parts) .. "XYZ\0" .. ("\0"):rep((data.leap or 0) * (width + 4))
end

local CHANGING = {times = {-86400, 1000000000}, indexes = {1, 2}, types = {60, 3600, -7200}}

local function with(changes)
  local data = {}
  for key, value in pairs(CHANGING) do data[key] = value end
  for key, value in pairs(changes) do data[key] = value end
  return data
end

describe("a TZif file #once", function()
  local around = {-86401, -86400, 999999999, 1000000000}

  it("of version 1 has 32-bit times, no rule, and may end there", function()
    local zone = tzif.parse(tzif_block(4, with {version = "\0"}), "old")
    assert.are.same({60, 3600, 3600, -7200, -7200}, offsets(zone, {-86401, -86400, 0, 1e9, 1e11}))
  end)

  it("of a later version is read from its 64-bit block", function()
    for _, version in ipairs {"2", "3", "4"} do
      local data = with {version = version, times = {-1e10, 1e10}}
      local bytes = tzif_block(4, {version = version}) .. tzif_block(8, data) .. "\n\n"
      assert.are.same({60, 3600, 3600, -7200}, offsets(tzif.parse(bytes, "new"),
        {-1e10 - 1, -1e10, 1e10 - 1, 1e10}))
    end
  end)

  it("follows the rule in its footer from its last transition on", function()
    local bytes = tzif_block(4, {}) .. tzif_block(8, CHANGING) .. "\n<+05>-5\n"
    assert.are.same({60, 3600, 3600, 18000}, offsets(tzif.parse(bytes, "ruled"), around))
  end)

  it("follows its rule always where it has no transition", function()
    local bytes = tzif_block(4, {}) .. tzif_block(8, {types = {60}}) .. "\n<+05>-5\n"
    assert.are.same({18000, 18000, 18000, 18000}, offsets(tzif.parse(bytes, "ruled"), around))
  end)

  local good = tzif_block(4, {}) .. tzif_block(8, CHANGING) .. "\nXYZ-1\n"

  it("cut short anywhere is an error of one sentence", function()
    for length = 0, #good - 1 do
      local parsed, problem = pcall(tzif.parse, good:sub(1, length), "the file")
      assert.is_false(parsed)
      assert.matches("^the file is [^\n]*$", problem)
    end
    assert.is_true(pcall(tzif.parse, good, "the file"))
  end)

  local v1 = tzif_block(4, {})
  for what, case in pairs {
    ["is not a TZif file"] = "#!/bin/sh\n" .. good,
    ["is truncated: its header is not complete"] = good:sub(1, 40),
    ["is malformed: it has no second header"] = good:gsub("(.)TZif", "%1tzif"),
    ["is truncated: its footer is not complete"] = good:sub(1, -2),
    ["is truncated: it has 54 bytes, its header asks for 21474836529"] =
      v1:sub(1, 32) .. "\255\255\255\255" .. v1:sub(37),
    ["is malformed: it uses local time type 4 of 3"] =
      v1 .. tzif_block(8, with {indexes = {1, 3}}) .. "\n\n",
    ["is malformed: it uses local time type 1 of 0"] = v1 .. tzif_block(8, {types = {}}) .. "\n\n",
    ["is malformed: its transition 2 is not after the one before"] =
      v1 .. tzif_block(8, with {times = {5, 5}}) .. "\n\n",
    ["is malformed: its local time type 2 is 93600 seconds ahead of UTC"] =
      v1 .. tzif_block(8, with {types = {0, 93600, 0}}) .. "\n\n",
    ["counts leap seconds, which the times of files do not"] =
      v1 .. tzif_block(8, with {leap = 1}) .. "\n\n",
    ["is malformed: the rule 'XYZ' needs a time of at most 24 hours at character 4"] =
      v1 .. tzif_block(8, CHANGING) .. "\nXYZ\n",
  } do
    it(what, function()
      assert.has_error(function() tzif.parse(case, "the file") end, "the file " .. what)
    end)
  end
end)

describe("a rule #once", function()
  for rule, what in pairs {
    ["A1"] = "a name of three letters or one in <> at character 1",
    ["<+03-3"] = "a name of three letters or one in <> at character 1",
    ["AAA25"] = "a time of at most 24 hours at character 6",
    ["AAA1:60"] = "minutes and seconds below 60 at character 8",
    ["AAA1BBB"] = "a time of at most 24 hours at character 8",
    ["AAA1BBB2"] = "a comma at character 9",
    ["AAA1BBB,M3.5.0"] = "a comma at character 15",
    ["AAA1BBB,M13.5.0,M10.5.0"] = "a month, a week and a weekday that exist at character 16",
    ["AAA1BBB,M3.6.0,M10.5.0"] = "a month, a week and a weekday that exist at character 15",
    ["AAA1BBB,J0,J5"] = "a day (Mm.w.d, Jn or n) at character 11",
    ["AAA1BBB,366,J5"] = "a day (Mm.w.d, Jn or n) at character 12",
    ["AAA1BBB,1/168,J5"] = "a time of at most 167 hours at character 14",
    ["AAA1BBB,1,2,3"] = "its end at character 12",
  } do
    it(rule .. " needs " .. what, function()
      local sentence = ("the rule '%s' needs %s"):format(rule, what)
      assert.has_error(function() tzif.rule(rule) end, sentence)
    end)
  end
end)
