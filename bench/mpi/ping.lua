-- SPDX-License-Identifier: MIT
-- Messages between ranks 0 and 1: a line for each size in bytes, with the median of the seconds
-- that one takes there. The last line has the seconds for which rank 0 is kept by sending one of
-- 8 bytes.
local locus = require "locus"
local clock = require "bench.clock"
local raw = require "locus.mpi.raw"
local mpi = locus.mpi

local function now() return clock.read(clock.MONOTONIC) / 1e9 end

-- There and back, by functions that do not agree on anything first.
local function ping(x)
  local first = mpi.rank() == 0
  local begun = now()
  if first then raw.send(x, 1, 1) else raw.receive(x, 0, 1) end
  local sent = now() - begun
  if first then raw.receive(x, 1, 1) else raw.send(x, 0, 1) end
  return (now() - begun) / 2, sent
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
