-- SPDX-License-Identifier: MIT
-- Choosing among elements, with oracles in plain Lua: nonzero and its kin, masked_select, take,
-- gather, index_select, scatter, masked_fill, isin, unique. Each function makes one call by chance.
local arrays = require "fuzz.callers.known.arrays"
local compared = require "fuzz.callers.known.compared"
local ffi = require "ffi"
local locus = require "locus"
local plan = require "fuzz.callers.plan"
local sorted = require "fuzz.callers.known.sorted"

jit.off(true, true) -- see plan.compile

local pick, chance, random = plan.pick, plan.chance, math.random

local ops = {}

local function made(dtype, shape, n)
  local a = arrays.random(dtype, n)
  return a, arrays.tensor(a, shape)
end

local function any(dtypes)
  local shape, n = arrays.shape(arrays.count())
  local a, t = made(pick(dtypes or arrays.dtypes), shape, n)
  return a, t, shape
end

local function width(a) return a.class == "z" and 2 or 1 end

-- -- What is not zero ---------------------------------------------------------------------------

local PLACES = {
  d = [[return function(v, n, to)
    local count = 0
    for i = 0, n - 1 do
      if v[i] ~= 0 then to[count] = i count = count + 1 end
    end
    return count
  end]],
  z = [[return function(v, n, to)
    local count = 0
    for i = 0, n - 1 do
      if v[2 * i] ~= 0 or v[2 * i + 1] ~= 0 then to[count] = i count = count + 1 end
    end
    return count
  end]],
}
PLACES.q = PLACES.d

-- Where elements are not zero, in C order from 0: a list and how many.
local function places(a)
  local to = ffi.new("int32_t[?]", math.max(a.n, 1))
  return to, arrays.compiled(PLACES[a.class], "places " .. a.class)(a.v, a.n, to)
end

local INDEX = [[return function(places, count, to, first, next, below, size, base)
  for i = 0, count - 1 do
    to[first + i * next] = math.floor(places[i] / below) % size + base
  end
end]]

-- The positions along dimension d of a shape, put into `to` from `first`, `next` apart.
local function put_index(list, count, shape, d, to, first, next, base)
  local below = 1
  for k = d + 1, #shape do below = below * shape[k] end
  arrays.compiled(INDEX, "index")(list, count, to, first, next, below, shape[d], base)
end

function ops.nonzero()
  local a, t, shape = any()
  local list, count = places(a)
  local base, ndim = random(0, 1), #shape
  if chance(3) and ndim > 0 then
    local columns = {t:nonzero {as_tuple = true, base = base}}
    for d = 1, ndim do
      local want = arrays.blank("int64", count)
      put_index(list, count, shape, d, want.v, 0, 1, base)
      compared.same("nonzero, as a tuple", columns[d], want, {count}, d == 1 and a.n or 0)
    end
    return
  end
  local want = arrays.blank("int64", count * ndim)
  for d = 1, ndim do put_index(list, count, shape, d, want.v, d - 1, ndim, base) end
  local out = chance(3) and locus.zeros({0}, {dtype = "int64"}) or nil
  compared.same("nonzero", t:nonzero {base = base, out = out}, want, {count, ndim}, a.n)
end

function ops.count_nonzero()
  local a, t = any()
  local _, count = places(a)
  if t:count_nonzero() ~= count then error("count_nonzero is not " .. count, 0) end
  compared.count = compared.count + a.n
end

-- Elements of a at places, from 0, as an array.
local PICK = [[return function(from, places, n, to, parts)
  for i = 0, n - 1 do
    for k = 0, parts - 1 do to[parts * i + k] = from[parts * tonumber(places[i]) + k] end
  end
end]]

local function picked(a, list, count)
  local want = arrays.blank(a.dtype, count)
  arrays.compiled(PICK, "pick " .. a.class .. tostring(ffi.typeof(list)))(a.v, list, count, want.v,
    width(a))
  return want
end

