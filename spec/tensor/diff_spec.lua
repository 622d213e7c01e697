-- SPDX-License-Identifier: MIT
-- diff: differences of neighbours, against plain subtractions.
local ffi = require "ffi"
local locus = require "locus"
local arrays = require "spec.support.data.arrays"
local numbers = require "spec.support.models.numbers"
local support = require "spec.support"

local message, same = support.message, support.same

-- The later value less the earlier one, in a dtype; of bool whether they differ.
local function less(later, earlier, dtype)
  if dtype == "bool" then return later ~= earlier end
  return numbers.apply("sub", later, earlier, dtype)
end

-- The differences along the middle of an array that is seen as outer x size x inner.
local function differences(a, outer, size, inner)
  local values = {}
  for o = 0, outer - 1 do
    for p = 1, size - 1 do
      for i = 1, inner do
        local at = (o * size + p) * inner + i
        values[#values + 1] = less(a.values[at], a.values[at - inner], a.dtype)
      end
    end
  end
  return {dtype = a.dtype, values = values}
end

local SHAPES = {{5}, {1}, {0}, {3, 4}, {4, 0}, {2, 3, 5}, {40, 33}, {2000}}

describe("diff", function()
  for _, dtype in ipairs(support.dtypes) do
    it("subtracts neighbours of " .. dtype .. ", n times, along any dimension", function()
      for seed, shape in ipairs(SHAPES) do
        math.randomseed(seed)
        for dim = 1, #shape do
          local a = arrays.random(dtype, shape)
          local x, want, size = arrays.tensor(a), a, shape[dim]
          local outer, inner, out_shape = 1, 1, {unpack(shape)}
          for d = 1, dim - 1 do outer = outer * shape[d] end
          for d = dim + 1, #shape do inner = inner * shape[d] end
          for n = 0, 3 do
            out_shape[dim] = math.max(shape[dim] - n, 0)
            same(x:diff(n, dim), out_shape, want.values, dtype)
            local out = arrays.tensor(arrays.random(dtype, out_shape))
            assert.equal(out, x:diff(n, dim, {out = out}))
            same(out, out_shape, want.values, dtype)
            want = differences(want, outer, math.max(size - n, 0), inner)
          end
          same(x, shape, a.values, dtype)
        end
      end
    end)
  end

  it("goes along the last dimension, once, unless told otherwise", function()
    local x = locus.tensor({{1, 4, 9}, {2, 2, 0}})
    same(x:diff(), {2, 2}, {3, 5, 0, -2})
    same(x:diff(2), {2, 1}, {2, -2})
    same(x:diff(1, 1), {1, 3}, {1, -2, -9})
    same(locus.diff({1, 4, 9}), {2}, {3, 5})
    same(x:diff {dim = -2, n = 2}, {0, 3}, {})
    same(x:diff(9), {2, 0}, {})
  end)

  it("takes what stands before and after, in the dtype that all make", function()
    local x = locus.tensor({1, 4, 9}, {dtype = "int32"})
    same(x:diff {prepend = 0}, {3}, {1, 3, 5}, "int32")
    same(x:diff {append = locus.tensor(7, {dtype = "int8"})}, {3}, {3, 5, -2}, "int32")
    same(x:diff(1, 1, {7, 8}, {9, 9}), {6}, {1, -7, 3, 5, 0, 0}, "float64")
    same(x:diff {prepend = 0.5}, {3}, {0.5, 3, 5}, "float64")
    same(x:diff {prepend = x:narrow(1, 1, 0), append = x}, {5}, {3, 5, -8, 3, 5}, "int32")
    same(x:diff {n = 2, prepend = 0, append = 0}, {3}, {2, 2, -14}, "int32")
    same(x:diff {n = 0, prepend = 0.5}, {3}, {1, 4, 9}, "int32")
    same(locus.zeros(0):diff {prepend = 3, append = 5}, {1}, {2})
    local y = locus.tensor({{1, 4}, {9, 16}})
    same(y:diff {dim = 1, prepend = 1}, {2, 2}, {0, 3, 8, 12})
    same(y:diff {append = {{5}, {7}}}, {2, 2}, {3, 1, 7, -9})
    same(y:t():diff {prepend = 0}, {2, 2}, {1, 8, 4, 12})
    local out = locus.zeros(0, {dtype = "int32"})
    assert.equal(out, x:diff {prepend = 0, append = x, out = out})
    same(out, {6}, {1, 3, 5, -8, 3, 5}, "int32")
  end)

  it("keeps integers exact, wraps them, and lets NaN through", function()
    local x = locus.tensor({0, 9007199254740993LL, -1LL})
    same(x:diff(), {2}, {9007199254740993LL, -9007199254740994LL}, "int64")
    same(locus.tensor({250, 3}, {dtype = "uint8"}):diff(), {1}, {9}, "uint8")
    same(locus.tensor({1, locus.nan, 2, 4}):diff(), {3}, {locus.nan, locus.nan, 2})
    same(locus.tensor({true, true, false}):diff(), {2}, {false, true}, "bool")
    same(locus.tensor({ffi.new("complex", 1, 2), ffi.new("complex", 0, 5)}):diff(), {1},
      {ffi.new("complex", -1, 3)}, "complex128")
  end)

  it("says what is wrong, and leaves everything alone", function()
    local x = locus.tensor({1, 2, 3, 4})
    assert.equal("diff: 'input' must have dimensions, got a 0-d tensor",
      message(locus.diff, locus.tensor(5)))
    assert.equal("diff: 'n' must not be negative, got -1", message(x.diff, x, -1))
    assert.equal("diff: 'dim' must be in 1..1 or -1..-1, got 2", message(x.diff, x, 1, 2))
    assert.equal("diff: 'prepend' of size 2x2 does not fit 'input' of size 4: only dimension 1 "
      .. "may differ", message(x.diff, x, {prepend = locus.zeros(2, 2)}))
    assert.equal("diff: 'append' of size 2x2 does not fit 'input' of size 4: only dimension 1 "
      .. "may differ", support.message(x.diff, x, {n = 0, append = locus.zeros(2, 2)}))
    assert.equal("diff: 'append' of size 1x3 does not fit 'input' of size 2x2: only dimension 2 "
      .. "may differ", message(locus.diff, x:view(2, 2), {append = locus.zeros(1, 3)}))
    assert.equal("diff: 'append' must be a tensor, a table or a number, got the string \"a\"",
      message(x.diff, x, {append = "a"}))
    assert.equal("diff: 'out' overlaps 'input' in memory; give a separate tensor",
      message(x.diff, x, {out = x}))
    local y = locus.zeros(6)
    assert.equal("diff: 'out' overlaps 'append' in memory; give a separate tensor",
      message(x.diff, x, {append = y:narrow(1, 3, 3), out = y}))
    assert.equal("diff: 'out' must be of size 3, got 4",
      message(x.diff, x, {out = locus.zeros(4)}))
    assert.equal("diff: 'out' must be float64, got float32",
      message(x.diff, x, {out = locus.zeros(3, {dtype = "float32"})}))
    same(x, {4}, {1, 2, 3, 4})
  end)
end)
