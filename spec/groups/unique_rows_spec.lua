-- SPDX-License-Identifier: MIT
-- unique and unique_consecutive of slices along a dimension, against Lua tables at random: any
-- dtype, layout and size, NaN, both zeros, int64 past 2^53; more columns than fit into one number.
local locus = require "locus"
local arrays = require "spec.support.data.arrays"
local numbering = require "spec.support.models.numbering"
local support = require "spec.support"

local random = math.random
local message, same = support.message, support.same

-- The slices of an array along a dimension, each a list in C order.
local function slices_of(a, dim)
  local inner, size, list = 1, a.shape[dim], {}
  for d = dim + 1, #a.shape do inner = inner * a.shape[d] end
  for k = 1, size do list[k] = {} end
  for i, v in ipairs(a.values) do
    table.insert(list[math.floor((i - 1) / inner) % size + 1], v)
  end
  return list
end

-- A string that equal slices have in common.
local function key(slice)
  local keys = {}
  for i, v in ipairs(slice) do keys[i] = numbering.key(v) end
  return table.concat(keys, "|")
end

-- The one order of two elements.
local function before(a, b)
  if type(a) == "boolean" then return b and not a end
  return a < b or b ~= b and a == a
end

local function slice_before(a, b)
  for i = 1, #a do
    if before(a[i], b[i]) then return true end
    if before(b[i], a[i]) then return false end
  end
  return false
end

