-- SPDX-License-Identifier: MIT
-- describe of frames: counts, quartiles, the most frequent string and times as text, beside plain
-- Lua; and how its numbers are printed row by row.
local locus = require "locus"
local support = require "spec.support"
local made = require "spec.support.data.trades"

local same, trades, nan = support.same, made.new, support.nan

local NUMBERS = {"mean", "std", "min", "25%", "50%", "75%", "max"}

-- The numbers of a list by plain Lua, by name.
local function plainly(list)
  local there, sum, spread, told = {}, 0, 0, {}
  for _, v in ipairs(list) do
    if v == v then there[#there + 1] = v end
  end
  table.sort(there)
  for _, v in ipairs(there) do sum = sum + v end
  told.mean = sum / #there
  for _, v in ipairs(there) do spread = spread + (v - told.mean) ^ 2 end
  told.std = math.sqrt(spread / (#there - 1))
  for i, name in ipairs {"min", "25%", "50%", "75%", "max"} do
    local at = (i - 1) / 4 * (#there - 1)
    local low = math.floor(at)
    local lower, upper = there[low + 1] or nan, there[math.min(low + 1, #there - 1) + 1] or nan
    told[name] = lower + (upper - lower) * (at - low)
  end
  return told, #there
end

local function near(want, got)
  return want ~= want and got ~= got or math.abs(want - got) <= 1e-12 * math.abs(want)
end

describe("describe", function()
  it("has a row for each column", function()
    local d = trades():with("z", locus.ones(4, {dtype = "complex64"})):describe()
    assert.same({"name", "type", "count", "missing", "mean", "std", "min", "25%", "50%", "75%",
                 "max", "distinct", "top", "freq"}, d:columns())
    assert.same({"time", "price", "sym", "z"}, d.name:totable())
    assert.same({"int64", "float64", "string", "complex64"}, d.type:totable())
    assert.same({4, 3, 3, 4}, d.count:totable())
    assert.same({0, 1, 1, 0}, d.missing:totable())
    same(d.distinct:cpu(), {4}, {nan, nan, 2, nan})
    same(d.min:cpu(), {4}, {5, 1.5, nan, nan})
    same(d["25%"]:cpu(), {4}, {5.75, 2, nan, nan})
    same(d["50%"]:cpu(), {4}, {6.5, 2.5, nan, nan})
    same(d["75%"]:cpu(), {4}, {7.25, 3.5, nan, nan})
    same(d.max:cpu(), {4}, {8, 4.5, nan, nan})
    same(d.mean:cpu(), {4}, {6.5, 8.5 / 3, nan, nan})
    assert.is_true(near(5 / 3, d.std[1] ^ 2))
    assert.same({"", "", "IBM", ""}, d.top:totable())
    same(d.freq:cpu(), {4}, {nan, nan, 2, nan})
  end)

  it("has NaN where there is nothing", function()
    local f = locus.frame {{"a", {nan, nan}}, {"b", {true, false}}, {"s", {"", ""}}}
    local d = f:describe()
    assert.same({0, 2, 0}, d.count:totable())
    same(d.min, {3}, {nan, 0, nan})
    same(d.mean, {3}, {nan, 0.5, nan})
    same(d["50%"], {3}, {nan, 0.5, nan})
    same(d.distinct, {3}, {nan, nan, 0})
    same(d.freq, {3}, {nan, nan, nan})
    assert.same({"", "", ""}, d.top:totable())
    assert.equal(2, #f:head(0):drop("b"):describe())
    same(f:head(0):describe().distinct, {3}, {nan, nan, 0})
    assert.equal(0, #locus.frame {}:describe())
    same(f:head(1):describe().std, {3}, {nan, nan, nan}) -- of one value
  end)

  it("has the numbers of plain Lua", function()
    math.randomseed(97)
    for _, n in ipairs {1, 2, 3, 10, 1001} do
      local x = {}
      for i = 1, n do x[i] = math.random(4) == 1 and nan or math.random(-50, 50) / 8 end
      for _, dtype in ipairs {"float64", "float32", "float16"} do
        local d = locus.frame {{"x", locus.tensor(x, {dtype = dtype})}}:describe()
        local want, count = plainly(x)
        assert.same({count, n - count}, {d.count[1], d.missing[1]})
        for _, name in ipairs(NUMBERS) do
          assert.is_true(near(want[name], d[name][1]), name)
        end
      end
    end
  end)

  it("has the string that is there most often, of two the first", function()
    math.randomseed(98)
    for _, n in ipairs {1, 2, 50, 2000} do
      local s, counts, top = {}, {}, nil
      for i = 1, n do s[i] = math.random(2) == 1 and "" or "s" .. math.random(9) end
      for _, v in ipairs(s) do counts[v] = (counts[v] or 0) + 1 end
      for _, v in ipairs(s) do
        if v ~= "" and counts[v] > (counts[top] or 0) then top = v end
      end
      local d = locus.frame {{"s", s}}:describe()
      assert.same({top or "", n - (counts[""] or 0)}, {d.top[1], d.count[1]})
      same(d.freq, {1}, {counts[top] or nan})
    end
  end)

  it("shows times, dates and addresses as printing does", function()
    local function column(name, list, kind)
      return {name, locus.tensor(list, {dtype = "int64"}), kind}
    end
    local f = locus.frame {
      column("at", {1.5e15, 0, -1}, "time"),
      column("tick", {"1500000000000000001", "9007199254740993", "9007199254740994"},
        {"time", unit = "ns"}),
      column("day", {19000, 1, 2}, "date"), column("from", {1, 2 ^ 32 - 1, 256}, "ipv4"),
      {"x", {1, 2, 3}},
    }
    local d = f:describe()
    assert.same({"freq", "least", "lower", "middle", "upper", "greatest"},
      {unpack(d:columns(), 14)})
    assert.same({3, 3, 3, 3, 3}, d.count:totable())
    same(d.min, {5}, {nan, nan, nan, nan, 1})
    same(d.mean, {5}, {nan, nan, nan, nan, 2})
    same(d.max, {5}, {nan, nan, nan, nan, 3})
    assert.same({"1969-12-31T23:59:59.999999Z", "1970-04-15T05:59:59.254740993Z", "1970-01-02",
                 "0.0.0.1", ""}, d.least:totable())
    assert.same({"1970-01-01T00:00:00Z", "1970-04-15T05:59:59.254740994Z", "1970-01-03",
                 "0.0.1.0", ""}, d.middle:totable())
    assert.same({"2017-07-14T02:40:00Z", "2017-07-14T02:40:00.000000001Z", "2022-01-08",
                 "255.255.255.255", ""}, d.greatest:totable())
    local four = locus.frame {{"t", locus.times {"2026-01-01", "2026-01-02", "2026-01-03",
                                                 "2026-01-04"}}}:describe()
    assert.same({"2026-01-01T18:00:00Z", "2026-01-03T06:00:00Z"}, {four.lower[1], four.upper[1]})
    local empty = f:head(0):describe()
    assert.same({{"", "", "", "", ""}, 0}, {empty.least:totable(), empty.count[1]})
  end)

  it("takes every real dtype", function()
    for _, dtype in ipairs(support.real) do
      local d = locus.frame {{"x", locus.tensor({1, 2, 6}, {dtype = dtype})}}:describe()
      assert.same({1, 3, 6, 2, 4}, {d.min[1], d.mean[1], d.max[1], d["50%"][1], d["75%"][1]})
    end
  end)
end)

describe("the numbers of describe", function()
  before_each(function() locus.set_printoptions {profile = "default", linewidth = 120} end)
  after_each(function() locus.set_printoptions {profile = "default", linewidth = 80} end)

  local function shown(f) return support.nowhere(tostring(f)) end

  it("are printed with the digits that their row needs", function()
    local d = locus.frame {
      {"large", {1e9, 2e9, 3e9, 4.5}}, {"small", {0.001, 0.002, 0.0035, 0.001}},
      {"s", {"x", "", "y", "y"}}, {"both", {1e9, 0.001, 5, 1e-17}}, {"huge", {1e300, 1, 1, 1}},
      {"none", {nan, nan, nan, nan}}, {"ends", {1, 2, 3, locus.inf}},
    }:describe():drop("type", "count", "missing", "distinct", "top", "freq")
    assert.equal(table.concat({
      " name          mean         std       min        25%         50%         75%         max",
      " string     float64     float64   float64    float64     float64     float64     float64",
      " large   1500000001  1290994447       4.5  750000001  1500000000  2250000000  3000000000",
      " small     0.001875    0.001181  0.001000   0.001000    0.001500    0.002375    0.003500",
      " s",
      " both     250000001   499999999     1e-17     0.0008      2.5005   250000004  1000000000",
      " huge      2.5e+299      5e+299         1          1           1    2.5e+299      1e+300",
      " none",
      " ends           inf                  1.00       1.75        2.50         inf         inf",
      "[frame of 7 rows, 8 columns]"}, "\n"), shown(d))
  end)

  it("follow set_printoptions, and stay so in parts of the frame", function()
    local d = locus.frame {{"a", {0.5, 1 / 3}}, {"b", {1e9, 2}}}:describe()
    d = d:select("name", "mean", "max")
    local usual = {"0.4167", "0.5000", "500000001", "1000000000"}
    local function column(f) return {shown(f):match("\n a +(%S+) +(%S+)\n b +(%S+) +(%S+)")} end
    assert.same(usual, column(d))
    assert.same(usual, column(d:head(2)))
    assert.same(usual, column(d[{{1, 2}}]))
    locus.set_printoptions {precision = 2}
    assert.same({"0.42", "0.50", "500000001", "1000000000"}, column(d))
    locus.set_printoptions {sci_mode = true}
    assert.same({"4.17e-01", "5e-01", "5e+08", "1e+09"}, column(d))
  end)
end)
