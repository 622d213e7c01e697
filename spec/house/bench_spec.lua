-- SPDX-License-Identifier: MIT
-- Every case of the bench is a test case: its inputs at small sizes and a medium one, its calls as
-- they are timed, fresh and into `out`, against plain Lua.
local bench = require "bench.cases"
local driver = require "bench.driver"
local oracle = require "spec.support.models.oracle"
local locus = require "locus"
local support = require "spec.support"

local SEARCHES = { { 1, 3 }, { 10, 50 }, { 70, 40 }, { 300, 1000 }, { 5000, 3000 } }
local LENGTHS = { 1, 10, 63, 1000, 20000 }
local SHAPES = {
  [2] = { { 1, 1 }, { 7, 9 }, { 130, 70 } },
  [3] = { { 2, 1, 3 }, { 5, 6, 7 }, { 20, 30, 11 } },
}

-- Small sizes like one of a case's own.
local function like(size)
  local sizes = {}
  if size.m then
    for i, pair in ipairs(SEARCHES) do
      sizes[i] = { n = pair[1], m = pair[2], rows = size.rows and 4 }
    end
  elseif size.shape then
    for i, shape in ipairs(SHAPES[#size.shape]) do
      sizes[i] = { shape = shape }
    end
  else
    for i, n in ipairs(LENGTHS) do
      sizes[i] = { n = n }
    end
  end
  return sizes
end

-- The sizes of a case to test: like its first ones with and without a shape.
local function sizes_of(case)
  local sizes, seen = {}, {}
  for _, size in ipairs(case.sizes) do
    local kind = size.shape and #size.shape or 0
    if not seen[kind] then
      seen[kind] = true
      for _, small in ipairs(like(size)) do
        sizes[#sizes + 1] = small
      end
    end
  end
  return sizes
end

local function as_array(t)
  return { dtype = t.dtype, shape = support.shape(t), values = support.values(t) }
end

-- The law of a search: all before position i stand before the value, and all from there on do not.
local function search(right, dtype)
  return function(input, positions)
    local rows = input.values and input.values:dim() == 2 and input.values:size(1) or 1
    local keys = support.values(input.keys)
    local values = input.values and support.values(input.values) or { input.value }
    local found = input.values and support.values(positions) or { positions }
    local n, per_row = #keys / rows, #values / rows
    local sorter = input.sorter and support.values(input.sorter)
    assert.are.equal(#values, #found)
    assert.are.equal(input.values and dtype or nil, input.values and positions.dtype)
    for j, value in ipairs(values) do
      local start, i = math.floor((j - 1) / per_row) * n, found[j]
      local last = i > 1 and keys[start + (sorter and sorter[i - 1] or i - 1)]
      local first = i <= n and keys[start + (sorter and sorter[i] or i)]
      local fits = i >= 1 and i <= n + 1
      if right then
        fits = fits and not (last and last > value) and not (first and first <= value)
      else
        fits = fits and not (last and last >= value) and not (first and first < value)
      end
      assert(fits, ("position %s for value %d"):format(tostring(i), j))
    end
  end
end

local left, right = search(false, "int64"), search(true, "int64")

local function nonzero(input, ...)
  local x = as_array(input.x)
  local rows, count = oracle.nonzero(x)
  local columns = { ... }
  if #columns == 1 and columns[1]:dim() == 2 then
    return support.same(columns[1], { count, #x.shape }, rows, "int64")
  end
  assert.are.equal(#x.shape, #columns)
  for d, column in ipairs(columns) do
    local wanted = {}
    for k = 1, count do
      wanted[k] = rows[(k - 1) * #x.shape + d]
    end
    support.same(column, { count }, wanted, "int64")
  end
end

local function where(input, result)
  local y = input.y and as_array(input.y) or { scalar = "float", values = { 0.5 } }
  local wanted = oracle.where(as_array(input.cond), as_array(input.x), y, "float64")
  support.same(result, wanted.shape, wanted.values, wanted.dtype)
end

-- An elementwise law: f of the elements of x and y.
local function each(dtype, f)
  return function(input, result)
    local x, y, wanted = support.values(input.x), input.y and support.values(input.y) or {}, {}
    for i, element in ipairs(x) do
      wanted[i] = f(element, y[i])
    end
    support.same(result, support.shape(input.x), wanted, dtype)
  end
end

local add = each("float32", function(a, b) return oracle.round(a + b, "float32") end)

-- The positions of a stable ascending sort.
local function argsort(input, positions)
  local x, order = support.values(input.x), {}
  for i = 1, #x do
    order[i] = i
  end
  table.sort(order, function(i, j) return x[i] < x[j] or x[i] == x[j] and i < j end)
  support.same(positions, { #x }, order, "int64")
end

local function select_masked(input, result)
  local x, wanted = support.values(input.x), {}
  for i, chosen in ipairs(support.values(input.mask)) do
    wanted[#wanted + 1] = chosen and x[i] or nil
  end
  support.same(result, { #wanted }, wanted, input.x.dtype)
end

-- The elements at the positions that a function of the inputs gives.
local function places(positions)
  return function(input, result)
    local x, wanted = support.values(input.x), {}
    for i, position in ipairs(support.values(positions(input))) do
      wanted[i] = x[position]
    end
    support.same(result, { #wanted }, wanted, input.x.dtype)
  end
end

local laws = {
  ["searchsorted"] = left,
  ["searchsorted right"] = right,
  ["searchsorted both"] = function(input, first, second)
    left(input, first)
    right(input, second)
  end,
  ["searchsorted int32"] = search(false, "int32"),
  ["searchsorted sorter"] = left,
  ["searchsorted rows"] = left,
  ["searchsorted mixed"] = left,
  ["searchsorted index"] = left,
  ["searchsorted one number"] = left,
  ["nonzero"] = nonzero,
  ["nonzero tuple"] = nonzero,
  ["count_nonzero"] = function(input, count)
    assert.are.equal(select(2, oracle.nonzero(as_array(input.x))), count)
  end,
  ["masked_select"] = select_masked,
  ["where"] = where,
  ["where number"] = where,
  ["where broadcast"] = where,
  ["where transposed"] = where,
  ["add"] = add,
  ["lt"] = each("bool", function(a, b) return a < b end),
  ["sum"] = function(input, sum)
    assert.are.equal(select(2, oracle.nonzero(as_array(input.x))), sum)
  end,
  ["to float32"] = each("float32", function(a) return oracle.round(a, "float32") end),
  ["contiguous"] = function(input, result)
    assert.is_true(result:is_contiguous())
    support.same(result, support.shape(input.x), support.values(input.x), input.x.dtype)
  end,
  ["sort"] = function(input, sorted, positions)
    local x, wanted = support.values(input.x), {}
    argsort(input, positions)
    for k, i in ipairs(support.values(positions)) do
      wanted[k] = x[i]
    end
    support.same(sorted, { #x }, wanted, input.x.dtype)
  end,
  ["argsort"] = argsort,
  ["small where"] = where,
  ["small where, table made"] = where,
  ["small searchsorted"] = left,
  ["small nonzero"] = nonzero,
  ["small add"] = add,
  ["small where number"] = where,
  ["small add number"] = each("float32", function(a) return oracle.round(a + 0.5, "float32") end),
  ["small range"] = places(function(input) return locus.range(unpack(input.range[1])) end),
  ["small places"] = places(function(input) return input.places end),
  ["small mask"] = select_masked,
  ["small one number right"] = right,
}

describe("the bench #host #once", function()
  for _, case in ipairs(bench.cases) do
    it("gives what plain Lua gives: " .. bench.name(case), function()
      for _, size in ipairs(sizes_of(case)) do
        local input = driver.start(case, size)
        if not input then
          return pending("this locus has no such call")
        end
        laws[case.call](input, unpack(driver.run("fresh")))
        if driver.has_out() then
          laws[case.call](input, unpack(driver.run("out")))
        end
      end
    end)
  end

  it("times what it runs", function()
    driver.start(bench.cases[1], { n = 10, m = 10 })
    driver.run("fresh")
    local shortest = math.huge -- of many: a busy machine may stop any one of them for long
    for _ = 1, 100 do shortest = math.min(shortest, driver.time("fresh", 1)) end
    assert.is_true(driver.time("fresh", 1000) > shortest)
  end)

  it("has every call in PyTorch and NumPy, too", function()
    local file = assert(io.open("bench/peers.py"))
    local text = file:read("*a")
    file:close()
    for name in pairs(bench.calls) do
      assert.is_truthy(text:find('\n    "' .. name .. '": ', 1, true), name)
    end
  end)
end)
