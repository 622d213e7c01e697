-- SPDX-License-Identifier: MIT
-- All ranges that hold a value, or overlap a range: as many pairs as there are. Two searches count
-- those of each value; src/op/overlaps.c lists them, on the CPU.
local core = require "locus.core"
local declare = require "locus.call.declare"
local kinds = require "locus.tensor.kind"
local order = require "locus.derived.order"
local internal, methods = core.internal, core.methods

local BYTES = 16 -- of a pair

local function check_sides(starts, ends, first, last)
  order.check_real(starts, first)
  order.check_real(ends, last)
  if #starts ~= #ends then
    declare.raise("'%s' and '%s' must have the same size, got %d and %d", first, last, #starts,
      #ends)
  elseif internal.device_of(starts) ~= internal.device_of(ends) then
    declare.raise("'%s' must be on %s as '%s' is, got %s", last, internal.device_of(starts), first,
      internal.device_of(ends))
  end
  kinds.check_same(starts, first, ends, last)
  order.check_nan(starts, first, false)
  order.check_nan(ends, last, false)
  local wrong = core.nonzero(core.lt(ends, starts), {as_tuple = true})
  if #wrong == 0 then return end
  local row = tonumber(wrong[1])
  local from, to = order.texts(starts, row, ends, row)
  declare.raise("the range at [%d] of '%s' starts at %s but ends at %s", row, first, from, to)
end

-- The place of each end, counted from 0, in the order of ends.
local function ranks_of(ends)
  local sorted = methods.argsort(ends)
  local ranks = core.empty(#ends, {dtype = "int64", device = "cpu"})
  ranks[sorted] = core.arange(#ends, {dtype = "int64", device = "cpu"})
  return ranks, ends[sorted]
end

-- overlaps(starts, ends, values, value_ends=nil, {base=1}): the positions of values and ranges that
-- overlap, two int64 tensors: in the order of the values, those of one in the order of starts.
-- Both ends belong to a range. value_ends: each value is a range, too, and begins there. NaN
-- overlaps nothing. Errors: ranges that end before they start, or have NaN; more pairs than the
-- memory holds.
declare.func("overlaps(starts:tensor, ends:tensor, values:value, value_ends:tensor=nil, {base=1})",
  function(starts, ends, given, value_ends, base)
    check_sides(starts, ends, "starts", "ends")
    local values = order.values(given, starts)
    kinds.check_same(starts, "starts", values, "values")
    local device = internal.device_of(values)
    if methods.dim(values) ~= 1 then
      declare.raise("'values' must be 1-D, got %s", internal.describe(values))
    elseif value_ends then
      check_sides(values, value_ends, "values", "value_ends")
    end
    starts, ends = methods.cpu(starts), methods.cpu(ends)
    local first, last = methods.cpu(values), methods.cpu(value_ends or values)
    local sorted = methods.argsort(starts)
    local rank, in_order = ranks_of(ends[sorted])
    local until_, above = core.searchsorted(starts[sorted], last, {right = true, base = 0}),
      core.searchsorted(in_order, first, {base = 0})
    local most = math.floor(internal.memory_of_machine() / BYTES)
    local total, pairs_of_values, ranges = internal.find_overlaps(rank,
      base == 1 and sorted or sorted - 1, until_, above, most, base)
    if not ranges then
      declare.raise("there are %.0f pairs, that is %.0f bytes, and the memory has %.0f", total,
        total * BYTES, internal.memory_of_machine())
    end
    return methods.to(pairs_of_values, device), methods.to(ranges, device)
  end)
