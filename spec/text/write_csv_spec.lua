-- SPDX-License-Identifier: MIT
-- Frames as text: each dtype, what is quoted, formats.
local locus = require "locus"
local support = require "spec.support"

local function int64(list)
  local texts = {}
  for i, text in ipairs(list) do texts[i] = support.integer(text) end
  return locus.tensor(texts, {dtype = "int64"})
end

-- A frame of {name, column, kind}, as text.
local function text(columns, options)
  return locus.frame(columns):write_csv(options)
end

-- The lines of a single column without its name.
local function fields(column, kind, options)
  options = options or {}
  options.header = false
  local list = {}
  for line in text({{"x", column, kind}}, options):gmatch("(.-)\n") do list[#list + 1] = line end
  return list
end

describe("write_csv writes #once", function()
  it("integers exactly", function()
    for _, dtype in ipairs(support.integers) do
      local low, high = unpack(support.range[dtype])
      local x = locus.tensor({low, 0, 7, high}, {dtype = dtype})
      local shown = {}
      for i, v in ipairs{low, 0, 7, high} do shown[i] = (tostring(v):gsub("LL$", "")) end
      assert.same(shown, fields(x), dtype)
    end
    assert.same({"9007199254740993", "-9007199254740993"},
      fields(int64{"9007199254740993", "-9007199254740993"}))
  end)

  it("floats as the shortest text of their own precision", function()
    local values = {0.1, 1, -2.5, 1 / 3, math.huge, -math.huge, 0, 1e10}
    local shown = support.known("floats as text", {
      float64 = {"0.1", "1.0", "-2.5", "0.3333333333333333", "inf", "-inf", "0.0", "10000000000.0"},
      float32 = {"0.1", "1.0", "-2.5", "0.33333334", "inf", "-inf", "0.0", "10000000000.0"},
      float16 = {"0.1", "1.0", "-2.5", "0.3333", "inf", "-inf", "0.0", "inf"},
      bfloat16 = {"0.1", "1.0", "-2.5", "0.334", "inf", "-inf", "0.0", "10000000000.0"},
    })
    for _, dtype in ipairs(support.floats) do
      assert.same(shown[dtype], fields(locus.tensor(values, {dtype = dtype})), dtype)
    end
    assert.same({"101.37", "-0.0", "1e-07", "1e+23", "5e-324", "123456.789012", "1e-06"},
      fields(locus.tensor{101.37, -1 / math.huge, 1e-7, 1e23, 5e-324, 123456.789012, 1e-6}))
  end)

  it("bools, times, dates and addresses", function()
    assert.same({"true", "false"}, fields(locus.tensor{true, false}))
    local moments = {
      s = {{"0", "1970-01-01T00:00:00Z"}, {"1795305659", "2026-11-22T00:00:59Z"}},
      ms = {{"-1", "1969-12-31T23:59:59.999Z"}, {"1795305600000", "2026-11-22T00:00:00Z"}},
      us = {{"1795305600123456", "2026-11-22T00:00:00.123456Z"}},
      ns = {{"1795305600000000001", "2026-11-22T00:00:00.000000001Z"}},
    }
    for unit, pairs_of_unit in pairs(moments) do
      for _, pair in ipairs(pairs_of_unit) do
        assert.same({pair[2]}, fields(int64{pair[1]}, {"time", unit = unit}), unit)
      end
    end
    assert.same({"1970-01-01", "2026-11-22", "1969-12-31"},
      fields(int64{"0", "20779", "-1"}, "date"))
    assert.same({"192.168.0.1", "0.0.0.0", "255.255.255.255"},
      fields(int64{"3232235521", "0", "4294967295"}, "ipv4"))
  end)

  it("names, rows, and the separator between them", function()
    local columns = {{"n", locus.tensor({1, 2}, {dtype = "int32"})}, {"s", locus.strings{"a", "b"}}}
    assert.equal("n,s\n1,a\n2,b\n", text(columns))
    assert.equal("1,a\n2,b\n", text(columns, {header = false}))
    assert.equal("n\ts\r\n1\ta\r\n2\tb\r\n", text(columns, {separator = "\t", newline = "\r\n"}))
    assert.equal("x;y\n1,5;-0,25\n", text({{"x", locus.tensor{1.5}}, {"y", locus.tensor{-0.25}}},
      {separator = ";", decimal = ","}))
  end)

  it("what stands for NaN", function()
    local columns = {{"x", locus.tensor{0 / 0, 1}},
      {"y", locus.tensor({2, 0 / 0}, {dtype = "float32"})}}
    assert.equal("x,y\n,2.0\n1.0,\n", text(columns))
    assert.equal("x,y\nnan,2.0\n1.0,nan\n", text(columns, {missing = "nan"}))
    assert.equal('x,y\n"a,""b",2.0\n1.0,"a,""b"\n', text(columns, {missing = 'a,"b'}))
    assert.same({'""', "1.0"}, fields(locus.tensor{0 / 0, 1}))
    assert.same({'"-"', '"-1.0"', '"1e-10"', "2.0"},
      fields(locus.tensor{0 / 0, -1, 1e-10, 2}, nil, {separator = "-", missing = "-"}))
    assert.same({'"0"', '"0.00"'}, fields(locus.tensor{0 / 0, 0}, nil,
      {separator = "0", missing = "0", formats = {x = "%.2f"}}))
  end)

  it("columns without rows, with steps, of one element", function()
    assert.equal("x,s\n", text{{"x", locus.zeros(0)}, {"s", locus.strings{}}})
    assert.equal("", text({{"x", locus.zeros(0)}}, {header = false}))
    local x = locus.arange(0, 10)
    assert.same({"1", "4", "7"}, fields(x:long()[{{2, 10, 3}}]))
    assert.same({"3.0", "3.0", "3.0"}, fields(locus.tensor{3}:expand(3)))
    local wide = locus.tensor({{1, 2}, {3, 4}}, {dtype = "int8"})
    assert.same({"2", "4"}, fields(wide:select(2, 2)))
  end)

  it("rows beyond a chunk, in order", function()
    local n = 40000
    local lines, x = {"x,y"}, locus.arange(0, n):long()
    for i = 0, n - 1 do lines[i + 2] = ("%d,-%d.5"):format(i, i) end
    local y = -(locus.arange(0, n)) - 0.5
    assert.equal(table.concat(lines, "\n") .. "\n", text{{"x", x}, {"y", y}})
  end)
end)

describe("write_csv quotes #once", function()
  local table_of_fields = {
    {"", ""}, {"a", "a"}, {" a ", '" a "'}, {"a,b", '"a,b"'}, {'"', '""""'},
    {'say "hi"', '"say ""hi"""'},
    {"two\nlines", '"two\nlines"'}, {"\r", '"\r"'}, {"a\0b", "a\0b"}, {"\255", "\255"},
    {"'", "\"'\""}, {";", '";"'}, {"#", '"#"'}, {"a#;", "a#;"}, {"?", "?"}, {"/a", "/a"},
    {"//a", '"//a"'}, {"-", "-"}, {"-5", "-5"}, {"--", '"--"'}, {" a", '" a"'},
    {"a\t", '"a\t"'}, {"a b", "a b"}, {"\\", "\\"}, {"\195\164", "\195\164"},
    {"\239\187\191x", '"\239\187\191x"'},
    {"\239\188\145", "\239\188\145"}, {"\255\254a", '"\255\254a"'}, {"\254\255", '"\254\255"'},
    {"\31\139", '"\31\139"'}, {"\31", '"\31"'}, {"\31a", '"\31a"'}, {"a\31", "a\31"},
    {"\239", "\239"},
  }

  it("strings that need it, and no others", function()
    for _, case in ipairs(table_of_fields) do
      assert.equal(case[2] .. ",1\n", text({{"s", locus.strings{case[1]}},
        {"n", locus.tensor({1}, {dtype = "int8"})}}, {header = false}), case[1])
    end
  end)

  it("names by the same rule", function()
    for _, case in ipairs(table_of_fields) do
      if case[1] ~= "" then
        local written = text{{case[1], locus.zeros(0)}}
        assert.equal(case[2] .. "\n", written, case[1])
        assert.same({case[1]}, locus.read_csv({text = written}):columns())
      end
    end
  end)

  it("what would be an empty line", function()
    assert.equal('s\n""\na\n', text{{"s", locus.strings{"", "a"}}})
    assert.equal('s,t\n,\n', text{{"s", locus.strings{""}}, {"t", locus.strings{""}}})
  end)

  it("by the separator and the quote that are given", function()
    assert.same({"a,b", "'a;b'", "'it''s'", '"'}, fields(locus.strings{"a,b", "a;b", "it's", '"'},
      nil, {separator = ";", quote = "'"}))
  end)

  it("numbers and times that hold the separator", function()
    assert.same({'"1969-12-31T23:59:59.999Z"'}, fields(int64{"-1"}, {"time", unit = "ms"},
      {separator = ".", decimal = ","}))
    assert.same({'"10"', "2"}, fields(locus.tensor({10, 2}, {dtype = "uint8"}), nil,
      {separator = "0"}))
    assert.same({'"00:00"'}, fields(int64{"0"}, "time", {separator = ":", formats = {x = "%H:%M"}}))
    for byte in ("T:-Z0"):gmatch "." do
      assert.same({'"1970-01-01T00:00:00Z"'}, fields(int64{"0"}, "time", {separator = byte}))
    end
    assert.same({"11101"}, fields(int64{"10"}, nil, {quote = "1"}))
    assert.same({'"true"'}, fields(locus.tensor{true}, nil, {separator = "t"}))
  end)
end)

-- A line that begins as a reader's comments do would be lost when it is read.
describe("write_csv, whose text is read with comments, #once", function()
  local function check(f, written, read)
    local t = f:write_csv(nil, written)
    local options = {types = f:types()}
    for name, value in pairs(read) do options[name] = value end
    local g = locus.read_csv({text = t}, options)
    assert.same(f:columns(), g:columns(), t)
    for _, name in ipairs(f:columns()) do
      assert.same(f:column(name):totable(), g:column(name):totable(), t)
    end
    return t
  end

  local begins = {}
  for byte = 32, 126 do begins[#begins + 1] = string.char(byte) end

  it("keeps rows of strings that begin with one of the usual marks", function()
    for mark in ("# % ; ! * ' @ $ & ~ ^ | > // /* --"):gmatch "%S+" do
      local f = locus.frame {{mark .. "n", {mark, mark .. "x", "x" .. mark, ""}},
        {"b", {mark, "y", "", mark}}}
      check(f, nil, {comment = mark})
      check(f:select(mark .. "n"), nil, {comment = mark})
      check(f, {separator = "\t"}, {comment = mark, separator = "\t"})
    end
    assert.equal('"#a",#b\n"#",#\n', text {{"#a", {"#"}}, {"#b", {"#"}}})
    local nan = {{"x", locus.tensor {locus.nan, -1}}}
    assert.equal('x\n"#"\n-1.0\n', text(nan, {missing = "#"}))
    assert.equal('x\n"--"\n-1.00\n', text(nan, {missing = "--", formats = {x = "%.2f"}}))
    assert.equal('x\n" -"\n-1.0\n', text(nan, {missing = " -"}))
    assert.equal('at\n"#70"\n', text({{"at", int64 {"0"}, "time"}}, {formats = {at = "#%y"}}))
    assert.equal('b\n"#"\nno\n', text({{"b", {true, false}}}, {formats = {b = {"#", "no"}}}))
  end)

  it("keeps all rows by the comment that it is told, whatever their columns", function()
    for _, first in ipairs(begins) do
      if first ~= '"' then
        for _, comment in ipairs {first, first .. "1", first .. ",", "1," .. first, ","} do
          local told = {comment = comment}
          local s, t = {first, "1", first .. "1", ""}, {first, "1", "", "2"}
          check(locus.frame {{first, s}, {"second", t}}, told, told)
          local n = locus.tensor({1, -1, 10, 0}, {dtype = "int32"})
          check(locus.frame {{"n", n}, {"second", t}}, told, told)
          check(locus.frame {{"n", n:double()}}, told, told)
          check(locus.frame {{"n", n:ne(0)}}, told, told)
        end
      end
    end
    local f = locus.frame {{"at", int64 {"-1", "253402300800000000"}, "time"}}
    assert.equal('at\n"1969-12-31T23:59:59.999999Z"\n+10000-01-01T00:00:00Z\n',
      f:write_csv {comment = "1"})
  end)

  it("refuses what cannot be told from quotes, and more", function()
    local function told(options)
      return support.message(text, {{"a", {1}}}, options)
    end
    local sentence = "write_csv: 'comment' must be the text that begins a comment, and not begin "
      .. "with the quote, got the string "
    assert.equal(sentence .. '""', told {comment = ""})
    assert.equal(sentence .. '"\\"x"', told {comment = '"x'})
    assert.equal(sentence .. "\"'x\"", told {comment = "'x", quote = "'"})
    assert.truthy(told {comment = "a\nb"}:find(sentence, 1, true))
  end)
end)

describe("formats of write_csv #once", function()
  local function formatted(column, format, kind)
    return fields(column, kind, {formats = {x = format}})
  end

  it("give floats n places, rounded from the exact value", function()
    assert.same({"1.00", "0.12", "0.38", "-2.50", "inf", '""', "1000000.00"},
      formatted(locus.tensor{1, 0.125, 0.375, -2.5, 1 / 0, 0 / 0, 1e6}, "%.2f"))
    assert.same({"2", "0"}, formatted(locus.tensor{1.5, 0.5}, "%.0f"))
    local narrow = locus.tensor({0.1}, {dtype = "float32"})
    assert.same({"0.10000000149011611938"}, formatted(narrow, "%.20f"))
    assert.same({"0.10"}, formatted(narrow:half(), "%.2f"))
    local longest = formatted(locus.tensor{-1.7976931348623157e308}, "%.20f")[1]
    assert.equal(1 + 309 + 1 + 20, #longest)
    assert.equal("1,50\n", text({{"x", locus.tensor{1.5}}},
      {header = false, separator = ";", decimal = ",", formats = {x = "%.2f"}}))
  end)

  it("pad integers, and write them by 16", function()
    local x = int64{"7", "-7", "123456", "-9223372036854775808"}
    assert.same({"00007", "-0007", "123456", "-9223372036854775808"}, formatted(x, "%05d"))
    assert.same({"    7", "   -7", "123456", "-9223372036854775808"}, formatted(x, "%5d"))
    assert.same({"7", "-7", "123456", "-9223372036854775808"}, formatted(x, "%d"))
    assert.same({"7", "-7", "1e240", "-8000000000000000"}, formatted(x, "%x"))
    assert.same({"00ff"}, formatted(locus.tensor({255}, {dtype = "uint8"}), "%04x"))
    assert.equal(99, #formatted(locus.tensor({-1}, {dtype = "int8"}), "%099d")[1])
  end)

  it("name true and false", function()
    local x = locus.tensor{true, false}
    assert.same({"yes", "no"}, formatted(x, {"yes", "no"}))
    assert.same({'"a,b"', '""'}, formatted(x, {"a,b", ""}))
  end)

  it("are patterns of times and dates", function()
    assert.same({"22.11.2026 00:00"}, formatted(int64{"1795305600"}, "%d.%m.%Y %H:%M",
      {"time", unit = "s"}))
    assert.same({'"Nov 22, 2026"'}, formatted(int64{"20779"}, "%b %d, %Y", "date"))
    assert.same({"08:30"}, formatted(int64{"30600000000"}, "%H:%M", "time"))
    local most = "9223372036854775807"
    assert.same({most}, formatted(int64{most}, "%d.%m.%Y", "date"))
    assert.same({'"' .. ("%"):rep(50) .. '"'}, formatted(int64{"0"}, ("%%"):rep(50), "time"))
  end)

  it("are functions of elements, whose text is quoted where needed", function()
    assert.same({"<1.5>", "<nan>", '"a,b"'}, formatted(locus.tensor{1.5, 0 / 0, 3}, function(v)
      return v == 3 and "a,b" or v ~= v and "<nan>" or "<" .. v .. ">"
    end))
    assert.same({"A", "BB"}, formatted(locus.strings{"a", "bb"}, string.upper))
    assert.same({"9007199254740993LL"}, formatted(int64{"9007199254740993"}, tostring))
    assert.same({"true"}, formatted(locus.tensor{true}, tostring))
    assert.same({"0"}, formatted(int64{"0"}, function(t) return "" .. t / 1e6 end, "time"))
    if pcall(require, "ffi") then
      assert.same({"1970-01-01T00:00:00Z"}, formatted(int64{"0"}, tostring, "time"))
    end
    assert.same({"1+2i"}, formatted(locus.tensor({support.complex(1, 2)}), function(z)
      return ("%d+%di"):format(z.re, z.im)
    end))
    local n, x = 20000, locus.arange(0, 20000):long()
    local list = formatted(x, function(v) return "r" .. v end)
    assert.same({n, "r0", "r16384", "r19999"}, {#list, list[1], list[16385], list[n]})
  end)
end)
