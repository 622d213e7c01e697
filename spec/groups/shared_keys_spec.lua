-- SPDX-License-Identifier: MIT
-- Threads number keys together, and give what one thread gives: few names and many, names that come
-- late, ranges, floats, pairs and several columns; what runs out of memory, and Ctrl-C.
local internal = require "locus.core".internal
local locus = require "locus"
require "locus.sets.factorize"
local shared = require "spec.support.trials.shared"
local support = require "spec.support"

local check = shared.check

-- n integers below k, drawn at random.
local function drawn(n, k) return (locus.rand(n) * k):floor():long() end

-- Keys of many kinds: how they lie, and how often new ones come.
local function each_keys(n, f)
  local half = math.floor(n / 2)
  f("few, narrow", drawn(n, 7))
  f("few, wide", drawn(n, 7) * 1000000007)
  f("a thousand", drawn(n, 1000) * 1000000007)
  f("many, narrow", drawn(n, n) - 17)
  f("many, wide", drawn(n, n) * -1000000007)
  f("all different", locus.randperm(n):long() * 1000000007)
  f("one", locus.zeros(n, {dtype = "int64"}) + support.integer("9007199254740993"))
  f("late", locus.cat({drawn(half, 5), drawn(half, n) + 9}) * 1000000007)
  f("late, narrow", locus.cat({drawn(half, 5), drawn(half, n) + 9}))
  f("past 2^53", drawn(n, 50) + support.integer("9007199254740992"))
  local floats = (drawn(n, n / 3) - 100):double() / 4
  floats[floats:eq(3)] = locus.nan
  floats[floats:eq(4)] = -0.0
  f("floats", floats)
  f("halves", (drawn(n, 4000)):to("float16"))
  f("complex", (drawn(n, 90)):to("complex128") * support.complex(1, 2))
  f("bytes", drawn(n, 200):to("uint8"))
  local numbered = internal.factorize(drawn(n, n / 2))
  f("numbered", numbered)
  for _, v in ipairs {0, -1, n, 2 ^ 31 - 1, -2 ^ 31} do
    local other = numbered:clone()
    other[math.random(n)] = v
    f("numbered except " .. v, other)
  end
  f("numbered late", locus.cat({numbered, numbered + 1, numbered + #numbered}))
end

describe("threads number keys #host", function()
  after_each(shared.restore)

  it("in order of first appearance", function()
    locus.manual_seed(7)
    for _, n in ipairs {40000, 300} do
      each_keys(n, function(what, x)
        check("factorize " .. what, function() return internal.factorize(x) end)
      end)
    end
  end)

  it("and find others among them", function()
    locus.manual_seed(8)
    each_keys(36000, function(what, x)
      local values = locus.cat({x[{{1, 9000}}], x[{{1, 9000}}] * 2})
      check("find " .. what, function() return internal.factorize(x, values) end)
      check("isin " .. what, function() return values:isin(x), x:isin(values) end)
      check("lookup " .. what, function() return x:lookup(values), values:lookup(x, {base = 0}) end)
    end)
  end)

  it("of sets, groups and joins", function()
    locus.manual_seed(9)
    local n = 34000
    local names = {}
    for i = 1, 500 do names[i] = "name" .. i * 7919 % 500 end
    local sym = locus.strings(names)[drawn(n, 400) + 1]
    local f = locus.frame {{"sym", sym}, {"time", drawn(n, 60) * 60000000}, {"wide", drawn(n, n)},
                           {"x", locus.rand(n)}}
    local other = locus.frame {{"sym", sym[{{1, 900}}]}, {"wide", drawn(900, n)},
                               {"y", locus.arange(900)}}
    for _, by in ipairs {
      {"sym"}, {"time"}, {"sym", "time"}, {"wide", "sym", "time"}, {"x", "sym"},
    } do
      check("group " .. table.concat(by, ", "), function()
        local g = f:group(by)
        return g.ids, g:sum("x"), g:first("wide"), #g
      end)
    end
    for _, how in ipairs {"inner", "semi", "anti"} do
      check("join " .. how, function()
        local joined = f:join(other, {on = {"wide", "sym"}, how = how})
        return joined.x, joined.sym.ids
      end)
    end
    local all = {return_inverse = true, return_counts = true}
    check("unique", function() return f.wide:unique(all) end)
    check("unique rows", function() return locus.stack({f.time, f.wide % 9}, 2):unique{dim = 1} end)
    check("strings", function()
      local u, inverse, counts = sym:unique{return_inverse = true, return_counts = true}
      return u.ids, inverse, counts
    end)
  end)

  it("of a range in order, each once", function()
    locus.manual_seed(10)
    for _, dtype in ipairs(support.integers) do
      for _, n in ipairs {1, 63, 300, 40000} do
        local most = math.min(3 * n, 2 ^ 7)
        for _, x in ipairs {drawn(n, most):to(dtype), drawn(n, n % 100 + 1):to(dtype)} do
          local list, seen = {}, {}
          for _, v in ipairs(x:totable()) do
            if not seen[tostring(v)] then
              seen[tostring(v)], list[#list + 1] = true, tonumber(v)
            end
          end
          table.sort(list)
          support.same(x:unique(), {#list}, list, dtype)
          check("unique " .. dtype, function() return x:unique(), (-x):unique() end)
        end
      end
    end
    local past = drawn(40000, 30000) + support.integer("9007199254740993")
    check("past 2^53", function() return past:unique() end)
    assert.is_true(past:unique():equal((past:unique{return_index = true})))
    local least = drawn(200, 9) + support.integer("-9223372036854775808")
    check("of the least", function() return least:unique() end)
    local few, none = drawn(900, 9):gt(7), locus.zeros(90):gt(1)
    check("bool", function() return few:unique(), none:unique() end)
    shared.with(3, true, shared.fail, function() past:unique() end)
  end)

  it("and leave nothing behind where memory runs out", function()
    local wide = locus.cat({drawn(200, 5), drawn(1500, 4000)}) * 1000000007
    for _, x in ipairs {wide, wide:to("complex128"), wide % 50} do
      local values = x[{{1, 300}}]
      shared.with(3, true, shared.fail, function() internal.factorize(x, values) end)
    end
  end)
end)
