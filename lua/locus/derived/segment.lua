-- SPDX-License-Identifier: MIT
-- One answer for each group of rows: the kernel's. On a device those of the rows that are not NaN
-- come from copies of these rows.
local core = require "locus.core"
local declare = require "locus.call.declare"
local internal, methods = core.internal, core.methods

local types = select(2, internal.dtypes())

-- The answer of all rows in place of that without NaN.
local OF_ALL = {nansum = "sum", nanmean = "mean", nanmin = "min", nanmax = "max", nanstd = "std",
                nanvar = "var", nancount = "count"}

-- The least or greatest of each group; NaN where there is none. One more row of each group is as
-- bad as can be.
local function extremes(input, ids, how, there, named)
  local worst = how == "min" and math.huge or -math.huge
  local place = {device = internal.device_of(input)}
  local own = core.arange(named.base, named.groups + named.base,
    {dtype = "int64", device = place.device})
  local more = core.full({named.groups}, worst,
    {dtype = internal.dtype_of(input), device = place.device})
  local all = core.cat {core.where(there, input, worst):to(internal.dtype_of(input)), more}
  local best = internal.segment(all, core.cat {methods.long(ids), own}, how, named)
  local any = internal.segment(there, ids, "any", named)
  return core.masked_fill(best, core.logical_not(any), 0 / 0)
end

local function without_nan(input, ids, how, groups, base)
  -- Checks the arguments, too.
  local counts = internal.segment(input, ids, "count", {groups = groups, base = base})
  local named = {groups = #counts, base = base}
  local there = core.logical_not(core.isnan(input))
  if how == "min" or how == "max" then return extremes(input, ids, how, there, named) end
  return internal.segment(input[there], ids[there], how, named)
end

-- segment(input, ids, how, {groups, base=1, out}): as src/bind/op/segment.c has it; and "nansum",
-- "nanmean", "nanmin", "nanmax", "nanstd", "nanvar" and "nancount" of the rows that are not NaN.
-- Without such a row a group has sum and count 0, and else NaN. Elements of integers and bool are
-- never NaN.
declare.both("segment(input:tensor, ids:counts, how:string, {groups:integer=nil, base=1, out=nil})",
  function(input, ids, how, groups, base, out)
    local own = internal.device_of(input) ~= "cpu" and OF_ALL[how]
    if own and types[internal.dtype_of(input)].kind == "FLOAT" then
      return declare.deliver(input, out, without_nan(input, ids, own, groups, base), "input")
    end
    return internal.segment(input, ids, own or how, {groups = groups, base = base, out = out})
  end)
