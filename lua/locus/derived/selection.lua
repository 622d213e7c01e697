-- SPDX-License-Identifier: MIT
-- What stands at some places once elements are in order, found without sorting. Rows are those
-- along a dimension; on each the order is that of sort.
local core = require "locus.core"
local declare = require "locus.declare"
local internal, methods = core.internal, core.methods

local selection = {}

-- The rows along a dimension as a contiguous 2-D tensor; without one all elements are one row.
function selection.rows(input, dim)
  local ndim, order, count = methods.dim(input), {}, 1
  if not dim or ndim == 0 then return methods.reshape(input, 1, input:numel()) end
  for d = 1, ndim do
    if d ~= dim then
      order[#order + 1] = d
      count = count * input:size(d)
    end
  end
  order[ndim] = dim
  return methods.reshape(methods.permute(input, order), count, input:size(dim))
end

-- Answers [rows, wanted] of the rows of input, which lose their dimension, or have size 1 there
-- with keepdim. Where `several` are wanted they are the first dimension.
function selection.reduced(answers, input, dim, keepdim, several)
  local size = {several and answers:size(2) or nil}
  for d = 1, methods.dim(input) do
    local stays = dim and d ~= dim
    if stays or keepdim then size[#size + 1] = stays and input:size(d) or 1 end
  end
  return methods.reshape(methods.t(answers), size)
end

-- Answers [rows, wanted] of the rows of input, in place of their elements.
local function along(answers, input, dim)
  local ndim, size, order = methods.dim(input), {}, {}
  if ndim == 0 then return methods.reshape(answers, size) end
  for d = 1, ndim do
    if d ~= dim then size[#size + 1] = input:size(d) end
    order[d] = d < dim and d or d == dim and ndim or d - 1
  end
  size[ndim] = answers:size(2)
  return methods.contiguous(methods.permute(methods.reshape(answers, size), order))
end

-- What a function answers with: the values, or values and positions, in `out` where it is given.
function selection.deliver(input, out, values, index)
  if out == nil then return values, index end
  internal.deliver(input, out, values, index)
  if index then return out[1], out[2] end
  return out
end

-- The last one where none is given.
local function last_dim(input, dim) return dim or math.max(methods.dim(input), 1) end

local function check_k(k, least, n, dim)
  if k >= least and k <= n then return end
  declare.raise("'k' must lie in %d..%.0f, the elements along dimension %d, got %.0f", least, n,
    dim, tonumber(k))
end

-- kthvalue(input, k, ...): the k-th least element of each row and its position, as sort(dim) has
-- them at position k.
-- Source: https://pytorch.org/docs/stable/generated/torch.kthvalue.html
declare.both("kthvalue(input:tensor, k:integer, dim=nil, keepdim:boolean=false, "
  .. "{out:any=nil, base=1})",
  function(input, k, dim, keepdim, out, base)
    dim = last_dim(input, dim)
    local rows = selection.rows(input, dim)
    check_k(k, 1, rows:size(2), dim)
    local rank = core.tensor({k - 1}, {dtype = "int64", device = internal.device_of(input)})
    local values, index = internal.kth(rows, rank, {positions = true, base = base})
    return selection.deliver(input, out, selection.reduced(values, input, dim, keepdim),
      selection.reduced(index, input, dim, keepdim))
  end)

-- The first k of each sorted row, which are sorted themselves.
local function first(rows, k, n, largest, base)
  if k * 8 > n then
    local values, index = core.sort(rows, 2, largest, {base = base})
    return methods.narrow(values, 2, 1, k), methods.narrow(index, 2, 1, k)
  end
  local ranks = core.arange(k, {dtype = "int64", device = internal.device_of(rows)})
  return internal.kth(rows, ranks, {descending = largest, positions = true, base = base})
end

-- topk(input, k, ...): the k greatest elements of each row, or the least, and their positions: the
-- first k of sort(dim, largest), so that of equal elements the first ones are taken; sorted,
-- whatever `sorted` says. NaN is greater than all else.
-- Source: https://pytorch.org/docs/stable/generated/torch.topk.html
declare.both("topk(input:tensor, k:integer, dim=nil, largest:boolean=true, sorted:boolean=true, "
  .. "{out:any=nil, base=1})",
  function(input, k, dim, largest, _, out, base)
    dim = last_dim(input, dim)
    local rows = selection.rows(input, dim)
    check_k(k, methods.dim(input) > 0 and 0 or 1, rows:size(2), dim)
    local values, index = first(rows, k, rows:size(2), largest, base)
    return selection.deliver(input, out, along(values, input, dim), along(index, input, dim))
  end)

return selection
