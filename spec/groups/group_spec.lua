-- SPDX-License-Identifier: MIT
-- f:group and locus.group_by: keys, ids, and every question to groups, against Lua tables over
-- random frames with ties, NaN, -0, strings and int64 past 2^53; rows and each; what they refuse.
local locus = require "locus"
local numbering = require "spec.support.models.numbering"
local support = require "spec.support"

local random = math.random
local same = support.same

local function raises(message, f, ...)
  assert.equal(message, support.message(f, ...))
end

-- Lists of n random elements with many ties.
local make = {}

function make.key(n) return numbering.random("float32", n, true) end
function make.id(n) return numbering.random("int64", n, true) end
function make.x(n)
  local list = {}
  for i = 1, n do list[i] = random(20) == 1 and support.nan or random(-8, 8) / 4 end
  return list
end
function make.k(n)
  local list = {}
  for i = 1, n do list[i] = random(-3, 3) end
  return list
end
function make.sym(n)
  local list = {}
  for i = 1, n do list[i] = ("b"):rep(random(0, 2)) .. random(0, 1) end
  return list
end

local NAMES = {"key", "id", "x", "k", "sym"}

local function random_frame(n)
  local lists = {}
  for _, name in ipairs(NAMES) do lists[name] = make[name](n) end
  return locus.frame {
    {"key", support.tensor("float32", lists.key)}, {"id", support.tensor("int64", lists.id)},
    {"x", support.tensor("float64", lists.x)}, {"k", support.tensor("int16", lists.k)},
    {"sym", locus.strings(lists.sym)},
  }, lists
end

-- The rows of each group of those columns: lists of positions, in order of first appearance.
local function naive(lists, names, n)
  local texts = {}
  for i = 1, n do
    local words = {}
    for k, name in ipairs(names) do words[k] = numbering.key(lists[name][i]) end
    texts[i] = table.concat(words, "\1")
  end
  local ids = numbering.of(texts)
  local rows = {}
  for i, id in ipairs(ids) do
    rows[id] = rows[id] or {}
    table.insert(rows[id], i)
  end
  return rows, ids
end

local function sum(list)
  local total = 0
  for _, v in ipairs(list) do total = total + v end
  return total
end

local function extreme(list, before)
  local best = list[1]
  for _, v in ipairs(list) do
    if v ~= v then return v end
    if before(v, best) then best = v end
  end
  return best
end

