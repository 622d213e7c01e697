-- SPDX-License-Identifier: MIT
-- sort of values alone, which has ways of its own: every length up to 300, long rows of every kind
-- of data, and data that is made against its choice of pivots. Values that come with positions are
-- sorted in another way, which other specs compare with plain Lua; the bits must be the same.
local ffi = require "ffi"
local locus = require "locus"
local support = require "spec.support"

local nan, inf = support.nan, math.huge
local wide = {"int32", "int64", "float32", "float64"}

local function check(x, what)
  for _, descending in ipairs {false, true} do
    local wanted = x:sort(-1, descending)
    local got = x:sort(-1, descending, {indices = false})
    assert.is_true(wanted:tobytes() == got:tobytes(),
                   ("%s, %d %s"):format(what, x:numel(), x.dtype))
  end
end

-- Any 32 or 64 bits, all kinds of NaN among them.
local function any_bits(n, dtype)
  local size = locus.zeros(1, {dtype = dtype}):element_size()
  local bytes = locus.randint(256, {n * size}, {dtype = "uint8"}):cpu()
  return locus.from_string(bytes:tobytes(), dtype):to(support.device)
end

local kinds = {
  random = any_bits,
  sorted = function(n, dtype) return locus.arange(n, {dtype = "int64"}):to(dtype) end,
  reversed = function(n, dtype) return (n - locus.arange(n, {dtype = "int64"})):to(dtype) end,
  ["nearly sorted"] = function(n, dtype)
    local x = locus.arange(n, {dtype = "int64"}):to(dtype)
    if n > 0 then x[n] = 0 end
    return x
  end,
  ["organ pipe"] = function(n, dtype)
    local x = locus.arange(n, {dtype = "int64"})
    return locus.minimum(x, n - x):to(dtype)
  end,
  ["few values"] = function(n, dtype) return locus.randint(5, {n}, {dtype = dtype}) end,
  ["two values"] = function(n, dtype)
    return locus.randint(2, {n}, {dtype = dtype}) * (dtype:find "64" and 2 ^ 61 or 2 ^ 29)
  end,
  ["narrow span"] = function(n, dtype)
    return locus.randint(math.max(1, math.floor(n / 8)), {n}, {dtype = dtype}) - 70
  end,
  periods = function(n, dtype) return (locus.arange(n, {dtype = "int64"}) % 64):to(dtype) end,
  ["mostly one value"] = function(n, dtype)
    local x = locus.zeros(n, {dtype = dtype})
    if n > 2 then x[{{1, n, 97}}] = -3; x[{{2, n, 51}}] = 8 end
    return x
  end,
}
local names = {}
for name in pairs(kinds) do names[#names + 1] = name end
table.sort(names)

-- The least and the greatest of a dtype among others.
local function with_ends(x)
  local n, float = x:numel(), x.dtype:find "float"
  local ends = x.dtype == "int32" and {-2 ^ 31, 2 ^ 31 - 1}
    or x.dtype == "int64" and {ffi.cast("int64_t", 2 ^ 63), 2LL ^ 62 - 1 + 2LL ^ 62}
    or {-inf, inf}
  if n > 8 then x[{{2, n, 5}}], x[{{4, n, 7}}] = ends[1], ends[2] end
  if n > 8 and float then x[{{1, n, 3}}] = -0.0; x[{{6, n, 9}}] = nan; x[{{3, n, 4}}] = 0 end
  return x
end

-- The places of a sample of n keys: one of each stretch, as many as fill one register or four.
local function sample(n, lanes)
  local count, random, places = (n < 4096 and 1 or 4) * lanes, 1, {}
  local stretch = math.floor(n / count)
  for i = 0, count - 1 do
    random = tonumber(ffi.cast("uint32_t", random * 1664525ULL + 1013904223ULL))
    places[i + 1] = i * stretch + math.floor(stretch * random * 2 ^ -32) + 1
  end
  return places
end

-- A list of n integers of which the middle of each sample is nearly the least, so that every cut
-- finds but half of the sample.
local function against_pivots(n, lanes)
  local values, places, least = {}, {}, 0
  for i = 1, n do places[i] = i end
  while #places > 256 do
    local taken, rest, pivot = sample(#places, lanes), {}, nil
    local wanted = #taken / 2 + 1
    for _, k in ipairs(taken) do
      if values[places[k]] then wanted = wanted - 1 end
    end
    for _, k in ipairs(taken) do
      if wanted > 0 and not values[places[k]] then
        least, pivot, wanted = least + 1, places[k], wanted - 1
        values[pivot] = least
      end
    end
    for _, place in ipairs(places) do
      if place == pivot or not values[place] then rest[#rest + 1] = place end
    end
    places = rest
  end
  for _, place in ipairs(places) do
    least = values[place] and least or least + 1
    values[place] = values[place] or least
  end
  return values
end

describe("sort of values alone", function()
  local threads = locus.get_num_threads()
  before_each(function() locus.manual_seed(51) end)
  after_each(function() locus.set_num_threads(threads) end)

  for _, dtype in ipairs(wide) do
    it("of " .. dtype .. " is right for every length up to 300", function()
      for n = 0, 300 do
        check(any_bits(n, dtype), "random")
        check(kinds[names[n % #names + 1]](n, dtype), names[n % #names + 1])
        check(with_ends(any_bits(n, dtype)), "with ends")
      end
    end)

    it("of " .. dtype .. " is right for long rows of all kinds", function()
      for _, name in ipairs(names) do
        for _, n in ipairs {511, 2049, 4097, 70001} do
          check(kinds[name](n, dtype), name)
        end
      end
      check(with_ends(any_bits(70001, dtype)), "with ends")
      check(any_bits(300001, dtype), "random")
    end)

    it("of " .. dtype .. " is right for rows side by side and apart", function()
      for _, n in ipairs {33, 64, 65, 130, 300} do
        local x = with_ends(any_bits(20 * n, dtype))
        check(x:view(20, n), "rows")
        check(x:view(n, 20):t(), "columns")
        check(x:view(10, 2 * n):slice(2, 1, -1, 2), "every second")
        check(x:view(4, 5 * n), "a few rows")
      end
    end)
  end

  -- Elements of one byte or two are counted; threads share rows of four times as many as ranks.
  for _, dtype in ipairs {"bool", "uint8", "int8", "int16", "float16", "bfloat16"} do
    it("of " .. dtype .. " is right where elements are counted #host", function()
      local ranks = locus.empty(1, {dtype = dtype}):element_size() == 1 and 256 or 65536
      for _, n in ipairs {ranks - 1, ranks, 12 * ranks + 5} do
        local random = any_bits(n, dtype == "bool" and "uint8" or dtype)
        if dtype == "bool" then random = (random % 2):to "bool" end
        local few = locus.where(locus.randint(9, {n}, {dtype = "int64"}):gt(0), random[1], random)
        for _, count in ipairs {1, 2, 3} do
          locus.set_num_threads(count)
          check(random, count .. " threads, random")
          check(few, count .. " threads, mostly one")
        end
      end
    end)
  end

  -- Ranges of keys choose between counting, digits, keys half as wide and partitions.
  for _, dtype in ipairs {"int32", "int64"} do
    it("of " .. dtype .. " is right for keys of any range, at both ends #host", function()
      local bits = dtype == "int32" and 32 or 64
      for _, n in ipairs {63, 64, 129, 300, 4097, 262144, 300001} do
        local spans = {31, 63, 64, 65, n - 2, n - 1, n, n + 1, 65534, 65535, 65536, 2 ^ 18,
          2 ^ 22 - 2, 2 ^ 22 - 1, 2 ^ 22, 2 ^ 31 - 1}
        for _, span in ipairs {2 ^ 32 - 2, 2 ^ 32 - 1, 2 ^ 32, 2 ^ 45} do
          if bits == 64 then spans[#spans + 1] = span end
        end
        for k, span in ipairs(n > 5000 and support.sample(spans, 4) or spans) do
          local x = locus.randint(span + 1, {n}, {dtype = dtype})
          x[1], x[n] = 0, span
          if k % 3 == 1 then x = x - 2 ^ (bits - 2) - 2 ^ (bits - 2)
          elseif k % 3 == 2 then x = 2 ^ (bits - 2) - 1 - x + 2 ^ (bits - 2) end
          check(x, ("span %d"):format(span))
        end
      end
    end)
  end

  -- Cuts of registers whose keys are all less, all not less, or few of one kind.
  for _, dtype in ipairs(wide) do
    it("of " .. dtype .. " is right where nearly all keys are the least or the greatest", function()
      for n = 257, 1400, 37 do
        for _, few in ipairs {0, 1, 3, 40} do
          local x = with_ends(locus.zeros(n, {dtype = dtype}))
          x[{{1, n}}] = x[n % 2 == 0 and 2 or 4]
          for _ = 1, few do x[tonumber(locus.randint(n, {1})[1]) + 1] = locus.randint(9, {1})[1] end
          check(x, few .. " others")
        end
      end
    end)
  end

  -- Threads that share the row would take other samples.
  it("is right for data made against its pivots", function()
    locus.set_num_threads(1)
    for _, lanes in ipairs {4, 8, 16} do
      local x = locus.tensor(against_pivots(6000, lanes)):to(support.device)
      for _, dtype in ipairs {"int32", "int64"} do check(x:to(dtype) * 1001, "against pivots") end
    end
  end)
end)
