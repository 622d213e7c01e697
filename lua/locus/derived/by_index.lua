-- SPDX-License-Identifier: MIT
-- Writes along one dimension by position, or combines with the old elements. Each function is one
-- scatter job of the core (src/op/along.c), point by point in C order. Those that do not work in
-- place copy first. A mean is a sum that counts as it adds, and a division. It takes 1.3 to 1.8
-- times a sum into few places, and 2 to 3.3 times one into as many places as points, mostly for the
-- memory of the counts.
local core = require "locus.core"
local declare = require "locus.call.declare"
local internal, methods = core.internal, core.methods

local types = select(2, internal.dtypes())

-- The result of the forms that are not in place: the same done to a copy. `others` are the tensors
-- that are read besides, by name.
local function fresh(write, input, out, others, ...)
  for name, other in pairs(out and others or {}) do internal.apart(out, other, name) end
  return declare.deliver(input, out, write(methods.clone(input), ...))
end

-- -- scatter ---------------------------------------------------------------------------------- --

local PLAIN = {add = "add", multiply = "mul"}

local function scatter(input, dim, index, src, reduce, base)
  if reduce and not PLAIN[reduce] then
    declare.raise("'reduce' must be \"add\" or \"multiply\", got %q", reduce)
  end
  return internal.along_put(input, dim, index, src, PLAIN[reduce], false, base)
end

-- scatter_(input, dim, index, src, ...): for dim = 2 input[i][index[i][j][k]][k] = src[i][j][k]; of
-- several writes to one element the last in C order stays, with `reduce` all are added or
-- multiplied, one by one. index (int64 or int32) and src have as many dimensions as input; index
-- reaches beyond it in none but `dim`, and beyond src in none; a number or 0-d src is one value for
-- all. src is converted, as if copied first. Gives input. Errors: a position outside; a value that
-- the dtype cannot hold; elements of input that share memory.
-- Source: https://pytorch.org/docs/stable/generated/torch.Tensor.scatter_.html
declare.both("scatter_(input:any, dim:any, index:any, src:any, {reduce:string=nil, base=1})",
  scatter)

-- scatter(input, dim, index, src, ...): scatter_ on a copy of input.
-- Source: https://pytorch.org/docs/stable/generated/torch.scatter.html
declare.both("scatter(input:tensor, dim:any, index:any, src:any, "
  .. "{reduce:string=nil, base=1, out=nil})",
  function(input, dim, index, src, reduce, base, out)
    return fresh(scatter, input, out, {index = index, src = src}, dim, index, src, reduce, base)
  end)

local function scatter_add(input, dim, index, src, base)
  return internal.along_put(input, dim, index, src, "add", false, base)
end

-- scatter_add_(input, dim, index, src, ...): scatter_ that adds, each sum rounded to the dtype;
-- integers wrap, bool is or.
-- Source: https://pytorch.org/docs/stable/generated/torch.Tensor.scatter_add_.html
declare.both("scatter_add_(input:any, dim:any, index:any, src:any, {base=1})", scatter_add)

-- scatter_add(input, dim, index, src, ...): scatter_add_ on a copy of input.
-- Source: https://pytorch.org/docs/stable/generated/torch.scatter_add.html
declare.both("scatter_add(input:tensor, dim:any, index:any, src:any, {base=1, out=nil})",
  function(input, dim, index, src, base, out)
    return fresh(scatter_add, input, out, {index = index, src = src}, dim, index, src, base)
  end)

-- -- scatter_reduce --------------------------------------------------------------------------- --

local REDUCTIONS = {sum = "add", prod = "mul", amax = "maximum", amin = "minimum"}

-- Sums divided by how many elements they are of; integers are rounded down. Halves hold no great
-- counts.
local function divided(sums, counts, dtype)
  if types[dtype].kind == "INTEGER" then return core.floor_divide(sums, counts) end
  return core.div(methods.to(sums, "float64"), counts)
end

local function scatter_mean(input, dim, index, src, include_self, base)
  if not core.is_tensor(input) then
    declare.raise("'input' must be a tensor, got %s", internal.describe(input))
  end
  local dtype = internal.dtype_of(input)
  if dtype == "bool" or types[dtype].kind == "COMPLEX" then
    declare.raise("'reduce' is \"mean\", which %s does not have", dtype)
  end
  local in_place = dtype == "float32" or dtype == "float64"
  local sums = in_place and input or methods.clone(input)
  local counts = core.full(methods.size(input), include_self and 1 or 0,
    {dtype = "int64", device = internal.device_of(input)})
  internal.along_put(sums, dim, index, src, "add", not include_self, base, counts)
  if not include_self then core.maximum_(counts, 1) end
  if in_place then return core.div_(input, counts) end
  return methods.copy_(input, divided(sums, counts, dtype))
