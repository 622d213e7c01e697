-- SPDX-License-Identifier: MIT
-- Writing t[...] = value: elements, views, index tensors and masks, converted as if copied first.
local ffi = require "ffi"
local locus = require "locus"
local oracle = require "spec.support.models.oracle"
local support = require "spec.support"

local function long(list, shape) return support.tensor("int64", list, shape) end
local message = support.message

describe("t[number] = value", function()
  for _, dtype in ipairs(support.dtypes) do
    it("writes an element, " .. dtype, function()
      local x = support.laid(locus.zeros({5}, {dtype = dtype}), "stepped")
      x[2], x[-1], x[{4}] = 1, true, 1
      local one, zero = 1, 0
      if dtype == "bool" then one, zero = true, false end
      if dtype:find("complex") then one, zero = support.complex(1, 0), support.complex(0, 0) end
      support.same(x, {5}, {zero, one, zero, one, one}, dtype)
    end)
  end

  it("writes the least and the greatest integer, and nothing past them", function()
    for _, dtype in ipairs(support.integers) do
      local low, high = unpack(support.range[dtype])
      local x = locus.zeros({2, 2}, {dtype = dtype})
      local row = x[1]
      row[1], row[2] = low, high
      x[{2, 1}], x[{2, 2}] = high, low
      support.same(x, {2, 2}, {low, high, high, low}, dtype)
      for _, value in ipairs {0.5, locus.nan, locus.inf, -locus.inf, 2 ^ 63, -2 ^ 64} do
        local text = "index: 'value' is .*, which " .. dtype .. " cannot hold"
        assert.matches(text, message(function() row[1] = value end))
        assert.matches(text, message(function() x[{2, 2}] = value end))
      end
      support.same(x, {2, 2}, {low, high, high, low}, dtype)
    end
    local u8, i8 = locus.zeros({1}, {dtype = "uint8"}), locus.zeros({1}, {dtype = "int8"})
    assert.equal("index: 'value' is 300, which uint8 cannot hold",
                 message(function() u8[1] = 300 end))
    assert.equal("index: 'value' is -1, which uint8 cannot hold",
                 message(function() u8[1] = -1 end))
    assert.equal("index: 'value' is -129, which int8 cannot hold",
                 message(function() i8[1] = ffi.new("int64_t", -129) end))
    assert.same({0, 0}, {u8[1], i8[1]})
  end)

  it("writes int64 beyond 2^53 from cdata", function()
    local x = locus.zeros({1}, {dtype = "int64"})
    x[1] = support.integer("9007199254740993")
    assert.is_true(x[1] == support.integer("9007199254740993"))
    x[1] = -2 ^ 63
    assert.is_true(x[1] == support.range.int64[1])
  end)

  it("rounds floats as IEEE says", function()
    local x = locus.zeros({3}, {dtype = "float32"})
    x[1], x[2], x[3] = 0.1, 1e300, locus.nan
    support.same(x, {3}, {oracle.round(0.1, "float32"), math.huge, locus.nan})
  end)

  it("writes rows, which broadcasts", function()
    local x = locus.zeros(3, 2)
    x[1] = 7
    x[2] = {8, 9}
    x[-1] = locus.tensor({5}, {dtype = "int8"})
    assert.same({{7, 7}, {8, 9}, {5, 5}}, x:totable())
    x[{}] = 1
    assert.same({{1, 1}, {1, 1}, {1, 1}}, x:totable())
    local zero_d = locus.tensor(5)
    zero_d[{}] = 6
    assert.equal(6, zero_d:item())
  end)

  it("leaves elements alone that it does not name", function()
    local x = locus.arange(1, 13):view(3, 4)
    x[{2, 3}] = 0
    x[{{1, 3, 2}, {2}}] = -1
    x[{{}, {5, 4}}] = 9
    x[{{2, 3}, {1, 4, 3}}] = {{50, 80}, {90, 120}}
    assert.same({{1, -1, 3, 4}, {50, 6, 0, 80}, {90, -1, 11, 120}}, x:totable())
  end)
end)

