-- SPDX-License-Identifier: MIT
-- Numbers from text and text of numbers, as columns are read and written: exact in both directions.
local ffi = require "ffi"
local internal = require "locus.core".internal
local locus = require "locus"
local support = require "spec.support"

local parse, format = internal.parse_number, internal.format_number
local inf, nan = math.huge, support.nan

local function same(a, b) return a == b and 1 / a == 1 / b or a ~= a and b ~= b end

local function assert_reads(expected, text, dtype)
  local got = parse(text, dtype or "float64")
  assert(got and same(expected, got), ("%s as %s: expected %s, got %s"):format(
    text, dtype or "float64", ("%.17g"):format(expected), tostring(got)))
end

-- The digits of 5^n, and so of 2^-n without the point and the zeros in front.
local function power_of_five(n)
  local digits = {1} -- in millions, the least first
  for _ = 1, n do
    local carry = 0
    for i = 1, #digits do
      local product = digits[i] * 5 + carry
      digits[i], carry = product % 1e6, math.floor(product / 1e6)
    end
    if carry > 0 then digits[#digits + 1] = carry end
  end
  local text = {("%d"):format(digits[#digits])}
  for i = #digits - 1, 1, -1 do text[#text + 1] = ("%06d"):format(digits[i]) end
  return table.concat(text)
end

-- How many digits a number has in text, without zeros around them.
local function significant(text)
  return #text:gsub("e.*", ""):gsub("%D", ""):gsub("^0+", ""):gsub("0+$", "")
end

local function random_digits(count)
  local digits = {}
  for i = 1, count do digits[i] = math.random(0, 9) end
  return table.concat(digits)
end

-- Numbers of random bits, but none that LuaJIT could take for something else: it must not be handed
-- any NaN but its own.
local both = ffi.new("union { uint32_t word[2]; float single; double number; }")
local function random_double()
  repeat
    both.word[0], both.word[1] = math.random(0, 2 ^ 32 - 1), math.random(0, 2 ^ 32 - 1)
  until both.word[1] % 2 ^ 31 < 0x7ff00000
  return both.number
end
local function random_single()
  repeat both.word[0] = math.random(0, 2 ^ 32 - 1) until both.word[0] % 2 ^ 31 < 0x7f800000
  return tonumber(both.single)
end

-- Every value of a dtype of 16 bits.
local function each_half(dtype)
  local t = locus.empty(65536, {dtype = dtype, device = "cpu"})
  local bits = ffi.cast("uint16_t *", t:data())
  for i = 0, 65535 do bits[i] = i end
  return t:double():totable()
end

describe("text of an integer #host #once", function()
  it("is read at every length", function()
    for length = 1, 18 do
      for _ = 1, 50 do
        local digits = random_digits(length)
        local expected = support.integer(digits)
        assert.is_true(parse(digits, "int64") == expected, digits)
        assert.is_true(parse("-" .. digits, "int64") == -expected, digits)
        assert.is_true(parse("+000000000000000000000" .. digits, "int64") == expected, digits)
      end
    end
  end)

  it("is within its dtype or none of it", function()
    for _, dtype in ipairs(support.integers) do
      local low, high = support.range[dtype][1], support.range[dtype][2]
      assert.is_true(parse(format(low, dtype), dtype) == low, dtype)
      assert.is_true(parse(format(high, dtype), dtype) == high, dtype)
      if dtype ~= "int64" then
        assert.is_nil(parse(("%d"):format(low - 1), dtype), dtype)
        assert.is_nil(parse(("%d"):format(high + 1), dtype), dtype)
      end
    end
    assert.equal("-9223372036854775808", format(support.range.int64[1], "int64"))
    for _, text in ipairs {"9223372036854775808", "-9223372036854775809", "18446744073709551617",
                           "99999999999999999999", "1" .. ("0"):rep(40)} do
      assert.is_nil(parse(text, "int64"), text)
    end
  end)

  it("is refused with anything else in it", function()
    for _, text in ipairs {"", "-", "+", "--1", "+-1", "1-", " 1", "1 ", "1.", "1.0", "1e3", "0x10",
                           "1,000", "12a", "a12", "1\0", "\0", "12345678:", "/12345678",
                           "123456781234567x", "nan", "1_000"} do
      assert.is_nil(parse(text, "int64"), text)
    end
    for byte = 0, 255 do
      local text = "1234" .. string.char(byte) .. "678"
      local is_digit = byte >= 48 and byte <= 57
      assert.equal(is_digit and tonumber(text) or nil, parse(text, "int64"))
    end
  end)

  it("is written as LuaJIT writes it", function()
    for _ = 1, 5000 do
      local x = math.floor(math.random() * 2 ^ math.random(0, 53))
      assert.equal(("%.0f"):format(x), format(x, "int64"))
      assert.equal(("%.0f"):format(-x):gsub("^%-0$", "0"), format(-x, "int64"))
    end
    assert.equal("9007199254740993", format(support.integer("9007199254740993"), "int64"))
  end)
end)

describe("text of a float #host #once", function()
  it("is read as LuaJIT reads it", function()
    for _ = 1, 20000 do
      local text = random_digits(math.random(1, 21))
      local cut = math.random(0, 2 * #text)
      if cut <= #text then text = text:sub(1, cut) .. "." .. text:sub(cut + 1) end
      if math.random(4) == 1 then text = ("%se%d"):format(text, math.random(-340, 310)) end
      assert_reads(tonumber(text), text)
      assert_reads(tonumber(text) / -1, "-" .. text) -- an integer 0 has no sign
    end
    for _ = 1, 5000 do
      local x = random_double()
      assert_reads(x, ("%.17g"):format(x))
    end
  end)

  it("is read exactly where that is hard", function()
    for text, expected in pairs {
      ["9007199254740993"] = 2 ^ 53, ["9007199254740992.9999999999999999"] = 2 ^ 53,
      ["9007199254740993.0000000000000000000001"] = 2 ^ 53 + 2, ["9007199254740995"] = 2 ^ 53 + 4,
      ["9007199254740993.0"] = 2 ^ 53, ["9007199254740995.00"] = 2 ^ 53 + 4,
      ["4503599627370496.500"] = 2 ^ 52, ["4503599627370497.500"] = 2 ^ 52 + 2,
      ["90071992547409930e-1"] = 2 ^ 53, ["900719925474099300e-2"] = 2 ^ 53,
      ["9223372036854775807"] = 2 ^ 63, ["18446744073709551615"] = 2 ^ 64,
      ["0.1000000000000000055511151231257827"] = 0.1, ["0.30000000000000004"] = 0.1 + 0.2,
      ["1e400"] = inf, ["-1e400"] = -inf, ["1e-400"] = 0, ["-0"] = -1 / inf, ["-0.0e5"] = -1 / inf,
      ["0e99999999999999999999"] = 0, ["1e99999999999999999999"] = inf,
      ["1e-99999999999999999999"] = 0, ["1.7976931348623158e308"] = 2 ^ 1023 * (2 - 2 ^ -52),
      ["1.7976931348623159e308"] = inf, ["4.9e-324"] = 2 ^ -1074,
      ["2.4703282292062327e-324"] = 0, ["2.4703282292062328e-324"] = 2 ^ -1074,
      ["2.2250738585072011e-308"] = 2 ^ -1022 - 2 ^ -1074, ["1" .. ("0"):rep(400) .. "e-400"] = 1,
      ["0." .. ("0"):rep(400) .. "1e401"] = 1, ["5."] = 5, [".5"] = 0.5, ["+1.5E+2"] = 150,
      ["1e22"] = 1e22, ["1e23"] = 1e23, ["123456789012345.6789"] = 123456789012345.6789,
    } do
      assert_reads(expected, text)
    end
  end)

  it("halfway between two goes to the even one, and whatever follows decides", function()
    local function halfway(dtype, bits, below, even, above)
      local fives = power_of_five(bits)
      for _, text in ipairs {"1." .. ("0"):rep(bits - #fives) .. fives} do
        assert_reads(even, text, dtype)
        assert_reads(below, text:sub(1, -2) .. "4" .. ("9"):rep(30), dtype)
        assert_reads(above, text .. ("0"):rep(900) .. "1", dtype)
      end
    end
    halfway("float64", 53, 1, 1, 1 + 2 ^ -52)
    halfway("float32", 24, 1, 1, 1 + 2 ^ -23)
    halfway("float16", 11, 1, 1, 1 + 2 ^ -10)
    halfway("bfloat16", 8, 1, 1, 1 + 2 ^ -7)
    local least = power_of_five(1075) .. "e-1075" -- half of the least subnormal
    assert_reads(0, least)
    assert_reads(2 ^ -1074, power_of_five(1075) .. "1e-1076")
    assert_reads(65504, "65519.999999999999999999", "float16")
    assert_reads(inf, "65520", "float16")
    assert_reads(0, "2.98023223876953125e-8", "float16")
    assert_reads(2 ^ -24, "2.980232238769531250001e-8", "float16")
    assert_reads(2 ^ 127 * (2 - 2 ^ -23), "340282356779733661637539395458142568447.9", "float32")
    assert_reads(inf, "340282356779733661637539395458142568448", "float32")
    assert_reads(0, "7.006492321624085e-46", "float32")
  end)

  it("may be a word, in any case", function()
    for _, dtype in ipairs(support.floats) do
      for _, text in ipairs {"inf", "Inf", "+INF", "infinity", "Infinity"} do
        assert_reads(inf, text, dtype)
      end
      for _, text in ipairs {"nan", "NaN", "-NAN", "+nan"} do assert_reads(nan, text, dtype) end
      assert_reads(-inf, "-inFInity", dtype)
    end
  end)

  it("is refused with anything else in it", function()
    for _, text in ipairs {"", ".", "-", "-.", "+", "e5", ".e5", "1e", "1e+", "1e5.0", "1.2.3",
                           "..1", "1..", "0x10", "0x1p3", " 1", "1 ", "--1", "1,5", "in", "infi",
                           "+-1", "nann", "na", "nan(1)", "1f", "1d5", "12345.678x", "1\0", "1_0",
                           "12345678.1234567-", "1234567890123456789.e"} do
      assert.is_nil(parse(text, "float64"), text)
    end
  end)

  it("has the point that is asked for", function()
    assert.equal(1234.5, parse("1234,5", "float64", ","))
    assert.equal(0.25, parse(",25", "float32", ","))
    assert.equal(12345678.125, parse("12345678,125", "float64", ","))
    assert.is_nil(parse("1234.5", "float64", ","))
    assert.is_nil(parse("1.234,5", "float64", ","))
  end)
end)

describe("a float as text #host #once", function()
  local function assert_shortest(x)
    local text = format(x, "float64")
    assert_reads(x, text)
    local digits = significant(text)
    if digits > 1 then
      local fewer = ("%." .. digits - 2 .. "e"):format(x)
      assert(tonumber(fewer) ~= x, text .. " is longer than " .. fewer)
    end
  end

  it("has the fewest digits that read back", function()
    for _ = 1, 5000 do
      assert_shortest(random_double())
      assert_shortest(math.random(-10 ^ 7, 10 ^ 7) / 10 ^ math.random(0, 7))
      assert_shortest(math.random() * 10 ^ math.random(-5, 18))
    end
    for text, x in pairs {
      ["0.1"] = 0.1, ["1.0"] = 1, ["-0.0"] = -1 / inf, ["0.0"] = 0, ["101.37"] = 101.37,
      ["1e+16"] = 1e16, ["1000000000000000.0"] = 1e15, ["1e-05"] = 1e-5, ["0.0001"] = 1e-4,
      ["1125899906842624.2"] = 2 ^ 50 + 0.25, ["1125899906842624.8"] = 2 ^ 50 + 0.75,
      ["5e-324"] = 2 ^ -1074, ["1.7976931348623157e+308"] = 2 ^ 1023 * (2 - 2 ^ -52),
      ["9007199254740992.0"] = 2 ^ 53, ["1e+23"] = 1e23, ["-2.5e-07"] = -2.5e-7,
      ["0.30000000000000004"] = 0.1 + 0.2, ["nan"] = nan, ["inf"] = inf, ["-inf"] = -inf,
    } do
      assert.equal(text, format(x, "float64"))
    end
    assert.equal("0.1", format(0.1, "float32"))
    assert.equal("16777216.0", format(2 ^ 24, "float32"))
    assert.equal("65500.0", format(65504, "float16"))
    assert.equal("1e-45", format(2 ^ -149, "float32"))
  end)

  it("reads back, every float16 and bfloat16", function()
    for _, dtype in ipairs {"float16", "bfloat16"} do
      for _, x in ipairs(each_half(dtype)) do
        local back = parse(format(x, dtype), dtype)
        if not same(x, back) then assert_reads(x, format(x, dtype), dtype) end
      end
    end
  end)

  it("reads back, each of many float32", function()
    for _ = 1, support.hasty and 2e4 or 1e5 do
      local x = random_single()
      local text = format(x, "float32")
      if not same(x, parse(text, "float32")) or significant(text) > 9 then
        error(("%.9g as %s"):format(x, text))
      end
    end
  end)

  it("has as many places as asked for, rounded from what it is", function()
    for _ = 1, 5000 do -- string.format rounds halves otherwise: none here
      local places = math.random(0, 20)
      local x = (math.random() - 0.5) * 10 ^ math.random(-8, 3)
      assert.equal(("%." .. places .. "f"):format(x), format(x, "float64", places))
      x = math.random(-10 ^ 6, 10 ^ 6) / 1e3 + 3e-4
      assert.equal(("%." .. places .. "f"):format(x), format(x, "float64", places))
    end
    assert.equal("2.67", format(2.675, "float64", 2))
    assert.equal("0.12", format(0.125, "float64", 2))
    assert.equal("0.38", format(0.375, "float64", 2))
    assert.equal("-0", format(-0.5, "float64", 0))
    assert.equal("2", format(1.5, "float64", 0))
    assert.equal("0.10000000149011611938", format(0.1, "float32", 20))
    assert.equal("1" .. ("0"):rep(22) .. ".00", format(1e22, "float64", 2))
    assert.equal("nan", format(nan, "float64", 3))
    assert.equal("-inf", format(-inf, "float64", 3))
  end)
end)

describe("what no number can be read as or written from #host #once", function()
  it("is said", function()
    assert.matches("parse_number: 'dtype' must be a dtype of integers or floats",
                   support.message(parse, "1", "bool"))
    assert.matches("parse_number: 'text' must be a string", support.message(parse, 1, "int64"))
    assert.matches("format_number: 'places' must be a whole number from 0 to 99",
                   support.message(format, 1, "float64", 100))
    assert.matches("cannot hold", support.message(format, 300, "uint8"))
  end)
end)
