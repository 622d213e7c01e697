-- SPDX-License-Identifier: MIT
-- take: elements, strings and rows by position, and what stands for nothing found.
local has_ffi = pcall(require, "ffi")
local locus = require "locus"
local support = require "spec.support"

local message, same = support.message, support.same
local nan = support.nan
local random = math.random
local long = locus.LongTensor

describe("take of a frame", function()
  it("knows the column of each missing value", function()
    local f = locus.frame {{"a", {1, 2}}}
    assert.error_matches(function() f:take({0, 1}, {1, 3}) end,
      "take: the frame has no column '1'; it has 'a'", 1, true)
    assert.error_matches(function() f:take({0, 1}, {[print] = 3}) end,
      "take: the frame has no column '[function]'; it has 'a'", 1, true)
  end)
end)

describe("take", function()
  it("gives the elements at positions of any size", function()
    local x = locus.tensor{1.5, 2, 3}
    same(x:take{3, 1, 3}, {3}, {3, 1.5, 3})
    same(x:take{{3, 1}}, {1, 2}, {3, 1.5})
    same(x:take(long{2, 1}:int(), {base = 1}), {2}, {2, 1.5})
    same(x:take(locus.tensor(2, {dtype = "int64"})), {}, {2})
    same(x:take(locus.zeros(0, 2, {dtype = "int64"})), {0, 2}, {})
    same(locus.take({5, 6}, {1, 0}, {base = 0}), {2}, {6, 5})
    same(locus.arange(12):view(3, 4):t():select(2, 2):take{4, 1}, {2}, {7, 4})
  end)

  it("gives `missing` for the position before the first one", function()
    local x = locus.tensor{1.5, 2, 3}
    same(x:take({3, 0, 1}, nan), {3}, {3, nan, 1.5})
    same(x:take({2, -1, 0}, 7, {base = 0}), {3}, {3, 7, 1.5})
    same(x:take({0, 0}, locus.tensor(9, {dtype = "int32"})), {2}, {9, 9})
    same(locus.zeros(0):take({0, 0}, 7), {2}, {7, 7})
    same(locus.tensor{true, false}:take({0, 2, 1}, true), {3}, {true, false, true}, "bool")
    local out = locus.zeros(2)
    assert.is_true(rawequal(out, x:take({1, 0}, 4, {out = out})))
    same(out, {2}, {1.5, 4})
  end)

  it("keeps every bit, in every dtype and layout, for many elements", function()
    for _, dtype in ipairs(support.dtypes) do
      local n, m = random(1, 5000), random(1, 5000)
      local x = locus.arange(1, 2 * n + 1):remainder(100):to(dtype)[{{1, 2 * n, 2}}]
      local at, values = {}, x:totable()
      for i = 1, m do at[i] = random(0, n) end
      values[0] = locus.tensor({1}, {dtype = dtype}):totable()[1]
      local want = {}
      for i = 1, m do want[i] = values[at[i]] end
      same(x:take(long(at), 1), {m}, want, dtype)
      same(x:take(locus.IntTensor(at):view(m, 1):expand(m, 2):select(2, 2), 1), {m}, want, dtype)
      same(x:take(long(at) - 1, 1, {base = 0}), {m}, want, dtype)
    end
  end)

  it("keeps int64 exact", function()
    if not has_ffi then return end
    local least, most = unpack(support.range.int64)
    same(locus.tensor({most, least}, {dtype = "int64"}):take({2, 0, 1}, most - 1), {3},
      {least, most - 1, most}, "int64")
  end)

  it("refuses other positions, and a value that does not fit", function()
    local x = locus.tensor{1.5, 2, 3}
    local function says(text, ...) assert.equal("take: " .. text, message(locus.take, ...)) end
    says("position 0 at [2] means nothing found, and 'missing' is not given", x, {1, 0})
    says("position -1 at [0] means nothing found, and 'missing' is not given", x, {-1},
      {base = 0})
    says("position 4 at [1] is outside 1..3, the positions of dimension 1", x, {4}, 0)
    says("position -1 at [2,1] is outside 1..3, the positions of dimension 1", x, {{1}, {-1}}, 0)
    says("position 3 at [0] is outside 0..2, the positions of dimension 1", x, {3}, 0, {base = 0})
    says("'missing' is nan, which int64 cannot hold", x:long(), {1}, nan)
    says("'missing' is 300, which uint8 cannot hold", x:byte(), {1}, 300)
    says("'missing' must be a number or a 0-d tensor, got size 2", x, {1}, x[{{1, 2}}])
    says("'input' must be 1-D, got size 1x2", {{1, 2}}, {1})
    says("'positions' must be int64 or int32, got float64", x, x)
    says("'positions' is missing", x)
    says("'out' overlaps 'input' in memory; give a separate tensor", x, {1, 2, 3}, {out = x})
    local at = long{1, 2}
    says("'out' overlaps 'positions' in memory; give a separate tensor", at:clone(), at, {out = at})
  end)
end)

