-- SPDX-License-Identifier: MIT
-- A mistake on one rank of three or more raises the same sentence on all, and all go on.
local locus = require "locus"
local check = require "spec.mpi.check"
local collective = require "locus.mpi.collective"
local mpi, rank, size = locus.mpi, check.rank, check.size

-- f is called with `wrong` on rank 2, with `right` elsewhere: all raise this.
local function one_wrong(sentence, f, right, wrong, ...)
  local value = right
  if rank == 2 then value = wrong end
  check.raises("rank 2: " .. sentence, f, value, ...)
  check.equal(size, mpi.allreduce(1), "what comes after it")
end

local x = locus.zeros(2 * size)

one_wrong("mpi.allgather: 'x' must be a tensor or a table, got the string \"x\"", mpi.allgather, x,
          "x")
one_wrong("mpi.gather: 'x' is missing", mpi.gather, x, nil)
one_wrong("mpi.allgatherv: 'x' must be a tensor or a table, got the number 3", mpi.allgatherv, x, 3)
one_wrong("mpi.alltoall: 'x' must be a tensor or a table, got the number 3", mpi.alltoall, x, 3)
one_wrong("mpi.alltoall: 'x' must have rows, got a 0-d tensor", mpi.alltoall, x, locus.tensor(1))
one_wrong(("mpi.alltoall: 'x' has %d rows, which %d ranks cannot share evenly; write "
  .. "mpi.alltoallv"):format(2 * size + 1, size), mpi.alltoall, x, locus.zeros(2 * size + 1))
one_wrong("mpi.allreduce: 'op' must be \"sum\", \"prod\", \"min\", \"max\", \"and\" or \"or\", got "
  .. "the string \"mean\"", function(op) return mpi.allreduce(x, op) end, "sum", "mean")
for _, name in ipairs {"bcast", "reduce", "gather"} do
  for _, wrong in ipairs {-1, size} do
    one_wrong(("mpi.%s: 'root' must be a rank from 0 to %d, got %d"):format(name, size - 1, wrong),
              function(root) return mpi[name](x, {root = root}) end, 0, wrong)
  end
end
check.raises("rank 2: mpi.bcast: 'x' must be given on the root, rank 2", mpi.bcast, nil, {root = 2})
check.raises("rank 2: mpi.scatter: 'x' must be given on the root, rank 2", mpi.scatter, nil,
             {root = 2})
check.raises(("rank 0: mpi.scatter: 'x' has %d rows, which %d ranks cannot share evenly; write "
  .. "mpi.scatterv"):format(2 * size + 1, size), mpi.scatter, locus.zeros(2 * size + 1))

-- Counts.
local function with_counts(counts) return mpi.alltoallv(x, counts) end
local right = locus.full({size}, 2, {dtype = "int64"})
local short = locus.full({size}, 1, {dtype = "int64"})
local negative = right:clone()
negative[1], negative[2] = -1, 5
one_wrong(("mpi.alltoallv: 'counts' add up to %d, but 'x' has %d rows"):format(size, 2 * size),
          with_counts, right, short)
one_wrong("mpi.alltoallv: 'counts' has a negative number", with_counts, right, negative)
one_wrong(("mpi.alltoallv: 'counts' must be %d whole numbers, a table or an int64 tensor, got a "
  .. "float64 tensor of size %d"):format(size, size), with_counts, right, right:double())
one_wrong(("mpi.alltoallv: 'counts' must be %d whole numbers, a table or an int64 tensor, got the "
  .. "number 2"):format(size), with_counts, right, 2)

-- Arguments that must be equal and are not.
local function differs(mine, first, f, ...)
  check.raises(("rank 1: came to %s, where rank 0 came to %s"):format(mine, first), f, ...)
  check.equal(size, mpi.allreduce(1), "what comes after it")
end

local n = 2 * size
differs("mpi.barrier()", ("mpi.allgather(float64 %d)"):format(n),
        rank == 1 and mpi.barrier or mpi.allgather, rank ~= 1 and x or nil)
differs(("mpi.allgather(float32 %d)"):format(n), ("mpi.allgather(float64 %d)"):format(n),
        mpi.allgather, rank == 1 and x:float() or x)
