-- SPDX-License-Identifier: MIT
-- A mistake about a sharded tensor on one rank of three or more raises the same sentence on all,
-- and all go on; so does memory that is short there, whichever allocation that is.
local locus = require "locus"
local check = require "spec.mpi.check"
local thresholds = require "locus.sharded.search"
local mpi, rank, size = locus.mpi, check.rank, check.size

local x = locus.arange(5) + 5 * rank
local s, matrix = mpi.shard(x), mpi.shard(locus.zeros(2, 3))
local n = 5 * size

local function go_on() check.equal(size, mpi.allreduce(1), "what comes after it") end

-- f is called with `wrong` on rank 2, with `right` elsewhere: all raise this.
local function one_wrong(sentence, f, right, wrong)
  local value = right
  if rank == 2 then value = wrong end
  check.raises("rank 2: " .. sentence, f, value)
  go_on()
end

local function all_wrong(sentence, f, ...)
  check.raises("rank 0: " .. sentence, f, ...)
  go_on()
end

-- -- Making --------------------------------------------------------------------------------------

one_wrong("mpi.shard: 'x' must have rows, got a 0-d tensor", mpi.shard, x, locus.tensor(1))
one_wrong("mpi.shard: 'x' must be a tensor or a table, got nil", mpi.shard, x, nil)
all_wrong(("mpi.shard: 'root' must be a rank from 0 to %d, got %d"):format(size - 1, size),
          mpi.shard, x, {root = size})
all_wrong("mpi.shard: 'x' must be given on the root, rank 0", mpi.shard, nil, {root = 0})
check.raises(("rank 1: came to mpi.shard(float32 rows of one), where rank 0 came to "
  .. "mpi.shard(float64 rows of one)"), mpi.shard, rank == 1 and x:float() or x)
go_on()
check.equal(true, not pcall(mpi.load, "/nowhere.npy"), "a file that is not there")
one_wrong("mpi.map: 'f' must give a tensor of 5 rows, as it was given, got the number 1",
          function(f) return s:map(f) end, function(y) return y end, function() return 1 end)

-- -- Arguments -----------------------------------------------------------------------------------

local names = {"all", "any", "argsort", "argwhere", "count_nonzero", "histogram",
               "max", "mean", "min", "nonzero", "rebalance", "sort", "sum", "unique"}
for _, name in ipairs(names) do
  one_wrong(("mpi.%s: 'input' must be a sharded tensor, as mpi.shard gives, got a float64 tensor "
    .. "of size 5"):format(name), mpi[name], s, x)
end
one_wrong("mpi.sum: 'dim' must be in 1..1 or -1..-1, got 3",
          function(dim) return s:sum(dim) end, 1, 3)
check.raises(("rank 1: came to mpi.sum(float64 %dx3, 2, false), where rank 0 came to "
  .. "mpi.sum(float64 %dx3, 1, false)"):format(2 * size, 2 * size),
  function() return matrix:sum(rank == 1 and 2 or 1) end)
go_on()
all_wrong("mpi.min: 'input' has no elements", function() return mpi.shard(locus.zeros(0)):min() end)
one_wrong("mpi.sort: 'descending' must be true or false, got the number 1",
          function(descending) return s:sort(1, descending) end, true, 1)
one_wrong("mpi.where: 'x' must be sharded or broadcast over the rows of bool "
  .. n .. ", got a float64 tensor of size 5",
  function(y) return s:map(function(rows) return rows:gt(2) end):where(y, 0) end, s, x)
local other = mpi.shard(rank == 0 and x or locus.zeros(6))
all_wrong("mpi.where: 'x' must have as many dimensions as 'condition', and as many rows on every "
  .. "rank; mpi.rebalance cuts both the same way",
  function() return s:map(function(rows) return rows:gt(2) end):where(other, 0) end)
all_wrong("mpi.searchsorted: a sharded sequence must be 1-D, got float64 "
  .. 2 * size .. "x3", mpi.searchsorted, matrix, 1)
one_wrong("mpi.searchsorted: 'sorter' cannot be used with a sharded sequence; write "
  .. "mpi.sort(sequence)", function(sorter) return s:searchsorted(1, {sorter = sorter}) end, nil, x)
one_wrong("mpi.searchsorted: 'values' is missing", function(v) return s:searchsorted(v) end, x, nil)
one_wrong("mpi.bincount: 'input' must hold numbers of at least 1 (0 with base = 0), got 0 at [2]",
  function(y) return mpi.shard(y):bincount() end, locus.LongTensor{1, 2}, locus.LongTensor{1, 0})
all_wrong("mpi.unique: 'input' is complex64, and complex numbers have no order",
          function() return mpi.shard(locus.zeros(2):to("complex64")):unique() end)

-- -- Order across ranks --------------------------------------------------------------------------