-- The meaning of each question for the elements of one group.
local answer = {sum = sum}
function answer.mean(list) return sum(list) / #list end
function answer.min(list) return extreme(list, function(a, b) return a < b end) end
function answer.max(list) return extreme(list, function(a, b) return a > b end) end
function answer.first(list) return list[1] end
function answer.last(list) return list[#list] end
function answer.nunique(list) return #select(2, numbering.of(list)) end
function answer.any(list)
  for _, v in ipairs(list) do if v ~= 0 then return true end end
  return false
end
function answer.all(list)
  for _, v in ipairs(list) do if v == 0 then return false end end
  return true
end

local function by_group(rows, list, how)
  local answers = {}
  for i, positions in ipairs(rows) do
    local own = {}
    for k, p in ipairs(positions) do own[k] = list[p] end
    answers[i] = answer[how](own)
  end
  return answers
end

local function check_answer(got, rows, list, how)
  local wanted = by_group(rows, list, how)
  if locus.is_tensor(got) then same(got, {#rows}, wanted)
  else assert.same(wanted, got:totable()) end
end

local KEYS = {{"key"}, {"id"}, {"sym"}, {"k"}, {"sym", "k"}, {"key", "id", "sym"}}

describe("groups", function()
  it("answer as Lua tables do, by any keys", function()
    math.randomseed(22)
    for round = 1, 24 do
      local n = round == 1 and 0 or random(1, 120)
      local f, lists = random_frame(n)
      local names = KEYS[random(#KEYS)]
      local g = f:group(names)
      local rows, ids = naive(lists, names, n)
      assert.equal(#rows, #g)
      same(g.ids, {n}, ids, "int32")
      local counts = {}
      for i, own in ipairs(rows) do counts[i] = #own end
      same(g:count(), {#rows}, counts, "int64")
      assert.same(names, g.keys:columns())
      for _, name in ipairs(names) do
        check_answer(g.keys:column(name), rows, lists[name], "first")
      end
      for how in pairs(answer) do
        check_answer(g[how](g, "x"), rows, lists.x, how)
        check_answer(g[how](g, "k"), rows, lists.k, how)
      end
      for _, how in ipairs {"min", "max", "first", "last", "nunique"} do
        check_answer(g[how](g, "sym"), rows, lists.sym, how)
      end
      for i = 1, #rows do same(g:rows(i), {#rows[i]}, rows[i], "int64") end
    end
  end)

  it("tell neighbours past 2^53 apart, and take NaN for one", function()
    local big = support.integer("9007199254740993")
    local g = locus.group_by(support.tensor("int64", {big, big - 1, big}))
    same(g.ids, {3}, {1, 2, 1}, "int32")
    same(g.keys.key, {2}, {big, big - 1}, "int64")
    local h = locus.group_by {locus.tensor {support.nan, 0, -support.nan, -0.0}}
    same(h.ids, {4}, {1, 2, 1, 2}, "int32")
  end)

  it("have sums and deviations in the order of rows", function()
    local g = locus.group_by {1, 1, 1, 2}
    same(g:sum {1e16, 1, -1e16, 5}, {2}, {0, 5}, "float64")
    same(g:std {1, 2, 3, 9}, {2}, {1, support.nan}, "float64")
    same(g:var {1, 2, 3, 9}, {2}, {1, support.nan}, "float64")
    same(g:prod {1, 2, 3, 9}, {2}, {6, 9}, "float64")
    same(g:mean(support.tensor("int8", {1, 2, 6, 9})), {2}, {3, 9}, "float64")
    same(g:sum(support.tensor("bool", {1, 0, 1, 1})), {2}, {2, 1}, "int64")
  end)

  it("give quantiles as the groups alone have them", function()
    math.randomseed(23)
    local f, lists = random_frame(200)
    local g = f:group("sym")
    local rows = naive(lists, {"sym"}, 200)
    local qs = {0, 0.25, 0.5, 0.95, 1}
    for _, name in ipairs {"x", "k"} do
      local wanted = {}
      for _, own in ipairs(rows) do
        local values, nan = {}, false
        for k, p in ipairs(own) do
          values[k] = lists[name][p]
          nan = nan or values[k] ~= values[k]
        end
        table.sort(values, function(a, b) return a < b end)
        for _, q in ipairs(qs) do
          local h = q * (#values - 1)
          local low = values[math.floor(h) + 1]
          local high = values[math.min(math.floor(h) + 2, #values)]
          wanted[#wanted + 1] = nan and support.nan or low + (high - low) * (h % 1)
        end
      end
      local got = g:quantile(name, qs)
      for i, v in ipairs(support.values(got)) do
        assert.is_true(v ~= v and wanted[i] ~= wanted[i] or math.abs(v - wanted[i]) < 1e-12)
      end
      same(got, {#rows, #qs}, support.values(got), "float64")
      same(g:quantile(name, 0.95), {#rows}, support.values(got[{{}, 4}]), "float64")
    end
    same(locus.group_by{1, 1, 2}:quantile({-1 / 0, -1 / 0, 1 / 0}, 0.5), {2}, {-1 / 0, 1 / 0})
    local halves = locus.group_by{1, 1}:quantile(support.tensor("float32", {1, 2}), 0.5)
    same(halves, {1}, {1.5}, "float32")
  end)

  it("are one for each row, or one for all, or none", function()
    local g = locus.group_by(locus.arange(1000):long())
    assert.equal(1000, #g)
    assert.is_true(g:count():eq(1):all())
    assert.equal(1, #locus.group_by(locus.zeros(1000)))
    local none = locus.group_by(locus.zeros(0))
    assert.equal(0, #none)
    same(none:count(), {0}, {}, "int64")
    same(none:sum(locus.zeros(0)), {0}, {}, "float64")
    same(none:quantile(locus.zeros(0), 0.5), {0}, {}, "float64")
    assert.equal(0, #none:agg{n = "count"})
  end)

  it("keep the kinds of their keys and answers, and leave the frame as it is", function()
    local f = locus.frame {
      {"day", support.tensor("int64", {3, 3, 1}), "date"},
      {"at", support.tensor("int64", {5, 4, 3}), {"time", unit = "ns"}},
    }
    local g = f:group("day")
    assert.same({day = "date"}, g.keys:types())
    assert.equal('{day = "date", first = {"time", unit = "ns"}, n = "int64"}',
      tostring(g:agg{first = {"min", "at"}, n = "count"}:types()))
    same(f.at, {3}, {5, 4, 3}, "int64")
    assert.equal("[2 groups of 3 rows by 'day']", tostring(g))
    assert.equal("[1 group of 1 row by 'key1', 'key2']", tostring(locus.group_by{{1}, {"a"}}))
  end)
end)

describe("each", function()
  it("visits the groups in their order, with their rows, keys and numbers", function()
    local f = locus.frame {{"sym", {"b", "a", "b"}}, {"n", {1, 2, 4}}}
    local seen = {}
    f:group("sym"):each(function(part, key, i)
      seen[i] = {key.sym, part.sym:totable(), part.n:totable()}
    end)
    assert.same({{"b", {"b", "b"}, {1, 4}}, {"a", {"a"}, {2}}}, seen)
    local positions = {}
    locus.group_by {5, 6, 5}:each(function(rows, key, i)
      positions[i] = {key.key, rows:totable()}
      rows:fill_(0)
    end)
    assert.same({{5, {1, 3}}, {6, {2}}}, positions)
  end)

  it("gives what a function raises to its caller", function()
    local g = locus.group_by {1}
    raises("stop", g.each, g, function() error("stop") end)
  end)
end)

describe("groups say what is wrong with", function()
  local f = locus.frame {{"sym", {"b", "a", "b"}}, {"n", {1, 2, 4}}}
  local g = f:group("sym")

  it("keys", function()
    raises("group: 'names' is missing", f.group, f)
    raises("group: 'names' must hold the name of a column", f.group, f, {})
    raises("group: 'sym' is named twice", f.group, f, "sym", "sym")
    raises("group: the frame has no column 'price'; it has 'n', 'sym'", f.group, f, "price")
    raises("group_by: the column 'key' must be a 1-D tensor, a string column or a list, got the "
      .. "number 5", locus.group_by, 5)
    raises("group_by: the columns 'key1' and 'key2' must have the same length, got 2 and 1 rows",
      locus.group_by, {{1, 2}, {1}})
  end)

  it("columns", function()
    raises("sum: the frame has no column 'm'; it has 'n', 'sym'", g.sum, g, "m")
    raises("sum: the column 'sym' must be of numbers for 'sum', got a string column of size 3",
      g.sum, g, "sym")
    raises("min: 'column' must be real, got a complex64 tensor of size 3", g.min, g,
      locus.zeros(3, {dtype = "complex64"}))
    raises("sum: 'column' must have 3 rows, as the keys, got 2", g.sum, g, {1, 2})
    raises("sum: 'column' must be a 1-D tensor, a string column or a list, got a float64 tensor of "
      .. "size 3x1", g.sum, g, locus.zeros(3, 1))
    raises("sum: 'column' must be a 1-D tensor, a string column or a list, got the string \"x\"",
      locus.group_by({1}).sum, locus.group_by {1}, "x")
    raises("sum: 'column' is missing", g.sum, g)
    raises("sum: 'group' must be the groups of a frame, got a frame of 3 rows and 2 columns; "
      .. "write g:sum(...)", g.sum, f, "n")
  end)

  it("the rest", function()
    raises("quantile: 'q' must be a number from 0 to 1, or a list of such, got the number 2",
      g.quantile, g, "n", 2)
    raises("quantile: 'q' must be a number from 0 to 1, or a list of such, got the string \"x\"",
      g.quantile, g, "n", {0.5, "x"})
    raises("rows: 'i' must be one of the 2 groups, got the number 3", g.rows, g, 3)
    raises("rows: 'i' must be one of the 2 groups, got the number 0", g.rows, g, 0)
    raises("each: 'f' must be a function, got the number 5", g.each, g, 5)
    raises("groups have no 'median'; write g:quantile(column, 0.5)", function()
      return g.median
    end)
    raises("groups have no 'summ'; did you mean 'sum'?", function() return g.summ end)
    raises("groups have no brackets; write f[g:rows(i)]", function() return g[1] end)
    raises("groups do not change", function() g.keys = 1 end)
  end)
end)
