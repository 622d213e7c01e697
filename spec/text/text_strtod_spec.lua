-- SPDX-License-Identifier: MIT
-- Columns of random decimals against strtod and strtof, those halfway between two floats among
-- them, and columns of random bits as text against both.
local ffi = require "ffi"
local frames = require "spec.support.data.frames"
local locus = require "locus"
local support = require "spec.support"

ffi.cdef [[
  double strtod(const char *, char **);
  float strtof(const char *, char **);
  int snprintf(char *, size_t, const char *, ...);
]]
local C, random = ffi.C, math.random
local MOST = 200 -- bytes of a number that C writes, here

-- Fields, one a line, in a buffer of that many bytes.
local function new_fields(count, bytes)
  local fields = {bytes = ffi.new("char[?]", bytes), starts = ffi.new("int[?]", count),
                  count = 0, length = 0}
  function fields.add(length)
    fields.starts[fields.count] = fields.length
    fields.bytes[fields.length + length] = 10
    fields.count, fields.length = fields.count + 1, fields.length + length + 1
  end
  return fields
end

-- Writes a decimal of 1 to 25 digits, of half of them with an exponent; how many bytes it has.
local function write_decimal(at)
  local n, digits = 0, random(1, 25)
  local point = random(0, 2 * digits)
  if random(2) == 1 then at[0], n = 45, 1 end -- a minus
  for i = 0, digits - 1 do
    if i == point then at[n], n = 46, n + 1 end
    at[n], n = random(48, 57), n + 1
  end
  if random(2) == 1 then
    local exponent = random(2) == 1 and random(-350, 330) or random(-45, 25)
    at[n], at[n + 1] = 101, exponent < 0 and 45 or 43
    exponent = math.abs(exponent)
    at[n + 2] = 48 + math.floor(exponent / 100)
    at[n + 3] = 48 + math.floor(exponent / 10) % 10
    at[n + 4], n = 48 + exponent % 10, n + 5
  end
  return n
end

local function random_decimals(count)
  local fields = new_fields(count, count * 33) -- a sign, 25 digits, a point, e+123, a newline
  for _ = 1, count do fields.add(write_decimal(fields.bytes + fields.length)) end
  return fields
end

local function of_texts(texts)
  local fields = new_fields(#texts, #table.concat(texts) + #texts)
  for _, text in ipairs(texts) do
    ffi.copy(fields.bytes + fields.length, text, #text)
    fields.add(#text)
  end
  return fields
end

local BITS = {float64 = "int64_t", float32 = "int32_t"}
local CONVERT = {float64 = C.strtod, float32 = C.strtof}

local function field_text(fields, i)
  return ffi.string(fields.bytes + fields.starts[i]):match("^[^\n]*")
end

-- Raises where the fields read as a dtype are not what C reads, bit for bit.
local function check(fields, dtype)
  local text, convert = ffi.string(fields.bytes, fields.length), CONVERT[dtype]
  local x = locus.read_csv({text = text}, {header = {"x"}, types = {x = dtype}}).x:cpu()
  assert.equal(fields.count, #x)
  local got = ffi.cast(BITS[dtype] .. " *", x:data())
  local expected = ffi.new(dtype == "float64" and "double[1]" or "float[1]")
  local bits = ffi.cast(BITS[dtype] .. " *", expected)
  for i = 0, fields.count - 1 do
    expected[0] = convert(fields.bytes + fields.starts[i], nil)
    if bits[0] ~= got[i] then
      error(("%s as %s is %s, got %s"):format(field_text(fields, i), dtype,
        ("%.17g"):format(expected[0]), ("%.17g"):format(x[i + 1])))
    end
  end
end

-- The text halfway between two float64: a whole part of 53 - places bits and an odd multiple of
-- 2^-(places + 1), which is exact as a number of its own.
local function halfway64()
  local places = random(0, 20)
  local whole = 2 ^ (52 - places) + math.floor(random() * 2 ^ (52 - places))
  local part = (2 * math.floor(random() * 2 ^ places) + 1) / 2 ^ (places + 1)
  return ("%.0f"):format(whole) .. ("%.21f"):format(part):sub(2)
end

-- The text halfway between two float32, which is a float64.
local buffer, single = ffi.new("char[?]", MOST), ffi.new("float[1]")
local function halfway32()
  local bits = ffi.cast("uint32_t *", single)
  bits[0] = random(0, 0x7f7ffffe)
  local low = tonumber(single[0])
  bits[0] = bits[0] + 1
  local length = C.snprintf(buffer, MOST, "%.160e", (low + tonumber(single[0])) / 2)
  return ffi.string(buffer, length)
end

-- A text, or one a little above or below it, with that in front of the exponent.
local function beside(text)
  local digits, exponent = text:match("^([^e]*)(.*)$")
  digits = digits:gsub("0+$", "")
  local way = random(3)
  if way == 1 then return text end
  if way == 2 then return digits .. ("0"):rep(random(0, 300)) .. "1" .. exponent end
  return digits:sub(1, -2) .. digits:byte(-1) - 49 .. ("9"):rep(random(1, 300)) .. exponent
end

describe("a column of decimals #host #once", function()
  it("is what strtod and strtof read, each of many", function()
    math.randomseed(23)
    for _ = 1, support.hasty and 1 or 3 do
      local fields = random_decimals(100000)
      check(fields, "float64")
      check(fields, "float32")
    end
  end)

  it("is so halfway between two floats, and a little beside that", function()
    math.randomseed(24)
    local texts = {}
    for i = 1, 5000 do
      texts[2 * i - 1], texts[2 * i] = beside(halfway64()), beside(halfway32())
    end
    local fields = of_texts(texts)
    check(fields, "float64")
    check(fields, "float32")
  end)
end)

describe("a column of random bits as text #host #once", function()
  -- Whether a text with one digit less reads as the same number.
  local function is_too_long(text, number, convert)
    local digits = #text:gsub("e.*", ""):gsub("%D", ""):gsub("^0+", ""):gsub("0+$", "")
    if digits < 2 then return false end
    C.snprintf(buffer, MOST, "%.*e", ffi.cast("int", digits - 2), number)
    return convert(buffer, nil) == number
  end

  for dtype, most in pairs {float64 = 24, float32 = 19} do -- -1.7976931348623157e+308
    it("reads back by C and by locus, and no shorter text does: " .. dtype, function()
      math.randomseed(25)
      local x = frames.bits(dtype, 100000)
      local f = locus.frame{{"x", x}}
      local text = f:write_csv{header = false, missing = "nan"}
      local back = locus.read_csv({text = text}, {header = {"x"}, types = {x = dtype}})
      assert.is_nil(frames.difference(f, back))
      local convert, i = CONVERT[dtype], 0
      for line in text:gmatch("[^\n]+") do
        i = i + 1
        local number = x[i]
        if number == number and (convert(line, nil) ~= number or is_too_long(line, number, convert))
        then error(("%s is not the shortest for %s"):format(line, ("%.17g"):format(number))) end
        if #line > most then error(line .. " is too long") end
      end
      assert.equal(#x, i)
    end)
  end
end)
