-- SPDX-License-Identifier: MIT
-- Reductions in plain Lua, slow and obvious, for specs to compare with: each takes the elements
-- that are reduced, as a list in C order, and their dtype, and gives the answer and its dtype.
local ffi = require "ffi"
local numbers = require "spec.support.numbers"
local oracle = require "spec.support.oracle"
local support = require "spec.support"

local reductions = {}

--- By the names of core/reduce.def.
reductions.ops = support.known("the answer", {})

-- The one order in which floats are added: in blocks of 1024 each lane takes every `lanes`-th
-- element, half of the lanes is added to the other half until one is left, and block sums are
-- added in a binary counter, the earlier ones on the left. Products have factors instead.
local function plus(a, b) return a + b end
local function times(a, b) return a * b end

local function tree(list, lanes, join, none)
  local levels = {}
  join, none = join or plus, none or 0
  for start = 0, #list - 1, 1024 do
    local lane = {}
    for l = 0, lanes - 1 do lane[l] = none end
    for i = start, math.min(start + 1024, #list) - 1 do
      local l = (i - start) % lanes
      lane[l] = join(lane[l], list[i + 1])
    end
    local half = lanes / 2
    while half >= 1 do
      for l = 0, half - 1 do lane[l] = join(lane[l], lane[l + half]) end
      half = half / 2
    end
    local sum, k = lane[0], 1
    while levels[k] do
      sum, levels[k] = join(levels[k], sum), false
      k = k + 1
    end
    levels[k] = sum
  end
  local total = none
  for k = 1, #levels do
    if levels[k] then total = join(levels[k], total) end
  end
  return total
end

local function map(list, f)
  local mapped = {}
  for i, v in ipairs(list) do mapped[i] = f(v) end
  return mapped
end

local function real(v) return v == true and 1 or v == false and 0 or tonumber(v) end

-- The sum of floats, divided and then rounded to the dtype.
local function float_sum(list, dtype, divisor)
  if oracle.kind(dtype) < 4 then
    return oracle.round(tree(map(list, real), 32) / divisor, dtype)
  end
  local part = oracle.computed(dtype)
  local re = tree(map(list, function(v) return v.re end), 16) / divisor
  local im = tree(map(list, function(v) return v.im end), 16) / divisor
  return support.complex(oracle.round(re, part), oracle.round(im, part))
end

function reductions.ops.sum(list, dtype)
  if oracle.kind(dtype) > 2 then return float_sum(list, dtype, 1), dtype end
  local sum = numbers.int64(0)
  for _, v in ipairs(list) do sum = sum + (type(v) == "boolean" and real(v) or v) end
  return sum, "int64"
end

function reductions.ops.mean(list, dtype)
  local answer = oracle.kind(dtype) > 2 and dtype or "float64"
  return float_sum(list, answer, #list), answer
end

-- The product of complex numbers, where a factor of 1 changes nothing.
local function complex_times(a, b)
  if b.re == 1 and b.im == 0 then return a end
  if a.re == 1 and a.im == 0 then return b end
  return {re = a.re * b.re - a.im * b.im, im = a.re * b.im + a.im * b.re}
end

function reductions.ops.prod(list, dtype)
  if oracle.kind(dtype) == 3 then
    return oracle.round(tree(map(list, real), 32, times, 1), dtype), dtype
  elseif oracle.kind(dtype) == 4 then
    local part = oracle.computed(dtype)
    local product = tree(list, 16, complex_times, {re = 1, im = 0})
    return support.complex(oracle.round(product.re, part), oracle.round(product.im, part)), dtype
  end
  local product = numbers.int64(1)
  for _, v in ipairs(list) do product = product * (type(v) == "boolean" and real(v) or v) end
  return product, "int64"
end

local function is_nan(v)
  if type(v) == "cdata" and not reductions.is_int64(v) then return v.re ~= v.re or v.im ~= v.im end
  return v ~= v
end

-- With 0 in the place of NaN, and how many those are.
local function without_nan(list, dtype)
  local zero, count = oracle.kind(dtype) == 4 and support.complex(0, 0) or 0, 0
  return map(list, function(v)
    if not is_nan(v) then return v end
    count = count + 1
    return zero
  end), count
end

function reductions.ops.nansum(list, dtype)
  return reductions.ops.sum(without_nan(list, dtype), dtype)
end

function reductions.ops.nanmean(list, dtype)
  local answer = oracle.kind(dtype) > 2 and dtype or "float64"
  local present, absent = without_nan(list, dtype)
  return float_sum(present, answer, #list - absent), answer
end

function reductions.ops.sum_abs(list)
  return tree(map(list, function(v) return math.abs(real(v)) end), 32), "float64"
end

function reductions.ops.sum_squares(list)
  return tree(map(list, function(v) return real(v) * real(v) end), 32), "float64"
end

function reductions.ops.sum_squared_deviations(list)
  local reals = map(list, real)
  local mean = tree(reals, 32) / #list
  return tree(map(reals, function(v) return (v - mean) * (v - mean) end), 32), "float64"
end

function reductions.ops.count_nonzero(list)
  local count = 0
  for _, v in ipairs(list) do count = count + (numbers.truth(v) and 1 or 0) end
  return count, "int64"
end

function reductions.ops.any(list) return reductions.ops.count_nonzero(list) > 0, "bool" end
function reductions.ops.all(list) return reductions.ops.count_nonzero(list) == #list, "bool" end

-- The place of the first NaN, else of the first element that `better` puts before all others.
local function winner(list, better)
  local best = 1
  for i, v in ipairs(list) do
    if v ~= v then return i end
    if better(v, list[best]) then best = i end
  end
  return best
end

local function after(a, b) return oracle.before(b, a) end

function reductions.argmin(list) return winner(list, oracle.before), "int64" end
function reductions.argmax(list) return winner(list, after), "int64" end
function reductions.ops.min(list, dtype) return list[winner(list, oracle.before)], dtype end
function reductions.ops.max(list, dtype) return list[winner(list, after)], dtype end

-- The best of those that are not NaN; where all are, that.
local function winner_present(list, better)
  local best = list[1]
  for _, v in ipairs(list) do
    if v == v and (best ~= best or better(v, best)) then best = v end
  end
  return best
end

function reductions.ops.nanmin(list, dtype) return winner_present(list, oracle.before), dtype end
function reductions.ops.nanmax(list, dtype) return winner_present(list, after), dtype end

--- The elements of an array in groups that differ in the reduced dimensions only (a set of 1-based
--- dimensions), both in C order.
function reductions.groups(array, reduced)
  local shape, groups, order = array.shape, {}, {}
  local index = {}
  for d = 1, #shape do index[d] = 0 end
  for _, value in ipairs(array.values) do
    local key = {}
    for d = 1, #shape do
      if not reduced[d] then key[#key + 1] = index[d] end
    end
    key = table.concat(key, ",")
    if not groups[key] then
      groups[key] = {}
      order[#order + 1] = groups[key]
    end
    table.insert(groups[key], value)
    for d = #shape, 1, -1 do
      index[d] = index[d] + 1
      if index[d] < shape[d] then break end
      index[d] = 0
    end
  end
  return order
end

--- What a reduction of a list gives over dimensions of an array: shape, values, dtype.
function reductions.by_dims(reduce, array, reduced, keepdim)
  local shape, values, dtype = {}, {}, nil
  for d, size in ipairs(array.shape) do
    if not reduced[d] then shape[#shape + 1] = size
    elseif keepdim then shape[#shape + 1] = 1 end
  end
  for i, group in ipairs(reductions.groups(array, reduced)) do
    values[i], dtype = reduce(group, array.dtype)
  end
  return shape, values, dtype
end

--- Whether a value is an int64 cdata.
function reductions.is_int64(v) return ffi.istype("int64_t", v) end

return reductions
