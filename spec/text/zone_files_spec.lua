-- SPDX-License-Identifier: MIT
-- Files and names of time zones: TZif files of every version, cut short and changed anywhere;
-- rules; names; and one sentence for each that cannot be read.
local ffi = require "ffi"
local internal = require "locus.core".internal
local locus = require "locus"
local support = require "spec.support"

ffi.cdef "int setenv(const char *, const char *, int); int unsetenv(const char *);"

-- Seconds that the clocks are ahead of UTC.
local function offsets(zone, times)
  times = locus.tensor(times, {dtype = "int64"})
  return (internal.clocks(times, 1, zone) - times):totable()
end

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

local function with(other)
  local data = {}
  for key, value in pairs(CHANGING) do data[key] = value end
  for key, value in pairs(other) do data[key] = value end
  return data
end

describe("a TZif file #once #host", function()
  local around = {-86401, -86400, 999999999, 1000000000}

  it("of version 1 has 32-bit times, no rule, and may end there", function()
    local zone = internal.parse_zone(tzif_block(4, with {version = "\0"}), "old")
    assert.are.same({60, 3600, 3600, -7200, -7200}, offsets(zone, {-86401, -86400, 0, 1e9, 1e11}))
  end)

  it("of a later version is read from its 64-bit block", function()
    for _, version in ipairs {"2", "3", "4"} do
      local data = with {version = version, times = {-1e10, 1e10}}
      local bytes = tzif_block(4, {version = version}) .. tzif_block(8, data) .. "\n\n"
      assert.are.same({60, 3600, 3600, -7200}, offsets(internal.parse_zone(bytes, "new"),
        {-1e10 - 1, -1e10, 1e10 - 1, 1e10}))
    end
  end)

  it("follows the rule in its footer from its last transition on", function()
    local bytes = tzif_block(4, {}) .. tzif_block(8, CHANGING) .. "\n<+05>-5\n"
    assert.are.same({60, 3600, 3600, 18000}, offsets(internal.parse_zone(bytes, "ruled"), around))
  end)

  it("follows its rule always where it has no transition", function()
    local bytes = tzif_block(4, {}) .. tzif_block(8, {types = {60}}) .. "\n<+05>-5\n"
    assert.are.same({18000, 18000, 18000, 18000},
      offsets(internal.parse_zone(bytes, "ruled"), around))
  end)

  local good = tzif_block(4, {}) .. tzif_block(8, CHANGING) .. "\nXYZ-1\n"

  it("cut short anywhere is an error of one sentence", function()
    for length = 0, #good - 1 do
      local parsed, problem = pcall(internal.parse_zone, good:sub(1, length), "the file")
      assert.is_false(parsed)
      assert.matches("the file is [^\n]*$", problem)
    end
    assert.is_true(pcall(internal.parse_zone, good, "the file"))
  end)

  it("changed anywhere is a zone or an error of one sentence", function()
    local times = locus.arange(-4e9, 9e9, 1e7, {dtype = "int64"})
    local ruled = tzif_block(4, {}) .. tzif_block(8, CHANGING) .. "\nABC-1CDE,M3.5.0,60/167\n"
    math.randomseed(8536)
    local zones = 0
    for round = 1, 3000 do
      local bytes = round % 2 == 0 and good or ruled
      for _ = 1, math.random(3) do
        local at = math.random(#bytes)
        local byte = string.char(math.random(0, 255))
        bytes = bytes:sub(1, at - 1) .. byte .. bytes:sub(at + 1)
      end
      local parsed, zone = pcall(internal.parse_zone, bytes, "the file")
      if parsed then
        zones = zones + 1
        local clocks = internal.clocks(times, 1, zone)
        assert.is_true((clocks - times):abs():le(26 * 3600):all())
      else
        assert.matches("the file [^\n]*$", zone)
      end
    end
    assert.is_true(zones > 100)
  end)

  local v1 = tzif_block(4, {})
  for what, case in pairs {
    ["is no file of a time zone (TZif)"] = "#!/bin/sh\n" .. good,
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
    ["counts leap seconds, which times here do not: take the zone that is not in the folder "
      .. "right"] = v1 .. tzif_block(8, with {leap = 1}) .. "\n\n",
    ["is malformed: its rule needs a time of at most 24 hours at character 4"] =
      v1 .. tzif_block(8, CHANGING) .. "\nXYZ\n",
  } do
    it(what, function()
      assert.equal("parse_zone: the file " .. what,
                   support.message(internal.parse_zone, case, "the file"))
    end)
  end
end)

describe("a rule #once #host", function()
  for rule, what in pairs {
    ["A1"] = "a name of three letters or one in <> at character 1",
    ["<+03-3"] = "a name of three letters or one in <> at character 1",
    ["AAA25"] = "a time of at most 24 hours at character 4",
    ["AAA1:60"] = "minutes and seconds below 60 at character 8",
    ["AAA1BBB"] = "a time of at most 24 hours at character 8",
    ["AAA1BBB2"] = "a comma at character 9",
    ["AAA1BBB,M3.5.0"] = "a comma at character 15",
    ["AAA1BBB,M13.5.0,M10.5.0"] = "a month, a week and a weekday that exist at character 16",
    ["AAA1BBB,M3.6.0,M10.5.0"] = "a month, a week and a weekday that exist at character 15",
    ["AAA1BBB,J0,J5"] = "a day (Mm.w.d, Jn or n) at character 11",
    ["AAA1BBB,366,J5"] = "a day (Mm.w.d, Jn or n) at character 12",
    ["AAA1BBB,1/168,J5"] = "a time of at most 167 hours at character 11",
    ["AAA1BBB,1,2,3"] = "its end at character 12",
  } do
    it(rule .. " needs " .. what, function()
      local bytes = tzif_block(4, {}) .. tzif_block(8, CHANGING) .. "\n" .. rule .. "\n"
      assert.equal("parse_zone: the file is malformed: its rule needs " .. what,
                   support.message(internal.parse_zone, bytes, "the file"))
    end)
  end
end)

-- Names ------------------------------------------------------------------------------------------

describe("a name of a zone #once #host", function()
  local folder = os.tmpname()
  os.remove(folder)
  assert(os.execute(("mkdir -p '%s/Area'"):format(folder)) == 0)

  local function write(name, bytes)
    local file = assert(io.open(folder .. "/" .. name, "wb"))
    file:write(bytes)
    file:close()
  end

  setup(function()
    write("Area/City", tzif_block(4, {}) .. tzif_block(8, {}) .. "\n<+05>-5\n")
    write("Large", ("x"):rep(2 ^ 20 + 1))
    ffi.C.setenv("TZDIR", folder, 1)
  end)

  teardown(function()
    ffi.C.unsetenv "TZDIR"
    os.execute(("rm -r '%s'"):format(folder))
  end)

  it("is a file below TZDIR, an offset, a rule, or UTC", function()
    for name, offset in pairs {
      ["Area/City"] = 18000, ["+05:30"] = 19800, ["-03"] = -10800, ["UTC"] = 0, ["UTC0"] = 0,
      ["CET-1"] = 3600, ["<+07>-7"] = 25200, ["GMT0"] = 0,
    } do
      assert.are.same({offset}, offsets(internal.zone(name), {0}), name)
    end
  end)

  it("is read once, and again when TZDIR is another folder", function()
    local zone = internal.zone "Area/City"
    assert.is_true(rawequal(zone, internal.zone "Area/City"))
    ffi.C.setenv("TZDIR", folder .. "/Area", 1)
    assert.is_false(pcall(internal.zone, "Area/City"))
    assert.are.same({18000}, offsets(internal.zone "City", {0}))
    ffi.C.setenv("TZDIR", folder, 1)
  end)

  it("of this machine is that of TZ, and UTC where there is none", function()
    local tz = os.getenv "TZ"
    for value, offset in pairs {["Area/City"] = 18000, [":Area/City"] = 18000, [""] = 0,
                                [folder .. "/Area/City"] = 18000, ["CET-1"] = 3600} do
      ffi.C.setenv("TZ", value, 1)
      assert.are.same({offset}, offsets(internal.zone "local", {0}), value)
    end
    ffi.C.setenv("TZ", "a\nb", 1)
    assert.matches("the environment variable TZ is no name of a zone",
                   support.message(internal.zone, "local"))
    if tz then ffi.C.setenv("TZ", tz, 1) else ffi.C.unsetenv "TZ" end
    assert.is_true(pcall(internal.zone, "local"))
  end)

  it("that cannot be read is one sentence", function()
    for name, sentence in pairs {
      ["/etc/passwd"] = ("zone '/etc/passwd' is outside of %s: write a name such as Europe/Berlin")
        :format(folder),
      ["../x"] = ("zone '../x' is outside of %s: write a name such as Europe/Berlin")
        :format(folder),
      ["Area/../Large"] = "is outside of", ["Area//City"] = "is outside of",
      ["./Large"] = "is outside of",
      ["Area"] = ("zone 'Area' is no file: %s/Area; write a name such as Europe/Berlin")
        :format(folder),
      ["Area/Citi"] = ("zone 'Area/Citi' is unknown: there is no file %s/Area/Citi (the package "
        .. "tzdata has the zones, tzdata-legacy old names such as US/Eastern)"):format(folder),
      ["Large"] = "/Large is no file of a time zone: it has more than 1048576 bytes",
      ["UTC+2"] = "zone 'UTC+2' means the opposite to POSIX: write '+02:00' for 2 hours ahead of",
      [""] = "'zone' is \"\", which is no name such as \"Europe/Berlin\"",
      ["a\27[1m"] = "'zone' is \"a\\x1b[1m\", which is no name such as \"Europe/Berlin\"",
      ["UTC\0x"] = "which is no name such as", [("x"):rep(300)] = "which is no name such as",
    } do
      assert.matches(sentence, support.message(internal.zone, name), 1, true)
    end
    assert.matches('\'zone\' must be a name such as "Europe/Berlin", got the number 5',
                   support.message(internal.zone, 5), 1, true)
    ffi.C.setenv("TZDIR", folder .. "/nowhere", 1)
    assert.equal(("zone: cannot read zone 'Europe/Berlin': there is no folder %s/nowhere; install "
      .. "the package tzdata, or name the folder of zones in TZDIR"):format(folder),
      support.message(internal.zone, "Europe/Berlin"))
    assert.are.same({0}, offsets(internal.zone "UTC", {0}))
    ffi.C.setenv("TZDIR", folder, 1)
  end)
end)
