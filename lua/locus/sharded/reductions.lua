-- SPDX-License-Identifier: MIT
-- Reductions of sharded tensors. Over other dimensions than the first one each rank reduces its own
-- rows, and the answer is sharded as the input is. Else each rank makes one row of its rows, these
-- are joined, and all ranks have the answer. Floats are added in float64 on each rank, and so are
-- the sums of ranks; the answer is rounded once.
local core = require "locus.core"
local sharded = require "locus.sharded.object"
local internal, methods = core.internal, core.methods
require "locus.mpi.reduce"

local types = select(2, internal.dtypes())

-- -- Dimensions ----------------------------------------------------------------------------------

local of_elements = {any = true, all = true} -- of no dimensions they are each element's own

-- Which dimensions are reduced: a set; all where none is named.
local function read_dims(name, dim, part)
  core.sum(methods.narrow(part, 1, 1, 0), dim) -- raises where one is wrong
  local set, ndim = {}, methods.dim(part)
  local is_all = dim == nil or type(dim) == "table" and #dim == 0 and not of_elements[name]
  for d = 1, is_all and ndim or 0 do set[d] = true end
  for _, d in ipairs(type(dim) == "table" and dim or {dim}) do
    set[tonumber(d) < 0 and tonumber(d) + ndim + 1 or tonumber(d)] = true
  end
  return set
end

-- The sizes of an answer that keeps all dimensions, of n rows.
local function kept(set, part, rows)
  local sizes = {rows}
  for d = 2, methods.dim(part) do sizes[d] = set[d] and 1 or methods.size(part, d) end
  return sizes
end

