-- SPDX-License-Identifier: MIT
-- tostring of frames: alignment, which rows and columns are shown, and what bytes become.
local locus = require "locus"
local support = require "spec.support"

local function shown(f) return support.nowhere(tostring(f)) end

local function lines(...) return table.concat({...}, "\n") end

describe("tostring of a frame", function()
  before_each(function() locus.set_printoptions {profile = "default", linewidth = 80} end)
  after_each(function() locus.set_printoptions {profile = "default", linewidth = 80} end)

  it("aligns numbers right, strings left, under names and types", function()
    local f = locus.frame {
      {"sym", {"IBM", "A", ""}}, {"price", {1.5, 22, support.nan}},
      {"count", locus.tensor({1, -20, 300}, {dtype = "int32"})}, {"up", {true, false, true}},
      {"note", {"x", "longer text", ""}},
    }
    assert.equal(lines(
      " sym       price  count     up  note",
      " string  float64  int32   bool  string",
      " IBM      1.5000      1   true  x",
      " A       22.0000    -20  false  longer text",
      "             nan    300   true",
      "[frame of 3 rows, 5 columns]"), shown(f))
  end)

  it("shows five rows at each end", function()
    local ten = locus.frame {{"n", locus.arange(1, 11)}}
    assert.is_nil(shown(ten):find("...", 1, true))
    assert.equal(lines("       n", " float64", "       1", "       2", "       3", "       4",
      "       5", " ...", "       7", "       8", "       9", "      10", "      11",
      "[frame of 11 rows, 1 column]"), shown(locus.frame {{"n", locus.arange(1, 12)}}))
    local large = locus.frame {{"n", locus.arange(1e6)}, {"s", locus.strings {"a"}[
      locus.ones(1e6, {dtype = "int64"})]}}
    assert.equal(2 + 5 + 1 + 5 + 1, select(2, shown(large):gsub("[^\n]+", "")))
    assert.truthy(shown(large):find("[frame of 1000000 rows, 2 columns]", 1, true))
  end)

  it("follows set_printoptions", function()
    local f = locus.frame {{"n", locus.arange(1, 13) / 4}}
    locus.set_printoptions {profile = "short"}
    assert.equal(lines("       n", " float64", "    0.25", "    0.50", " ...", "    2.75",
      "    3.00", "[frame of 12 rows, 1 column]"), shown(f))
    locus.set_printoptions {edgeitems = 1, sci_mode = true}
    assert.equal(lines("        n", "  float64", " 2.50e-01", " ...", " 3.00e+00",
      "[frame of 12 rows, 1 column]"), shown(f))
    locus.set_printoptions {profile = "full"}
    assert.is_nil(shown(f):find("...", 1, true))
  end)

  it("shows what fits the width, and names the rest", function()
    local columns = {}
    for i = 1, 30 do columns[i] = {"column" .. i, {i}} end
    local text = shown(locus.frame(columns))
    for line in text:gmatch("[^\n]+") do
      assert.is_true(#line <= 80 or line:sub(1, 1) == "[")
    end
    assert.truthy(text:find("^ column1  column2 .* column9\n"))
    assert.equal("[frame of 1 row, 30 columns; not shown: column10, column11, column12, column13, "
      .. "column14, column15, column16, column17, column18, column19, column20, column21, "
      .. "column22, column23, column24, column25 and 5 more]", text:match("[^\n]*$"))
    locus.set_printoptions {linewidth = 5}
    assert.equal(lines(" column1", " float64", "       1",
      "[frame of 1 row, 2 columns; not shown: column2]"),
      shown(locus.frame(columns):select("column1", "column2")))
  end)

  it("has no rows where there are none", function()
    assert.equal(lines("       a  s", " float64  string", "[frame of 0 rows, 2 columns]"),
      shown(locus.frame {{"a", {}}, {"s", locus.strings {}}}))
  end)

  -- The text of one string in a frame.
  local function of(text)
    return (shown(locus.frame {{"s", {text}}}):match("\n[^\n]*\n (.-)\n%["))
  end

  it("writes control characters and stray bytes as such", function()
    assert.equal("a\\nb\\r\\t\\x00\\x1b\\x7f", of "a\nb\r\t\0\27\127")
    local plain = "\195\169 \226\130\172 \240\159\152\128"
    assert.equal(plain, of(plain))
    assert.equal("\\xc3", of "\195")
    assert.equal("\\xc3a\\xa9", of "\195a\169")
    assert.equal("\\xff\\xc0\\x80", of "\255\192\128") -- an overlong 0
    assert.equal("\\xed\\xa0\\x80", of "\237\160\128") -- half of a pair
    assert.equal("\\xe0\\x80\\xaf\\xf0\\x80\\x80\\xaf", of "\224\128\175\240\128\128\175")
    assert.equal("\\xf4\\x90\\x80\\x80\\xf5", of "\244\144\128\128\245")
    assert.equal("\\xc2\\x9b", of "\194\155") -- a control sequence introducer
  end)

  it("cuts strings at 32 characters, not within one", function()
    local e = "\195\169"
    assert.equal(("x"):rep(32), of(("x"):rep(32)))
    assert.equal(("x"):rep(29) .. "...", of(("x"):rep(33)))
    assert.equal(e:rep(32), of(e:rep(32)))
    assert.equal(e:rep(29) .. "...", of(e:rep(33)))
    assert.equal(("x"):rep(28) .. "...", of(("x"):rep(28) .. "\1\1\1"))
    assert.equal(29 + 3, #of(("y"):rep(1e6)))
  end)

  it("aligns columns that have such characters", function()
    local f = locus.frame {{"s", {"\195\169", "ab", "\n"}}, {"x\ny", {1, 2, 3}}}
    assert.equal(lines(
      " s          x\\ny",
      " string  float64",
      " \195\169             1",
      " ab            2",
      " \\n            3",
      "[frame of 3 rows, 2 columns]"), shown(f))
  end)

  it("shows times, dates and addresses as such", function()
    locus.set_printoptions {linewidth = 100}
    local f = locus.frame {
      {"at", {0, 1763800259250000}, "time"}, {"ns", {1, 2}, {"time", unit = "ns"}},
      {"day", {0, 20414}, "date"}, {"ip", {0, 3232235777}, "ipv4"},
    }
    assert.equal(lines(
      "                       at                              ns         day           ip",
      "                     time                        time[ns]        date         ipv4",
      "     1970-01-01T00:00:00Z  1970-01-01T00:00:00.000000001Z  1970-01-01      0.0.0.0",
      " 2025-11-22T08:30:59.250Z  1970-01-01T00:00:00.000000002Z  2025-11-22  192.168.1.1",
      "[frame of 2 rows, 4 columns]"), shown(f))
  end)

  it("says where it is #cuda", function()
    assert.truthy(tostring(locus.frame {{"a", locus.zeros(1, {device = "cuda"})}}):find(
      "[frame of 1 row, 1 column on cuda:0]", 1, true))
  end)
end)
