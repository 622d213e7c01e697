-- SPDX-License-Identifier: MIT
-- Bytes and messages of sharded tensors, as spec/support/programs/pmpi.c counts them, are those of
-- docs/mpi.md.
local ffi = require "ffi"
local locus = require "locus"
local check = require "spec.mpi.check"
local shards = require "spec.mpi.shards"
local splitters = require "locus.sharded.splitters"
local thresholds = require "locus.sharded.search"
local rank, size = check.rank, check.size

ffi.cdef [[
  void pmpi_reset(void);
  double pmpi_calls(const char *function);
  double pmpi_bytes(const char *function);
]]

local AGREEMENT = 24 -- bytes

-- The calls of MPI in a call: a table of {calls, bytes} by function.
local function count(f)
  ffi.C.pmpi_reset()
  f()
  local got = {}
  for _, name in ipairs {"Allreduce", "Allgatherv", "Alltoall", "Isend"} do
    got[name] = {tonumber(ffi.C.pmpi_calls(name)), tonumber(ffi.C.pmpi_bytes(name))}
  end
  return got
end

-- The messages of the parts of a function, in docs/mpi.md's words.
local function nothing()
  return {agreements = 0, Allreduce = {0, 0}, Allgatherv = {0, 0}, Alltoall = {0, 0},
          Isend = {0, 0}}
end

local function add(sum, name, calls, bytes)
  sum[name][1], sum[name][2] = sum[name][1] + calls, sum[name][2] + bytes
end

local function agree(sum) sum.agreements = sum.agreements + 1 end

local function allreduce(sum, bytes)
  agree(sum)
  add(sum, "Allreduce", 1, bytes)
end

local function allgather(sum, bytes)
  agree(sum)
  add(sum, "Allgatherv", 1, bytes)
end

local function allgatherv(sum, bytes)
  allgather(sum, 8)
  allgather(sum, bytes)
end

-- rows: by rank, how many go there.
local function alltoallv(sum, rows, width)
  agree(sum)
  add(sum, "Alltoall", 1, 8 * (size - 1))
  agree(sum)
  for r, n in pairs(rows) do
    if r ~= rank and n > 0 then add(sum, "Isend", 1, n * width) end
  end
end

local function equal(sum, got, what)
  add(sum, "Allreduce", sum.agreements, AGREEMENT * sum.agreements)
  for name, pair in pairs(got) do
    check.equal(sum[name][1], pair[1], ("%s: calls of MPI_%s"):format(what, name))
    check.equal(sum[name][2], pair[2], ("%s: bytes of MPI_%s"):format(what, name))
  end
end

-- -- Who has what --------------------------------------------------------------------------------