function ops.masked_select()
  local a, t, shape = any()
  local mask, m = made("bool", shape, a.n)
  local list, count = places(mask)
  local got = chance(3) and #shape > 0 and t[m] or t:masked_select(m)
  compared.same("masked_select", got, picked(a, list, count), {count}, a.n)
end

function ops.masked_fill()
  local a, t, shape = any {"float64", "int32", "int8", "float32", "uint8"}
  local mask, m = made("bool", shape, a.n)
  local want = arrays.blank(a.dtype, a.n)
  for i = 0, a.n - 1 do want.v[i] = a.v[i] end
  local list, count = places(mask)
  for i = 0, count - 1 do want.v[list[i]] = 3 end
  compared.same("masked_fill", t:masked_fill(m, 3), want, shape)
end

-- -- By position --------------------------------------------------------------------------------

-- Positions of n elements among `size`, counted from `base`; negative ones, too, if that is 1.
local function positions(n, size, base, negative)
  local dtype = pick {"int64", "int32"}
  return arrays.of(dtype, n, function()
    local k = random(0, size - 1)
    return negative and base == 1 and chance(9) and k - size or k + base
  end)
end

local function from_zero(index, size, base)
  local list = ffi.new("int32_t[?]", math.max(index.n, 1))
  for i = 0, index.n - 1 do
    local k = tonumber(index.v[i])
    list[i] = base == 1 and k < 0 and k + size or k - base
  end
  return list
end

function ops.take()
  local n, base = math.max(1, arrays.count()), random(0, 1)
  local a, t = made(pick(arrays.dtypes), {n}, n)
  local shape, count = arrays.shape(arrays.count())
  local index = positions(count, n, base)
  local want = picked(a, from_zero(index, n, base), count)
  compared.same("take", t:take(arrays.tensor(index, shape), nil, {base = base}), want, shape)
end

-- A matrix of rows by columns, one dimension of it, and how far its elements are apart.
local function matrix()
  local n = math.max(arrays.count(), 4)
  local rows = random(math.min(n, 60))
  local shape, dim = {rows, math.floor(n / rows)}, random(2)
  return shape, dim
end

function ops.index_select()
  local shape, dim = matrix()
  local a, t = made(pick(arrays.dtypes), shape, shape[1] * shape[2])
  local base = random(0, 1)
  local index = positions(random(0, 2 * shape[dim]), shape[dim], base, true)
  local list, sizes = from_zero(index, shape[dim], base), {shape[1], shape[2]}
  sizes[dim] = index.n
  local whole = ffi.new("int32_t[?]", math.max(1, sizes[1] * sizes[2]))
  for r = 0, sizes[1] - 1 do
    for c = 0, sizes[2] - 1 do
      whole[r * sizes[2] + c] = dim == 1 and list[r] * shape[2] + c or r * shape[2] + list[c]
    end
  end
  local got = t:index_select(dim, arrays.tensor(index, {index.n}), {base = base})
  compared.same("index_select", got, picked(a, whole, sizes[1] * sizes[2]), sizes)
end

-- Where the elements of an index of `sizes` lie in the matrix of `shape`.
local function along(list, sizes, shape, dim)
  local whole = ffi.new("int32_t[?]", math.max(1, sizes[1] * sizes[2]))
  for r = 0, sizes[1] - 1 do
    for c = 0, sizes[2] - 1 do
      local k = list[r * sizes[2] + c]
      whole[r * sizes[2] + c] = dim == 1 and k * shape[2] + c or r * shape[2] + k
    end
  end
  return whole
end

plan.compile {from_zero, along}

local function index_of(shape, dim, base)
  local sizes = {shape[1], shape[2]}
  sizes[3 - dim] = random(sizes[3 - dim])
  local n = sizes[1] * sizes[2]
  local index = positions(n, shape[dim], base, true)
  return index, along(from_zero(index, shape[dim], base), sizes, shape, dim), sizes, n
end

function ops.gather()
  local shape, dim = matrix()
  local a, t = made(pick(arrays.dtypes), shape, shape[1] * shape[2])
  local base = random(0, 1)
  local index, whole, sizes, n = index_of(shape, dim, base)
  local got = t:gather(dim, arrays.tensor(index, sizes), {base = base})
  compared.same("gather", got, picked(a, whole, n), sizes)
