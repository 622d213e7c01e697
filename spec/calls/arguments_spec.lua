-- SPDX-License-Identifier: MIT
-- Arguments by position, by name, and both in one table; base wherever positions go in or out.
local locus = require "locus"
local support = require "spec.support"

local same, message = support.same, support.message

describe("a table of names", function()
  local x = locus.tensor({{3, 1, 2}, {6, 5, 4}})
  local s = locus.tensor({1, 3, 5})

  it("may hold more arguments by position, in functions and methods", function()
    same(x:sort{1, descending = true}, {2, 3}, {6, 5, 4, 3, 1, 2})
    same(locus.sort{x, 1, descending = true}, {2, 3}, {6, 5, 4, 3, 1, 2})
    same(locus.sort(x, {1, descending = true}), {2, 3}, {6, 5, 4, 3, 1, 2})
    same(x:argmax{1, base = 0}, {3}, {1, 1, 1})
    same(x:clamp{2, max = 4}, {2, 3}, {3, 2, 2, 4, 4, 4})
    assert.equal("int8", x:to{"int8", device = "cpu"}.dtype)
    assert.equal(3, s:searchsorted{3, right = true})
    same(x:sum{1, keepdim = true}, {1, 3}, {9, 6, 6})
    same(locus.zeros{2, 1, dtype = "int8"}, {2, 1}, {0, 0}, "int8")
  end)

  it("holds them wherever Lua keeps them, and leaves its own slot to its names", function()
    local late = {right = true}
    late[1], late[2] = s, 3
    assert.equal(3, locus.searchsorted(late))
    late[1], late[2] = 3, nil
    assert.equal(3, s:searchsorted(late))
    local spread = {keepdim = true, [1] = 1}
    same(x:sum(spread), {1, 3}, {9, 6, 6})
    assert.equal("sum: the table of arguments has the number 9 for a key, which names no argument",
      message(x.sum, x, {keepdim = true, [1] = 1, [9] = 1}))
    local out = locus.zeros(3)
    assert.is_true(rawequal(out, s:add(1, {out = out})))
    assert.equal(2, s:searchsorted(1, {right = true}))
    assert.equal("where: 'y' is missing", message(locus.where, x:gt(1), {x = 1}))
    assert.equal("where: 'x' is missing", message(locus.where, x:gt(1), {y = 1}))
    assert.equal("where: 'y' is given twice", message(locus.where, x:gt(1), 1, 2, {y = 1}))
  end)

  it("drops nothing", function()
    assert.equal("nonzero: takes at most 1 argument by position, got 2",
      message(x.nonzero, x, {1, base = 0}))
    assert.equal("searchsorted: takes at most 2 arguments by position, got 3",
      message(s.searchsorted, s, 4, {5, right = true}))
    assert.equal("sum: the table of arguments has the number 3 for a key, which names no argument",
      message(x.sum, x, {[3] = 1, keepdim = true}))
    assert.equal("sum: the table of arguments has the Lua boolean true for a key, "
      .. "which names no argument", message(x.sum, x, {[true] = 1, keepdim = true}))
    assert.equal("sum: 'dim' is given twice", message(x.sum, x, 1, {dim = 1}))
    assert.equal("sum: 'input' is given twice", message(x.sum, x, {input = x}))
  end)

  it("has a string for a key; else it is data, and says so where it cannot be", function()
    assert.equal("searchsorted: 'values' holds a float64 tensor of size 3 at [1], which is no "
      .. "number; a table without names is data: write locus.stack(tensors), or the arguments "
      .. "without braces", message(s.searchsorted, s, {s}))
    assert.equal("searchsorted: 'values' is missing; a table without names is data: write the "
      .. "arguments without braces", message(locus.searchsorted, {s, s}))
    assert.equal("searchsorted: 'values' is missing", message(locus.searchsorted, {1, 2}))
    assert.equal("searchsorted: 'values' is missing", message(locus.searchsorted, s))
  end)

  it("may be empty where everything required stands before it", function()
    assert.equal(21, x:sum({}))
    assert.equal(2, s:searchsorted(3, {}))
    assert.equal("0", tostring(locus.tensor({}):size()))
  end)
end)

