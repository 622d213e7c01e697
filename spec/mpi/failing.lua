-- SPDX-License-Identifier: MIT
-- Every call of MPI that fails is raised: spec/support/programs/mpifails.c has each
-- of them fail in its turn, on two ranks at the same place. An exchange between pairs of ranks is
-- out of step after a failure: the number `last` says which call of MPI fails in the last thing
-- done.
local ffi = require "ffi"
local locus = require "locus"
local check = require "spec.mpi.check"
local mpi, rank = locus.mpi, check.rank

ffi.cdef "int mpifails_at(int k);"

local x = locus.arange(6)
local counts = locus.full({2}, 3, {dtype = "int64"})

-- The work of both ranks; the last number is a tag that no other call has had, since messages that
-- were sent and not received stay.
local calls = {
  barrier = function() mpi.barrier() end,
  bcast = function() return mpi.bcast(x) end,
  gather = function() return mpi.gather(x) end,
  allgather = function() return mpi.allgather(x) end,
  scatter = function() return mpi.scatter(x) end,
  alltoall = function() return mpi.alltoall(x) end,
  allreduce = function() return mpi.allreduce(x) end,
  reduce = function() return mpi.reduce(x, "min") end,
  exscan = function() return mpi.exscan(x) end,
  message = function(tag)
    if rank == 0 then mpi.send(x, 1, {tag = tag}) else mpi.recv(0, {tag = tag}) end
  end,
  difference = function()
    local ok, said = pcall(mpi.allgather, rank == 0 and x or x:float())
    if not ok and not said:find("came to", 1, true) then error(said, 0) end
  end,
  complaint = function()
    local ok, said = pcall(mpi.alltoall, rank == 0 and x or 3)
    if not ok and not said:find("must be a tensor", 1, true) then error(said, 0) end
  end,
}

local MOST = 16 -- calls of MPI; both ranks try as many, since one may make fewer

-- Calls f with the k-th call of MPI failing: the name of that one, or nil where f makes fewer.
local function failing(k, f, tag)
  ffi.C.mpifails_at(k)
  local ok, said = pcall(f, tag)
  local hit = ffi.C.mpifails_at(0) > 0
  assert(ok ~= hit, said)
  return hit and assert(said:match("(MPI_[%w_]+) failed on rank %d: "), said)
end

return function(last)
  local names, tag = {}, 0
  for name in pairs(calls) do names[#names + 1] = name end
  table.sort(names)
  for _, name in ipairs(last and {} or names) do
    local hits = 0
    for k = 1, MOST do
      tag = tag + 1
      if failing(k, calls[name], tag) then hits = hits + 1 end
    end
    assert(hits > 0 and hits < MOST, name)
  end
  check.equal(2, mpi.allreduce(1), "what comes after it")
  print(last and failing(last, function() return mpi.alltoallv(x, counts) end) or "all raised")
end
