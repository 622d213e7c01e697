-- SPDX-License-Identifier: MIT
-- Reductions in plain Lua, slow and obvious, for specs to compare with: each takes the elements
-- that are reduced, as a list in C order, and their dtype, and gives the answer and its dtype.
local ffi = require "ffi"
local numbers = require "spec.support.models.numbers"
local oracle = require "spec.support.models.oracle"
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

-- Whether all are one number.
local function alike(list)
  for _, v in ipairs(list) do
    if v ~= list[1] then return false end
  end
  return #list > 0
end

local MOST = (2 - 2 ^ -52) * 2 ^ 1023

-- The mean, of which equal elements are their own, and which is finite where all elements are.
-- add(list) adds up; `present` are those that count.
local function mean_of(list, add, present)
  local mean = add(list) / #present
  if mean - mean ~= 0 and #list > 0 then
    local shrunk = add(map(list, function(v) return v * 2 ^ -600 end)) / #present
    if shrunk - shrunk == 0 then mean = math.min(math.max(shrunk * 2 ^ 600, -MOST), MOST) end
    if shrunk == 1 / 0 or shrunk == -1 / 0 then mean = shrunk end
  end
  return alike(present) and mean ~= present[1] and present[1] or mean
end

local function in_lanes(list) return tree(list, 32) end
local function in_pairs(list) return tree(list, 16) end

-- A sum or mean of floats by f(list, add, part), rounded to the dtype.
local function float_sum(list, dtype, f)
  if oracle.kind(dtype) < 4 then return oracle.round(f(map(list, real), in_lanes), dtype) end
  local part = oracle.computed(dtype)
  local re = f(map(list, function(v) return v.re end), in_pairs, "re")
  local im = f(map(list, function(v) return v.im end), in_pairs, "im")
  return support.complex(oracle.round(re, part), oracle.round(im, part))
end

local function added(list, add) return add(list) end

function reductions.ops.sum(list, dtype)
  if oracle.kind(dtype) > 2 then return float_sum(list, dtype, added), dtype end
  local sum = numbers.int64(0)
  for _, v in ipairs(list) do sum = sum + (type(v) == "boolean" and real(v) or v) end
  return sum, "int64"
end

function reductions.ops.mean(list, dtype)
  local answer = oracle.kind(dtype) > 2 and dtype or "float64"
  return float_sum(list, answer, function(x, add) return mean_of(x, add, x) end), answer
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

-- With 0 in the place of NaN, and those that are not.
local function without_nan(list, dtype)
  local zero, present = oracle.kind(dtype) == 4 and support.complex(0, 0) or 0, {}
  return map(list, function(v)
    if is_nan(v) then return zero end
    present[#present + 1] = v
    return v
  end), present
end

function reductions.ops.nansum(list, dtype)
  return reductions.ops.sum((without_nan(list, dtype)), dtype)
end

function reductions.ops.nanmean(list, dtype)
  local answer = oracle.kind(dtype) > 2 and dtype or "float64"
  local zeros, present = without_nan(list, dtype)
  return float_sum(zeros, answer, function(x, add, part)
    return mean_of(x, add, map(present, part and function(v) return v[part] end or real))
  end), answer
end

local function float_dtype(dtype) return oracle.kind(dtype) > 2 and dtype or "float64" end

function reductions.ops.norm1(list, dtype)
  local answer = float_dtype(dtype)
  return oracle.round(in_lanes(map(list, function(v) return math.abs(real(v)) end)), answer), answer
end

-- The sum of squares of f(factor), a list, and by how much its root is too small: where it is
-- beyond float64, or below, the list has other factors.
local function squares_of(f, add)
  for _, factor in ipairs {1, 2 ^ -600, 2 ^ 600} do
    local sum = add(map(f(factor), function(v) return v * v end))
    local beyond, below = sum == 1 / 0, sum < 2 ^ -960
    if factor == 1 and not (beyond or below) or sum ~= sum then return sum, 1 end
    if factor < 1 and not below or factor > 1 and not beyond then return sum, 1 / factor end
  end
end

function reductions.ops.norm2(list, dtype)
  local answer = float_dtype(dtype)
  local sum, unit = squares_of(function(factor)
    return map(list, function(v) return real(v) * factor end)
  end, in_lanes)
  return oracle.round(math.sqrt(sum) * unit, answer), answer
end

-- The squared distances to the mean, divided; and by how much the root of that is too small.
local function spread(list, divisor, add)
  local reals = map(list, real)
  local mean = mean_of(reals, add, reals)
  local sum, unit = squares_of(function(factor)
    return map(reals, function(v)
      if factor < 1 then return v * factor - mean * factor end
      return (v - mean) * factor
    end)
  end, add)
  return sum / divisor, unit
end

--- The mean, the variance and the deviation of a list, whose numbers are added by add(list).
function reductions.mean_of(list, add)
  local reals = map(list, real)
  return mean_of(reals, add, reals)
end

function reductions.variance_of(list, divisor, add)
  local share, unit = spread(list, divisor, add)
  return share * unit * unit
end

function reductions.deviation_of(list, divisor, add)
  local share, unit = spread(list, divisor, add)
  return math.sqrt(share) * unit
end

--- The variance of a list, with the divisor of its squares, by default one less than there are.
function reductions.ops.var(list, dtype, divisor)
  local answer = float_dtype(dtype)
  divisor = divisor or math.max(#list - 1, 0)
  return oracle.round(reductions.variance_of(list, divisor, in_lanes), answer), answer
end

function reductions.ops.std(list, dtype, divisor)
  local answer = float_dtype(dtype)
  divisor = divisor or math.max(#list - 1, 0)
  return oracle.round(reductions.deviation_of(list, divisor, in_lanes), answer), answer
end

-- The same of the elements that are not NaN, added in the places that they have in the list.
local function present_spread(list, dtype, less, answer_of)
  local answer = float_dtype(dtype)
  local reals, present = map(list, real), {}
  for _, v in ipairs(reals) do
    if v == v then present[#present + 1] = v end
  end
  local mean = mean_of((without_nan(reals, "float64")), in_lanes, present)
  local divisor = #present > 0 and math.max(#present - (less or 1), 0) or 0
  local sum, unit = squares_of(function(factor)
    return map(reals, function(v)
      if v ~= v then return 0 end
      if factor < 1 then return v * factor - mean * factor end
      return (v - mean) * factor
    end)
  end, in_lanes)
  return oracle.round(answer_of(sum / divisor, unit), answer), answer
end

function reductions.ops.nanvar(list, dtype, less)
  return present_spread(list, dtype, less, function(share, unit) return share * unit * unit end)
end

function reductions.ops.nanstd(list, dtype, less)
  return present_spread(list, dtype, less, function(share, unit) return math.sqrt(share) * unit end)
end

function reductions.ops.nancount(list, dtype)
  local _, present = without_nan(list, dtype)
  return #present, "int64"
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

--- The answer of a reduction of a list over dimensions of an array: shape, values, dtype.
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
