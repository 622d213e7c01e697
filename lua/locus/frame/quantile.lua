-- SPDX-License-Identifier: MIT
-- Quantiles by group: the rows are put in the order of values within groups, so that what is wanted
-- of each group stands at a known place.
local core = require "locus.core"
local declare = require "locus.declare"
local internal = core.internal

local types = select(2, internal.dtypes())

-- The values ordered within each group, one group behind the other.
local function by_group(state, values)
  local order = core.argsort(values)
  return values[order[core.argsort(state.ids[order])]]
end

-- Between the values at the places floor(h) and floor(h) + 1 of each group, h = q * (count - 1).
local function quantile(sorted, begins, counts, q)
  local at = (counts - 1):double() * q
  local weight = at % 1
  local place = begins + (at - weight):long()
  local lower = sorted[place]
  local upper = sorted[core.minimum(place + 1, begins + counts - 1)]
  local between = lower + (upper - lower) * weight
  local same = core.logical_or(core.eq(lower, upper), core.eq(weight, 0))
  return core.where(same, lower, between)
end

local function check(q)
  if type(q) ~= "number" or not (q >= 0 and q <= 1) then
    declare.raise("'q' must be a number from 0 to 1, or a list of such, got %s",
      internal.describe(q))
  end
end

-- Of each group over the values for a number q; for a list of them a row for each group. NaN in a
-- group makes its quantiles NaN. Integers give float64, floats their own dtype.
return function(state, counts, values, q)
  local dtype = internal.dtype_of(values)
  dtype = types[dtype].kind == "FLOAT" and dtype or "float64"
  local list = type(q) == "table" and q or {q}
  for _, one in ipairs(list) do check(one) end
  local sorted = by_group(state, values):double()
  local begins = core.cumsum(counts, 1) - counts + 1
  local last = sorted[begins + counts - 1]
  local nan = core.isnan(last)
  local answers = {}
  for i, one in ipairs(list) do
    answers[i] = core.where(nan, last, quantile(sorted, begins, counts, one)):to(dtype)
  end
  if type(q) ~= "table" then return answers[1] end
  return core.stack(answers, 2)
end
