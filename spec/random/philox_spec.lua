-- SPDX-License-Identifier: MIT
-- The stream of docs/chance.md, bit for bit: the published vectors of Philox4x32-10, and what is
-- made of its words, beside the same in plain Lua.
local ffi = require "ffi"
local core = require "locus.core"
local locus = require "locus"
local oracle = require "spec.support.models.oracle"
local philox = require "spec.support.models.philox"
local support = require "spec.support"

local random = core.internal.random
local uint64 = ffi.typeof("uint64_t")
local HALF = uint64(2 ^ 32)

-- Random123's kat_vectors for philox4x32 with 10 rounds.
local KNOWN = {
  {{0, 0, 0, 0}, {0, 0}, {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}},
  {{0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff}, {0xffffffff, 0xffffffff},
   {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}},
  {{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0},
   {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}},
}

-- Seeds in halves, and blocks to begin with.
local PLACES = {{0, 0, 0}, {0, 1, 3}, {0xffffffff, 0xfffffffb, 2 ^ 32 - 2}, {7, 2 ^ 31, 2 ^ 52}}

-- The function that gives the words of a place.
local function words_of(place)
  local high, low, first = unpack(place)
  return function(i) return philox.word(high, low, first, i) end
end

-- The upper half of a product.
local function upper(a, b)
  local a0, a1, b0, b1 = a % HALF, a / HALF, b % HALF, b / HALF
  local middle = a1 * b0 + a0 * b0 / HALF
  local other = a0 * b1 + middle % HALF
  return a1 * b1 + middle / HALF + other / HALF
end

-- Bits of an element of int64.
local function unsigned(v) return uint64(ffi.new("int64_t", v)) end

local function long(word, i) return uint64(word(i)) + uint64(word(i + 1)) * HALF end

-- Element i of integers below a range; 0: of all.
local function below(word, i, range)
  if range == 0 then return long(word, 2 * i) end
  if range < HALF then return upper(long(word, 2 * i), range) end
  local low, high = long(word, 4 * i), long(word, 4 * i + 2)
  local carry = high * range + upper(low, range) < high * range
  return upper(high, range) + (carry and 1 or 0)
end

local function words_for(dtype)
  return (dtype == "float64" or dtype == "complex128") and 2 or 1
end

local BITS = support.known("bits", {float16 = 11, bfloat16 = 8, float32 = 24, float64 = 53,
                                    complex64 = 24, complex128 = 53})
local PART = {complex64 = "float32", complex128 = "float64"}

-- The expected element i, by the distribution that it is drawn from.
local wanted = {}

function wanted.uniform(word, i, dtype, a, b)
  local function round(v) return oracle.round(v, BITS[dtype] == 53 and "float64" or "float32") end
  local u = philox.uniform(word, i, BITS[dtype])
  return a == 0 and b == 1 and u or round(round(a) + round(round(b - a) * u))
end

function wanted.normal(word, i, dtype, a, b)
  return a + b * philox.normal(word, i, words_for(dtype))
end

function wanted.exponential(word, i, dtype, _, b)
  return philox.exponential(word, i, words_for(dtype)) / b
end

