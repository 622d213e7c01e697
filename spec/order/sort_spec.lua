-- SPDX-License-Identifier: MIT
-- sort and argsort, compared with a stable sort in plain Lua.
local ffi = require "ffi"
local locus = require "locus"
local arrays = require "spec.support.data.arrays"
local oracle = require "spec.support.models.oracle"
local support = require "spec.support"

local nan, inf = support.nan, math.huge

local function raises(message, f, ...)
  assert.equal(message, support.message(f, ...))
end

-- The positions of a list in the one order; equal elements keep theirs.
local function order(list, descending)
  local at = {}
  for i = 1, #list do at[i] = i end
  table.sort(at, function(i, j)
    local a, b = list[i], list[j]
    if descending then a, b = b, a end
    if oracle.before(a, b) then return true end
    return i < j and not oracle.before(b, a)
  end)
  return at
end

-- Sorted values and positions along a dimension of an array.
local function sorted(a, dim, descending)
  local inner, n, values, index = 1, a.shape[dim], {}, {}
  for d = dim + 1, #a.shape do inner = inner * a.shape[d] end
  for start = 1, #a.values do
    if math.floor((start - 1) / inner) % n == 0 then
      local row = {}
      for k = 0, n - 1 do row[k + 1] = a.values[start + k * inner] end
      for k, i in ipairs(order(row, descending)) do
        values[start + (k - 1) * inner] = row[i]
        index[start + (k - 1) * inner] = i
      end
    end
  end
  return values, index
end

local function check(a, layout, dim, descending)
  local values, index = sorted(a, dim, descending)
  local x = arrays.tensor(a, layout)
  local v, i = x:sort(dim, descending)
  arrays.check(v, a.shape, values, a.dtype, layout, dim, descending, a)
  arrays.check(i, a.shape, index, "int64", layout, dim, descending, a)
  for k = 1, #index do index[k] = index[k] - 1 end
  arrays.check(x:argsort(dim, descending, {base = 0}), a.shape, index, "int64", layout, dim, a)
end

