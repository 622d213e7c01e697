-- SPDX-License-Identifier: MIT
-- Quantiles and medians, of rows that selection.lua brings side by side, and of groups. The kernel
-- of kthvalue finds the elements; the values between them are worked out for the answers alone. For
-- 1e5 and 1e6 elements, and for rows of 100, quantile and median take 0.8 to 1.3 times as long as
-- kthvalue.
local cdata = require "locus.tensor.cdata"
local core = require "locus.core"
local declare = require "locus.call.declare"
local kinds = require "locus.tensor.kind"
local order = require "locus.derived.order"
local selection = require "locus.derived.selection"
local internal, methods = core.internal, core.methods

local quantiles = {}

-- -- Between two elements ------------------------------------------------------------------------

-- From `lower` at weight 0 to `upper` at 1: exact at both ends, and if these are infinite or
-- further apart than any number.
local function between(lower, upper, weight)
  local function mix(low, high)
    local gap = high - low
    return core.where(core.lt(weight, 0.5), low + gap * weight, high - gap * (1 - weight)), gap
  end
  local mixed, gap = mix(lower, upper)
  local near = core.isfinite(gap)
  if not core.all(near) then
    local halves = mix(lower / 2, upper / 2) * 2
    local finite = core.logical_and(core.isfinite(lower), core.isfinite(upper))
    local far = core.where(finite, halves, lower * (1 - weight) + upper * weight)
    mixed = core.where(near, mixed, far)
  end
  local same = core.logical_or(core.eq(lower, upper), core.eq(weight, 0))
  return core.where(same, lower, mixed)
end

-- The same of times and the like, int64, to the nearest unit; of two as near the even one of the
-- gap.
local function within(lower, upper, weight)
  local gap = upper:double() - lower:double()
  gap = core.where(gap:lt(2 ^ 62), (upper - lower):double(), gap)
  return lower + core.round(gap * weight):long()
end

-- Whether the upper element is taken; `weight`, in 0..1, is how far the place lies above the lower
-- one, whose rank is `rank`.
local picks = {
  lower = function(weight) return core.lt(weight, 0) end,
  higher = function(weight) return core.gt(weight, 0) end,
  nearest = function(weight, rank) -- of two as near the one of even rank
    return core.logical_or(core.gt(weight, 0.5),
      core.logical_and(core.eq(weight, 0.5), core.eq(rank % 2, 1)))
  end,
}

-- The fraction between the lower element and the upper one.
local mixes = {
  linear = function(weight) return weight end,
  midpoint = function(weight) return core.gt(weight, 0):double() / 2 end,
}

-- The elements at ranks [rows, wanted], or [1, wanted] of every row; find takes ranks that never
-- fall along a row.
local function elements(find, ranks)
  local sorted, from = core.sort(ranks, 2)
  return selection.pick(find(sorted), core.argsort(from, 2, {base = 0}))
end

function quantiles.check_interpolation(interpolation)
  if mixes[interpolation] or picks[interpolation] then return end
  declare.raise("'interpolation' must be one of linear, lower, higher, nearest or midpoint, got %s",
    internal.describe(interpolation))
end

