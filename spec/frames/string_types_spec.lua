-- SPDX-License-Identifier: MIT
-- String columns to numbers, times, dates, durations, bool and addresses.
local core = require "locus.core"
local locus = require "locus"

local function strings(...) return locus.strings {...} end

local function problem(method, c, ...)
  local ok, message = pcall(c[method], c, ...)
  assert.is_false(ok)
  return (message:gsub("^.-" .. method .. ": ", ""))
end

describe("a string column to another type", function()
  it("is what read_csv reads of the same text, for every type", function()
    local fields = {
      float64 = {"1.5", " nan ", "-1e5", "1.5D3"}, float32 = {"0.1", "inf"}, float16 = {"65504"},
      bfloat16 = {"3"}, int64 = {"9007199254740993", "-9223372036854775808"}, int32 = {"-7"},
      int16 = {"300"}, int8 = {"-128", "127"}, uint8 = {"255", "0"}, date = {"2026-11-22"},
      time = {"2026-11-22T08:30:59.25+01:00", "22/Nov/2026:08:30:59 +0100"}, ipv4 = {"10.0.0.1"},
    }
    for word, list in pairs(fields) do
      local read = locus.read_csv({text = "x\n" .. table.concat(list, "\n") .. "\n"},
                                  {types = {x = word}}).x
      local made = locus.strings(list):to(word)
      assert.equal(tostring(read), tostring(made))
      assert.same({read.dtype, read.kind}, {made.dtype, made.kind})
      assert.equal(core.get_default_device(), made.device)
    end
    assert.same({true, false, true}, strings("y", "n", "1"):to{"bool", {"y", "1"}, "n"}:totable())
  end)

  it("takes texts that stand for nothing, and what to write for them", function()
    local c = strings("1.5", "NA", "", "-", "1.5")
    local x = c:to("float64", {missing = {"NA", "-"}})
    assert.same({false, true, true, true, false}, x:isnan():totable())
    assert.same({2, 0, 0}, strings("2", "NA", ""):to({"int8", missing = 0}, {missing = "NA"})
      :totable())
    assert.equal('row 2 is empty; write {"int64", missing = value} if it may be: ""',
                 problem("to", strings("1", ""), "int64"))
    assert.equal('row 2 is empty; write {"time", missing = value} if it may be: "NA"',
                 problem("as_time", strings("1970-01-01", "NA"), {missing = {"NA"}}))
    assert.same({1, -1}, strings("1", ""):to({"int8", missing = -1}):totable())
    assert.same({1, -1}, strings("1", ""):to("int8", {missing = -1}):totable())
    assert.same({true, false},
      strings("y", ""):to({"bool", "y", "n"}, {missing = false}):totable())
    assert.same({0, 7}, strings("1970-01-01", ""):as_time({missing = 7}):totable())
    assert.same({1.5}, strings("1,5"):to("float64", {decimal = ","}):totable())
  end)

  it("names the first row that does not fit, and its text", function()
    local c = strings("1", "2", "x\n", "1", "y")
    assert.equal('row 3 is not an int64: "x\\n"', problem("to", c, "int64"))
    assert.equal('row 1 is not an int64: "y"', problem("to", c[{ {5, 5} }], "int64"))
    assert.same({1, 2}, c[{ {1, 2} }]:to("int64"):totable()) -- of names that no row has
    assert.equal('row 2 is not a uint8: "256"', problem("to", strings("1", "256"), "uint8"))
    assert.equal('row 1 has a finer fraction than seconds: "1970-01-01T00:00:00.5"',
                 problem("as_time", strings("1970-01-01T00:00:00.5"), {unit = "s"}))
    assert.equal('row 1 is not a date: "22.11.2026"', problem("as_date", strings("22.11.2026")))
    assert.equal('row 1 is neither "y" nor "n": "x"',
                 problem("to", strings("x"), {"bool", "y", "n"}))
  end)

  it("has times by pattern, unit and zone", function()
    local t = strings("22.11.2026 08:30", "1.7.2026 9:05"):as_time("%d.%m.%Y %H:%M",
      {unit = "s", zone = "Europe/Berlin"})
    assert.same({1795332600, 1782889500}, t:totable())
    assert.same({"time", "s"}, {t.kind, t.unit})
    assert.same(t:totable(), strings("22.11.2026 08:30", "1.7.2026 9:05"):to{"time",
      "%d.%m.%Y %H:%M", unit = "s", zone = "Europe/Berlin"}:totable())
    assert.equal("2026-11-22", tostring(strings("22/11/2026"):as_date("%d/%m/%Y")[1]))
    local c = strings("2026-10-25 02:30")
    assert.truthy(problem("as_time", c, {zone = "Europe/Berlin"}):find("comes twice", 1, true))
    local first = c:as_time({zone = "Europe/Berlin", ambiguous = "first"})
    local second = c:as_time({zone = "Europe/Berlin", ambiguous = "second"})
    assert.same({3600e6}, (second - first):totable())
  end)

  it("has durations as they print", function()
    local list = {"1:30:00", "0:00:00.5", "-1 day 23:00:00"}
    local d = locus.strings(list):as_duration()
    assert.same({5400e6, 5e5, -169200e6}, d:totable())
    assert.same({"duration", "us"}, {d.kind, d.unit})
    assert.same({5400, -1}, strings("1:30:00", ""):to({"duration", unit = "s", missing = -1})
      :totable())
    assert.truthy(problem("as_duration", strings("x")):find('^row 1 .*: "x"$'))
    assert.truthy(problem("as_duration", strings("x"), {unit = "h"}):find("^'unit' must be"))
  end)

  it("reads back what is written", function()
    local n = locus.tensor({1.5, -0.1, 1e300, 5e-324, locus.inf}, {dtype = "float64"})
    local text = locus.read_csv({text = locus.frame{{"x", n}}:write_csv()},
                                {types = {x = "string"}}).x
    assert.same(n:totable(), text:to("float64"):totable())
  end)

  it("is empty of an empty column, and itself as strings", function()
    for _, word in ipairs {"float64", "int8", "time", "duration"} do
      assert.equal(0, #strings():to(word), word)
    end
    local c = strings("a")
    assert.is_true(c == c:to("string"))
    assert.equal("cpu", c:to("cpu").device)
  end)

  it("refuses what is no type", function()
    local c = strings("1")
    assert.equal('the type is "int"; write "int64"', problem("to", c, "int"))
    assert.truthy(problem("to", c, {"float33"}):find("the types are uint8", 1, true))
    assert.truthy(problem("to", c, {"time", "%Q"}):find('the type has the pattern "%Q"', 1, true))
    assert.truthy(problem("to", c, "request_path"):find("c:map(f)", 1, true))
    assert.truthy(problem("to", c, "int8", {missing = 300}):find("int8 cannot hold", 1, true))
    assert.equal("'missing[2]' must be a string, got the number 1",
                 problem("to", c, "int8", {missing = {"x", 1}}))
    assert.truthy(problem("to", c, "int8", {unit = "s"}):find("has the option 'unit'", 1, true))
    assert.truthy(problem("to", c, "int8", {decimal = ";"}):find("'decimal' must be", 1, true))
    assert.is_false((pcall(c.to, c, "nowhere")))
  end)
end)
