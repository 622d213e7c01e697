-- SPDX-License-Identifier: MIT
-- sort and argsort of rows of every length and number, from raw bits: each row of the answer must
-- be a permutation of the input's positions along which elements never fall and ties ascend, and
-- the values the very bits at these positions. That is what a stable sort is; no second sort is
-- needed to check it.
local ffi = require "ffi"
local bit = require "bit"
local locus = require "locus"
local support = require "spec.support"

-- In busted's environment a global costs a chain of metamethods.
local floor, random, tonumber = math.floor, math.random, tonumber

local words = {[1] = "uint8_t", [2] = "uint16_t", [4] = "uint32_t", [8] = "uint64_t"}
local widths = {}
for dtype, c in pairs(support.types) do widths[dtype] = c.size end

-- The number that 16 bits stand for; the lower `fraction` bits are the fraction.
local function half(bits, fraction)
  local scale = 2 ^ fraction
  local most = 2 ^ (15 - fraction) - 1
  local exponent, rest = floor(bits / scale) % (most + 1), bits % scale
  local size = math.ldexp(rest / scale, 1 - floor(most / 2))
  if exponent == most then
    size = rest == 0 and math.huge or support.nan
  elseif exponent > 0 then
    size = math.ldexp(1 + rest / scale, exponent - floor(most / 2))
  end
  return bits >= 0x8000 and -size or size
end
local halves = {}
for dtype, fraction in pairs {float16 = 10, bfloat16 = 7} do
  halves[dtype] = ffi.new("double[65536]")
  for bits = 0, 65535 do halves[dtype][bits] = half(bits, fraction) end
end

-- A function that gives element i, from 0, of a buffer of words, in a form that < orders. LuaJIT
-- takes some NaN for values of other types, so that none is read as it is.
local function reader(dtype, words_of)
  if halves[dtype] then
    local numbers = halves[dtype]
    return function(i) return numbers[words_of[i]] end
  elseif dtype == "float32" then
    local floats = ffi.cast("float *", words_of)
    return function(i) return words_of[i] % 2 ^ 31 > 0x7f800000 and support.nan or floats[i] end
  elseif dtype == "float64" then
    local doubles = ffi.cast("double *", words_of)
    return function(i)
      local is_nan = bit.band(words_of[i], 0x7fffffffffffffffULL) > 0x7ff0000000000000ULL
      return is_nan and support.nan or doubles[i]
    end
  elseif dtype == "bool" then
    return function(i) return words_of[i] ~= 0 and 1 or 0 end
  end
  assert(support.types[dtype].kind == "INTEGER", "no spec knows the bits of " .. dtype)
  local array = ffi.cast(support.types[dtype].element .. " *", words_of)
  return function(i) return array[i] end
end

-- Whether a stands before b in the one order.
local function before(a, b)
  if a ~= a then return false end
  return b ~= b or a < b
end

-- Kinds of data: element i of n as a random word of `width` bytes would be made of.
local function word() return random(0, 0xffff) end
local function random_bits()
  return ((word() * 0x10000ULL + word()) * 0x10000ULL + word()) * 0x10000ULL + word()
