-- SPDX-License-Identifier: MIT
-- When were the files of this machine written, by the clock on the wall? Reads lines `mtime size`
-- and reports files per local hour, weekday and size class, the outliers and the newest. Lines are
-- parsed into one tensor; everything after that is done for all files at once.

local ffi = require "ffi"
local locus = require "locus"

local here = arg[0]:match "^.*/" or ""
package.path = here .. "?.lua;" .. package.path
local tzif = require "tzif"

local HELP = [[
usage: find /usr -xdev -type f -printf '%T@ %s\n' | luajit filetimes.lua [--zone NAME] [FILE...]

Reads lines `mtime size`, such as `1700000000.1234567890 4096`, from the files named or from
standard input (also -), and reports when those files were written, in local time.

  --zone NAME  a zone such as Europe/Berlin, or a POSIX rule such as CET-1CEST,M3.5.0,M10.5.0/3;
               without it, the environment variable TZ or this machine's zone
  --help       print this and exit
]]

local MINUTE, HOUR, DAY, WEEK = 60, 3600, 86400, 604800
local CYCLE = 146097 * DAY -- 400 years, after which the calendar repeats
local WEEKDAYS = {"Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"}
local HOURS = {}
for hour = 0, 23 do HOURS[hour + 1] = ("%02d"):format(hour) end
local KiB, MiB, GiB = 2 ^ 10, 2 ^ 20, 2 ^ 30
local SIZES = {1, 4 * KiB, 64 * KiB, MiB, 16 * MiB, 256 * MiB, 4 * GiB}
local SIZE_CLASSES = {
  "empty", "below 4 KiB", "below 64 KiB", "below 1 MiB", "below 16 MiB", "below 256 MiB",
  "below 4 GiB", "4 GiB and more",
}
local BLOCK = 256 * KiB
local BAR = 50
local ZERO, MINUS, POINT, SPACE, NEWLINE = ("0-. \n"):byte(1, 5)

ffi.cdef "int isatty(int);"

local function fail(sentence, ...)
  error(sentence:format(...), 0)
end

-- Shows a text on standard error, in place of the one before, when somebody is watching.
local function progress(text)
  if ffi.C.isatty(2) == 1 then io.stderr:write("\r\27[K", text) end
end

-- Reading ----------------------------------------------------------------------------------------

-- A table of files: an int64 tensor with a row of seconds, one of nanoseconds and one of sizes, of
-- which the first `count` columns are filled.
local function reserve(files, columns)
  local old = files.rows
  if columns > old:size(2) then
    files.rows = locus.empty({3, 2 * columns}, {dtype = "int64"})
    files.rows:narrow(2, 1, files.count):copy_(old:narrow(2, 1, files.count))
  end
end

-- The int64 in bytes[at..stop - 1], all digits: exact, or nil when it does not fit.
local function long_number(bytes, at, stop)
  if stop - at > 19 then return nil end
  local value = 0ULL
  for i = at, stop - 1 do value = value * 10 + (bytes[i] - ZERO) end
  if value > 0x7fffffffffffffffULL then return nil end
  return ffi.cast("int64_t", value)
end

-- The whole number that starts at `at`, or nil, and where its digits end.
local function number(bytes, at)
  local value, stop = 0, at
  local digit = bytes[at] - ZERO
  while digit >= 0 and digit <= 9 do
    value, stop = value * 10 + digit, stop + 1
    digit = bytes[stop] - ZERO
  end
  if stop - at > 15 then return long_number(bytes, at, stop), stop end
  return stop > at and value or nil, stop
end

-- The digits after a decimal point as nanoseconds, or nil, and where they end.
local function fraction(bytes, at)
  local value, unit, stop = 0, 1e8, at
  local digit = bytes[at] - ZERO
  while digit >= 0 and digit <= 9 do
    value, unit, stop = value + digit * unit, math.floor(unit / 10), stop + 1
    digit = bytes[stop] - ZERO
  end
  return stop > at and value or nil, stop
end

local function malformed(name, line, text)
  text = text:gsub("%c", "?")
  if #text > 40 then text = text:sub(1, 40) .. "..." end
  fail("%s, line %d: expected 'mtime size' such as '1700000000.5 4096', got '%s'", name, line, text)
end

