-- SPDX-License-Identifier: MIT
-- Tensors of a device, the emulated one: answers lie where x does, and are the CPU's.
local locus = require "locus"
local check = require "spec.mpi.check"
local mpi, rank, size = locus.mpi, check.rank, check.size

for _, dtype in ipairs(check.dtypes) do
  local x = check.data(rank, dtype, {4, 2 * size}, true)
  local on_device = x:cuda()
  local function same(f, what)
    local here, there = f(x), f(on_device)
    if here == nil then return check.equal(nil, there, what) end
    check.equal(on_device.device, there.device, "the device of " .. what .. dtype)
    check.equal(here, there:cpu(), what .. " " .. dtype)
  end
  same(mpi.allgather, "allgather")
  same(mpi.gather, "gather")
  same(mpi.allgatherv, "allgatherv")
  same(function(a) return mpi.allgather(a:t()) end, "allgather, strided")
  same(function(a) return mpi.alltoall(a:t()) end, "alltoall")
  local function given(a) return rank == 1 and a or locus.zeros_like(a) end
  same(function(a) return mpi.bcast(given(a), {root = 1}) end, "bcast")
  same(function(a) return mpi.scatter(a:t()) end, "scatter")
  same(mpi.allreduce, "allreduce")
  same(mpi.exscan, "exscan")
end
