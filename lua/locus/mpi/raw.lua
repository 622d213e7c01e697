-- SPDX-License-Identifier: MIT
-- The functions of src/bind/bytes/mpi.c: messages of dense tensors on the CPU, unchecked. `rank` is
-- this rank's number, nil until MPI has been started.
local raw = require("locus.core").internal.mpi_functions()

local start = raw.begin

function raw.begin()
  local rank, size = start()
  raw.rank = rank
  return rank, size
end

return raw
