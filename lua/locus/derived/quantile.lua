-- SPDX-License-Identifier: MIT
-- quantile and nanquantile, of rows that selection.lua brings side by side.
local core = require "locus.core"
local declare = require "locus.declare"
local selection = require "locus.derived.selection"
local internal, methods = core.internal, core.methods

-- From `lower` at weight 0 to `upper` at 1: exact at both ends, and where these are infinite or
-- further apart than any number.
local function between(lower, upper, weight)
  local gap = upper - lower
  local near = core.where(core.lt(weight, 0.5), lower + gap * weight, upper - gap * (1 - weight))
  local far = lower * (1 - weight) + upper * weight
  local same = core.logical_or(core.eq(lower, upper), core.eq(weight, 0))
  return core.where(same, lower, core.where(core.isfinite(gap), near, far))
end

-- By how much of the way from the lower element to the upper one: `weight` is how far the place
-- lies above the rank of the lower one.
local weights = {
  linear = function(weight) return weight end,
  midpoint = function(weight) return core.ne(weight, 0):double() / 2 end,
  lower = function(weight) return weight * 0 end,
  higher = function(weight) return core.ne(weight, 0):double() end,
  nearest = function(weight, rank) -- of two as near the one of even rank
    local up = core.logical_or(core.gt(weight, 0.5),
      core.logical_and(core.eq(weight, 0.5), core.eq(rank % 2, 1)))
    return up:double()
  end,
}
local mixes = {linear = true, midpoint = true}

-- `q` as a 1-D float64 tensor beside the input, and whether it was a single number.
local function read_q(input, q)
  local single = type(q) == "number"
  local list = core.tensor(single and {q} or q,
    {dtype = "float64", device = internal.device_of(input)})
  if methods.dim(list) ~= 1 then
    declare.raise("'q' must be a number or 1-D, got size %s", tostring(methods.size(list)))
  end
  if not core.all(core.logical_and(core.ge(list, 0), core.le(list, 1))) then
    declare.raise("'q' must lie in 0..1")
  end
  return list, single
end

-- The elements at ranks that are the same for all rows, in any selection.
local function elements(rows, ranks)
  local sorted, from = core.sort(ranks)
  return internal.kth(rows, sorted)[{{}, core.argsort(from)}]
end

-- The elements at ranks that differ from row to row.
local function elements_by_row(rows, ranks)
  local answers = {}
  for i = 1, methods.size(ranks, 2) do
    answers[i] = internal.kth(rows, methods.contiguous(methods.narrow(ranks, 2, i, 1)))
  end
  return core.cat(answers, 2)
end

-- Of each row the elements below and above the places, and how far above the lower one these lie.
local function neighbours(rows, q, skips_nan)
  local last = methods.size(rows, 2) - 1
  if skips_nan then
    last = methods.reshape(core.maximum(selection.counts(rows) - 1, 0):double(), -1, 1)
  end
  local at = q * last
  local weight = at % 1
  local rank = at - weight
  local lower, upper = rank:long(), core.minimum(rank + 1, last):long()
  if skips_nan then
    return elements_by_row(rows, lower), elements_by_row(rows, upper), weight, rank
  end
  local m = methods.numel(q)
  local both = elements(rows, core.cat {lower, upper})
  return methods.narrow(both, 2, 1, m), methods.narrow(both, 2, m + 1, m), weight, rank
end

-- Rows with a NaN are NaN.
local function spoil(answers, rows)
  local last = internal.kth(rows, selection.beside(rows, {methods.size(rows, 2) - 1}))
  return core.where(core.isnan(last), last, answers)
end

local function quantiles(input, given, dim, interpolation, keepdim, skips_nan)
  local way = weights[interpolation]
  if not way then
    declare.raise("'interpolation' must be one of linear lower higher nearest midpoint, got \"%s\"",
      interpolation)
  end
  local rows, rest, n = selection.rows(input, dim)
  selection.needs_elements(n, dim)
  local q, single = read_q(input, given)
  local float = selection.is_float(input)
  local lower, upper, weight, rank = neighbours(rows, q, skips_nan and float)
  weight = way(weight, rank)
  local answers
  if mixes[interpolation] then
    local dtype = float and internal.dtype_of(input) or core.get_default_dtype()
    answers = methods.to(between(lower:double(), upper:double(), weight), dtype)
  else
    answers = core.where(core.eq(weight, 0), lower, upper)
  end
  if float and not skips_nan then answers = spoil(answers, rows) end
  if not dim then return single and methods.item(answers) or methods.reshape(answers, -1) end
  if single then return selection.back(answers, rest, dim, keepdim) end
  local list = {}
  for i = 1, methods.numel(q) do
    list[i] = selection.back(methods.narrow(answers, 2, i, 1), rest, dim, keepdim)
  end
  return core.stack(list, 1)
end

-- quantile(input, q, ...): what stands at q of the way, 0 to 1, from the first to the last element
-- of each sorted row: between two elements, as `interpolation` says. A list of q gives a first
-- dimension with an answer for each. NaN where a row has one.
-- Source: https://pytorch.org/docs/stable/generated/torch.quantile.html
declare.both('quantile(input:tensor, q:any, dim=nil, {interpolation:string="linear", '
  .. 'keepdim:boolean=false})', function(input, q, dim, interpolation, keepdim)
    return quantiles(input, q, dim, interpolation, keepdim, false)
  end)

-- nanquantile(input, q, ...): the same of the elements that are not NaN.
-- Source: https://pytorch.org/docs/stable/generated/torch.nanquantile.html
declare.both('nanquantile(input:tensor, q:any, dim=nil, {interpolation:string="linear", '
  .. 'keepdim:boolean=false})', function(input, q, dim, interpolation, keepdim)
    return quantiles(input, q, dim, interpolation, keepdim, true)
  end)
