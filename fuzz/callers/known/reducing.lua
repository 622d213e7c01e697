-- SPDX-License-Identifier: MIT
-- Reductions and running answers along a dimension of up to three, with oracles in plain Lua:
-- floats are added in the one order that is written down. Each function makes one call by chance.
local arrays = require "fuzz.callers.known.arrays"
local compared = require "fuzz.callers.known.compared"
local ffi = require "ffi"
local locus = require "locus"
local plan = require "fuzz.callers.plan"
local rounding = require "fuzz.callers.known.rounding"
local sorted = require "fuzz.callers.known.sorted"

jit.off(true, true) -- see plan.compile

local pick, chance, random = plan.pick, plan.chance, math.random
local before, after = sorted.before, sorted.after
local types = arrays.types

local ops = {}

local function is_whole(dtype) return types[dtype].kind == "INTEGER" or dtype == "bool" end

-- {outer, n, inner}, a dimension of a shape with the sizes in front of it and behind.
local function shaped()
  local n = math.max(1, arrays.count())
  local outer, inner = pick {1, 1, random(1, 9)}, pick {1, 1, random(1, 9)}
  local long = math.max(1, math.floor(n / outer / inner))
  if chance(4) then long, outer = outer, long end
  return outer, long, inner
end

-- -- Floats in the one order --------------------------------------------------------------------

-- Blocks of 1024: lanes, halves of them together, then blocks as in a binary counter.
local TREE = [[local join, NONE, LANES = ...
local ffi = require "ffi"
local lane, level, used = ffi.new("double[32]"), ffi.new("double[64]"), ffi.new("bool[64]")
return function(v, n)
  for k = 0, 63 do used[k] = false end
  for start = 0, n - 1, 1024 do
    for l = 0, LANES - 1 do lane[l] = NONE end
    local last = math.min(start + 1024, n) - 1
    for i = start, last do
      local l = (i - start) % LANES
      lane[l] = join(lane[l], v[i])
    end
    local half = LANES / 2
    while half >= 1 do
      for l = 0, half - 1 do lane[l] = join(lane[l], lane[l + half]) end
      half = half / 2
    end
    local sum, k = lane[0], 0
    while used[k] do
      sum = join(level[k], sum)
      used[k] = false
      k = k + 1
    end
    level[k], used[k] = sum, true
  end
  local total = NONE
  for k = 0, 63 do
    if used[k] then total = join(level[k], total) end
  end
  return total
end]]

local function plus(a, b) return a + b end
local function times(a, b) return a * b end
plan.compile {plus, times}
local add_floats = arrays.compiled(TREE, "sum", plus, 0, 32)
local multiply_floats = arrays.compiled(TREE, "prod", times, 1, 32)

-- -- By group -----------------------------------------------------------------------------------

-- The answer of each reduction for n values v of a class, and whether that is an int64.
local WHOLE = [[local join, none = ...
return function(v, n)
  local answer = none
  for i = 0, n - 1 do answer = join(answer, v[i]) end
  return answer
end]]
local add_whole = {d = arrays.compiled(WHOLE, "sum d", plus, 0LL),
                   q = arrays.compiled(WHOLE, "sum q", plus, 0LL)}
local multiply_whole = {d = arrays.compiled(WHOLE, "prod d", times, 1LL),
                        q = arrays.compiled(WHOLE, "prod q", times, 1LL)}

-- The place of the first NaN, else of the first that none is before, or after.
local WINNER = [[local better = ...
return function(v, n)
  local best = 0
  for i = 0, n - 1 do
    if v[i] ~= v[i] then return i end
    if better(v[i], v[best]) then best = i end
  end
  return best
end]]
local function winner(class, better, name)
  return arrays.compiled(WINNER, "winner " .. class .. name, better)
end

local PRESENT = [[local better = ...
return function(v, n)
  local best = v[0]
  for i = 0, n - 1 do
    local x = v[i]
    if x == x and (best ~= best or better(x, best)) then best = x end
  end
  return best
end]]

local COUNT = [[return function(v, n)
  local count = 0
  for i = 0, n - 1 do if v[i] ~= 0 then count = count + 1 end end
  return count
end]]
local function counted(class, v, n) return arrays.compiled(COUNT, "count " .. class)(v, n) end

-- How many are not NaN, and those with 0 in the place of the others.
local function present(v, n)
  local count = 0
  for i = 0, n - 1 do
    if v[i] ~= v[i] then v[i] = 0 else count = count + 1 end
  end
  return count
end

-- The value that all those are that are not NaN, or all where NaN counts; nil where they differ.
local function alike(v, n, counts_nan)
  local value
  for i = 0, n - 1 do
    local x = v[i]
    if x == x or counts_nan then
      if value == nil then value = x end
      if x ~= value then return nil end
    end
  end
  return value
end

local function shrink(v, n, to)
  for i = 0, n - 1 do to[i] = v[i] * 2 ^ -600 end
end

plan.compile {present, alike, shrink}

local function float_of(dtype) return is_whole(dtype) and "float64" or dtype end
local function int64_of(dtype) return is_whole(dtype) and "int64" or dtype end

local function whole_or_float(whole, float)
  return function(class, v, n, dtype)
    if is_whole(dtype) then return whole[class](v, n) end
    return rounding.to[dtype](float(v, n))
  end
end

local MOST = (2 - 2 ^ -52) * 2 ^ 1023

-- The mean of n numbers; `count` of them count. It is finite if they are, although their sum is
-- not.
local function finite_mean(v, n, count)
  local mean = add_floats(v, n) / count
  if n == 0 or mean - mean == 0 then return mean end
  local small = ffi.new("double[?]", n)
  shrink(v, n, small)
  local shrunk = add_floats(small, n) / count
  if shrunk - shrunk == 0 then return math.min(math.max(shrunk * 2 ^ 600, -MOST), MOST) end
  return (shrunk == 1 / 0 or shrunk == -1 / 0) and shrunk or mean
