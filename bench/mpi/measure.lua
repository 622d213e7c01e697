-- SPDX-License-Identifier: MIT
-- measure.lua KEYS alone|sharded: sorts that many random float64 and searches for as many, three
-- times. A line each, by rank 0: the case, alone or sharded, ranks, threads, seconds of the slowest
-- rank, seconds of processor time on all ranks, and what all ranks gave to MPI: bytes and messages
-- between two of them, and bytes that they gave to collectives.
local ffi = require "ffi"
local locus = require "locus"
local clock = require "bench.clock"
local mpi = locus.mpi

ffi.cdef [[
  void pmpi_reset(void);
  double pmpi_calls(const char *function);
  double pmpi_bytes(const char *function);
]]

local KEYS, sharded = tonumber(arg[1]), arg[2] == "sharded"

local function seconds(number) return clock.read(number) / 1e9 end

local function measure(case, f)
  for _ = 1, 3 do
    collectgarbage()
    mpi.barrier()
    ffi.C.pmpi_reset()
    local wall, busy = seconds(clock.MONOTONIC), seconds(clock.OF_PROCESS)
    f()
    wall, busy = seconds(clock.MONOTONIC) - wall, seconds(clock.OF_PROCESS) - busy
    local messages, bytes = ffi.C.pmpi_calls "Isend", ffi.C.pmpi_bytes "Isend"
    local collective = 0
    for _, name in ipairs{"Allreduce", "Allgatherv", "Alltoall", "Bcast"} do
      collective = collective + ffi.C.pmpi_bytes(name)
    end
    wall, busy = mpi.allreduce(wall, "max"), mpi.allreduce(busy)
    messages, bytes = mpi.allreduce(messages), mpi.allreduce(bytes)
    collective = mpi.allreduce(collective)
    if mpi.rank() == 0 then
      print(table.concat({case, arg[2], mpi.size(), os.getenv "LOCUS_NUM_THREADS", wall, busy,
                          bytes, messages, collective}, "\t"))
    end
  end
end

-- This rank's share of as many random numbers.
local function draw(seed)
  local generator = locus.generator(1000 * seed + mpi.rank())
  return locus.rand(math.floor(KEYS / mpi.size()), {generator = generator})
end

local keys, values = draw(1), draw(2)
if sharded then keys, values = mpi.shard(keys), mpi.shard(values) end
local sorted = keys:sort()
measure("sort", function() keys:sort() end)
measure("searchsorted", function() sorted:searchsorted(values) end)
