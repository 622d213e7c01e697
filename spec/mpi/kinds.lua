-- SPDX-License-Identifier: MIT
-- Times and the like keep their kind and unit from rank to rank; ranks whose kinds differ raise.
local locus = require "locus"
local kinds = require "locus.tensor.kind"
local check = require "spec.mpi.check"
local mpi, rank, size = locus.mpi, check.rank, check.size
local root = size - 1

local function that(holds, what) check.equal(true, not not holds, what) end

-- The rows of a rank, of that kind.
local function rows(r, kind)
  return kinds.tagged(locus.arange(size, {dtype = "int64"}) + 100 * r, kind)
end

local function joined(kind)
  return locus.cat(check.all_ranks(function(r) return rows(r, kind) end))
end

for _, named in ipairs {{"time", "us"}, {"time", "ns"}, {"date"}, {"duration", "s"}, {"ipv4"}} do
  local kind = kinds.named(named[1], named[2])
  local what = kind.text
  local function equal(expected, got, name)
    check.equal(expected, got, name .. " " .. what)
    that(got == nil or kinds.of(got) == kind, name .. " keeps " .. what)
  end
  local own, all = rows(rank, kind), joined(kind)
  equal(all, mpi.allgather(own), "allgather")
  equal(rank == root and all or nil, mpi.gather(own, {root = root}), "gather")
  equal(all, (mpi.allgatherv(own)), "allgatherv")
  equal(rows(root, kind), mpi.bcast(rank == root and own or nil, {root = root}), "bcast")
  local out = locus.empty(0, {dtype = "int64"})
  equal(rows(root, kind), mpi.bcast(own, {root = root, out = out}), "bcast into out")
  that(kinds.of(out) == kind, "out becomes one of " .. what)
  equal(own, mpi.scatter(rank == root and all or nil, {root = root}), "scatter")
  local column = kinds.tagged(locus.arange(size, {dtype = "int64"}) * 100 + rank, kind)
  equal(column, mpi.alltoall(own), "alltoall")
  equal(rows(size - 1, kind), mpi.allreduce(own, "max"), "greatest")
  equal(rows(0, kind), mpi.allreduce(own, "min"), "least")
  local sum = mpi.allreduce(own, "sum")
  that(kinds.of(sum) == (named[1] == "duration" and kind or nil), "sum of " .. what)
  if size > 1 then
    if rank == 0 then mpi.send(own, 1)
    elseif rank == 1 then equal(rows(0, kind), mpi.recv(0), "recv") end
  end
end

local first = locus.time("2026-11-22T10:00:00Z")
local latest = mpi.allreduce(first + rank, "max")
that(tostring(latest) == tostring(first + (size - 1)), "one time is a time")

if size > 1 then
  local own = rows(rank, kinds.named("time", rank == 0 and "us" or "ns"))
  local ok, said = pcall(mpi.allgather, own)
  that(not ok and said:find("times in us", 1, true) and said:find("times in ns", 1, true),
    "units that differ raise: " .. tostring(said))
end