end

local function scatter_reduce(input, dim, index, src, reduce, include_self, base)
  if reduce == "mean" then return scatter_mean(input, dim, index, src, include_self, base) end
  if not REDUCTIONS[reduce] then
    declare.raise("'reduce' must be one of sum prod mean amax amin, got %q", reduce)
  end
  return internal.along_put(input, dim, index, src, REDUCTIONS[reduce], not include_self, base)
end

-- scatter_reduce_(input, dim, index, src, reduce, ...): scatter_ that combines the values for one
-- element: "sum" "prod" "mean" "amax" "amin", one by one in C order, each answer rounded to the
-- dtype. Without include_self an element that an index names takes the values of src alone.
-- Integers wrap, their mean is rounded down; NaN wins amax and amin. Errors: as of scatter_; amax
-- and amin of complex, mean of complex and bool.
-- Source: https://pytorch.org/docs/stable/generated/torch.Tensor.scatter_reduce_.html
declare.both("scatter_reduce_(input:any, dim:any, index:any, src:any, reduce:string, "
  .. "{include_self:boolean=true, base=1})", scatter_reduce)

-- scatter_reduce(input, dim, index, src, reduce, ...): scatter_reduce_ on a copy of input.
-- Source: https://pytorch.org/docs/stable/generated/torch.scatter_reduce.html
declare.both("scatter_reduce(input:tensor, dim:any, index:any, src:any, reduce:string, "
  .. "{include_self:boolean=true, base=1, out=nil})",
  function(input, dim, index, src, reduce, include_self, base, out)
    return fresh(scatter_reduce, input, out, {index = index, src = src}, dim, index, src, reduce,
      include_self, base)
  end)

-- -- index_add -------------------------------------------------------------------------------- --

local DATA = {table = true, number = true, boolean = true, cdata = true}

local function check_data(data, name)
  if DATA[type(data)] or core.is_tensor(data) then return end
  declare.raise("'%s' must be a tensor, a table or a number, got %s", name,
    internal.describe_number(data))
end

-- A table is read as of that dtype, beside a tensor.
local function as_tensor(data, dtype, beside, name)
  check_data(data, name)
  if core.is_tensor(data) then return data end
  return core.tensor(data, {dtype = dtype, device = internal.device_of(beside)})
end

-- The product to add, in the dtype of input.
local function converted(source, input)
  local dtype = internal.dtype_of(input)
  if not core.is_tensor(source) then return as_tensor(source, dtype, input, "source") end
  if internal.dtype_of(source) == dtype then return source end
  return methods.copy_(core.empty_like(source, {dtype = dtype}), source)
end

-- A number for integers must be one of them.
local function check_alpha(alpha, input, dtype)
  if type(alpha) ~= "number" or types[dtype].kind ~= "INTEGER" then return end
  local bits = 8 * methods.element_size(input)
  local low, high = -2 ^ (bits - 1), 2 ^ (bits - 1)
  if dtype == "uint8" then low, high = 0, 256 end
  if alpha >= low and alpha < high and alpha % 1 == 0 then return end
  declare.raise("'alpha' is %s, which %s cannot hold", alpha, dtype)
end

local function index_add(input, dim, index, source, alpha, base)
  if alpha ~= 1 and core.is_tensor(input) then
    check_data(alpha, "alpha")
    check_alpha(alpha, input, internal.dtype_of(input))
    source = core.mul(converted(source, input), alpha)
  end
  return internal.along_put_slices(input, dim, index, source, "add", false, base)
end

-- index_add_(input, dim, index, source, ...): adds alpha times each slice of source along `dim` to
-- the slice of input at its position, in their order, each sum rounded to the dtype. index (int64
-- or int32) is 1-D or 0-d, and source is of input's size except in `dim`, where it is of index's; a
-- number is one for all. Gives input. Errors: as of scatter_.
-- Source: https://pytorch.org/docs/stable/generated/torch.Tensor.index_add_.html
declare.both("index_add_(input:any, dim:any, index:any, source:any, {alpha:any=1, base=1})",
  index_add)

