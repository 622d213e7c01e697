-- SPDX-License-Identifier: MIT
-- split, chunk and unbind, which cut a dimension, and meshgrid: views of their tensors.
local locus = require "locus"
local support = require "spec.support"

local message, same = support.message, support.same

-- The sizes of parts along a dimension.
local function sizes(parts, dim)
  local list = {}
  for i, part in ipairs(parts) do list[i] = part:size(dim or 1) end
  return list
end

-- Writing to the parts of a tensor writes to the tensor.
local function fill(parts)
  for i, part in ipairs(parts) do part:fill_(i) end
end

describe("split", function()
  it("gives parts of one size, the last one smaller", function()
    local x = locus.arange(10):view(5, 2)
    local parts = x:split(2)
    assert.equal(3, #parts)
    same(parts[1], {2, 2}, {0, 1, 2, 3})
    same(parts[2], {2, 2}, {4, 5, 6, 7})
    same(parts[3], {1, 2}, {8, 9})
    assert.same({5}, sizes(x:split(5)))
    assert.same({5}, sizes(x:split(99)))
    assert.same({1, 1}, sizes(x:split(1, 2), 2))
    assert.same({1, 1}, sizes(locus.split(x, 1, -1), 2))
    assert.same({5}, sizes(x:split(2LL ^ 40)))
  end)

  it("gives parts of the sizes in a list", function()
    local parts = locus.arange(10):view(2, 5):split({0, 3, 2}, 2)
    same(parts[1], {2, 0}, {})
    same(parts[2], {2, 3}, {0, 1, 2, 5, 6, 7})
    same(parts[3], {2, 2}, {3, 4, 8, 9})
    assert.same({2, 3}, sizes(locus.arange(5):split{split_size_or_sections = {2, 3}}))
    local ones = {}
    for i = 1, 5000 do ones[i] = 1 end
    assert.equal(5000, #locus.zeros(5000):split(ones))
  end)

  it("splits nothing into one part, or as the list says", function()
    assert.same({0}, sizes(locus.zeros(0):split(3)))
    assert.same({0}, sizes(locus.zeros(0, 2):split(0)))
    assert.same({0, 0}, sizes(locus.zeros(0):split{0, 0}))
    assert.same({}, locus.zeros(0):split({}))
    assert.same({2, 1}, sizes(locus.zeros(3, 0):split(2)))
  end)

  it("says what is wrong", function()
    local x = locus.zeros(5, 2)
    assert.equal("split: 'split_size_or_sections' must add up to 5, the size of dimension 1, got 3",
      message(locus.split, x, {1, 2}))
    assert.equal("split: 'split_size_or_sections[2]' must not be negative, got -1",
      message(locus.split, x, {6, -1}))
    assert.equal("split: 'split_size_or_sections' must be positive, got 0",
      message(locus.split, x, 0))
    assert.equal("split: 'split_size_or_sections' must be positive, got -1",
      message(locus.split, locus.zeros(0), -1))
    assert.equal("split: 'split_size_or_sections' must be a whole number or a list of whole "
      .. "numbers, got the number 1.5", message(locus.split, x, 1.5))
    assert.equal("split: 'split_size_or_sections[2]' must be a whole number, got the string \"a\"",
      message(locus.split, x, {1, "a"}))
    assert.equal("split: 'split_size_or_sections' must be a whole number or a list of whole "
      .. "numbers, got a table", message(locus.split, x, {1, nil, 4}))
    assert.equal("split: 'dim' must be in 1..2 or -2..-1, got 3", message(locus.split, x, 1, 3))
    assert.equal("split: 'input' must have dimensions, got a 0-d tensor",
      message(locus.split, locus.tensor(1), 1))
  end)
end)

describe("chunk", function()
  it("gives parts of one size, rounded up, and may give fewer", function()
    assert.same({3, 3, 1}, sizes(locus.arange(7):chunk(3)))
    assert.same({2, 2, 1}, sizes(locus.arange(5):chunk(4)))
    assert.same({1, 1}, sizes(locus.arange(2):chunk(7)))
    assert.same({4, 3}, sizes(locus.zeros(2, 7):chunk(2, 2), 2))
    assert.same({7}, sizes(locus.arange(7):chunk(1)))
    assert.same({0, 0, 0}, sizes(locus.zeros(0):chunk(3)))
    same(locus.arange(5):chunk(2)[2], {2}, {3, 4})
  end)

  it("says what is wrong", function()
    assert.equal("chunk: 'chunks' must be positive, got 0", message(locus.chunk, {1}, 0))
    assert.equal("chunk: 'chunks' must be a whole number, got the number 1.5",
      message(locus.chunk, {1}, 1.5))
    assert.equal("chunk: 'input' must have dimensions, got a 0-d tensor",
      message(locus.chunk, locus.tensor(1), 1))
  end)
end)

describe("unbind", function()
  it("gives what select gives at each position", function()
    local x = locus.arange(6):view(2, 3)
    local rows, columns = x:unbind(), x:unbind(-1)
    assert.equal(2, #rows)
    same(rows[2], {3}, {3, 4, 5})
    assert.equal(3, #columns)
    same(columns[2], {2}, {1, 4})
    local elements = locus.tensor({5, 6}):unbind()
    same(elements[2], {}, {6})
    assert.same({}, locus.zeros(0, 3):unbind())
    assert.equal(3, #locus.zeros(0, 3):unbind(2))
    assert.equal("unbind: 'input' must have dimensions, got a 0-d tensor",
      message(locus.unbind, locus.tensor(1)))
  end)
end)

describe("parts", function()
  it("that no memory holds are refused at once", function()
    local many = locus.zeros(1):expand(2 ^ 40)
    assert.equal("chunk: there would be 9007199254740992 parts; a list has at most 16777216",
      message(locus.chunk, locus.zeros(0), 2 ^ 53))
    assert.equal("chunk: there would be 1099511627776 parts; a list has at most 16777216",
      message(locus.chunk, many, 2 ^ 53))
    assert.equal("split: there would be 1099511627776 parts; a list has at most 16777216",
      message(locus.split, many, 1))
    assert.equal("unbind: there would be 1099511627776 parts; a list has at most 16777216",
      message(locus.unbind, many))
    assert.same({1, 1}, sizes(locus.arange(2):chunk(2 ^ 53)))
    assert.equal(2, #many:chunk(2))
  end)

  it("are views, in every dtype, of strided tensors, too", function()
    for _, dtype in ipairs(support.dtypes) do
      local x = locus.zeros(6, {dtype = dtype})
      fill(x:split(2))
      local want = dtype == "bool" and {true, true, true} or {1, 2, 3}
      same(x:slice(1, 1, 6, 2), {3}, locus.tensor(want, {dtype = dtype}):totable(), dtype)
      fill(x:chunk(3))
      fill(x:unbind())
      assert.equal(dtype, x:unbind()[1].dtype)
    end
    local x = locus.zeros(2, 3)
    fill(x:t():unbind())
    same(x, {2, 3}, {1, 2, 3, 1, 2, 3})
    fill(x:t():split({1, 2}))
    same(x, {2, 3}, {1, 2, 2, 1, 2, 2})
  end)
end)

describe("meshgrid", function()
  it("has the elements of each tensor along a dimension of its own", function()
    local a, b, c = locus.meshgrid({1, 2}, {5, 6, 7}, locus.tensor({9}, {dtype = "int8"}))
    same(a, {2, 3, 1}, {1, 1, 1, 2, 2, 2})
    same(b, {2, 3, 1}, {5, 6, 7, 5, 6, 7})
    same(c, {2, 3, 1}, {9, 9, 9, 9, 9, 9}, "int8")
    local list = {locus.meshgrid({locus.arange(2), locus.arange(3)})}
    assert.equal(2, #list)
    same(list[2], {2, 3}, {0, 1, 2, 0, 1, 2})
  end)

  it("swaps the first two dimensions for xy", function()
    local a, b, c = locus.meshgrid({1, 2}, {5, 6, 7}, {8, 9}, {indexing = "xy"})
    same(a, {3, 2, 2}, {1, 1, 2, 2, 1, 1, 2, 2, 1, 1, 2, 2})
    same(b, {3, 2, 2}, {5, 5, 5, 5, 6, 6, 6, 6, 7, 7, 7, 7})
    same(c, {3, 2, 2}, {8, 9, 8, 9, 8, 9, 8, 9, 8, 9, 8, 9})
    same(locus.meshgrid(locus.arange(3), {indexing = "xy"}), {3}, {0, 1, 2})
  end)

  it("takes nothing, one element, strides, and gives views", function()
    local a, b = locus.meshgrid(locus.zeros(0), locus.tensor(5))
    same(a, {0, 1}, {})
    same(b, {0, 1}, {})
    local x = locus.arange(6):view(3, 2)
    a, b = locus.meshgrid(x:select(2, 2), {1, 2})
    same(a, {3, 2}, {1, 1, 3, 3, 5, 5})
    same(b, {3, 2}, {1, 2, 1, 2, 1, 2})
    x[{1, 2}] = 7
    same(a, {3, 2}, {7, 7, 3, 3, 5, 5})
  end)

  it("says what is wrong", function()
    local x = locus.arange(3)
    assert.equal("meshgrid: 'tensors' is missing", message(locus.meshgrid))
    assert.equal("meshgrid: 'tensors' is empty", message(locus.meshgrid, {}))
    assert.equal("meshgrid: 'tensors' must hold tensors, got nil",
      message(locus.meshgrid, x, nil, x))
    assert.equal("meshgrid: 'tensors[2]' must be a tensor or a table, got the number 5",
      message(locus.meshgrid, x, 5))
    assert.equal("meshgrid: 'tensors[2]' must have at most 1 dimension, got size 2x2",
      message(locus.meshgrid, x, locus.zeros(2, 2)))
    assert.equal("meshgrid: 'indexing' must be \"ij\" or \"xy\", got \"yx\"",
      message(locus.meshgrid, x, x, {indexing = "yx"}))
    local many = {}
    for i = 1, 33 do many[i] = {1} end
    assert.equal("meshgrid: takes at most 32 tensors, got 33", message(locus.meshgrid, many))
    many[33] = nil
    assert.equal(32, select("#", locus.meshgrid(many)))
  end)
end)