differs(("mpi.gather(float64 1x%d, root=0)"):format(n),
        ("mpi.gather(float64 %d, root=0)"):format(n), mpi.gather, rank == 1 and x:view(1, n) or x)
differs(("mpi.reduce(float64 %d, sum, root=1)"):format(n),
        ("mpi.reduce(float64 %d, sum, root=0)"):format(n), mpi.reduce, x,
        {root = rank == 1 and 1 or 0})
differs(("mpi.exscan(float64 %d, max)"):format(n), ("mpi.exscan(float64 %d, sum)"):format(n),
        mpi.exscan, x, rank == 1 and "max" or "sum")
differs("mpi.allgatherv(float64 rows of 2)", "mpi.allgatherv(float64 rows of 3)",
        mpi.allgatherv, locus.zeros(2, rank == 1 and 2 or 3))

-- `out`, known to fit before or after others have been asked.
local function into(f, out) return f(x, {out = out}) end
one_wrong("mpi.allreduce: 'out' must be float64, got int64",
          function(out) return into(mpi.allreduce, out) end, x:clone(), x:long())
one_wrong(("mpi.allgather: 'out' must be of size %d, got 3"):format(n * size),
          function(out) return into(mpi.allgather, out) end, locus.zeros(0), locus.zeros(3))
one_wrong(("mpi.allgatherv: 'out' must be of size %d, got 3"):format(n * size),
          function(out) return into(mpi.allgatherv, out) end, locus.zeros(0), locus.zeros(3))
one_wrong("mpi.allreduce: 'out' overlaps 'x' in memory; give a separate tensor",
          function(out) return into(mpi.allreduce, out) end, x:clone(), x)

-- Memory that is short on one rank, whichever allocation that is.
local strided = check.strided(x)

local function check_short(name, f)
  local failed, k = 0, 0
  repeat
    k = k + 1
    if rank == 2 then locus.fail_allocation(k, true) end
    local ok, raised = pcall(f)
    if rank == 2 then locus.fail_allocation(0) end
    if not ok then
      failed = failed + 1
      local sentence = ("rank 2: mpi.%s: out of memory"):format(name)
      check.equal(sentence, raised:find(sentence, 1, true) and sentence or raised, "short")
    end
  until ok
  check.equal(true, failed > 0, "allocations failed in " .. name)
end

for _, name in ipairs {"gather", "allgather", "gatherv", "allgatherv", "alltoall", "allreduce",
                       "reduce", "exscan", "bcast", "scatter"} do
  check_short(name, function() return mpi[name](strided, nil) end)
end
check_short("alltoallv", function() return with_counts(right) end)
check_short("scatterv", function() return mpi.scatterv(strided, right) end)

-- A function made of others, which fails on one rank before, between or behind them.
local both = collective.wrap("both(x:tensor, fails:integer)", function(x_, fails)
  if fails == 1 then error("both: it fails before", 0) end
  local sum = mpi.allreduce(x_:sum())
  if fails == 2 then error("both: it fails between", 0) end
  local all = mpi.allgather(x_)
  if fails == 3 then error("both: it fails behind", 0) end
  return "both()", function() return all, sum end
end)

local function failing(which) return both(x, which) end
one_wrong("both: it fails before", failing, 0, 1)
one_wrong("both: it fails between", failing, 0, 2)
one_wrong("both: it fails behind", failing, 0, 3)
one_wrong("both: 'fails' must be a whole number, got the string \"x\"", failing, 0, "x")
check.equal(n * size, both(x, 0):numel(), "a function made of others")

-- An error that one rank catches of its own is no business of the others.
if rank == 1 then check.raises("add: 'other' is missing", locus.add, 1) end
check.raises(("mpi.send: 'rank' is %d, this rank itself"):format(rank), mpi.send, x, rank)
check.raises(("mpi.recv: 'rank' must be a rank from 0 to %d, got -1"):format(size - 1), mpi.recv,
             -1)
check.raises("mpi.send: 'tag' must be from 0 to 32766, got 32767", mpi.send, x,
             rank == 0 and 1 or 0, {tag = 32767})
check.raises("rank 0: mpi.barrier: takes at most 0 arguments by position, got 1", mpi.barrier, 1)
