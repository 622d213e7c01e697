-- SPDX-License-Identifier: MIT
-- Dictionaries, which number byte strings: against Lua tables, over random strings, long ones and
-- zero bytes among them; through growth when memory runs out; order by bytes.
local locus = require "locus"
local internal = require "locus.core".internal
local support = require "spec.support"
local before = require("spec.support.text").before

local add, find, name_of = internal.dictionary_add, internal.dictionary_find,
  internal.dictionary_name

-- A string of a random length, of few different bytes, so that many are alike.
local function random_string()
  local bytes = {}
  for i = 1, math.random(4) < 4 and math.random(0, 20) or math.random(0, 300) do
    bytes[i] = string.char(math.random(3) == 1 and math.random(0, 255) or 97 + math.random(2))
  end
  return table.concat(bytes)
end

-- A dictionary of a list, and the list without repetitions.
local function of(list)
  local d, names, known = internal.dictionary(), {}, {}
  for _, s in ipairs(list) do
    add(d, s)
    if not known[s] then
      names[#names + 1] = s
      known[s] = #names
    end
  end
  return d, names, known
end

local function randoms(n)
  local list = {}
  for i = 1, n do list[i] = random_string() end
  return list
end

local function ids_of(list) return locus.tensor(list, {dtype = "int32", device = "cpu"}) end

describe("a dictionary #once", function()
  -- Large values are not left to be collected while other specs look at the live memory.
  teardown(function()
    for _ = 1, 3 do collectgarbage() end
  end)

  it("numbers strings in the order in which they come", function()
    math.randomseed(61)
    local d, names, known = internal.dictionary(), {}, {}
    for _ = 1, support.slow and 4000 or 20000 do
      local s = random_string()
      assert.equal(known[s], find(d, s))
      if not known[s] then
        names[#names + 1] = s
        known[s] = #names
      end
      assert.equal(known[s], add(d, s))
    end
    assert.equal(#names, internal.dictionary_count(d))
    assert.same(names, internal.dictionary_names(d))
    for id, s in ipairs(names) do assert.equal(s, name_of(d, id)) end
  end)

  it("tells strings apart of every length that differ in one byte", function()
    local d, count = internal.dictionary(), 0
    for length = 0, 70 do
      local same = ("x"):rep(length)
      count = count + 1
      assert.equal(count, add(d, same))
      for at = 1, length do
        count = count + 1
        assert.equal(count, add(d, same:sub(1, at - 1) .. "\0" .. same:sub(at + 1)))
      end
    end
    assert.equal(count, internal.dictionary_count(d))
  end)

  it("holds a hundred thousand strings, and long ones", function()
    local list = {}
    for i = 1, 100000 do list[i] = "user" .. i end
    list[#list + 1] = ("x"):rep(3e6)
    local d = internal.dictionary()
    local ids = internal.dictionary_add_list(d, list, "list")
    assert.is_true(ids:equal(locus.arange(1, #list + 1, {dtype = "int32", device = "cpu"})))
    assert.equal(list[#list], name_of(d, #list))
    assert.equal(77777, find(d, "user77777"))
    assert.is_nil(find(d, "user0"))
    assert.is_true(internal.dictionary_bytes(d) < 14e6)
  end)

  it("takes little memory when it is small #host", function()
    assert.is_true(internal.dictionary_bytes(internal.dictionary()) < 1200)
  end)

  it("keeps a table of its names until it grows", function()
    local d, kept = of {"a", "b"}, internal.dictionary_kept_names
    local names = kept(d)
    add(d, "a")
    assert.equal(names, kept(d))
    add(d, "c")
    assert.same({"a", "b", "c"}, kept(d))
    assert.same({"a", "b"}, names)
    assert.same({}, kept(internal.dictionary()))
    assert.not_equal(kept(d), internal.dictionary_names(d))
  end)

  it("adds lists while single allocations fail #host", function()
    math.randomseed(65)
    local list, known = randoms(5000), {}
    local _, names = of(list)
    for id, s in ipairs(names) do known[s] = id end
    local expected = {}
    for i, s in ipairs(list) do expected[i] = known[s] end
    local k, hits = 0, 1
    while hits > 0 do
      k = k + 1
      local d = internal.dictionary()
      locus.fail_allocation(k, false)
      local ids = internal.dictionary_add_list(d, list, "list")
      hits = locus.fail_allocation(0)
      support.same(ids, {#list}, expected, "int32")
      assert.same(names, internal.dictionary_names(d))
    end
    assert.is_true(k > 15, k)
  end)

  it("loses nothing when memory runs out, and can go on #host", function()
    math.randomseed(62)
    local d, names, failures = internal.dictionary(), {}, 0
    for i = 1, 30000 do
      local s = i .. " " .. random_string()
      locus.fail_allocation(1, true)
      local ok, id = pcall(add, d, s)
      locus.fail_allocation(0)
      if not ok then
        failures = failures + 1
        assert.matches("dictionary_add: out of memory", id, 1, true)
        assert.equal(#names, internal.dictionary_count(d))
        assert.is_nil(find(d, s))
        id = add(d, s)
      end
      names[#names + 1] = s
      assert.equal(#names, id)
    end
    assert.is_true(failures > 20, failures)
    for id, s in ipairs(names) do assert.equal(id, find(d, s)) end
    assert.same(names, internal.dictionary_names(d))
  end)

  it("gives its memory back #host", function()
    for _ = 1, 3 do collectgarbage() end
    local live = locus.live_bytes()
    local d = of(randoms(1000))
    assert.equal(live + internal.dictionary_bytes(d), locus.live_bytes())
    d = nil -- luacheck: ignore
    for _ = 1, 3 do collectgarbage() end
    assert.equal(live, locus.live_bytes())
  end)

  it("is counted by the collector #host", function()
    local most = 0
    for _ = 1, 200 do
      add(internal.dictionary(), ("x"):rep(1e6))
      most = math.max(most, locus.live_bytes())
    end
    assert.is_true(most < 100e6, most)
  end)
end)

describe("of two dictionaries #once", function()
  it("one's numbers are translated to the other's", function()
    math.randomseed(63)
    for _, sizes in ipairs {{0, 0}, {0, 5}, {5, 0}, {300, 3000}, {3000, 300}} do
      local shared = randoms(100)
      local function some(n)
        local list = randoms(n)
        for i = 1, n / 3 do list[i * 3] = shared[math.random(#shared)] end
        return list
      end
      local from, names = of(some(sizes[1]))
      local to, _, known = of(some(sizes[2]))
      local expected = {}
      for i, s in ipairs(names) do expected[i] = known[s] or 0 end
      support.same(internal.dictionary_translate(from, to), {#names}, expected, "int32")
    end
  end)

  it("one takes from the other what ids name, in their order", function()
    local from, to = of {"a", "b", "c", "d"}, of {"x", "c"}
    local got, numbers = internal.dictionary_gather(from, to, ids_of {4, 3, 4, 1})
    support.same(got, {4}, {4, 0, 2, 3}, "int32")
    support.same(numbers, {4}, {3, 2, 3, 4}, "int32")
    assert.same({"x", "c", "d", "a"}, internal.dictionary_names(to))
    support.same((internal.dictionary_gather(from, to, ids_of {})), {4}, {0, 0, 0, 0}, "int32")
    for _, wrong in ipairs {0, 5, -1} do
      assert.equal("dictionary_gather: id 2 is " .. wrong .. ", but the names are 1 to 4",
        support.message(internal.dictionary_gather, from, to, ids_of {1, wrong}))
    end
  end)
end)

describe("the order of bytes #once", function()
  local edges = {"", "\0", "\0\0", "a", "a\0", "a\0b", "ab", "abcdefgh", "abcdefgh\0", "abcdefghi",
    "abcdefg", "abcdefg\255", "\127", "\128", "\255", "\255\255\255\255\255\255\255\255\255",
    "abcdefghijklmnop", "abcdefghijklmnoq", "Z", "z", "\195\164"}

  it("ranks all strings", function()
    math.randomseed(64)
    for n = 0, 40 do
      local list = randoms(n * n)
      for _, s in ipairs(n % 2 == 0 and edges or {}) do list[#list + 1] = s end
      local d, names, known = of(list)
      local sorted, expected = {unpack(names)}, {}
      table.sort(sorted, before)
      for rank, s in ipairs(sorted) do expected[known[s]] = rank end
      support.same(internal.dictionary_rank(d), {#names}, expected, "int32")
    end
  end)

  it("compares each with one", function()
    local d, names = of(edges)
    for _, other in ipairs(names) do
      local expected = {}
      for i, s in ipairs(names) do
        expected[i] = s == other and 0 or before(s, other) and -1 or 1
      end
      support.same(internal.dictionary_compare(d, other), {#names}, expected, "int8")
    end
  end)
end)