describe("t[index tensors] = value", function()
  it("scatters, the last of equal positions winning", function()
    local x = locus.zeros(5)
    x[long {2, 4, 2}] = {1, 2, 3}
    assert.same({0, 3, 0, 2, 0}, x:totable())
    x[long {1, -1}] = 9
    assert.same({9, 3, 0, 2, 9}, x:totable())
    local y = locus.zeros(2, 3)
    y[{long {1, 2}, long {3, 1}}] = {5, 6}
    assert.same({{0, 0, 5}, {6, 0, 0}}, y:totable())
    y[{{}, long {2, 1}}] = {{1}, {2}}
    assert.same({{1, 1, 5}, {2, 2, 0}}, y:totable())
  end)

  it("checks all indices and all values before it writes", function()
    local x = locus.zeros({3}, {dtype = "uint8"})
    assert.equal("index: index 4 at [3] is outside 1..3, the positions of dimension 1",
                 message(function() x[long {1, 2, 4}] = 1 end))
    assert.equal("index: 'value' holds 300 at [2], which uint8 cannot hold",
                 message(function() x[long {1, 2}] = locus.tensor {1, 300} end))
    assert.equal("index: 'value' is 256, which uint8 cannot hold",
                 message(function() x[long {1, 2}] = 256 end))
    assert.equal("index: 'value' is 1.5, which uint8 cannot hold",
                 message(function() x[x:eq(0)] = 1.5 end))
    assert.equal("index: 'value' of size 3 does not broadcast to 2",
                 message(function() x[long {1, 2}] = {1, 2, 3} end))
    assert.same({0, 0, 0}, x:totable())
  end)

  it("may read its value and its indices from what it writes", function()
    local x = locus.tensor({3, 1, 2}, {dtype = "int64"})
    x[x] = x
    assert.same({1, 2, 3}, x:totable())
    x = long {2, 3, 1}
    x[{{1, 3}}] = x[x]
    assert.same({3, 1, 2}, x:totable())
    x = long {2, 3, 1, 9}
    x[x[{{1, 3}}]] = x[{{2, 4}}]
    assert.same({9, 3, 1, 9}, x:totable())
    x = locus.arange(1, 6)
    x[{{2, 5}}] = x[{{1, 4}}]
    assert.same({1, 1, 2, 3, 4}, x:totable())
    x = locus.arange(1, 10):view(3, 3)
    x[{}] = x:t()
    assert.same({{1, 4, 7}, {2, 5, 8}, {3, 6, 9}}, x:totable())
    local n = 3000
    x = locus.arange(n, 0, -1):long()
    x[x] = 1000000
    for i = 1, n do assert(x[i] == 1000000) end
  end)

  it("refuses elements that share memory", function()
    local x = locus.zeros(1):expand(3)
    local text = "elements that share memory; write to its contiguous%(%)"
    assert.matches(text, message(function() x[long {1}] = 1 end))
    assert.matches(text, message(function() x[{}] = 1 end))
    assert.matches(text, message(function() x[locus.tensor {true, false, true}] = 1 end))
    assert.equal(0, x[1])
  end)

  it("refuses them by numbers and ranges, too, whatever part is named", function()
    local text = "^index: the tensor has elements that share memory; write to its contiguous%(%)$"
    for _, dtype in ipairs(support.dtypes) do
      local zeros = locus.zeros({3, 1}, {dtype = dtype})
      local row, wide = locus.zeros({1}, {dtype = dtype}):expand(4), zeros:expand(3, 4)
      local folded = locus.zeros({6}, {dtype = dtype}):unfold(1, 3, 2)
      for _, f in ipairs {
        function() row[1] = 1 end, function() row[-1] = 1 end, function() row[{2}] = 1 end,
        function() row[{{1, 1}}] = 1 end, function() row[{{2, 1}}] = 1 end,
        function() wide[{2, 3}] = 1 end, function() wide[{{}, 1}] = 1 end,
        function() wide[1] = 1 end, function() wide:t()[{1, 1}] = 1 end,
        function() wide[2][1] = 1 end, function() wide:unsqueeze(1)[{1, 2, 3}] = 1 end,
        function() wide:narrow(2, 1, 2)[{1, 1}] = 1 end,
        function() folded[{1, 1}] = 1 end, function() folded[{{}, 1}] = 1 end,
      } do
        assert.matches(text, message(f))
      end
      for _, x in ipairs {zeros, folded} do assert.is_true(x:eq(0):all()) end
    end
  end)

  it("writes to views of shared elements that share none themselves", function()
    local x = locus.zeros(2, 1)
    local wide = x:expand(2, 3)
    wide:narrow(2, 2, 1)[{2, 1}] = 5
    wide[{{}, 1}][1] = 4
    x:expand(2, 1)[{1, 1}] = x[{1, 1}] + 1
    assert.same({{5}, {5}}, x:totable())
    local windows = locus.zeros(6):unfold(1, 3, 3)
    windows[{2, 1}], windows[1] = 7, 3
    assert.same({{3, 3, 3}, {7, 0, 0}}, windows:totable())
  end)
end)

