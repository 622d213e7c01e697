-- SPDX-License-Identifier: MIT
-- What stands at some places once elements are in order, found without sorting: kthvalue, topk,
-- medians. Rows are those along a dimension; on each the order is that of sort.
local core = require "locus.core"
local declare = require "locus.declare"
local internal, methods = core.internal, core.methods

local types = select(2, internal.dtypes())

-- The rows along a dimension as a contiguous 2-D tensor, the size without that dimension, and how
-- many elements a row has; without a dimension all elements are one row.
local function rows_of(input, dim)
  if not dim then return methods.reshape(input, 1, -1), {}, input:numel() end
  local ndim = methods.dim(input)
  if ndim == 0 then return methods.reshape(input, 1, 1), {}, 1 end
  local order, rest, n = {}, {}, input:size(dim)
  for d = 1, ndim do
    if d ~= dim then
      order[#order + 1] = d
      rest[#rest + 1] = input:size(d)
    end
  end
  order[ndim] = dim
  local count = 1
  for _, size in ipairs(rest) do count = count * size end
  return methods.reshape(methods.contiguous(methods.permute(input, order)), count, n), rest, n
end

-- Answers [rows, wanted] in the place of the dimension that rows went along; without `wide` there
-- is one of each row, and the dimension goes.
local function back(answers, rest, dim, wide)
  local ndim = #rest + 1
  local size = {unpack(rest)}
  if not wide then return methods.reshape(answers, size) end
  size[ndim] = answers:size(2)
  local order = {}
  for d = 1, ndim do order[d] = d < dim and d or d == dim and ndim or d - 1 end
  return methods.contiguous(methods.permute(methods.reshape(answers, size), order))
end

local function last_dim(input, dim)
  local ndim = methods.dim(input)
  return dim or math.max(ndim, 1)
end

local function is_float(input) return types[internal.dtype_of(input)].kind == "FLOAT" end

local function needs_elements(n, dim)
  if n > 0 then return end
  declare.raise(dim and "'input' has no elements along dimension " .. dim
    or "'input' has no elements")
end

-- int64 numbers from 0 on beside a tensor.
local function beside(input, list)
  return core.tensor(list, {dtype = "int64", device = internal.device_of(input)})
end

-- How many elements of each row are not NaN.
local function counts_of(rows)
  return methods.size(rows, 2) - core.isnan(rows):sum(2)
end

-- kthvalue(input, k, ...): the k-th least element of each row and its position, as sort(dim) has
-- them at position k.
-- Source: https://pytorch.org/docs/stable/generated/torch.kthvalue.html
declare.both("kthvalue(input:tensor, k:integer, dim=nil, keepdim:boolean=false, {base=1})",
  function(input, k, dim, keepdim, base)
    dim = last_dim(input, dim)
    local rows, rest, n = rows_of(input, dim)
    if k < 1 or k > n then
      declare.raise("'k' must lie in 1..%d, the elements along dimension %d, got %d", n, dim, k)
    end
    local values, index = internal.kth(rows, beside(input, {k - 1}),
      {positions = true, base = base})
    return back(values, rest, dim, keepdim), back(index, rest, dim, keepdim)
  end)

-- topk(input, k, ...): the k greatest elements of each row, or the least, and their positions: the
-- first k of sort(dim, largest), so that of equal elements the first ones are taken; sorted,
-- whatever `sorted` says. NaN is greater than all else.
-- Source: https://pytorch.org/docs/stable/generated/torch.topk.html
declare.both("topk(input:tensor, k:integer, dim=nil, largest:boolean=true, sorted:boolean=true, "
  .. "{base=1})",
  function(input, k, dim, largest, _, base)
    dim = last_dim(input, dim)
    local rows, rest, n = rows_of(input, dim)
    if k < 0 or k > n then
      declare.raise("'k' must lie in 0..%d, the elements along dimension %d, got %d", n, dim, k)
    end
    local ranks = k > 0 and core.arange(0, k - 1, 1, {dtype = "int64",
      device = internal.device_of(input)}) or methods.narrow(beside(input, {0}), 1, 1, 0)
    local values, index = internal.kth(rows, ranks,
      {descending = largest, positions = true, base = base})
    local wide = methods.dim(input) > 0
    return back(values, rest, dim, wide), back(index, rest, dim, wide)
  end)

-- The lower of two middle elements of each row: of those that are numbers, or, where a row has a
-- NaN, the first of these.
local function medians(input, dim, keepdim, base, skips_nan)
  local rows, rest, n = rows_of(input, dim)
  needs_elements(n, dim)
  local ranks = beside(input, {math.floor((n - 1) / 2)})
  if is_float(input) then
    local counts = counts_of(rows)
    if skips_nan then
      local last = core.maximum(counts - 1, 0)
      ranks = ((last - last % 2) / 2):long()
    else
      ranks = core.where(counts:eq(n), ranks, counts)
    end
    ranks = methods.reshape(ranks, -1, 1)
  end
  local values, index = internal.kth(rows, ranks, {positions = true, base = base})
  if not dim then return methods.item(values) end
  return back(values, rest, dim, keepdim), back(index, rest, dim, keepdim)
end

-- median(input, ...): of each row the middle element, of two the lower one, and its position; NaN
-- where the row has one. Without a dimension the median of all elements, as a number.
-- Source: https://pytorch.org/docs/stable/generated/torch.median.html
declare.both("median(input:tensor, dim=nil, keepdim:boolean=false, {base=1})",
  function(input, dim, keepdim, base) return medians(input, dim, keepdim, base, false) end)

-- nanmedian(input, ...): the same of the elements that are not NaN.
-- Source: https://pytorch.org/docs/stable/generated/torch.nanmedian.html
declare.both("nanmedian(input:tensor, dim=nil, keepdim:boolean=false, {base=1})",
  function(input, dim, keepdim, base) return medians(input, dim, keepdim, base, true) end)

return {rows = rows_of, back = back, beside = beside, counts = counts_of, is_float = is_float,
        needs_elements = needs_elements}