-- The rank of each row, counted from 1, with that many rows on each rank.
local function ranks_of(cuts)
  local ranks = {}
  for r, n in ipairs(cuts) do
    for _ = 1, n do ranks[#ranks + 1] = r - 1 end
  end
  return ranks
end

local function blocks(n)
  local counts = {}
  for r = 1, size do counts[r] = math.floor(r * n / size) - math.floor((r - 1) * n / size) end
  return counts
end

local function more(rows, r) rows[r] = (rows[r] or 0) + 1 end

-- Every so-and-so-many of each rank's sorted elements, as places in the order of all.
local function sample(places_by_rank, n)
  local every = math.max(1, math.floor(n / math.min(splitters.samples * size * size,
                                                    splitters.most)))
  local all, own = {}, 0
  for r = 0, size - 1 do
    for i = 1, #places_by_rank[r], every do
      all[#all + 1] = places_by_rank[r][i]
      if r == rank then own = own + 1 end
    end
  end
  table.sort(all)
  local chosen = {}
  for k = 1, size - 1 do chosen[k] = all[math.floor(k * #all / size) + 1] end
  return chosen, own
end

-- How many of the splitters are not beyond a place.
local function bucket(chosen, place)
  local r = 0
  while chosen[r + 1] and chosen[r + 1] <= place do r = r + 1 end
  return r
end

-- -- Functions -----------------------------------------------------------------------------------

local function nonzero(whole, cuts)
  local s = shards.shard(whole, cuts)
  local sum = nothing()
  agree(sum)
  allgather(sum, 8)
  agree(sum)
  equal(sum, count(function() s:nonzero() end), "nonzero")
end

local function searchsorted(whole, cuts)
  thresholds.short, thresholds.few, thresholds.hot = 0, 0, 1e9
  local sorted = whole:sort()
  local s = shards.shard(sorted, cuts)
  s:searchsorted(locus.zeros(1)) -- what it keeps
  local values = locus.randint(-30, 30, 80):double() / 4
  local query_cuts = shards.cuts(80)
  local places, of_query = sorted:searchsorted(values), ranks_of(query_cuts)
  local of_row = ranks_of(cuts)
  local last = of_row[#of_row]
  local to, back = {}, {}
  for q = 1, 80 do
    local owner = of_row[places[q]] or last
    if of_query[q] == rank then more(to, owner) end
    if owner == rank then more(back, of_query[q]) end
  end
  local sum = nothing()
  agree(sum)
  allreduce(sum, 8)
  allreduce(sum, 8 * size)
  alltoallv(sum, to, 8)
  alltoallv(sum, back, 8)
  agree(sum)
  local mine = shards.rows(values, query_cuts)
  equal(sum, count(function() s:searchsorted(mine) end), "searchsorted")
end

-- The places of each rank's elements in the order of all.
local function places_of(whole, cuts)
  local place, ranks, by_rank = {}, ranks_of(cuts), {}
  for at, position in ipairs(whole:argsort():totable()) do place[tonumber(position)] = at end
  for r = 0, size - 1 do by_rank[r] = {} end
  for i, r in ipairs(ranks) do table.insert(by_rank[r], place[i]) end
  for r = 0, size - 1 do table.sort(by_rank[r]) end
  return by_rank
end

local function sort(whole, cuts)
  local s, n = shards.shard(whole, cuts), #whole
  local by_rank = places_of(whole, cuts)
  local chosen, own = sample(by_rank, n)
  local to, again, block_of = {}, {}, ranks_of(blocks(n))
  for _, place in ipairs(by_rank[rank]) do more(to, bucket(chosen, place)) end
  local sizes = {}
  for place = 1, n do
    local r = bucket(chosen, place)
    more(sizes, r)
    if r == rank then more(again, block_of[place]) end
  end
  local balanced = true
  for r, block in ipairs(blocks(n)) do balanced = balanced and (sizes[r - 1] or 0) == block end
  local sum = nothing()
  agree(sum)
  allgatherv(sum, 8 * own)
  alltoallv(sum, to, 8)
  alltoallv(sum, to, 8)
  allgather(sum, 8)
  for _ = 1, balanced and 0 or 2 do alltoallv(sum, again, 8) end
  agree(sum)
  equal(sum, count(function() s:sort() end), "sort")
end

local function unique(whole, cuts)
  local s = shards.shard(whole, cuts)
  local place, by_rank, total = {}, {}, 0
  for at, value in ipairs(whole:unique():totable()) do place[tostring(value)] = at end
  local ranks, seen = ranks_of(cuts), {}
  for r = 0, size - 1 do by_rank[r], seen[r] = {}, {} end
  for i, value in ipairs(whole:totable()) do
    local r, at = ranks[i], place[tostring(value)]
    if not seen[r][at] then
      seen[r][at], total = true, total + 1
      table.insert(by_rank[r], at)
    end
  end
  for r = 0, size - 1 do table.sort(by_rank[r]) end
  local chosen, own = sample(by_rank, total)
  local to, back = {}, {}
  for r = 0, size - 1 do
    for _, at in ipairs(by_rank[r]) do
      local owner = bucket(chosen, at)
      if r == rank then more(to, owner) end
      if owner == rank then more(back, r) end
    end
  end
  local sum = nothing()
  agree(sum)
  allreduce(sum, 8)
  allgatherv(sum, 8 * own)
  alltoallv(sum, to, 8)
  alltoallv(sum, to, 8)
  allgather(sum, 8)
  alltoallv(sum, back, 8)
  agree(sum)
  equal(sum, count(function() s:unique{return_inverse = true, return_counts = true} end), "unique")
end

assert(size > 1)
for round = 1, 20 do
  shards.seed(round)
  local n = shards.choose {50, 400}
  local whole = locus.randint(-20, round % 2 == 0 and 10 or 1000, n):double() / 4
  for _, f in ipairs {nonzero, searchsorted, sort, unique} do f(whole, shards.cuts(n)) end
end