-- Appends the lines in the first `length` bytes of `text` to `files`. The digits before the point
-- are the second, those after it how far into it, before 1970 too: find writes -1.75 for a quarter
-- of a second before 1970.
local function parse(text, length, files, name)
  reserve(files, files.count + math.floor(length / 4) + 1) -- the shortest line is "0 0\n"
  local seconds = files.rows:data()
  local nanos = seconds + files.rows:size(2)
  local sizes = nanos + files.rows:size(2)
  local bytes = ffi.cast("const uint8_t *", text)
  local count, at = files.count, 0
  while at < length do
    local negative = bytes[at] == MINUS
    local second, stop = number(bytes, negative and at + 1 or at)
    local nano, size, line_end = 0, nil, nil
    if bytes[stop] == POINT then nano, stop = fraction(bytes, stop + 1) end
    if bytes[stop] == SPACE then size, line_end = number(bytes, stop + 1) end
    local ended = line_end == length or line_end and bytes[line_end] == NEWLINE
    if not (second and nano and size and ended) then
      malformed(name, count - files.before + 1, text:match("^[^\n]*", at + 1))
    end
    seconds[count], nanos[count], sizes[count] = negative and -second or second, nano, size
    count, at = count + 1, line_end + 1
  end
  files.count = count
end

-- Appends all lines of a stream to `files`, block by block: each block is parsed up to its last
-- newline, and what follows that opens the next one.
local function read(stream, name, files)
  local rest = ""
  files.before = files.count
  repeat
    local block, problem = stream:read(BLOCK)
    if problem then fail("cannot read %s: %s", name, problem) end
    local text = rest .. (block or "")
    local length = block and text:match "^.*\n()" or #text + 1
    parse(text, length - 1, files, name)
    rest = text:sub(length)
    progress(files.count .. " lines")
  until not block
  progress ""
end

-- Writing ----------------------------------------------------------------------------------------

-- An integer, int64 or not, with a comma between groups of three digits.
local function grouped(n)
  local digits = type(n) == "number" and ("%.0f"):format(n) or tostring(n):gsub("LL$", "")
  return (digits:reverse():gsub("(%d%d%d)", "%1,"):reverse():gsub("^(-?),", "%1"))
end

