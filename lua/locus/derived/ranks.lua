-- SPDX-License-Identifier: MIT
-- Whether rows are in order, that of sort, and the places of their elements in it.
--
-- For is_sorted neighbours are compared: of a million ordered elements that takes 0.2 to 1.1 times
-- what the kernel of searchsorted's `check` does (int64, float64).
--
-- rank takes sort's time and a pass of a kernel, which writes the ranks to the elements' places.
-- For a million float64 in rows of 1,000,000, 1000, 100 and 10, "average", "min" and "max" take
-- 1.2, 1.4, 1.6 and 2.1 times sort's time, and a little more with equal elements. "ordinal" is sort
-- and a scatter, "dense" a running sum besides: 1.3 to 2.9 times.
local core = require "locus.core"
local declare = require "locus.call.declare"
local numbers = require "locus.sets.factorize"
local order = require "locus.derived.order"
local selection = require "locus.derived.selection"
local internal, methods = core.internal, core.methods

-- Whether each element is not out of order behind the one before it.
local function may_follow(before, after, strict)
  local follows = (strict and core.gt or core.ge)(after, before)
  if not order.is_float(after) or core.all(follows) then return follows end
  local last = core.isnan(after)
  if strict then last = core.logical_and(last, core.eq(before, before)) end
  return core.logical_or(follows, last)
end

-- Whether each row along a dimension is in order, as bool without that dimension.
local function rows_sorted(input, dim, descending, strict)
  local n = methods.dim(input) > 0 and methods.size(input, dim) or 1
  if n < 2 then return core.all(core.ones_like(input, {dtype = "bool"}), dim) end
  local before = methods.narrow(input, dim, 1, n - 1)
  local after = methods.narrow(input, dim, 2, n - 1)
  if descending then before, after = after, before end
  return core.all(may_follow(before, after, strict), dim)
end

-- is_sorted(input, dim, ...): whether each row along a dimension ascends, or descends, in the one
-- order, in which NaN is last; where `strict` no two elements may be equal. Without dim whether all
-- rows along the last dimension do, as a boolean.
-- Source: https://docs.julialang.org/en/v1/base/sort/#Base.issorted
declare.both("is_sorted(input:tensor, dim:dim=nil, {descending:boolean=false, "
  .. "strict:boolean=false, out=nil})",
  function(input, dim, descending, strict, out)
    order.check_ordered(input, "input")
    local rows = rows_sorted(input, dim or math.max(methods.dim(input), 1), descending, strict)
    if not dim and not out then return core.all(rows) end
    return selection.deliver(input, out, rows)
  end)

-- -- rank ----------------------------------------------------------------------------------------

-- The places of sorted rows [rows, n], n > 0, counted from base; equal elements count once.
local function counted(sorted, base)
  local starts = methods.view(numbers.starts(methods.flatten(sorted)), methods.size(sorted))
  starts[{{}, 1}] = true
  local found = core.cumsum(starts, 2)
  return base == 1 and found or found:add_(base - 1)
end

-- The ranks of rows [rows, n], n > 0, counted from base.
local function ranks(rows, method, descending, base)
  local count, n, device = rows:size(1), rows:size(2), internal.device_of(rows)
  local sorted, from = core.sort(rows, 2, descending, {base = 0})
  if method ~= "dense" and method ~= "ordinal" then
    return internal.tied_ranks(sorted, from, method, base)
  end
  local found
  if method == "dense" then
    found = counted(sorted, base)
  else
    found = core.arange(base, n + base, {dtype = "int64", device = device})
    found = methods.expand(found, count, n)
  end
  local answers = core.empty(count, n, {dtype = "int64", device = device})
  return core.scatter_(answers, 2, from, found, {base = 0})
end

local METHODS = {average = true, min = true, max = true, dense = true, ordinal = true}

-- rank(input, dim, ...): the place of each element among those along a dimension in order, counted
-- from base. Equal elements, also NaN and NaN, share the mean of their places, as float64, or the
-- least or the greatest one, as int64. "dense" counts the distinct elements up to this one, and
-- "ordinal" gives each the place that sort gives it.
-- Source: https://docs.scipy.org/doc/scipy/reference/generated/scipy.stats.rankdata.html
declare.both("rank(input:tensor, dim:dim=nil, {method:string=\"average\", "
  .. "descending:boolean=false, out=nil, base=1})",
  function(input, dim, method, descending, out, base)
    order.check_ordered(input, "input")
    if not METHODS[method] then
      declare.raise("'method' must be one of average min max dense ordinal, got %q", method)
    end
    dim = dim or math.max(methods.dim(input), 1)
    local answers
    if methods.numel(input) == 0 then
      answers = core.empty_like(input, {dtype = method == "average" and "float64" or "int64"})
    else
      answers = ranks(selection.rows(input, dim), method, descending, base)
      answers = methods.dim(input) == 0 and methods.reshape(answers, {})
        or selection.along(answers, input, dim)
    end
    return selection.deliver(input, out, answers)
  end)
