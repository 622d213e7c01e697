-- SPDX-License-Identifier: MIT
-- How many rows go where: tensors of int64 on the CPU, by rank.
local core = require "locus.core"
local declare = require "locus.call.declare"
local collective = require "locus.mpi.collective"
local raw = require "locus.mpi.raw"
local internal, methods = core.internal, core.methods

local counting = {}

-- An equal number for each of that many ranks.
function counting.equal(count, size)
  return core.full({size}, count, {dtype = "int64", device = "cpu"})
end

-- How many elements that many rows of a tensor of these sizes have.
function counting.elements(sizes, rows)
  local elements = 1
  for d = 2, #sizes do elements = elements * sizes[d] end
  return core.mul(rows, elements)
end

-- Agrees on the signature; then gathers one number of every rank, on all ranks.
function counting.share(signature, count)
  local _, size = collective.ranks()
  local mine, one_each = counting.equal(count, 1), counting.equal(1, size)
  local counts = counting.equal(0, size)
  collective.agree(signature)
  raw.gather(mine, counts, one_each)
  return counts
end

-- The caller's counts, which must share out all `rows` rows among the ranks.
function counting.check(counts, rows)
  local _, size = collective.ranks()
  if not core.is_tensor(counts) or internal.dtype_of(counts) ~= "int64"
      or methods.dim(counts) ~= 1 or methods.size(counts, 1) ~= size then
    declare.raise("'counts' must be %d whole numbers, a table or an int64 tensor, got %s", size,
                  internal.describe_number(counts))
  end
  local host = methods.contiguous(methods.to(counts, "cpu"))
  local total = tonumber(core.sum(host))
  if tonumber(core.amin(host)) < 0 then declare.raise("'counts' has a negative number") end
  if total ~= rows then
    declare.raise("'counts' add up to %d, but 'x' has %d rows", total, rows)
  end
  return host
end

return counting
