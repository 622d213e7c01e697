-- SPDX-License-Identifier: MIT
-- nonzero, argwhere, nonzero_static, where(condition).
local locus = require "locus"
local support = require "spec.support"

local function rows(t) return t:totable() end

describe("nonzero", function()
  for _, dtype in ipairs(support.dtypes) do
    it("lists coordinates in C order, " .. dtype, function()
      local x = support.tensor(dtype, {0, 1, 1, 0, 0, 1}, {2, 3})
      assert.same({{1, 2}, {1, 3}, {2, 3}}, rows(x:nonzero()))
      assert.same({{0, 1}, {0, 2}, {1, 2}}, rows(x:nonzero{base = 0}))
      assert.equal("int64", x:nonzero().dtype)
    end)
  end

  it("counts NaN, infinities and denormals, not -0.0", function()
    for _, dtype in ipairs(support.floats) do
      local data = {locus.nan, -0.0, 1 / 0, -1 / 0, 0}
      assert.same({{1}, {3}, {4}}, rows(support.tensor(dtype, data):nonzero()))
    end
    assert.same({{1}}, rows(locus.tensor({5e-324, 0}):nonzero()))
    assert.same({{1}}, rows(locus.tensor({2 ^ -24, 0}, {dtype = "float16"}):nonzero()))
  end)

  it("tests all 64 bits of an int64, and either part of a complex", function()
    local x = support.tensor("int64", {support.integer("4294967296"), 0,
                                       support.range.int64[1]})
    assert.same({{1}, {3}}, rows(x:nonzero()))
    local z = support.complex
    local c = locus.tensor({z(0, 0), z(0, 1), z(2, 0), z(-0.0, -0.0), z(0, locus.nan)})
    assert.same({{2}, {3}, {5}}, rows(c:nonzero()))
  end)

  it("stores by columns", function()
    local out = locus.tensor({{1, 1}, {1, 1}}):nonzero()
    assert.same({1, 4}, {out:stride(1), out:stride(2)})
  end)

  it("gives 0 x n for nothing", function()
    assert.equal("0x1", tostring(locus.tensor({0, 0}):nonzero():size()))
    assert.equal("0x2", tostring(locus.zeros(3, 0):nonzero():size()))
    assert.equal("0x5", tostring(locus.zeros(2, 0, 2, 5, 0):nonzero():size()))
  end)

  it("treats 0-d input as PyTorch does", function()
    assert.equal("1x0", tostring(locus.tensor(5):nonzero():size()))
    assert.equal("0x0", tostring(locus.tensor(0):nonzero():size()))
    assert.same({1}, (locus.tensor(5):nonzero{as_tuple = true}):totable())
    assert.equal("0", tostring((locus.tensor(0):nonzero{as_tuple = true}):size()))
  end)

  it("gives one result per dimension as a tuple, views of one buffer", function()
    local x = locus.tensor({{0, 7}, {8, 9}})
    local r, c, none = x:nonzero{as_tuple = true}
    assert.same({{1, 2, 2}, {2, 1, 2}}, {r:totable(), c:totable()})
    assert.is_nil(none)
    assert.equal(3, c:storage_offset() - r:storage_offset())
    assert.same({7, 8, 9}, x[{x:nonzero{as_tuple = true}}]:totable())
    assert.equal(3, select("#", locus.zeros(2, 0, 3):nonzero{as_tuple = true}))
  end)

  it("takes tables, and named arguments alone", function()
    assert.same({{2}, {3}}, rows(locus.nonzero({0, 3, 4})))
    assert.same({{1}, {2}}, rows(locus.nonzero{{0, 3, 4}, base = 0}))
    assert.same({{2}}, rows(locus.nonzero{input = {false, true}}))
  end)

  it("follows the logical order in every layout", function()
    for _, shape in ipairs{{1}, {130}, {3, 70}, {5, 1, 7}, {2, 3, 4, 5}} do
      local values = {}
      for i = 1, support.numel(shape) do values[i] = (i * 7919 % 5 == 0) and 0 or i % 3 end
      local x = support.tensor("float32", values, shape)
      local flat = {}
      for i, v in ipairs(values) do if v ~= 0 then flat[#flat + 1] = i - 1 end end
      for _, layout in ipairs(support.layouts) do
        local got = rows(support.laid(x, layout):nonzero{base = 0})
        assert.equal(#flat, #got)
        for k, index in ipairs(flat) do
          local coordinates = {}
          for d = #shape, 1, -1 do
            coordinates[d] = index % shape[d]
            index = (index - coordinates[d]) / shape[d]
          end
          assert.same(coordinates, got[k])
        end
      end
    end
  end)

  it("reads a broadcast view", function()
    local x = locus.tensor({0, 1}):expand(3, 2)
    assert.same({{1, 2}, {2, 2}, {3, 2}}, rows(x:nonzero()))
  end)
end)

describe("nonzero's out", function()
  local function int64(...) return locus.zeros(..., {dtype = "int64"}) end

  it("keeps its storage and strides when the size is right", function()
    local base = int64({2, 4})
    local out = base:t():narrow(1, 1, 2)
    local x = locus.tensor({{0, 1}, {1, 0}})
    assert.equal(out, x:nonzero{out = out})
    assert.same({{1, 2}, {2, 1}}, rows(out))
    assert.same({{1, 2, 0, 0}, {2, 1, 0, 0}}, base:totable())
  end)

  it("takes any size and becomes the result", function()
    local out = int64({7})
    local address = tostring(out:data())
    collectgarbage() -- a pointer is a view: while it lives, the storage is not used again
    collectgarbage()
    locus.tensor({{0, 1}, {1, 0}}):nonzero{out = out}
    assert.same({{1, 2}, {2, 1}}, rows(out))
    assert.equal(address, tostring(out:data()))
    locus.ones(100):nonzero{out = out}
    assert.equal("100x1", tostring(out:size()))
  end)

  it("leaves what a pointer points to alone #host", function()
    local out = int64({4})
    local pointer = out:data()
    pointer[0] = 7
    locus.ones(1000):nonzero{out = out}
    collectgarbage()
    assert.equal(7, tonumber(pointer[0]))
  end)

  it("leaves other views of its storage alone", function()
    local out = int64({4})
    local other = out:narrow(1, 1, 4)
    locus.tensor({5, 6, 0}):nonzero{out = out}
    assert.same({0, 0, 0, 0}, other:totable())
    assert.same({{1}, {2}}, rows(out))
  end)

  it("is checked", function()
    local x = locus.tensor({1, 0})
    assert.error_matches(function() x:nonzero{out = locus.zeros(1)} end,
      "nonzero: 'out' must be int64, got float64", 1, true)
    assert.error_matches(function() x:nonzero{out = 3} end,
      "nonzero: 'out' must be a tensor, got the number 3", 1, true)
    assert.error_matches(function() x:nonzero{out = int64({1}), as_tuple = true} end,
      "nonzero: 'out' cannot be given with as_tuple = true", 1, true)
    local y = locus.tensor({1, 0}, {dtype = "int64"})
    assert.error_matches(function() y:nonzero{out = y} end,
      "nonzero: 'out' overlaps 'input' in memory", 1, true)
    assert.error_matches(function() x:nonzero{out = int64({1}):expand(3)} end,
      "'out' has elements that share memory", 1, true)
    assert.same({1, 0}, y:totable())
  end)
end)

describe("nonzero refuses", function()
  it("what is no tensor, table or known argument", function()
    local x = locus.tensor({1})
    assert.error_matches(function() locus.nonzero() end, "nonzero: 'input' is missing", 1, true)
    assert.error_matches(function() locus.nonzero(3) end,
      "nonzero: 'input' must be a tensor or a table, got the number 3", 1, true)
    assert.error_matches(function() x:nonzero(true) end,
      "nonzero: takes at most 1 argument by position, got 2", 1, true)
    assert.error_matches(function() x:nonzero{as_tuple = 1} end,
      "nonzero: 'as_tuple' must be true or false, got the number 1", 1, true)
    assert.error_matches(function() x:nonzero{as_tupel = true} end,
      "nonzero: there is no argument 'as_tupel'; did you mean 'as_tuple'?", 1, true)
    assert.error_matches(function() x:nonzero{base = 2} end,
      "nonzero: 'base' must be 1 or 0, got the number 2", 1, true)
    assert.error_matches(function() x:nonzero{input = x} end,
      "nonzero: 'input' is given twice", 1, true)
  end)
end)

describe("argwhere", function()
  it("is nonzero without options but base", function()
    assert.same({{2}, {3}}, rows(locus.argwhere({0, 1, 1})))
    assert.same({{1}, {2}}, rows(locus.tensor({0, 1, 1}):argwhere{base = 0}))
    assert.equal("1x0", tostring(locus.tensor(5):argwhere():size()))
  end)
end)

describe("nonzero_static", function()
  local x = locus.tensor({{0, 1, 1}, {1, 0, 0}})

  it("pads, truncates and fills", function()
    assert.same({{1, 2}, {1, 3}}, rows(x:nonzero_static{size = 2}))
    assert.same({{1, 2}, {1, 3}, {2, 1}, {0, 0}}, rows(x:nonzero_static{size = 4}))
    assert.same({{0, 1}, {0, 2}, {1, 0}, {-1, -1}}, rows(x:nonzero_static{size = 4, base = 0}))
    assert.same({{1, 2}, {1, 3}, {2, 1}, {9, 9}}, rows(x:nonzero_static{size = 4, fill_value = 9}))
    assert.equal("0x2", tostring(x:nonzero_static{size = 0}:size()))
    assert.equal("3x0", tostring(locus.tensor(1):nonzero_static{size = 3}:size()))
    assert.same({{0}, {0}}, rows(locus.zeros(0):nonzero_static{size = 2}))
  end)

  it("takes int64 cdata as fill_value, exactly", function()
    local big = support.integer("9007199254740993")
    assert.equal(big, x:nonzero_static{size = 4, fill_value = big}[{4, 1}])
  end)

  it("writes into out of the right size only", function()
    local out = locus.zeros({2, 2}, {dtype = "int64"})
    assert.equal(out, x:nonzero_static{size = 2, out = out})
    assert.same({{1, 2}, {1, 3}}, rows(out))
    assert.error_matches(function() x:nonzero_static{size = 3, out = out} end,
      "nonzero_static: 'out' must be of size 3x2, got 2x2", 1, true)
    assert.same({{1, 2}, {1, 3}}, rows(out))
  end)

  it("needs a size that is not negative", function()
    assert.error_matches(function() x:nonzero_static() end, "'size' is missing", 1, true)
    assert.error_matches(function() x:nonzero_static{size = -1} end,
      "nonzero_static: 'size' must not be negative, got -1", 1, true)
    assert.error_matches(function() x:nonzero_static{size = 1.5} end,
      "'size' must be a whole number, got the number 1.5", 1, true)
  end)
end)

describe("masked_select", function()
  it("keeps C order of the broadcast shape, for every dtype", function()
    for _, dtype in ipairs(support.dtypes) do
      local x = support.tensor(dtype, {1, 0, 1, 1, 0, 0}, {2, 3})
      local mask = locus.tensor({{true, true, false}, {false, true, true}})
      local want = support.values(support.tensor(dtype, {1, 0, 0, 0}))
      support.same(x:masked_select(mask), {4}, want, dtype)
    end
    local x = locus.tensor({1, 2, 3})
    local mask = {{true, false, true}, {true, true, true}}
    assert.same({1, 3, 1, 2, 3}, x:masked_select(mask):totable())
    assert.same({1, 2}, locus.tensor({{1}, {2}}):masked_select({false, true}):totable())
    assert.same({5}, locus.tensor(5):masked_select(locus.tensor(true)):totable())
    assert.equal("0", tostring(locus.zeros(0, 3):masked_select({true, false, true}):size()))
  end)

  it("follows the logical order of views", function()
    local x = locus.tensor({{1, 2, 3}, {4, 5, 6}})
    assert.same({1, 4, 2, 5, 3, 6}, x:t():masked_select(locus.tensor(true)):totable())
    for _, layout in ipairs(support.layouts) do
      local mask = support.laid(x:gt(2), layout)
      assert.same({3, 4, 5, 6}, support.laid(x, layout):masked_select(mask):totable())
    end
  end)

  it("resizes out, and checks it", function()
    local x, out = locus.tensor({1, 2, 3}), locus.zeros(5)
    assert.equal(out, x:masked_select({true, false, true}, {out = out}))
    assert.same({1, 3}, out:totable())
    assert.error_matches(function() x:masked_select({true, false, true}, {out = x}) end,
      "masked_select: 'out' overlaps 'input' in memory", 1, true)
    assert.error_matches(function()
      x:masked_select({true, false, true}, {out = locus.zeros(2, {dtype = "float32"})})
    end, "masked_select: 'out' must be float64, got float32", 1, true)
    assert.same({1, 2, 3}, x:totable())
  end)

  it("wants a bool mask that broadcasts", function()
    local x = locus.tensor({1, 2, 3})
    assert.error_matches(function() x:masked_select(locus.tensor({1, 0, 1}, {dtype = "uint8"})) end,
      "masked_select: 'mask' must be bool, got uint8; write mask:ne(0)", 1, true)
    assert.error_matches(function() x:masked_select(x == 3) end,
      "'mask' is the Lua boolean false; == compares identity, write x:eq(3)", 1, true)
    assert.error_matches(function()
      local tall, wide = locus.ones(1, 1):expand(2 ^ 40, 1), locus.ones(1):gt(0):expand(2 ^ 40)
      tall:masked_select(wide)
    end, "masked_select: a bool tensor of size 1099511627776x1099511627776 has more bytes", 1, true)
    assert.error_matches(function() x:masked_select({true, false}) end,
      "'mask' of size 2 does not broadcast with 'input' of size 3", 1, true)
  end)
end)
