-- SPDX-License-Identifier: MIT
-- locus.mpi: messages between processes, through MPI.
for file in ("world bcast gather scatter alltoall reduce message"):gmatch("%S+") do
  require("locus.mpi." .. file)
end
require "locus.sharded"