-- Elements of all bits, with zeros, infinities and NaN of many kinds among them.
local function elements(dtype, n)
  local size = locus.zeros(1, {dtype = dtype}):element_size()
  local tails = {"\0\0", "\0\128", "\128\127", "\192\255", "\240\127", "\0\124", "\1\255"}
  local list = {}
  for i = 1, n do
    local bytes = {}
    for k = 1, size do bytes[k] = string.char(math.random(0, 255)) end
    local element = table.concat(bytes)
    if size > 1 and math.random(3) == 1 then
      local head = math.random(2) == 1 and ("\0"):rep(size - 2) or element:sub(1, size - 2)
      element = head .. tails[math.random(#tails)]
    end
    list[i] = element
  end
  if dtype == "bool" then list[1], list[2] = "\0", "\2" end
  local memory = ffi.new("char[?]", n * size)
  ffi.copy(memory, table.concat(list), n * size)
  return locus.from_ptr(memory, n, {dtype = dtype, keep = memory}):to(support.device)
end

local function bytes_of(t)
  return ffi.string(support.memory(t, "char"), t:numel() * t:element_size())
end

-- Values alone are those that come with positions.
local function same_bits(x, dim, descending, what)
  local wanted = x:sort(dim, descending)
  local got = x:sort(dim, descending, {indices = false})
  assert.is_true(bytes_of(wanted) == bytes_of(got), what)
end

local BITS = {1, 7, 8, 9, 11, 12, 16, 22, 23, 24, 31, 32, 33, 40}

describe("sort", function()
  it("is stable and right for every dtype, layout, dimension and direction", function()
    math.randomseed(41)
    for _, dtype in ipairs(support.sample(support.ordered, 4)) do
      for _, shape in ipairs {{1}, {2}, {9}, {3, 4, 5}, {2, 70}, {70, 2}} do
        for _, layout in ipairs(support.layouts) do
          local a = arrays.random(dtype, shape)
          for dim = 1, #shape do
            check(a, layout, dim, false)
            check(a, layout, dim, true)
          end
        end
      end
    end
  end)

  it("is right for rows of any length", function()
    math.randomseed(42)
    for _, dtype in ipairs(support.sample(support.ordered, 4)) do
      for _, n in ipairs {0, 3, 31, 32, 63, 64, 65, 66, 127, 255, 256, 257, 1000, 3000} do
        local a = arrays.random(dtype, {n})
        check(a, arrays.pick(support.layouts), 1, n % 2 == 0)
      end
    end
  end)

  it("sorts spread values by all of their digits", function()
    math.randomseed(43)
    for _, dtype in ipairs {"int32", "int64", "float32", "float64"} do
      for n = 60, 400, 85 do
        local a = {dtype = dtype, shape = {n}, values = {}}
        for i = 1, n do
          local v = math.floor((math.random() - 0.5) * 2 ^ 31) * 2 ^ math.random(-20, 0)
          if dtype == "int64" then
            v = ffi.new("int64_t", v) * 4294967296LL + math.random(0, 2 ^ 31)
          elseif dtype == "int32" then
            v = math.floor(v)
          end
          a.values[i] = oracle.kind(dtype) == 3 and oracle.round(v, dtype) or v
        end
        check(a, "contiguous", 1, false)
        check(a, "stepped", 1, true)
      end
    end
  end)

  it("puts NaN last, or first when descending, and knows no order of the zeros", function()
    for _, dtype in ipairs(support.floats) do
      local x = support.tensor(dtype, {nan, 0, inf, -0.0, -inf, nan, 1, 0})
      local v, i = x:sort()
      support.same(v, {8}, {-inf, 0, -0.0, 0, 1, inf, nan, nan}, dtype)
      support.same(i, {8}, {5, 2, 4, 8, 7, 3, 1, 6}, "int64")
      v, i = x:sort(1, true)
      support.same(v, {8}, {nan, nan, inf, 1, 0, -0.0, 0, -inf}, dtype)
      support.same(i, {8}, {1, 6, 3, 7, 2, 4, 8, 5}, "int64")
    end
  end)

  it("keeps the bits of every value", function()
    local bits = ffi.new("uint32_t[70]")
    for i = 0, 69 do bits[i] = 0x7fc00000 + 70 - i end -- NaN, all equal
    bits[1], bits[2] = 0xffc12345, 0x80000000
    local x = locus.from_ptr(ffi.cast("float *", bits), {70}, {keep = bits}):to(support.device)
    local v, i = x:sort()
    local got = support.memory(v, "uint32_t")
    for k = 1, 70 do assert.equal(tonumber(bits[i[k] - 1]), tonumber(got[k - 1])) end
    assert.equal(3, i[1])
    assert.equal(1, i[2])
    assert.equal(2, i[3])
  end)

  it("gives the values alone, with the same bits", function()
    math.randomseed(45)
    for _, dtype in ipairs(support.sample(support.ordered, 4)) do
      for _, n in ipairs {2, 5, 40, 41, 257, 3000, 70000} do
        local x = elements(dtype, n)
        for _, descending in ipairs {false, true} do
          same_bits(x, 1, descending, dtype .. " " .. n)
        end
      end
      local rows = elements(dtype, 4800)
      for _, shape in ipairs {{2, 2400}, {60, 80}, {16, 300}} do
        local wide = rows:view(shape)
        same_bits(wide, 1, false, dtype)
        same_bits(wide:t(), 1, true, dtype)
        same_bits(wide:slice(2, 1, -1, 2), 2, false, dtype)
      end
    end
  end)

  it("sorts values alone as with their positions, whichever of their bits differ", function()
    for _, n in ipairs {41, 1000, 16383, 16384, 40000} do
      local mixed = locus.arange(n):mul(40503):remainder(65537) -- no two alike for a while
      for _, bits in ipairs(support.sample(BITS, 4)) do
        local x = mixed * (2 ^ bits / 65537)
        x = x - x % 1 + 2 ^ 52
        for _, dtype in ipairs {"int64", "float64"} do
          local y = x:to(dtype)
          for _, descending in ipairs {false, true} do
            local got = y:sort(1, descending, {indices = false})
            assert.is_true(got:equal((y:sort(1, descending))), ("%d of %d bits"):format(n, bits))
          end
        end
      end
      local f = (mixed - n / 2):float()
      f[{{1, n, 5}}] = -0.0
      f[{{2, n, 7}}] = 0 / 0
      local got, expected = f:sort{indices = false}, (f:sort())
      assert.equal(expected:tobytes(), got:tobytes())
    end
  end)

  it("gives the values alone of anything, into one tensor", function()
    local x, out = locus.tensor({{3, 1, 2}, {6, 5, 4}}), locus.zeros(2, 3)
    assert.equal(1, select("#", x:sort{indices = false}))
    assert.equal(2, select("#", x:sort{indices = true}))
    assert.equal(out, x:sort(2, true, {indices = false, out = out}))
    support.same(out, {2, 3}, {3, 2, 1, 6, 5, 4})
    support.same(locus.sort({true, false}, {indices = false}), {2}, {false, true}, "bool")
    support.same(locus.zeros(0, 2):sort{indices = false}, {0, 2}, {}, "float64")
    support.same(locus.tensor(5, {dtype = "int16"}):sort{indices = false}, {}, {5}, "int16")
    assert.equal(5, locus.sort(5, {indices = false}))
    raises("sort: 'indices' must be true or false, got the number 0", x.sort, x, {indices = 0})
    raises("sort: 'out' must be a tensor, got a table", x.sort, x,
           {indices = false, out = {x, x}})
    raises("sort: 'out' overlaps 'input' in memory; give a separate tensor", x.sort, x,
           {indices = false, out = x})
    raises("sort: 'out' must be float64, got int64", x.sort, x,
           {indices = false, out = locus.zeros(2, 3, {dtype = "int64"})})
    raises("sort: 'input' is complex64, and complex numbers have no order", locus.sort,
           locus.zeros(2, {dtype = "complex64"}), {indices = false})
  end)

  it("takes the last dimension unless told", function()
    local x = locus.tensor({{3, 1, 2}, {6, 5, 4}})
    local v, i = x:sort()
    support.same(v, {2, 3}, {1, 2, 3, 4, 5, 6})
    support.same(i, {2, 3}, {2, 3, 1, 3, 2, 1})
    support.same(x:argsort(), {2, 3}, {2, 3, 1, 3, 2, 1}, "int64")
    support.same(x:argsort{descending = true}, {2, 3}, {1, 3, 2, 1, 2, 3}, "int64")
    support.same(x:argsort(1, true), {2, 3}, {2, 2, 2, 1, 1, 1}, "int64")
    support.same((x:sort(-2, true)), {2, 3}, {6, 5, 4, 3, 1, 2})
  end)

  it("accepts `stable` and is so all the same", function()
    local x = locus.tensor({1, 0, 1, 0})
    for _, stable in ipairs {true, false} do
      support.same(select(2, x:sort{stable = stable}), {4}, {2, 4, 1, 3}, "int64")
      support.same(x:argsort{descending = true, stable = stable}, {4}, {1, 3, 2, 4}, "int64")
    end
  end)

  it("gives a sorter and undoes itself", function()
    math.randomseed(44)
    local x = arrays.tensor(arrays.random("float32", {50}))
    local v, i = x:sort()
    support.same(x[i], {50}, support.values(v))
    assert.equal(tostring(i:argsort():argsort()), tostring(i))
  end)

  it("takes empty, 0-d and expanded tensors, tables, numbers and names", function()
    local v, i = locus.zeros(2, 0):sort()
    support.same(v, {2, 0}, {}, "float64")
    support.same(i, {2, 0}, {}, "int64")
    support.same((locus.zeros(0, 2):sort()), {0, 2}, {}, "float64")
    support.same((locus.zeros(2, 0):sort(1)), {2, 0}, {}, "float64")
    v, i = locus.tensor(5, {dtype = "int16"}):sort(-1, true, {base = 0})
    support.same(v, {}, {5}, "int16")
    support.same(i, {}, {0}, "int64")
    v, i = locus.sort({true, false, true})
    support.same(v, {3}, {false, true, true}, "bool")
    support.same(i, {3}, {2, 1, 3}, "int64")
    support.same(select(2, locus.tensor({7}):expand(100):sort()):narrow(1, 99, 2), {2}, {99, 100})
    v, i = locus.sort(5)
    assert.same({5, 1}, {v, i})
    assert.equal(0, locus.argsort(5, {base = 0}))
    v, i = locus.sort{input = {{2, 1}}, dim = 2, descending = true, base = 0}
    support.same(v, {1, 2}, {2, 1})
    support.same(i, {1, 2}, {0, 1})
  end)

  it("writes to out", function()
    local x = locus.tensor({3, 1, 2})
    local wide = locus.zeros(3, 2)
    local v, i = wide:select(2, 2), locus.zeros(0, {dtype = "int64"})
    local a, b = x:sort(1, true, {out = {v, i}})
    assert.equal(v, a)
    assert.equal(i, b)
    support.same(wide, {3, 2}, {0, 3, 0, 2, 0, 1})
    support.same(i, {3}, {1, 3, 2})
    v, i = locus.zeros({}), locus.zeros({}, {dtype = "int64"})
    locus.sort(5, {out = {v, i}})
    assert.equal(5, v:item())
  end)

  it("says what is wrong with its arguments", function()
    local x = locus.tensor({3, 1, 2})
    local long = locus.zeros(3, {dtype = "int64"})
    raises("sort: 'input' is complex128, and complex numbers have no order", locus.sort,
           locus.zeros(2, {dtype = "complex128"}))
    raises("argsort: 'dim' must be in 1..1 or -1..-1, got 2", x.argsort, x, 2)
    raises("sort: 'descending' must be true or false, got the number 1", x.sort, x, 1, 1)
    raises("sort: 'stable' must be true or false, got the number 1", x.sort, x, {stable = 1})
    raises("sort: 'base' must be 1 or 0, got the number 5", x.sort, x, {base = 5})
    raises("sort: takes at most 3 arguments by position, got 4; write {stable = true} or "
           .. "{indices = true}", x.sort, x, 1, true, true)
    raises("argsort: there is no argument 'descend'; did you mean 'descending'?", x.argsort, x,
           {descend = true})
    raises("sort: 'input' must be a tensor, a table or a number, got the string \"x\"", locus.sort,
           "x")
    raises("sort: 'input' is missing", locus.sort, nil)
    raises("sort: 'out' must be a table of two tensors, {values, indices}, got the number 1",
           x.sort, x, {out = 1})
    raises("sort: 'out[1]' must be float64, got int64", x.sort, x, {out = {long, long:clone()}})
    raises("sort: 'out[2]' must be of size 3, got 2", x.sort, x,
           {out = {locus.zeros(3), locus.zeros(2, {dtype = "int64"})}})
    raises("sort: 'out[1]' overlaps 'input' in memory; give a separate tensor", x.sort, x,
           {out = {x, long}})
    raises("sort: 'out[2]' overlaps 'out[1]' in memory; give a separate tensor", locus.sort,
           {1LL, 2LL, 3LL}, {out = {long, long:view(3)}})
    support.same(x, {3}, {3, 1, 2})
    support.same(long, {3}, {0, 0, 0})
  end)
end)
