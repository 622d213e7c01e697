-- SPDX-License-Identifier: MIT
-- searchsorted: what it answers. Expected positions are written by hand or follow from the law that
-- the documentation states.

local locus = require "locus"
local support = require "spec.support"

local same, tensor, integer = support.same, support.tensor, support.integer
local nan, inf = support.nan, math.huge
local SEARCHED = { "bool", unpack(support.real) }

-- The positions with base = 0, as PyTorch would print them.
local function gives(expected, sequence, values, options)
  local o = { base = 0 }
  for name, value in pairs(options or {}) do
    o[name] = value
  end
  same(locus.searchsorted(sequence, values, o), { #expected }, expected, "int64")
end

describe("searchsorted", function()
  it("keeps the law on both sides, for every dtype", function()
    math.randomseed(1)
    for _, dtype in ipairs(SEARCHED) do
      local top = dtype == "bool" and 1 or 9
      for n = 0, 12 do
        local sorted, values = {}, {}
        for i = 1, n do
          sorted[i] = math.random(0, top)
        end
        table.sort(sorted)
        for i = 1, 20 do
          values[i] = math.random(0, top)
        end
        local s, v = tensor(dtype, sorted), tensor(dtype, values)
        local left = s:searchsorted(v):totable()
        local right = s:searchsorted(v, { right = true }):totable()
        for k, value in ipairs(values) do
          local i, j = left[k], right[k]
          assert(i >= 1 and i <= n + 1 and j >= i and j <= n + 1)
          assert(i == 1 or sorted[i - 1] < value)
          assert(i == n + 1 or value <= sorted[i])
          assert(j == 1 or sorted[j - 1] <= value)
          assert(j == n + 1 or value < sorted[j])
        end
      end
    end
  end)

  it("keeps the law for fractions beside every dtype", function()
    for _, dtype in ipairs(SEARCHED) do
      local sorted = dtype == "bool" and { 0, 0, 1 } or { 0, 1, 1, 2, 5, 100 }
      local s = tensor(dtype, sorted)
      for value = -1, 6, 0.25 do
        local i = s:searchsorted({ value }):totable()[1]
        local j = s:searchsorted(value, { side = "right" })
        assert(i == 1 or sorted[i - 1] < value)
        assert(i == #sorted + 1 or value <= sorted[i])
        assert(j == 1 or sorted[j - 1] <= value)
        assert(j == #sorted + 1 or value < sorted[j])
      end
    end
  end)

  it("answers 1 to n + 1, or 0 to n with base = 0", function()
    local s, v = tensor("int64", { 1, 3, 5 }), tensor("int64", { 0, 3, 9 })
    same(s:searchsorted(v), { 3 }, { 1, 2, 4 }, "int64")
    same(s:searchsorted(v, { base = 1 }), { 3 }, { 1, 2, 4 }, "int64")
    same(s:searchsorted(v, { base = 0 }), { 3 }, { 0, 1, 3 }, "int64")
    same(s:searchsorted(v, { base = 0, out_int32 = true }), { 3 }, { 0, 1, 3 }, "int32")
  end)

  it("takes every spelling of the side", function()
    local s, v = tensor("int64", { 1, 3, 3, 5 }), tensor("int64", { 3 })
    gives({ 1 }, s, v)
    gives({ 1 }, s, v, { right = false })
    gives({ 1 }, s, v, { side = "left" })
    gives({ 1 }, s, v, { side = "left", right = false })
    gives({ 3 }, s, v, { right = true })
    gives({ 3 }, s, v, { side = "right" })
    gives({ 3 }, s, v, { side = "right", right = false })
    gives({ 3 }, s, v, { side = "right", right = true })
  end)

  it("takes arguments by position and by name, tensors and tables", function()
    local s, v = tensor("float64", { 1, 3, 5 }), tensor("float64", { 4, 0 })
    same(locus.searchsorted(s, v), { 2 }, { 3, 1 }, "int64")
    same(locus.searchsorted { sorted_sequence = s, values = v }, { 2 }, { 3, 1 }, "int64")
    same(locus.searchsorted { s, v, right = true }, { 2 }, { 3, 1 }, "int64")
    same(locus.searchsorted(s, { values = v }), { 2 }, { 3, 1 }, "int64")
    same(s:searchsorted { values = v, side = "right" }, { 2 }, { 3, 1 }, "int64")
    same(locus.searchsorted({ 1, 3, 5 }, { 4, 0 }), { 2 }, { 3, 1 }, "int64")
    same(locus.searchsorted({ { 1, 3 }, { 2, 4 } }, { { 3 }, { 3 } }), { 2, 1 }, { 2, 2 }, "int64")
    assert.are.equal(3, locus.searchsorted({ 1, 3, 5 }, 4))
  end)
end)

describe("the shapes of searchsorted", function()
  it("one dimension serves values of any shape", function()
    local s = tensor("int64", { 1, 3, 5 })
    same(s:searchsorted(locus.tensor(4)), {}, { 3 }, "int64")
    same(s:searchsorted(tensor("int64", {}, { 0 })), { 0 }, {}, "int64")
    same(s:searchsorted(tensor("int64", {}, { 2, 0, 3 })), { 2, 0, 3 }, {}, "int64")
    same(s:searchsorted { { 0, 9 }, { 3, 4 } }, { 2, 2 }, { 1, 4, 2, 3 }, "int64")
    same(s:searchsorted { { { 5 } } }, { 1, 1, 1 }, { 3 }, "int64")
  end)

  it("an empty sequence answers the base", function()
    local s = tensor("float32", {}, { 0 })
    assert.are.equal(1, s:searchsorted(4))
    assert.are.equal(0, s:searchsorted(nan, { base = 0 }))
    same(s:searchsorted { { 1, 2 } }, { 1, 2 }, { 1, 1 }, "int64")
    same(s:searchsorted({ 1, 2 }, { descending = true, side = "right" }), { 2 }, { 1, 1 }, "int64")
  end)

  it("rows of a sequence serve the values at their place", function()
    local s = tensor("int64", { 1, 3, 5, 2, 4, 6 }, { 2, 3 })
    same(s:searchsorted { { 3, 4 }, { 3, 4 } }, { 2, 2 }, { 2, 3, 2, 2 }, "int64")
    same(s:searchsorted { { 5 }, { 5 } }, { 2, 1 }, { 3, 3 }, "int64")
    local deep = tensor("int64", { 1, 2, 3, 4, 5, 6, 7, 8 }, { 2, 2, 2 })
    same(deep:searchsorted(tensor("int64", { 2, 4, 6, 8 }, { 2, 2, 1 })), { 2, 2, 1 },
      { 2, 2, 2, 2 }, "int64")
    local wide = tensor("int64", { 0, 1, 2, 3, 4, 5, 6, 7, 8, 4, 6, 9 }, { 2, 2, 3 })
    same(deep:searchsorted(wide), { 2, 2, 3 }, { 1, 1, 2, 1, 2, 3, 2, 3, 3, 1, 1, 3 }, "int64")
  end)

  it("any size may be 0", function()
    local function sizes(sequence, values)
      local n = support.numel(values)
      local ones = {}
      for i = 1, n do
        ones[i] = 1
      end
      local s, v = locus.zeros(sequence), locus.zeros(values)
      same(s:searchsorted(v), values, ones, "int64")
    end
    sizes({ 2, 0 }, { 2, 3 })
    sizes({ 2, 3 }, { 2, 0 })
    sizes({ 0, 3 }, { 0, 2 })
    sizes({ 2, 0, 3 }, { 2, 0, 3 })
    sizes({ 2, 0, 0 }, { 2, 0, 4 })
  end)

  it("blocks and rows end where they end", function()
    for _, m in ipairs { 1023, 1024, 1025, 2500 } do
      local values, expected = {}, {}
      for i = 1, 2 * m do
        values[i] = i % 7
        expected[i] = i <= m and values[i] + 1 or math.max(values[i], 1)
      end
      local s = tensor("int32", { 0, 1, 2, 3, 4, 5, 1, 2, 3, 4, 5, 6 }, { 2, 6 })
      same(s:searchsorted(tensor("int32", values, { 2, m })), { 2, m }, expected, "int64")
    end
  end)
end)

describe("the scalars of searchsorted", function()
  local function both(sequence, value)
    local left, right = sequence:searchsorted(value, { side = "both", base = 0 })
    return { left, right }
  end

  it("a Lua value gives a Lua number, a 0-d tensor a 0-d tensor", function()
    local s = tensor("int64", { 1, 3, 5 })
    assert.are.equal(3, s:searchsorted(4))
    assert.are.equal(2, s:searchsorted(2LL))
    assert.are.equal(1, s:searchsorted(true))
    assert.are.equal(1, s:searchsorted(false))
    assert.are.equal(3, s:searchsorted(4, { out_int32 = true }))
    same(s:searchsorted(locus.tensor(4)), {}, { 3 }, "int64")
    local out = locus.tensor(0LL)
    assert(rawequal(out, s:searchsorted(4, { out = out })))
    same(out, {}, { 3 }, "int64")
  end)

  it("next to integers is exact, whatever it is", function()
    for _, dtype in ipairs(support.integers) do
      local s = tensor(dtype, { 0, 2, 3, 127 })
      assert.are.same({ 2, 2 }, both(s, 2.5))
      assert.are.same({ 1, 2 }, both(s, 2))
      assert.are.same({ 1, 2 }, both(s, 2LL))
      assert.are.same({ 0, 0 }, both(s, -1))
      assert.are.same({ 0, 0 }, both(s, -0.5))
      assert.are.same({ 0, 1 }, both(s, -0.0))
      assert.are.same({ 4, 4 }, both(s, 127.5))
      assert.are.same({ 4, 4 }, both(s, 1e300))
      assert.are.same({ 0, 0 }, both(s, -1e300))
      assert.are.same({ 4, 4 }, both(s, inf))
      assert.are.same({ 0, 0 }, both(s, -inf))
      assert.are.same({ 4, 4 }, both(s, nan))
      assert.are.same({ 1, 1 }, both(s, true))
    end
  end)

  it("next to the limits of an integer dtype does not wrap", function()
    local u8 = tensor("uint8", { 0, 1, 255, 255 })
    assert.are.same({ 0, 0 }, both(u8, -1))
    assert.are.same({ 4, 4 }, both(u8, 300))
    assert.are.same({ 2, 4 }, both(u8, 255))
    assert.are.same({ 4, 4 }, both(u8, 255.5))
    assert.are.same({ 4, 4 }, both(u8, integer("9223372036854775807")))
    same(u8:searchsorted(tensor("int16", { -1, 256, 300, 255 })), { 4 }, { 1, 5, 5, 3 }, "int64")
    same(u8:searchsorted { -1, 300, 2.5 }, { 3 }, { 1, 5, 3 }, "int64")
    local i8 = tensor("int8", { -128, -128, 127 })
    assert.are.same({ 0, 2 }, both(i8, -128))
    assert.are.same({ 0, 0 }, both(i8, -128.5))
    assert.are.same({ 3, 3 }, both(i8, 128))
    local b = tensor("bool", { false, true })
    assert.are.same({ 0, 0 }, both(b, -3))
    assert.are.same({ 1, 1 }, both(b, 0.5))
    assert.are.same({ 1, 2 }, both(b, true))
    assert.are.same({ 2, 2 }, both(b, nan))
  end)

  it("next to floats is rounded to their dtype, a tensor with dimensions is not", function()
    local s = tensor("float32", { 0, 0.1, 1 })
    assert.are.same({ 1, 2 }, both(s, 0.1))
    same(s:searchsorted(locus.tensor(0.1), { base = 0, right = true }), {}, { 2 }, "int64")
    gives({ 1 }, s, { 0.1 }, { right = true }) -- float32's 0.1 is above 0.1
    local big = tensor("float32", { 2 ^ 24, 2 ^ 24 + 2 })
    assert.are.same({ 0, 1 }, both(big, integer("16777217")))
    same(big:searchsorted(locus.tensor(16777217LL), { base = 0 }), {}, { 0 }, "int64")
    gives({ 1 }, big, tensor("int64", { 16777217 }))
    assert.are.same({ 1, 2 }, both(tensor("float16", { 0, inf }), 1e6))
    gives({ 1 }, tensor("float16", { 0, inf }), { 1e6 }, { right = true })
  end)
end)

describe("searchsorted between dtypes", function()
  local two53 = 2 ^ 53

  it("int64 sequences and float64 values beyond 2^53", function()
    local s = tensor("int64", {
      integer("-9223372036854775808"), integer("9007199254740991"), integer("9007199254740992"),
      integer("9007199254740993"), integer("9007199254740994"), integer("9223372036854775807"),
    })
    local values = { -inf, -2 ^ 63, two53, two53 + 2, 2 ^ 63 - 1024, 2 ^ 63, 2 ^ 64, nan }
    gives({ 0, 0, 2, 4, 5, 6, 6, 6 }, s, values)
    gives({ 0, 1, 3, 5, 5, 6, 6, 6 }, s, values, { right = true })
  end)

  it("float64 sequences and int64 values beyond 2^53", function()
    local s = tensor("float64", { -2 ^ 63, two53, two53 + 2, 2 ^ 63 - 1024, 2 ^ 63, nan })
    local values = tensor("int64", {
      integer("-9223372036854775808"), integer("-9223372036854775807"),
      integer("9007199254740992"), integer("9007199254740993"), integer("9007199254740994"),
      integer("9223372036854774784"), integer("9223372036854774785"),
      integer("9223372036854775807"),
    })
    gives({ 0, 1, 1, 2, 2, 3, 4, 4 }, s, values)
    gives({ 1, 1, 2, 2, 3, 4, 4, 4 }, s, values, { right = true })
  end)

  it("float32 sequences and int64 values", function()
    local s = tensor("float32", { -2 ^ 63, 2 ^ 24, 2 ^ 24 + 2, 2 ^ 63 })
    local values = tensor("int64", {
      integer("-9223372036854775808"), 16777216, 16777217, 16777218, 16777219,
      integer("9223372036854775807"),
    })
    gives({ 0, 1, 2, 2, 3, 3 }, s, values)
    gives({ 1, 2, 2, 3, 3, 3 }, s, values, { right = true })
  end)

  it("half sequences and int64 values", function()
    local lowest, highest = integer("-9223372036854775808"), integer("9223372036854775807")
    local f16 = tensor("float16", { -inf, -65504, 2048, 2050, 65504, inf })
    local values = tensor("int64", { lowest, -65505, -65504, 2049, 65504, 65505, 65520, highest })
    gives({ 1, 1, 1, 3, 4, 5, 5, 5 }, f16, values)
    gives({ 1, 1, 2, 3, 5, 5, 5, 5 }, f16, values, { right = true })
    local bf16 = tensor("bfloat16", { -2 ^ 63, 256, 258, 2 ^ 63 })
    values = tensor("int64", { lowest, 256, 257, 258, 259, highest })
    gives({ 0, 1, 2, 2, 3, 3 }, bf16, values)
    gives({ 1, 2, 2, 3, 3, 3 }, bf16, values, { right = true })
  end)

  it("half sequences and float64 values", function()
    local f16 = tensor("float16", { -inf, -2 ^ -24, 0, 2 ^ -24, 0.0999755859375, 65504, inf, nan })
    local values = {
      -inf, -65505, -2 ^ -25, -1e-300, -0.0, 1e-300, 2 ^ -24, 0.1, 65504, 65505, 1e300, inf, nan,
    }
    gives({ 0, 1, 2, 2, 2, 3, 3, 5, 5, 6, 6, 6, 7 }, f16, values)
    gives({ 1, 1, 2, 2, 3, 3, 4, 5, 6, 6, 6, 7, 8 }, f16, values, { right = true })
    local bf16 = tensor("bfloat16", { -inf, 0, 0.10009765625, 1, inf })
    gives({ 1, 2, 2, 3, 4, 4 }, bf16, { -1e300, 0.1, 0.10009765625, 0.11, 1 + 2 ^ -52, 1e300 })
    gives({ 1, 2, 3, 3, 4, 4 }, bf16, { -1e300, 0.1, 0.10009765625, 0.11, 1 + 2 ^ -52, 1e300 },
      { right = true })
  end)

  it("uint8 beside int8, bool beside everything", function()
    gives({ 0, 0, 1, 2 }, tensor("uint8", { 0, 1, 127, 255 }),
      tensor("int8", { -128, -1, 1, 127 }))
    gives({ 1, 2 }, tensor("int32", { -1, 0, 1 }), tensor("bool", { false, true }))
    gives({ 0, 1, 1, 2 }, tensor("bool", { false, true }), { -1, 0.5, 1, nan })
    gives({ 0, 2 }, tensor("float16", { -0.0, 0.0, 1 }), tensor("bool", { false, true }))
  end)
end)

describe("NaN, infinities and zeros in searchsorted", function()
  -- Rows, sides and answers of NumPy, as the semantics page of the design lists them.
  local values = { -inf, 0, 1, 1.5, 3, 4, inf, nan }

  for _, dtype in ipairs(support.floats) do
    it(dtype .. ": NaN stands last, all NaN are equal", function()
      local short, long = tensor(dtype, { 1, 2, nan }), tensor(dtype, { 1, inf, nan, nan })
      gives({ 0, 0, 0, 1, 2, 2, 2, 2 }, short, values)
      gives({ 0, 0, 1, 1, 2, 2, 2, 3 }, short, values, { right = true })
      gives({ 0, 0, 0, 1, 1, 1, 1, 2 }, long, values)
      gives({ 0, 0, 1, 1, 1, 1, 2, 4 }, long, values, { right = true })
      local all = tensor(dtype, { nan, nan, nan })
      gives({ 0, 0, 0, 0, 0, 0, 0, 0 }, all, values)
      gives({ 0, 0, 0, 0, 0, 0, 0, 3 }, all, values, { right = true })
      assert.are.equal(2, short:searchsorted(nan, { base = 0 }))
      assert.are.equal(3, short:searchsorted(nan, { base = 0, right = true }))
    end)

    it(dtype .. ": every NaN is the same NaN", function()
      local zero = tensor(dtype, { 0 })
      local other = zero / zero
      gives({ 2 }, tensor(dtype, { 1, 2, nan }), other)
      gives({ 3 }, tensor(dtype, { 1, 2, nan }), -other, { right = true })
    end)

    it(dtype .. ": -0.0 equals 0.0", function()
      local zeros = tensor(dtype, { -1, 0.0, -0.0, 0.0, 1 })
      gives({ 1, 1 }, zeros, tensor(dtype, { 0.0, -0.0 }))
      gives({ 4, 4 }, zeros, tensor(dtype, { 0.0, -0.0 }), { right = true })
    end)
  end

  it("denormals count", function()
    gives({ 0, 1, 1, 2 }, { 0, 5e-324, 1 }, { 0, 5e-324, 4e-324, 1e-300 })
  end)
end)
