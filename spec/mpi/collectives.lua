-- SPDX-License-Identifier: MIT
-- Every collective, every dtype, in several layouts, compared with what one process computes.
local locus = require "locus"
local check = require "spec.mpi.check"
local mpi, rank, size = locus.mpi, check.rank, check.size

local sizes = {{}, {0}, {1}, {5, 3}, {4, 0}, {19}}

-- x as it is, and strided. All ranks must go through them in one order, so this is a list.
local function layouts(x) return {{"dense", x}, {"strided", check.strided(x)}} end

local function joined(list)
  if list[1]:dim() == 0 then return locus.stack(list) end
  return locus.cat(list)
end

local function rows_of(r) return (r * 5 + 2) % 7 % 4 end -- 2 3 1 2 0 ...

for _, dtype in ipairs(check.dtypes) do
  for _, shape in ipairs(sizes) do
    local what = dtype .. " " .. table.concat(shape, "x")
    local function of(r) return check.data(r, dtype, shape, true) end
    local whole = joined(check.all_ranks(of))
    for _, layout in ipairs(layouts(of(rank))) do
      local x = layout[2]
      local name = layout[1] .. " " .. what
      local root = size - 1
      check.equal(whole, mpi.allgather(x), "allgather " .. name)
      check.equal(rank == root and whole or nil, mpi.gather(x, {root = root}), "gather " .. name)
      check.equal(of(root), mpi.bcast(rank == root and x or nil, {root = root}), "bcast " .. name)
    end
  end
  for _, columns in ipairs {{}, {3}, {0}} do
    local function of(r)
      return check.data(r, dtype, {rows_of(r), unpack(columns)}, true)
    end
    local parts = check.all_ranks(of)
    local rows = locus.tensor(check.all_ranks(rows_of), {dtype = "int64"})
    for _, layout in ipairs(layouts(of(rank))) do
      local x = layout[2]
      local name = ("%s %s rows of %s"):format(layout[1], dtype, table.concat(columns, "x"))
      local whole, counts = mpi.allgatherv(x)
      check.equal(locus.cat(parts):reshape(whole.shape), whole, "allgatherv " .. name)
      check.equal(rows, counts, "counts of allgatherv " .. name)
      whole, counts = mpi.gatherv(x)
      if rank == 0 then
        check.equal(locus.cat(parts):reshape(whole.shape), whole, "gatherv " .. name)
      else
        check.equal(nil, whole, "gatherv elsewhere")
      end
      check.equal(rows, counts, "counts of gatherv " .. name)
    end
  end
end

-- Rank r sends (r + 2 s) % 4 rows to rank s.
local function sent(r, s) return (r + 2 * s) % 4 end

local function counts_of(r)
  return locus.tensor(check.all_ranks(function(s) return sent(r, s) end), {dtype = "int64"})
end

local function rows_to(r, s, x)
  local before = 0
  for t = 0, s - 1 do before = before + sent(r, t) end
  return x:narrow(1, before + 1, sent(r, s))
end

for _, dtype in ipairs(check.dtypes) do
  for _, columns in ipairs {{}, {3}, {0}} do
    local function of(r)
      return check.data(r, dtype, {tonumber(counts_of(r):sum()), unpack(columns)}, true)
    end
    local from = check.all_ranks(function(r) return rows_to(r, rank, of(r)) end)
    for _, layout in ipairs(layouts(of(rank))) do
      local x = layout[2]
      local name = ("alltoallv %s %s of %d columns"):format(layout[1], dtype, columns[1] or 1)
      local got, counts = mpi.alltoallv(x, counts_of(rank))
      check.equal(locus.cat(from):reshape(got.shape), got, name)
      check.equal(locus.tensor(check.all_ranks(function(r) return sent(r, rank) end),
                               {dtype = "int64"}), counts, "counts of " .. name)
    end
    local function even(r) return check.data(r, dtype, {2 * size, unpack(columns)}, true) end
    from = check.all_ranks(function(r) return even(r):narrow(1, 2 * rank + 1, 2) end)
    for _, layout in ipairs(layouts(even(rank))) do
      local x = layout[2]
      local got = mpi.alltoall(x)
      check.equal(locus.cat(from):reshape(got.shape), got, "alltoall " .. layout[1] .. dtype)
    end
  end
end
