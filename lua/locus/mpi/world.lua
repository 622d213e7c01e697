-- SPDX-License-Identifier: MIT
-- Which ranks there are. Ranks are numbered from 0, as everywhere in MPI.
local core = require "locus.core"
local declare = require "locus.call.declare"
local collective = require "locus.mpi.collective"
local raw = require "locus.mpi.raw"
local mpi = core.mpi

-- mpi.why(): the sentence that says why there is no MPI here, nil if there is. Starts nothing.
mpi.why = declare.define("mpi.why()", function() return raw.why() end)

-- mpi.rank(): the number of this process, counted from 0.
mpi.rank = declare.define("mpi.rank()", function()
  local rank = raw.begin()
  return rank
end)

-- mpi.size(): how many processes there are: 1 without mpirun.
mpi.size = declare.define("mpi.size()", function()
  local _, size = raw.begin()
  return size
end)

-- mpi.barrier(): returns when all ranks have called it.
collective.define("mpi.barrier()", function() return "mpi.barrier()", function() end end)

-- mpi.finalize(): ends MPI, which happens at exit anyway; no function but why works afterwards.
-- Does nothing where MPI has not been started.
mpi.finalize = declare.define("mpi.finalize()", function() raw.finish() end)
