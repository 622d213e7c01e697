-- SPDX-License-Identifier: MIT
-- seq:searchsorted(number), which goes through the FFI: the law of searchsorted, exactly; nothing
-- allocated; loops stay compiled.
local locus = require "locus"
local oracle = require "spec.support.models.oracle"
local support = require "spec.support"

local message = support.message
local inf, nan = math.huge, 0 / 0

-- Numbers that matter to an integer dtype, to a float dtype, and to their rounding.
local edges = {
  -inf, -2 ^ 63 - 2048, -2 ^ 63, -2 ^ 53 - 2, -2 ^ 53, -2 ^ 31 - 1, -2 ^ 31, -65505, -129, -128.5,
  -128, -1.5, -1, -0.5, -1e-300, -0.0, 0, 5e-324, 0.1, 0.5, 1, 1.5, 127.5, 128, 254.5, 255, 256,
  32767, 32767.5, 65504, 65519, 65520, 2 ^ 31 - 1, 2 ^ 31, 2 ^ 53, 2 ^ 53 + 2, 2 ^ 63 - 1024,
  2 ^ 63, 3.4028235e38, 1e39, inf, nan,
}

local SIZES = {0, 1, 2, 3, 7, 15, 16, 17, 31, 63, 64, 65, 100, 257, 1000}

-- A sorted sequence of n elements of the dtype, with repeated ones and, in floats, NaN at the end.
local function sequence(dtype, n)
  local values, range = {}, support.range[dtype]
  for i = 1, n do
    local v = math.floor(i / 3) - math.floor(n / 6)
    if dtype == "bool" then
      v = i > n / 2
    elseif dtype == "uint8" then
      v = math.floor(i * 255 / n)
    elseif dtype == "int8" then
      v = math.floor(i * 255 / n) - 128
    elseif not range then
      v = i % 50 == 49 and nan or v / 2
    end
    values[i] = v
  end
  if range and n > 2 then values[1], values[n] = range[1], range[2] end
  return (support.tensor(dtype, values):sort())
end

