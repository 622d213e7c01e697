-- SPDX-License-Identifier: MIT
-- The system's time zones: TZif files (RFC 8536, every version) and the POSIX TZ rule in their
-- footer. A zone answers one question for a whole tensor of times at once: how many seconds is the
-- local clock ahead of UTC? A file that cannot be read raises one sentence that names it.

local bit = require "bit"
local locus = require "locus"

local tzif = {LOCALTIME = "/etc/localtime"}

local DAY = 86400
local CYCLE = 146097 * DAY -- 400 years, after which the calendar repeats with its weekdays
local BEGINNING_OF_TIME = -0x8000000000000000LL
local floor = math.floor

local function fail(sentence, ...)
  error(sentence:format(...), 0)
end

-- Steps: `offsets` has one element more than `changes`, so the 1-based position at which a time
-- would be inserted after its equals is the position of the offset in force.
local function steps(changes, offsets)
  return {
    changes = locus.tensor(changes, {dtype = "int64"}),
    offsets = locus.tensor(offsets, {dtype = "int64"}),
  }
end

local function offsets_at(these, times)
  return these.offsets[these.changes:searchsorted(times, {side = "right"})]
end

-- POSIX TZ rules ---------------------------------------------------------------------------------

-- Days from 1970-01-01 to the first of a month, with March as the first month of its year so that
-- the leap day comes last.
local function first_of(year, month)
  if month < 3 then
    year, month = year - 1, month + 12
  end
  local leap_days = floor(year / 4) - floor(year / 100) + floor(year / 400)
  return 365 * year + leap_days + floor((153 * month - 457) / 5) - 719468
end

-- The three ways to name a day of the year, each a function from its numbers to one that gives the
-- day in a year: Mm.w.d (week 5 is the last), Jn (29 February never counts), n (it does, from 0).
local function weekday_of_month(month, week, weekday)
  return function(year)
    local first = first_of(year, month)
    local day = first + (weekday - first - 4) % 7 + 7 * (week - 1)
    local after = month == 12 and first_of(year + 1, 1) or first_of(year, month + 1)
    return day < after and day or day - 7
  end
end

local function day_without_leap(n)
  return function(year)
    return n < 60 and first_of(year, 1) + n - 1 or first_of(year, 3) + n - 60
  end
end

local function day_with_leap(n)
  return function(year) return first_of(year, 1) + n end
end

