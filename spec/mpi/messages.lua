-- SPDX-License-Identifier: MIT
-- scatter and scatterv, send and recv, and `out`.
local locus = require "locus"
local check = require "spec.mpi.check"
local mpi, rank, size = locus.mpi, check.rank, check.size

local function count_of(r) return (r * 5 + 2) % 7 % 4 end

local counts = locus.tensor(check.all_ranks(count_of), {dtype = "int64"})
local total = tonumber(counts:sum())
local root = size - 1

local function before(r)
  local sum = 0
  for s = 0, r - 1 do sum = sum + count_of(s) end
  return sum
end

for _, dtype in ipairs(check.dtypes) do
  for _, columns in ipairs {{}, {3}, {0}} do
    local what = dtype .. " of columns " .. table.concat(columns)
    local even = check.data(9, dtype, {2 * size, unpack(columns)}, true)
    local ragged = check.data(8, dtype, {total, unpack(columns)}, true)
    for _, strided in ipairs {false, true} do
      local function given(x) return rank == root and (strided and check.strided(x) or x) or nil end
      check.equal(even:narrow(1, 2 * rank + 1, 2):clone(), mpi.scatter(given(even), {root = root}),
                  "scatter " .. what)
      check.equal(ragged:narrow(1, before(rank) + 1, count_of(rank)):clone(),
                  mpi.scatterv(given(ragged), rank == root and counts or nil, {root = root}),
                  "scatterv " .. what)
    end
  end
  -- Each to the next, which for one rank is nobody.
  for _, shape in ipairs {{}, {0}, {5, 3}, {4, 0}, {19}} do
    local to, from = (rank + 1) % size, (rank - 1) % size
    local x, wanted = check.data(rank, dtype, shape, true), check.data(from, dtype, shape, true)
    if size > 1 then
      if rank % 2 == 0 then mpi.send(check.strided(x), to, {tag = 7}) end
      check.equal(wanted, mpi.recv(from, {tag = 7}), "recv " .. dtype)
      if rank % 2 == 1 then mpi.send(x, to, {tag = 7}) end
    end
  end
end

-- A large one, beyond what MPI sends at once.
if size > 1 and rank == 0 then
  for tag = 0, 2 do mpi.send(locus.arange(2e5) + tag, 1, {tag = tag}) end
elseif rank == 1 then
  for tag = 0, 2 do
    check.equal(locus.arange(2e5) + tag, mpi.recv(0, {tag = tag}), "a large tensor")
  end
end

-- -- `out` -------------------------------------------------------------------------------------

local x = check.data(rank, "float64", {4, size})
local function parts(f) return locus.cat(check.all_ranks(f)) end
local all = parts(function(r) return check.data(r, "float64", {4, size}) end)

-- f(out) into an `out` of each kind is that out, and holds the answer.
local function check_out(answer, what, f)
  local dtype = answer.dtype
  local outs = {{"of the right size", locus.empty(answer.shape, {dtype = dtype})},
                {"empty", locus.empty({0}, {dtype = dtype})},
                {"strided", check.strided(locus.zeros(answer.shape, {dtype = dtype}))}}
  for _, out in ipairs(outs) do
    check.equal(true, rawequal(out[2], (f(out[2]))), what .. " answers out")
    check.equal(answer, out[2]:clone(), what .. " into an out " .. out[1])
  end
end

check_out(all, "allgather", function(out) return mpi.allgather(x, {out = out}) end)
check_out(all, "allgatherv", function(out) return mpi.allgatherv(x, {out = out}) end)
check_out(check.data(0, "float64", {4, size}), "bcast", function(out)
  return mpi.bcast(rank == 0 and x or nil, {out = out})
end)
local even = locus.cat(check.all_ranks(function(r) return check.data(r, "float64", {1, 3}) end))
local mine = locus.cat(check.all_ranks(function() return even:narrow(1, rank + 1, 1) end))
check_out(mine, "alltoall", function(out) return mpi.alltoall(even, {out = out}) end)
check_out(mine, "alltoallv", function(out)
  return mpi.alltoallv(even, locus.full({size}, 1, {dtype = "int64"}), {out = out})
end)
check_out(even:narrow(1, rank + 1, 1), "scatter", function(out)
  return mpi.scatter(rank == root and even or nil, {root = root, out = out})
end)
check_out(even * size, "allreduce", function(out) return mpi.allreduce(even, {out = out}) end)
local squares = even * even -- without a -0
check_out(squares * rank, "exscan", function(out) return mpi.exscan(squares, {out = out}) end)
local sum = mpi.allreduce(2, {out = locus.empty({})})
check.equal(locus.full({}, 2 * size, {dtype = "float64"}), sum, "a number into an out")
if rank == 0 then
  check_out(all, "gather", function(out) return mpi.gather(x, {out = out}) end)
else
  for _ = 1, 3 do mpi.gather(x) end
end
if size > 1 and rank == 0 then
  for _ = 1, 3 do mpi.send(even, 1) end
elseif rank == 1 then
  check_out(even, "recv", function(out) return mpi.recv(0, {out = out}) end)
end

-- A message that does not fit is gone; the next one is whole.
if size > 1 and rank == 0 then
  mpi.send(locus.arange(20), 1)
  mpi.send(locus.arange(3), 1)
elseif rank == 1 then
  check.raises("mpi.recv: 'out' must be of size 20, got 5", mpi.recv, 0,
               {out = locus.zeros(5)})
  check.equal(locus.arange(3), mpi.recv(0), "after a message that did not fit")
end
