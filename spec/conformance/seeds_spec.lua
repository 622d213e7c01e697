-- SPDX-License-Identifier: MIT
-- Every example printed in the documents of searchsorted, nonzero and where: base = 0 gives exactly
-- the printed numbers, the default gives them plus one.

local locus = require "locus"
local support = require "spec.support"

local same = support.same

local function int64(data)
  return locus.tensor(data, { dtype = "int64" })
end

local function plus_one(values)
  local list = {}
  for i, value in ipairs(values) do
    list[i] = value + 1
  end
  return list
end

describe("the examples of searchsorted", function()
  local sorted_sequence = int64 { { 1, 3, 5, 7, 9 }, { 2, 4, 6, 8, 10 } }
  local sorted_sequence_1d = int64 { 1, 3, 5, 7, 9 }
  local values = int64 { { 3, 6, 9 }, { 3, 6, 9 } }

  local function gives(printed, sequence, options)
    local zero = { base = 0 }
    for name, value in pairs(options or {}) do
      zero[name] = value
    end
    same(locus.searchsorted(sequence, values, zero), { 2, 3 }, printed, "int64")
    same(sequence:searchsorted(values, zero), { 2, 3 }, printed, "int64")
    same(locus.searchsorted(sequence, values, options or {}), { 2, 3 }, plus_one(printed), "int64")
    same(sequence:searchsorted(values, options or {}), { 2, 3 }, plus_one(printed), "int64")
  end

  it("rows, left", function()
    gives({ 1, 3, 4, 1, 2, 4 }, sorted_sequence)
    same(locus.searchsorted(sorted_sequence, values), { 2, 3 }, { 2, 4, 5, 2, 3, 5 }, "int64")
  end)

  it("rows, right", function()
    gives({ 2, 3, 5, 1, 3, 4 }, sorted_sequence, { side = "right" })
    gives({ 2, 3, 5, 1, 3, 4 }, sorted_sequence, { right = true })
  end)

  it("one sequence for all", function()
    gives({ 1, 3, 4, 1, 3, 4 }, sorted_sequence_1d)
  end)

  it("the same from plain Lua tables", function()
    local rows = { { 1, 3, 5, 7, 9 }, { 2, 4, 6, 8, 10 } }
    local wanted = { { 3, 6, 9 }, { 3, 6, 9 } }
    local printed = { 1, 3, 4, 1, 2, 4 }
    same(locus.searchsorted(rows, wanted, { base = 0 }), { 2, 3 }, printed, "int64")
    same(locus.searchsorted(rows, wanted), { 2, 3 }, plus_one(printed), "int64")
  end)

  it("the law of the left and of the right side holds as it is written", function()
    local n = 5
    for v = 0, 11 do
      local i = sorted_sequence_1d:searchsorted(v)
      assert(i == 1 or sorted_sequence_1d[i - 1] < v)
      assert(i == n + 1 or v <= sorted_sequence_1d[i])
      i = sorted_sequence_1d:searchsorted(v, { side = "right" })
      assert(i == 1 or sorted_sequence_1d[i - 1] <= v)
      assert(i == n + 1 or v < sorted_sequence_1d[i])
    end
  end)
end)

describe("the examples of nonzero", function()
  local diagonal = {
    { 0.6, 0.0, 0.0, 0.0 },
    { 0.0, 0.4, 0.0, 0.0 },
    { 0.0, 0.0, 1.2, 0.0 },
    { 0.0, 0.0, 0.0, -0.4 },
  }

  -- The printed matrix as rows, and as one vector per dimension.
  local function gives(input, shape, printed, columns)
    same(locus.nonzero(input, { base = 0 }), shape, printed, "int64")
    same(input:nonzero { base = 0 }, shape, printed, "int64")
    same(locus.nonzero(input), shape, plus_one(printed), "int64")
    same(input:nonzero(), shape, plus_one(printed), "int64")
    local zero = { locus.nonzero(input, { as_tuple = true, base = 0 }) }
    local one = { input:nonzero { as_tuple = true } }
    assert.are.equal(#columns, #zero)
    assert.are.equal(#columns, #one)
    for d, column in ipairs(columns) do
      same(zero[d], { #column }, column, "int64")
      same(one[d], { #column }, plus_one(column), "int64")
    end
  end

  it("a vector", function()
    gives(int64 { 1, 1, 1, 0, 1 }, { 4, 1 }, { 0, 1, 2, 4 }, { { 0, 1, 2, 4 } })
  end)

  it("a matrix", function()
    local printed = { 0, 0, 1, 1, 2, 2, 3, 3 }
    local columns = { { 0, 1, 2, 3 }, { 0, 1, 2, 3 } }
    for _, dtype in ipairs { "float32", "float64" } do
      gives(locus.tensor(diagonal, { dtype = dtype }), { 4, 2 }, printed, columns)
    end
  end)

  it("a number without dimensions is treated as one element", function()
    local five = locus.tensor(5)
    same(locus.nonzero(five, { as_tuple = true, base = 0 }), { 1 }, { 0 }, "int64")
    same(locus.nonzero(five, { as_tuple = true }), { 1 }, { 1 }, "int64")
  end)

  it("x[{nonzero}] gives all nonzero values", function()
    local x = locus.tensor(diagonal)
    same(x[{ x:nonzero { as_tuple = true } }], { 4 }, { 0.6, 0.4, 1.2, -0.4 }, "float64")
    same(x[{ locus.where(x) }], { 4 }, { 0.6, 0.4, 1.2, -0.4 }, "float64")
  end)

  it("where(condition) is nonzero(condition, as_tuple)", function()
    local rows, columns = locus.where(locus.tensor(diagonal), { base = 0 })
    same(rows, { 4 }, { 0, 1, 2, 3 }, "int64")
    same(columns, { 4 }, { 0, 1, 2, 3 }, "int64")
    rows, columns = locus.where(locus.tensor(diagonal))
    same(rows, { 4 }, { 1, 2, 3, 4 }, "int64")
    same(columns, { 4 }, { 1, 2, 3, 4 }, "int64")
  end)
end)

describe("the examples of where", function()
  it("two tensors", function()
    local x = locus.tensor({ { -0.4620, 0.3139 }, { 0.3898, -0.7197 }, { 0.0478, -0.1657 } })
    local y = locus.ones(3, 2)
    local printed = { 1.0, 0.3139, 0.3898, 1.0, 0.0478, 1.0 }
    same(locus.where(x:gt(0), x, y), { 3, 2 }, printed, "float64")
    same(x:gt(0):where(x, y), { 3, 2 }, printed, "float64")
    local single = locus.where(x:float():gt(0), x:float(), y:float())
    assert.are.equal("float32", single.dtype)
    for i, value in ipairs(support.values(single)) do
      assert(math.abs(value - printed[i]) < 1e-7)
    end
  end)

  it("a tensor and a number", function()
    local x = locus.tensor({ { 1.0779, 0.0383 }, { -0.8785, -1.1089 } }, { dtype = "float64" })
    local printed = { 1.0779, 0.0383, 0, 0 }
    same(locus.where(x:gt(0), x, 0.), { 2, 2 }, printed, "float64")
    same(x:gt(0):where(x, 0.), { 2, 2 }, printed, "float64")
  end)
end)