-- The answer, from joined tensors that have all dimensions.
local function finish(set, dim, keepdim, joined, ...)
  if joined == nil then return end
  local answer = joined
  if not keepdim and dim == nil then
    answer = methods.item(joined)
  elseif not keepdim then
    local sizes = {}
    for d = 1, methods.dim(joined) do
      if not set[d] then sizes[#sizes + 1] = methods.size(joined, d) end
    end
    answer = methods.reshape(joined, sizes)
  end
  return answer, finish(set, dim, keepdim, ...)
end

-- The answers of each rank for its rows, as sharded tensors.
local function shard(state, part, ...)
  if part == nil then return end
  return sharded.new(part, state.counts), shard(state, ...)
end

-- Defines a reduction: along(part, dim, keepdim, option) is the one of this rank's rows alone,
-- join(state, dim, option, set) the one of all rows, which keeps all dimensions.
local function define(line, along, join)
  local name = line:match("^mpi%.([%w_]+)")
  sharded.define(line, sharded.steps(function(input, dim, keepdim, option)
    local state = sharded.check(input, "input")
    local set = read_dims(name, dim, state.part)
    return sharded.signature(name, state, dim, keepdim, option), function()
      if set[1] then return finish(set, dim, keepdim, join(state, dim, option, set)) end
      return shard(state, along(state.part, dim, keepdim, option))
    end
  end))
end

-- -- Sums ----------------------------------------------------------------------------------------

local wide = {FLOAT = "float64", COMPLEX = "complex128"}

-- The sum of x of all ranks, of the dtype in which it is added.
local function add_up(x, dim, dtype)
  return core.mpi.allreduce(core.sum(x, dim, true, {dtype = wide[types[dtype].kind] or dtype}))
end

-- sum(input, ...): as locus.sum.
define("mpi.sum(input:any, dim:any_or_options=nil, keepdim:boolean=false, {dtype:dtype=nil})",
  function(part, dim, keepdim, dtype) return core.sum(part, dim, keepdim, {dtype = dtype}) end,
  function(state, dim, dtype)
    local x = dtype and methods.to(state.part, dtype) or state.part
    local own = dtype or internal.dtype_of(core.sum(methods.narrow(x, 1, 1, 0), dim, true))
    return methods.to(add_up(x, dim, own), own)
  end)

-- Complex numbers have no division.
local function divide(sums, count)
  if types[internal.dtype_of(sums)].kind == "COMPLEX" then return sums * (1 / count) end
  return sums / count
end

-- The means of sums that went beyond float64, of elements that are taken smaller; all ranks have
-- the same sums, and find the same ones lost.
local function mend(answers, x, dim, count)
  local lost = core.logical_not(core.isfinite(answers))
  if internal.dtype_of(x) ~= "float64" or count == 0 or not core.any(lost) then return answers end
  local shrunk = divide(add_up(x * 2 ^ -600, dim, "float64"), count)
  return core.where(lost, shrunk * 2 ^ 600, answers)
end

-- mean(input, ...): as locus.mean.
define("mpi.mean(input:any, dim:any_or_options=nil, keepdim:boolean=false, {dtype:dtype=nil})",
  function(part, dim, keepdim, dtype) return core.mean(part, dim, keepdim, {dtype = dtype}) end,
  function(state, dim, dtype, set)
    local none = core.mean(methods.narrow(state.part, 1, 1, 0), dim, true, {dtype = dtype})
    local x, own = dtype and methods.to(state.part, dtype) or state.part, internal.dtype_of(none)
    local count = 1
    for d in pairs(set) do count = count * state.shape[d] end
    return methods.to(mend(divide(add_up(x, dim, own), count), x, dim, count), own)
  end)

-- -- Some and every ------------------------------------------------------------------------------

for name, op in pairs {any = "or", all = "and"} do
  local reduce = core[name]
  -- any(input, ...) and all(input, ...): as locus.any and locus.all.
  define(("mpi.%s(input:any, dim:any=nil, keepdim:boolean=false)"):format(name), reduce,
    function(state, dim) return core.mpi.allreduce(reduce(state.part, dim, true), op) end)
end

local count_nonzero = sharded.steps(function(input, dim)
  local state = sharded.check(input, "input")
  local set = read_dims("count_nonzero", dim, state.part)
  return sharded.signature("count_nonzero", state, dim), function()
    local counts = core.count_nonzero(state.part, {dim = dim})
    if set[1] then return core.mpi.allreduce(counts) end
    return sharded.new(counts, state.counts)
  end
end)

-- count_nonzero(input, dim): as locus.count_nonzero.
sharded.define("mpi.count_nonzero(input:any, dim:any_or_options=nil)", count_nonzero)

-- -- Extremes ------------------------------------------------------------------------------------

-- The values of each rank with rows, in the order of ranks, as rows of one tensor.
local function gather_rows(state, set, row, dtype)
  local none = core.empty(kept(set, state.part, 0), {dtype = dtype,
                                                     device = internal.device_of(state.part)})
  return (core.mpi.allgatherv(row or none))
end

-- The least or the greatest of all rows, and if `dim` is one number its positions, counted from
-- base. If values are equal the first rank's is taken, as its rows come first.
local function join_extremes(name, state, dim, base, set)
  local one = type(dim) ~= "table" and dim ~= nil
  local values, positions
  if methods.size(state.part, 1) > 0 or state.shape[1] == 0 then
    values, positions = core[name](state.part, dim, true, one and {base = 0} or nil)
  end
  if positions then positions:add_(state.offset) end
  values = gather_rows(state, set, values, internal.dtype_of(state.part))
  if not one then return core["a" .. name](values, 1, true) end
  positions = gather_rows(state, set, positions, "int64")
  local extremes, ranks = core[name](values, 1, true)
  return extremes, core.take_along_dim(positions, ranks, 1):add_(base)
end

for _, name in ipairs {"min", "max"} do
  -- min(input, ...) and max(input, ...): as locus.min and locus.max.
  local line = "mpi.%s(input:any, dim:any_or_options=nil, keepdim:boolean=false, {base=1})"
  define(line:format(name),
    function(part, dim, keepdim, base) return core[name](part, dim, keepdim, {base = base}) end,
    function(...) return join_extremes(name, ...) end)
end
