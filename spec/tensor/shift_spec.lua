-- SPDX-License-Identifier: MIT
-- shift: elements and strings that many places further along, against plain loops; diff of strings.
local ffi = require "ffi"
local locus = require "locus"
local arrays = require "spec.support.data.arrays"
local support = require "spec.support"

local message, same = support.message, support.same

-- The elements of an array, moved k places along a dimension.
local function moved(a, k, dim, fill)
  local inner, n = 1, a.shape[dim]
  for d = dim + 1, #a.shape do inner = inner * a.shape[d] end
  local values = {}
  for i = 1, #a.values do
    local place = math.floor((i - 1) / inner) % n - k
    values[i] = fill
    if place >= 0 and place < n then values[i] = a.values[i - k * inner] end
  end
  return values
end

describe("shift", function()
  for _, dtype in ipairs(support.dtypes) do
    it("moves every shape and layout of " .. dtype, function()
      for seed, shape in ipairs {{1}, {5}, {0}, {3, 4}, {4, 0}, {2, 3, 5}, {40, 33}, {130, 3}} do
        math.randomseed(seed)
        local a = arrays.random(dtype, shape)
        local x, dim = arrays.tensor(a), math.random(#shape)
        local fill = dtype == "bool" or 1
        local filled = dtype:find "^complex" and ffi.new("complex", 1) or fill
        for _, k in ipairs {0, 1, -1, 2, -3, 50, -50, 2 ^ 53} do
          local want = moved(a, k, dim, filled)
          same(x:shift(k, {fill = fill, dim = dim}), shape, want, dtype)
          local out = arrays.tensor(arrays.random(dtype, shape))
          assert.equal(out, locus.shift(x, k, {fill = fill, dim = dim, out = out}))
          same(out, shape, want, dtype)
        end
        same(x, shape, a.values, dtype)
      end
    end)
  end

  it("goes one place along the last dimension, and fills with NaN", function()
    local x = locus.tensor({{1, 2, 3}, {4, 5, 6}}, {dtype = "float32"})
    local y = x:shift()
    assert.equal("float32", y.dtype)
    assert.is_true(y:isnan():equal(locus.tensor {{true, false, false}, {true, false, false}}))
    assert.same({{1, 2}, {4, 5}}, y[{{}, {2, 3}}]:totable())
    assert.same({4, 5, 6}, x:shift(-1, {dim = 1})[1]:totable())
    assert.is_true(locus.tensor({1, 2}, {dtype = "complex64"}):shift():ne(
      locus.tensor({1, 1}, {dtype = "complex64"}))[1])
  end)

  it("keeps an int64 past 2^53, as an element and as what fills", function()
    local x = locus.tensor({"9007199254740993", "2"}, {dtype = "int64"})
    local y = x:shift(1, {fill = 9223372036854775807LL})
    assert.is_true(y[1] == 9223372036854775807LL and y[2] == 9007199254740993LL)
  end)

  it("shifts strings, and their diff says where they change", function()
    local c = locus.strings {"b", "b", "a", "b"}
    assert.same({"", "b", "b", "a"}, c:shift():totable())
    assert.same({"a", "b", "x", "x"}, c:shift(-2, {fill = "x"}):totable())
    assert.same({"", "", "", ""}, c:shift(9):totable())
    assert.same({false, true, true}, c:diff():totable())
    assert.same({}, locus.strings({"a"}):diff():totable())
    assert.same({}, locus.strings({}):diff():totable())
    assert.same({}, locus.strings({}):shift():totable())
    assert.same({"b", "b", "a", "b"}, c:totable())
  end)

  it("says what to write", function()
    local x = locus.arange(3):long()
    assert.equal("shift: 'input' is int64, which has no NaN for the places that the shift leaves; "
      .. "write fill = 0, or another int64", message(x.shift, x, 1))
    assert.equal("shift: 'input' is bool, which has no NaN for the places that the shift leaves; "
      .. "write fill = false, or fill = true", message(x.shift, x:bool(), 1))
    assert.equal("shift: 'fill' must be a value of uint8, got 300",
      message(x.shift, x:byte(), 1, {fill = 300}))
    assert.equal("shift: 'fill' must be a number, a boolean or a cdata, got the string \"0\"",
      message(x.shift, x, 1, {fill = "0"}))
    assert.equal("shift: 'fill' must be a string, got the number 3",
      message(locus.strings({"a"}).shift, locus.strings {"a"}, 1, {fill = 3}))
    assert.equal("shift: 'input' must have dimensions, got a 0-d tensor",
      message(locus.shift, locus.tensor(3)))
    assert.same({0, 1, 2}, x:shift(0):totable())
  end)
end)
