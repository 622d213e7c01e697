-- SPDX-License-Identifier: MIT
-- Lua values to tensors and back: tensor, totable, item, and tables standing for tensors.

local ffi = require "ffi"
local locus = require "locus"
local support = require "spec.support"

local same, message = support.same, support.message
local int = support.integer

describe("tensor", function()
  it("reads nested tables", function()
    same(locus.tensor { 1, 2, 3 }, { 3 }, { 1, 2, 3 }, "float64")
    same(locus.tensor { { 1, 2 }, { 3, 4 }, { 5, 6 } }, { 3, 2 }, { 1, 2, 3, 4, 5, 6 }, "float64")
    same(locus.tensor { { { 1 }, { 2 } } }, { 1, 2, 1 }, { 1, 2 })
    same(locus.tensor { 1, locus.nan, locus.inf, -locus.inf, -0.0 }, { 5 },
      { 1, support.nan, 1 / 0, -1 / 0, -0.0 })
  end)

  it("makes 0-d tensors of single values", function()
    same(locus.tensor(5), {}, { 5 }, "float64")
    same(locus.tensor(true), {}, { true }, "bool")
    same(locus.tensor(5LL), {}, { 5 }, "int64")
    local z = support.complex(1, 2)
    same(locus.tensor(z), {}, { z }, "complex128")
    same(locus.tensor(5, { dtype = "uint8" }), {}, { 5 }, "uint8")
  end)

  it("makes empty tensors of empty tables", function()
    same(locus.tensor {}, { 0 }, {}, "float64")
    same(locus.tensor({}, { dtype = "bool" }), { 0 }, {}, "bool")
    same(locus.tensor { {}, {} }, { 2, 0 }, {})
    same(locus.tensor { { {} } }, { 1, 1, 0 }, {})
  end)

  it("copies a tensor", function()
    local x = locus.tensor { 1, 2 }
    local copy = locus.tensor(x)
    copy:fill_(9)
    same(x, { 2 }, { 1, 2 })
    same(locus.tensor(x, { dtype = "int8" }), { 2 }, { 1, 2 }, "int8")
    same(locus.tensor(locus.zeros(2, 3):t()), { 3, 2 }, { 0, 0, 0, 0, 0, 0 })
    same(locus.tensor(locus.tensor(3)), {}, { 3 })
  end)

  it("finds the dtype the values make together", function()
    local z = support.complex(0, 1)
    for _, case in ipairs {
      { { true, false }, "bool" }, { { 1, 2 }, "float64" }, { { 1LL, 2LL }, "int64" },
      { { 1LL, 2 }, "int64" }, { { 1LL, 2.5 }, "float64" }, { { true, 1 }, "float64" },
      { { true, 1LL }, "int64" }, { { z, 1 }, "complex128" }, { { z, 1LL }, "complex128" },
      { { true, z }, "complex128" }, { { { true }, { 2LL } }, "int64" }, { { 5ULL }, "int64" },
    } do
      assert.equal(case[2], locus.tensor(case[1]).dtype)
    end
    same(locus.tensor { true, 2LL, 3 }, { 3 }, { 1, 2, 3 }, "int64")
    same(locus.tensor { true, 2.5 }, { 2 }, { 1, 2.5 }, "float64")
    same(locus.tensor { z, 2 }, { 2 }, { z, support.complex(2, 0) }, "complex128")
  end)

  it("reads every dtype", function()
    for _, dtype in ipairs(support.real) do
      same(locus.tensor({ 1, 0, 2 }, { dtype = dtype }), { 3 }, { 1, 0, 2 }, dtype)
      same(locus.tensor({ true, false }, { dtype = dtype }), { 2 }, { 1, 0 }, dtype)
      same(locus.tensor({ 3LL }, { dtype = dtype }), { 1 }, { 3 }, dtype)
    end
    same(locus.tensor({ 2, 0, -0.5, support.nan }, { dtype = "bool" }), { 4 },
      { true, false, true, true }, "bool")
    same(locus.tensor { data = { 1 }, dtype = "int8" }, { 1 }, { 1 }, "int8")
  end)

  it("keeps int64 exact, as cdata and as decimal strings", function()
    local big, low = int "9007199254740993", int "-9223372036854775808"
    same(locus.tensor { big, low }, { 2 }, { big, low }, "int64")
    same(locus.tensor({ "9007199254740993", "-9223372036854775808", "+7", 1 }, { dtype = "int64" }),
      { 4 }, { big, low, 7, 1 }, "int64")
    same(locus.tensor({ { "200" } }, { dtype = "uint8" }), { 1, 1 }, { 200 }, "uint8")
  end)

  it("refuses strings that are no decimal integers, and strings for other dtypes", function()
    local function refused(text, dtype)
      return message(locus.tensor, { 1, text }, { dtype = dtype })
    end
    local holds = "tensor: 'data' holds the string \"%s\" at [2], which %s"
    for _, text in ipairs { "", "x", "-" } do
      assert.equal(holds:format(text, "is no number"), refused(text, "int64"))
    end
    for _, text in ipairs { "1e3", "1.5", "0x10", " 1", "1 ", ("9"):rep(20) } do
      assert.equal(holds:format(text, "int64 cannot hold"), refused(text, "int64"))
    end
    assert.equal(holds:format("1", "is no number"), refused("1", "float64"))
    assert.equal(holds:format("1", "is no number; decimal strings need an integer dtype"),
      refused("1"))
    assert.equal("tensor: 'data' is 256, which uint8 cannot hold, at [2]", refused("256", "uint8"))
  end)

  it("refuses what the dtype cannot hold, with its place", function()
    local function refused(data, dtype)
      return message(locus.tensor, data, { dtype = dtype })
    end
    assert.equal("tensor: 'data' is 300, which uint8 cannot hold, at [2][1]",
      refused({ { 1 }, { 300 } }, "uint8"))
    assert.equal("tensor: 'data' is -1, which uint8 cannot hold, at [1]", refused({ -1 }, "uint8"))
    assert.equal("tensor: 'data' is 1.5, which int32 cannot hold, at [3]",
      refused({ 1, 2, 1.5 }, "int32"))
    assert.equal("tensor: 'data' is nan, which int64 cannot hold, at [1]",
      refused({ support.nan }, "int64"))
    assert.equal("tensor: 'data' is 0+1i, which float64 cannot hold, at [1]",
      refused({ support.complex(0, 1) }, "float64"))
    assert.equal("tensor: 'data' is 300, which uint8 cannot hold", refused(300, "uint8"))
  end)

  it("names a gap", function()
    assert.equal("tensor: 'data' has a gap at [2]; write locus.nan for a missing number",
      message(locus.tensor, { 1, nil, 3 }))
    assert.equal("tensor: 'data' has a gap at [1]; write locus.nan for a missing number",
      message(locus.tensor, { nil, 2 }))
    assert.equal("tensor: 'data' has a gap at [2][1]; write locus.nan for a missing number",
      message(locus.tensor, { { 1, 2 }, { nil, 4 } }))
    local far = { 1 }
    far[1e6] = 2
    assert.equal("tensor: 'data' has a gap at [2]; write locus.nan for a missing number",
      message(locus.tensor, far))
  end)

  it("refuses keys that are no positions #native", function()
    for key, text in pairs {
      [0] = "the number 0", [-1] = "the number -1", [1.5] = "the number 1.5",
      [true] = "the Lua boolean true", [1e300] = "the number 1e+300",
    } do
      assert.equal(("tensor: 'data' has the key %s; a table read as a tensor has 1..n only")
        :format(text), message(locus.tensor, { 1, [key] = 2 }))
    end
    assert.equal("tensor: 'data'[2] has the key the string \"x\"; a table read as a tensor has "
      .. "1..n only", message(locus.tensor, { { 1 }, { 1, x = 2 } }))
  end)

  it("refuses tables that are not rectangular", function()
    local function refused(data)
      return message(locus.tensor, data)
    end
    assert.equal("tensor: 'data' is not rectangular: another length at [2] in a table of size 2x2",
      refused { { 1, 2 }, { 3 } })
    assert.equal("tensor: 'data' is not rectangular: no table at [2] in a table of size 2x1",
      refused { { 1 }, 2 })
    assert.equal("tensor: 'data' is not rectangular: a table at [2] in a table of size 2",
      refused { 1, { 2 } })
    assert.equal("tensor: 'data' is not rectangular: another length at [2] in a table of size 2x0",
      refused { {}, { 1 } })
  end)

  it("refuses what is no number", function()
    assert.equal("tensor: 'data' holds a function at [2], which is no number",
      message(locus.tensor, { 1, print }))
    assert.equal("tensor: 'data' holds a cdata of type float [2] at [1], which is no number",
      message(locus.tensor, { ffi.new("float[2]") }))
    assert.equal("tensor: 'data' must be a tensor, a table or a number, "
      .. "got a cdata of type double [2]", message(locus.tensor, ffi.new("double[2]")))
    assert.equal("tensor: 'data' holds a float64 tensor of size 1 at [1], which is no number; "
      .. "a table without names is data: write locus.stack(tensors), or the arguments without "
      .. "braces", message(locus.tensor, { locus.zeros(1) }))
    assert.equal("tensor: 'data' must be a tensor, a table or a number, got the string \"5\"",
      message(locus.tensor, "5"))
    assert.equal("tensor: 'data' must be a tensor, a table or a number, got a function",
      message(locus.tensor, print))
    assert.equal("tensor: 'data' is missing", message(locus.tensor))
    assert.equal("tensor: 'data' is missing", message(locus.tensor, nil, { dtype = "int8" }))
  end)

  it("goes 32 deep and no deeper", function()
    local data = 7
    for _ = 1, 32 do
      data = { data }
    end
    assert.same({ 32, 7 }, { locus.tensor(data):dim(), locus.tensor(data):item() })
    assert.equal("tensor: 'data' is nested more than 32 deep", message(locus.tensor, { data }))
    local loop = {}
    loop[1] = loop
    assert.equal("tensor: 'data' is nested more than 32 deep", message(locus.tensor, loop))
  end)

  it("reads tables of ten thousand elements in order", function()
    local data = {}
    for i = 1, 100 do
      data[i] = {}
      for j = 1, 100 do
        data[i][j] = i * 100 + j
      end
    end
    assert.same(data, locus.tensor(data):totable())
  end)
end)

