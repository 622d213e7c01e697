-- SPDX-License-Identifier: MIT
-- Conversions between all dtypes: to and its short forms. Expected answers are computed in plain
-- Lua (spec/support/models/oracle.lua rounds).

local ffi = require "ffi"
local locus = require "locus"
local oracle = require "spec.support.models.oracle"
local support = require "spec.support"

local same, message, nan = support.same, support.message, support.nan
local int = support.integer

-- Values every signed integer dtype holds, and floats too.
local SMALL = { 0, 1, 2, 100, -1, -100 }

-- Values at the limits of each dtype.
local EXTREME = support.known("the limits", {
  bool = { true, false },
  uint8 = { 0, 1, 255 },
  int8 = { -128, -1, 0, 127 },
  int16 = { -32768, 0, 32767 },
  int32 = { -2147483648, 2147483647, 16777217 },
  int64 = { int "-9223372036854775808", int "9223372036854775807", int "9007199254740993" },
  float16 = { 65504, -65504, 2 ^ -24, 0.5, -1.5, 2049.5 - 1.5 },
  bfloat16 = { 2 ^ 127, -1.5, 2 ^ -133, 257 - 1 },
  float32 = { 2 ^ 127, -2 ^ -149, 16777216, 0.5 },
  float64 = { 2 ^ 1023, -5e-324, 2 ^ 53 - 1, 0.1 },
})

-- The value that a real value becomes; nil when an integer dtype cannot hold it.
local function converted(value, dtype)
  local kind = oracle.kind(dtype)
  if kind == 1 then
    return value ~= 0 and value ~= false
  elseif kind == 3 then
    return oracle.round(value, dtype)
  elseif kind == 4 then
    local part = oracle.computed(dtype)
    return support.complex(oracle.round(value, part), 0)
  elseif type(value) == "boolean" then
    return value and 1 or 0
  elseif type(value) == "number" then
    if value ~= value or math.abs(value) == math.huge then
      return nil
    end
    value = value < 0 and math.ceil(value) or math.floor(value)
    if value < -2 ^ 63 or value >= 2 ^ 63 then
      return nil
    end
  end
  local low, high = unpack(support.range[dtype])
  if oracle.before(value, low) or oracle.before(high, value) then
    return nil
  end
  if dtype == "int64" then
    return ffi.new("int64_t", value)
  end
  return value == 0 and 0 or value
end

