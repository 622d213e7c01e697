-- SPDX-License-Identifier: MIT
-- Whether rows are in order, that of sort, and the places of their elements in it.
--
-- For is_sorted neighbours are compared: of a million ordered elements that takes 0.2 to 1.1 times
-- what the kernel of searchsorted's `check` does (int64, float64).
--
-- rank takes sort's time and then passes over all elements: of a million float64 in rows of
-- 1,000,000, 1000, 100 and 10 "average" takes 1.9, 2.3, 3.5 and 4.9 times what sort does, "min" and
-- "max" 1.7 to 3.5, "ordinal", which is sort and a scatter, 1.3 to 2.1 times. A kernel that ranks
-- rows as it sorts them would be up to three times as fast where rows are short: there is none yet.
local core = require "locus.core"
local declare = require "locus.declare"
local numbers = require "locus.factorize"
local order = require "locus.derived.order"
local selection = require "locus.derived.selection"
local internal, methods = core.internal, core.methods

-- Whether each element may stand behind the one before it.
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

-- The place that equal elements share, of which the first stands at `first` and there are `count`.
local places = {}

function places.min(first) return first end

function places.max(first, count) return first + (count - 1) end

-- The mean of both: whole, or a half more where the count is even.
function places.average(first, count) return (first * 2 + (count - 1)):double() / 2 end

-- The places of sorted rows [rows, n], n > 0, from 1 on, by that method.
local function placed(sorted, method)
  local count, n = sorted:size(1), sorted:size(2)
  local starts = numbers.starts(methods.flatten(sorted))
  local by_row = methods.reshape(starts, count, n)
  by_row[{{}, 1}] = true
  if method == "dense" then return core.cumsum(by_row, 2) end
  local firsts, counts = numbers.starts_to_runs(starts)
  local of_runs = places[method]((firsts - 1) % n + 1, counts)
  if #firsts < count * n then of_runs = of_runs[core.cumsum(starts, 1)] end
  return methods.reshape(of_runs, count, n)
end

-- The ranks of rows [rows, n], n > 0, from base on.
local function ranks(rows, method, descending, base)
  local count, n, device = rows:size(1), rows:size(2), internal.device_of(rows)
  local sorted, from = core.sort(rows, 2, descending, {base = 0})
  local found
  if method == "ordinal" then
    found = methods.expand(core.arange(1, n + 1, {dtype = "int64", device = device}), count, n)
  else
    found = placed(sorted, method)
  end
  if base ~= 1 then found = found + (base - 1) end
  local answers = core.empty(count, n, {dtype = internal.dtype_of(found), device = device})
  return core.scatter_(answers, 2, from, found, {base = 0})
end

local METHODS = {average = true, min = true, max = true, dense = true, ordinal = true}

-- rank(input, dim, ...): the place of each element among those along a dimension, once they are in
-- order, from base on. Equal elements, so NaN and NaN, share the mean of theirs, as float64, or the
-- least or the greatest one, as int64; "dense" counts the different elements up to this one, and
-- "ordinal" gives each the place that sort does.
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