-- Reads a rule such as CET-1CEST,M3.5.0,M10.5.0/3 into `standard` and, where there is daylight
-- time, `daylight` (seconds ahead of UTC) and the days and times at which it starts and ends.
function tzif.rule(text)
  local at = 1

  local function take(pattern)
    local _, last, a, b, c = text:find("^" .. pattern, at)
    at = last and last + 1 or at
    return a, b, c
  end

  local function need(good, what)
    if not good then
      fail("the rule '%s' needs %s at character %d", text, what, at)
    end
  end

  local function number(value, least, most)
    value = tonumber(value)
    return value and value >= least and value <= most and value or nil
  end

  local function name()
    need(take "(%a%a%a+)" or take "<([%w+-]+)>", "a name of three letters or one in <>")
  end

  local function seconds(most_hours)
    local sign, hours = take "([+-]?)(%d%d?%d?)"
    hours = number(hours, 0, most_hours)
    need(hours, "a time of at most " .. most_hours .. " hours")
    local minute = take ":(%d%d)"
    local second = minute and take ":(%d%d)"
    minute, second = number(minute or 0, 0, 59), number(second or 0, 0, 59)
    need(minute and second, "minutes and seconds below 60")
    local total = (hours * 60 + minute) * 60 + second
    return sign == "-" and -total or total
  end

  local function day()
    local month, week, weekday = take "M(%d%d?)%.(%d)%.(%d)"
    if month then
      month, week, weekday = number(month, 1, 12), number(week, 1, 5), number(weekday, 0, 6)
      need(month and week and weekday, "a month, a week and a weekday that exist")
      return weekday_of_month(month, week, weekday)
    end
    local without_leap = take "J(%d+)"
    local n = number(without_leap or take "(%d+)", without_leap and 1 or 0, 365)
    need(n, "a day (Mm.w.d, Jn or n)")
    return without_leap and day_without_leap(n) or day_with_leap(n)
  end

  local function moment()
    need(take "(,)", "a comma")
    local date = day()
    return date, take "(/)" and seconds(167) or 2 * 3600
  end

  local rule = {}
  name()
  rule.standard = -seconds(24)
  if at <= #text then
    name()
    rule.daylight = text:find("^,", at) and rule.standard + 3600 or -seconds(24)
    rule.start_day, rule.start_time = moment()
    rule.end_day, rule.end_time = moment()
    need(at > #text, "its end")
  end
  return rule
end

-- The changes a rule makes in the 400 years from 1970 on, and in the year on either side, whose
-- changes can fall into them. Each change is written in the local time it ends.
local function steps_of_cycle(rule)
  if not rule.daylight then return steps({}, {rule.standard}) end
  local changes, offsets = {}, {}
  for year = 1969, 2370 do
    table.insert(changes, rule.start_day(year) * DAY + rule.start_time - rule.standard)
    table.insert(offsets, rule.daylight)
    table.insert(changes, rule.end_day(year) * DAY + rule.end_time - rule.daylight)
    table.insert(offsets, rule.standard)
  end
  local sorted, order = locus.tensor(changes, {dtype = "int64"}):sort()
  local before = locus.tensor({rule.standard}, {dtype = "int64"})
  local after = locus.tensor(offsets, {dtype = "int64"})[order]
  return {changes = sorted, offsets = locus.cat({before, after})}
end

-- TZif files -------------------------------------------------------------------------------------

local function int32(bytes, at)
  local a, b, c, d = bytes:byte(at, at + 3)
  return bit.bor(bit.lshift(a, 24), bit.lshift(b, 16), bit.lshift(c, 8), d)
end

local function uint32(bytes, at)
  return int32(bytes, at) % 0x100000000
end

local function int64(bytes, at)
  return int32(bytes, at) * 0x100000000LL + uint32(bytes, at + 4)
end

-- The data block whose header stands at `at`: its counts, where its data begin and where they end,
-- times being `width` bytes wide.
local function block_at(file, at, width)
  local bytes, block = file.bytes, {width = width, first = at + 44}
  if #bytes < at + 43 then fail("%s is truncated: its header is not complete", file.path) end
  if bytes:sub(at, at + 3) ~= "TZif" then
    fail("%s is malformed: it has no second header", file.path)
  end
  for i, name in ipairs {"isut", "isstd", "leap", "time", "type", "char"} do
    block[name] = uint32(bytes, at + 16 + 4 * i)
  end
  block.last = block.first - 1 + block.time * (width + 1) + block.type * 6 + block.char
    + block.leap * (width + 4) + block.isstd + block.isut
  if #bytes < block.last then
    fail("%s is truncated: it has %d bytes, its header asks for %.0f", file.path, #bytes,
      block.last)
  end
  return block
end

-- The offset in seconds of a block's local time type, in the range RFC 8536 asks for.
local function type_offset(file, block, index)
  if index >= block.type then
    fail("%s is malformed: it uses local time type %d of %d", file.path, index + 1, block.type)
  end
  local offset = int32(file.bytes, block.first + block.time * (block.width + 1) + 6 * index)
  if offset < -89999 or offset > 93599 then
    fail("%s is malformed: its local time type %d is %d seconds ahead of UTC", file.path,
      index + 1, offset)
  end
  return offset
end

-- The transition times of a block and the offsets before, between and after them.
local function transitions(file, block)
  if block.leap > 0 then
    fail("%s counts leap seconds, which the times of files do not", file.path)
  end
  local read = block.width == 8 and int64 or int32
  local changes, offsets = {}, {type_offset(file, block, 0)}
  for i = 1, block.time do
    changes[i] = read(file.bytes, block.first + (i - 1) * block.width)
    if i > 1 and changes[i] <= changes[i - 1] then
      fail("%s is malformed: its transition %d is not after the one before", file.path, i)
    end
    local index = file.bytes:byte(block.first + block.time * block.width + i - 1)
    offsets[i + 1] = type_offset(file, block, index)
  end
  return changes, offsets
end

local Zone = {}
Zone.__index = Zone

-- A zone of recorded transitions, and of a rule (or nil) for all that comes after the last one.
local function new_zone(name, changes, offsets, rule)
  return setmetatable({
    name = name,
    recorded = steps(changes, offsets),
    ruled_from = changes[#changes] or BEGINNING_OF_TIME,
    ruled = rule and steps_of_cycle(rule),
  }, Zone)
end

-- How many seconds the local clock is ahead of UTC at each of `times` (int64 seconds since 1970).
function Zone:offsets(times)
  local recorded = offsets_at(self.recorded, times)
  if not self.ruled then return recorded end
  local ruled = offsets_at(self.ruled, times % CYCLE)
  return locus.where(times:ge(self.ruled_from), ruled, recorded)
end

-- The zone that the bytes of a TZif file describe; `path` is what errors call the file.
function tzif.parse(bytes, path)
  if bytes:sub(1, 4) ~= "TZif" then fail("%s is not a TZif file", path) end
  local file = {bytes = bytes, path = path}
  local block = block_at(file, 1, 4)
  if bytes:byte(5) == 0 then
    return new_zone(path, transitions(file, block))
  end
  block = block_at(file, block.last + 1, 8)
  local footer = bytes:match("^\n([^\n]*)\n", block.last + 1)
  if not footer then fail("%s is truncated: its footer is not complete", path) end
  local rule
  if footer ~= "" then
    local good, result = pcall(tzif.rule, footer)
    if not good then fail("%s is malformed: %s", path, result) end
    rule = result
  end
  local changes, offsets = transitions(file, block)
  return new_zone(path, changes, offsets, rule)
end

-- The zone called `name`: a file below the zoneinfo folder, a POSIX rule, or /etc/localtime (which
-- is UTC where the machine has no such file).
function tzif.zone(name)
  local folder = os.getenv "TZDIR" or "/usr/share/zoneinfo"
  local path = name == tzif.LOCALTIME and name or folder .. "/" .. name
  if name ~= tzif.LOCALTIME and (name:find "^/" or ("/" .. name .. "/"):find("/../", 1, true)) then
    fail("zone '%s' is outside the folder %s: a zone is a name such as Europe/Berlin", name, folder)
  end
  local handle = io.open(path, "rb")
  if handle then
    local bytes, problem = handle:read "*a"
    handle:close()
    if not bytes then fail("cannot read %s: %s", path, problem) end
    local zone = tzif.parse(bytes, path)
    zone.name = name
    return zone
  end
  local good, rule = pcall(tzif.rule, name == tzif.LOCALTIME and "UTC0" or name)
  if not good then
    fail("zone '%s' is unknown: there is no file %s, and it is no rule such as CET-1", name, path)
  end
  return new_zone(name, {}, {rule.standard}, rule)
end

return tzif
