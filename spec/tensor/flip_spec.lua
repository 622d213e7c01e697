-- SPDX-License-Identifier: MIT
-- flip, roll and tile: elements in other places, against plain loops over positions.
local locus = require "locus"
local arrays = require "spec.support.data.arrays"
local support = require "spec.support"

local message, same = support.message, support.same

-- The elements of an array at from(index) for each index of a shape in C order; index and from are
-- lists counting from 0.
local function gathered(a, shape, from)
  local values, index = {}, {}
  for d = 1, #shape do index[d] = 0 end
  for i = 1, support.numel(shape) do
    local at = 0
    for d, p in ipairs(from(index)) do at = at * a.shape[d] + p end
    values[i] = a.values[at + 1]
    for d = #shape, 1, -1 do
      index[d] = index[d] + 1
      if index[d] < shape[d] then break end
      index[d] = 0
    end
  end
  return values
end

local SHAPES = {{}, {0}, {1}, {5}, {3, 4}, {4, 0}, {2, 3, 5}, {40, 33}, {1, 700}, {130, 3}}

-- Checks f(x, ...) on arrays of a dtype, of every shape and layout, and the same into an out in
-- another layout. case(shape) gives a random list of arguments, the shape of the answer, and where
-- each of its elements comes from.
local function check(name, dtype, case)
  for seed, shape in ipairs(SHAPES) do
    math.randomseed(seed)
    local a = arrays.random(dtype, shape)
    local arguments, want_shape, from = case(shape)
    local x, want = arrays.tensor(a), gathered(a, want_shape, from)
    same(locus[name](x, unpack(arguments)), want_shape, want, dtype)
    local out = arrays.tensor(arrays.random(dtype, want_shape))
    arguments[#arguments + 1] = {out = out}
    assert.equal(out, locus[name](x, unpack(arguments)))
    same(out, want_shape, want, dtype)
    same(x, shape, a.values, dtype)
  end
end

local function flip_case(shape)
  local dims, turned = {}, {}
  for d = 1, #shape do
    turned[d] = math.random(2) == 1
    if turned[d] then dims[#dims + 1] = math.random(2) == 1 and d or d - #shape - 1 end
  end
  return {dims}, shape, function(index)
    local at = {}
    for d, p in ipairs(index) do at[d] = turned[d] and shape[d] - 1 - p or p end
    return at
  end
end

local function roll_case(shape)
  local dims, shifts, sums = {}, {}, {}
  for k = 1, #shape > 0 and math.random(1, 3) or 0 do
    dims[k] = math.random(1, #shape)
    shifts[k] = math.random(-90, 90)
    sums[dims[k]] = (sums[dims[k]] or 0) + shifts[k]
  end
  if not dims[1] then return {math.random(-9, 9)}, shape, function(index) return index end end
  return {shifts, dims}, shape, function(index)
    local at = {}
    for d, p in ipairs(index) do at[d] = (p - (sums[d] or 0)) % shape[d] end
    return at
  end
end

local function tile_case(shape)
  local counts, wide = {}, {}
  for k = 1, math.random(0, 3) do counts[k] = math.random(0, 12) % 4 end
  local ndim = math.max(#shape, #counts)
  for d = 1, ndim do
    wide[d] = (shape[d - (ndim - #shape)] or 1) * (counts[d - (ndim - #counts)] or 1)
  end
  return {counts}, wide, function(index)
    local at = {}
    for d, size in ipairs(shape) do at[d] = index[d + ndim - #shape] % size end
    return at
  end
end

for name, case in pairs {flip = flip_case, roll = roll_case, tile = tile_case} do
  describe(name, function()
    for _, dtype in ipairs(support.dtypes) do
      it("moves the elements of " .. dtype .. ", bit for bit", function()
        check(name, dtype, case)
      end)
    end

    it("leaves everything alone that does not fit", function()
      local f, x = locus[name], locus.arange(6):view(2, 3)
      assert.equal(name .. ": 'out' overlaps 'input' in memory; give a separate tensor",
        message(f, x, 1, {out = x}))
      assert.equal(name .. ": 'out' must be of size 2x3, got 3",
        message(f, x, 1, {out = locus.zeros(3)}))
      assert.equal(name .. ": 'out' must be float64, got int8",
        message(f, x, 1, {out = locus.zeros(2, 3, {dtype = "int8"})}))
      assert.equal(name .. ": 'input' must be a tensor or a table, got the number 5",
        message(f, 5, 1))
      same(x, {2, 3}, {0, 1, 2, 3, 4, 5})
      local out = locus.zeros(0)
      assert.equal(out, f(x, 1, {out = out}))
      assert.equal("2x3", tostring(out:size()))
    end)
  end)
end

describe("flip", function()
  it("takes dimensions one by one, in a table, none, or goes along all", function()
    local x = locus.tensor({{1, 2}, {3, 4}})
    same(x:flip(1), {2, 2}, {3, 4, 1, 2})
    same(x:flip(2, 1), {2, 2}, {4, 3, 2, 1})
    same(x:flip({-1}), {2, 2}, {2, 1, 4, 3})
    same(x:flip {dims = {1, 2}}, {2, 2}, {4, 3, 2, 1})
    same(x:flip(), {2, 2}, {4, 3, 2, 1})
    same(x:flip({}), {2, 2}, {1, 2, 3, 4})
    same(locus.flip({1, 2, 3}, 1), {3}, {3, 2, 1})
    same(locus.tensor(5):flip(1), {}, {5})
    same(locus.tensor(5):flip(), {}, {5})
  end)

  it("reads expanded tensors, and the same memory in both directions", function()
    local x = locus.tensor({{1, 2, 3}})
    same(x:expand(2, 3):flip(1, 2), {2, 3}, {3, 2, 1, 3, 2, 1})
    local y = locus.arange(10)
    y:copy_(y:flip(1))
    same(y, {10}, {9, 8, 7, 6, 5, 4, 3, 2, 1, 0})
  end)

  it("says what is wrong", function()
    local x = locus.zeros(2, 2)
    assert.equal("flip: 'dims' names a dimension twice", message(x.flip, x, 1, -2))
    assert.equal("flip: 'dims' must be in 1..2 or -2..-1, got 3", message(x.flip, x, 3))
    assert.equal("flip: 'dims' must be a dimension, got the number 1.5", message(x.flip, x, 1.5))
    assert.equal("flip: 'dims' must be a dimension, got a table", message(x.flip, x, {{1}}))
    assert.equal("flip: 'dims' must hold whole numbers, got nil", message(x.flip, x, 1, nil, 2))
  end)
end)

describe("roll", function()
  it("moves all elements on in C order where no dimension is named", function()
    local x = locus.arange(6, {dtype = "int16"}):view(2, 3)
    same(x:roll(1), {2, 3}, {5, 0, 1, 2, 3, 4})
    same(x:roll({-1}), {2, 3}, {1, 2, 3, 4, 5, 0})
    same(x:roll(1, {}), {2, 3}, {5, 0, 1, 2, 3, 4})
    same(x:t():roll(1), {3, 2}, {5, 0, 3, 1, 4, 2})
    same(x:roll(7), {2, 3}, {5, 0, 1, 2, 3, 4})
    local out = locus.zeros(3, 2, {dtype = "int16"}):t()
    assert.equal(out, x:roll(1, {out = out}))
    same(out, {2, 3}, {5, 0, 1, 2, 3, 4})
    same(locus.zeros(0, 2):roll(3), {0, 2}, {})
    same(locus.tensor(5):roll(3), {}, {5})
    same(locus.tensor(5):roll(3, 1), {}, {5})
  end)

  it("takes one shift for all dimensions, and shifts of any size", function()
    local x = locus.arange(6):view(2, 3)
    same(x:roll(1, {1, 2}), {2, 3}, {5, 3, 4, 2, 0, 1})
    same(x:roll({1, 1}, {2, 2}), {2, 3}, {1, 2, 0, 4, 5, 3})
    same(x:roll(2LL ^ 62, 2), x.shape, x:roll(1, 2):flatten():totable())
    same(x:roll(-2LL ^ 63, 2), x.shape, x:roll(1, 2):flatten():totable())
    same(x:roll {shifts = 1, dims = 1}, {2, 3}, {3, 4, 5, 0, 1, 2})
    same(x:roll(1, -2), {2, 3}, {3, 4, 5, 0, 1, 2})
    for _, dim in ipairs {0, 3, -3} do
      assert.equal("roll: 'dims' must be in 1..2 or -2..-1, got " .. dim,
                   message(x.roll, x, 1, dim))
    end
  end)

  it("says what is wrong", function()
    local x = locus.zeros(2, 2)
    assert.equal("roll: 'shifts' is missing", message(x.roll, x))
    assert.equal("roll: 'shifts' must be one number without 'dims', got 2",
      message(x.roll, x, {1, 2}))
    assert.equal("roll: 'shifts' must hold as many numbers as 'dims', 1, got 2",
      message(x.roll, x, {1, 2}, 1))
    assert.equal("roll: 'shifts' must be a whole number or a list of whole numbers, got the "
      .. "number 1.5", message(x.roll, x, 1.5))
    assert.equal("roll: 'shifts[2]' must be a whole number, got the string \"a\"",
      message(x.roll, x, {1, "a"}, {1, 2}))
    assert.equal("roll: 'dims' must be in 1..2 or -2..-1, got 0", message(x.roll, x, 1, 0))
    local many = {}
    for k = 1, 33 do many[k] = 1 end
    assert.equal("roll: 'dims' holds more than 32 numbers", message(x.roll, x, 1, many))
  end)
end)

describe("tile", function()
  it("repeats along the last dimensions, or along new ones in front", function()
    local x = locus.tensor({{1, 2}})
    same(x:tile(2), {1, 4}, {1, 2, 1, 2})
    same(x:tile(2, 2), {2, 4}, {1, 2, 1, 2, 1, 2, 1, 2})
    same(x:tile({2, 1, 1}), {2, 1, 2}, {1, 2, 1, 2})
    same(x:tile({}), {1, 2}, {1, 2})
    same(x:tile(3, 0), {3, 0}, {})
    same(locus.tensor(5):tile(2, 2), {2, 2}, {5, 5, 5, 5})
    same(locus.tile({1, 2}, {dims = {2}}), {4}, {1, 2, 1, 2})
    x:tile(1):zero_()
    same(x, {1, 2}, {1, 2})
  end)

  it("says what is wrong", function()
    local x = locus.zeros(2, 2)
    assert.equal("tile: 'dims' is missing", message(x.tile, x))
    assert.equal("tile: 'dims' must not hold negative sizes, got -1", message(x.tile, x, -1))
    assert.equal("tile: the result has more than 2^63 positions along dimension 2",
      message(x.tile, x, 2LL ^ 62))
    assert.matches("^tile: a float64 tensor of size %d+x%d+ has more bytes than 2%^62$",
      message(x.tile, x, 2 ^ 40, 2 ^ 40))
    local ones = {}
    for d = 1, 33 do ones[d] = 1 end
    assert.equal("tile: 'dims' has more than 32 dimensions", message(x.tile, x, ones))
  end)

  it("has room for a dimension of each repetition", function()
    local twos = {}
    for d = 1, 9 do twos[d] = 2 end
    local x = locus.arange(2 ^ 9):view(twos)
    local wide = x:tile(twos)
    assert.equal(4 ^ 9, wide:numel())
    for d = 1, 9 do wide = wide:narrow(d, 2, 2) end
    same(wide:flip(), twos, x:flatten():totable())
  end)
end)
