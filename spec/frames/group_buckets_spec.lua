-- SPDX-License-Identifier: MIT
-- Groups by buckets of time, beside groups by a column of the buckets; empty buckets, beside a loop
-- over all of them; and what a table of keys may not hold.
local internal = require "locus.core".internal
local kinds = require "locus.tensor.kind"
local locus = require "locus"
local support = require "spec.support"

local BERLIN = "CET-1CEST,M3.5.0,M10.5.0/3"
local N = 500

local function numbers(tensor) return kinds.tagged(tensor, nil):totable() end

-- N trades in the night in which clocks are set forward, in no order.
local function trades()
  local generator = locus.generator(5)
  local time = locus.randint(0, 6 * 3600, {N}, {generator = generator}):long()
    + internal.parse_time("2026-03-28T22:00:00Z", {unit = "s"})
  local ids = locus.randint(1, 4, {N}, {generator = generator})
  return locus.frame{
    {"sym", locus.strings{"c", "a", "b"}:take(ids)}, {"time", time, {"time", unit = "s"}},
    {"price", locus.rand(N, {generator = generator})},
    {"size", locus.randint(1, 100, {N}, {generator = generator}):long()},
  }
end

describe("groups by buckets of time #host", function()
  local f = trades()

  it("are those by a column of the buckets", function()
    for _, span in ipairs {"1m", "1h", "day", "month"} do
      for _, zone in ipairs {false, BERLIN} do
        local options = {zone = zone or nil}
        local own = f:with("time", f.time:floor(span, options))
        local expected, got = own:group("sym", "time"),
          f:group{"sym", time = span, zone = options.zone}
        assert.is_true(locus.equal(expected.ids, got.ids))
        assert.same(expected.keys:totable(), got.keys:totable())
        assert.equal("time", kinds.of(got.keys.time).type)
        local aggregates = {{"n", "count"}, {"open", "first", "price"}, {"high", "max", "price"},
                            {"volume", "sum", "size"}, {"middle", "quantile", "price", 0.5}}
        assert.equal(expected:agg(aggregates):write_csv(), got:agg(aggregates):write_csv())
        assert.same(own:group("time").keys:totable(),
                    f:group{time = span, zone = options.zone}.keys:totable())
      end
    end
    assert.equal(#f:group{"sym", time = "1h"}, #f:group{"sym", buckets = {time = "1h"}})
    local shifted = f:group{time = "day", origin = "2026-01-01T23:30:00Z"}
    assert.equal(2, #shifted)
  end)

  it("with empty ones have each bucket of each combination", function()
    local some = f[f.time:long():remainder(3600):lt(300)] -- the first five minutes of an hour
    local g = some:group{"sym", time = "10m", zone = BERLIN, empty = true}
    local first, last = numbers(some.time:floor("10m"))[1], nil
    for _, time in ipairs(numbers(some.time:floor("10m"))) do
      first, last = math.min(first, time), math.max(last or time, time)
    end
    local buckets = (last - first) / 600 + 1
    assert.equal(3 * buckets, #g)
    local syms, seen = {}, {}
    for _, sym in ipairs(some.sym:totable()) do
      if not seen[sym] then syms[#syms + 1], seen[sym] = sym, true end
    end
    local rows, i = {}, 0
    local times, prices, sizes = numbers(some.time), some.price:totable(), some.size:totable()
    local of = some.sym:totable()
    for _, sym in ipairs(syms) do
      for begin = first, last, 600 do
        local count, sum, open, high = 0, 0, support.nan, support.nan
        for row = 1, #some do
          if of[row] == sym and times[row] >= begin and times[row] < begin + 600 then
            if count == 0 then open, high = prices[row], prices[row] end
            count, sum, high = count + 1, sum + sizes[row], math.max(high, prices[row])
          end
        end
        i = i + 1
        rows[i] = {sym, begin, count, sum, open, high}
      end
    end
    local got = g:agg{{"n", "count"}, {"volume", "sum", "size"}, {"open", "first", "price"},
                      {"high", "max", "price"}, {"name", "first", "sym"},
                      {"spread", "std", "price", correction = 0}}
    local names, begins = got.sym:totable(), numbers(got.time)
    local n, volume = got.n:totable(), got.volume:totable()
    local open, high, name = got.open:totable(), got.high:totable(), got.name:totable()
    for row, expected in ipairs(rows) do
      assert.same({expected[1], expected[2], expected[3], expected[4]},
                  {names[row], begins[row], n[row], volume[row]})
      support.same(locus.tensor{open[row], high[row]}, {2}, {expected[5], expected[6]})
      assert.equal(n[row] > 0 and expected[1] or "", name[row])
    end
    assert.equal(#rows, #got)
    assert.is_true(got.spread:isnan():eq(got.n:eq(0)):all())
    assert.same(n, g:count():totable())
    local counted = {}
    g:each(function(part, key, k)
      counted[k] = #part
      assert.equal(names[k], key.sym)
    end)
    assert.same(n, counted)
    assert.same({#rows, 2}, {g:quantile("price", {0.1, 0.9}):size(1),
                             g:quantile("price", {0.1, 0.9}):size(2)})
  end)

  it("with empty ones where none is empty, and where there are no rows", function()
    local g = f:group{time = "6h", empty = true}
    assert.equal(f:group{time = "6h"}:agg{{"m", "max", "size"}}:sort("time"):write_csv(),
                 g:agg{{"m", "max", "size"}}:write_csv())
    local none = f[f.price:lt(-1)]
    assert.equal(0, #none:group{"sym", time = "1h", empty = true})
    assert.equal(0, #none:group{time = "1h"})
  end)

  it("with empty ones have days of 23 hours", function()
    local days = locus.frame{{"time", locus.time_range("2026-03-28T12:00", "2026-03-31T12:00",
      "71h", {zone = BERLIN})}, {"x", {1, 2}}}
    local g = days:group{time = "day", zone = BERLIN, empty = true}
    assert.same({1, 0, 0, 1}, g:count():totable())
    assert.same({86400e6, 82800e6, 86400e6}, numbers(g.keys.time:diff()))
  end)

  it("refuse what is no table of keys", function()
    for sentence, given in pairs {
      ['group: \'span\' is "1mo"; write "1 month"'] = {"sym", time = "1mo"},
      ["group: the frame has no column 'tim'; did you mean 'time'?"] = {tim = "1h"},
      ["group: the key 'time' must have a span such as \"1m\" or \"day\", got the number 1"] =
        {time = 1},
      ["group: the column 'price' must be times or dates, got a float64 tensor of size 500"] =
        {price = "1h"},
      ["group: 'time' is named twice"] = {"time", time = "1h"},
      ["group: 'names[1]' must be a string, got the number 1"] = {1, time = "1h"},
      ["group: 'empty' must be true or false, got the number 1"] = {time = "1h", empty = 1},
      ['group: \'names\' must be a table such as {"sym", time = "1m", zone = "Europe/Berlin", '
        .. "empty = true}"] = {"sym", zone = "UTC"},
      ["group: 'buckets' must be a table of spans by column, got the string \"1h\""] =
        {buckets = "1h"},
    } do
      assert.equal(sentence, support.message(f.group, f, given))
    end
    local g = f[f.price:lt(0.01)]:group{"sym", time = "1m", empty = true}
    assert.equal("max: group 1 has no rows, and int64 has no value that says so; take the column "
      .. "as floats, f.name:double()", (support.message(g.max, g, "size"):gsub("group %d+",
      "group 1")))
    assert.matches("last: group %d+ has no rows, and times have no value that says so; leave "
      .. "`empty` out", support.message(g.last, g, "time"))
    assert.matches("group: takes one table with buckets, got the string \"sym\" behind it",
                   support.message(f.group, f, {time = "1h"}, "sym"))
  end)
end)