-- The elements of x, parts one after the other.
local function parts(x)
  if not PART[x.dtype] then return support.values(x) end
  local list = {}
  for _, v in ipairs(support.values(x)) do
    list[#list + 1], list[#list + 2] = v.re, v.im
  end
  return list
end

local function check(x, how, place, a, b)
  local high, low, first = unpack(place)
  local dtype, word = x.dtype, words_of(place)
  local blocks = random(x, how, high, low, first, a, b)
  local found = parts(x)
  assert.equal(math.ceil(#found * words_for(dtype) / 4), blocks)
  for i, value in ipairs(found) do
    local want = oracle.round(wanted[how](word, i - 1, dtype, a, b), PART[dtype] or dtype)
    if value ~= want then
      error(("%s %s [%d] is %.17g, not %.17g"):format(how, dtype, i, value, want))
    end
  end
end

describe("Philox4x32-10", function()
  it("has the published words, in plain Lua", function()
    for _, known in ipairs(KNOWN) do assert.same(known[3], philox.words(known[1], known[2])) end
  end)

  it("has them for seed 0 and its first block", function()
    local x = locus.empty(2, {dtype = "int64"})
    random(x, "bits", 0, 0, 0)
    local found = support.values(x)
    for i = 1, 2 do
      local want = uint64(KNOWN[1][3][2 * i - 1]) + uint64(KNOWN[1][3][2 * i]) * HALF
      assert.equal(want, unsigned(found[i]))
    end
  end)

  it("has the words of any seed and block, however many", function()
    for _, place in ipairs(PLACES) do
      for _, n in ipairs {1, 2, 5, 127, 1025} do
        local x, word = locus.empty(n, {dtype = "int64"}), words_of(place)
        assert.equal(math.ceil(n / 2), random(x, "bits", unpack(place)))
        local found = support.values(x)
        for i = 1, n do assert.equal(long(word, 2 * i - 2), unsigned(found[i])) end
      end
    end
  end)

  it("has them far behind, too", function()
    local n, word = 200001, words_of(PLACES[2])
    local x = locus.empty(n, {dtype = "int64"})
    random(x, "bits", unpack(PLACES[2]))
    for i = 1, n, 997 do assert.equal(long(word, 2 * i - 2), unsigned(x[i])) end
    assert.equal(long(word, 2 * n - 2), unsigned(x[n]))
  end)
end)

describe("numbers made of its words are those of docs/chance.md:", function()
  for _, how in ipairs {"uniform", "normal", "exponential"} do
    it(how, function()
      local kinds = how == "exponential" and {support.floats}
        or {support.floats, support.complexes}
      for _, dtypes in ipairs(kinds) do
        for _, dtype in ipairs(dtypes) do
          for _, place in ipairs(PLACES) do
            for _, n in ipairs {1, 2, 3, 4, 7, 130, 1027} do
              check(locus.empty(n, {dtype = dtype}), how, place, 0, 1)
            end
            check(locus.empty(50, {dtype = dtype}), how, place, -2, 3)
          end
        end
      end
    end)
  end

  it("in C order whatever lies in memory", function()
    for _, dtype in ipairs {"float16", "float64", "complex64"} do
      check(locus.empty(40, 30, {dtype = dtype}):t(), "normal", PLACES[3], 0, 1)
      check(locus.empty(9, 20, {dtype = dtype})[{{}, {2, 16, 3}}], "uniform", PLACES[2], 0, 1)
      check(locus.empty({}, {dtype = dtype}), "uniform", PLACES[2], 0, 1)
      check(locus.empty(0, 3, {dtype = dtype}), "normal", PLACES[2], 0, 1)
    end
  end)

  it("integers of every range", function()
    for _, ends in ipairs {{0, 0}, {0, 1}, {-5, 5}, {0, 999}, {-2 ^ 31, 2 ^ 31 - 2},
                           {-2 ^ 31, 2 ^ 31 - 1}, {-2 ^ 40, 2 ^ 50}, {-2 ^ 63, 0},
                           {-2 ^ 63, 2 ^ 62}} do
      local low, high = unpack(ends)
      local range = uint64(ffi.new("int64_t", high)) - uint64(ffi.new("int64_t", low)) + 1
      for _, place in ipairs(PLACES) do
        local x, word = locus.empty(61, {dtype = "int64"}), words_of(place)
        local words = range < HALF and 2 or 4
        assert.equal(math.ceil(61 * words / 4), random(x, "integer", place[1], place[2], place[3],
          low, high))
        local found = support.values(x)
        for i = 1, 61 do
          local want = ffi.new("int64_t", low) + ffi.cast("int64_t", below(word, i - 1, range))
          assert.equal(want, ffi.new("int64_t", found[i]))
        end
      end
    end
  end)

  it("integers of every dtype are those of int64", function()
    local plain = locus.empty(100, {dtype = "int64"})
    random(plain, "integer", 0, 5, 9, 0, 1)
    for _, dtype in ipairs(support.ordered) do
      local x = locus.empty(100, {dtype = dtype})
      random(x, "integer", 0, 5, 9, 0, 1)
      assert.is_true(x:long():equal(plain), dtype)
    end
  end)

  it("and uniform numbers never meet their end", function()
    for _, dtype in ipairs(support.floats) do
      local x = locus.empty(20000, {dtype = dtype})
      for _, ends in ipairs {{0, 1}, {1, 1.01}, {-1, 0}, {1000, 1001}, {3, 3}} do
        random(x, "uniform", 0, 5, 9, unpack(ends))
        local from, to = oracle.round(ends[1], dtype), oracle.round(ends[2], dtype)
        assert.is_true(x:amin() >= from)
        assert.is_true(x:amax() < to or from == to)
      end
    end
  end)
end)
