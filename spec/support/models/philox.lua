-- SPDX-License-Identifier: MIT
-- The numbers of docs/chance.md in plain Lua: Philox4x32-10, and what is made of its words, bit for
-- bit.
local bit = require "bit"

local philox = {}
local WORD = 2 ^ 32

-- The upper and the lower word of a product.
local function multiply(a, b)
  local low = b % 65536
  local first, second = a * low, a * ((b - low) / 65536)
  return math.floor((second + math.floor(first / 65536)) / 65536),
    (first + second % 65536 * 65536) % WORD
end

local function xor(a, b, c) return bit.bxor(a, b, c) % WORD end

-- The four words of a counter of four words and a key of two.
function philox.words(counter, key)
  local a, b, c, d = unpack(counter)
  local low, high = key[1], key[2]
  for _ = 1, 10 do
    local a_high, a_low = multiply(a, 0xd2511f53)
    local c_high, c_low = multiply(c, 0xcd9e8d57)
    a, b, c, d = xor(c_high, b, low), c_low, xor(a_high, d, high), a_low
    low, high = (low + 0x9e3779b9) % WORD, (high + 0xbb67ae85) % WORD
  end
  return {a, b, c, d}
end

-- Word number i, counted from 0, of the blocks of a generator that begin with `first`; the seed in
-- halves.
function philox.word(high, low, first, i)
  local block = first + math.floor(i / 4)
  return philox.words({block % WORD, math.floor(block / WORD), 0, 0}, {low, high})[i % 4 + 1]
end

-- The bits of numbers: the first n of 64 bits as a whole number, skipping some. `words` is how many
-- an element has, of[i] a function that gives words.
local function bits_of(words, word, i)
  if words == 1 then return {word(i), 2 ^ 31} end
  return {word(2 * i + 1), word(2 * i)}
end

-- The first 52 bits / 2^52, behind `skipped` ones (0 or 2).
local function part(bits, skipped)
  local high, low = bits[1], bits[2]
  if skipped == 2 then
    high, low = (high * 4 + math.floor(low / 2 ^ 30)) % WORD, low * 4 % WORD
  end
  return (high * 2 ^ 20 + math.floor(low / 4096)) * 2 ^ -52
end

-- A uniform number of that many bits.
function philox.uniform(word, i, bits)
  if bits <= 24 then return math.floor(word(i) / 2 ^ (32 - bits)) * 2 ^ -bits end
  return (word(2 * i + 1) * 2 ^ 21 + math.floor(word(2 * i) / 2 ^ 11)) * 2 ^ -53
end

local LOG = {0x1.5555555555593p-1, 0x1.999999997fa04p-2, 0x1.2492494229359p-2,
             0x1.c71c51d8e78afp-3, 0x1.7466496cb03dep-3, 0x1.39a09d078c69fp-3,
             0x1.2f112df3e5244p-3}
local SIN = {-0x1.5555555555549p-3, 0x1.111111110f8a6p-7, -0x1.a01a019c161d5p-13,
             0x1.71de357b1fe7dp-19, -0x1.ae5e68a2b9cebp-26, 0x1.5d93a5acfd57cp-33}
local COS = {0x1.555555555554cp-5, -0x1.6c16c16c15177p-10, 0x1.a01a019cb1590p-16,
             -0x1.27e4f809c52adp-22, 0x1.1ee9ebdb4b1c4p-29, -0x1.8fae9be8838d4p-37}

-- The polynomial c[1] + z c[2] + ..., from its end.
local function polynomial(c, z, first, last, step)
  local sum = c[last]
  for k = last - step, first, -step do sum = c[k] + z * sum end
  return sum
end

function philox.minus_log(u)
  local m, k = math.frexp(u)
  if m < 0x1.6a09ep-1 then m, k = m * 2, k - 1 end
  local f = m - 1
  local s = f / (2 + f)
  local z = s * s
  local w, half = z * z, 0.5 * f * f
  local odd, even = z * polynomial(LOG, w, 1, 7, 2), w * polynomial(LOG, w, 2, 6, 2)
  return (half - (s * (half + (odd + even)) + k * 0x1.a39ef35793c76p-33) - f)
    - k * 0x1.62e42fee00000p-1
end

-- An exponential number, not yet divided by its rate.
function philox.exponential(word, i, words)
  return philox.minus_log(part(bits_of(words, word, i), 0) + 2 ^ -53)
end

-- A normal number: the first or the second of its pair.
function philox.normal(word, i, words)
  local pair = i - i % 2
  local radius = math.sqrt(2 * philox.exponential(word, pair, words))
  local bits = bits_of(words, word, pair + 1)
  local quadrant, a = math.floor(bits[1] / 2 ^ 30), (part(bits, 2) - 0.5) * 0x1.921fb54442d18p0
  local z = a * a
  local half = 0.5 * z
  local near = 1 - half
  local sin = a + a * z * polynomial(SIN, z, 1, 6, 1)
  local cos = near + ((1 - near - half) + z * z * polynomial(COS, z, 1, 6, 1))
  if quadrant % 2 == 1 then sin, cos = cos, sin end
  if i % 2 == 0 then return radius * ((quadrant == 1 or quadrant == 2) and -cos or cos) end
  return radius * (quadrant >= 2 and -sin or sin)
end

return philox