describe("t[mask] = value", function()
  it("takes a number, one element for each true, and all that broadcasts to that", function()
    local x = locus.arange(1, 7):view(2, 3)
    x[x:gt(4)] = 0
    assert.same({{1, 2, 3}, {4, 0, 0}}, x:totable())
    x[x:eq(0)] = {8, 9}
    assert.same({{1, 2, 3}, {4, 8, 9}}, x:totable())
    x[x:gt(7)] = locus.tensor {-1}
    assert.same({{1, 2, 3}, {4, -1, -1}}, x:totable())
    x[x:lt(0)] = locus.tensor(2.5)
    assert.same({{1, 2, 3}, {4, 2.5, 2.5}}, x:totable())
    x[locus.tensor {false, true}] = {7, 8, 9}
    assert.same({{1, 2, 3}, {7, 8, 9}}, x:totable())
    x[{{}, locus.tensor {true, false, true}}] = {{0}, {-5}}
    assert.same({{0, 2, 0}, {-5, 8, -5}}, x:totable())
    x[{2, locus.tensor {true, true, false}}] = 1
    assert.same({{0, 2, 0}, {1, 1, -5}}, x:totable())
    x[x:gt(100)] = 5
    x[x:gt(100)] = locus.zeros(0)
    assert.same({{0, 2, 0}, {1, 1, -5}}, x:totable())
    assert.equal("index: 'value' of size 2 does not broadcast to 3",
                 message(function() x[x:gt(0)] = {1, 2} end))
  end)

  it("converts the value, truncating a tensor's", function()
    local x = locus.zeros({3}, {dtype = "int32"})
    x[locus.tensor {true, false, true}] = locus.tensor(2.75)
    assert.same({2, 0, 2}, x:totable())
    x[locus.tensor {true, false, true}] = locus.tensor {-1.5, 3.9}
    assert.same({-1, 0, 3}, x:totable())
    assert.equal("index: 'value' holds nan, which int32 cannot hold",
                 message(function() x[x:eq(3)] = locus.tensor(locus.nan) end))
  end)

  it("may be the tensor it writes to, and read its value from there", function()
    local m = locus.tensor {true, false, true}
    m[m] = false
    assert.same({false, false, false}, m:totable())
    m = locus.tensor {true, false, true, true}
    m[{{2, 4}}][m[{{1, 3}}]] = false
    assert.same({true, false, true, false}, m:totable())
    local x = locus.arange(1, 5)
    x[x:gt(1)] = x:select(1, 3)
    assert.same({1, 3, 3, 3}, x:totable())
    x = locus.arange(1, 5)
    x[x:gt(2)] = x[{{1, 2}}]
    assert.same({1, 2, 1, 2}, x:totable())
  end)
end)

describe("a value", function()
  local x = locus.zeros(2, 3)

  it("may have leading sizes of 1", function()
    local y = locus.zeros(3)
    y[{}] = locus.tensor {{{1, 2, 3}}}
    assert.same({1, 2, 3}, y:totable())
    y[long {3, 1}] = locus.tensor {{4, 5}}
    assert.same({5, 2, 4}, y:totable())
    y[2] = locus.tensor {{{8}}}
    assert.same({5, 8, 4}, y:totable())
  end)

  it("may be a table, read in the tensor's dtype", function()
    local y = locus.zeros({2}, {dtype = "int64"})
    y[{}] = {"9007199254740993", 5}
    assert.is_true(y[1] == support.integer("9007199254740993"))
  end)

  it("is refused when it is none, or does not fit", function()
    local wanted = "index: 'value' must be a tensor, a table or a number, got "
    assert.equal(wanted .. "nil", message(function() x[1] = nil end))
    assert.equal(wanted .. "a function", message(function() x[{1, 1}] = print end))
    assert.equal(wanted .. 'the string "7"', message(function() x[{1, 1}] = "7" end))
    assert.equal("index: 'value' of size 2 does not broadcast to 3",
                 message(function() x[1] = {1, 2} end))
    assert.equal("index: 'value' of size 2x2 does not broadcast to 2x3",
                 message(function() x[{}] = {{1, 2}, {3, 4}} end))
    assert.equal("index: 'value' of size 3 does not broadcast to 0-d",
                 message(function() x[{1, 1}] = {1, 2, 3} end))
    assert.equal("index: 'value' is 1+2i, which float64 cannot hold",
                 message(function() x[{1, 1}] = support.complex(1, 2) end))
    assert.equal("index: 3 is outside 1..2, the positions of dimension 1",
                 message(function() x[3] = 1 end))
    for _, dtype in ipairs {"float64", "bool"} do
      local y = locus.zeros({2}, {dtype = dtype})
      assert.matches("index: the index must be a whole number, .*, got the number 1.5",
                     message(function() y[1.5] = 1 end))
    end
    assert.equal("index: a tensor's 'dtype' cannot be set; t[...] takes positions",
                 message(function() x.dtype = "int8" end))
    assert.same({{0, 0, 0}, {0, 0, 0}}, x:totable())
  end)
end)