end
local some = {}
for i = 1, 5 do some[i] = random_bits() end
local kinds = {
  ["any bits"] = random_bits,
  ["few distinct"] = function() return some[random(5)] end,
  ["upper bits"] = function() return bit.lshift(random_bits(), 44) end,
  ["lower bits"] = function(_, _, width)
    return bit.lshift(0x3dULL, 8 * width - 8) + random(0, 300)
  end,
  ["lower bits and one other"] = function(i, n)
    return i == floor(n / 2) and 0x6000600060006000ULL or random_bits() % 1000
  end,
  ["both ends"] = function(_, _, width)
    return bit.lshift(random(0, 1) + 0ULL, 8 * width - 2) + random(0, 1)
  end,
  ["zeros of both signs"] = function(_, _, width)
    return bit.lshift(random(0, 1) + 0ULL, 8 * width - 1) + floor(random(0, 3) / 3)
  end,
  ["NaN of all kinds"] = function(_, _, width)
    local any = random_bits()
    if random(4) == 1 then return any end
    if width == 8 then return bit.bor(any, 0x7ff0000000000001ULL) end
    return bit.bor(any, width == 4 and 0x7f800001ULL or 0x7f81ULL)
  end,
  ascending = function(i) return i + 0ULL end,
  ["ascending with ties"] = function(i) return floor(i / 3) + 0ULL end,
  ["descending"] = function(i, n) return n - i + 0ULL end,
  ["descending with ties"] = function(i, n) return floor((n - i) / 3) + 0ULL end,
  ["ascending but the last"] = function(i, n) return i == n - 1 and 0ULL or i + 1ULL end,
  equal = function() return some[1] end,
}
local names = {}
for name in pairs(kinds) do names[#names + 1] = name end
table.sort(names)

-- A buffer of rows x n elements of a kind, and the tensor over it.
local function make(kind, dtype, rows, n)
  local width = widths[dtype]
  local buffer = ffi.new(words[width] .. "[?]", rows * n)
  for r = 0, rows - 1 do
    for i = 0, n - 1 do buffer[r * n + i] = ffi.cast(words[width], kinds[kind](i, n, width)) end
  end
  local first = ffi.cast("void *", buffer)
  local x = locus.from_ptr(first, {rows, n}, {dtype = dtype, keep = buffer})
  return buffer, x:to(support.device)
end

local seen = ffi.new("int32_t[?]", 200000)
local stamp = 0

-- The fault of one row of an answer; nil when there is none. The row of the input starts at `from`.
local function fault(get, bits, from, index, values, n, descending, base)
  stamp = stamp + 1
  local last, last_at
  for k = 0, n - 1 do
    local at = tonumber(index[k]) - base
    if at < 0 or at >= n or seen[at] == stamp then return ("position %d at %d"):format(at, k) end
    seen[at] = stamp
    local value = get(from + at)
    if values and values[k] ~= bits[from + at] then return "bits of the value at " .. k end
    if k > 0 then
      local a, b = last, value
      if descending then a, b = b, a end
      if before(b, a) then return "order at " .. k end
      if not before(a, b) and at < last_at then return "tie at " .. k end
    end
    last, last_at = value, at
  end
end

local function check(kind, dtype, rows, n, layout)
  local bits, x = make(kind, dtype, rows, n)
  local unit = words[widths[dtype]]
  local get = reader(dtype, bits)
  local laid = layout and support.laid(x, layout) or x
  for _, descending in ipairs {false, true} do
    local base = random(0, 1)
    local v, i = laid:sort(2, descending, {base = base})
    local alone = laid:argsort(2, descending, {base = base})
    local values = support.memory(v, unit)
    local index, other = support.memory(i, "int64_t"), support.memory(alone, "int64_t")
    local only = support.memory(laid:sort(2, descending, {indices = false}), unit)
    for k = 0, rows * n - 1 do
      if only[k] ~= values[k] then
        error(("bits of value %d alone: %s, %d x %d %s, %s"):format(k, kind, rows, n, dtype,
          layout or "as it is"))
      end
    end
    for r = 0, rows - 1 do
      local wrong = fault(get, bits, r * n, index + r * n, values + r * n, n, descending, base)
        or fault(get, bits, r * n, other + r * n, nil, n, descending, base)
      if wrong then
        error(("%s: %s, %d x %d %s, %s, row %d"):format(wrong, kind, rows, n, dtype,
          layout or "as it is", r))
      end
    end
  end
end

describe("sort of rows", function()
  local threads = locus.get_num_threads()
  before_each(function() math.randomseed(77) end)
  after_each(function() locus.set_num_threads(threads) end)

  for _, dtype in ipairs(support.sample(support.ordered, 4)) do
    it("of " .. dtype .. " is right for any length", function()
      local lengths = {1, 2, 3, 7, 8, 9, 10, 16, 17, 33, 39, 40, 41, 42, 255, 256, 257, 258, 300}
      for k, n in ipairs(lengths) do
        for i = 1, 4 do check(names[(k + 4 * i) % #names + 1], dtype, 1, n) end
      end
    end)

    it("of " .. dtype .. " is right for any number of rows", function()
      for _, rows in ipairs {2, 5, 15, 16, 37} do
        for _, n in ipairs {1, 3, 31, 100, 256, 257} do
          check(names[random(#names)], dtype, rows, n)
        end
      end
    end)

    it("of " .. dtype .. " is right for long rows", function()
      for _, kind in ipairs(names) do
        check(kind, dtype, 1, random(1020, 2100))
      end
    end)

    it("of " .. dtype .. " is right in any layout", function()
      for _, layout in ipairs(support.layouts) do
        for _, n in ipairs {3, 127, 128, 129, 256, 1500} do
          check(names[random(#names)], dtype, random(1, 20), n, layout)
        end
      end
    end)
  end

  -- From here on a position takes a bit more in its pair.
  for k, dtype in ipairs {"uint8", "float16", "int32", "float64"} do
    it("of " .. dtype .. " is right on both sides of 65536 elements", function()
      for i, n in ipairs {65536, 65537} do check(names[(3 * k + i) % #names + 1], dtype, 1, n) end
    end)
  end
end)
