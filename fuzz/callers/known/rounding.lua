-- SPDX-License-Identifier: MIT
-- Floats of 16 and 32 bits in plain Lua: the numbers of their bits, and doubles and int64 rounded
-- to them, to nearest, ties to even.
local bit = require "bit"
local ffi = require "ffi"

local rounding = {}

-- -- Sixteen bits -------------------------------------------------------------------------------

local function value(sign, exponent, fraction, digits, bias, top)
  if exponent == top then return fraction == 0 and sign / 0 or 0 / 0 end
  if exponent == 0 then return sign * fraction * 2 ^ (1 - bias - digits) end
  return sign * (1 + fraction * 2 ^ -digits) * 2 ^ (exponent - bias)
end

local function table_of(digits, bias)
  local list = ffi.new "double[65536]"
  for raw = 0, 65535 do
    local sign = raw < 32768 and 1 or -1
    local fraction = raw % 2 ^ digits
    local exponent = math.floor(raw % 32768 / 2 ^ digits)
    list[raw] = value(sign, exponent, fraction, digits, bias, 2 ^ (15 - digits) - 1)
  end
  return list
end

--- By dtype, the number of each pattern.
rounding.halves = {float16 = table_of(10, 15), bfloat16 = table_of(7, 127)}

--- Patterns of numbers from 1 to 6 and of halves around them.
rounding.few = {}
for dtype, list in pairs(rounding.halves) do
  local few = {}
  for raw = 0, 65535 do
    local x = list[raw]
    if x >= 1 and x <= 6 and x == math.floor(x) then few[#few + 1] = raw end
  end
  rounding.few[dtype] = few
end

-- -- Doubles ------------------------------------------------------------------------------------

ffi.cdef "typedef union { double d; int32_t half[2]; } fuzz_bits;"
local cell = ffi.new "fuzz_bits"
local single = ffi.new "float[1]"
local powers = ffi.new "double[2200]"
for e = -1074, 1023 do powers[e + 1100] = 2 ^ e end

local band, rshift, abs, max = bit.band, bit.rshift, math.abs, math.max

local function to_half(digits, least, limit)
  return function(x)
    if x ~= x or x == 0 or x == 1 / 0 or x == -1 / 0 then return x end
    cell.d = x
    local exponent = band(rshift(cell.half[1], 20), 0x7ff) - 1022
    local unit = powers[max(exponent - digits, least) + 1100]
    local size = (abs(x) / unit + 2 ^ 52 - 2 ^ 52) * unit
    if size >= limit then size = 1 / 0 end
    return x < 0 and -size or size
  end
end

--- By float dtype, a double rounded to it.
rounding.to = {
  float16 = to_half(11, -24, 2 ^ 16), bfloat16 = to_half(8, -133, 2 ^ 128),
  float32 = function(x) single[0] = x return single[0] end,
  float64 = function(x) return x end,
}

--- A double that rounds to any shorter float as the int64 itself does: a last bit stands for what
--- is cut off.
function rounding.sticky(x)
  local near = tonumber(x)
  if near < 2 ^ 53 and near > -2 ^ 53 then return near end
  local high = bit.arshift(x, 11)
  if bit.band(x, 2047LL) ~= 0LL then high = bit.bor(high, 1LL) end
  return tonumber(high) * 2048
end

--- The least and the greatest value of integer dtypes that are kept as doubles.
rounding.range = {uint8 = {0, 255}, int8 = {-128, 127}, int16 = {-32768, 32767},
                  int32 = {-2 ^ 31, 2 ^ 31 - 1}}

--- Makes values whole and brings them into a range.
function rounding.clip(v, count, low, high)
  for i = 0, count - 1 do
    local x = math.floor(v[i])
    if not (x >= low) then x = low end
    if x > high then x = high end
    v[i] = x
  end
end

return rounding
