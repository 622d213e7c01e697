-- SPDX-License-Identifier: MIT
-- %time and %bench: how long a call takes.
local ffi = require "ffi"
local format = require("locus.core").internal.format

ffi.cdef [[
  typedef struct { long seconds, nanoseconds; } locus_time;
  int locus_clock_gettime(int, locus_time *) __asm__("clock_gettime");
]]
local MONOTONIC = ffi.os == "OSX" and 6 or 1

local clock = {}

-- Seconds since some time; only the difference of two counts.
function clock.now()
  local t = ffi.new("locus_time")
  ffi.C.locus_clock_gettime(MONOTONIC, t)
  return tonumber(t.seconds) + tonumber(t.nanoseconds) / 1e9
end

-- A time in the unit that suits it, with three digits that count.
function clock.text(seconds)
  if seconds >= 0.9995 then return format("%.3g s", seconds) end
  if seconds >= 0.9995e-3 then return format("%.3g ms", seconds * 1e3) end
  if seconds >= 0.9995e-6 then return format("%.3g us", seconds * 1e6) end
  return format("%.3g ns", seconds * 1e9)
end

local function repeated(f, count)
  local start = clock.now()
  for _ = 1, count do f() end
  return clock.now() - start
end

local LEAST = 0.01 -- seconds of a sample
local MOST, SAMPLES = 1, 20 -- seconds of all samples, unless a single one takes longer; how many

-- Calls f again and again: {median, least, samples, runs}, seconds of a run, how many samples there
-- were, and of how many runs each. The first samples, in which LuaJIT compiles, are not counted.
function clock.bench(f)
  local runs, took = 1, repeated(f, 1)
  while took < LEAST do
    runs = took * 10 < LEAST and runs * 10 or math.ceil(runs * LEAST / took * 1.2)
    took = repeated(f, runs)
  end
  collectgarbage()
  local times, total = {}, 0
  repeat
    local each = repeated(f, runs)
    total = total + each
    times[#times + 1] = each / runs
  until #times == SAMPLES or total > MOST
  table.sort(times)
  return {median = times[math.ceil(#times / 2)], least = times[1], samples = #times, runs = runs}
end

return clock