-- The values whose positions are wrong: what stands in front of the left one comes before the
-- value, what stands there does not; what stands at the right one is the first after it. Beside a
-- float sequence the value is rounded first.
local function strays(seq, values)
  local row, found = support.values(seq), {}
  for _, v in ipairs(values) do
    local i = seq:searchsorted(v)
    local key = oracle.kind(seq.dtype) == 3 and oracle.round(v, seq.dtype) or v
    local good = i >= 1 and i <= #row + 1 and (i == 1 or oracle.before(row[i - 1], key))
      and (i > #row or not oracle.before(row[i], key))
    local last = seq:searchsorted(v, {right = true})
    good = good and last >= i and last <= #row + 1
      and (last == 1 or not oracle.before(key, row[last - 1]))
      and (last > #row or oracle.before(key, row[last]))
    if not good then found[#found + 1] = ("%.17g: %s, %s of %d"):format(v, i, last, #row) end
  end
  return found
end

describe("searchsorted of a number", function()
  for _, dtype in ipairs(support.ordered) do
    it("finds every place: " .. dtype, function()
      for _, n in ipairs(support.sample(SIZES, 6)) do
        local seq = sequence(dtype, n)
        assert.same({}, strays(seq, edges))
        local own = {}
        for _, v in ipairs(seq:double():totable()) do
          own[#own + 1], own[#own + 2], own[#own + 3] = v, v + 0.25, v - 0.25
        end
        assert.same({}, strays(seq, own))
      end
    end)

    it("finds every place through strides: " .. dtype, function()
      local seq = sequence(dtype, 200)
      local rows = locus.stack({seq, seq:clone()}, 2)
      for _, view in ipairs {seq:narrow(1, 4, 150), rows:t()[2], seq:slice(1, 3, 190, 7),
                             seq:narrow(1, 5, 1):expand(40)} do
        assert.equal(1, view.ndim)
        assert.same({}, strays(view, edges))
      end
    end)
  end

  it("counts what comes before", function()
    local seq = locus.tensor({-inf, -1, -0.0, 0, 0, 2, inf, nan, nan})
    for v, position in pairs {[-inf] = 1, [-1] = 2, [-0.5] = 3, [0] = 3, [1] = 6, [2] = 6,
                              [inf] = 7} do
      assert.equal(position, seq:searchsorted(v))
    end
    assert.equal(3, seq:searchsorted(-0.0))
    assert.equal(8, seq:searchsorted(nan))
    assert.equal(3, locus.searchsorted(seq, 0))
    assert.equal(1, locus.zeros(0):searchsorted(1))
  end)

  it("is exact beside int64, and rounded beside floats", function()
    local wide = locus.tensor({"9007199254740992", "9007199254740993", "9007199254740994"},
                              {dtype = "int64"})
    assert.equal(1, wide:searchsorted(2 ^ 53))
    assert.equal(3, wide:searchsorted(2 ^ 53 + 2))
    local single = locus.tensor({0.1, 0.2}, {dtype = "float32"})
    assert.equal(1, single:searchsorted(0.1))
    assert.equal(2, single:double():searchsorted(0.1 + 1e-8))
  end)

  it("leaves everything else to the core, at the caller's line", function()
    local seq = locus.tensor({1, 2, 3})
    assert.same({2}, locus.searchsorted({1, 2, 3}, {2}):totable())
    assert.equal(2, locus.searchsorted({1, 2, 3}, 2))
    assert.equal(3, seq:searchsorted(2, {right = true}))
    assert.equal(1, seq:searchsorted(2, {base = 0}))
    assert.equal(3, locus.searchsorted{seq, 2, right = true})
    assert.equal(2, seq:searchsorted(2LL))
    local sentences = {
      "'values' is missing", "takes at most 2 arguments by position, got 3",
      "'values' without dimensions needs a 'sorted_sequence' of one dimension, got 1x3",
      "'values' without dimensions needs a 'sorted_sequence' of one dimension, got 0-d",
      "'sorted_sequence' is complex128, and complex numbers have no order",
      "'sorted_sequence' must be a tensor or a table, got the string \"x\"",
    }
    local calls = {
      {seq}, {seq, 1, 2}, {seq:unsqueeze(1), 1}, {locus.tensor(1), 1},
      {locus.zeros({1}, {dtype = "complex128"}), 1}, {"x", 1},
    }
    for i, arguments in ipairs(calls) do
      local line = debug.getinfo(1, "l").currentline + 1
      local _, text = pcall(function() return (locus.searchsorted(unpack(arguments))) end)
      local expected = ("spec/search/lookup_spec.lua:%d: searchsorted: %s")
        :format(line, sentences[i])
      assert.equal(expected, text)
    end
    getmetatable(seq).__gc(seq)
    assert.equal("searchsorted: 'sorted_sequence' has been freed",
      message(seq.searchsorted, seq, 1))
  end)

  it("allocates nothing and stays compiled #native #host", function()
    local output, status = support.run([[
      local locus, support = require "locus", require "spec.support"
      local seq = locus.arange(1000)
      local function loop(n)
        local sum = 0
        for i = 1, n do sum = sum + seq:searchsorted(i % 1000) end
        return sum
      end
      local traces = require("spec.support.programs.traces")(function()
        for _ = 1, 5 do loop(1000) end
      end, "loop")
      collectgarbage() collectgarbage("stop")
      local heap, live = collectgarbage("count"), locus.live_bytes()
      local sum = loop(1000)
      print(collectgarbage("count") - heap, locus.live_bytes() - live, sum, traces)
    ]])
    assert.equal(0, status, output)
    assert.truthy(output:find("^0\t0\t500500\t[a-z ]*loop"), output)
    assert.falsy(output:find("stitch"), output)
  end)
end)
