-- SPDX-License-Identifier: MIT
-- When were the files of this machine written, by the clock on the wall? Reads lines `mtime size`
-- and reports files per local hour, weekday and size class, the outliers and the newest. Lines are
-- read into the columns of a frame; everything after that is done for all files at once.

local ffi = require "ffi"
local locus = require "locus"

local HELP = [[
usage: find /usr -xdev -type f -printf '%T@ %s\n' | luajit filetimes.lua [--zone NAME] [FILE...]

Reads lines `mtime size`, such as `1700000000.1234567890 4096`, from the files named or from
standard input (also -), and reports when those files were written, in local time. Times are those
of the years 1678 to 2261.

  --zone NAME  a zone such as Europe/Berlin, or a POSIX rule such as CET-1CEST,M3.5.0,M10.5.0/3;
               without it, the environment variable TZ or this machine's zone
  --help       print this and exit
]]

local MINUTE, HOUR, DAY, WEEK = 60, 3600, 86400, 604800
local NANOSECONDS = {"time", unit = "ns"}
local WEEKDAYS = {"Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"}
local HOURS = {}
for hour = 0, 23 do HOURS[hour + 1] = ("%02d"):format(hour) end
local KiB, MiB, GiB = 2 ^ 10, 2 ^ 20, 2 ^ 30
local SIZES = {1, 4 * KiB, 64 * KiB, MiB, 16 * MiB, 256 * MiB, 4 * GiB}
local SIZE_CLASSES = {
  "empty", "below 4 KiB", "below 64 KiB", "below 1 MiB", "below 16 MiB", "below 256 MiB",
  "below 4 GiB", "4 GiB and more",
}
local BAR = 50

ffi.cdef "int isatty(int);"

local function fail(sentence, ...)
  error(sentence:format(...), 0)
end

-- Reading ----------------------------------------------------------------------------------------

-- The files that the lines of a source tell of: their times, in nanoseconds since 1970, and sizes.
local function read(source)
  local ok, files = pcall(locus.read_csv, source, {separator = " ", quote = false,
    header = {"time", "size"}, types = {time = {"time", "%s.%f", unit = "ns"}, size = "int64"}})
  if not ok then fail("%s", (files:gsub("^.-read_csv: ", ""))) end
  if files.size:lt(0):any() then fail("%s: a size is below 0", source) end
  -- Before 1970, too, find writes how far into its second a time is: -1.75 for -0.25.
  local early = files.time:lt(0):long()
  return files:with("time", files.time + early * (-files.time % 1e9) * 2, {kind = NANOSECONDS})
end

-- All files that the lines of these sources tell of.
local function read_all(sources)
  local parts = {}
  for i, source in ipairs(#sources > 0 and sources or {"-"}) do
    if source == "-" and ffi.C.isatty(0) == 1 then
      fail "standard input is a terminal: see --help"
    end
    parts[i] = read(source)
  end
  return locus.cat(parts)
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

local function local_time(file)
  return os.date("!%Y-%m-%d %H:%M:%S", file.second + file.offset)
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

-- One line for each file.
local function list_files(files)
  for _, file in files:iter() do
    say("  %s.%09d %s %23s bytes", local_time(file), file.nanos, offset_text(file.offset),
      grouped(file.size))
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
  local oldest, newest = files[files.time:argmin()], files[files.time:argmax()]
  say("oldest  %s", local_time(oldest))
  say("newest  %s", local_time(newest))
  say("span    %.1f days", (newest.second - oldest.second) / DAY)
end

local function report_clock(files)
  -- 1970 began on a Thursday, three days into its week.
  local in_week = (files.second % WEEK + files.offset + 3 * DAY) % WEEK
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
  local sorted = files.size:sort{indices = false}
  local function quantile(part)
    return math.max(tonumber(sorted[math.ceil(part * #sorted)]), 1)
  end
  local low, high = quantile(0.25), quantile(0.75)
  local fence = high * (high / low) ^ 1.5
  local outliers = files[files.size:gt(fence)]
  say("\nOutliers: %s above %s", grouped(#outliers), in_units(fence))
  list_files(outliers:sort("-size"):head(5))
end

local function report(files, zone, name)
  local nanos = files.time % 1e9
  local second = ((files.time - nanos) / 1e9):long()
  local offset = ((files.time:local_time(zone) - files.time):long() / 1e9):long()
  files = files:with("second", second):with("nanos", nanos):with("offset", offset)
  say("Local time of %s\n", name)
  say("files   %s", grouped(#files))
  say("total   %s", total(files.size))
  if #files == 0 then return end
  report_span(files)
  report_clock(files)
  report_sizes(files.size)
  report_outliers(files)
  say("\nNewest")
  list_files(files:sort("-time"):head(10))
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

-- Before anything is read: raises if there is no such zone.
local function check_zone(zone)
  local ok, problem = pcall(locus.time_range, 0, 0, "1h", {zone = zone})
  if not ok then fail("%s", (problem:gsub("^.-time_range: ", ""))) end
end

local function name_of_local()
  local name = (os.getenv "TZ" or "this machine"):gsub("^:", "")
  return name == "" and "UTC" or name
end

local function main()
  local options = parse_arguments(arg)
  if options.help then
    io.write(HELP)
    return
  end
  local zone = options.zone or "local"
  check_zone(zone)
  report(read_all(options.names), zone, options.zone or name_of_local())
  local written, problem = io.stdout:flush()
  if not written then fail("cannot write the report: %s", problem) end
end

local good, problem = pcall(main)
if not good then
  io.stderr:write("filetimes: ", problem, "\n")
  os.exit(1, true)
end
