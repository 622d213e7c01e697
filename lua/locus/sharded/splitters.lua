-- SPDX-License-Identifier: MIT
-- Splitters: the elements at which those of all ranks, each rank's in order, are cut so that each
-- rank gets about as many. They are taken from samples; each sample represents the same number of
-- elements. Between two splitters there are at most 1 + (P + 1) / s times the mean, if P ranks have
-- s samples each on average. 4 P of them are plenty; more than 2^22 in all would be a burden of
-- their own, as every rank sorts them.
local core = require "locus.core"
local collective = require "locus.mpi.collective"
local internal, methods = core.internal, core.methods
require "locus.mpi.gather"

local splitters = {samples = 4, most = 2 ^ 22}

-- How many elements a sample represents.
local function step(total)
  local _, size = collective.ranks()
  local samples = math.min(splitters.samples * size * size, splitters.most)
  return math.max(1, math.floor(total / samples))
end

-- From `total` elements in all, with those of `sorted` on this rank: the splitters of all ranks
-- except the first one, and as int64 the rank of each splitter and its place there, counted from 0.
-- All ranks call it together, and get the same. Without elements there are none.
function splitters.choose(sorted, total, descending)
  local _, size = collective.ranks()
  local every = step(total)
  local own = #sorted == 0 and sorted or sorted[{{1, #sorted, every}}]
  local samples, counts = core.mpi.allgatherv(own)
  if #samples == 0 then return samples end
  local values, places = core.sort(samples, 1, descending, {base = 0})
  local device = internal.device_of(values)
  local chosen = core.arange(1, size, {dtype = "int64", device = device}) * #samples
  chosen = core.floor_divide(chosen, size) + 1
  values, places, counts = values[chosen], places[chosen], methods.to(counts, device)
  local ends = core.cumsum(counts, 1)
  local ranks = core.searchsorted(ends, places, {right = true, base = 0})
  return values, ranks, (places - (ends - counts)[ranks + 1]) * every
end

-- How many of the elements come before each splitter, and so go to each rank.
function splitters.counts(before, total)
  return core.diff(before, {prepend = 0, append = total})
end

return splitters