describe("totable and item", function()
  it("give back what went in", function()
    for _, dtype in ipairs(support.real) do
      assert.same({ { 1, 2 }, { 3, 4 } },
        locus.tensor({ { 1, 2 }, { 3, 4 } }, { dtype = dtype }):totable())
      assert.equal(5, locus.tensor({ { 5 } }, { dtype = dtype }):item())
    end
    assert.same({ true, false }, locus.tensor { true, false }:totable())
    assert.same({}, locus.zeros(0):totable())
    assert.same({ {}, {} }, locus.zeros(2, 0):totable())
    assert.same({ { 1, 3 }, { 2, 4 } }, locus.tensor { { 1, 2 }, { 3, 4 } }:t():totable())
    assert.equal(5, locus.tensor(5):totable())
  end)

  it("give int64 beyond 2^53 as cdata, numbers below", function()
    local big = int "9007199254740993"
    local values = locus.tensor { big, -big, 2LL ^ 53, -2LL ^ 53 }:totable()
    assert.equal("int64_t", tostring(ffi.typeof(values[1])):match("<(.*)>"))
    assert.is_true(values[1] == big and values[2] == -big)
    assert.same({ 2 ^ 53, -2 ^ 53 }, { values[3], values[4] })
    assert.equal("number", type(values[3]))
  end)

  it("read a nonzero byte of any kind as true", function()
    assert.same({ false, true, true }, locus.from_string("\0\1\200", "bool"):totable())
  end)

  it("say when there is not one element", function()
    local x = locus.zeros(2)
    assert.equal("item: 'input' must have one element, got a float64 tensor of size 2",
      message(x.item, x))
    x = locus.zeros(0, { dtype = "int8" })
    assert.equal("item: 'input' must have one element, got an int8 tensor of size 0",
      message(x.item, x))
  end)
end)

