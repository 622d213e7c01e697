-- SPDX-License-Identifier: MIT
-- Numbers in messages: as many digits as tell each from its neighbours, whatever raises.
local ffi = require "ffi"
local locus = require "locus"
local support = require "spec.support"

local above = 1 + 2 ^ -52 -- the float64 behind 1
local third = 0.1 + 0.2 -- the one behind 0.3
local int64 = {dtype = "int64"}

local function says(text, ...)
  local message = support.message(...)
  assert(message:find(text, 1, true), ("'%s' is not in: %s"):format(text, message))
end

describe("a number in a message #once", function()
  it("that a dtype cannot hold has all its digits", function()
    local text = "1.0000000000000002, which int64 cannot hold"
    says("'data' is " .. text, locus.tensor, above, int64)
    says("'fill_value' is " .. text, locus.full, {2}, above, int64)
    says("1.0000000000000002", locus.tensor, {1, above}, int64)
    local to = locus.tensor({1}).to
    says("holds 1.8446744073709556e+19 at [2]", to, locus.tensor {1, 2 ^ 64 + 4096}, "int64")
    says("holds 1.0000001e+19 at [1]", to, locus.tensor({1.0000001e19}, {dtype = "float32"}),
      "int64")
    says("holds 300.1 at [1]", to, locus.tensor({300.1}, {dtype = "float32"}), "uint8")
    says("holds 300.2 at [1]", to, locus.tensor({300.25}, {dtype = "float16"}), "uint8")
    says("1e+300", locus.tensor, 1e300, int64)
    says("9223372036854775807", locus.tensor, support.integer("9223372036854775807"),
      {dtype = "uint8"})
    says("is nan,", locus.tensor, support.nan, int64)
    says("is -inf,", locus.tensor, -math.huge, int64)
    says("0.1+1.0000000000000002i", locus.tensor, ffi.new("complex", 0.1, above), int64)
    says("0.5-infi", locus.tensor, ffi.new("complex", 0.5, -math.huge), int64)
  end)

  it("that follows a neighbour tells the two apart", function()
    local x = locus.tensor {third, 0.3}
    says("0.3 at [2] follows 0.30000000000000004", locus.searchsorted, x, 1, {check = true})
    says("0.3 at [2] follows 0.30000000000000004", locus.interp, locus.tensor{1}, x, x)
    says("0.3 at [2] follows 0.30000000000000004", locus.asof, x, locus.tensor {1})
    says("0.3 at [2] follows 0.30000000000000004", locus.interval_lookup, x, x, x)
    local single = locus.tensor({1 + 2 ^ -23, 1}, {dtype = "float32"})
    says("1 at [2] follows 1.0000001", locus.searchsorted, single, 1, {check = true})
    says("1 at [2] follows 1.0000001", locus.asof, single, single)
    local big = locus.tensor({"9007199254740993", "9007199254740992"}, int64)
    says("9007199254740992 at [2] follows 9007199254740993", locus.searchsorted, big, 1,
      {check = true})
    says("9007199254740992 at [2] follows 9007199254740993", locus.asof, big, big)
  end)

  it("of two dtypes is that of doubles where the shorter ones look alike", function()
    local single = locus.tensor({0.1}, {dtype = "float32"}) -- 0.10000000149011612
    says("starts at 0.10000000149011612 but ends at 0.1", locus.interval_lookup, single,
      locus.tensor {0.1}, single)
  end)

  it("is exact where an argument was one", function()
    says("the number 1.0000000000000002", locus.zeros, above)
    says("the number -0.30000000000000004", locus.zeros, -third)
    says("got -1.0000000000000002", locus.allclose, 1, 1, -above)
    says("1.0000000000000002", locus.arange, 0, 5, -above)
    says("got 0.30000000000000004 and 0.3", locus.histc, locus.tensor {1}, 4, third, 0.3)
    says("got -9007199254740993", locus.multinomial, locus.ones(2),
      support.integer("-9007199254740993"))
    says("got -9007199254740993", locus.zeros(2).chunk, locus.zeros(2),
      support.integer("-9007199254740993"))
    for _, dtype in ipairs {"float32", "float64"} do
      says("holds inf, so the range of the bins must be given: write {min = 0.1, max = 0.3}",
        locus.histc, locus.tensor({0.1, math.huge, 0.3}, {dtype = dtype}), 4)
    end
    says("holds 1.0000000000000002", locus.bernoulli, locus.tensor {0.5, above})
    says("0.30000000000000004 and 0.3", locus.zeros(2).uniform_, locus.zeros(2), third, 0.3)
    says("9007199254740993 is outside", locus.zeros(2).select, locus.zeros(2), 1,
      support.integer("9007199254740993"))
  end)
end)