end

-- Equal elements are their own mean.
local function mean(class, v, n, dtype, skips_nan)
  if class == "q" then
    local doubles = ffi.new("double[?]", math.max(n, 1))
    for i = 0, n - 1 do doubles[i] = tonumber(v[i]) end
    v = doubles
  end
  local value = alike(v, n, not skips_nan)
  local answer = finite_mean(v, n, skips_nan and present(v, n) or n)
  return rounding.to[float_of(dtype)](value and answer ~= value and value or answer)
end

local function element(better, name)
  return function(class, v, n) return v[winner(class, better, name)(v, n)] end
end
local function place(better, name)
  return function(class, v, n) return winner(class, better, name)(v, n) + 1 end
end
local function of_present(better, name)
  return function(class, v, n) return arrays.compiled(PRESENT, name .. class, better)(v, n) end
end
local function same(dtype) return dtype end
local function int64() return "int64" end
local function bool() return "bool" end

-- By name the dtype of the answer, and f(class, v, n, dtype), where v may be changed.
local REDUCTIONS = {
  sum = {int64_of, whole_or_float(add_whole, add_floats)},
  prod = {int64_of, whole_or_float(multiply_whole, multiply_floats)},
  mean = {float_of, mean},
  nansum = {int64_of, function(class, v, n, dtype)
    if class == "d" then present(v, n) end
    return whole_or_float(add_whole, add_floats)(class, v, n, dtype)
  end},
  nanmean = {float_of, function(class, v, n, dtype)
    return mean(class, v, n, dtype, true)
  end},
  amin = {same, element(before, "min")}, amax = {same, element(after, "max")},
  argmin = {int64, place(before, "min")}, argmax = {int64, place(after, "max")},
  nanmin = {same, of_present(before, "nanmin")}, nanmax = {same, of_present(after, "nanmax")},
  count_nonzero_by = {int64, counted},
  any = {bool, function(class, v, n) return counted(class, v, n) > 0 and 1 or 0 end},
  all = {bool, function(class, v, n) return counted(class, v, n) == n and 1 or 0 end},
}

local GROUP = [[return function(v, first, step, n, to)
  for i = 0, n - 1 do to[i] = v[first + i * step] end
end]]

-- The groups along the middle dimension, each copied; visit(group, first) for all.
local function each_group(a, outer, n, inner, visit)
  local group = arrays.blank(a.dtype, n)
  local copy = arrays.compiled(GROUP, "group " .. a.class)
  for o = 0, outer - 1 do
    for i = 0, inner - 1 do
      copy(a.v, o * n * inner + i, inner, n, group.v)
      visit(group.v, o * n * inner + i, o * inner + i)
    end
  end
end

for name, how in pairs(REDUCTIONS) do
  local called = name:gsub("_by$", "")
  ops[name] = function()
    local outer, n, inner = shaped()
    local a = arrays.random(pick(arrays.ordered), outer * n * inner)
    local t = arrays.tensor(a, {outer, n, inner})
    local want = arrays.blank(how[1](a.dtype), outer * inner)
    each_group(a, outer, n, inner, function(v, _, at)
      want.v[at] = how[2](a.class, v, n, a.dtype)
    end)
    if called == "count_nonzero" then
      compared.same(name, t:count_nonzero(2), want, {outer, inner}, a.n)
      return
    end
    local keep, out = chance(3), chance(4) and locus.zeros({0}, {dtype = want.dtype}) or nil
    local got = t[called](t, 2, keep, {out = out})
    compared.same(name, got, want, keep and {outer, 1, inner} or {outer, inner}, a.n)
  end
end

-- -- Running answers ----------------------------------------------------------------------------

local function running_number(join, none)
  return function(_, v, n, dtype, to)
    local so_far = none
    if is_whole(dtype) then
      so_far = ffi.new("int64_t", none)
      for i = 0, n - 1 do so_far = join(so_far, v[i]) to[i] = so_far end
    else
      local round = rounding.to[dtype]
      for i = 0, n - 1 do so_far = join(so_far, v[i]) to[i] = round(so_far) end
    end
  end
end

-- The best so far, the last of equal ones.
local function running_best(better)
  return function(_, v, n, _, to, places)
    local at = 0
    for i = 0, n - 1 do
      if v[i] ~= v[i] or not better(v[at], v[i]) and v[at] == v[at] then at = i end
      to[i], places[i] = v[at], at + 1
    end
  end
end

local SCANS = {cumsum = {int64_of, running_number(plus, 0)},
               cumprod = {int64_of, running_number(times, 1)},
               cummin = {same, running_best(before), true},
               cummax = {same, running_best(after), true}}

for name, scan in pairs(SCANS) do
  plan.compile {scan[2]}
  ops[name] = function()
    local outer, n, inner = shaped()
    local a = arrays.random(pick(arrays.ordered), outer * n * inner)
    local shape = {outer, n, inner}
    local t = arrays.tensor(a, shape)
    local want, places = arrays.blank(scan[1](a.dtype), a.n), arrays.blank("int64", a.n)
    local row, at = arrays.blank(want.dtype, n), arrays.blank("int64", n)
    each_group(a, outer, n, inner, function(v, first)
      scan[2](a.class, v, n, a.dtype, row.v, at.v)
      for i = 0, n - 1 do
        want.v[first + i * inner], places.v[first + i * inner] = row.v[i], at.v[i]
      end
    end)
    local got, index = t[name](t, 2)
    compared.same(name, got, want, shape)
    if scan[3] then compared.same(name .. ", positions", index, places, shape, 0) end
  end
end

return ops
