-- SPDX-License-Identifier: MIT
-- The rows of a join are those of two plain loops, in their order: of keys that come once, often or
-- never, with any number of threads; and nothing is left where memory runs out.
local locus = require "locus"
local pairs_by_number = require "locus.sets.pairs"
local shared = require "spec.support.trials.shared"
local support = require "spec.support"

local MOST = 1e9

-- n numbers from `low` to `high`.
local function drawn(n, low, high)
  return locus.randint(low, high + 1, {n}):int():to(support.device)
end

-- The pairs by two loops.
local function naive(own, others, all)
  local rows, matched, of = {}, {}, {}
  for k, number in ipairs(others:totable()) do
    of[number] = of[number] or {}
    table.insert(of[number], k)
  end
  for i, number in ipairs(own:totable()) do
    for _, k in ipairs(of[number] or all and {0} or {}) do
      rows[#rows + 1], matched[#matched + 1] = i, k
    end
  end
  return rows, matched
end

-- Sides of a join: {what, own, others, groups}.
local function each_case(n, f)
  f("few numbers", drawn(n, 0, 5), drawn(math.floor(n / 9), 1, 5), 5)
  f("many numbers", drawn(n, 0, n), drawn(n, 1, n), n)
  f("numbers that are lacking", drawn(n, 0, n), drawn(9, 1, n), n)
  f("one number", drawn(n, 1, 1), drawn(7, 1, 1), 1)
  f("one row with most", locus.cat({drawn(n - 1, 0, 1), drawn(1, 2, 2)}), drawn(n, 2, 2), 2)
  f("no match", drawn(n, 0, 0), drawn(n, 1, 3), 3)
  f("no row", drawn(0, 0, 1), drawn(n, 1, 3), 3)
  f("no other row", drawn(n, 0, 0), drawn(0, 1, 1), 0)
end

describe("rows of a join", function()
  after_each(shared.restore)

  it("are those of two loops", function()
    locus.manual_seed(4)
    for _, n in ipairs {1, 7, 90, 700} do
      each_case(n, function(what, own, others, groups)
        for _, all in ipairs {false, true} do
          local rows, matched = naive(own, others, all)
          local total, got, beside = pairs_by_number(own, others, groups, all, MOST)
          assert.equal(#rows, total, what)
          support.same(got, {#rows}, rows, "int64")
          support.same(beside, {#rows}, matched, "int64")
        end
      end)
    end
  end)

  it("are numbers where these are rows", function()
    for _, n in ipairs {0, 1, 90, 40000} do
      local own = drawn(n, 0, 9)
      local rows = own:ne(0):nonzero{as_tuple = true}
      local total, got, matched = pairs_by_number(own, nil, 9, false, MOST)
      assert.equal(#rows, total)
      assert.is_true(got:equal(rows) and matched:equal(own[rows]))
    end
  end)

  it("are counted and not made where they are too many", function()
    local own, others = drawn(100, 1, 1), drawn(100, 1, 1)
    for _, side in ipairs {others, false} do
      local total, rows = pairs_by_number(own, side or nil, 1, false, 99)
      assert.equal(side and 10000 or 100, total)
      assert.is_nil(rows)
    end
  end)
end)

describe("rows of a join #host", function()
  after_each(shared.restore)

  it("are the same for any number of threads", function()
    locus.manual_seed(5)
    for _, n in ipairs {300, 20000} do
      each_case(n, function(what, own, others, groups)
        if groups < 100 then others = others[{{1, math.min(#others, 20)}}]:contiguous() end
        for _, all in ipairs {false, true} do
          shared.check(what, function() return pairs_by_number(own, others, groups, all, MOST) end)
        end
        shared.check(what, function() return pairs_by_number(own, nil, groups, false, MOST) end)
      end)
    end
  end)

  it("of frames are the same for any number of threads", function()
    locus.manual_seed(6)
    local n = 20000
    local names = {}
    for i = 1, 300 do names[i] = "name" .. i end
    names = locus.strings(names)
    local function named(rows, low) return names:take(locus.randint(low, 301, {rows})) end
    local f = locus.frame {{"a", locus.randint(0, 900, {n})}, {"s", named(n, 1)},
                           {"x", locus.rand(n)}}
    local g = locus.frame {{"a", locus.randint(0, 990, {700})}, {"s", named(700, 9)},
                           {"y", locus.arange(700):long()}, {"z", named(700, 299)}}
    local once = locus.frame {{"a", locus.randperm(900) - 1}, {"y", locus.arange(900):long()}}
    local function columns(joined)
      local list = {}
      for i, name in ipairs(joined:columns()) do
        local c = joined:column(name)
        list[i] = locus.is_tensor(c) and c or c.ids
      end
      return unpack(list)
    end
    for _, how in ipairs {"inner", "left", "semi", "anti"} do
      local missing = how == "left" and {y = -1} or nil
      for _, on in ipairs {{"a"}, {"a", "s"}} do
        local suffix = (how == "inner" or how == "left") and "_g" or nil
        shared.check(how, function()
          return columns(f:join(g, {on = on, how = how, missing = missing, suffix = suffix}))
        end)
      end
      shared.check(how, function()
        return columns(f:join(once, {on = "a", how = how, missing = missing}))
      end)
    end
  end)

  it("share nothing with the frame of an inner join, though all of its rows stay", function()
    local f = locus.frame {{"a", {2, 1, 2}}, {"s", {"x", "y", "x"}}}
    local joined = f:join(locus.frame {{"a", {1, 2}}, {"y", {5, 6}}}, {on = "a"})
    joined.a[1] = 7
    assert.equal(2, f.a[1])
    assert.same({6, 5, 6}, joined.y:totable())
    assert.same({"x", "y", "x"}, joined.s:totable())
  end)

  it("say of a wrong value for what is missing, though nothing is", function()
    local f = locus.frame {{"a", {2, 1, 2}}}
    local g = locus.frame {{"a", {1, 2}}, {"y", {5, 6}}}
    assert.matches("'missing' of the column 'y' must be a number",
      support.message(f.join, f, g, {on = "a", how = "left", missing = {y = "none"}}))
  end)

  it("leave nothing behind where memory runs out", function()
    local own, others = drawn(900, 0, 50), drawn(300, 1, 50)
    shared.with(3, true, function()
      local most = shared.fail(function() pairs_by_number(own, others, 50, true, MOST) end)
      assert.is_true(most > 2)
      shared.fail(function() pairs_by_number(own, nil, 50, false, MOST) end)
      local f, g = locus.frame {{"a", own}}, locus.frame {{"a", others}, {"y", others}}
      shared.fail(function() f:join(g, {on = "a"}) end)
    end)
  end)
end)
