-- SPDX-License-Identifier: MIT
-- arange range linspace.

local locus = require "locus"
local support = require "spec.support"

local same, message = support.same, support.message

describe("arange", function()
  it("has one, two or three arguments", function()
    same(locus.arange(4), { 4 }, { 0, 1, 2, 3 }, "float64")
    same(locus.arange(1, 4), { 3 }, { 1, 2, 3 }, "float64")
    same(locus.arange(1, 8, 3), { 3 }, { 1, 4, 7 }, "float64")
    same(locus.arange(1, 7, 3), { 2 }, { 1, 4 })
    same(locus.arange(5, 0, -2), { 3 }, { 5, 3, 1 })
    same(locus.arange { 4, step = 2 }, { 2 }, { 0, 2 })
    same(locus.arange { ["end"] = 2 }, { 2 }, { 0, 1 })
    same(locus.arange(1, { ["end"] = 3 }), { 2 }, { 1, 2 })
    same(locus.arange { start = 1, ["end"] = 3, dtype = "int8" }, { 2 }, { 1, 2 }, "int8")
    same(locus.arange(0), { 0 }, {})
    same(locus.arange(3, 3, -1), { 0 }, {})
  end)

  it("has ceil((end - start) / step) elements", function()
    same(locus.arange(0, 1, 0.25), { 4 }, { 0, 0.25, 0.5, 0.75 })
    same(locus.arange(1, 2.5, 0.5), { 3 }, { 1, 1.5, 2 })
    same(locus.arange(0, -1, -0.5), { 2 }, { 0, -0.5 })
    for _, case in ipairs { { 0, 1, 0.1 }, { 1, 1.3, 0.1 }, { 0, 0.3, 0.1 }, { -1, 1, 1 / 3 } } do
      local values = {}
      for k = 1, math.ceil((case[2] - case[1]) / case[3]) do
        values[k] = case[1] + (k - 1) * case[3]
      end
      same(locus.arange(unpack(case)), { #values }, values)
    end
  end)

  it("counts in int64 for int64 cdata, exactly", function()
    same(locus.arange(3LL), { 3 }, { 0, 1, 2 }, "int64")
    same(locus.arange(1LL, 4), { 3 }, { 1, 2, 3 }, "int64")
    same(locus.arange(0LL, 1, 0.5), { 2 }, { 0, 0.5 }, "float64")
    local text = { "9007199254740993", "9007199254740996" }
    local from, to = support.integer(text[1]), support.integer(text[2])
    same(locus.arange(from, to), { 3 }, { from, from + 1, from + 2 }, "int64")
    local low, high = unpack(support.range.int64)
    same(locus.arange(low, high, 2LL ^ 62), { 4 }, { low, low / 2, 0, -(low / 2) }, "int64")
    same(locus.arange(high - 1, high), { 1 }, { high - 1 }, "int64")
    same(locus.arange(low + 1, low, -1), { 1 }, { low + 1 }, "int64")
  end)

  it("gives every real dtype", function()
    for _, dtype in ipairs(support.real) do
      same(locus.arange(1, 6, 2, { dtype = dtype }), { 3 }, { 1, 3, 5 }, dtype)
    end
    same(locus.arange(250, 256, 1, { dtype = "uint8" }), { 6 }, { 250, 251, 252, 253, 254, 255 })
    same(locus.arange(2048, 2052, { dtype = "float16" }), { 4 }, { 2048, 2048, 2050, 2052 })
  end)

  it("writes into out, strided too", function()
    local pairs_of = locus.zeros(3, 2, { dtype = "int32" })
    local out = pairs_of:select(2, 1)
    assert.equal(out, locus.arange(3, { out = out }))
    same(pairs_of, { 3, 2 }, { 0, 0, 1, 0, 2, 0 }, "int32")
    assert.equal("arange: 'out' must be of size 4, got 3", message(locus.arange, 4, { out = out }))
    assert.equal("arange: 'end' leads to 2147483648, which int32 cannot hold",
      message(locus.arange, 2 ^ 31 - 2, 2 ^ 31 + 1, { out = out }))
    same(out, { 3 }, { 0, 1, 2 })
  end)

  it("goes past one block", function()
    local n, sum = 70001, 0
    local t = locus.arange(n, { dtype = "float32" }):totable()
    for i = 1, n do
      sum = sum + math.abs(t[i] - (i - 1))
    end
    assert.same({ n, 0 }, { #t, sum })
  end)

  it("refuses what has no end", function()
    assert.equal("arange: 'step' must not be 0", message(locus.arange, 0, 5, 0))
    assert.equal("arange: 'step' must not be 0", message(locus.arange, 0.5, 5, 0))
    assert.equal("arange: 'step' is 1, which does not lead from 'start' = 5 to 'end' = 1",
      message(locus.arange, 5, 1))
    assert.equal("arange: 'step' is -0.5, which does not lead from 'start' = 0 to 'end' = 1",
      message(locus.arange, 0, 1, -0.5))
    assert.equal("arange: 'step' is 1, which does not lead from 'start' = 0 to 'end' = -3",
      message(locus.arange, -3))
    assert.equal("arange: 'end' must be finite, got inf", message(locus.arange, math.huge))
    assert.equal("arange: 'start' must be finite, got nan", message(locus.arange, support.nan, 3))
    assert.equal("arange: 'step' must be finite, got -inf", message(locus.arange, 3, 0, -math.huge))
    assert.equal("arange: 'end' is more than 2^63 steps from 'start'", message(locus.arange, 1e300))
    assert.equal("arange: 'end' is more than 2^63 steps from 'start'",
      message(locus.arange, 0, 1, 5e-324))
    local low, high = unpack(support.range.int64)
    assert.equal("arange: 'end' is more than 2^63 steps from 'start'",
      message(locus.arange, low, high))
    assert.equal("arange: a float64 tensor of size 4611686018427387904 has more bytes than 2^62",
      message(locus.arange, 2 ^ 62))
    same(locus.arange(-1.5e308, 1.5e308, 1e308), { 3 }, { -1.5e308, -1.5e308 + 1e308,
      -1.5e308 + 2 * 1e308 })
  end)

  it("refuses what the dtype cannot hold", function()
    local function refused(...)
      return message(locus.arange, ...)
    end
    assert.equal("arange: 'end' leads to 256, which uint8 cannot hold",
      refused(250, 257, { dtype = "uint8" }))
    assert.equal("arange: 'start' is -1, which uint8 cannot hold",
      refused(-1, 3, { dtype = "uint8" }))
    assert.equal("arange: 'step' must be a whole number for dtype int64, got 0.5",
      refused(0, 3, 0.5, { dtype = "int64" }))
    assert.equal("arange: 'end' must be a whole number for dtype int8, got nan",
      refused(support.nan, { dtype = "int8" }))
    assert.equal("arange: 'dtype' must be an integer or a float dtype, got bool",
      refused(3, { dtype = "bool" }))
    assert.equal("arange: 'dtype' must be an integer or a float dtype, got complex64",
      refused(3, { dtype = "complex64" }))
    assert.equal("arange: 'start' is 9007199254740993, which float64 cannot hold",
      refused(support.integer("9007199254740993"), 2 ^ 54, 0.5))
  end)

  it("refuses what is no number", function()
    assert.equal("arange: 'end' is missing", message(locus.arange))
    assert.equal("arange: 'end' is missing", message(locus.arange, { start = 3 }))
    assert.equal("arange: 'end' must be a number, got the Lua boolean true",
      message(locus.arange, true))
    assert.equal("arange: 'start' must be a number, got a table", message(locus.arange, { 1 }, 2))
    assert.equal("arange: takes at most 3 arguments by position, got 4",
      message(locus.arange, 1, 2, 3, 4))
  end)
end)

describe("range", function()
  it("includes the end when a step meets it", function()
    same(locus.range(1, 4), { 4 }, { 1, 2, 3, 4 }, "float64")
    same(locus.range(1, 4, 2), { 2 }, { 1, 3 })
    same(locus.range(0, 1, 0.25), { 5 }, { 0, 0.25, 0.5, 0.75, 1 })
    same(locus.range(3, 1, -1), { 3 }, { 3, 2, 1 })
    same(locus.range(2, 2), { 1 }, { 2 })
    same(locus.range(1LL, 3), { 3 }, { 1, 2, 3 }, "int64")
    same(locus.range(250, 255, { dtype = "uint8" }), { 6 }, { 250, 251, 252, 253, 254, 255 })
    local high = support.range.int64[2]
    same(locus.range(high - 1, high), { 2 }, { high - 1, high }, "int64")
  end)

  it("says what is wrong", function()
    assert.equal("range: 'end' is missing", message(locus.range, 3))
    assert.equal("range: 'end' leads to 256, which uint8 cannot hold",
      message(locus.range, 250, 256, { dtype = "uint8" }))
    assert.equal("range: 'step' is 1, which does not lead from 'start' = 3 to 'end' = 1",
      message(locus.range, 3, 1))
    assert.equal("range: 'end' is more than 2^63 steps from 'start'",
      message(locus.range, 0LL, support.range.int64[2]))
  end)
end)

describe("linspace", function()
  it("meets both ends exactly", function()
    same(locus.linspace(0, 1, 5), { 5 }, { 0, 0.25, 0.5, 0.75, 1 }, "float64")
    same(locus.linspace(1, -1, 3), { 3 }, { 1, 0, -1 })
    same(locus.linspace(3, 8, 1), { 1 }, { 3 })
    same(locus.linspace(3, 8, 2), { 2 }, { 3, 8 })
    same(locus.linspace(3, 8, 0), { 0 }, {})
    for _, n in ipairs { 2, 3, 10, 49, 1001, 70001 } do
      local t = locus.linspace(0.1, 0.7, n):totable()
      assert.same({ n, 0.1, 0.7 }, { #t, t[1], t[n] })
      for i = 2, n do
        assert.is_true(t[i] > t[i - 1])
      end
    end
    local wide = locus.linspace(-1.7e308, 1.7e308, 3)
    same(wide, { 3 }, { -1.7e308, 0, 1.7e308 })
  end)

  it("gives every real dtype; integers truncate between whole ends", function()
    for _, dtype in ipairs(support.real) do
      same(locus.linspace(0, 8, 5, { dtype = dtype }), { 5 }, { 0, 2, 4, 6, 8 }, dtype)
    end
    same(locus.linspace(0, 10, 5, { dtype = "int64" }), { 5 }, { 0, 2, 5, 7, 10 }, "int64")
    same(locus.linspace(0, -10, 5, { dtype = "int8" }), { 5 }, { 0, -2, -5, -7, -10 }, "int8")
    same(locus.linspace(1LL, 3LL, 3), { 3 }, { 1, 2, 3 }, "float64")
  end)

  it("says what is wrong", function()
    assert.equal("linspace: 'steps' is missing", message(locus.linspace, 0, 1))
    assert.equal("linspace: 'steps' must be a whole number, got the number 2.5",
      message(locus.linspace, 0, 1, 2.5))
    assert.equal("linspace: 'steps' must not be negative, got -1",
      message(locus.linspace, 0, 1, -1))
    assert.equal("linspace: 'end' must be finite, got inf",
      message(locus.linspace, 0, math.huge, 3))
    assert.equal("linspace: 'start' is 0.5, which int8 cannot hold",
      message(locus.linspace, 0.5, 3, 3, { dtype = "int8" }))
    assert.equal("linspace: 'end' is 128, which int8 cannot hold",
      message(locus.linspace, 0, 128, 3, { dtype = "int8" }))
    assert.equal("linspace: 'dtype' must be an integer or a float dtype, got bool",
      message(locus.linspace, 0, 1, 3, { dtype = "bool" }))
  end)
end)