describe("base = 0", function()
  local x = locus.tensor({{1, 2, 3}, {4, 5, 6}})

  it("is taken by select, narrow and slice", function()
    same(x:select(1, 0, {base = 0}), {3}, {1, 2, 3})
    same(x:select(2, -1, {base = 0}), {2}, {3, 6})
    same(x:narrow(2, 1, 2, {base = 0}), {2, 2}, {2, 3, 5, 6})
    same(x:slice(2, 0, 2, 2, {base = 0}), {2, 2}, {1, 3, 4, 6})
    assert.equal("select: 'index' 2 is outside 0..1, the positions of dimension 1",
      message(x.select, x, 1, 2, {base = 0}))
    assert.equal("narrow: 'start' must be in 0..3 or -3..-1, got 4",
      message(x.narrow, x, 2, 4, 0, {base = 0}))
    assert.equal("slice: the range {1, 3} goes outside 0..2, the positions of dimension 2",
      message(x.slice, x, 2, 1, 3, {base = 0}))
  end)

  it("is taken by iter and storage_offset", function()
    local seen = {}
    for i, v in x:select(1, 2):iter{base = 0} do seen[#seen + 1] = i .. ":" .. v end
    assert.same({"0:4", "1:5", "2:6"}, seen)
    assert.equal(3, x:select(1, 2):storage_offset{base = 0})
    assert.equal(4, x:select(1, 2):storage_offset())
    assert.equal("iter: 'base' must be 1 or 0, got the number 2", message(x.iter, x, {base = 2}))
    assert.equal("iter: there is no argument 'bsae'; did you mean 'base'?",
      message(x.iter, x, {bsae = 0}))
  end)
end)

describe("copy_", function()
  it("reads a table as its own dtype, so that nothing is lost", function()
    local y = locus.LongTensor{1, 2}
    assert.equal("copy_: 'source' is 1.5, which int64 cannot hold, at [1]",
      message(y.copy_, y, {1.5, 2}))
    same(y:copy_({"9007199254740993", 2}), {2}, {support.integer("9007199254740993"), 2})
  end)
end)

describe("a tensor shares memory with itself", function()
  it("only when two of its elements have a byte in common", function()
    local apart = locus.arange(8):unfold(1, 4, 2)[{{}, {1, 4, 3}}]
    same(apart, {3, 2}, {0, 3, 2, 5, 4, 7})
    same(apart:fill_(1), {3, 2}, {1, 1, 1, 1, 1, 1})
    local shared = locus.arange(8):unfold(1, 4, 2)[{{}, {1, 3, 2}}]
    assert.matches("share memory", message(shared.fill_, shared, 1), 1, true)
    local broadcast = locus.ones(1):expand(3)
    assert.matches("share memory", message(broadcast.zero_, broadcast), 1, true)
    same(locus.zeros(3, 4):t():fill_(2), {4, 3}, {2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2})
  end)

  it("and then nothing writes to it by position, at whatever call", function()
    local i, two = locus.LongTensor {1, 2}, locus.tensor {1, 2}
    local mask = locus.tensor {true, false, true}
    local writes = {
      function(x) x[2] = 7 end, function(x) x[{2}] = 7 end, function(x) x[{{1, 2}}] = 7 end,
      function(x) x[i] = 7 end, function(x) x[mask] = 7 end, function(x) x:put_(i, two) end,
      function(x) x:index_put_({i}, two) end, function(x) x:index_add_(1, i, two) end,
      function(x) x:scatter_(1, i, two) end, function(x) x:scatter_add_(1, i, two) end,
      function(x) x:scatter_reduce_(1, i, two, "sum") end, function(x) x:masked_fill_(mask, 7) end,
    }
    for n, write in ipairs(writes) do
      for _ = 1, n == 1 and 300 or 1 do -- LuaJIT compiles the loop
        local x = locus.zeros(1):expand(3)
        assert.matches("share memory", message(write, x), 1, true)
        same(x, {3}, {0, 0, 0})
      end
    end
    for _, dtype in ipairs(support.dtypes) do
      local x, one = locus.zeros(1, {dtype = dtype}):expand(3), support.tensor(dtype, {1})[1]
      assert.matches("share memory", message(function() x[2] = one end), 1, true, dtype)
    end
  end)
end)
