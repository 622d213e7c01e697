-- SPDX-License-Identifier: MIT
-- f:asof: the columns of another frame beside a frame's own, and what it refuses.
local locus = require "locus"
local support = require "spec.support"

local message = support.message
local long = locus.LongTensor

local trades = locus.frame {
  {"time", long{1, 2, 3, 4, 9}, "time"}, {"sym", {"a", "b", "a", "c", "b"}},
  {"px", {1, 2, 3, 4, 5}},
}
local quotes = locus.frame {
  {"time", long{1, 2, 3, 4}, "time"}, {"sym", {"b", "b", "a", "b"}}, {"bid", {10, 20, 30, 40}},
  {"n", long{1, 2, 3, 4}}, {"ex", {"x", "y", "z", "w"}},
}

describe("f:asof", function()
  it("puts the row in force beside each, by keys", function()
    local f = trades:asof(quotes, {on = "time", by = "sym", missing = {n = -1, bid = 0}})
    assert.same({"time", "sym", "px", "bid", "n", "ex"}, f:columns())
    assert.same({time = {1, 2, 3, 4, 9}, sym = {"a", "b", "a", "c", "b"}, px = {1, 2, 3, 4, 5},
                 bid = {0, 20, 30, 0, 40}, n = {-1, 2, 3, -1, 4}, ex = {"", "y", "z", "", "w"}},
      f:totable())
    assert.equal("time", f:types().time)
    assert.same(f:totable(), trades:asof(quotes, {on = "time", by = {"sym"},
      missing = {n = -1, bid = 0}}):totable())
  end)

  it("takes asof's options, and leaves NaN", function()
    local q = quotes:select("time", "sym", "bid")
    local f = trades:asof(q, {on = "time", by = "sym", direction = "forward", inclusive = false})
    local bid = f.bid:totable()
    assert.same({30, 40}, {bid[1], bid[2]})
    for i = 3, 5 do assert.is_true(bid[i] ~= bid[i]) end
    f = trades:asof(q:drop("sym"), {on = "time", direction = "nearest", tolerance = 4,
                                   missing = {bid = -1}})
    assert.same({10, 20, 30, 40, -1}, f.bid:totable())
    assert.equal(0, #trades:head(0):asof(q:drop("sym"), {on = "time"}))
  end)

  it("takes each key that the other frame lacks for a group of its own", function()
    local late = trades[long{5, 4, 2, 1}]:with("sym", {"d", "e", "b", "f"})
    for _, by in ipairs {"sym", {"sym", "px"}} do
      local q = by == "sym" and quotes or quotes:with("px", {2, 2, 3, 4})
      local f = late:asof(q:drop("n", "ex"), {on = "time", by = by})
      local bid = f.bid:totable()
      assert.equal(20, bid[3])
      for _, i in ipairs {1, 2, 4} do assert.is_true(bid[i] ~= bid[i]) end
    end
  end)

  it("has a suffix for names that both have", function()
    local f = trades:asof(quotes:select("time", "sym"), {on = "time", suffix = "_q"})
    assert.same({"time", "sym", "px", "sym_q"}, f:columns())
    assert.same({"b", "b", "a", "b", "b"}, f.sym_q:totable())
  end)

  it("says what is wrong", function()
    local function says(text, ...)
      assert.equal("asof: " .. text, message(trades.asof, trades, ...))
    end
    says("'other' must be a frame, got the number 5", 5, {on = "time"})
    says("'on' is missing", quotes)
    says("the frame has no column 'tim'; did you mean 'time'?", quotes, {on = "tim"})
    says("the column 'sym' must be of numbers, got a string column", quotes, {on = "sym"})
    says("both frames have a column 'sym'; give a 'suffix' for those of the other one, or rename "
      .. "it", quotes:select("time", "sym"), {on = "time"})
    says("a row of the column 'n' finds nothing, and int64 has no NaN; write "
      .. "missing = {n = ...}", quotes, {on = "time", by = "sym"})
    says("'missing' must be a table of values by name, got the number 0", quotes,
      {on = "time", missing = 0})
    says("'missing' names the column 'm', and 'other' brings 'bid', 'n', 'ex'", quotes,
      {on = "time", by = "sym", missing = {m = 0}})
    says("the column 'time' must be of the same kind in both frames, got time and time[ns]",
      quotes:with("time", quotes.time, {kind = {"time", unit = "ns"}}), {on = "time"})
    says("'other.time' is not ascending: 1970-01-01T00:00:00.000001Z at [2] follows "
      .. "1970-01-01T00:00:00.000003Z", quotes[long{3, 1}]:drop("sym"),
      {on = "time"})
    says("'other.time' is not ascending within its group: 1970-01-01T00:00:00.000001Z at [2] "
      .. "follows 1970-01-01T00:00:00.000002Z at [1]",
      quotes[long{2, 1}], {on = "time", by = "sym"})
    says("the column 'sym' must be of the same kind in both frames, got string and float64",
      quotes:with("sym", {1, 2, 3, 4}), {on = "time", by = "sym"})
    says("'by' names no column", quotes, {on = "time", by = {}})
    says("'by' names 'sym' twice", quotes, {on = "time", by = {"sym", "sym"}})
  end)
end)
