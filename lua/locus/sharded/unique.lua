-- SPDX-License-Identifier: MIT
-- The distinct elements of all ranks, in order from rank to rank. Each rank finds its own, cuts
-- them at splitters, and sends each part to its rank, where equal elements of several ranks become
-- one. Elements arrive in the order of ranks, so the first of equal ones, which may be -0 and 0, is
-- the first of all.
local core = require "locus.core"
local collective = require "locus.mpi.collective"
local counting = require "locus.mpi.counting"
local sharded = require "locus.sharded.object"
local splitters = require "locus.sharded.splitters"
local answers = require("locus.sets.sets").answers
local check_ordered = require("locus.derived.order").check_ordered
local methods, take = core.methods, core.take
require "locus.sharded.order"

-- The different elements of a tensor in order, as values; and on request for each element the
-- number of its value, how often each is there, and where it first is.
local function find(x, wanted)
  local list = {core.unique(x, {return_inverse = not not wanted.inverse,
    return_counts = not not wanted.counts, return_index = not not wanted.firsts})}
  local found, i = {values = list[1]}, 1
  for _, name in ipairs {"inverse", "counts", "firsts"} do
    if wanted[name] then
      i = i + 1
      found[name] = list[i]
    end
  end
  return found
end

-- The same of this rank's elements; first places are among the elements of all ranks, counted from
-- base.
local function find_own(state, wanted, base)
  local own, elements = find(state.part, wanted), 1
  for d = 2, #state.shape do elements = elements * state.shape[d] end
  if own.firsts then own.firsts:add_(state.offset * elements + base - 1) end
  return own
end

-- How many of the values go to each rank: equal ones all to the same.
local function cut(values)
  local _, size = collective.ranks()
  local total = core.mpi.allreduce(#values)
  if size == 1 or total == 0 then return counting.equal(#values, size) end
  local before = core.searchsorted(values, (splitters.choose(values, total, false)), {base = 0})
  return splitters.counts(before, #values)
end

-- This rank's part of all ranks' values, each once, as `find` has it; and how many came from whom.
local function merge(own)
  local to_send = cut(own.values)
  local values, counts_from = core.mpi.alltoallv(own.values, to_send)
  local merged = find(values, {inverse = own.inverse or own.counts, firsts = own.firsts})
  merged.counts_from = counts_from
  if own.counts then
    local counts = core.zeros_like(merged.values, {dtype = "int64"})
    merged.counts = core.index_add(counts, 1, merged.inverse,
                                   (core.mpi.alltoallv(own.counts, to_send)))
  end
  if own.firsts then
    merged.firsts = take(core.mpi.alltoallv(own.firsts, to_send), merged.firsts)
  end
  return merged
end

-- For each element of this rank the answer of its value's rank: `told` for each value that came.
local function reply(own, merged, told)
  local back = core.mpi.alltoallv(told, merged.counts_from)
  return take(back, methods.flatten(own.inverse))
end

-- In order: the values, and the wanted extras, as `find` has them.
local function in_order(own, merged, base)
  local values = sharded.counted(merged.values)
  local state = sharded.state(values)
  local function alike(x) return x and sharded.new(x, state.counts) end
  local inverse = own.inverse and reply(own, merged, merged.inverse + (state.offset + base - 1))
  return values, inverse, alike(merged.counts), alike(merged.firsts)
end

-- The same in the order in which the values first come.
local function as_they_come(own, merged, base)
  local others = {merged.values, merged.counts}
  local sorted, moved, counts = sharded.sort(merged.firsts, others,
                                             core.mpi.allreduce(#merged.values))
  local function alike(x) return x and sharded.new(x, counts) end
  local firsts = alike(sorted)
  local inverse = own.inverse
    and core.mpi.searchsorted(firsts, reply(own, merged, take(merged.firsts, merged.inverse)),
                              {base = base})
  return alike(moved[1]), inverse, alike(moved[2]), firsts
end

-- unique(input, ...): as locus.unique, except of slices. The values, their counts and their first
-- places are cut alike, the inverse as the input is.
sharded.define("mpi.unique(input:any, {sorted:boolean=true, return_inverse:boolean=false, "
  .. "return_counts:boolean=false, return_index:boolean=false, base=1})",
  sharded.steps(function(input, sorted, return_inverse, return_counts, return_index, base)
    local state = sharded.check(input, "input")
    check_ordered(state.part, "input")
    local own = find_own(state, {inverse = return_inverse, counts = return_counts,
                                 firsts = return_index or not sorted}, base)
    local signature = sharded.signature("unique", state, sorted, return_inverse, return_counts,
                                        return_index, base)
    return signature, function()
      local answer = sorted and in_order or as_they_come
      local values, inverse, counts, firsts = answer(own, merge(own), base)
      if inverse then
        inverse = sharded.new(methods.reshape(inverse, methods.size(state.part)), state.counts)
      end
      return answers(values, inverse, counts, return_index and firsts)
    end
  end))
