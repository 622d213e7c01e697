-- SPDX-License-Identifier: MIT
-- f:join against a comparison of every row with every other: keys of every type, several of them,
-- keys that repeat, sides without rows; and what it refuses.
local locus = require "locus"
local support = require "spec.support"

local message, nan = support.message, support.nan
local random = math.random

-- -- The plain form ------------------------------------------------------------------------------

local function equal(a, b) return a == b or a ~= a and b ~= b end

-- Pairs of rows of two lists of lists of keys, 0 for none.
local function plain(own, others, how)
  local list = {}
  for i, key in ipairs(own) do
    local found = false
    for j, other in ipairs(others) do
      local same = true
      for k = 1, #key do same = same and equal(key[k], other[k]) end
      if same and (how == "inner" or how == "left") then list[#list + 1] = i .. "," .. j end
      found = found or same
    end
    if how == "left" and not found then list[#list + 1] = i .. ",0" end
    if how == "semi" and found or how == "anti" and not found then list[#list + 1] = i .. "," end
  end
  return table.concat(list, " ")
end

-- The same of a joined frame whose sides have a column of their rows by number.
local function shown(f, how)
  local list = {}
  for i, row in f:iter() do
    local other = (how == "inner" or how == "left") and tonumber(row.there) or ""
    list[i] = ("%d,%s"):format(tonumber(row.here), other)
  end
  return table.concat(list, " ")
end

-- A side of n rows: columns key1, key2, ... of these types and the rows by number under `name`.
local function side(keys, types, name)
  local columns, numbers = {}, {}
  for k, kind in ipairs(types) do
    local list = {}
    for i, key in ipairs(keys) do list[i] = key[k] end
    local c = kind == "string" and locus.strings(list)
      or locus.tensor(list, {dtype = kind == "time" and "int64" or kind})
    columns[k] = {"key" .. k, c, kind == "time" and "time" or nil}
  end
  for i = 1, #keys do numbers[i] = i end
  columns[#columns + 1] = {name, locus.tensor(numbers, {dtype = "int64"})}
  return locus.frame(columns)
end

-- -- Random cases --------------------------------------------------------------------------------

local choices = {
  float64 = {0, -0.0, 1.5, -2, math.huge, nan}, float32 = {0, 1.5, -2, math.huge, nan},
  float16 = {0, 1.5, nan}, bfloat16 = {0, 1.5, nan}, string = {"", "a", "b", "a\0b"},
  bool = {true, false}, uint8 = {0, 255, 7}, int8 = {-128, 127, 0}, int16 = {-5, 5, 0},
  int32 = {-2 ^ 31, 5, 0}, int64 = {-2 ^ 53, 5, 0}, time = {0, 5, 1.7e15},
}
-- The types that may meet on the two sides.
local meeting = {
  float64 = {"float64", "float32"}, float32 = {"float32", "float64"}, string = {"string"},
  int64 = {"int64", "int16"}, int32 = {"int32", "int64"}, int16 = {"int16", "int64"},
  int8 = {"int8", "int32"}, uint8 = {"uint8", "int16"}, bool = {"bool"},
  time = {"time", "int64"},
  float16 = {"float16", "float32"}, bfloat16 = {"bfloat16"},
}
local kinds = {}
for kind in pairs(choices) do kinds[#kinds + 1] = kind end
table.sort(kinds)

local function random_keys(types, rows)
  local keys = {}
  for i = 1, rows do
    keys[i] = {}
    for k, kind in ipairs(types) do keys[i][k] = choices[kind][random(#choices[kind])] end
  end
  return keys
end

local function check(how)
  local types, others, names = {}, {}, {}
  for k = 1, random(3) do
    types[k] = kinds[random(#kinds)]
    local partners = meeting[types[k]]
    others[k], names[k] = partners[random(#partners)], "key" .. k
  end
  local own, their = random_keys(types, random(0, 8)), random_keys(types, random(0, 8))
  for k, kind in ipairs(others) do -- only what their type holds
    for _, key in ipairs(their) do
      if kind == "int16" and types[k] == "int64" and math.abs(key[k]) > 2 ^ 15 then key[k] = 9 end
    end
  end
  local left, right = side(own, types, "here"), side(their, others, "there")
  local missing = how == "left" and {there = 0} or nil
  local joined = left:join(right, {on = #names == 1 and random(2) == 1 and names[1] or names,
                                   how = how, missing = missing})
  local what = how .. " by " .. table.concat(types, ", ")
  assert.equal(plain(own, their, how), shown(joined, how), what)
  local wanted = #names + ((how == "inner" or how == "left") and 2 or 1)
  assert.equal(wanted, #joined:columns())
end

describe("join of random rows", function()
  for _, how in ipairs {"inner", "left", "semi", "anti"} do
    it("finds what a comparison of all finds: " .. how, function()
      for _ = 1, support.slow and 30 or 150 do check(how) end
    end)
  end

  it("does so where keys are there once each", function()
    for _ = 1, support.slow and 10 or 40 do
      local own, their, taken = random_keys({"int8"}, random(0, 9)), {}, {}
      for i = 1, random(0, 9) do
        local key = random(-4, 7)
        if not taken[key] then their[#their + 1], taken[key] = {key}, i end
      end
      for _, key in ipairs(own) do key[1] = random(-4, 7) end
      for _, how in ipairs {"inner", "left", "semi", "anti"} do
        local missing = how == "left" and {there = 0} or nil
        local joined = side(own, {"int64"}, "here"):join(side(their, {"int64"}, "there"),
          {on = "key1", how = how, missing = missing})
        assert.equal(plain(own, their, how), shown(joined, how))
      end
    end
  end)
end)

describe("join of int64 and float64 keys", function()
  local WHOLE = {"9007199254740991", "9007199254740992", "9007199254740993", "9007199254740994",
                 "-9007199254740993", "0", "9223372036854775807"}
  local FLOATS = {2 ^ 53 - 1, 2 ^ 53, 2 ^ 53 + 2, -2 ^ 53, 0.5, -0.0, 2 ^ 63, nan, math.huge}

  -- Keys as text, which is equal where the numbers are.
  local function random_side(list, make, name)
    local keys, texts, numbers = {}, {}, {}
    for i = 1, random(0, 12) do
      keys[i], numbers[i] = list[random(#list)], i
      texts[i] = {type(keys[i]) == "string" and keys[i] or ("%.17g"):format(keys[i])}
      if keys[i] == 0 then texts[i] = {"0"} end -- of either sign
    end
    return locus.frame {{"key", make(keys)}, {name, locus.LongTensor(numbers)}}, texts
  end

  local function long(keys) return locus.LongTensor(keys) end
  local function float(keys) return locus.tensor(keys, {dtype = "float64"}) end

  it("is exact in both directions", function()
    for _ = 1, support.slow and 15 or 60 do
      for _, how in ipairs {"inner", "left", "semi", "anti"} do
        local missing = how == "left" and {there = 0} or nil
        local left, own = random_side(WHOLE, long, "here")
        local right, their = random_side(FLOATS, float, "there")
        assert.equal(plain(own, their, how),
          shown(left:join(right, {on = "key", how = how, missing = missing}), how))
        left, own = random_side(FLOATS, float, "here")
        right, their = random_side(WHOLE, long, "there")
        assert.equal(plain(own, their, how),
          shown(left:join(right, {on = "key", how = how, missing = missing}), how))
      end
    end
  end)
end)

-- -- What it answers -----------------------------------------------------------------------------

describe("join", function()
  local f = locus.frame {{"id", {3, 1, 2, 3}}, {"a", {10, 20, 30, 40}}}
  local g = locus.frame {{"id", {1, 3, 3}}, {"b", {1.5, 2.5, 3.5}}, {"s", {"x", "y", "z"}}}

  it("puts the columns of the other frame behind, except the keys", function()
    local joined = f:join(g, {on = "id"})
    assert.same({"id", "a", "b", "s"}, joined:columns())
    assert.same({10, 10, 20, 40, 40}, joined.a:totable())
    assert.same({"y", "z", "x", "y", "z"}, joined.s:totable())
  end)

  it("has NaN and empty strings for what finds nothing, or what is said", function()
    local joined = f:join(g, {on = "id", how = "left"})
    assert.equal(6, #joined)
    assert.is_true(joined.b[4] ~= joined.b[4])
    assert.equal("", joined.s[4])
    joined = f:join(g, {on = "id", how = "left", missing = {b = -1, s = "none"}})
    assert.same({-1, "none"}, {joined.b[4], joined.s[4]})
  end)

  it("keeps times, dates and addresses", function()
    local times = locus.frame {{"id", {1, 2}}, {"t", locus.LongTensor {0, 1e6}, "time"}}
    assert.equal("time", f:join(times, {on = "id"}):types().t)
    assert.equal("join: a row of the column 't' finds nothing, and int64 has no NaN; write "
      .. "missing = {t = ...}", message(f.join, f, times, {on = "id", how = "left"}))
  end)

  it("compares int64 past 2^53, and never by rounding", function()
    local big = locus.frame {{"id", locus.LongTensor {"9007199254740993", "9007199254740992"}}}
    local one = locus.frame {{"id", locus.LongTensor {"9007199254740993"}}}
    assert.equal(1, #big:join(one, {on = "id"}))
    assert.equal(1, #big:join(locus.frame {{"id", {2 ^ 53}}}, {on = "id"}))
    assert.equal(0, #one:join(locus.frame {{"id", {2 ^ 53}}}, {on = "id"}))
  end)

  it("takes columns that are parts of others, and strings of other dictionaries", function()
    local wide = locus.tensor {{1, 3}, {3, 1}, {2, 2}}
    local view = locus.frame {{"id", wide:select(2, 2)}, {"row", {1, 2, 3}}}
    assert.same({1, 1, 2}, view:join(g, {on = "id"}).row:totable())
    local part = locus.strings {"z", "q", "x", "z"}[{{2, 4}}]
    local names = locus.frame {{"s", part}, {"c", {1, 2, 3}}}
    assert.same({2, 3}, g:join(names, {on = "s"}).c:totable())
    assert.same({"y"}, g:join(names, {on = "s", how = "anti"}).s:totable())
    assert.same({"x", "z"}, names:join(g, {on = "s", how = "semi"}).s:totable())
  end)

  it("refuses what it cannot do", function()
    local function told(other, options) return message(f.join, f, other, options) end
    assert.equal("join: 'other' must be a frame, got the number 5", told(5, {on = "id"}))
    assert.equal("join: 'on' is missing: write on = \"id\" for the key of both "
      .. "frames, or left_on and right_on", told(g))
    assert.equal("join: the frame has no column 'nr'; it has 'a', 'id'", told(g, {on = "nr"}))
    assert.equal("join: 'other' has no column 'a'; it has 'b', 'id', 's'", told(g, {on = "a"}))
    assert.equal("join: both frames have a column 'a'; give a 'suffix' for those of the other one, "
      .. "or rename it", told(f, {on = "id"}))
    assert.same({"id", "a", "a2"}, f:join(f, {on = "id", suffix = "2"}):columns())
    assert.equal("join: 'how' must be \"inner\", \"left\", \"semi\" or \"anti\", got \"outer\"",
      told(g, {on = "id", how = "outer"}))
    assert.equal("join: 'suffix' is for columns of 'other', and how = \"semi\" takes none of them",
      told(g, {on = "id", how = "semi", suffix = "x"}))
    assert.equal("join: 'missing' is for rows that find nothing, which only how = \"left\" keeps",
      told(g, {on = "id", missing = {b = 0}}))
    assert.equal("join: 'missing' must be a table of values by name, got the number 0",
      told(g, {on = "id", how = "left", missing = 0}))
    assert.equal("join: the column 'id' must be of the same kind in both frames, got float64 and "
      .. "string",
      told(locus.frame {{"id", {"1", "3"}}}, {on = "id"}))
    assert.equal("join: 'on' names no column", told(g, {on = {}}))
    assert.equal("join: 'on' names 'id' twice", told(g, {on = {"id", "id"}}))
    assert.equal("join: 'missing' names the column 'a', and 'other' brings 'b', 's'",
      told(g, {on = "id", how = "left", missing = {a = 0}}))
    assert.equal("join: 'missing' names the column 'id', and 'other' brings 'b', 's'",
      told(g, {on = "id", how = "left", missing = {id = 0}}))
    assert.equal("join: 'missing' names the column 'b', and 'other' brings none",
      told(g:select("id"), {on = "id", how = "left", missing = {b = 0}}))
    assert.equal("join: 'missing' must have its values by name, got one by the number 1",
      told(g, {on = "id", how = "left", missing = {0}}))
    assert.equal("join: 'missing' of the column 'b' must be a number, got the string \"x\"",
      told(g, {on = "id", how = "left", missing = {b = "x"}}))
    assert.equal("join: 'suffix' must be a string, got the number 2",
      told(f, {on = "id", suffix = 2}))
  end)

  it("refuses names that clash before it looks at a row", function()
    local wide = f:with("a2", {1, 2, 3, 4})
    local function told(own, other, suffix)
      local before = locus.memory.stats().allocated_bytes
      local said = message(own.join, own, other, {on = "id", suffix = suffix})
      assert.equal(before, locus.memory.stats().allocated_bytes)
      return said
    end
    assert.equal("join: both frames have a column 'a'; give a 'suffix' for those of the other one, "
      .. "or rename it", told(f, wide))
    local again = "join: 'suffix' makes a second column '%s' of '%s'; give another one"
    assert.equal(again:format("a2", "a"), told(wide, f, "2"))
    assert.equal(again:format("a2", "a2"), told(f, wide, "2"))
    assert.equal(again:format("a2", "a"), told(f, wide:select("a2", "a", "id"), "2"))
    assert.equal(again:format("a", "a"), told(f, f, ""))
    assert.same({"id", "a", "a_r", "a2"}, f:join(wide, {on = "id", suffix = "_r"}):columns())
    assert.same({"id", "a"}, f:join(wide, {on = "id", how = "semi"}):columns())
  end)

  it("never compares int64 and complex keys, and shorter integers exactly", function()
    local complex = locus.frame {{"id", locus.tensor({3, 1}, {dtype = "complex128"})}}
    local long = locus.frame {{"id", locus.LongTensor {1, 2}}}
    for _, how in ipairs {"inner", "left", "semi", "anti"} do
      assert.equal("join: the column 'id' must be of the same kind in both frames, got int64 and "
        .. "complex128", message(long.join, long, complex, {on = "id", how = how}))
      assert.equal("join: the column 'id' must be of the same kind in both frames, got complex128 "
        .. "and "
        .. "int64", message(complex.join, complex, long, {on = "id", how = how}))
    end
    assert.equal(1, #complex:join(locus.frame {{"id", locus.IntTensor {1, 2}}}, {on = "id"}))
  end)

  it("compares times with times of one unit, and with numbers", function()
    local t = locus.LongTensor {5, 7}
    local us = locus.frame {{"t", t, "time"}}
    local ns = locus.frame {{"t", t, {"time", unit = "ns"}}}
    local day = locus.frame {{"t", t, "date"}}
    assert.equal("join: the column 't' must be of the same kind in both frames, got time and "
      .. "time[ns]",
      message(us.join, us, ns, {on = "t"}))
    assert.equal("join: the column 't' must be of the same kind in both frames, got date and time",
      message(day.join, day, us, {on = "t"}))
    assert.equal("join: the column 't' must be of the same kind in both frames, got time and "
      .. "string",
      message(us.join, us, locus.frame {{"t", {"5", "7"}}}, {on = "t"}))
    assert.equal(1, #us:join(locus.frame {{"t", {7.0}}}, {on = "t"}))
  end)

  it("raises on integers and truths that nothing is found for, and only then", function()
    for _, kind in ipairs {"int64", "uint8", "bool"} do
      local more = locus.frame {{"id", {1, 3}}, {"n", locus.tensor({1, 1}, {dtype = kind})}}
      local whole = locus.frame {{"id", {3, 1}}}
      assert.equal(("join: a row of the column 'n' finds nothing, and %s has no NaN; write "
        .. "missing = {n = ...}"):format(kind), message(f.join, f, more, {on = "id", how = "left"}))
      assert.equal(2, #whole:join(more, {on = "id", how = "left"}))
      local joined = f:join(more, {on = "id", how = "left", missing = {n = 0}})
      local wanted = kind == "bool" and {true, true, false, true} or {1, 1, 0, 1}
      support.same(joined.n, {4}, wanted, kind)
    end
  end)

  it("takes sides that are empty, of rows or except the key", function()
    local none, key = g[{{1, 0}}], g:select("id")
    assert.equal(0, #f:join(none, {on = "id"}))
    assert.same({"id", "a", "b", "s"}, f:join(none, {on = "id"}):columns())
    assert.same({"", "", "", ""}, f:join(none, {on = "id", how = "left"}).s:totable())
    assert.equal(0, #f:join(none, {on = "id", how = "semi"}))
    assert.equal(4, #f:join(none, {on = "id", how = "anti"}))
    assert.equal(0, #none:join(f, {on = "id", how = "left"}))
    assert.same({10, 10, 20, 40, 40}, f:join(key, {on = "id"}).a:totable())
    assert.same({10, 10, 20, 30, 40, 40}, f:join(key, {on = "id", how = "left"}).a:totable())
  end)

  it("finds strings in columns of one dictionary, and of two", function()
    local all = locus.strings {"a", "b", "c", "a", "d"}
    local own = locus.frame {{"s", all[{{1, 3}}]}, {"n", {1, 2, 3}}}
    for _, part in ipairs {all[{{3, 5}}], locus.strings {"c", "a", "d"}} do
      local other = locus.frame {{"s", part}, {"m", {10, 20, 30}}}
      assert.same({20, 10}, own:join(other, {on = "s"}).m:totable())
      assert.same({"b"}, own:join(other, {on = "s", how = "anti"}).s:totable())
      local joined = other:join(own, {on = "s", how = "left"})
      assert.same({"c", "a", "d"}, joined.s:totable())
      assert.same({3, 1, true}, {joined.n[1], joined.n[2], joined.n[3] ~= joined.n[3]})
    end
  end)

  it("says before anything is made that a result cannot fit into memory", function()
    local n = 200000
    local left = locus.frame {{"id", locus.zeros(n, {dtype = "int64"})}}
    local right = locus.frame {{"id", locus.zeros(2 * n, {dtype = "int64"})}}
    local before = locus.memory.stats().peak_bytes
    assert.matches("^join: the result would have 80000000000 rows, that is %d+ bytes, and the "
      .. "memory has %d+$", message(left.join, left, right, {on = "id"}))
    assert.is_true(locus.memory.stats().peak_bytes - before < 100e6)
  end)
end)
