-- SPDX-License-Identifier: MIT
-- Inclusive ranges in t[...]: what they mean, when they are empty, when they are an error.
local locus = require "locus"
local support = require "spec.support"

local message = support.message

describe("t[ranges]", function()
  local x = locus.arange(1, 31):view(5, 6)

  it("is inclusive, counts from the end and steps", function()
    assert.same({{7, 8, 9, 10, 11, 12}, {13, 14, 15, 16, 17, 18}}, x[{{2, 3}}]:totable())
    assert.same({{26}}, x[{{5}, {2}}]:totable())
    assert.same({2, 4, 6}, x[{1, {2, 6, 2}}]:totable())
    assert.same({2, 5}, x[{1, {2, 6, 3}}]:totable())
    assert.same({29, 30}, x[{-1, {-2, -1}}]:totable())
    assert.same({1, 7, 13, 19, 25}, x[{{}, 1}]:totable())
    assert.same({30, 1}, {x[{{5, 5}, {6}}]:item(), x[{{1}, {1}}]:item()})
  end)

  it("is a view", function()
    local y = x:clone()
    y[{{2, 3}, {1, 5, 2}}][{1, 3}] = 99
    assert.equal(99, y[{2, 5}])
  end)

  it("may be empty just before its start", function()
    assert.equal("0x6", tostring(x[{{6, 5}}]:size()))
    assert.equal("0x6", tostring(x[{{1, 0}}]:size()))
    assert.equal("5x0", tostring(x[{{}, {4, 3}}]:size()))
    assert.equal("0x0", tostring(locus.zeros(0, 3)[{{1, 0}, {4, 3, 2}}]:size()))
    assert.equal("0x3", tostring(locus.zeros(0, 3)[{{}}]:size()))
  end)

  -- Whether {first, last} is empty in a dimension of that size, an error, or neither.
  local function fate(first, last, size)
    local ok, v = pcall(function() return locus.zeros(size)[{{first, last}}] end)
    return not ok and "error" or v:numel() == 0 and "empty" or v:numel()
  end

  it("may leave out as many as there are, counted from either end", function()
    for n = 0, 3 do
      for out = 0, n do -- all but the first few, all but the last few
        assert.equal(out < n and n - out or "empty", fate(1 + out, -1, n))
        assert.equal(out < n and n - out or "empty", fate(1, -1 - out, n))
      end
      assert.equal(n == 0 and "empty" or "error", fate(n + 2, -1, n))
      assert.equal(n == 0 and "empty" or "error", fate(1, -n - 2, n))
      assert.equal("error", fate(n + 3, -1, n))
      assert.equal("error", fate(1, -n - 3, n))
      assert.equal("error", fate(0, -1, n))
      assert.equal("error", fate(-n - 1, -1, n))
      assert.equal("error", fate(1, n + 1, n))
    end
    for _, range in ipairs {{1, 1}, {2, 1}, {2, -2}, {-1, -1}, {-1, -2}} do
      assert.equal("error", fate(range[1], range[2], 0))
    end
    assert.equal("error", fate(2, -2, 1))
  end)

  it("give differences of neighbours, however few there are", function()
    for n, want in pairs {[0] = {}, {}, {1}, {1, 1}} do
      local y = locus.arange(n)
      support.same(y[{{2, -1}}] - y[{{1, -2}}], {math.max(n - 1, 0)}, want, "float64")
      support.same(y[{{2, -1, 5}}] - y[{{1, -2, 5}}], {math.min(#want, 1)}, {want[1]}, "float64")
    end
  end)

  it("are empty so in every dimension, to read and to write", function()
    for size, ranges in pairs {[0] = {{1, -1}, {2, -1}, {1, -2}, {1, -1, 4}},
                               {{1, -2}, {2, -1, 3}}} do
      for d = 1, 3 do
        for _, range in ipairs(ranges) do
          local sizes, key = {2, 2, 2}, {{}, {}, {}}
          sizes[d], key[d] = size, range
          local y = locus.ones(sizes)
          sizes[d] = 0
          assert.equal(table.concat(sizes, "x"), tostring(y[key]:size()))
          y[key] = 5
          y[key] = locus.zeros(sizes)
          assert.is_true(y:eq(1):all())
          assert.equal(0, y:slice(d, unpack(range)):numel())
        end
      end
    end
    local y = locus.zeros(0)
    assert.equal("index: the range {3, -1} goes outside 1..0, the positions of dimension 1",
                 message(function() y[{{3, -1}}] = 1 end))
  end)

  it("never clamps", function()
    local outside = "index: the range {%d, %d} goes outside 1..%d, the positions of dimension %d"
    for _, case in ipairs {{{1, 6}, 5}, {{0, 2}, 5}, {{7, 6}, 5}, {{-6, 2}, 5}, {{1, -7}, 5},
                           {{0, 0}, 5}, {{0, -1}, 5}} do
      local range = case[1]
      assert.equal(outside:format(range[1], range[2], 5, 1),
                   message(function() return x[{range}] end))
    end
    assert.equal(outside:format(7, 7, 6, 2), message(function() return x[{{}, {7}}] end))
    assert.equal(outside:format(1, 1, 0, 1),
                 message(function() return locus.zeros(0)[{{1}}] end))
    assert.equal("index: the range {3, 1} of dimension 1 ends before it starts",
                 message(function() return x[{{3, 1}}] end))
    assert.equal("index: the step of a range must be positive, got 0",
                 message(function() return x[{{1, 2, 0}}] end))
    assert.equal("index: the step of a range must be positive, got -1",
                 message(function() return x[{{2, 1, -1}}] end))
  end)
end)