-- Converts the values of one dtype to another in every layout, or checks that it raises.
local function check(values, from, to)
  local x = support.tensor(from, values)
  local expected = {}
  for i, value in ipairs(values) do
    expected[i] = converted(value, to)
    if expected[i] == nil then
      local text = message(x.to, x, to)
      local wanted = (" at [%d], which %s cannot hold"):format(i, to)
      assert.equal("to: 'input' holds ", text:sub(1, 18))
      assert.equal(wanted, text:sub(-#wanted))
      return
    end
  end
  for _, layout in ipairs(support.layouts) do
    same(support.laid(x, layout):to(to), { #values }, expected, to)
  end
end

describe("to", function()
  it("converts small values between all real dtypes", function()
    for _, from in ipairs(support.dtypes) do
      for _, to in ipairs(support.dtypes) do
        if oracle.kind(from) ~= 4 then
          for _, value in ipairs(SMALL) do
            if from == "bool" then
              check({ value ~= 0, false }, from, to)
            elseif value >= 0 or not from:find("^u") then
              check({ value, 3 }, from, to)
            end
          end
        end
      end
    end
  end)

  it("converts the limits of every dtype, one by one", function()
    for _, from in ipairs(support.ordered) do
      local values = EXTREME[from]
      for _, to in ipairs(support.dtypes) do
        for _, value in ipairs(values) do
          check({ value }, from, to)
        end
      end
    end
  end)

  it("truncates fractions and refuses what lies outside", function()
    for _, to in ipairs(support.integers) do
      for _, from in ipairs { "float32", "float64" } do
        local low, high = tonumber(support.range[to][1]), tonumber(support.range[to][2])
        for _, value in ipairs { 1.5, -0.5, 0.999, -0.0, low, low - 0.5, low - 1, high, high + 0.5,
          high + 1, 2 ^ 63, -2 ^ 63, -2 ^ 63 - 2048, 2 ^ 63 - 1024, nan, 1 / 0, -1 / 0, 1e300 } do
          check({ oracle.round(value, from) }, from, to)
        end
      end
    end
  end)

  it("names the value and its position", function()
    local x = locus.tensor { { 1, 2, 3 }, { 4, 300, nan } }
    assert.equal("to: 'input' holds 300 at [2,2], which uint8 cannot hold",
      message(x.to, x, "uint8"))
    assert.equal("char: 'input' holds 300 at [2,2], which int8 cannot hold", message(x.char, x))
    assert.equal("long: 'input' holds nan at [2,3], which int64 cannot hold", message(x.long, x))
    assert.equal("long: 'input' holds nan at [3,2], which int64 cannot hold",
      message(x.long, x:t()))
    local big = locus.tensor { int "9007199254740993" }
    assert.equal("int: 'input' holds 9007199254740993 at [1], which int32 cannot hold",
      message(big.int, big))
    local zero_d = locus.tensor(-1.5)
    assert.equal("byte: 'input' holds -1.5, which uint8 cannot hold", message(zero_d.byte, zero_d))
    local deep = locus.zeros(3, 70000)
    deep[{ 3, 69999 }] = 1 / 0
    assert.equal("long: 'input' holds inf at [3,69999], which int64 cannot hold",
      message(deep.long, deep))
  end)

  it("goes from and to complex", function()
    local z = support.complex
    for _, from in ipairs(support.complexes) do
      local x = support.tensor(from, { z(1.5, 2), z(0, 0), z(0, -1) })
      same(x:to("complex64"), { 3 }, { z(1.5, 2), z(0, 0), z(0, -1) }, "complex64")
      same(x:to("complex128"), { 3 }, { z(1.5, 2), z(0, 0), z(0, -1) }, "complex128")
      same(x:bool(), { 3 }, { true, false, true }, "bool")
      local real = support.tensor(from, { z(1.5, 0), z(-2, 0) })
      for _, to in ipairs(support.floats) do
        same(real:to(to), { 2 }, { 1.5, -2 }, to)
        assert.equal(("to: 'input' holds 1.5+2i at [1], which %s cannot hold"):format(to),
          message(x.to, x, to))
      end
      same(real:long(), { 2 }, { 1, -2 }, "int64")
      assert.equal("long: 'input' holds 1.5+2i at [1], which int64 cannot hold", message(x.long, x))
      assert.equal("byte: 'input' holds -2+0i at [2], which uint8 cannot hold",
        message(real.byte, real))
    end
    local wide = locus.full({ 1 }, z(0.1, 1e300)):to("complex64")
    same(wide, { 1 }, { z(oracle.round(0.1, "float32"), 1 / 0) }, "complex64")
  end)

  it("handles empty and 0-d tensors, and more than a block", function()
    for _, from in ipairs(support.dtypes) do
      for _, to in ipairs(support.dtypes) do
        same(locus.zeros(2, 0, { dtype = from }):to(to), { 2, 0 }, {}, to)
        assert.equal(to, locus.ones({}, { dtype = from }):to(to).dtype)
      end
    end
    local n = 70001
    local back = locus.arange(n, { dtype = "int32" }):float():double():long():totable()
    local wrong = 0
    for i = 1, n do
      wrong = wrong + (back[i] == i - 1 and 0 or 1)
    end
    assert.same({ n, 0 }, { #back, wrong })
  end)

  it("gives the tensor itself when there is nothing to do", function()
    local x = locus.tensor { 1, 2 }
    assert.equal(x, x:to("float64"))
    assert.equal(x, x:to(x.device))
    assert.equal(x, x.device == "cpu" and x:cpu() or x:cuda())
    assert.equal(x, x:double())
    assert.equal(x, x:to { dtype = "float64", device = x.device })
    assert.equal(x, x:to(locus.zeros(1)))
    assert.not_equal(x, x:to("float32"))
  end)

  it("takes a dtype, a device, both, or a tensor to be like", function()
    local x = locus.tensor { 1, 2 }
    same(x:to("int8"), { 2 }, { 1, 2 }, "int8")
    same(x:to { dtype = "int8" }, { 2 }, { 1, 2 }, "int8")
    same(x:to("cpu", "int8"), { 2 }, { 1, 2 }, "int8")
    same(x:to("int8", { device = "cpu" }), { 2 }, { 1, 2 }, "int8")
    same(x:to(locus.zeros(3, { dtype = "int8" })), { 2 }, { 1, 2 }, "int8")
    same(x:to(locus.int8), { 2 }, { 1, 2 }, "int8")
  end)

  it("has a short form for every dtype", function()
    local forms = {
      bool = "bool", byte = "uint8", char = "int8", short = "int16", int = "int32", long = "int64",
      half = "float16", bfloat16 = "bfloat16", float = "float32", double = "float64",
    }
    local formed = {}
    for _, dtype in pairs(forms) do formed[dtype] = true end
    for _, dtype in ipairs(support.ordered) do assert.is_true(formed[dtype], dtype) end
    for form, dtype in pairs(forms) do
      local x = locus.ones(2, { dtype = dtype == "int8" and "int16" or "int8" })
      local y = x[form](x)
      assert.same({ dtype, 2 }, { y.dtype, y:numel() })
      assert.equal(dtype == "bool" or 1, y[1])
    end
  end)

  it("says what is wrong", function()
    local x = locus.tensor { 1, 2 }
    assert.equal("to: 'target' must be a dtype or a device, got the string \"flaot\"",
      message(x.to, x, "flaot"))
    assert.equal("to: 'target' must be a dtype, a device or a tensor, got the number 3",
      message(x.to, x, 3))
    assert.equal("to: 'dtype' is given twice", message(x.to, x, "int8", { dtype = "int8" }))
    assert.equal("to: 'dtype' is given twice", message(x.to, x, "int8", "int16"))
    assert.equal("float: takes at most 1 argument by position, got 2", message(x.float, x, 1))
    assert.equal("to: 'input' is missing", message(x.to))
  end)
end)

describe("rounding to float16 and bfloat16", function()
  -- The bits of a float16 or bfloat16 as a number, by the formats' definition.
  local function decode(bits, dtype)
    local fraction_bits = dtype == "float16" and 10 or 7
    local exponent_bits = 15 - fraction_bits
    local bias = 2 ^ (exponent_bits - 1) - 1
    local sign = bits >= 2 ^ 15 and -1 or 1
    local rest = bits % 2 ^ 15
    local exponent = math.floor(rest / 2 ^ fraction_bits)
    local fraction = rest % 2 ^ fraction_bits / 2 ^ fraction_bits
    if exponent == 2 ^ exponent_bits - 1 then
      return fraction ~= 0 and nan or sign * (1 / 0)
    elseif exponent == 0 then
      return sign * fraction * 2 ^ (1 - bias)
    end
    return sign * (1 + fraction) * 2 ^ (exponent - bias)
  end

  local function all_bits(dtype)
    local bytes = {}
    for high = 0, 255 do
      for low = 0, 255 do
        bytes[#bytes + 1] = string.char(low, high)
      end
    end
    return locus.from_string(table.concat(bytes), dtype)
  end

  for _, dtype in ipairs { "float16", "bfloat16" } do
    it("reads and writes all 65536 patterns of " .. dtype, function()
      local x = all_bits(dtype)
      local read, wide = x:totable(), x:float()
      local back, wrong = wide:to(dtype):totable(), 0
      wide = wide:double():totable()
      for bits = 0, 65535 do
        local value = decode(bits, dtype)
        for _, got in ipairs { read[bits + 1], wide[bits + 1], back[bits + 1] } do
          wrong = wrong + (support.same_value(value, got) and 0 or 1)
        end
      end
      assert.equal(0, wrong)
    end)

    -- Every number of the dtype, the ties between neighbours, and what lies just beside them, from
    -- float32 and float64.
    it("rounds to the nearest " .. dtype .. ", ties to even", function()
      local values = {}
      for bits = 0, 32767, 7 do
        local low, high = decode(bits, dtype), decode(bits + 1, dtype)
        if high == high and high < 1 / 0 then
          local tie, gap = (low + high) / 2, high - low
          for _, value in ipairs { tie, tie + gap / 64, tie - gap / 64, low + gap / 4 } do
            values[#values + 1] = value
            values[#values + 1] = -value
          end
        end
      end
      local from64 = locus.tensor(values):to(dtype):totable()
      local from32 = locus.tensor(values):float():to(dtype):totable()
      for i, value in ipairs(values) do
        assert.is_true(support.same_value(oracle.round(value, dtype), from64[i]), value)
        local single = oracle.round(value, "float32")
        assert.is_true(support.same_value(oracle.round(single, dtype), from32[i]), value)
      end
    end)

    it("overflows to infinity and underflows to zero in " .. dtype .. " #native", function()
      local limit = dtype == "float16" and 65520 or 2 ^ 128 - 2 ^ 119
      local tiny = dtype == "float16" and 2 ^ -25 or 2 ^ -134
      local values = { limit, limit * (1 - 2 ^ -40), -limit, 1e300, 1 / 0, nan, tiny,
        tiny * (1 + 2 ^ -40), -tiny, 1e-300, -0.0 }
      local most = dtype == "float16" and 65504 or 2 ^ 128 - 2 ^ 120
      same(locus.tensor(values):to(dtype), { #values },
        { 1 / 0, most, -1 / 0, 1 / 0, 1 / 0, nan, 0, 2 * tiny, -0.0, 0, -0.0 }, dtype)
    end)

    it("rounds float64 and int64 to " .. dtype .. " once", function()
      local digits = dtype == "float16" and 11 or 8
      -- 1 + half a unit + a bit that float32 drops: rounding twice would meet a tie.
      local above, below = 1 + 2 ^ -digits + 2 ^ -40, 1 + 3 * 2 ^ -digits - 2 ^ -40
      same(locus.tensor { above, below, -above }:to(dtype), { 3 },
        { 1 + 2 ^ (1 - digits), 1 + 2 ^ (1 - digits), -1 - 2 ^ (1 - digits) }, dtype)
      if dtype == "bfloat16" then
        -- The same with a bit that float64 drops, in int64.
        local tie = int "4629700416936869888" -- 2^62 + 2^54
        same(locus.tensor { tie, tie + 1, -(tie + 1), tie - 1 }:to(dtype), { 4 },
          { 2 ^ 62, 2 ^ 62 + 2 ^ 55, -2 ^ 62 - 2 ^ 55, 2 ^ 62 }, dtype)
        local odd = tie + 2 ^ 55 -- between 2^62 + 2^55 and 2^62 + 2^56: even is above
        same(locus.tensor { odd, odd - 1 }:to(dtype), { 2 },
          { 2 ^ 62 + 2 ^ 56, 2 ^ 62 + 2 ^ 55 }, dtype)
      else
        same(locus.tensor({ 2049, 2051, 65519, 65520, -65520 }, { dtype = "int64" }):half(), { 5 },
          { 2048, 2052, 65504, 1 / 0, -1 / 0 }, dtype)
      end
    end)
  end

  it("rounds int64 to float32 and float64 once", function()
    -- 2^62 + 2^38 lies between two float32; float64 drops the 1 beside it.
    local tie = int "4611686293305294848"
    same(locus.tensor { tie, tie + 1, tie - 1 }:float(), { 3 },
      { 2 ^ 62, 2 ^ 62 + 2 ^ 39, 2 ^ 62 }, "float32")
    for _, value in ipairs { int "9007199254740993", int "9007199254740995",
      int "-9223372036854775807" } do
      for _, dtype in ipairs { "float32", "float64" } do
        same(locus.tensor { value }:to(dtype), { 1 }, { oracle.round(value, dtype) }, dtype)
      end
    end
  end)
end)
