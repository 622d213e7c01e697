-- SPDX-License-Identifier: MIT
-- f:pivot, f:unpivot and f:value_counts against plain Lua: keys of every type, cells without a row
-- and with several, names that are made, and the sentences about wrong arguments.
local locus = require "locus"
local support = require "spec.support"

local message, nan = support.message, support.nan
local long, random = locus.LongTensor, math.random

local function drawn(n, choices)
  local list = {}
  for i = 1, n do list[i] = choices[random(#choices)] end
  return list
end

-- The distinct values of a list in order of first appearance, and the number of each.
local function numbered(list)
  local order, number = {}, {}
  for _, value in ipairs(list) do
    if not number[value] then
      order[#order + 1] = value
      number[value] = #order
    end
  end
  return order, number
end

describe("f:value_counts", function()
  it("counts the rows of each key, the most frequent first", function()
    math.randomseed(71)
    for _ = 1, 30 do
      local n = random(0, 60)
      local a, b = drawn(n, {"x", "y", "", "z"}), drawn(n, {1, 2, -3})
      local both = {}
      for i = 1, n do both[i] = a[i] .. "|" .. b[i] end
      local order, number = numbered(both)
      local counts = {}
      for _, key in ipairs(both) do counts[key] = (counts[key] or 0) + 1 end
      table.sort(order, function(p, q)
        if counts[p] ~= counts[q] then return counts[p] > counts[q] end
        return number[p] < number[q]
      end)
      local f = locus.frame {{"a", locus.strings(a)}, {"b", locus.tensor(b, {dtype = "int32"})},
                             {"x", locus.zeros(n)}}
      local got = f:value_counts("a", "b"):totable()
      for i, key in ipairs(order) do
        assert.equal(key, got.a[i] .. "|" .. got.b[i])
        assert.equal(counts[key], got.count[i])
      end
      assert.equal(#order, #got.count)
    end
  end)

  it("takes NaN for one key, keeps kinds, and names the counts as asked", function()
    local f = locus.frame {{"t", long{5, 6, 5}, "time"}, {"x", {nan, 1, nan}}}
    local got = f:value_counts("x", {name = "n"})
    assert.same({2, 1}, got.n:totable())
    assert.equal("int64", got.n.dtype)
    assert.equal("time", f:value_counts("t"):types().t)
  end)

  it("says what is wrong", function()
    local f = locus.frame {{"count", {1, 2}}}
    assert.equal("value_counts: a column is called 'count' already; write name = \"...\" for the "
      .. "counts", message(f.value_counts, f, "count"))
    assert.equal("value_counts: 'names' is missing", message(f.value_counts, f))
    assert.equal("value_counts: 'names' names no column", message(f.value_counts, f, {}))
    assert.equal("value_counts: 'names' names 'count' twice",
      message(f.value_counts, f, "count", "count"))
  end)
end)

describe("f:pivot", function()
  it("makes a column of each key, and a cell of all rows of two keys", function()
    math.randomseed(72)
    for _ = 1, 30 do
      local n = random(1, 60)
      local a, b, x = drawn(n, {"x", "y", "z"}), drawn(n, {1, 2, -3, 0.5}), {}
      for i = 1, n do x[i] = random(1000) end
      local rows, columns = numbered(a), numbered(b)
      local sums = {}
      for i = 1, n do
        local key = a[i] .. "|" .. b[i]
        sums[key] = (sums[key] or 0) + x[i]
      end
      local f = locus.frame {{"a", locus.strings(a)}, {"b", b}, {"x", x}}
      local got = f:pivot {rows = "a", columns = "b", values = "x", how = "sum"}
      assert.same(rows, got.a:totable())
      assert.equal(#columns + 1, #got:columns())
      for c, key in ipairs(columns) do
        local values = got:column(tostring(key)):totable()
        assert.equal(tostring(key), got:columns()[c + 1])
        for r, row in ipairs(rows) do
          local sum = sums[row .. "|" .. key]
          if sum then assert.equal(sum, values[r]) else assert.is_true(values[r] ~= values[r]) end
        end
      end
    end
  end)

  local function quotes()
    return locus.frame {{"sym", {"a", "b", "a", "c", "b"}}, {"day", long{1, 1, 2, 2, 3}, "date"},
      {"x", {1, 2, 3, 4, 5}}, {"n", long{1, 2, 3, 4, 5}}, {"who", {"p", "q", "r", "s", "t"}}}
  end

  it("writes keys as their column does, and fills cells without a row", function()
    local f = quotes():pivot {rows = "sym", columns = "day", values = "who"}
    assert.same({"sym", "1970-01-02", "1970-01-03", "1970-01-04"}, f:columns())
    assert.same({"p", "q", ""}, f:column("1970-01-02"):totable())
    f = quotes():pivot {rows = "sym", columns = "day", values = "n", missing = -1}
    assert.same({3, -1, 4}, f:column("1970-01-03"):totable())
    assert.equal("int64", f:column("1970-01-03").dtype)
    f = quotes():pivot {rows = "sym", columns = "who", values = "day", missing = {day = 0}}
    assert.equal("date", f:types().p)
    assert.same({1, 0, 0}, f:column("p"):to("cpu"):totable())
  end)

  it("joins the keys of several columns, and puts several values before them", function()
    local f = quotes():pivot {rows = "sym", columns = {"day", "who"}, values = "x"}
    assert.equal("1970-01-02_p", f:columns()[2])
    f = quotes():pivot {rows = {"sym", "who"}, columns = "day", values = {"x", "n"}, missing = 0}
    assert.same({"sym", "who", "x_1970-01-02", "x_1970-01-03", "x_1970-01-04", "n_1970-01-02",
                 "n_1970-01-03", "n_1970-01-04"}, f:columns())
    f = quotes():drop("who"):pivot {rows = "sym", columns = "day", missing = {n = 0}}
    assert.equal(7, #f:columns()) -- all columns that are left are values
  end)

  it("counts, and takes the answers of agg with their options", function()
    local f = quotes():pivot {rows = "day", columns = "sym", how = "count"}
    assert.same({1, 1, 0}, f.a:totable())
    f = quotes():pivot {rows = "day", columns = "sym", how = {"count"}, missing = -1}
    assert.same({1, 1, -1}, f.a:totable())
    f = locus.frame {{"a", {"p", "p", "p"}}, {"b", {"q", "q", "q"}}, {"x", {1, 2, 9}}}
    assert.same({2}, f:pivot {rows = "a", columns = "b", how = {"quantile", 0.5}}.q:totable())
    local all = {"var", correction = 0}
    assert.near(38 / 3, f:pivot {rows = "a", columns = "b", how = all}.q[1], 1e-12)
  end)

  it("takes a frame without rows", function()
    local f = quotes()[{ {1, 0} }]:pivot {rows = "sym", columns = "day", values = "x"}
    assert.same({"sym"}, f:columns())
    assert.equal(0, #f)
  end)

  it("says what is wrong", function()
    local f = quotes()
    local function told(wanted, options, of)
      assert.equal("pivot: " .. wanted, message(f.pivot, of or f, options))
    end
    told("a row of the column 'n' finds nothing, and int64 has no NaN; write missing = {n = ...}",
      {rows = "sym", columns = "day", values = "n"})
    told("the frame has no column 'zz'; it has 'day', 'n', 'sym', 'who', 'x'",
      {rows = "sym", columns = "day", values = "zz"})
    told("'missing' names 'n', which is none of 'values'",
      {rows = "sym", columns = "day", values = "x", missing = {n = 1}})
    told("'values' names 'x' twice", {rows = "sym", columns = "day", values = {"x", "x"}})
    told("two columns would be called 'sym'; rename a column or change its values",
      {rows = "sym", columns = "k", values = "x"}, f:with("k", {"a", "sym", "b", "b", "b"}))
    told("the column 'k' has \"\", which names no column; leave such rows out: f[f.k:ne(\"\")]",
      {rows = "sym", columns = "k", values = "x"}, f:with("k", {"a", "", "b", "b", "b"}))
    told("2 rows have sym = a, day = 1970-01-02; write how = \"sum\", \"mean\", \"last\" or "
      .. "another of agg's", {rows = "sym", columns = "day", values = "x"}, locus.cat {f, f})
    told("'columns' names 'sym' twice", {rows = "sym", columns = "sym", values = "x"})
    told("'rows' names no column", {rows = {}, columns = "sym", values = "x"})
    local said = message(f.pivot, f, {rows = "sym", columns = "day", values = "x", how = "median"})
    assert.matches("^pivot: 'how' must be one of count, sum, .*; write {\"quantile\", 0.5}$", said)
    for how, sentence in pairs {
      [{"sum", "x"}] = [['how' must be {"sum", dtype = ...}, and has the string "x" behind that]],
      [{"quantile"}] = [['how' must be {"quantile", q}, q is nil]],
      [{"mean", skipna = true}] = [['how' must be {"mean", dtype = ...}, there is no 'skipna'; ]]
        .. "NaN is let through: write nan before the name, as in nanmean",
    } do told(sentence, {rows = "sym", columns = "day", values = "x", how = how}) end
  end)
end)

describe("f:unpivot", function()
  it("puts columns below each other, with their names beside them", function()
    local f = locus.frame {{"id", {"a", "b"}}, {"day", long{1, 2}, "date"}, {"q1", {1, 2}},
                           {"q2", {3, nan}}}
    local g = f:unpivot {index = {"id", "day"}, name = "quarter", value = "sales"}
    assert.same({"id", "day", "quarter", "sales"}, g:columns())
    assert.same({"a", "b", "a", "b"}, g.id:totable())
    assert.same({"q1", "q1", "q2", "q2"}, g.quarter:totable())
    assert.same({1, 2, 3}, {g.sales[1], g.sales[2], g.sales[3]})
    assert.equal("date", g:types().day)
    assert.same(g:column("sales"):isnan():totable(), {false, false, false, true})
    assert.same({"q2", "q2"}, f:unpivot {on = "q2", index = "id"}.name:totable())
    assert.same({"id", "day", "name", "value"}, f:unpivot {on = {"q1", "q2"}}:columns())
    assert.same({"name", "value"}, f:select("q1", "q2"):unpivot():columns())
  end)

  it("is what pivot undoes", function()
    math.randomseed(73)
    for _ = 1, 20 do
      local n = random(1, 20)
      local f = locus.frame {{"id", locus.arange(1, n + 1):long()}}
      for c = 1, random(5) do f = f:with("c" .. c, locus.rand(n)) end
      local again = f:unpivot {index = "id"}:pivot {rows = "id", columns = "name", values = "value"}
      assert.same(f:columns(), again:columns())
      assert.equal(tostring(f), tostring(again))
    end
  end)

  it("takes strings, times and numbers that make one dtype, and no others", function()
    local f = locus.frame {{"s", {"a"}}, {"u", {"b"}}, {"t", long{5}, "time"},
                           {"i", long{"9007199254740993"}}, {"x", {0.5}}, {"k", locus.IntTensor{7}}}
    assert.same({"a", "b"}, f:unpivot {on = {"s", "u"}}.value:totable())
    assert.equal("time", f:unpivot {on = "t"}:types().value)
    assert.same({"float64", 7}, {f:unpivot {on = {"x", "k"}}.value.dtype,
                                 f:unpivot {on = {"x", "k"}}.value[2]})
    assert.equal("unpivot: the columns 's' and 'x' go below each other and must be of one type, "
      .. "got string and float64; name those to stack in 'on'",
      message(f.unpivot, f, {on = {"s", "x"}}))
    assert.equal("unpivot: the column 'i' is int64 and has numbers that float64 would round; stack "
      .. "columns of one type", message(f.unpivot, f, {on = {"x", "i"}}))
    assert.equal("unpivot: 'on' names no column", message(f.unpivot, f, {on = {}}))
    assert.equal("unpivot: the columns 'name' and 'value' must have names of their own, got 'v' "
      .. "and 'v'", message(f.unpivot, f, {on = "x", name = "v", value = "v"}))
    assert.equal("unpivot: the columns 'name' and 'value' must have names of their own, got one "
      .. "of 'index', 's'", message(f.unpivot, f, {on = "x", name = "s"}))
  end)
end)
