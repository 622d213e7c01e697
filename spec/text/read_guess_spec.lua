-- SPDX-License-Identifier: MIT
-- Columns whose type their text decides: all of it, wherever what decides stands.
local left_by = require("spec.support.text").left_by
local locus = require "locus"
local same = require("spec.support").same

local function column(...)
  return locus.read_csv({text = "x,n\n" .. table.concat({...}, ",1\n") .. ",1\n"}).x
end

local function type_of(...)
  local x = column(...)
  return locus.is_tensor(x) and x.dtype or "string"
end

describe("a column without a type #once", function()
  it("is int64 when all fields are plain whole numbers", function()
    assert.equal("int64", type_of("1", "-2", "0", " 3 "))
    assert.equal("int64", type_of("9223372036854775807", "-9223372036854775808"))
  end)

  it("does not see what follows a field", function()
    local f = locus.read_csv({text = "a7b\n074\n"}, {separator = "7"})
    assert.same({"int64", 0, 4}, {f.a.dtype, f.a[1], f.b[1]})
  end)

  it("is float64 when all are plain numbers or empty", function()
    for _, field in ipairs {"1.5", "1e3", ".5", "5.", "-0", "nan", "-inf", "Infinity", "", "0.1",
                            "1.5D+03", "-.5d-2", "0.D0"} do
      assert.equal("float64", type_of("1", field, "2"), field)
    end
    assert.same({1, 1.5, 2}, column("1", "1.5", "2"):totable())
  end)

  it("is string when a number would lose something", function()
    for _, field in ipairs {"007", "-01", "00.5", "+1", "+1.5", "9223372036854775808", "0x10",
                            "1_000", "1,5", "yes", "2026-11-22", "2026-11-22T08:30Z", "1 2",
                            "12D3", "1d5",
                            "1.5D", "1.5D+", "1.5D1.0", "1.5De1", "1.5e1D1"} do
      local quoted = field:find(",") and '"' .. field .. '"' or field
      assert.equal("string", type_of("1", quoted), field)
      assert.same({"1", field}, column("1", quoted):totable())
    end
    assert.equal("string", type_of("9007199254740993", "1.5"))
    assert.equal("string", type_of("9007199254740993", ""))
    assert.equal("float64", type_of("9007199254740992", "1.5"))
    assert.equal("float64", type_of("9007199254740994", ""))
  end)

  it("rounds fractions, which a time in nanoseconds and a string keep whole", function()
    local text = "t\n1700000000.123456789\n1700000000.123456790\n"
    same(locus.read_csv({text = text}).t, {2}, {1700000000.123456789, 1700000000.12345679})
    local times = locus.read_csv({text = text}, {types = {t = {"time", "%s.%f", unit = "ns"}}}).t
    same(times:diff(), {1}, {1}, "int64")
    assert.same({"1700000000.123456789", "1700000000.123456790"},
      locus.read_csv({text = text}, {types = {t = "string"}}).t:totable())
  end)

  it("keeps the text of its strings as it is", function()
    assert.same({" 1", "x", "1 "}, column(" 1", "x", "1 "):totable())
  end)

  it("is decided by its last field as by its first", function()
    for _, rows in ipairs {10, 30000, 100000} do
      local text = "a,b,c\n" .. ("1,2,3\n"):rep(rows)
      local f = locus.read_csv({text = text .. "4,5.5,x\n"})
      assert.equal("int64", f.a.dtype)
      assert.equal("float64", f.b.dtype)
      assert.same({"3", "x"}, f.c.names)
      assert.equal(rows + 1, #f)
      assert.equal(5.5, f.b[rows + 1])
      f = locus.read_csv({text = text .. "4,5.5,\n" .. ("7,8,x\n"):rep(rows)})
      assert.equal("string", f:types().c)
      assert.equal("3", f.c[1])
      assert.equal("", f.c[rows + 1])
    end
  end)

  it("is so from sources that cannot be read twice, too", function()
    local text, given = "a\n" .. ("1\n"):rep(300000) .. "x\n", false
    local f = locus.read_csv(function()
      given = not given
      return given and text or nil
    end)
    assert.equal("1", f.a[1])
    assert.equal("x", f.a[300001])
  end)

  it("leaves nothing behind when it is read again", function()
    local text = "a,b\n" .. ("1,x\n"):rep(100000) .. "1.5,y\n"
    assert.is_true(0 >= left_by(function()
      assert.equal(1.5, locus.read_csv({text = text}).a[100001])
      for _ in locus.chunks({text = text}) do end
    end))
  end)

  it("is not decided by lines that are left out", function()
    local f = locus.read_csv({text = "a,b\n1,2\nx\n3,4\n" .. "5,\"y\n"}, {bad = 2})
    assert.equal("int64", f.a.dtype)
    assert.equal("int64", f.b.dtype)
    assert.equal(2, #f.bad)
    local text = "a,b\n" .. ("1,2\n"):rep(100000) .. "x\n1.5,z\n"
    f = locus.read_csv({text = text}, {bad = 2, types = {a = "int64", b = "string"}})
    assert.equal(100000, #f)
    f = locus.read_csv({text = text}, {bad = 2})
    assert.equal(1, #f.bad)
    assert.equal(100001, #f)
    -- The line that b is not read of is left out of c, too, whose guess fails with the last one.
    text = "b,c\n" .. ("1,2\n"):rep(200000) .. "x,3\n1,y\n"
    f = locus.read_csv({text = text}, {bad = 2, types = {b = "int64"}, columns = {"b", "c"}})
    assert.same({1, 200001, 200001}, {#f.bad, #f.b, #f.c})
    assert.equal("y", f.c[-1])
  end)
end)

describe("a column of times without a type #once", function()
  local function read(...)
    return locus.read_csv({text = "x;n\n" .. table.concat({...}, ";1\n") .. ";1\n"},
                          {separator = ";"})
  end

  local function types(...) return read(...):types().x end

  it("is of dates when all fields are dates", function()
    assert.equal("date", types("2026-11-22", " 0001-01-01 ", "9999-12-31"))
    assert.same({20779, -1}, column("2026-11-22", "1969-12-31"):totable())
    assert.equal("2026-11-22", tostring(column("2026-11-22")[1]))
  end)

  it("is of times in microseconds when all are those of ISO 8601 or the common log", function()
    for _, field in ipairs {"2026-11-22T08:30:59.25Z", "2026-11-22 08:30+01:00",
                            "2026-11-22t08:30:59,5 UTC", "22/Nov/2026:08:30:59 +0100",
                            "2026-11-22T08:30:59.000000000Z"} do
      assert.equal("time", types("2026-11-22T08:30:00Z", field), field)
      local typed = locus.read_csv({text = "x\n" .. field},
                                   {types = {x = "time"}, separator = ";"}).x
      assert.equal(typed:item(), read(field).x:item(), field)
    end
    assert.equal("time", types("2026-11-22 08:30", "2026-11-22"))
    assert.same({0, 864e8}, column("1970-01-01", "1970-01-02 00:00"):totable())
    assert.same({864e8, 0}, column("1970-01-02T00:00:00", "1970-01-01"):totable())
  end)

  it("is of nanoseconds when a fraction needs them and all fit", function()
    assert.same({"time", unit = "ns"},
      types("2026-11-22T08:30:00Z", "2026-11-22T08:30:00.1234567Z"))
    assert.same({1, 864e11 + 2e9},
      column("1970-01-01T00:00:00.000000001", "1970-01-02 00:00:02"):totable())
    assert.same({864e11, 1}, column("1970-01-02", "1970-01-01T00:00:00.000000001"):totable())
    assert.equal("string", types("2026-11-22T08:30:00.1234567Z", "2263-01-01T00:00:00Z"))
    assert.equal("string", types("1677-01-01", "2026-11-22T08:30:00.1234567"))
    assert.equal("time", types("2026-11-22T08:30:00Z", "2263-01-01T00:00:00Z"))
    assert.equal("string", types("2026-11-22T08:30:00.0000000001Z"))
  end)

  it("is string when a field is no such time, is missing, or has an offset alone", function()
    for _, field in ipairs {"2026-02-29", "2026-11-22T24:00", "08:30", "20261122", "22.11.2026",
                            "11/22/2026", "", "NA", "1", "1.5", "2026-11", "2026-W47-1",
                            "+12026-11-22", "2026-11-22T08:30:00Z", "2026-11-22 08:30 CET"} do
      assert.equal("string", types("2026-11-22", field), field)
      assert.equal("string", types(field, "2026-11-22"), field)
      assert.same({field, "2026-11-22"}, column(field, "2026-11-22"):totable())
    end
    assert.equal("string", types("2026-11-22T08:30:00", "2026-11-22T08:30:00Z"))
    local f = locus.read_csv({text = "x,n\n2026-11-22,1\nNA,2\n"}, {missing = "NA"})
    assert.same({"2026-11-22", ""}, f.x:totable())
  end)

  it("is never one of plain integers", function()
    assert.equal("int64", types("20261122", "19700101"))
    assert.equal("int64", types("1700000000", "1700000000000000000"))
    assert.equal("float64", types("1700000000.123456", "1700000000"))
  end)

  it("is decided by its last field as by its first, also in chunks", function()
    for _, rows in ipairs {10, 100000} do
      local many = ("2026-11-22,1970-01-01T00:00:00Z,2026-11-22\n"):rep(rows)
      local text = "a,b,c\n" .. many .. "2026-11-22 12:00,1970-01-01T00:00:00.000000001Z,x\n"
      local f = locus.read_csv({text = text})
      assert.same({a = "time", b = {"time", unit = "ns"}, c = "string"}, f:types())
      assert.same({1795305600e6, 1795348800e6}, {f.a[1]:item(), f.a[-1]:item()})
      assert.same({0, 1, "2026-11-22"}, {f.b[1]:item(), f.b[-1]:item(), f.c[1]})
      for part in locus.chunks({text = text}, {rows = 40000}) do
        assert.same({a = "time", b = {"time", unit = "ns"}, c = "string"}, part:types())
      end
    end
  end)

  it("is written as it was read", function()
    local text = "d,t\n2026-11-22,2026-11-22T08:30:59.250Z\n1969-12-31,0001-01-01T00:00:00Z\n"
    assert.equal(text, locus.read_csv({text = text}):write_csv())
  end)
end)

describe("guesses #once", function()
  it("are not decided by lines that are left out", function()
    local f = locus.read_csv({text = "a,b\n1,5\n1,x,1\n1,\n1,y,1\n"}, {bad = 10})
    assert.same({a = "int64", b = "float64"}, f:types())
  end)

  it("hold for all chunks, whichever they fail in", function()
    local big = "9007199254740993"
    for _, lines in ipairs {
      {big .. "\n", ("1\n"):rep(99999), "1.5\n"},
      {("1\n"):rep(300000), big, "\n", ("1\n"):rep(2e5), "1.5\n"},
      {"1.5\n", ("1\n"):rep(3e5), big, "\n"},
    } do
      local text = "x\n" .. table.concat(lines)
      for part in locus.chunks({text = text}, {rows = 60000}) do
        assert.equal("string", part:types().x)
      end
    end
  end)

  it("begin behind a byte order mark", function()
    local f = locus.read_csv({text = "\239\187\191a\n"}, {header = {"x"}})
    assert.equal("a", f.x[1])
  end)

  it("pass over missing texts with spaces around them", function()
    local options = {missing = {"NA", "-"}}
    local f = locus.read_csv({text = "a,b,c\n1, NA, -\n2,3,x\n"}, options)
    assert.same({a = "int64", b = "float64", c = "string"}, f:types())
    assert.same({" -", "x"}, f.c:totable())
    options.types = {b = {"int8", missing = -1}, c = "string"}
    f = locus.read_csv({text = "a,b,c\n1, NA, -\n2,3,x\n"}, options)
    assert.same({-1, 3}, f.b:totable())
    assert.same({" -", "x"}, f.c:totable())
  end)
end)

describe("read_json without types", function()
  local function read(lines, options)
    return locus.read_json({text = table.concat(lines, "\n") .. "\n"}, options)
  end

  it("guesses times as read_csv does, and no numbers of strings", function()
    local function guess(...)
      local lines = {}
      for i, text in ipairs {...} do lines[i] = '{"t":' .. text .. "}" end
      local word = read(lines):types().t
      return type(word) == "table" and word[1] or word
    end
    local zoned, bare = '"2026-11-23T10:00:00Z"', '"2026-11-23 10:00"'
    assert.equal("time", guess(zoned, '"2026-11-23T11:00:00+01:00"'))
    assert.equal("time", guess(bare, '"2026-11-23"'))
    assert.equal("date", guess('"2026-11-23"', '"2026-11-24"'))
    local fine = read {'{"t":"2026-11-23T10:00:00.123456789Z"}', '{"t":' .. zoned .. "}"}
    assert.equal("ns", fine.t.unit)
    for _, other in ipairs {bare, '"x"', "null", "1", "true", '""', '"12:00"',
                            '"1000-01-01T00:00:00.123456789Z"', '"2026-11-23T10:00:0\\u0030Z"'} do
      assert.equal("string", guess(zoned, other), other)
      assert.equal("string", guess(other, zoned), other)
    end
    assert.equal("string", guess('"12"', '"13"'))
    assert.equal("string", read({'{"t":' .. zoned .. "}", "{}"}):types().t)
  end)

  it("guesses from all good records, whatever stands between them", function()
    local f = read({'{"b":1}', "x", '{"a":2}', "null"}, {bad = 5})
    assert.same({"b", "a"}, f:columns())
    assert.equal(2, #f)
    f = read({'{"a":"hello"}', "x", '{"a":2}'}, {bad = 5})
    assert.same({"hello", "2"}, f.a:totable())
    assert.same({"x"}, f.bad.text:totable())
  end)
end)
