-- SPDX-License-Identifier: MIT
-- The system's clocks, by number: nanoseconds.
local ffi = require "ffi"

ffi.cdef [[
  typedef struct { long seconds, nanoseconds; } bench_time;
  int clock_gettime(int, bench_time *);
]]
local time = ffi.new "bench_time"

local clock = {MONOTONIC = 1, OF_PROCESS = 2, OF_THREAD = 3}

function clock.read(number)
  ffi.C.clock_gettime(number, time)
  return tonumber(time.seconds) * 1e9 + tonumber(time.nanoseconds)
end

return clock
