-- SPDX-License-Identifier: MIT
-- Sharded frames beside one process's: groups, as-of joins and sorts of random ones. LOCUS_ROUNDS
-- says how many.
local locus = require "locus"
local check = require "spec.mpi.check"
local shards = require "spec.mpi.shards"
local mpi, rank, size = locus.mpi, check.rank, check.size
local random, choose = shards.random, shards.choose

-- The rows that this rank has of a frame that is cut so.
local function rows(f, cuts)
  local before = 0
  for r = 1, rank do before = before + cuts[r] end
  return f[{{before + 1, before + cuts[rank + 1]}}]
end

local function shard(f, cuts) return mpi.shard(rows(f, cuts)) end

local function column_text(c)
  if locus.is_tensor(c) then return c.dtype .. c:contiguous():tobytes() end
  return table.concat(c:totable(), "\n")
end

local function equal(expected, got, what)
  check.equal(#expected, #got, what .. ": rows")
  local mine = expected[{{got.offset + 1, got.offset + #got.part}}]
  check.equal(table.concat(expected:columns(), " "), table.concat(got.part:columns(), " "), what)
  for _, name in ipairs(expected:columns()) do
    check.equal(column_text(mine:column(name)), column_text(got.part:column(name)),
                what .. ": " .. name)
  end
end

local SYMS = {"b", "a", "", "long name", "é", "c", "zz"}

-- Times ascend, with ties; syms are few.
local function make(n, low)
  local syms = {}
  for i = 1, n do syms[i] = SYMS[random(low, #SYMS)] end
  local time = locus.randint(0, 2 * n + 1, n):long():sort{indices = false}
  local price = locus.randn(n)
  price:masked_fill_(locus.randint(0, 9, n):eq(0), locus.nan)
  return locus.frame{{"time", time}, {"sym", syms}, {"id", locus.randint(-3, 4, n):int()},
                     {"price", price}}
end

local COLUMNS = {{"n", "count"}, {"mean", "mean", "price"}, {"last", "last", "sym"},
                 {"first", "first", "time"}, {"low", "min", "price"}}

for round = 1, tonumber(os.getenv("LOCUS_ROUNDS") or 30) do
  shards.seed(round)
  local n = choose {1, 7, 60}
  local f, g = make(n, 1), make(choose {1, 30, 80}, random(1, 3))
  local cuts, other_cuts = shards.cuts(n), shards.cuts(#g)
  local s = shard(f, cuts)
  equal(f, s, "shard")
  local whole = s:gather(size - 1)
  if rank == size - 1 then check.equal(tostring(f), tostring(whole), "gather") end
  for _, by in ipairs {"sym", "id", "time"} do
    local sorted = f:sort(by)
    equal(sorted, s:sort(by), "sort by " .. by)
    equal(sorted:group(by):agg(COLUMNS), shard(sorted, cuts):agg(by, COLUMNS), "agg by " .. by)
  end
  for _, by in ipairs {{}, {"sym"}, {"id"}, {"sym", "id"}} do
    local quotes = g:select("time", unpack(by)):with("bid", g.price):with("tag", g.sym)
    quotes = quotes:with("size", g.id)
    local other = shard(quotes, other_cuts)
    for _, direction in ipairs {"backward", "forward", "nearest"} do
      local options = {on = "time", by = by[1] and by, direction = direction,
                       inclusive = random(1, 2) == 1, missing = {size = -9}}
      if random(1, 2) == 1 then options.tolerance = 3 end
      if random(1, 2) == 1 then options.missing.tag = "none" end
      equal(f:asof(quotes, options), s:asof(other, options), "asof " .. direction)
    end
  end
end

-- Mistakes, and memory that is short on one rank.
local function falling(k) return mpi.shard(locus.frame{{"k", locus.tensor{k}}, {"s", {"x"}}}) end
local f = falling(size - rank)
check.equal(size * (size + 1) / 2, f.k:sum(), "a column")
check.raises("'s' is a string column; f.part.s has this rank's rows", function() return f.s end)
check.raises("rank 0: mpi.agg: the frame has no column 'q'; it has 'k', 's'",
             function() return f:agg("q", {{"n", "count"}}) end)
if size > 1 then
  local said = (" is not ascending: %d at [2] follows %d"):format(size - 1, size)
  check.raises("rank 1: mpi.agg: the column 'k'" .. said,
               function() return f:agg("k", {{"n", "count"}}) end)
  check.raises("rank 1: mpi.asof: 'frame.k'" .. said,
               function() return f:asof(f, {on = "k", suffix = "_right"}) end)
end

local function short(name, g)
  local expected, k = ("rank 0: mpi.%s: out of memory"):format(name), 0
  repeat
    k = k + 1
    if rank == 0 then locus.fail_allocation(k, true) end
    local ok, raised = pcall(g)
    if rank == 0 then locus.fail_allocation(0) end
    if not ok then check.equal(expected, tostring(raised):match(expected) or raised, name) end
  until ok
  check.equal(true, k > 1, name .. ": allocations failed")
end

f = falling(rank)
short("sort", function() return f:sort("s") end)
short("agg", function() return f:agg("k", {{"n", "count"}, {"last", "last", "s"}}) end)
short("asof", function() return f:asof(f, {on = "k", suffix = "_right"}) end)
short("asof", function() return f:asof(f, {on = "k", by = "s"}) end)
