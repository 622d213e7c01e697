-- SPDX-License-Identifier: MIT
-- mpi.load: each rank maps its rows of one file, that rank 0 writes.
local locus = require "locus"
local check = require "spec.mpi.check"
local mpi, rank, size = locus.mpi, check.rank, check.size

-- Rank 0's string, on all ranks.
local function share(text)
  return mpi.bcast(rank == 0 and locus.from_string(text, "uint8") or nil):tobytes()
end

local path = share(os.tmpname())
for _, shape in ipairs {{0}, {1}, {17}, {5, 3}, {size * 4}} do
  local whole = check.data(0, "int64", shape)
  if rank == 0 then whole:save(path) end
  mpi.barrier()
  local s = mpi.load(path)
  check.equal(whole.shape, s.shape, "its size")
  check.equal(whole:narrow(1, s.offset + 1, s.part:size(1)), s.part, "this rank's rows")
  check.equal(tostring(whole:sum()), tostring(s:sum()), "the sum of all")
  local written = pcall(function() s.part:fill_(1) end)
  check.equal(false, written and s.part:numel() > 0, "it is written to")
  mpi.barrier()
end
if rank == 0 then locus.tensor(1):save(path) end
mpi.barrier()
check.raises("rank 0: mpi.load: 'path' must name a file of a tensor with rows, got a 0-d float64 "
  .. "tensor", mpi.load, path)
mpi.barrier()
if rank == 0 then os.remove(path) end
check.raises("mpi.load: '/nowhere.npy' cannot be opened: No such file or directory", mpi.load,
             "/nowhere.npy")
