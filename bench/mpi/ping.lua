-- SPDX-License-Identifier: MIT
-- Messages between ranks 0 and 1: a line for each size in bytes, with the median of the seconds that
-- one takes there; and the seconds for which rank 0 is kept by sending one of 8 bytes.
local ffi = require "ffi"
local locus = require "locus"
local mpi = locus.mpi

ffi.cdef [[
  typedef struct { long seconds, nanoseconds; } ping_time;
  int clock_gettime(int clock, ping_time *time);
]]

local function clock()
  local time = ffi.new "ping_time"
  ffi.C.clock_gettime(1, time)
  return tonumber(time.seconds) + 1e-9 * tonumber(time.nanoseconds)
end

-- There and back, by the functions that messages of sharded tensors take, which agree on nothing.
local raw = require "locus.mpi.raw"

local function ping(x)
  local first = mpi.rank() == 0
  local begun = clock()
  if first then raw.send(x, 1, 1) else raw.receive(x, 0, 1) end
  local sent = clock() - begun
  if first then raw.receive(x, 1, 1) else raw.send(x, 0, 1) end
  return (clock() - begun) / 2, sent
end

local function median(list)
  table.sort(list)
  return list[math.floor(#list / 2) + 1]
end

mpi.barrier()
for power = 3, 23 do
  local x, times, sends = locus.zeros(2 ^ power / 8), {}, {}
  for i = 1, power < 16 and 1000 or 50 do times[i], sends[i] = ping(x) end
  if mpi.rank() == 0 then print(2 ^ power, median(times), median(sends)) end
end
