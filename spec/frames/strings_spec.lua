-- SPDX-License-Identifier: MIT
-- String columns: making, reading, comparing, asking each name once, order; against lists of Lua
-- strings, at random and at the edges, and every sentence of an error.
local locus = require "locus"
local strings = require "locus.frame.strings"
local support = require "spec.support"
local before = require("spec.support.text").before

local message = support.message

local compared = {
  eq = function(a, b) return a == b end,
  ne = function(a, b) return a ~= b end,
  lt = before,
  le = function(a, b) return not before(b, a) end,
  gt = function(a, b) return before(b, a) end,
  ge = function(a, b) return not before(a, b) end,
}

local pool = {"", "\0", "IBM", "IBM\0", "AAPL", "aapl", "\255", "MSFT", ("x"):rep(300), "\195\164"}

local function random_list(n, names)
  local list = {}
  for i = 1, n do list[i] = pool[math.random(names)] end
  return list
end

local function mapped(list, f)
  local result = {}
  for i, v in ipairs(list) do result[i] = f(v, i) end
  return result
end

-- Raises unless the column has exactly these strings, and every id is one of a name.
local function same(column, list)
  assert.is_true(strings.is(column))
  assert.equal(#list, #column)
  assert.same(list, column:totable())
  assert.equal("int32", column.ids.dtype)
  for i, s in ipairs(list) do assert.equal(s, column.names[column.ids[i]]) end
end

-- The same, its names being those that stand in it, in order of first appearance.
local function same_compact(column, list)
  same(column, list)
  local names, seen = {}, {}
  for _, s in ipairs(list) do
    if not seen[s] then names[#names + 1] = s end
    seen[s] = true
  end
  assert.same(names, column.names)
end

local function longs(list) return locus.tensor(list, {dtype = "int64"}) end

describe("strings", function()
  it("makes a column of a list", function()
    local c = locus.strings {"IBM", "AAPL", "IBM", ""}
    same_compact(c, {"IBM", "AAPL", "IBM", ""})
    support.same(c.ids, {4}, {1, 2, 1, 3}, "int32")
    assert.same({"IBM", "AAPL", ""}, c.names)
    assert.equal(c.names, c.names)
    assert.equal("string", c.dtype)
    assert.equal(support.device:match("^%a+"), c.device:match("^%a+"))
    assert.equal("cpu", locus.strings({"a"}, {device = "cpu"}).device)
    assert.equal(4, #c)
    same_compact(locus.strings {}, {})
    same_compact(locus.strings {list = {"a"}}, {"a"})
  end)

  it("refuses what is no list of strings", function()
    assert.equal("strings: 'list' is missing", message(locus.strings))
    assert.equal("strings: 'list' must be a list of strings, got the string \"abc\"",
      message(locus.strings, "abc"))
    assert.equal("strings: 'list' must be a list of strings, got a table",
      message(locus.strings, {[1] = "a", [3] = "b", [7] = "c"}))
    assert.equal("strings: 'list[2]' must be a string, got the number 5",
      message(locus.strings, {"a", 5}))
    assert.equal("strings: 'list[1]' must be a string, got the Lua boolean true",
      message(locus.strings, {true}))
  end)

  it("takes a hundred thousand different ones", function()
    local list = {}
    for i = 1, 100000 do list[i] = "s" .. i * 7919 % 100003 end
    local c = locus.strings(list)
    same_compact(c, list)
    assert.equal(1, c:eq(list[77]):count_nonzero())
  end)
end)

describe("the brackets of a string column", function()
  local list = {"b", "a", "b", "", "c"}
  local c = locus.strings(list)

  it("give strings", function()
    for i, s in ipairs(list) do
      assert.equal(s, c[i])
      assert.equal(s, c[i - 6])
      assert.equal(s, c[{i}])
    end
    for _, i in ipairs {0, 6, -6} do
      assert.equal(("index: %d is outside 1..5, the positions of dimension 1"):format(i),
        message(function() return c[i] end))
    end
  end)

  it("give columns with the same names", function()
    same(c[locus.tensor {true, false, true, true, false}], {"b", "b", ""})
    same(c[longs {5, 1, 1, -2}], {"c", "b", "b", ""})
    same(c[{ {2, 3} }], {"a", "b"})
    same(c[{ {1, -1, 2} }], {"b", "b", "c"})
    same(c[{longs {3}}], {"b"})
    same(c[c:eq("x")], {})
    same(c[{ {2, 3} }][{ {2, 2} }], {"b"})
    assert.same({"b", "a", "", "c"}, c[{ {2, 3} }].names)
  end)

  it("refuse other keys", function()
    local wanted = "index: the index must be a whole number, a range, an index tensor or a mask, "
      .. "got "
    assert.equal(wanted .. "nil", message(function() return c[nil] end))
    assert.equal(wanted .. "the number 1.5", message(function() return c[1.5] end))
    assert.equal(wanted .. "a string column of size 5", message(function() return c[c] end))
    assert.equal("index: a string column has one dimension; the positions have 2",
      message(function() return c[longs {{1, 2}}] end))
  end)

  it("cannot be written to", function()
    local sentence = "a string column cannot be changed; c:map(f) makes another"
    assert.equal(sentence, message(function() c[1] = "x" end))
    assert.equal(sentence, message(function() c.ids = 5 end))
    same(c, list)
  end)

  it("say that ids that somebody has changed name nothing", function()
    local d = locus.strings {"a", "b"}
    d.ids:fill_(7)
    assert.equal("ids: the number 7 is none of the 2 names", message(function() return d[1] end))
    assert.equal("compact: id 1 is 7, but the names are 1 to 2", message(d.compact, d))
  end)
end)

describe("a string column", function()
  it("compares with a string and with a column", function()
    math.randomseed(71)
    for round = 1, 40 do
      local n = round % 8 == 0 and 0 or math.random(50)
      local a, b = random_list(n, math.random(#pool)), random_list(n, #pool)
      local c, d = locus.strings(a), locus.strings(b)
      for name, f in pairs(compared) do
        local columns = mapped(a, function(s, i) return f(s, b[i]) end)
        support.same(c[name](c, d), {n}, columns, "bool")
        for _, other in ipairs {"IBM", "", "no name", "\255\255", pool[math.random(#pool)]} do
          local expected = mapped(a, function(s) return f(s, other) end)
          support.same(c[name](c, other), {n}, expected, "bool")
        end
        support.same(c[name](c, c), {n}, mapped(a, function(s) return f(s, s) end), "bool")
        local turned = c[{ {1, -1} }]
        support.same(c[name](c, turned), {n}, mapped(a, function(s) return f(s, s) end), "bool")
      end
    end
  end)

  it("refuses to compare with others", function()
    local c = locus.strings {"a", "b", "c"}
    for name in pairs(compared) do
      assert.equal(name .. ": 'other' must be a string or a string column, got the number 5",
        message(c[name], c, 5))
      assert.equal(name .. ": 'other' of size 2 does not broadcast with size 3",
        message(c[name], c, locus.strings {"a", "b"}))
      assert.equal(name .. ": 'input' must be a string column, got the string \"a\"",
        message(c[name], "a", "b"))
    end
    assert.is_true(c == c) -- luacheck: ignore
    assert.is_false(c == locus.strings {"a", "b", "c"})
    assert.equal("< and > compare whole values; write c:lt(other) or c:gt(other)",
      message(function() return c < c end))
    assert.equal("<= and >= compare whole values; write c:le(other) or c:ge(other)",
      message(function() return c <= c end))
    assert.equal(".. joins strings; write locus.cat({c, d}), or tostring(c) for its text",
      message(function() return c .. "x" end))
  end)

  it("looks strings up in lists and in columns", function()
    local c = locus.strings {"b", "a", "b", "", "c"}
    support.same(c:isin {"b", "", "x"}, {5}, {true, false, true, true, false}, "bool")
    support.same(c:isin {}, {5}, {false, false, false, false, false}, "bool")
    support.same(c:isin(locus.strings {"c", "a"}), {5}, {false, true, false, false, true}, "bool")
    -- Names that no row has do not count.
    support.same(c:isin(c[{ {2, 2} }]), {5}, {false, true, false, false, false}, "bool")
    support.same(locus.strings {}:isin {"a"}, {0}, {}, "bool")
    assert.equal("isin: 'values' must be a list of strings, got the string \"b\"",
      message(c.isin, c, "b"))
    assert.equal("isin: 'values[2]' must be a string, got the number 1",
      message(c.isin, c, {"a", 1}))
  end)

  it("finds patterns", function()
    local list = {"GET /a", "POST /b", "GET /b", "", "GET /a"}
    local c = locus.strings(list)
    support.same(c:match("^GET"), {5}, {true, false, true, false, true}, "bool")
    support.same(c:match("/b$"), {5}, {false, true, true, false, false}, "bool")
    support.same(c:match(""), {5}, {true, true, true, true, true}, "bool")
    support.same(c[{ {2, 3} }]:match("GET"), {2}, {false, true}, "bool")
    support.same(locus.strings {}:match("x"), {0}, {}, "bool")
    assert.equal("match: 'pattern': malformed pattern (missing ']')", message(c.match, c, "[a"))
    assert.equal("match: 'pattern' must be a string, got the number 5", message(c.match, c, 5))
    assert.equal("match: 'pattern' is missing", message(c.match, c))
  end)
end)

describe("map", function()
  local list = {"b", "aa", "b", "", "aa"}
  local c = locus.strings(list)

  it("asks once for each string that is there", function()
    local asked = {}
    local rows = c[{ {2, 4} }]
    local lengths = rows:map(function(s)
      asked[#asked + 1] = s
      return #s
    end)
    assert.same({"aa", "b", ""}, asked)
    support.same(lengths, {3}, {2, 1, 0}, "float64")
  end)

  it("gives strings, numbers or booleans", function()
    same_compact(c:map(string.upper), mapped(list, string.upper))
    same_compact(c:map(function(s) return s == "" and "none" or "some" end),
      {"some", "some", "some", "none", "some"})
    support.same(c:map(function(s) return #s / 2 end), {5}, {0.5, 1, 0.5, 0, 1}, "float64")
    support.same(c:map(string.len, {dtype = "int8"}), {5}, {1, 2, 1, 0, 2}, "int8")
    support.same(c:map(function(s) return s == "b" end), {5},
      {true, false, true, false, false}, "bool")
  end)

  it("of no strings gives none, or an empty tensor", function()
    local none = c[c:eq("x")]
    same_compact(none:map(string.len), {})
    support.same(none:map(string.len, {dtype = "float64"}), {0}, {}, "float64")
  end)

  it("raises what is no answer, and what f raises", function()
    local wanted = "map: 'f' must give strings, numbers or booleans, and one kind for all, got "
    assert.equal(wanted .. "nil", message(c.map, c, function() end))
    assert.equal(wanted .. "a table", message(c.map, c, function() return {} end))
    assert.equal(wanted .. "the number 2 after the string \"b\"",
      message(c.map, c, function(s) return s == "b" and s or #s end))
    assert.equal("map: 'f' must be a function, got the string \"len\"", message(c.map, c, "len"))
    local thrown = {}
    local ok, got = pcall(c.map, c, function() error(thrown) end)
    assert.is_false(ok)
    assert.equal(thrown, got)
    same(c, list)
  end)
end)

describe("the order of a string column", function()
  it("is that of bytes, equal strings staying in order", function()
    math.randomseed(72)
    for n = 0, 60 do
      local list = random_list(n, math.random(#pool))
      for _, descending in ipairs {false, true} do
        local order = {}
        for i = 1, n do order[i] = i end
        table.sort(order, function(i, j)
          local a, b = list[i], list[j]
          if a == b then return i < j end
          if descending then a, b = b, a end
          return before(a, b)
        end)
        local c = locus.strings(list)
        local sorted, positions = c:sort(descending)
        same(sorted, mapped(order, function(i) return list[i] end))
        support.same(positions, {n}, order, "int64")
        support.same(c:argsort(descending), {n}, order, "int64")
      end
    end
  end)
end)

describe("the names of a string column", function()
  it("that no row has go at compact", function()
    math.randomseed(73)
    for n = 0, 30 do
      local list = random_list(n, #pool)
      local c = locus.strings(list)
      local mask = c:lt("IBM")
      local kept = {}
      for i, s in ipairs(list) do
        if mask[i] then kept[#kept + 1] = s end
      end
      same(c[mask], kept)
      same_compact(c[mask]:compact(), kept)
      same_compact(c:compact(), list)
      local once = c[mask]:unique()
      same_compact(once, once.names)
      assert.same(c[mask]:compact().names, once.names)
    end
  end)

  it("are joined by cat", function()
    local c, d = locus.strings {"b", "a", "b"}, locus.strings {"x", "a", "y"}
    same_compact(strings.cat {c, d[{ {2, 3} }], c}, {"b", "a", "b", "a", "y", "b", "a", "b"})
    same(strings.cat {c, c[{ {2, 2} }]}, {"b", "a", "b", "a"})
    same(strings.cat {locus.strings {}, d}, {"x", "a", "y"})
    same(strings.cat {c}, {"b", "a", "b"})
  end)
end)

describe("string columns", function()
  local c = locus.strings {"b", "a", "b"}

  it("are walked", function()
    local seen = {}
    for i, s in c:iter() do seen[i] = s end
    assert.same({"b", "a", "b"}, seen)
    local last
    for i, s in c:iter {base = 0} do last = i .. s end
    assert.equal("2b", last)
    for _ in locus.strings {}:iter() do error("none") end
    assert.equal("iter: is for loops; write for i, s in c:iter() do",
      message(function() c:iter()() end))
    assert.is_false((pcall(pairs, c)))
    assert.equal("a string column cannot be called; write c[i], or for i, s in c:iter() do",
      message(function() c() end))
  end)

  it("do not read the table of names that users have", function()
    local d = locus.strings {"b", "a", "b"}
    table.sort(d.names)
    assert.same({"a", "b"}, d.names)
    assert.same({"b", "a", "b"}, d:totable())
    assert.equal("b", d[1])
    support.same(d:match("b"), {3}, {true, false, true}, "bool")
    assert.same({"B", "A", "B"}, d:map(string.upper):totable())
    assert.same({"b", "a", "b"}, strings.cat {d, locus.strings {}}:totable())
  end)

  it("are counted by their ids", function()
    support.same(c.ids:bincount(), {2}, {2, 1}, "int64")
  end)

  it("go to a device", function()
    same(c:to("cpu"), {"b", "a", "b"})
    assert.equal("cpu", c:to("cpu").device)
    assert.equal('to: \'device\' must be "cpu", "cuda" or "cuda:<number>", got "gpu"',
      message(c.to, c, "gpu"))
  end)

  it("print as tensors do", function()
    local function text(column) return support.nowhere(tostring(column)) end
    assert.equal(' "b"  "a"  "b"\n[string column of size 3, 2 names]', text(c))
    assert.equal("[string column of size 0, 0 names]", text(locus.strings {}))
    assert.equal(' "a\\"\\\\\\n\\x00\\x7f"\n[string column of size 1, 1 name]',
      text(locus.strings {'a"\\\n\0\127'}))
    local long = text(locus.strings {("\195\164"):rep(30), ("x"):rep(39) .. "\195\164", "z"})
    assert.matches('"' .. ("\195\164"):rep(20) .. '"...', long, 1, true)
    assert.matches(' "' .. ("x"):rep(39) .. '"...', long, 1, true)
    local many = {}
    for i = 1, 2000 do many[i] = "s" .. i end
    local edges = ' +"s1" +"s2" +"s3" +%.%.%. +"s1998" +"s1999" +"s2000"\n'
    assert.matches("^" .. edges .. "%[string column of size 2000, 2000 names%]$",
      text(locus.strings(many)))
  end)

  it("say what they are, and have no other names", function()
    assert.equal("abs: 'input' must be a tensor, a table or a number, "
      .. "got a string column of size 3", message(locus.abs, c))
    assert.equal("string column", getmetatable(c))
    local function unknown(name) return message(function() return c[name] end) end
    assert.equal("a string column has no 'idx'", unknown("idx"))
    assert.equal("a string column has no 'nmaes'; did you mean 'names'?", unknown("nmaes"))
    assert.equal("a string column has no 'bincount'; write c.ids:bincount()", unknown("bincount"))
    assert.equal("a string column has no 'upper'; write c:map(string.upper)", unknown("upper"))
    assert.equal("a string column has no 'xyzzy_of_some_length'", unknown("xyzzy_of_some_length"))
  end)

  it("hold no more memory than they need, and give it back #host", function()
    for _ = 1, 3 do collectgarbage() end
    local live = locus.live_bytes()
    local d = locus.strings {"b", "a", "b"}
    assert.is_true(locus.live_bytes() - live < 2000)
    d = d[{ {1, 2} }]:compact()
    assert.equal(2, #d)
    d = nil -- luacheck: ignore
    for _ = 1, 3 do collectgarbage() end
    assert.equal(live, locus.live_bytes())
  end)
end)
