-- SPDX-License-Identifier: MIT
-- f:join against two loops in plain Lua: keys of every type and of two dtypes, several of them,
-- duplicates, NaN, frames without rows; and what it refuses.
local has_ffi = pcall(require, "ffi")
local locus = require "locus"
local support = require "spec.support"

local message, nan = support.message, support.nan
local long, random = locus.LongTensor, math.random

-- A column of n keys, some of them twice, and the same as a list.
local make = {}

local function drawn(n, choices)
  local list = {}
  for i = 1, n do list[i] = choices[random(#choices)] end
  return list
end

function make.float64(n)
  local list = drawn(n, {nan, -0.0, 0, 1, 1.5, -1, 3, locus.inf, -locus.inf})
  return locus.tensor(list, {dtype = "float64"}), list
end

function make.int64(n)
  local base = has_ffi and support.integer("9007199254740992") or 0
  local list = {}
  for i = 1, n do list[i] = random(3) == 1 and base + random(3) or random(-1, 3) end
  return locus.tensor(list, {dtype = "int64"}), list
end

function make.string(n)
  local list = drawn(n, {"", "a", "b", "aa", "\0", "\195\169", "c" .. random(9)})
  return locus.strings(list), list
end

function make.bool(n)
  local list = drawn(n, {true, false})
  return locus.tensor(list, {dtype = "bool"}), list
end

for _, dtype in ipairs {"uint8", "int8", "int16", "int32", "float16", "bfloat16", "float32"} do
  make[dtype] = function(n)
    local list = drawn(n, {0, 1, 2, 3, 5})
    return locus.tensor(list, {dtype = dtype}), list
  end
end

function make.complex128(n)
  local list = drawn(n, {1, 2, 3})
  return locus.tensor(list, {dtype = "float64"}):to("complex128"), list
end

local function equal(a, b) return a == b or a ~= a and b ~= b end

-- The pairs of rows, {in f, in g}, of keys that are lists of lists.
local function naive(n, m, own, theirs)
  local found = {}
  for i = 1, n do
    found[i] = {}
    for j = 1, m do
      local all = true
      for k = 1, #own do all = all and equal(own[k][i], theirs[k][j]) end
      if all then table.insert(found[i], j) end
    end
  end
  return found
end

-- What the four joins answer, as lists of rows of f and of g.
local function answers(found)
  local a = {inner = {{}, {}}, left = {{}, {}}, semi = {{}}, anti = {{}}}
  local function put(how, i, j)
    table.insert(a[how][1], i)
    if j then table.insert(a[how][2], j) end
  end
  for i, rows in ipairs(found) do
    for _, j in ipairs(rows) do
      put("inner", i, j)
      put("left", i, j)
    end
    if #rows == 0 then put("left", i, -1) end
    put(#rows == 0 and "anti" or "semi", i)
  end
  return a
end

local function check(f, g, on, found)
  for how, wanted in pairs(answers(found)) do
    local missing = how == "left" and {right = -1} or nil
    local joined = f:join(g, {on = on, how = how, missing = missing})
    assert.same(wanted[1], joined.row:long():int():totable(), how)
    if wanted[2] then assert.same(wanted[2], joined.right:int():totable(), how) end
  end
end

-- Frames of those key columns, with the number of each row.
local function numbered(name, keys, n)
  local columns = {{name, locus.arange(1, n + 1):long()}}
  for k, key in ipairs(keys) do columns[k + 1] = {"k" .. k, key} end
  return locus.frame(columns)
end

local SIZES = {{0, 0}, {0, 3}, {3, 0}, {1, 1}, {30, 4}, {5, 40}, {40, 40}}

describe("join", function()
  it("finds what two loops find, by a key of any type", function()
    math.randomseed(21)
    for _, of in pairs(make) do
      for _, size in ipairs(SIZES) do
        local n, m = unpack(size)
        local a, own = of(n)
        local b, theirs = of(m)
        check(numbered("row", {a}, n), numbered("right", {b}, m), "k1",
          naive(n, m, {own}, {theirs}))
      end
    end
  end)

  it("by several keys, of other frames' strings, and of two dtypes", function()
    math.randomseed(22)
    local names = {"float64", "string", "int64", "uint8", "float32"}
    for round = 1, 80 do
      local n, m = random(0, 40), random(0, 40)
      local own, theirs, left, right, on = {}, {}, {}, {}, {}
      for k = 1, random(1, 3) do
        local name = names[random(#names)]
        local other = name == "string" and name or name == "int64" and "uint8" or "int16"
        if round % 2 == 0 then other = name end
        left[k], own[k] = make[name](n)
        right[k], theirs[k] = make[other](m)
        on[k] = "k" .. k
      end
      check(numbered("row", left, n), numbered("right", right, m), on, naive(n, m, own, theirs))
    end
  end)

  it("takes each row once where the other frame's keys are unique", function()
    local f = locus.frame {{"id", long{3, 1, 9, 3}}, {"x", {1, 2, 3, 4}}}
    local names = {"one", "two", "three"}
    local g = locus.frame {{"name", names}, {"id", long{1, 2, 3}}, {"y", {5, 6, 7}}}
    local j = f:join(g, {on = "id"})
    assert.same({"id", "x", "name", "y"}, j:columns())
    assert.same({id = {3, 1, 3}, x = {1, 2, 4}, name = {"three", "one", "three"}, y = {7, 5, 7}},
      j:totable())
    j = f:join(g, {on = "id", how = "left"})
    assert.same({"three", "one", "", "three"}, j.name:totable())
    assert.is_true(j.y[3] ~= j.y[3])
    j = f:join(g, {on = {"id"}, how = "left", missing = {y = -1, name = "?"}})
    assert.same({y = {7, 5, -1, 7}, name = {"three", "one", "?", "three"}},
      j:select("y", "name"):totable())
    assert.same({3}, f:join(g, {on = "id", how = "anti"}).x:totable())
    assert.same({"id", "x"}, f:join(g, {on = "id", how = "semi"}):columns())
  end)

  it("keeps times, and columns of one name under another", function()
    local f = locus.frame {{"id", {1, 2}}, {"t", long{5, 6}, "time"}}
    local g = locus.frame {{"id", {2}}, {"t", long{7}, {"time", unit = "ns"}}}
    local j = f:join(g, {on = "id", suffix = "_g"})
    assert.same({"id", "t", "t_g"}, j:columns())
    assert.equal("time", j:types().t)
    assert.same({"time", unit = "ns"}, j:types().t_g)
    assert.same({"id", "t"}, f:join(g, {on = "id", how = "semi"}):columns()) -- none clash
  end)

  it("says what is wrong", function()
    local f = locus.frame {{"id", {1, 2}}, {"n", long{1, 2}}, {"t", long{5, 6}, "time"}}
    local function says(text, ...) assert.equal("join: " .. text, message(f.join, f, ...)) end
    local g = locus.frame {{"id", {1}}, {"m", long{4}}, {"s", {"x"}}}
    says("'other' must be a frame, got the number 5", 5, {on = "id"})
    says("'on' is missing", g)
    says("'on' names no column", g, {on = {}})
    says("'id' is named twice", g, {on = {"id", "id"}})
    says("the frame has no column 'ID'; did you mean 'id'?", g, {on = "ID"})
    says("'how' must be \"inner\", \"left\", \"semi\" or \"anti\", got \"outer\"", g,
      {on = "id", how = "outer"})
    says("nothing is found for a row of the column 'm', and int64 has no NaN; write "
      .. "missing = {m = ...}", g, {on = "id", how = "left"})
    says("nothing is found for a row of the column 'm', and int64 has no NaN; write "
      .. "missing = {m = ...}", g:with("m", g.m, {kind = "time"}), {on = "id", how = "left"})
    says("'missing' must be a table of values by name, got the number 0", g,
      {on = "id", how = "left", missing = 0})
    says("'missing' is for how = \"left\" alone", g, {on = "id", missing = {m = 0}})
    says("the frame has no column 'x'; it has 'm', 's'", g,
      {on = "id", how = "left", missing = {x = 0}})
    says("both frames have a column 'n'; give a 'suffix' for those of the other one, or rename it",
      locus.frame {{"id", {7}}, {"n", {1}}}, {on = "id"})
    says("the column 'id' must be of one kind in both frames, got float64 and string",
      g:with("id", {"1"}), {on = "id"})
    says("the column 'n' is int64 in one frame and complex64 in the other, which do not compare",
      locus.frame {{"n", locus.ones(1, {dtype = "complex64"})}}, {on = "n"})
  end)

  it("counts the rows of its answer before it asks for memory #host", function()
    local n = 4e6
    local f = locus.frame {{"k", locus.zeros(n, {dtype = "uint8"})}}
    assert.equal("join: the answer would have 16000000000000 rows, which is too many; is a key "
      .. "missing in 'on'?", message(f.join, f, f, {on = "k"}))
  end)
end)
