-- SPDX-License-Identifier: MIT
-- Writing over a tensor: copy_, fill_, zero_.

local locus = require "locus"
local support = require "spec.support"

local same, message = support.same, support.message

describe("copy_", function()
  it("converts, broadcasts and gives the tensor back", function()
    for _, dtype in ipairs(support.real) do
      local x = locus.zeros(2, 3, { dtype = dtype })
      assert.equal(x, x:copy_(locus.tensor { 1, 2, 3 }))
      same(x, { 2, 3 }, { 1, 2, 3, 1, 2, 3 }, dtype)
      same(x:copy_(locus.tensor { { 4 }, { 5 } }), { 2, 3 }, { 4, 4, 4, 5, 5, 5 }, dtype)
      same(x:copy_ { 7, 8, 9 }, { 2, 3 }, { 7, 8, 9, 7, 8, 9 }, dtype)
      same(x:copy_(6), { 2, 3 }, { 6, 6, 6, 6, 6, 6 }, dtype)
    end
    same(locus.zeros(0, 3):copy_(locus.zeros(1, 3)), { 0, 3 }, {})
    same(locus.zeros({}):copy_(5), {}, { 5 })
  end)

  it("writes through views and reads strided sources", function()
    local x = locus.zeros(2, 3)
    x:t():copy_(locus.tensor { { 1, 2 }, { 3, 4 }, { 5, 6 } })
    same(x, { 2, 3 }, { 1, 3, 5, 2, 4, 6 })
    x:select(2, 2):copy_(locus.tensor { 8, 9 })
    same(x, { 2, 3 }, { 1, 8, 5, 2, 9, 6 })
  end)

  it("is as if the source were copied first", function()
    local x = locus.arange(6)
    x:narrow(1, 2, 5):copy_(x:narrow(1, 1, 5))
    same(x, { 6 }, { 0, 0, 1, 2, 3, 4 })
    local square = locus.tensor { { 1, 2 }, { 3, 4 } }
    square:copy_(square:t())
    same(square, { 2, 2 }, { 1, 3, 2, 4 })
    same(square:copy_(square), { 2, 2 }, { 1, 3, 2, 4 })
  end)

  it("is so over many blocks, too", function()
    local n, wrong = 200000, 0
    local x = locus.arange(n)
    x:narrow(1, 2, n - 1):copy_(x:narrow(1, 1, n - 1))
    for i, value in ipairs(x:totable()) do
      wrong = wrong + (value == math.max(i - 2, 0) and 0 or 1)
    end
    local square = locus.arange(10000):view(100, 100)
    square:copy_(square:t())
    for i, row in ipairs(square:totable()) do
      for j, value in ipairs(row) do
        wrong = wrong + (value == (j - 1) * 100 + i - 1 and 0 or 1)
      end
    end
    assert.equal(0, wrong)
  end)

  it("writes nothing when something does not fit", function()
    local x = locus.tensor({ 1, 2, 3 }, { dtype = "uint8" })
    assert.equal("copy_: 'source' holds 256 at [3], which uint8 cannot hold",
      message(x.copy_, x, locus.tensor { 0, 0, 256 }))
    assert.equal("copy_: 'source' holds -1 at [2], which uint8 cannot hold",
      message(x.copy_, x, locus.tensor({ 0, -1, 0 }, { dtype = "int64" })))
    assert.equal("copy_: 'source' is 300, which uint8 cannot hold", message(x.copy_, x, 300))
    assert.equal("copy_: 'source' of size 2 does not broadcast to 3",
      message(x.copy_, x, locus.tensor { 1, 2 }))
    assert.equal("copy_: 'source' of size 2x3 does not broadcast to 3",
      message(x.copy_, x, locus.zeros(2, 3)))
    assert.equal("copy_: 'source' must be a tensor, a table or a number, got the string \"x\"",
      message(x.copy_, x, "x"))
    same(x, { 3 }, { 1, 2, 3 }, "uint8")
    local spread = locus.zeros(1):expand(3)
    assert.equal("copy_: 'input' has elements that share memory; write to its contiguous()",
      message(spread.copy_, spread, locus.tensor { 1, 2, 3 }))
  end)
end)

describe("fill_ and zero_", function()
  it("write every element of every dtype and layout", function()
    for _, dtype in ipairs(support.real) do
      for _, layout in ipairs(support.layouts) do
        local x = support.laid(locus.zeros(2, 3, { dtype = dtype }), layout)
        assert.equal(x, x:fill_(7))
        same(x, { 2, 3 }, { 7, 7, 7, 7, 7, 7 }, dtype)
        assert.equal(x, x:zero_())
        same(x, { 2, 3 }, { 0, 0, 0, 0, 0, 0 }, dtype)
      end
    end
    same(locus.zeros(2, { dtype = "bool" }):fill_(true), { 2 }, { true, true })
    local z = support.complex(1, -2)
    same(locus.zeros(2, { dtype = "complex64" }):fill_(z), { 2 }, { z, z }, "complex64")
    same(locus.zeros(2):fill_(locus.tensor(3, { dtype = "int8" })), { 2 }, { 3, 3 }, "float64")
    same(locus.zeros(0):fill_(3), { 0 }, {})
  end)

  it("leave what lies between the elements of a view", function()
    local x = locus.zeros(3, 2)
    x:select(2, 1):fill_(5)
    same(x, { 3, 2 }, { 5, 0, 5, 0, 5, 0 })
  end)

  it("say what is wrong", function()
    local x = locus.zeros(2, { dtype = "int8" })
    assert.equal("fill_: 'value' is 1.5, which int8 cannot hold", message(x.fill_, x, 1.5))
    assert.equal("fill_: 'value' must be a number, a boolean, a cdata or a 0-d tensor, got a "
      .. "float64 tensor of size 1", message(x.fill_, x, locus.zeros(1)))
    assert.equal("fill_: 'value' is missing", message(x.fill_, x))
    same(x, { 2 }, { 0, 0 })
  end)
end)
