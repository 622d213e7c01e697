-- SPDX-License-Identifier: MIT
-- Which ranks there are. Ranks are numbered from 0, as everywhere in MPI.
local core = require "locus.core"
local declare = require "locus.declare"
local collective = require "locus.mpi.collective"
local internal, mpi = core.internal, core.mpi

-- why(): the sentence that says why there is no MPI here, nil where there is. It does not start it.
mpi.why = declare.define("mpi.why()", function() return internal.mpi_why() end)

-- rank(): the number of this process, from 0 on.
mpi.rank = declare.define("mpi.rank()", function()
  local rank = internal.mpi_begin()
  return rank
end)

-- size(): how many processes there are: 1 without mpirun.
mpi.size = declare.define("mpi.size()", function()
  local _, size = internal.mpi_begin()
  return size
end)

-- barrier(): returns when all ranks have called it.
collective.define("mpi.barrier()", function() return "mpi.barrier()", function() end end)

-- finalize(): ends MPI, which happens at exit anyway; no function but why works afterwards. Does
-- nothing where MPI has not been started.
mpi.finalize = declare.define("mpi.finalize()", function() internal.mpi_finish() end)
