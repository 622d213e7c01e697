-- SPDX-License-Identifier: MIT
-- Which values there are, and where: unique, unique_consecutive, isin, lookup. They number elements
-- (lua/locus/sets/factorize.lua), so NaN equals NaN and -0 equals 0, and compare two dtypes
-- exactly.
--
-- Numbering is done in C (src/text/names/factorize.c), and so is isin of it. If a sample shows that
-- most elements differ, a sort in its place makes unique two to five times as fast for 1e5 and 1e6
-- elements, and a sort and a search make isin 1.4 to 3 times as fast. For few values unique takes
-- 1.0 to 1.5 times what numbering does, with counts or inverse 1.6 to 2.7 times: a kernel that
-- answers with int64 could save one pass of these. One kernel finds runs, another one writes their
-- answers. For 1e5 and 1e6 elements unique_consecutive takes 0.9 to 2.2 times a comparison of
-- neighbours and nonzero. rle, which writes three tensors, takes 1.0 to 4.5 times, most if each run
-- is one element. Made of ops alone, unique_consecutive took 1.3 to 5 times as long, but the same
-- for a million int64 in runs of a hundred. rle took 1.2 to 2.3 times as long, but 1.0 to 1.5 for a
-- million elements in runs of three.
local core = require "locus.core"
local declare = require "locus.call.declare"
local numbers = require "locus.sets.factorize"
local rows = require "locus.sets.rows"
local check_ordered = require("locus.derived.order").check_ordered
local tags = require "locus.tensor.kind"
local internal = core.internal

local types = select(2, internal.dtypes())

local function counted_from(base, positions)
  return base == 1 and positions or positions + (base - 1)
end

-- Raises where elements that are to be sorted have no order.
function numbers.check_ordered(input, name, sorted)
  if sorted then check_ordered(input, name, "; write sorted = false") end
end

-- The results of unique: the values, then the wanted extras.
function numbers.answers(values, inverse, counts, index)
  local list, n = {values}, 1
  for _, answer in ipairs {inverse or false, counts or false, index or false} do
    if answer then
      n = n + 1
      list[n] = answer
    end
  end
  return unpack(list, 1, n)
end

-- The values in order, each once, by a stable sort of all elements. On request also the number of
-- each element's value, the count of each value, and its first position.
local function by_sorting(flat, has_ids, has_counts, has_firsts)
  local sorted, order
  if has_ids or has_firsts then sorted, order = core.sort(flat)
  else sorted = core.sort(flat, {indices = false}) end
  local values, begins, counts, run = numbers.runs(sorted, has_counts or has_firsts, has_ids, 1)
  local ids = has_ids and core.empty_like(order)
  if has_ids then ids[order] = run end
  return values, ids, has_counts and counts, has_firsts and order[begins]
end

-- The values of integers of a narrow range on the CPU, in order; nil for others.
local function in_range(flat)
  if internal.device_of(flat) ~= "cpu" or #flat == 0 then return nil end
  local kind = types[internal.dtype_of(flat)].kind
  return (kind == "INTEGER" or kind == "BOOL") and internal.distinct_host(flat:contiguous()) or nil
end

