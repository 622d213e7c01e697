-- SPDX-License-Identifier: MIT
-- Sorting: a sample sort. Each rank sorts its elements, cuts them at the splitters, and sends each
-- part to its rank, which sorts what arrives; then all are cut into equal blocks. Equal elements
-- come in the order of ranks, and on one rank in their order there: so the sort is stable, and a
-- splitter, which is one element, also parts those that are equal to it.
--
-- The rows that arrive are sorted again: there is no kernel that merges runs. To merge them two by
-- two, by searches of each in the other, took 0.9 times as long for two runs of 4e6 float64 in all,
-- 1.8 times for four, 4.2 times for sixteen.
local core = require "locus.core"
local collective = require "locus.mpi.collective"
local sharded = require "locus.sharded.object"
local splitters = require "locus.sharded.splitters"
local internal, methods = core.internal, core.methods
require "locus.sharded.making"

-- The tensors in a list in another order.
local function take_all(list, places)
  local taken = {}
  for i, x in ipairs(list) do taken[i] = core.take(x, places) end
  return taken
end

-- A key in order, and others, of one dimension each, in that order.
local function sort_here(key, others, descending)
  if #others == 0 then return core.sort(key, 1, descending, {indices = false}), others end
  local sorted, places = core.sort(key, 1, descending)
  return sorted, take_all(others, places)
end

-- How many of this rank's sorted elements go to each rank.
local function cut(sorted, total, descending)
  local rank = collective.ranks()
  local values, ranks, places = splitters.choose(sorted, total, descending)
  local left, right = core.searchsorted(sorted, values,
                                        {side = "both", base = 0, descending = descending})
  local before = core.where(core.gt(ranks, rank), right, left)
  return splitters.counts(core.where(core.eq(ranks, rank), places, before), #sorted)
end

-- Sorts all ranks' keys, `total` in all, and the others of a list with them, all of one dimension:
-- this rank's part of each in equal blocks, and how many each rank has. All ranks call it together.
function sharded.sort(key, others, total, descending)
  local _, size = collective.ranks()
  local counts = sharded.blocks(total)
  key, others = sort_here(key, others, descending)
  if size == 1 or total == 0 then return key, others, counts end
  local to_send = cut(key, total, descending)
  key = core.mpi.alltoallv(key, to_send)
  for i, x in ipairs(others) do others[i] = core.mpi.alltoallv(x, to_send) end
  key, others = sort_here(key, others, descending)
  local cuts = sharded.count(key)
  for i, x in ipairs(others) do others[i] = sharded.recut(x, cuts, counts) end
  return sharded.recut(key, cuts, counts), others, counts
end

-- -- Along a dimension ---------------------------------------------------------------------------

-- The positions of this rank's rows among all, counted from base.
local function positions(state, base)
  local first, rows = state.offset + base, methods.size(state.part, 1)
  local device = internal.device_of(state.part)
  return core.arange(first, first + rows, {dtype = "int64", device = device})
end

-- The columns of this rank's rows, one after the other along the first dimension.
local function sort_columns(state, descending, indices, base)
  local rows = methods.size(state.part, 1)
  local columns = 1
  for d = 2, #state.shape do columns = columns * state.shape[d] end
  local flat = methods.reshape(state.part, rows, columns)
  local sorted, places, counts = {}, {}, sharded.blocks(state.shape[1])
  for c = 1, columns do
    local key = methods.contiguous(methods.select(flat, 2, c))
    local others = indices and {positions(state, base)} or {}
    sorted[c], others = sharded.sort(key, others, state.shape[1], descending)
    places[c] = others[1]
  end
  local sizes = collective.rows_size(state.part, tonumber(counts[collective.ranks() + 1]))
  local function join(list, like)
    if columns == 0 then return sharded.new(core.empty(sizes, like), counts) end
    return sharded.new(methods.reshape(core.stack(list, 2), sizes), counts)
  end
  local device = internal.device_of(flat)
  return join(sorted, {dtype = internal.dtype_of(flat), device = device}),
         indices and join(places, {dtype = "int64", device = device}) or nil
end

-- This rank's rows, each for itself.
local function sort_rows(state, dim, descending, indices, base)
  local sorted, places = core.sort(state.part, dim, descending, {indices = indices, base = base})
  return sharded.new(sorted, state.counts), places and sharded.new(places, state.counts)
end

local function sort(name, input, dim, descending, indices, stable, base)
  local state = sharded.check(input, "input")
  core.sort(methods.narrow(state.part, 1, 1, 0), dim, descending) -- raises what is wrong
  local signature = sharded.signature(name, state, dim, descending, indices, stable, base)
  return signature, function()
    if dim == 1 or dim == -#state.shape then
      return sort_columns(state, descending, indices, base)
    end
    return sort_rows(state, dim, descending, indices, base)
  end
end

-- sort(input, ...): as locus.sort; along the first dimension in equal blocks of rows, along another
-- one each rank sorts its own.
sharded.define("mpi.sort(input:any, dim:integer=-1, descending:boolean=false, "
  .. "{indices:boolean=true, stable:boolean=true, base=1})",
  sharded.steps(function(input, dim, descending, indices, stable, base)
    return sort("sort", input, dim, descending, indices, stable, base)
  end))

-- argsort(input, ...): as locus.argsort: the positions alone.
sharded.define("mpi.argsort(input:any, dim:integer=-1, descending:boolean=false, "
  .. "{stable:boolean=true, base=1})",
  sharded.steps(function(input, dim, descending, stable, base)
    local signature, run = sort("argsort", input, dim, descending, true, stable, base)
    return signature, function() return (select(2, run())) end
  end))
