-- SPDX-License-Identifier: MIT
-- Numbers that LuaJIT must not convert: a thread may have been told to take denormal ones for zero
-- (src/core/number/floats.h), and the core converts as IEEE 754 has it all the same.
local ffi = require "locus.tensor.handle".type and require "ffi"
if not ffi then return {} end

local LEAST_NORMAL, NORMAL_WORD, ZERO_WORD = 2 ^ -126, 0x800000, -2 ^ 31
local compared = ffi.new("union { double number; int32_t words[2]; }")
local HIGH = ffi.abi("be") and 0 or 1

local denormal = {}

-- Whether the int32 that a float32 is in memory is that of a denormal one.
function denormal.is_word(word)
  return word > 0 and word < NORMAL_WORD
    or word < ZERO_WORD + NORMAL_WORD and word > ZERO_WORD
end

-- Whether a number becomes a denormal float32.
function denormal.in_float32(value)
  return value < LEAST_NORMAL and value > -LEAST_NORMAL and value ~= 0
end

-- Whether a number that compares equal to 0 is 0.
function denormal.is_zero(value)
  compared.number = value
  local high = compared.words[HIGH]
  return compared.words[1 - HIGH] == 0 and (high == 0 or high == ZERO_WORD)
end

return denormal