thresholds.short, thresholds.few = 0, 0
local falls = mpi.shard(rank == 2 and locus.tensor{7, 8} or x)
check.raises("rank 2: mpi.searchsorted: 'sorted_sequence' is not ascending: 7 at [11] follows 9",
             function() return falls:searchsorted(x, {check = true}) end)
local nan = mpi.shard(rank == 1 and locus.tensor{3, locus.nan} or locus.tensor{1})
check.raises("rank 1: mpi.searchsorted: 'sorted_sequence' is not descending: 3 at [2] follows 1",
  function() return nan:searchsorted(x, {check = true, descending = true}) end)
go_on()

-- -- No dimensions -------------------------------------------------------------------------------

-- For dim = {} each answers as it does for a tensor.
for _, name in ipairs {"sum", "mean", "any", "all", "count_nonzero", "min", "max"} do
  local whole = matrix:allgather()
  local got = matrix[name](matrix, {dim = {}})
  if mpi.is_sharded(got) then got = got:allgather() end
  check.equal(whole[name](whole, {dim = {}}), got, name .. " of no dimensions")
  got = matrix[name](matrix, {})
  if mpi.is_sharded(got) then got = got:allgather() end
  check.equal(whole[name](whole, {}), got, name .. " of an empty table")
end

-- -- Memory that is short on one rank ------------------------------------------------------------

local function short(name, f)
  local k, failed = 0, 0
  repeat
    k = k + 1
    if rank == 2 then locus.fail_allocation(k, true) end
    local ok, raised = pcall(f)
    if rank == 2 then locus.fail_allocation(0) end
    if not ok then
      local expected = ("rank 2: mpi.%s: out of memory"):format(name)
      check.equal(expected, tostring(raised):match(expected) or raised, "memory is short")
      failed = failed + 1
    end
  until ok
  check.equal(true, failed > 0, name .. ": allocations failed")
  go_on()
end

local mask = s:map(function(rows) return rows:gt(2) end)
local whole = locus.arange(4)
short("shard", function() return mpi.shard(x) end)
short("shard", function() return mpi.shard(whole, {root = 1}) end)
short("rebalance", function() return other:rebalance() end)
short("allgather", function() return s:allgather() end)
short("gather", function() return s:gather(1) end)
short("sum", function() return s:sum() end)
short("mean", function() return matrix:mean(1) end)
short("max", function() return matrix:max(1) end)
short("nonzero", function() return matrix:nonzero() end)
short("where", function() return mask:where(s, 0) end)
short("masked_select", function() return s:masked_select(mask) end)
short("sort", function() return s:sort() end)
short("unique", function() return s:unique{return_inverse = true, sorted = false} end)
short("histogram", function() return s:histogram(3) end)
local sequence = mpi.shard(x) -- what it keeps is not there yet
short("searchsorted", function() return sequence:searchsorted(x) end)
thresholds.few = 1024
short("searchsorted", function() return sequence:searchsorted(x) end)
thresholds.short, thresholds.few, thresholds.hot = 0, 0, 0.3
local threes = locus.full({9}, 3)
short("searchsorted", function() return sequence:searchsorted(threes) end)

-- -- Bins ----------------------------------------------------------------------------------------

local lacking = mpi.shard(locus.tensor{rank, locus.nan, rank + 4})
all_wrong("mpi.histogram: 'input' holds nan, so the range of the bins must be given: write "
  .. "{range = {0, " .. size + 3 .. "}} for its finite elements", mpi.histogram, lacking, 3)

-- -- The object ----------------------------------------------------------------------------------

check.raises("a sharded tensor has no 'exp'; write s:map(function(x) return x:exp(...) end)",
             function() return s.exp end)
check.raises("a sharded tensor has no 'part_'; did you mean 'part'?", function() return s.part_ end)
check.raises("a sharded tensor has no brackets; write s.part[...] for this rank's rows",
             function() return s[1] end)
check.raises("a sharded tensor cannot be changed", function() s.x = 1 end)
check.raises("size: 'dim' must be in 1..1 or -1..-1, got 2", function() return s:size(2) end)
check.equal(("%s\n[rows of rank %d of %d: %d to %d of a float64 tensor of size %d]"):format(
  tostring(x), rank, size, 5 * rank + 1, 5 * rank + 5, n), tostring(s), "its text")
check.equal(true, mpi.is_sharded(s) and not mpi.is_sharded(x), "what is sharded")
check.equal(n, s:size(-1), "size along a dimension")
check.equal(6 * size, matrix:numel(), "elements")
check.equal(5 * rank, s.offset, "offset")
check.equal(true, s.ndim == 1 and s:dim() == 1 and #s == n and s.dtype == "float64"
  and s.device == "cpu" and s.shape == locus.zeros(n).shape, "fields")