describe("take of a string column", function()
  local c = locus.strings{"a", "b", "a"}

  it("gives strings, and `missing`, which may be none of its names", function()
    assert.same({"a", "b"}, c:take({3, 2}):totable())
    assert.same({"b", "none", "a"}, c:take({2, 0, 1}, "none"):totable())
    assert.same({"b", "b"}, c:take({1, -1}, "b", {base = 0}):totable())
    assert.same({"", ""}, locus.strings{}:take({0, 0}, ""):totable())
    assert.same({"a", "b"}, c.names)
    assert.same({"a", "b", "none"}, c:take({0}, "none").names)
  end)

  it("says what is wrong", function()
    assert.equal("take: position 0 at [1] means nothing found, and 'missing' is not given",
      message(c.take, c, {0}))
    assert.equal("take: 'missing' must be a string, got the number 5", message(c.take, c, {0}, 5))
    assert.equal("take: 'positions' must be 1-D, got a table",
      message(c.take, c, {{1}}, ""):gsub("got .*", "got a table"))
  end)
end)

describe("take of a frame", function()
  local f = locus.frame {{"x", {1, 2.5}}, {"s", {"a", "b"}}, {"i", long{1, 2}, "date"}}
  local function rows(...) return f:take(...):totable() end

  it("gives rows, in the order and of the kinds of the columns", function()
    assert.same({x = {2.5, 1}, s = {"b", "a"}, i = {2, 1}}, rows{2, 1})
    assert.same({"x", "s", "i"}, f:take({1}):columns())
    assert.equal("date", f:take({1}):types().i)
    assert.equal(0, #f:take(long{}))
  end)

  it("puts values by name for nothing found, else NaN and an empty string", function()
    local taken = rows({2, 0}, {i = 7})
    assert.same({{"b", ""}, {2, 7}}, {taken.s, taken.i})
    assert.is_true(taken.x[1] == 2.5 and taken.x[2] ~= taken.x[2])
    assert.same({x = {9, 1}, s = {"none", "a"}, i = {-1, 1}},
      rows({-1, 0}, {x = 9, s = "none", i = -1}, {base = 0}))
    assert.same({x = {0, 1}}, f:select("x"):take({0, 1}, 0):totable())
  end)

  it("takes arguments by name, as everything does", function()
    local s = f:select("s")
    assert.same({s = {"b", "a"}}, s:take({1, 0}, {base = 0}):totable())
    assert.same({s = {"none", "a"}}, s:take({0, 1}, {missing = "none"}):totable())
    assert.same({s = {"none", "a"}}, s:take({-1, 0}, {missing = {s = "none"}, base = 0}):totable())
    assert.same({s = {"", "a"}}, s:take({-1, 0}, {}, {base = 0}):totable())
    assert.same({s = {"b", "none"}}, s:take{positions = {2, 0}, missing = "none"}:totable())
    assert.same({s = {"b", "none"}}, s:take{long{2, 0}, missing = "none", base = 1}:totable())
    local g = locus.frame {{"base", {1, 2}}}
    assert.same({base = {2, 1}}, g:take({1, 0}, {base = 0}):totable())
    assert.same({base = {7, 1}}, g:take({0, 1}, {missing = {base = 7}}):totable())
    assert.equal("take: 'base' must be 1 or 0, got the number 7",
      message(g.take, g, {1}, {base = 7}))
    assert.equal("take: the frame has no column 'base'; it has 's'",
      message(s.take, s, {1}, {base = 0, s = "none"}))
  end)

  it("says what is wrong", function()
    local function says(text, ...) assert.equal("take: " .. text, message(f.take, f, ...)) end
    says("position 0 at [2] means nothing found, and 'missing' is not given", {1, 0})
    says("a row of the column 'i' finds nothing, and int64 has no NaN; write "
      .. "missing = {i = ...}", {1, 0}, {x = 1})
    says("the frame has no column 'y'; it has 'i', 's', 'x'", {1}, {y = 1})
    says("'missing' of the column 's' must be a string, got the number 5", {1}, 5)
    says("'missing' of the column 'x' must be a number, got the string \"none\"", {1}, "none")
    says("'positions' must be a 1-D tensor or a list, got the number 5", 5)
    says("position 3 at [1] is outside 1..2, the positions of dimension 1", {3}, {i = 0})
  end)
end)
