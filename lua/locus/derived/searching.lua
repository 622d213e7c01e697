-- SPDX-License-Identifier: MIT
-- The numbers of bins: digitize, which is one search.
local core = require "locus.core"
local declare = require "locus.call.declare"
local order = require "locus.derived.order"
local internal, methods = core.internal, core.methods

-- Raises unless x, a tensor or a scalar, can be searched for among the bins.
local function check_x(x, bins)
  if not core.is_tensor(x) then return end
  order.check_ordered(x, "x")
  if internal.device_of(x) ~= internal.device_of(bins) then
    declare.raise("'bins' must be on %s as 'x' is, got %s", internal.device_of(x),
      internal.device_of(bins))
  end
end

local function reversed(x)
  return methods.take(x, core.arange(#x, 0, -1, {dtype = "int64", device = internal.device_of(x)}))
end

-- Whether bins descend; raises where they do neither.
local function descend(bins, base)
  local falls = internal.unsorted(bins)
  if not falls then return false end
  local rises = internal.unsorted(reversed(bins))
  if not rises then return true end
  return declare.raise("'bins' must ascend or descend, but falls at [%d] and rises at [%d]",
    tonumber(falls) + base - 1, #bins + 1 - tonumber(rises) + base)
end

-- digitize(x, bins, right=false, ...): for each element the number of its bin. It is i if bins[i -
-- 1] <= x < bins[i], or with `right` if bins[i - 1] < x <= bins[i]. For descending bins it is i if
-- bins[i - 1] > x >= bins[i], or bins[i - 1] >= x > bins[i]. Counted from base, so that base = 0
-- gives NumPy's numbers.
-- Source: https://numpy.org/doc/stable/reference/generated/numpy.digitize.html
declare.both("digitize(x:value, bins:tensor, right:boolean=false, {out_int32:boolean=false, "
  .. "out=nil, base=1})",
  function(x, bins, right, out_int32, out, base)
    order.check_real(bins, "bins")
    check_x(x, bins)
    local descending = descend(bins, base)
    return core.searchsorted(bins, x, {right = descending == right, descending = descending,
      out_int32 = out_int32, out = out, base = base})
  end)