-- index_add(input, dim, index, source, ...): index_add_ on a copy of input.
-- Source: https://pytorch.org/docs/stable/generated/torch.index_add.html
declare.both("index_add(input:tensor, dim:any, index:any, source:any, "
  .. "{alpha:any=1, base=1, out=nil})",
  function(input, dim, index, source, alpha, base, out)
    return fresh(index_add, input, out, {index = index, source = source}, dim, index, source, alpha,
      base)
  end)

-- -- put -------------------------------------------------------------------------------------- --

-- The positions in each dimension, from 0, that a position in the flattened tensor means. They are
-- checked by reading one element at all of them.
local function unravel(input, index, base)
  local n, columns = methods.numel(input), {}
  local row = core.zeros({1}, {dtype = "bool", device = internal.device_of(input)})
  core.index_select(methods.expand(row, n), 1, index, {base = base})
  index = methods.to(index, "int64")
  local places = core.where(core.lt(index, 0), core.add(index, n), core.sub(index, base))
  for d = methods.dim(input), 1, -1 do
    columns[d] = core.remainder(places, methods.size(input, d))
    places = core.floor_divide(places, methods.size(input, d))
  end
  return columns
end

local function put(input, index, source, accumulate, base)
  if not core.is_tensor(input) then
    declare.raise("'input' must be a tensor, got %s", internal.describe(input))
  end
  index = as_tensor(index, "int64", input, "index")
  check_data(source, "source")
  if type(source) == "table" then
    source = as_tensor(source, internal.dtype_of(input), input, "source")
  end
  if core.is_tensor(source) then
    if methods.numel(source) ~= methods.numel(index) then
      declare.raise("'source' must have as many elements as 'index', %d, got %d",
        methods.numel(index), methods.numel(source))
    end
    source = methods.reshape(source, -1)
  end
  index = methods.reshape(index, -1)
  if methods.is_contiguous(input) then
    local op = accumulate and "add" or nil
    internal.along_put_slices(methods.view(input, -1), 1, index, source, op, false, base)
  elseif methods.numel(index) > 0 then
    core.index_put_(input, unravel(input, index, base), source, accumulate, {base = 0})
  end
  return input
end

-- put_(input, index, source, ...): the elements of input, flattened in C order, at the positions of
-- index (int64 or int32, of any size) become those of source, which has as many, or one number.
-- Among several writes to one element the last stays; with `accumulate` all are added. Gives input.
-- Errors: as of scatter_.
-- Source: https://pytorch.org/docs/stable/generated/torch.Tensor.put_.html
declare.both("put_(input:any, index:any, source:any, accumulate:boolean=false, {base=1})", put)

-- put(input, index, source, ...): put_ on a copy of input.
-- Source: https://pytorch.org/docs/stable/generated/torch.Tensor.put_.html
declare.both("put(input:tensor, index:any, source:any, accumulate:boolean=false, "
  .. "{base=1, out=nil})",
  function(input, index, source, accumulate, base, out)
    return fresh(put, input, out, {index = index, source = source}, index, source, accumulate, base)
  end)

-- -- take_along_dim --------------------------------------------------------------------------- --

-- Both, expanded to each other's size in every dimension but one.
local function broadcast(input, indices, dim)
  local sizes, places = {}, {}
  for d = 1, math.max(methods.dim(input), methods.dim(indices)) do
    local a = d <= methods.dim(input) and methods.size(input, d)
    local b = d <= methods.dim(indices) and methods.size(indices, d)
    if not a or not b or d ~= dim and a ~= b and a ~= 1 and b ~= 1 then
      declare.raise("'indices' of size %s does not go with 'input' of size %s along dimension %d",
        tostring(methods.size(indices)), tostring(methods.size(input)), dim)
    end
    local most = a == 1 and b or a
    sizes[d], places[d] = d == dim and a or most, d == dim and b or most
  end
  return methods.expand(input, sizes), methods.expand(indices, places)
end

-- take_along_dim(input, indices, dim, ...): gather, where input and indices are broadcast together
-- outside `dim`; without `dim` of both flattened, which gives a 1-D tensor.
-- Source: https://pytorch.org/docs/stable/generated/torch.take_along_dim.html
declare.both("take_along_dim(input:tensor, indices:any, dim=nil, {base=1, out=nil})",
  function(input, indices, dim, base, out)
    indices = as_tensor(indices, "int64", input, "indices")
    if dim then input, indices = broadcast(input, indices, dim)
    else
      if out then
        internal.apart(out, input, "input")
        internal.apart(out, indices, "indices")
      end
      input, indices = methods.reshape(input, -1), methods.reshape(indices, -1)
    end
    return core.gather(input, dim or 1, indices, {base = base, out = out})
  end)
