-- SPDX-License-Identifier: MIT
-- Random tensors, cut at random. Every rank makes the same whole tensor, takes its rows, and knows
-- what one process answers, and checks its own rows of that.
local locus = require "locus"
local check = require "spec.mpi.check"
local mpi, rank, size = locus.mpi, check.rank, check.size

local shards = {answers = 0, real = {}}

for _, dtype in ipairs(check.dtypes) do
  if check.kind(dtype) ~= "COMPLEX" then shards.real[#shards.real + 1] = dtype end
end

-- A whole number from low to high, the same on all ranks.
local state = 1
function shards.random(low, high)
  state = (state * 16807) % 2147483647
  return low + math.floor(state / 2147483647 * (high - low + 1))
end
local random = shards.random

-- Seeds that are near to each other begin alike, but do not go on so.
function shards.seed(seed)
  state = seed
  for _ = 1, 5 do random(0, 1) end
  locus.manual_seed(seed)
end

function shards.choose(list) return list[random(1, #list)] end

-- The number of the rows on each rank: in any proportion, and some ranks have none.
function shards.cuts(rows)
  local weights, total = {}, 0
  for r = 1, size do
    weights[r] = random(1, 4) == 1 and 0 or random(1, 10) ^ 2
    total = total + weights[r]
  end
  local counts, left = {}, rows
  for r = 1, size - 1 do
    counts[r] = total == 0 and 0 or math.min(left, math.floor(rows * weights[r] / total))
    left = left - counts[r]
  end
  counts[size] = left
  return counts
end

-- Values of a dtype: of few different ones, or of many. Floats have NaN, infinities and both zeros
-- among them, int64 numbers past 2^53.
function shards.values(dtype, sizes, few)
  local kind = check.kind(dtype)
  if kind == "COMPLEX" then
    return locus.randint(-1, 2, sizes):to(dtype)
  end
  local span = few and 6 or 100
  local x = locus.randint(check.low(dtype) == 0 and 0 or -span, span, sizes)
  if dtype == "bool" then return x:gt(2) end
  if kind == "FLOAT" then
    x = (x:double() / 4):to(dtype)
    local odd = locus.randint(0, 12, sizes)
    x:masked_fill_(odd:eq(0), locus.nan):masked_fill_(odd:eq(1), -0.0):masked_fill_(odd:eq(2), 0)
    return x:masked_fill_(odd:eq(3), locus.inf):masked_fill_(odd:eq(4), -locus.inf)
  end
  if dtype == "int64" and random(1, 2) == 1 then x = x + 9007199254740993LL end
  return x:to(dtype)
end

-- This rank's part of a tensor that is cut so.
function shards.rows(whole, counts)
  local before = 0
  for r = 1, rank do before = before + counts[r] end
  return whole:narrow(1, before + 1, counts[rank + 1])
end

function shards.shard(whole, counts) return mpi.shard(shards.rows(whole, counts)) end

local function text(x)
  return locus.is_tensor(x) and x.dtype .. "\n" .. tostring(x) or tostring(x)
end

local function same(expected, got)
  if not locus.is_tensor(expected) then
    return expected == got or tostring(expected) == tostring(got)
  end
  return locus.is_tensor(got) and expected.dtype == got.dtype and expected.shape == got.shape
    and expected:tobytes() == got:tobytes()
end

-- The answer of one process is this rank's part of it, or all of it.
function shards.equal(expected, got, what)
  local mine, has = expected, got
  if mpi.is_sharded(got) then
    if not locus.is_tensor(expected) or expected.shape ~= got.shape then
      error(("%s: expected %s, got %s"):format(what, text(expected), tostring(got)), 2)
    end
    mine, has = expected:narrow(1, got.offset + 1, got.part:size(1)), got.part
  end
  if not same(mine, has) then
    error(("rank %d of %d: %s: expected %s, got %s"):format(rank, size, what, text(mine),
                                                            text(has)), 2)
  end
  shards.answers = shards.answers + (locus.is_tensor(mine) and mine:numel() or 1)
end

-- The same of several answers.
function shards.alike(what, expected, got)
  local n = math.max(#expected, #got)
  for i = 1, n do shards.equal(expected[i], got[i], ("%s, answer %d"):format(what, i)) end
end

-- How many answers were right, on all ranks together, by rank 0.
function shards.finish()
  local all = mpi.allreduce(shards.answers)
  if rank == 0 then print(("%d answers on %d ranks: all hold"):format(all, size)) end
end

return shards
