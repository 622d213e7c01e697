-- SPDX-License-Identifier: MIT
-- The elements at some places of the order, found without sorting, by a kernel (src/cpu/run/kth.c).
-- Rows are those along a dimension; the order of each is that of sort. For 1e5 and 1e6 elements
-- that takes a third of the time of sorting the values, topk of 100 as long as kthvalue; rows of
-- 100 take as long as sort.
local core = require "locus.core"
local declare = require "locus.call.declare"
local order = require "locus.derived.order"
local internal, methods = core.internal, core.methods

local selection = {}

-- The rows along a dimension as a contiguous 2-D tensor; without one all elements are one row.
function selection.rows(input, dim)
  local ndim, dims, count = methods.dim(input), {}, 1
  if not dim or ndim == 0 then
    return methods.contiguous(methods.reshape(input, 1, input:numel()))
  end
  for d = 1, ndim do
    if d ~= dim then
      dims[#dims + 1] = d
      count = count * input:size(d)
    end
  end
  dims[ndim] = dim
  local side_by_side = methods.contiguous(methods.permute(input, dims))
  return methods.reshape(side_by_side, count, input:size(dim))
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
function selection.along(answers, input, dim)
  local ndim, size, dims = methods.dim(input), {}, {}
  for d = 1, ndim do
    if d ~= dim then size[#size + 1] = input:size(d) end
    dims[d] = d < dim and d or d == dim and ndim or d - 1
  end
  size[ndim] = answers:size(2)
  return methods.contiguous(methods.permute(methods.reshape(answers, size), dims))
end

-- The elements of each row of a 2-D tensor in columns [wanted] or [rows, wanted], counted from 0.
function selection.pick(rows, columns)
  local numbers = core.arange(rows:size(1), {dtype = "int64", device = internal.device_of(rows)})
  local places = columns + core.unsqueeze(numbers, 2) * rows:size(2)
  return methods.take(methods.flatten(rows), places, {base = 0})
end

local SHORT = 100 -- elements of a row that is sorted about as fast as it is looked through

-- The elements of each row at ranks that never fall, int64 [wanted] or [rows, wanted], and with
-- `positions` their positions; without it zeros are +0: as internal.kth.
function selection.kth(rows, ranks, options)
  if rows:size(2) > SHORT then return internal.kth(rows, ranks, options) end
  local sorted, from = core.sort(rows, 2, options.descending, {base = options.base})
  local values = selection.pick(sorted, ranks)
  if options.positions then return values, selection.pick(from, ranks) end
  return order.is_float(values) and values + 0 or values
end

-- The results of a function: the values, or values and positions, in `out` if it is given.
function selection.deliver(input, out, values, index)
  if out ~= nil then internal.deliver(input, out, values, index) end
  if not index then return out or values end
  if out ~= nil then values, index = out[1], out[2] end
  return values, index
end

-- The last one where none is given.
local function last_dim(input, dim) return dim or math.max(methods.dim(input), 1) end

local function check_k(k, least, n, dim)
  if k >= least and k <= n then return end
  declare.raise("'k' must lie in %d..%d, the elements along dimension %d, got %d", least, n,
    dim, k)
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
    local values, index = selection.kth(rows, rank, {positions = true, base = base})
    return selection.deliver(input, out, selection.reduced(values, input, dim, keepdim),
      selection.reduced(index, input, dim, keepdim))
  end)

-- topk by sorting, which is no slower where rows are short or k is many.
local function topk_sorted(input, k, dim, largest, base)
  local values, index = core.sort(input, dim, largest, {base = base})
  if methods.dim(input) == 0 or k == input:size(dim) then return values, index end
  return methods.clone(methods.narrow(values, dim, 1, k)), -- a copy lets the rest go
    methods.clone(methods.narrow(index, dim, 1, k))
end

local function topk_selected(input, k, dim, largest, base)
  local ranks = core.arange(k, {dtype = "int64", device = internal.device_of(input)})
  local values, index = internal.kth(selection.rows(input, dim), ranks,
    {descending = largest, positions = true, base = base})
  return selection.along(values, input, dim), selection.along(index, input, dim)
end

-- topk(input, k, ...): the k greatest elements of each row, or the least, and their positions. They
-- are the first k of sort(dim, largest), so the first ones among equal elements are taken. The
-- answer is sorted, whatever `sorted` says. NaN is greater than all else.
-- Source: https://pytorch.org/docs/stable/generated/torch.topk.html
declare.both("topk(input:tensor, k:integer, dim=nil, largest:boolean=true, sorted:boolean=true, "
  .. "{out:any=nil, base=1})",
  function(input, k, dim, largest, _, out, base)
    dim = last_dim(input, dim)
    local ndim = methods.dim(input)
    local n = ndim > 0 and input:size(dim) or 1
    check_k(k, ndim > 0 and 0 or 1, n, dim)
    local find = (n <= SHORT or k * 32 > n) and topk_sorted or topk_selected
    return selection.deliver(input, out, find(input, k, dim, largest, base))
  end)

return selection