end

local PUT = [[return function(from, places, n, to, parts)
  for i = 0, n - 1 do
    for k = 0, parts - 1 do to[parts * places[i] + k] = from[parts * i + k] end
  end
end]]

function ops.scatter()
  local shape, dim = matrix()
  local dtype, base = pick(arrays.dtypes), random(0, 1)
  local a, t = made(dtype, shape, shape[1] * shape[2])
  local index, whole, sizes, n = index_of(shape, dim, base)
  local source, s = made(dtype, sizes, n)
  local want = arrays.blank(dtype, a.n)
  ffi.copy(want.v, a.v, a.n * width(a) * 8)
  arrays.compiled(PUT, "put " .. a.class)(source.v, whole, n, want.v, width(a))
  local f = chance(2) and t.scatter or t.scatter_
  compared.same("scatter", f(t, dim, arrays.tensor(index, sizes), s, {base = base}), want, shape)
end

function ops.scatter_add()
  local shape, dim = matrix()
  local dtype, base = pick {"int64", "float64"}, random(0, 1)
  local a, t = made(dtype, shape, shape[1] * shape[2])
  local index, whole, sizes, n = index_of(shape, dim, base)
  local source, s = made(dtype, sizes, n)
  local want = arrays.blank(dtype, a.n)
  ffi.copy(want.v, a.v, a.n * 8)
  for i = 0, n - 1 do want.v[whole[i]] = want.v[whole[i]] + source.v[i] end
  local got = t:scatter_add(dim, arrays.tensor(index, sizes), s, {base = base})
  compared.same("scatter_add", got, want, shape)
end

-- -- Sets ---------------------------------------------------------------------------------------

-- A NaN is among others.
local AMONG = [[local find, before = ...
return function(v, n, row, size, to)
  for i = 0, n - 1 do
    local x = v[i]
    local k = find(row, size, x)
    to[i] = k < size and not before(x, row[k]) and 1 or 0
  end
end]]

function ops.isin()
  local dtype = pick(arrays.ordered)
  local shape, n = arrays.shape(arrays.count())
  local a, b = arrays.random(dtype, n), arrays.random(dtype, random(0, 300))
  local want, row = arrays.blank("bool", n), sorted.copy(b)
  local find = sorted.finder(a.class)
  arrays.compiled(AMONG, "among " .. a.class, find, sorted.before)(a.v, n, row.v, b.n, want.v)
  local got = arrays.tensor(a, shape):isin(arrays.tensor(b, {b.n}))
  compared.same("isin", got, want, shape)
end

-- The values ascend, and none comes twice; each element's is where `inverse` says; so often.
local CHECK = [[local before = ...
return function(v, n, values, count, inverse, counts, left)
  for k = 1, count - 1 do
    if not before(values[k - 1], values[k]) then return k, "does not ascend" end
  end
  for k = 0, count - 1 do left[k] = counts[k] end
  for i = 0, n - 1 do
    local k = tonumber(inverse[i])
    if k < 0 or k >= count then return i, "has no value" end
    local x, y = v[i], values[k]
    if x ~= y and (x == x or y == y) then return i, "has another value" end
    left[k] = left[k] - 1
  end
  for k = 0, count - 1 do
    if left[k] ~= 0 then return k, "is counted wrong" end
  end
end]]

function ops.unique()
  local a, t = any(arrays.ordered)
  local values, inverse, counts = t:unique {return_inverse = true, return_counts = true, base = 0}
  local v, of, c = arrays.read(values), arrays.read(inverse), arrays.read(counts)
  local left = ffi.new("int64_t[?]", math.max(v.n, 1))
  local check = arrays.compiled(CHECK, "unique " .. a.class, sorted.before)
  local at, what = check(a.v, a.n, v.v, v.n, of.v, c.v, left)
  if at then error(("unique of %s: element %d %s"):format(a.dtype, at, what), 0) end
  compared.seen(v, 0)
  compared.seen(of)
end

return ops