-- The same by numbering them, in order or as they first come.
local function by_numbers(flat, has_ids, has_counts, has_firsts, as_they_come)
  local ids, firsts = internal.factorize(flat)
  local values, counts = flat[firsts], has_counts and core.bincount(ids, nil, #firsts)
  if as_they_come then return values, has_ids and ids:long(), counts, firsts end
  if not (has_ids or has_counts or has_firsts) then
    return core.sort(values, {indices = false})
  end
  local sorted, order = core.sort(values)
  return sorted, has_ids and core.argsort(order)[ids], counts and counts[order], firsts[order]
end

-- The same without the values, for places counted from 0, where each occurs. When several positions
-- are written to one place, the last write stays, which is the first position.
local function by_places(places, count, has_ids, has_counts)
  local row = {dtype = "int64", device = internal.device_of(places)}
  local firsts = core.empty(count, row)
  core.put_(firsts, core.flip(places, 1), core.arange(#places, 0, -1, row), {base = 0})
  return nil, has_ids and places + 1, has_counts and core.bincount(places, nil, count, {base = 0}),
    firsts
end

-- The slices of input along a dimension as rows.
local function slices_of(input, dim)
  if core.methods.dim(input) == 0 then
    declare.raise "'input' must have dimensions, got a 0-d tensor"
  end
  return rows.of(input, dim)
end

-- unique(input, ...): the elements of a tensor of any size, each once, in order, or unless `sorted`
-- in order of first appearance. On request also, as int64: the position of each element's value
-- (`return_inverse`, of input's size), the count of each value, and its first position in the
-- flattened input, counted from base. With `dim` the same of the slices along it, in the order of
-- the first element that differs; positions are those along it. Source:
-- https://pytorch.org/docs/stable/generated/torch.unique.html
declare.both("unique(input:tensor, {sorted:boolean=true, return_inverse:boolean=false, "
  .. "return_counts:boolean=false, return_index:boolean=false, dim:dim=nil, base=1})",
  function(input, sorted, return_inverse, return_counts, return_index, dim, base)
    numbers.check_ordered(input, "input", sorted)
    local row, count
    if dim then row, count = rows.numbers(slices_of(input, dim), sorted)
    else row = core.flatten(input) end
    local values, ids, counts, firsts
    if count then
      values, ids, counts, firsts = by_places(row, count, return_inverse, return_counts)
    else
      local has_firsts = return_index or dim
      local alone = sorted and not (return_inverse or return_counts or has_firsts)
      local distinct = alone and in_range(row)
      if distinct then return distinct end
      local share = (return_inverse or has_firsts) and 0.97 or 0.9
      local make = sorted and numbers.mostly_differ(row, share) and by_sorting or by_numbers
      values, ids, counts, firsts = make(row, return_inverse, return_counts, has_firsts, not sorted)
    end
    if dim then values = core.index_select(input, dim, firsts) end
    local inverse = return_inverse
      and core.reshape(counted_from(base, ids), dim and #row or input.shape)
    return numbers.answers(values, inverse, counts, return_index and counted_from(base, firsts))
  end)

-- unique_consecutive(input, ...): the same, but an element is left out only where it equals the one
-- before it; the values come in their order. With `dim` the same of the slices along it.
-- Source: https://pytorch.org/docs/stable/generated/torch.unique_consecutive.html
declare.both("unique_consecutive(input:tensor, {return_inverse:boolean=false, "
  .. "return_counts:boolean=false, return_index:boolean=false, dim:dim=nil, base=1})",
  function(input, return_inverse, return_counts, return_index, dim, base)
    local row = dim and slices_of(input, dim) or core.flatten(input)
    local places = return_counts or return_index or dim
    local values, begins, counts, inverse = numbers.runs(row, places, return_inverse, base)
    if dim then values = core.index_select(input, dim, begins, {base = base}) end
    return numbers.answers(values, inverse and core.reshape(inverse, dim and #row or input.shape),
      return_counts and counts, return_index and begins)
  end)

-- rle(input, {base}): the runs of equal elements of a flattened tensor: the position where each
-- begins, counted from base, and its length, as int64; and the element of each.
-- Source: https://juliastats.org/StatsBase.jl/stable/misc/#StatsBase.rle
declare.both("rle(input:tensor, {base=1})", function(input, base)
  local values, begins, lengths = numbers.runs(core.flatten(input), true, false, base)
  return begins, lengths, values
end)

-- -- Two tensors ---------------------------------------------------------------------------------

-- A scalar as a tensor, a tensor as it is. A scalar or 0-d tensor beside floats or complex numbers
-- is rounded as they are, so that eq finds the same; all else is compared exactly.
local function as_tensor(value, other)
  local is_tensor, beside = core.is_tensor(value), core.is_tensor(other)
  local kind = beside and types[internal.dtype_of(other)].kind
  local dtype
  if kind == "FLOAT" or kind == "COMPLEX" then
    dtype = core.result_type(value, other)
  elseif type(value) == "number" then
    dtype = "float64"
  end
  if not is_tensor then
    return core.tensor(value, {dtype = dtype, device = beside and internal.device_of(other) or nil})
  end
  return dtype and core.methods.dim(value) == 0 and core.methods.to(value, dtype) or value
end

-- Floats as int64, and a mask of those that are whole numbers in its range; others become 0. 2^63
-- is no number of float16.
local function whole(floats)
  floats = floats:to("float64")
  local inside = core.logical_and(core.ge(floats, -2 ^ 63), core.lt(floats, 2 ^ 63))
  local integers = core.masked_fill(floats, core.logical_not(inside), 0):long()
  return integers, core.logical_and(inside, core.eq(integers, floats))
end

-- A dtype that holds the elements of both; nil for int64 and floats, which none does.
local function exact_dtype(a, b)
  if a == b then return a end
  local kinds = {[types[a].kind] = true, [types[b].kind] = true}
  if kinds.COMPLEX then
    return "complex128"
  elseif kinds.FLOAT and (kinds.INTEGER or kinds.BOOL) then
    return a ~= "int64" and b ~= "int64" and "float64" or nil
  end
  return core.result_type(core.zeros(1, {dtype = a}), core.zeros(1, {dtype = b}))
end

-- numbers.find(input, values), of one dimension each: for each value its number among those of
-- input, 0 if there is none; and the first position, counted from 1, of each number in input.
function numbers.find(input, values)
  local a, b = internal.dtype_of(input), internal.dtype_of(values)
  local dtype = exact_dtype(a, b)
  if dtype then
    local _, firsts, found = internal.factorize(input:to(dtype), values:to(dtype))
    return found, firsts
  elseif a == "int64" then
    local integers, there = whole(values)
    local _, firsts, found = internal.factorize(input, integers)
    return core.masked_fill(found, core.logical_not(there), 0), firsts
  end
  local integers, there = whole(input)
  local positions = core.nonzero(there, {as_tuple = true})
  local _, firsts, found = internal.factorize(integers[positions], values)
  return found, positions[firsts]
end

-- The same as is_in of one dtype, by a search among the values in order: NaN is the last of them.
local function is_in_order(input, values)
  local sorted = core.sort(values, {indices = false})
  local places = core.searchsorted(sorted, input, {out_int32 = #sorted < 2 ^ 31 - 1})
  local found = core.eq(sorted[core.methods.clamp_(places, {max = #sorted})], input)
  if sorted[#sorted] == sorted[#sorted] then return found end
  return core.methods.logical_or_(found, core.isnan(input))
end

-- Whether each element of a row is among those of another.
function numbers.is_in(input, values)
  local dtype = exact_dtype(internal.dtype_of(input), internal.dtype_of(values))
  if not dtype or internal.device_of(input) ~= "cpu" then
    return core.ne((numbers.find(values, input)), 0)
  elseif types[dtype].kind ~= "COMPLEX" and numbers.mostly_differ(values, 0.9) then
    return is_in_order(input:to(dtype), values:to(dtype))
  end
  return internal.is_among_host(values:to(dtype):contiguous(), input:to(dtype):contiguous())
end

-- Raises unless the tensor of that name can be compared with the input.
function numbers.check_pair(input, other, name)
  tags.check_same(input, "input", other, name)
  local device, dtype = internal.device_of(input), internal.dtype_of(input)
  if internal.device_of(other) ~= device then
    declare.raise("'%s' must be on %s, like 'input', got %s", name, device,
      internal.describe(other))
  end
  local made = internal.dtype_of(other)
  local kinds = {[types[dtype].kind] = true, [types[made].kind] = true}
  if kinds.COMPLEX and (dtype == "int64" or made == "int64") then
    declare.raise("'%s' must be of a dtype that goes with %s, got %s", name, dtype, made)
  end
end

local function of_shape(answers, value)
  if core.is_tensor(value) then return core.reshape(answers, value.shape) end
  return answers:item()
end

-- lookup(input, values, {base}): the first position in `input`, of one dimension, where each of the
-- values stands, base - 1 where it does not: int64, of values' size. A number is rounded to the
-- dtype of floats, as eq does.
declare.both("lookup(input:tensor, values:value, {base=1})", function(input, value, base)
  if core.methods.dim(input) ~= 1 then
    declare.raise("'input' must be 1-D, got %s", internal.describe(input))
  end
  local values = as_tensor(value, input)
  numbers.check_pair(input, values, "values")
  local found, firsts = numbers.find(input, core.flatten(values))
  return of_shape(numbers.positions(found, firsts, base), value)
end)

-- isin(input, values): whether each element of `input` is among the values: bool, of input's size.
-- Numbers as in lookup.
-- Source: https://pytorch.org/docs/stable/generated/torch.isin.html
declare.both("isin(input:value, values:value)", function(value, among)
  local input = as_tensor(value, among)
  local values = as_tensor(among, input)
  numbers.check_pair(input, values, "values")
  return of_shape(numbers.is_in(core.flatten(input), core.flatten(values)), value)
end)

return numbers
