-- SPDX-License-Identifier: MIT
-- nonzero, count_nonzero and nonzero_static on every side of the sizes at which the kernels change
-- strategies: words of 64 elements, blocks of 4096, chunks of 65536, with one and several threads.
local bits = require "spec.support.data.bits"
local locus = require "locus"
local support = require "spec.support"

-- Checks all that nonzero gives for a tensor that is nonzero at `set`.
local function check(x, set, note)
  local shape = support.shape(x)
  local columns = bits.columns(set, shape, 1)
  local rows = x:nonzero()
  assert.equal(#set .. "x" .. #shape, tostring(rows:size()), note)
  assert.is_nil(bits.difference(rows, columns, 1, #set), note)
  assert.equal(#set, x:count_nonzero(), note)
end

local SIZES = {0, 1, 2, 7, 8, 9, 31, 63, 64, 65, 127, 128, 129, 1000, 1023, 1025, 4031, 4095, 4096,
               4097, 4161, 8193}
local LARGE = {65535, 65537, 4 * 65536 + 65}
local DENSITIES = {0, 0.002, 0.05, 0.2, 0.5, 1}

describe("nonzero at the edges of words, blocks and chunks", function()
  before_each(function() math.randomseed(20) end)

  for _, dtype in ipairs(support.dtypes) do
    it("finds what is there, " .. dtype, function()
      for i, n in ipairs(SIZES) do
        for k = 1 + i % 2, #DENSITIES, 2 do
          local x, set = bits.random(dtype, n, DENSITIES[k])
          check(x, set, n .. " elements, " .. DENSITIES[k])
        end
      end
    end)
  end

  for _, dtype in ipairs {"bool", "float16", "float32", "int64", "complex128"} do
    it("finds what is there with several threads, " .. dtype, function()
      for i, n in ipairs(LARGE) do
        local x, set = bits.random(dtype, n, DENSITIES[2 * i])
        bits.with_threads(function() check(x, set, n .. " elements, " .. DENSITIES[2 * i]) end)
      end
    end)
  end

  it("counts the bits of every word right", function()
    for _, n in ipairs {64, 256} do
      for k = 0, n do -- the first k, then all but these
        local x = locus.arange(n):lt(k)
        assert.equal(k, x:count_nonzero())
        assert.equal(n - k, x:logical_not():count_nonzero())
        assert.is_true(locus.equal(locus.arange(1, k + 1):long(), (x:nonzero{as_tuple = true})))
      end
    end
  end)
end)

local SHAPES = {
  {1, 1}, {1, 1, 1}, {7, 1}, {1, 7}, {3, 1, 200}, {200, 3, 1}, {1, 64, 1}, {5000, 1}, {5000, 2},
  {3000, 3}, {70, 63}, {70, 64}, {70, 65}, {10, 1000}, {17, 19, 23}, {2, 3, 4, 5, 6, 7, 2},
  {3, 4095}, {3, 4096}, {3, 4097}, {2, 3, 4097}, {4096, 2}, {4097, 3}, {2, 2, 9001}, {2, 40000},
  {25, 20, 200}, {9, 128, 257}, {1, 70000, 1},
}

describe("nonzero in several dimensions", function()
  for _, shape in ipairs(SHAPES) do
    it("gives the coordinates in a tensor of size " .. table.concat(shape, "x"), function()
      local n = support.numel(shape)
      math.randomseed(n)
      for _, density in ipairs {0.01, 0.3, 1} do
        local x, set = bits.random("uint8", n, density)
        check(x:view(shape), set, density)
      end
    end)
  end

  it("does so with several threads", function()
    local shape = {70, 9, 650}
    local x, set = bits.random("bool", support.numel(shape), 0.2)
    bits.with_threads(function() check(x:view(shape), set, "") end)
  end)

  it("does so past 2^31 #large", function()
    local row = locus.zeros({2 ^ 16 + 1}, {dtype = "bool"})
    row[40000] = true
    local rows, columns = row:expand(2 ^ 15, 2 ^ 16 + 1):nonzero{as_tuple = true}
    assert.is_true(locus.equal(locus.arange(1, 2 ^ 15 + 1):long(), rows))
    assert.equal(0, columns:ne(40000):count_nonzero())
  end)
end)

describe("nonzero's rows", function()
  local shape = {3, 5, 2000}
  local x, set, columns
  setup(function()
    math.randomseed(22)
    x, set = bits.random("float32", support.numel(shape), 0.3)
    x, columns = x:view(shape), bits.columns(set, shape, 1)
  end)

  local function check_outs(input, wanted, n)
    local outs = {
      locus.zeros({n, 3}, {dtype = "int64"}),
      locus.zeros({n + 5, 7}, {dtype = "int64"}):narrow(1, 3, n):narrow(2, 2, 3),
      locus.zeros({3, 2 * n}, {dtype = "int64"}):t()[{{1, 2 * n, 2}}],
      locus.zeros({3, n + 1}, {dtype = "int64"}):t():narrow(1, 2, n),
    }
    for i, out in ipairs(outs) do
      local address = tostring(out:data())
      assert.equal(out, input:nonzero{out = out})
      assert.equal(address, tostring(out:data()))
      assert.is_nil(bits.difference(out, wanted, 1, n), i)
    end
  end

  it("go to an out of any strides", function() check_outs(x, columns, #set) end)

  it("do so past the caches, from 8 MB on", function()
    local long = {3, 50, 2500}
    local y, y_set = bits.random("bool", support.numel(long), 0.9)
    local wanted = bits.columns(y_set, long, 1)
    bits.with_threads(function() check_outs(y:view(long), wanted, #y_set) end)
  end)

  it("count from 0 where that is asked for", function()
    assert.is_nil(bits.difference(x:nonzero{base = 0}, bits.columns(set, shape, 0), 1, #set))
  end)

  it("end where nonzero_static says", function()
    for _, size in ipairs {0, 1, 63, 64, 65, #set - 1, #set, #set + 1, #set + 5000} do
      local rows = x:nonzero_static{size = size, fill_value = -7}
      assert.equal(size .. "x3", tostring(rows:size()))
      assert.is_nil(bits.difference(rows, columns, 1, math.min(size, #set)), size)
      if size > #set then
        assert.equal(0, rows:narrow(1, #set + 1, size - #set):ne(-7):count_nonzero())
      end
    end
  end)

  it("end where nonzero_static says, with several threads", function()
    local y, y_set = bits.random("uint8", 5 * 65536 + 3, 0.2)
    local wanted = bits.columns(y_set, {y:numel()}, 1)
    bits.with_threads(function()
      for _, size in ipairs {1, 20000, 40000, #y_set - 1, #y_set + 3} do
        local rows = y:nonzero_static{size = size}
        assert.is_nil(bits.difference(rows, wanted, 1, math.min(size, #y_set)), size)
      end
    end)
  end)
end)
