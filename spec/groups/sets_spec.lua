-- SPDX-License-Identifier: MIT
-- unique, unique_consecutive, isin and lookup, of tensors and of string columns: against Lua tables
-- at random; their options, what two dtypes have in common, and what they refuse.
local locus = require "locus"
local numbering = require "spec.support.models.numbering"
local support = require "spec.support"

local random = math.random
local same = support.same

local function raises(message, f, ...)
  assert.equal(message, support.message(f, ...))
end

-- All that can be asked for, with other options.
local function all(options)
  options = options or {}
  options.return_inverse, options.return_counts, options.return_index = true, true, true
  return options
end

local function pick(list, positions)
  local picked = {}
  for i, p in ipairs(positions) do picked[i] = list[p] end
  return picked
end

-- The one order of two different values: NaN last, true behind false.
local function before(a, b)
  if type(a) == "boolean" then return b and not a end
  return a < b or b ~= b and a == a
end

local function counts_of(ids, n)
  local counts = {}
  for id = 1, n do counts[id] = 0 end
  for _, id in ipairs(ids) do counts[id] = counts[id] + 1 end
  return counts
end

-- The runs of equal neighbours: the number of each one's, and where they begin.
local function runs_of(list)
  local ids, firsts = {}, {}
  for i, v in ipairs(list) do
    if i == 1 or numbering.key(v) ~= numbering.key(list[i - 1]) then firsts[#firsts + 1] = i end
    ids[i] = #firsts
  end
  return ids, firsts
end

local function check_values(got, list, dtype)
  if dtype == "string" then assert.same(list, got:totable())
  else same(got, {#list}, list, dtype) end
end

-- Checks unique or unique_consecutive of a column, whose elements are `list`, against those.
local function check(x, list, dtype, name, ids, firsts, sorted)
  local values, inverse, counts, index = x[name](x, all{sorted = sorted})
  check_values(values, pick(list, firsts), dtype)
  same(inverse, {#list}, ids, "int64")
  same(counts, {#firsts}, counts_of(ids, #firsts), "int64")
  same(index, {#firsts}, firsts, "int64")
  assert.equal(1, select("#", x[name](x, {sorted = sorted})))
  local _, from_zero, at_zero =
    x[name](x, {sorted = sorted, return_inverse = true, return_index = true, base = 0})
  assert.is_true(from_zero:equal(inverse - 1) and at_zero:equal(index - 1))
end

local function each_column(visit)
  for _, dtype in ipairs(support.sample(support.dtypes, 5)) do
    for _, n in ipairs {0, 1, 2, 9, 400} do
      local x = support.tensor(dtype, numbering.random(dtype, n, true))
      visit(support.laid(x, support.layouts[random(#support.layouts)]), support.values(x), dtype)
    end
  end
  for _, n in ipairs {0, 1, 2, 9, 400} do
    local list = {}
    for i = 1, n do list[i] = string.rep("a", random(0, 3)) .. random(0, 2) end
    visit(locus.strings(list), list, "string")
  end
end

-- Many elements, nearly all different, in no order; of floats a few are NaN or zeros of both
-- signs.
local function many(dtype, n)
  local list = {}
  for i = 1, n do list[i] = random(-2 ^ 30, 2 ^ 30) end
  for i = 100, n, 500 do list[i] = list[i - 99] end
  if support.types[dtype].kind == "FLOAT" then
    for i = 7, n, 900 do list[i], list[i + 1], list[i + 2] = i % 2 == 0 and 0 or -0.0, -0.0, 0 end
    for i = 11, n, 900 do list[i] = support.nan end
  end
  return support.tensor(dtype, list)
end

local MANY = {"int32", "int64", "float32", "float64"}

describe("unique", function()
  it("gives each value once, in order of first appearance, and what is asked for", function()
    math.randomseed(17)
    each_column(function(x, list, dtype)
      local ids, firsts = numbering.of(list)
      check(x, list, dtype, "unique", ids, firsts, false)
    end)
  end)

  it("sorts the values, NaN last, and what goes with them", function()
    math.randomseed(18)
    each_column(function(x, list, dtype)
      if support.types[dtype] and support.types[dtype].kind == "COMPLEX" then return end
      local sorted = dtype == "string" or nil -- tensors do so unless told otherwise
      local ids, firsts = numbering.of(list)
      table.sort(firsts, function(i, j) return before(list[i], list[j]) end)
      local places = {}
      for place, first in ipairs(firsts) do places[ids[first]] = place end
      check(x, list, dtype, "unique", pick(places, ids), firsts, sorted)
    end)
  end)

  it("sorts many that differ in the same way, and keeps the first of equal ones", function()
    math.randomseed(22)
    for _, dtype in ipairs(MANY) do
      local x = many(dtype, 9000)
      local list = support.values(x)
      local ids, firsts = numbering.of(list)
      assert.is_true(#firsts > 8500)
      table.sort(firsts, function(i, j) return before(list[i], list[j]) end)
      local places = {}
      for place, first in ipairs(firsts) do places[ids[first]] = place end
      check(x, list, dtype, "unique", pick(places, ids), firsts)
      same(x:unique(), {#firsts}, pick(list, firsts), dtype)
    end
  end)

  it("flattens, and gives the inverse input's size", function()
    local x = locus.tensor({{3, 1}, {1, 3}, {2, 3}})
    local values, inverse, counts, index = x:unique(all())
    same(values, {3}, {1, 2, 3}, "float64")
    same(inverse, {3, 2}, {3, 1, 1, 3, 2, 3}, "int64")
    same(counts, {3}, {2, 1, 3}, "int64")
    same(index, {3}, {2, 5, 1}, "int64")
    local one, at = locus.tensor(5):unique{return_inverse = true}
    same(one, {1}, {5})
    same(at, {}, {1}, "int64")
    same(locus.unique({{2, 2}}), {1}, {2})
  end)

  it("gives strings names of their own", function()
    local c = locus.strings {"x", "b", "a", "b", "x"}[{ {2, 4} }]
    local once, inverse = c:unique {return_inverse = true}
    assert.same({"b", "a"}, once.names)
    assert.same({"b", "a"}, once:totable())
    same(inverse, {3}, {1, 2, 1}, "int64")
  end)

  it("says what is wrong", function()
    raises("unique: 'input' must be a tensor or a table, got the number 1", locus.unique, 1)
    raises("unique: takes at most 1 argument by position, got 2; write {return_inverse = true}, "
           .. "{return_counts = true} or {return_index = true}",
           locus.unique, locus.ones(2), true)
    raises("unique: 'input' is complex64, and complex numbers have no order; write sorted = false",
           locus.unique, locus.zeros(2, {dtype = "complex64"}))
  end)
end)

describe("unique_consecutive", function()
  it("leaves out what equals the element before it", function()
    math.randomseed(19)
    each_column(function(x, list, dtype)
      check(x, list, dtype, "unique_consecutive", runs_of(list))
    end)
  end)

  it("flattens", function()
    local values, inverse = locus.unique_consecutive({{1, 1}, {1, 2}}, {return_inverse = true})
    same(values, {2}, {1, 2})
    same(inverse, {2, 2}, {1, 1, 1, 2}, "int64")
  end)
end)

-- The first position of each of the values in a list, 0 where it has none.
local function places(list, values)
  local _, firsts, known = numbering.of(list)
  local found, is_there = {}, {}
  for i, v in ipairs(values) do
    found[i] = firsts[known[numbering.key(v)] or 0] or 0
    is_there[i] = found[i] > 0
  end
  return found, is_there
end

describe("lookup and isin", function()
  it("find the first of each value in every dtype", function()
    math.randomseed(20)
    for _, dtype in ipairs(support.dtypes) do
      for _, n in ipairs {0, 1, 5, 300} do
        local x = support.laid(support.tensor(dtype, numbering.random(dtype, n, true)), "stepped")
        local values = support.tensor(dtype, numbering.random(dtype, 60)):view(6, 10)
        local found, is_there = places(support.values(x), support.values(values))
        same(x:lookup(values), {6, 10}, found, "int64")
        assert.is_true(x:lookup(values, {base = 0}):equal(x:lookup(values) - 1))
        same(values:isin(x), {6, 10}, is_there, "bool")
      end
    end
  end)

  it("find many among many that differ", function()
    math.randomseed(23)
    for _, dtype in ipairs(MANY) do
      local x = many(dtype, 9000)
      local values = locus.cat({many(dtype, 200), x[{ {1, 9000, 40} }]})
      local _, is_there = places(support.values(x), support.values(values))
      same(values:isin(x), {#values}, is_there, "bool")
      same(x:isin(x), {9000}, support.values(locus.ones(9000, {dtype = "bool"})), "bool")
    end
    local x, values = many("float32", 9000), many("float64", 50)
    local _, is_there = places(support.values(x:double()), support.values(values))
    same(values:isin(x), {50}, is_there, "bool")
    local nan = support.tensor("float64", {support.nan})
    same(nan:isin(locus.arange(0, 9000) * 1.5), {1}, {false}, "bool")
  end)

  it("compare two dtypes exactly", function()
    math.randomseed(21)
    local big = support.integer("9007199254740993")
    local exact = {uint8 = true, int16 = true, int64 = true, float32 = true, float64 = true}
    for a in pairs(exact) do
      for b in pairs(exact) do
        local x = support.tensor(a, numbering.random(a, 80))
        local values = support.tensor(b, numbering.random(b, 80))
        local equal = values:view(80, 1):eq(x:view(1, 80))
        local is_there = equal:any(2)
        -- eq does not take NaN for NaN, and rounds nothing but int64 beside floats: below
        local nan = values:isnan():logical_and(x:isnan():any())
        if a ~= "int64" and b ~= "int64" then
          assert.is_true(values:isin(x):equal(is_there:logical_or(nan)), a .. " " .. b)
        end
      end
    end
    local long = support.tensor("int64", {big, big - 1, 5, support.range.int64[1]})
    local double = support.tensor("float64", {2 ^ 53, 5, 5.5, -2 ^ 63, 2 ^ 63, support.nan, -0.0})
    same(long:lookup(double), {7}, {2, 3, 0, 4, 0, 0, 0}, "int64")
    same(double:lookup(long), {4}, {0, 1, 2, 4}, "int64")
    same(long:isin(double), {4}, {false, true, true, true}, "bool")
    same(support.tensor("int64", {0}):lookup(double), {7}, {0, 0, 0, 0, 0, 0, 1}, "int64")
    local int = support.tensor("int32", {16777217, 16777216})
    for _, dtype in ipairs(support.floats) do
      local ends = support.tensor(dtype, {math.huge, -math.huge, 0 / 0, 5})
      same(ends:isin(long), {4}, {false, false, false, true}, "bool")
      same(long:lookup(ends), {4}, {0, 0, 0, 3}, "int64")
    end
    same(support.tensor("float32", {16777216}):isin(int), {1}, {true}, "bool")
    same(int:isin(support.tensor("float32", {16777216})), {2}, {false, true}, "bool")
    same(support.tensor("bool", {1, 0}):lookup(support.tensor("int8", {0, 1, 2})), {3}, {2, 1, 0})
    same(int:lookup(support.tensor("complex64", {support.complex(16777216, 0)})), {1}, {2})
  end)

  it("take numbers and tables", function()
    local ids = support.tensor("int64", {7, 9, 7})
    assert.equal(1, ids:lookup(7))
    assert.equal(0, ids:lookup(8))
    assert.equal(-1, ids:lookup(7.5, {base = 0}))
    assert.is_true(locus.isin(7, ids))
    assert.is_false(locus.isin(1, {}))
    assert.is_true(locus.isin(true, support.tensor("bool", {1})))
    same(ids:isin(9), {3}, {false, true, false}, "bool")
    same(ids:isin{9, 1}, {3}, {false, true, false}, "bool")
    same(ids:lookup{{9, 1}}, {1, 2}, {2, 0}, "int64")
    assert.equal(2, support.tensor("int64", {1, support.range.int64[2]})
      :lookup(support.range.int64[2]))
  end)

  it("round a number, and a 0-d tensor, as the floats beside it", function()
    for _, dtype in ipairs {"float16", "bfloat16", "float32", "float64"} do
      local x = support.tensor(dtype, {0.1, 2, 0.3})
      for _, value in ipairs {0.3, locus.tensor(0.3)} do
        same(x:isin(value), {3}, {false, false, true}, "bool")
        assert.is_true(x:isin(value):equal(x:eq(value)))
        local found = x:lookup(value)
        assert.equal(3, type(found) == "number" and found or found:item())
        local inside = locus.isin(value, x)
        assert.is_true(inside == true or inside ~= false and inside:item())
      end
      assert.equal(2, x:lookup(2LL))
      assert.is_false(locus.isin(0.2, x))
      assert.is_true(support.tensor(dtype, {locus.inf}):isin(1e300):item() == (dtype ~= "float64"))
    end
    local z = support.tensor("complex64", {0.1})
    assert.is_true(z:isin(0.1):item() and z:isin(support.complex(0.1, 0)):item())
    assert.is_true(support.tensor("float32", {0.1}):isin(support.complex(0.1, 0)):item())
    assert.is_true(support.tensor("float32", {16777216}):isin(16777217LL):item())
    -- a tensor with dimensions, or a table, is compared exactly, and so are integers
    local single = support.tensor("float32", {0.1})
    assert.is_false(single:isin(locus.tensor{0.1}):item())
    assert.is_false(single:isin{0.1}:item())
    assert.is_false(support.tensor("uint8", {44}):isin(300):item())
    assert.is_false(support.tensor("int64", {1}):isin(1.5):item())
    assert.equal(0, support.tensor("int32", {1, 2}):lookup(1.5))
  end)

  it("find strings of other columns, of lists and alone", function()
    local c = locus.strings {"b", "a", "b", ""}
    same(c:lookup {"a", "x", ""}, {3}, {2, 0, 4}, "int64")
    same(c:lookup(c, {base = 0}), {4}, {0, 1, 0, 3}, "int64")
    same(c[{ {2, 3} }]:lookup(c), {4}, {2, 1, 2, 0}, "int64")
    assert.equal(1, c:lookup("b"))
    assert.equal(-1, c:lookup("zz", {base = 0}))
    same(c:lookup {}, {0}, {}, "int64")
    same(locus.strings {}:lookup(c), {4}, {0, 0, 0, 0}, "int64")
  end)

  it("say what is wrong", function()
    raises("lookup: 'input' must be 1-D, got a float64 tensor of size 2x2", locus.lookup,
           locus.zeros(2, 2), 1)
    raises("lookup: 'values' must be of a dtype that goes with int64, got complex64", locus.lookup,
           locus.zeros(2, {dtype = "int64"}), locus.zeros(2, {dtype = "complex64"}))
    raises("lookup: 'values' is missing", locus.lookup, locus.zeros(2))
    local c = locus.strings {"a"}
    raises("lookup: 'values' must be a list of strings, got the number 5", c.lookup, c, 5)
    raises("lookup: 'values[2]' must be a string, got the number 1", c.lookup, c, {"a", 1})
    raises("lookup: 'input' must be a string column, got the number 5", c.lookup, 5, "a")
  end)
end)

describe("a number beside floats in isin and lookup", function()
  it("is rounded to their dtype, as eq does", function()
    for _, dtype in ipairs {"float16", "bfloat16", "float32", "float64"} do
      local x = locus.tensor({3, 0.1, 1 / 3, locus.inf, -0.0}):to(dtype)
      for _, number in ipairs {0.1, 1 / 3, 3, 1e300, -1e-320, 0.7, locus.inf, 5LL} do
        local wanted = x:eq(number)
        assert.is_true(x:isin(number):equal(wanted), dtype .. " " .. tostring(number))
        local at = wanted:any() and wanted:nonzero()[{1, 1}] or 0
        assert.equal(at, x:lookup(number))
        assert.equal(at > 0, locus.isin(number, x))
      end
      assert.equal(dtype == "float64", x:isin {0.1}:any()) -- a table is a tensor of float64
    end
  end)
end)
