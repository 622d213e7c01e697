-- SPDX-License-Identifier: MIT
-- Counts of all elements, which all ranks have: each counts its own rows, and counts are added.
-- Sums of weights are those of the ranks, added in float64.
local core = require "locus.core"
local declare = require "locus.call.declare"
local sharded = require "locus.sharded.object"
local histogram = require "locus.derived.histogram"
local internal, methods = core.internal, core.methods
require "locus.mpi.reduce"

-- The weights of this rank's rows.
local function weights_of(state, weights, name)
  if weights == nil then return nil end
  local other = sharded.check(weights, name)
  sharded.check_alike(other, state, name, "input")
  return other.part
end

-- The least and the greatest element of each rank, in one tensor; for errors the finite ones, too.
local function gather_ends(part)
  local flat = methods.flatten(part)
  if #flat > 0 then
    local ends = core.cat {core.amin(flat, 1, true), core.amax(flat, 1, true)}
    if not core.all(core.isfinite(ends)) then
      local low, high = histogram.finite_extent(flat)
      if low then ends = core.cat {ends, core.tensor({low, high}, {dtype = internal.dtype_of(flat),
        device = internal.device_of(flat)})} end
    end
    flat = ends
  end
  return (core.mpi.allgatherv(flat))
end

-- histogram(input, ...): as locus.histogram.
sharded.define("mpi.histogram(input:any, bins:value=100, {range:any=nil, weight:any=nil, "
  .. "weights:any=nil, density:boolean=false})",
  sharded.steps(function(input, bins, range, weight, weights, density)
    local state = sharded.check(input, "input")
    if weight and weights then
      declare.raise("'weight' and 'weights' are two names of one option")
    end
    local own = weights_of(state, weight or weights, "weight")
    local signature = sharded.signature("histogram", state, bins, range, own ~= nil, density)
    return signature, function()
      local extreme = methods.narrow(state.part, 1, 1, 0)
      if range == nil and not core.is_tensor(bins) then extreme = gather_ends(state.part) end
      local _, edges = core.histogram(extreme, bins, {range = range})
      local counts = core.mpi.allreduce((core.histogram(state.part, edges, {weight = own})))
      return density and histogram.densities(counts, edges) or counts, edges
    end
  end))

-- Counts with zeros behind them, as many as that.
local function lengthen(counts, length)
  if #counts == length then return counts end
  local longer = core.zeros(length, {dtype = internal.dtype_of(counts),
                                     device = internal.device_of(counts)})
  methods.copy_(methods.narrow(longer, 1, 1, #counts), counts)
  return longer
end

-- bincount(input, ...): as locus.bincount.
sharded.define("mpi.bincount(input:any, weights:any=nil, minlength:integer=0, {base=1})",
  sharded.steps(function(input, weights, minlength, base)
    local state = sharded.check(input, "input")
    local own = weights_of(state, weights, "weights")
    local counts = core.bincount(state.part, own, minlength, {base = base})
    return sharded.signature("bincount", state, own ~= nil, minlength, base), function()
      return core.mpi.allreduce(lengthen(counts, core.mpi.allreduce(#counts, "max")))
    end
  end))
