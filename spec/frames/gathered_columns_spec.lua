-- SPDX-License-Identifier: MIT
-- Columns of a frame are gathered side by side, in one job, after one look at the positions: each
-- as by itself, whatever the number of threads; errors are those of a single column.
local locus = require "locus"
local frames = require "spec.support.data.frames"
local shared = require "spec.support.trials.shared"
local support = require "spec.support"

-- Whether the columns of f are those that each(column) gives.
local function check_columns(f, of, each)
  for _, name in ipairs(of:columns()) do
    local expected, got = each(of:column(name)), f:column(name)
    assert.equal(shared.bytes(unpack(expected:totable())), shared.bytes(unpack(got:totable())))
  end
end

-- n positions of `rows` rows; with `none` some are 0, which is no row.
local function positions(n, rows, none)
  return locus.randint(none and 0 or 1, rows + 1, {n}):to(support.device)
end

-- Two columns: lists that unpack can take.
local ROWS = 150

describe("columns of a frame", function()
  after_each(shared.restore)

  it("at positions are those of each column", function()
    for _ = 1, 20 do
      local f = frames.random(ROWS, 6)
      local at = positions(support.sample({0, 1, 7, 90}, 1)[1], ROWS)
      for _, index in ipairs {at, at:int(), at - ROWS - 1, at[{{1, -1, 2}}]} do
        check_columns(f[index], f, function(c) return c[index] end)
      end
    end
  end)

  it("at a mask, sorted, unique and by group are those of each column", function()
    for _ = 1, 10 do
      local f = frames.random(ROWS, 4):with("key", positions(ROWS, 9))
      local mask, order = f.key:gt(4), f.key:argsort()
      local _, firsts = f.key:unique{return_index = true}
      check_columns(f[mask], f, function(c) return c[mask] end)
      check_columns(f:sort("key"), f, function(c) return c[order] end)
      firsts = firsts:sort()
      check_columns(f:unique("key"), f, function(c) return c[firsts] end)
      check_columns(f:group("key").keys, f:select("key"), function(c) return c[firsts] end)
      check_columns(f:group("key"):agg{n = {"count"}}:select("key"), f:select("key"),
        function(c) return c[firsts] end)
    end
  end)

  it("taken are those of each column", function()
    for _ = 1, 20 do
      local f = frames.random(ROWS, 6)
      local at, missing = positions(60, ROWS, true), {}
      for i, name in ipairs(f:columns()) do
        local c = f:column(name)
        if not locus.is_tensor(c) then missing[name] = i % 2 == 0 and "none" or nil
        elseif c.dtype == "bool" then missing[name] = i % 2 == 0
        elseif i % 2 == 0 or not c.dtype:find "float" then missing[name] = 7 end
      end
      local base = math.random(0, 1)
      if base == 0 then at = at - 1 end
      local taken = f:take(at, missing, {base = base})
      for _, name in ipairs(f:columns()) do
        local c, none = f:column(name), missing[name]
        if none == nil then none = locus.is_tensor(c) and locus.nan or "" end
        check_columns(taken:select(name), f:select(name), function()
          return c:take(at, none, {base = base})
        end)
      end
    end
  end)

  it("of strided, of expanded and of no elements", function()
    local x = locus.arange(40):view(20, 2)
    local f = locus.frame{{"a", x[{{}, 1}]}, {"b", x[{{}, 2}]:flip(1)},
                          {"c", locus.ones(1):expand(20)}, {"d", x[{{}, 2}]}}
    local at = positions(33, 20)
    check_columns(f[at], f, function(c) return c[at] end)
    check_columns(f:take(at), f, function(c) return c:take(at) end)
    local none = f[f.a:lt(0)]
    assert.equal(0, #none)
    assert.equal(0, #none[locus.empty(0, {dtype = "int64"})])
  end)

  it("say at wrong positions what one column says", function()
    local f = locus.frame{{"a", locus.arange(5)}, {"b", locus.arange(5):long()},
                          {"s", locus.strings{"a", "b", "a", "c", "d"}}}
    local function same(key)
      local expected = support.message(function() return f.a[key] end)
      assert.equal(expected, support.message(function() return f[key] end))
    end
    same(locus.tensor({1, 6}, {dtype = "int64"}))
    same(locus.tensor({1, 0}, {dtype = "int32"}))
    same(locus.tensor({-6}, {dtype = "int64"}))
    same(locus.tensor({1}, {dtype = "uint8"}))
    same(locus.tensor({1}, {dtype = "float32"}))
    local function taken(at)
      local expected = support.message(locus.take, f.a, at)
      assert.equal(expected, support.message(f.take, f, at))
    end
    taken(locus.tensor({1, 6}, {dtype = "int64"}))
    taken(locus.tensor({1, -1}, {dtype = "int64"}))
    taken(locus.tensor({0}, {dtype = "int64"}))
    taken(locus.tensor({1}, {dtype = "float32"}))
    assert.equal("take: 'missing' is 0.5, which int64 cannot hold",
      support.message(f.take, f, locus.tensor({1}, {dtype = "int64"}), {b = 0.5, s = ""}))
    assert.matches("a row of the column 'b' finds nothing, and int64 has no NaN",
      support.message(f.take, f, locus.tensor({0}, {dtype = "int64"}), {}))
  end)

  it("that were freed or resized meanwhile raise", function()
    local x = locus.arange(5)
    local f = locus.frame{{"a", locus.arange(5)}, {"x", x}}
    local at = locus.tensor({1, 5}, {dtype = "int64"})
    x:free()
    assert.matches("index: 'input' has been freed", support.message(function() return f[at] end))
    assert.matches("take: 'input' has been freed", support.message(f.take, f, at))
  end)
end)

describe("columns of a frame #host", function()
  after_each(shared.restore)

  local function all(f)
    local list = {}
    for i, name in ipairs(f:columns()) do
      local c = f:column(name)
      list[i] = locus.is_tensor(c) and c or c.ids
    end
    return unpack(list)
  end

  it("are one job for all: short ones together are long enough to share", function()
    local f = locus.frame{{"a", locus.rand(5000)}, {"b", locus.rand(5000)}, {"c", locus.rand(5000)},
                          {"d", locus.rand(5000)}, {"e", locus.rand(5000)}}
    local at = locus.randperm(5000)
    assert.equal(1, shared.jobs(2, function() return f[at] end))
    assert.equal(1, shared.jobs(2, function() return f:take(at) end))
    assert.equal(0, shared.jobs(2, function() return f.a[at] end))
    assert.equal(0, shared.jobs(1, function() return f[at] end))
  end)

  it("are looked at once by long positions", function()
    local n = 2e5
    local f = locus.frame{{"a", locus.rand(n)}, {"b", locus.rand(n)}, {"c", locus.rand(n)}}
    local at = locus.randperm(n)
    assert.equal(2, shared.jobs(2, function() return f[at] end)) -- a look, and the gather
    assert.equal(2, shared.jobs(2, function() return f:take(at) end))
  end)

  it("are the same for any number of threads", function()
    locus.manual_seed(3)
    local f = frames.random(700, 7)
    local n = 21000
    local g = locus.frame{{"a", locus.rand(n)}, {"b", locus.rand(n):float()},
      {"c", (locus.rand(n) * 9):to("int8")},
      {"s", locus.strings{"x", "y"}:take(locus.randint(1, 3, {n}))}}
    for _, each in ipairs {f, g} do
      local rows = #each
      local at, none = positions(rows, rows), locus.randint(0, rows + 1, {rows})
      shared.check("positions", function() return all(each[at]) end)
      shared.check("mask", function() return all(each[at:gt(rows / 2)]) end)
      shared.check("from the end", function() return all(each[at:neg():int()]) end)
      shared.check("sort", function() return all(each:with("key", at):sort("-key")) end)
      shared.check("unique", function() return all(each:with("key", at):unique("key")) end)
      if each == g then
        local missing = {c = 5}
        shared.check("take", function() return all(each:take(none, missing)) end)
      end
      shared.check("asof", function()
        local there = each:with("on", locus.arange(rows))
        local missing = {}
        for _, name in ipairs(each:columns()) do
          local c = each:column(name)
          if locus.is_tensor(c) and not c.dtype:find "float" then missing[name] = 1 end
        end
        return all(there:select("on"):asof(there, {on = "on", missing = missing}))
      end)
    end
  end)

  it("leave nothing behind where memory runs out", function()
    local f = frames.random(300, 5):with("s", locus.strings{"a", "b", "c"}:take(positions(300, 3)))
    local at = positions(200, 300)
    shared.with(3, true, function()
      assert.is_true(shared.fail(function() return f[at] end) > 6)
      local few = f:select("s"):with("x", locus.arange(300)):with("y", locus.arange(300))
      assert.is_true(shared.fail(function() return few:take(at, {x = 2}) end) > 3)
    end)
  end)
end)