-- The number of each slice, and the first place of each number, in order of appearance: of equal
-- slices, or of equal neighbours alone.
local function number(slices, consecutive)
  local ids, firsts, known, last = {}, {}, {}, nil
  for k, slice in ipairs(slices) do
    local name = key(slice)
    if consecutive and name ~= last then known[name] = nil end
    if not known[name] then
      firsts[#firsts + 1] = k
      known[name] = #firsts
    end
    ids[k], last = known[name], name
  end
  return ids, firsts
end

-- The same numbers in the order of slices.
local function in_order(slices, ids, firsts)
  local sorted, places = {}, {}
  for k, first in ipairs(firsts) do sorted[k] = first end
  table.sort(sorted, function(i, j) return slice_before(slices[i], slices[j]) end)
  for place, first in ipairs(sorted) do places[ids[first]] = place end
  local placed = {}
  for k, id in ipairs(ids) do placed[k] = places[id] end
  return placed, sorted
end

-- The elements of an array at those positions of a dimension.
local function picked(a, dim, positions)
  local inner, size, values = 1, a.shape[dim], {}
  for d = dim + 1, #a.shape do inner = inner * a.shape[d] end
  for start = 0, #a.values - 1, math.max(size * inner, 1) do
    for _, p in ipairs(positions) do
      for i = 1, inner do values[#values + 1] = a.values[start + (p - 1) * inner + i] end
    end
  end
  local shape = {unpack(a.shape)}
  shape[dim] = #positions
  return values, shape
end

local function check(x, a, dim, name, sorted, ids, firsts)
  local options = {return_inverse = true, return_counts = true, return_index = true, dim = dim}
  if name == "unique" then options.sorted = sorted end
  local values, inverse, counts, index = x[name](x, options)
  local wanted, shape = picked(a, dim, firsts)
  local times = {}
  for id = 1, #firsts do times[id] = 0 end
  for _, id in ipairs(ids) do times[id] = times[id] + 1 end
  same(values, shape, wanted, a.dtype)
  same(inverse, {#ids}, ids, "int64")
  same(counts, {#firsts}, times, "int64")
  same(index, {#firsts}, firsts, "int64")
  options.base, options.return_counts, options.dim = 0, false, dim - #a.shape - 1
  local _, from_zero, at_zero = x[name](x, options)
  assert.is_true(from_zero:equal(inverse - 1) and at_zero:equal(index - 1))
  local alone = {x[name](x, {dim = dim, sorted = options.sorted})}
  assert.equal(1, #alone)
  same(alone[1], shape, wanted, a.dtype)
end

local function check_all(x, a, dim)
  local slices = slices_of(a, dim)
  local ids, firsts = number(slices)
  check(x, a, dim, "unique", false, ids, firsts)
  if support.types[a.dtype].kind ~= "COMPLEX" then
    check(x, a, dim, "unique", true, in_order(slices, ids, firsts))
  end
  check(x, a, dim, "unique_consecutive", nil, number(slices, true))
end

local SHAPES = {{0}, {1}, {9}, {7, 1}, {1, 7}, {40, 2}, {3, 50}, {2, 12, 2}, {5, 0}, {0, 5}, {0, 0},
                {2, 0, 3}, {130, 3}}

-- An array with many ties, and a tensor of it as elements come back from one.
local function random_array(dtype, shape, few)
  local values = numbering.random(dtype, support.numel(shape), few)
  local x = support.laid(support.tensor(dtype, values, shape), arrays.pick(support.layouts))
  return x, {dtype = dtype, shape = shape, values = support.values(x)}
end

describe("unique and unique_consecutive with dim", function()
  for _, dtype in ipairs(support.dtypes) do
    it("tell slices of " .. dtype .. " apart", function()
      math.randomseed(51)
      for _, shape in ipairs(support.sample(SHAPES, 5)) do
        for dim = 1, #shape do
          local x, a = random_array(dtype, shape, random(2) == 1)
          check_all(x, a, dim)
        end
      end
    end)
  end

  it("count more columns than fit into one number", function()
    math.randomseed(52)
    for _, dtype in ipairs {"bool", "uint8", "int64", "float64"} do
      for _, most in ipairs(support.hasty and {6} or {1, 2, 6, 300}) do
        local n, k, values = 60, 90, {}
        local rows = {}
        for r = 1, most do
          rows[r] = numbering.random(dtype, k)
          if r > 1 then rows[r] = {unpack(rows[1])} end
          rows[r][random(k)] = rows[1][random(k)]
        end
        for _ = 1, n do
          for _, v in ipairs(rows[random(most)]) do values[#values + 1] = v end
        end
        local x = support.tensor(dtype, values, {n, k})
        check_all(x, {dtype = dtype, shape = {n, k}, values = support.values(x)}, 1)
      end
    end
  end)

  it("number columns that mostly differ, and few elements that do not #host", function()
    math.randomseed(53)
    local nan, n = support.nan, 9000
    local special = {nan, -nan, 0, -0.0, math.huge, -math.huge}
    for _, width in ipairs {1, 2, 3} do
      local values = {}
      for i = 1, n * width do values[i] = random(40) == 1 and arrays.pick(special) or random() end
      if width == 3 then
        for i = 3, n * width, 3 do values[i] = random(3) end
        for i = 1, 600 do values[3 * n - i] = values[i] end
      end
      local a = {dtype = "float64", shape = {n, width}, values = values}
      check_all(support.tensor("float64", values, {n, width}), a, 1)
    end
  end)

  it("keep int64 exact, however far apart", function()
    local least, most = unpack(support.range.int64)
    local values = {most, 0, most - 1, 0, least, 5, most, 0, least + 1, 5, least, 4, most - 1, 0}
    local a = {dtype = "int64", shape = {7, 2}, values = values}
    check_all(support.tensor("int64", values, {7, 2}), a, 1)
    local near = {most, most - 1, most - 2, most, most - 1, most - 2}
    check_all(support.tensor("int64", near, {3, 2}), {dtype = "int64", shape = {3, 2},
      values = near}, 1)
  end)

  it("take NaN for NaN and -0 for 0", function()
    local nan = support.nan
    local values = {1, nan, 1, -nan, nan, 1, -0.0, nan, 0, nan}
    local x = support.tensor("float64", values, {5, 2})
    local rows, counts = x:unique{dim = 1, return_counts = true}
    same(rows, {3, 2}, {-0.0, nan, 1, nan, nan, 1})
    same(counts, {3}, {2, 2, 1}, "int64")
    same(x:unique_consecutive{dim = 1}, {3, 2}, {1, nan, nan, 1, -0.0, nan})
  end)

  it("of slices without elements give one, unless there is none", function()
    for _, name in ipairs {"unique", "unique_consecutive"} do
      local slices, inverse, counts = locus[name](locus.zeros(3, 0),
        {dim = 1, return_inverse = true, return_counts = true})
      same(slices, {1, 0}, {})
      same(inverse, {3}, {1, 1, 1}, "int64")
      same(counts, {1}, {3}, "int64")
      same(locus[name](locus.zeros(0, 3), {dim = 1}), {0, 3}, {})
    end
  end)

  it("say what is wrong", function()
    assert.equal("unique: 'dim' must be in 1..2 or -2..-1, got 3",
      message(locus.unique, locus.zeros(2, 2), {dim = 3}))
    assert.equal("unique_consecutive: 'input' must have dimensions, got a 0-d tensor",
      message(locus.unique_consecutive, locus.tensor(5), {dim = 1}))
    assert.equal("unique: 'input' is complex64, and complex numbers have no order; write sorted = "
      .. "false", message(locus.unique, locus.zeros(2, 2, {dtype = "complex64"}), {dim = 1}))
  end)
end)