local function in_units(bytes)
  local n, unit = tonumber(bytes), 1
  local units = {"bytes", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"}
  while n >= 1024 and unit < #units do n, unit = n / 1024, unit + 1 end
  return (unit == 1 and "%.0f %s" or "%.1f %s"):format(n, units[unit])
end

-- A time in local time. The 400-year cycle brings any int64 into the range of os.date.
local function local_time(second, offset)
  second = ffi.cast("int64_t", second) -- whose / and % are those of C
  local cycles, in_cycle = tonumber(second / CYCLE), tonumber(second % CYCLE)
  if in_cycle < 0 then cycles, in_cycle = cycles - 1, in_cycle + CYCLE end
  local date = os.date("!*t", in_cycle + offset)
  return ("%04.0f-%02d-%02d %02d:%02d:%02d"):format(date.year + 400 * cycles, date.month, date.day,
    date.hour, date.min, date.sec)
end

local function offset_text(offset)
  local sign = offset < 0 and "-" or "+"
  offset = math.abs(offset)
  local text = ("%s%02d%02d"):format(sign, offset / HOUR, offset % HOUR / MINUTE)
  return offset % MINUTE == 0 and text or ("%s%02d"):format(text, offset % MINUTE)
end

local function say(format, ...)
  io.write(format:format(...), "\n")
end

local function bar_chart(title, labels, counts)
  local most = counts:max()
  say("\n%s", title)
  for i, label in ipairs(labels) do
    local length = math.ceil(counts[i] / most * BAR)
    say("  %-3s %-" .. BAR .. "s %11s", label, ("#"):rep(length), grouped(counts[i]))
  end
end

-- One line for each of the files at `positions`.
local function list_files(files, positions)
  for i = 1, positions:numel() do
    local at = positions[i]
    local offset = files.offsets[at]
    say("  %s.%09d %s %23s bytes", local_time(files.seconds[at], offset), files.nanos[at],
      offset_text(offset), grouped(files.sizes[at]))
  end
end

-- The report -------------------------------------------------------------------------------------

-- Which of the classes each value falls into, and how many fall into each class. The bounds between
-- the classes are one fewer, and a value's position among them is the number of its class.
local function classify(values, bounds, classes)
  local class = locus.bucketize(values, bounds, {right = true})
  return class, class:bincount{minlength = #classes}
end

-- The sum of the sizes, exact where it is well within int64.
local function total(sizes)
  local estimate = sizes:double():sum()
  if estimate < 1024 then return in_units(estimate) end
  if estimate >= 2 ^ 62 then return "about " .. in_units(estimate) end
  return ("%s (%s bytes)"):format(in_units(estimate), grouped(sizes:sum()))
end

local function report_span(files)
  local oldest, newest = files.seconds:argmin(), files.seconds:argmax()
  local first, last = files.seconds[oldest], files.seconds[newest]
  say("oldest  %s", local_time(first, files.offsets[oldest]))
  say("newest  %s", local_time(last, files.offsets[newest]))
  say("span    %.1f days", (tonumber(last) - tonumber(first)) / DAY)
end

local function report_clock(files)
  -- 1970 began on a Thursday, three days into its week.
  local in_week = (files.seconds % WEEK + files.offsets + 3 * DAY) % WEEK
  local _, per_hour = classify(in_week % DAY, locus.arange(HOUR, DAY, HOUR), HOURS)
  local _, per_weekday = classify(in_week, locus.arange(DAY, WEEK, DAY), WEEKDAYS)
  bar_chart("Files per local hour", HOURS, per_hour)
  bar_chart("Files per weekday", WEEKDAYS, per_weekday)
end

local function report_sizes(sizes)
  local class, counts = classify(sizes, SIZES, SIZE_CLASSES)
  say("\nFiles per size")
  for i, name in ipairs(SIZE_CLASSES) do
    say("  %-14s %11s  %s", name, grouped(counts[i]), total(sizes[class:eq(i)]))
  end
end

-- Outliers are the sizes beyond Tukey's upper fence, on a logarithmic scale since sizes of files
-- spread over many powers of ten: the fence lies 1.5 times the distance between the quartiles above
-- the upper one.
local function report_outliers(files)
  local sorted = files.sizes:sort()
  local function quantile(part)
    return math.max(tonumber(sorted[math.ceil(part * sorted:numel())]), 1)
  end
  local low, high = quantile(0.25), quantile(0.75)
  local fence = high * (high / low) ^ 1.5
  local outliers = files.sizes:gt(fence):nonzero{as_tuple = true}
  say("\nOutliers: %s above %s", grouped(outliers:numel()), in_units(fence))
  local largest = outliers[files.sizes[outliers]:argsort{descending = true}]
  list_files(files, largest:narrow(1, 1, math.min(5, largest:numel())))
end

local function report_newest(files)
  local order = files.nanos:argsort{descending = true}
  order = order[files.seconds[order]:argsort{descending = true}]
  local newest = order:narrow(1, 1, math.min(10, order:numel()))
  say("\nNewest")
  list_files(files, newest)
end

local function report(files, zone)
  files.offsets = zone:offsets(files.seconds)
  say("Local time of %s\n", zone.name)
  say("files   %s", grouped(files.sizes:numel()))
  say("total   %s", total(files.sizes))
  if files.sizes:numel() == 0 then return end
  report_span(files)
  report_clock(files)
  report_sizes(files.sizes)
  report_outliers(files)
  report_newest(files)
end

-- The command line -------------------------------------------------------------------------------

local function parse_arguments(arguments)
  local options, i = {names = {}}, 1
  while i <= #arguments do
    local argument = arguments[i]
    local zone = argument:match "^%-%-zone=(.*)"
    if argument == "--help" then
      options.help = true
    elseif argument == "--zone" or zone then
      i = zone and i or i + 1
      options.zone = zone or arguments[i] or fail "--zone needs the name of a zone"
    elseif argument:find "^%-." then
      fail("'%s' is not an option, those are --zone and --help", argument)
    else
      table.insert(options.names, argument)
    end
    i = i + 1
  end
  return options
end

-- The files that the lines of all `names` describe: one int64 tensor for each property.
local function read_all(names)
  local files = {rows = locus.empty({3, 0}, {dtype = "int64"}), count = 0}
  for _, name in ipairs(#names > 0 and names or {"-"}) do
    if name == "-" then
      if ffi.C.isatty(0) == 1 then fail "standard input is a terminal: see --help" end
      read(io.stdin, "standard input", files)
    else
      local stream, problem = io.open(name, "rb")
      if not stream then fail("cannot read %s", problem) end
      read(stream, name, files)
      stream:close()
    end
  end
  local filled = files.rows:narrow(2, 1, files.count)
  return {seconds = filled[1], nanos = filled[2], sizes = filled[3]}
end

local function main()
  local options = parse_arguments(arg)
  if options.help then
    io.write(HELP)
    return
  end
  local name = options.zone or (os.getenv "TZ" or tzif.LOCALTIME):gsub("^:", "")
  local zone = tzif.zone(name == "" and "UTC0" or name)
  report(read_all(options.names), zone)
  local written, problem = io.stdout:flush()
  if not written then fail("cannot write the report: %s", problem) end
end

local good, problem = pcall(main)
if not good then
  progress ""
  io.stderr:write("filetimes: ", problem, "\n")
  os.exit(1, true)
end