-- Quantiles of rows, whose elements at ranks are find(ranks): `last`, int64 [rows, 1], or [1, 1]
-- for all of them, is the greatest rank of each row, and q a list of numbers. With `spoils` an
-- element at `last` that is NaN is the answer. Answers [rows, #q].
function quantiles.answers(find, last, q, interpolation, spoils)
  local m = #q
  local at = core.tensor(q, {dtype = "float64", device = internal.device_of(last)}) * last
  local rank = at:long() -- cuts, and there is nothing below 0
  local weight = at - rank
  local ranks = core.cat({rank, core.minimum(rank + 1, last), last}, 2)
  local found = m == 1 and find(ranks) or elements(find, ranks)
  local lower, upper = methods.narrow(found, 2, 1, m), methods.narrow(found, 2, m + 1, m)
  local float = order.is_float(found)
  local answers
  local kind = kinds.of(found)
  if mixes[interpolation] and kind then
    answers = kinds.tagged(within(kinds.plain(lower), kinds.plain(upper),
      mixes[interpolation](weight)), kind)
  elseif mixes[interpolation] then
    answers = between(lower:double(), upper:double(), mixes[interpolation](weight))
    if float then answers = answers:to(internal.dtype_of(found)) end
  else
    answers = core.where(picks[interpolation](weight, rank), upper, lower)
  end
  if not (float and spoils) then return answers end
  local greatest = methods.narrow(found, 2, 2 * m + 1, 1)
  return core.where(core.isnan(greatest), greatest, answers)
end

local function is_int64(value)
  return type(value) == "cdata" and cdata.classify(value) == "int64"
end

-- The numbers of q, which is one, a list or a tensor of such; and whether it is a single one.
function quantiles.read_q(q)
  local given = core.is_tensor(q) and methods.totable(q) or q
  local single = type(given) ~= "table"
  local list = {}
  for i, one in ipairs(single and {given} or given) do
    local number = is_int64(one) and tonumber(one) or one
    if type(number) ~= "number" or not (number >= 0 and number <= 1) then
      declare.raise("'q' must be a number from 0 to 1, or a list of such, got %s",
        internal.describe_number(one))
    end
    list[i] = number
  end
  return list, single
end

-- -- Along a dimension ---------------------------------------------------------------------------

local function needs_elements(rows, dim)
  if methods.size(rows, 2) > 0 then return end
  declare.raise("'input' has no elements%s", dim and " along dimension " .. dim or "")
end

-- How many elements of each row are not NaN, int64 [rows, 1].
local function counts_of(rows)
  return methods.size(rows, 2) - core.isnan(rows):sum(2, true)
end

-- The answers for a list of q, [rows, #q].
local function of_rows(rows, q, interpolation, skips_nan)
  local last = core.tensor({{methods.size(rows, 2) - 1}},
    {dtype = "int64", device = internal.device_of(rows)})
  if skips_nan and order.is_float(rows) then last = core.maximum(counts_of(rows) - 1, 0) end
  local function find(ranks)
    return selection.kth(rows, ranks:size(1) == 1 and methods.flatten(ranks) or ranks, {})
  end
  return quantiles.answers(find, last, q, interpolation, not skips_nan)
end

-- A number where one answer was asked of all elements.
local function quantile(input, given, dim, keepdim, interpolation, out, skips_nan)
  quantiles.check_interpolation(interpolation)
  if out ~= nil then internal.apart(out, given, "q") end
  local q, single = quantiles.read_q(given)
  local rows = selection.rows(input, dim)
  needs_elements(rows, dim)
  local answers = of_rows(rows, q, interpolation, skips_nan)
  if not dim and single and not keepdim and out == nil then
    return kinds.of(answers) and core.flatten(answers)[1] or methods.item(answers)
  end
  return selection.deliver(input, out,
    selection.reduced(answers, input, dim, keepdim, not single))
end

-- quantile(input, q, ...): the value at the fraction q, 0 to 1, between the first and the last
-- element of each sorted row: between two elements, as `interpolation` says. A list of q gives a
-- first dimension with an answer for each. NaN where a row has one.
-- Source: https://pytorch.org/docs/stable/generated/torch.quantile.html
declare.both('quantile(input:tensor, q:any, dim=nil, keepdim:boolean=false, '
  .. '{interpolation:string="linear", out=nil})',
  function(input, q, dim, keepdim, interpolation, out)
    return quantile(input, q, dim, keepdim, interpolation, out, false)
  end)

-- nanquantile(input, q, ...): the same of the elements that are not NaN.
-- Source: https://pytorch.org/docs/stable/generated/torch.nanquantile.html
declare.both('nanquantile(input:tensor, q:any, dim=nil, keepdim:boolean=false, '
  .. '{interpolation:string="linear", out=nil})',
  function(input, q, dim, keepdim, interpolation, out)
    return quantile(input, q, dim, keepdim, interpolation, out, true)
  end)

-- -- Medians -------------------------------------------------------------------------------------

-- The ranks of the medians: the lower of two middle elements of those that are numbers; or, where a
-- row has a NaN and they are not skipped, that of the first one.
local function median_ranks(rows, skips_nan)
  local n = methods.size(rows, 2)
  if not order.is_float(rows) then
    return core.tensor({math.floor((n - 1) / 2)},
      {dtype = "int64", device = internal.device_of(rows)})
  end
  local counts = counts_of(rows)
  local last = core.maximum(counts - 1, 0)
  local middle = ((last - last % 2) / 2):long()
  return skips_nan and middle or core.where(counts:eq(n), middle, counts)
end

local function median(input, dim, keepdim, out, base, skips_nan)
  if not dim then return quantile(input, 0.5, nil, keepdim, "lower", out, skips_nan) end
  local rows = selection.rows(input, dim)
  needs_elements(rows, dim)
  local values, index = selection.kth(rows, median_ranks(rows, skips_nan),
    {positions = true, base = base})
  return selection.deliver(input, out, selection.reduced(values, input, dim, keepdim),
    selection.reduced(index, input, dim, keepdim))
end

-- median(input, ...): of each row the middle element, of two the lower one, and its position; NaN
-- where the row has one. Without a dimension the median of all elements alone.
-- Source: https://pytorch.org/docs/stable/generated/torch.median.html
declare.both("median(input:tensor, dim=nil, keepdim:boolean=false, {out:any=nil, base=1})",
  function(input, dim, keepdim, out, base)
    return median(input, dim, keepdim, out, base, false)
  end)

-- nanmedian(input, ...): the same of the elements that are not NaN.
-- Source: https://pytorch.org/docs/stable/generated/torch.nanmedian.html
declare.both("nanmedian(input:tensor, dim=nil, keepdim:boolean=false, {out:any=nil, base=1})",
  function(input, dim, keepdim, out, base)
    return median(input, dim, keepdim, out, base, true)
  end)

return quantiles