describe("a table for a tensor", function()
  it("is read as the dtype an argument must have", function()
    same(locus.masked_select({ 1, 2, 3 }, { true, false, true }), { 2 }, { 1, 3 })
    same(locus.where({ true, false }, { 1, 2 }, 0), { 2 }, { 1, 0 })
    same(locus.nonzero { 0, 5, 0, 6 }, { 2, 1 }, { 2, 4 }, "int64")
  end)

  it("is not changed", function()
    local inner = { 1, 2 }
    local data = { inner }
    locus.nonzero(data)
    assert.same({ { 1, 2 } }, data)
    assert.equal(inner, data[1])
  end)

  it("is named after its argument in errors", function()
    assert.equal("nonzero: 'input' has a gap at [1]; write locus.nan for a missing number",
      message(locus.nonzero, { nil, 2 }))
    assert.equal("nonzero: 'input' must be a tensor or a table, got the string \"x\"",
      message(locus.nonzero, "x"))
    assert.equal("nonzero: 'input' is the Lua boolean false; == compares identity, write x:eq(3)",
      message(locus.nonzero, false))
  end)

  it("leaks nothing when an element raises", function()
    collectgarbage()
    collectgarbage()
    local live = locus.live_bytes()
    for _ = 1, 10 do
      message(locus.tensor, { 1, 2, 300 }, { dtype = "uint8" })
    end
    collectgarbage()
    collectgarbage()
    assert.equal(live, locus.live_bytes())
  end)
end)
