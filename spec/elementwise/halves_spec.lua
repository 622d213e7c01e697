-- SPDX-License-Identifier: MIT
-- float16 in runs of every length and alignment. The bits of NaN have to be the same on every
-- instruction set, and answers that are computed in float32 are rounded where they have to be.
local ffi = require "ffi"
local locus = require "locus"
local oracle = require "spec.support.models.oracle"
local support = require "spec.support"

local bit = require "bit"
local nan = support.nan

-- Tensors of given bits, and the bits of tensors.
local function of_bits(dtype, unit, list)
  local t = locus.empty(#list, {dtype = dtype, device = "cpu"})
  local p = ffi.cast(unit .. " *", t:data())
  for i, bits in ipairs(list) do p[i - 1] = bits end
  return t:to(support.device)
end

local function bits_of(t, unit)
  local p, list = support.memory(t, unit), {}
  for i = 1, t:numel() do list[i] = tonumber(p[i - 1]) end
  return list
end

-- Every start and length around the runs that vectors take.
local function each_run(n, visit)
  for start = 1, 18 do
    for _, length in ipairs {1, 7, 8, 9, 15, 16, 17, 31, 33, 100} do
      if start + length - 1 <= n then visit(start, length) end
    end
  end
end

describe("float16", function()
  it("keeps sign and payload of NaN as float32, quietly, and back", function()
    local halves, singles, back = {}, {}, {}
    for sign = 0, 1 do
      for fraction = 1, 1023, 3 do
        local quiet = bit.bor(fraction, 0x200)
        halves[#halves + 1] = sign * 0x8000 + 0x7c00 + fraction
        singles[#singles + 1] = sign * 0x80000000 + 0x7f800000 + quiet * 0x2000
        back[#back + 1] = sign * 0x8000 + 0x7c00 + quiet
      end
    end
    local x = of_bits("float16", "uint16_t", halves)
    assert.same(singles, bits_of(x:float(), "uint32_t"))
    assert.same(back, bits_of(x:float():half(), "uint16_t"))
  end)

  it("keeps what it can of a NaN in float32", function()
    local singles, halves = {}, {}
    for i = 1, 500 do
      local fraction = math.random(1, 2 ^ 23 - 1)
      local sign = i % 2
      singles[i] = sign * 0x80000000 + 0x7f800000 + fraction
      halves[i] = sign * 0x8000 + bit.bor(0x7e00, math.floor(fraction / 0x2000))
    end
    singles[501], halves[501] = 0x7f800001, 0x7e00
    assert.same(halves, bits_of(of_bits("float32", "uint32_t", singles):half(), "uint16_t"))
  end)

  it("is converted alike in runs of any length, from any place", function()
    local values, halves = {}, {}
    for i = 1, 128 do
      values[i] = math.random(-30, 30) * 2 ^ math.random(-26, 12) + 2 ^ -12
      halves[i] = oracle.round(oracle.round(values[i], "float32"), "float16")
    end
    values[5], halves[5], values[77], halves[77] = -1 / 0, -1 / 0, nan, nan
    local single = locus.tensor(values):float()
    local half = locus.tensor(halves):half()
    each_run(128, function(start, length)
      local want = {unpack(halves, start, start + length - 1)}
      support.same(single:narrow(1, start, length):half(), {length}, want, "float16")
      support.same(half:narrow(1, start, length):float(), {length}, want, "float32")
      local out = locus.ones(length + 2, {dtype = "float16"})
      out:narrow(1, 2, length):copy_(single:narrow(1, start, length))
      assert.equal(1, out[1])
      assert.equal(1, out[length + 2])
    end)
  end)

  it("is computed as float32 and rounded once", function()
    local a, b, sum, less = {}, {}, {}, {}
    for i = 1, 128 do
      a[i] = oracle.round(math.random() * 2 ^ math.random(-20, 14), "float16")
      b[i] = oracle.round(-math.random() * 2 ^ math.random(-20, 14), "float16")
      sum[i], less[i] = oracle.round(a[i] + b[i], "float16"), a[i] < -b[i]
    end
    local x, y = locus.tensor(a):half(), locus.tensor(b):half()
    each_run(128, function(start, length)
      local left, right = x:narrow(1, start, length), y:narrow(1, start, length)
      local last = start + length - 1
      support.same(left + right, {length}, {unpack(sum, start, last)}, "float16")
      support.same(left:lt(-right), {length}, {unpack(less, start, last)}, "bool")
    end)
  end)

  it("is what other dtypes are rounded to first", function()
    local whole = locus.tensor({2049, 2051}, {dtype = "int32"})
    local half = locus.tensor {2048, 2048}:half()
    support.same(whole - half, {2}, {0, 4}, "float16")
    support.same(half - whole, {2}, {0, -4}, "float16")
    support.same(half:lt(whole), {2}, {true, true}, "bool")
  end)
end)
