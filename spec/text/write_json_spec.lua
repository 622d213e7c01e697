-- SPDX-License-Identifier: MIT
-- Frames as JSON: each dtype, escapes, what stands for NaN and infinity, formats, nested objects,
-- an array of them; each text against a reader that is written as the grammar is.
local json = require "spec.support.models.json"
local locus = require "locus"
local support = require "spec.support"
local text = require "spec.support.text"

local function int64(list)
  local texts = {}
  for i, digits in ipairs(list) do texts[i] = support.integer(digits) end
  return locus.tensor(texts, {dtype = "int64"})
end

local function written(columns, options)
  return locus.frame(columns):write_json(options)
end

-- The values of a single column as they are written.
local function values(column, kind, options)
  local list = {}
  for line in written({{"x", column, kind}}, options):gmatch("(.-)\n") do
    assert(json.decode(line), line)
    list[#list + 1] = line:match('^{"x":(.*)}$') or line
  end
  return list
end

local function told(columns, ...)
  local f = locus.frame(columns)
  return support.message(f.write_json, f, ...)
end

describe("write_json writes #once", function()
  it("integers exactly, as numbers", function()
    for _, dtype in ipairs(support.integers) do
      local low, high = unpack(support.range[dtype])
      local shown = {}
      for i, v in ipairs {low, 0, 7, high} do shown[i] = (tostring(v):gsub("LL$", "")) end
      assert.same(shown, values(locus.tensor({low, 0, 7, high}, {dtype = dtype})), dtype)
    end
    assert.same({"9007199254740993"}, values(int64 {"9007199254740993"}))
  end)

  it("floats as the shortest text of their own precision", function()
    local list = {0.1, 1, -2.5, 1 / 3, -0.0}
    for dtype, shown in pairs {
      float64 = {"0.1", "1.0", "-2.5", "0.3333333333333333", "-0.0"},
      float32 = {"0.1", "1.0", "-2.5", "0.33333334", "-0.0"},
      float16 = {"0.1", "1.0", "-2.5", "0.3333", "-0.0"},
      bfloat16 = {"0.1", "1.0", "-2.5", "0.334", "-0.0"},
    } do
      assert.same(shown, values(locus.tensor(list, {dtype = dtype})), dtype)
    end
    assert.same({"1e-07", "1e+23", "5e-324", "1.7976931348623157e+308"},
      values(locus.tensor {1e-7, 1e23, 5e-324, 1.7976931348623157e308}))
  end)

  it("bools, times, dates, addresses and durations", function()
    assert.same({"true", "false"}, values(locus.tensor {true, false}))
    for unit, pair in pairs {
      s = {"1795305659", '"2026-11-22T00:00:59Z"'}, ms = {"-1", '"1969-12-31T23:59:59.999Z"'},
      us = {"1795305600123456", '"2026-11-22T00:00:00.123456Z"'},
      ns = {"1795305600000000001", '"2026-11-22T00:00:00.000000001Z"'},
    } do
      assert.same({pair[2]}, values(int64 {pair[1]}, {"time", unit = unit}), unit)
      assert.same({pair[1]}, values(int64 {pair[1]}, {"duration", unit = unit}), unit)
    end
    assert.same({'"1970-01-01"', '"2026-11-22"'}, values(int64 {"0", "20779"}, "date"))
    assert.same({'"192.168.0.1"', '"0.0.0.0"'}, values(int64 {"3232235521", "0"}, "ipv4"))
    if text.has_zones() then
      assert.same({'"1970-01-01T01:00:00+01:00"'},
        values(int64 {"0"}, "time", {zone = "Europe/Berlin"}))
    end
  end)

  it("keys in the columns' order, a line for each row", function()
    local columns = {{"n", locus.tensor({1, 2}, {dtype = "int32"})}, {"s", {"a", "b"}}}
    assert.equal('{"n":1,"s":"a"}\n{"n":2,"s":"b"}\n', written(columns))
    assert.equal('[\n{"n":1,"s":"a"},\n{"n":2,"s":"b"}\n]\n', written(columns, {array = true}))
    local none = {{"n", locus.zeros(0)}}
    assert.equal("", written(none))
    assert.equal("[]\n", written(none, {array = true}))
    assert.equal('{"\\"\\n\\u0000\195\164":1.0}\n', written {{'"\n\0\195\164', {1}}})
  end)

  it("columns with steps, and of one element", function()
    local x = locus.arange(0, 10):long()
    assert.same({"1", "4", "7"}, values(x[{{2, 10, 3}}]))
    assert.same({"3.0", "3.0"}, values(locus.tensor {3}:expand(2)))
    assert.same({"2", "4"}, values(locus.tensor({{1, 2}, {3, 4}}, {dtype = "int8"}):select(2, 2)))
  end)
end)

describe("what stands for NaN and infinity in JSON #once", function()
  local x = locus.tensor {1, locus.nan, 1 / 0, -1 / 0}

  it("is null, or what the options say", function()
    for _, dtype in ipairs(support.floats) do
      assert.same({"1.0", "null", "null", "null"}, values(x:to(dtype)), dtype)
    end
    assert.same({"1.0", "-1e9", "1e999", "-1e999"},
      values(x, nil, {missing = "-1e9", infinite = "number"}))
    assert.same({"1.0", '"n/a"', '"Infinity"', '"-Infinity"'},
      values(x, nil, {missing = '"n/a"', infinite = "string"}))
    assert.same({"1.00", "null", "null", "null"}, values(x, nil, {formats = {x = "%.2f"}}))
  end)

  it("is nothing where missing is nothing: the key is left out", function()
    assert.same({"1.0", "{}", "null", "null"}, values(x, nil, {missing = ""}))
    local columns = {{"x", {1, locus.nan, locus.nan}}, {"y", {locus.nan, 2, locus.nan}},
                     {"s", {"", "", ""}}}
    assert.equal('{"x":1.0,"s":""}\n{"y":2.0,"s":""}\n{"s":""}\n', written(columns, {missing = ""}))
  end)

  it("is read by other readers as it is meant", function()
    local back = json.lines(written({{"x", x}}, {infinite = "number"}))
    assert.equal(json.null, back[2].values[1])
    assert.equal(1 / 0, tonumber(back[3].values[1].number))
    assert.equal(-1 / 0, tonumber(back[4].values[1].number))
  end)

  it("may be an error, with the row", function()
    local said = "write_json: column 'x' is infinite in row 3, which no number of JSON is; write "
      .. "infinite = \"null\", \"number\" for 1e999 or \"string\""
    assert.equal(said, told({{"x", x}}, {infinite = "error"}))
    text.with_file("kept", function(path)
      assert.equal(said, told({{"x", x}}, path, {infinite = "error"}))
      assert.equal("kept", text.read(path))
    end)
    local long = locus.zeros(70000)
    long[65537] = -1 / 0
    assert.matches("in row 65537,", told({{"x", long}}, {infinite = "error"}))
  end)

  it("must be JSON", function()
    for _, good in ipairs {"null", "0", "-1.5e+3", "0.25E-7", '"a b"', '""', '"\195\164"', ""} do
      assert.truthy(written({{"x", x}}, {missing = good}))
    end
    local head = "write_json: 'missing' must be \"null\", a number, a string between quotes, or "
      .. "\"\", which leaves the key out, got the string "
    for bad, shown in pairs {["n/a"] = "\"n/a\"; write '\"n/a\"'", NaN = "\"NaN\"; write '\"NaN\"'",
                             ["01"] = "\"01\"; write '\"01\"'", ["1."] = "\"1.\"; write '\"1.\"'",
                             ["+1"] = "\"+1\"; write '\"+1\"'", ['"'] = '"\\""',
                             ['"a"b"'] = '"\\"a\\"b\\""', ["1e"] = "\"1e\"; write '\"1e\"'",
                             ["-"] = "\"-\"; write '\"-\"'", ['"\255"'] = '"\\"\\xff\\""',
                             [".5"] = "\".5\"; write '\".5\"'"} do
      assert.equal(head .. shown, told({{"x", x}}, {missing = bad}))
    end
    assert.equal("write_json: 'infinite' must be \"null\", \"number\" for 1e999, \"string\" for "
      .. "\"Infinity\", or \"error\", got the string \"inf\"", told({{"x", x}}, {infinite = "inf"}))
    assert.equal("write_json: 'invalid' must be \"replace\", for U+FFFD in the place of bytes that "
      .. "are no UTF-8, or \"keep\", got the string \"ignore\"",
      told({{"x", x}}, {invalid = "ignore"}))
  end)
end)

describe("strings of JSON #once", function()
  it("have the escapes that the grammar asks for, and no others", function()
    local named = {['"'] = '\\"', ["\\"] = "\\\\", ["\b"] = "\\b", ["\f"] = "\\f", ["\n"] = "\\n",
                   ["\r"] = "\\r", ["\t"] = "\\t"}
    for byte = 0, 127 do
      local c = string.char(byte)
      local shown = named[c] or byte < 32 and ("\\u%04x"):format(byte) or c
      for _, length in ipairs {0, 1, 7, 8, 9, 20} do
        local before, after = ("x"):rep(length), ("y"):rep(20 - length)
        assert.same({'"' .. before .. shown .. after .. '"'},
          values(locus.strings {before .. c .. after}))
      end
    end
    assert.same({'"/</script>\226\128\168"'}, values(locus.strings {"/</script>\226\128\168"}))
  end)

  it("keep all characters of UTF-8", function()
    local list = {}
    for _, code in ipairs {0x80, 0x7ff, 0x800, 0xfff, 0x1000, 0xd7ff, 0xe000, 0xfeff, 0xfffd,
                           0xffff, 0x10000, 0x1f600, 0x3ffff, 0x40000, 0xfffff, 0x100000,
                           0x10ffff} do
      list[#list + 1] = ("x"):rep(#list) .. json.utf8(code) .. "y"
    end
    for i, line in ipairs(json.lines(written {{"s", locus.strings(list)}})) do
      assert.equal(list[i], line.values[1])
    end
  end)

  -- What Unicode's table 3-8 and the grammar of table 3-7 say: U+FFFD for a character that is cut
  -- short, and for each byte that begins none.
  local R = "\239\191\189"
  local cases = {
    ["\255"] = R, ["a\128b"] = "a" .. R .. "b", ["\194"] = R, ["\194a"] = R .. "a",
    ["\224\160"] = R, ["\224\159\191"] = R .. R .. R, ["\237\160\128"] = R .. R .. R,
    ["\240\159\152"] = R, ["\240\159\152x"] = R .. "x", ["\240\143\191\191"] = R .. R .. R .. R,
    ["\244\144\128\128"] = R .. R .. R .. R, ["\192\175"] = R .. R,
    ["\225\128\226\240\145\146\241\191A"] = R .. R .. R .. R .. "A",
    ["12345678\240\159\152\240\159\152\128"] = "12345678" .. R .. "\240\159\152\128",
  }

  it("are errors where they are no UTF-8, unless an option says what becomes of that", function()
    for bytes, replaced in pairs(cases) do
      local columns = {{"s", locus.strings {"a", bytes}}}
      assert.equal("write_json: column 's' has bytes that are no UTF-8 in row 2; write invalid = "
        .. "\"replace\" for U+FFFD in their place, or \"keep\"", told(columns))
      assert.equal(replaced, json.lines(written(columns, {invalid = "replace"}))[2].values[1])
      assert.equal(bytes, json.lines(written(columns, {invalid = "keep"}))[2].values[1])
      local named = {{bytes, {1}}}
      assert.matches("^write_json: the name of column '.*' is no UTF%-8; write invalid = ",
        told(named))
      assert.equal(replaced, json.lines(written(named, {invalid = "replace"}))[1].keys[1])
    end
  end)

  it("come from words and functions, too", function()
    local wrong = {formats = {x = function() return "\255" end}}
    assert.matches("column 'x' has bytes that are no UTF%-8 in row 1;", told({{"x", {1}}}, wrong))
    local words = {formats = {x = {"\254", "no"}}}
    assert.matches("column 'x' has bytes that are no UTF%-8 in row 2;",
      told({{"x", {false, true}}}, words))
  end)
end)

describe("formats of write_json #once", function()
  local function formatted(column, format, kind)
    return values(column, kind, {formats = {x = format}})
  end

  it("give numbers where the text is one of JSON by its form, else strings", function()
    assert.same({"1.50", "-0.12"}, formatted(locus.tensor {1.5, -0.125}, "%.2f"))
    assert.same({"2"}, formatted(locus.tensor {1.5}, "%.0f"))
    assert.equal(1 + 309 + 1 + 20, #formatted(locus.tensor {-1.7976931348623157e308}, "%.20f")[1])
    local n = int64 {"7", "-7"}
    assert.same({"7", "-7"}, formatted(n, "%d"))
    assert.same({'"0007"', '"-007"'}, formatted(n, "%04d"))
    assert.same({'"   7"', '"  -7"'}, formatted(n, "%4d"))
    assert.same({'"7"', '"-7"'}, formatted(n, "%x"))
    local yes = locus.tensor {true, false}
    assert.same({'"yes"', '"n\\"o\\u0001"'}, formatted(yes, {"yes", 'n"o\1'}))
  end)

  it("are patterns and functions, whose text has escapes", function()
    assert.same({'"22\\\\/11\\""'}, formatted(int64 {"20779"}, '%d\\/%m"', "date"))
    assert.same({'"00:00\\n"'}, formatted(int64 {"0"}, "%H:%M\n", "time"))
    assert.same({'"' .. ("\\u0001"):rep(50) .. '"'}, formatted(int64 {"0"}, ("\1"):rep(50), "time"))
    assert.same({'"<1.5>"', '"a\\"b"'}, formatted(locus.tensor {1.5, 3}, function(v)
      return v == 3 and 'a"b' or "<" .. v .. ">"
    end))
    assert.same({'"A"'}, formatted(locus.strings {"a"}, string.upper))
    assert.same({'"9007199254740993LL"'}, formatted(int64 {"9007199254740993"}, tostring))
    assert.same({'"1+2i"'}, formatted(locus.tensor {support.complex(1, 2)}, function(z)
      return ("%d+%di"):format(z.re, z.im)
    end))
  end)

  it("leave strings that are JSON as they are, on one line", function()
    local list = {'["a", {"b": null}]', '"\\ud83d\\ude00"', " 1.50 ", "[1,\r\n 2]", "", "true"}
    local f = {{"x", locus.strings(list)}}
    local how = {formats = {x = "json"}}
    assert.equal('{"x":["a", {"b": null}]}\n{"x":"\\ud83d\\ude00"}\n{"x": 1.50 }\n{"x":[1,   2]}\n'
      .. '{"x":null}\n{"x":true}\n', written(f, how))
    how.missing = ""
    assert.equal('{"x":[1,   2]}\n{}\n', written({{"x", locus.strings {list[4], ""}}}, how))
    for bad, why in pairs {["[1,]"] = "has", ["{"] = "", ["1 2"] = "has text behind its value",
                           ["'a'"] = "", [" "] = "", ['"a\nb"'] = "", ['"\255"'] = "", ["1\0"] = "",
                           ["NaN"] = "", ["01"] = "", ['"\\ud800"'] = ""} do
      local said = told({{"x", locus.strings {"1", bad}}}, {formats = {x = "json"}})
      local head = "write_json: the text of column 'x' in row 2 is no JSON: it " .. why
      assert.equal(head, said:sub(1, #head), bad)
    end
    local long = "[" .. ("1,"):rep(2 ^ 17) .. "1]"
    assert.equal('{"x":' .. long .. "}\n", written({{"x", locus.strings {long}}}, how))
    assert.equal("write_json: 'formats.x' must be a function, got 'JSON'",
      told({{"x", locus.strings {"1"}}}, {formats = {x = "JSON"}}))
    assert.matches("^write_json: 'formats.x' must be a format of floats",
      told({{"x", {1}}}, {formats = {x = "json"}}))
  end)

  it("raise as those of write_csv", function()
    assert.equal("write_json: 'formats.x' must be a format of floats, from '%.0f' to '%.20f', got "
      .. "'%d'", told({{"x", {1}}}, {formats = {x = "%d"}}))
    assert.equal("write_json: the frame has no column 'y'; it has 'x'",
      told({{"x", {1}}}, {formats = {y = "%d"}}))
    assert.equal("write_json: column 'z' is complex64, which only a function in 'formats' can "
      .. "write", told {{"z", locus.zeros(1, {dtype = "complex64"})}})
    assert.equal("write_json: the frame has no columns", told {})
    assert.equal("write_json: 'zone' goes with columns of times, and the frame has none",
      told({{"x", {1}}}, {zone = "UTC"}))
    local s = locus.strings {"a", "b"}
    s.ids[2] = 3
    assert.equal("write_json: column 's' has the id 3, and there are 2 names", told {{"s", s}})
  end)
end)

describe("write_json with nest = true #once", function()
  local function nested(names, options)
    local columns = {}
    for i, name in ipairs(names) do columns[i] = {name, locus.tensor({i}, {dtype = "int8"})} end
    options = options or {}
    options.nest = true
    return (written(columns, options):gsub("\n$", ""))
  end

  it("makes objects of names with points, members side by side", function()
    assert.equal('{"a":{"b":1,"c":2}}', nested {"a.b", "a.c"})
    assert.equal('{"a":{"b":1,"d":3},"c":2}', nested {"a.b", "c", "a.d"})
    assert.equal('{"a":{"b":{"c":1},"d":2},"e":3}', nested {"a.b.c", "a.d", "e"})
    assert.equal('{"x":1,"a":{"b":{"c":2}}}', nested {"x", "a.b.c"})
    assert.equal('{"a":{"b":{"c":1}},"d":{"e":{"f":2}}}', nested {"a.b.c", "d.e.f"})
    assert.equal('{"a":{"b":{"c":{"d":1}},"e":{"f":2}},"g":3}', nested {"a.b.c.d", "a.e.f", "g"})
    assert.equal('{"":{"":{"":1}},"a":{"":2}}', nested {"..", "a."})
    assert.equal('{"a":1,"b":2}', nested {"a", "b"})
    assert.equal('[\n{"a":{"\\"":1}}\n]', nested({'a."'}, {array = true}))
    assert.equal('{"a.b":1}\n', (written({{"a.b", {1}}}):gsub("1%.0", "1")))
  end)

  it("leaves out what is missing, and no object", function()
    local columns = {{"a.x", {locus.nan, 1}}, {"a.y", {locus.nan, locus.nan}},
                     {"b.z", {1, locus.nan}}, {"c", {locus.nan, 2}}}
    assert.equal('{"a":{},"b":{"z":1.0}}\n{"a":{"x":1.0},"b":{},"c":2.0}\n',
      written(columns, {nest = true, missing = ""}))
  end)

  it("refuses values where objects are, and depths that readers refuse", function()
    assert.equal("write_json: columns 'a' and 'a.b' cannot be nested: the first is a value where "
      .. "the second needs an object", support.message(nested, {"a", "a.b"}))
    assert.equal("write_json: columns 'a' and those that begin with 'a.' cannot be nested: the "
      .. "first is a value where the others need an object",
      support.message(nested, {"a.b.c", "a"}))
    local deep = ("a."):rep(100)
    assert.equal(("{\"a\":"):rep(100) .. '{"x":1}' .. ("}"):rep(100), nested {deep .. "x"})
    assert.matches("would be nested 101 deep, at most 100 are written$",
      support.message(nested, {deep .. "a.x"}))
  end)
end)

describe("write_json gives the text to #once", function()
  local n = 60000
  local function long()
    return locus.frame {{"a", locus.arange(0, n):long() * 1000003}, {"b.c", locus.arange(0, n) / 7}}
  end

  it("a path, an open file, a pipe and a function", function()
    local f = long()
    for _, options in ipairs {{}, {array = true}, {array = true, nest = true}} do
      local all = f:write_json(options)
      text.with_file("old", function(path)
        assert.is_nil(f:write_json(path, options))
        assert.is_true(all == text.read(path))
        local file = io.open(path, "wb")
        file:write("before ")
        f:write_json(file, options)
        file:write("after")
        file:close()
        assert.is_true("before " .. all .. "after" == text.read(path))
        local pipe = io.popen("cat > " .. path, "w")
        f:write_json(pipe, options)
        pipe:close()
        assert.is_true(all == text.read(path))
      end)
      local pieces = {}
      f:write_json(function(piece) pieces[#pieces + 1] = piece end, options)
      assert.is_true(table.concat(pieces) == all and #pieces > 3)
      for i = 1, #pieces - 1 do assert.matches("}\n?$", pieces[i]) end
    end
  end)

  it("an array that another reader takes", function()
    local f = long():head(3000)
    local items = json.decode(f:write_json {array = true}).items
    local lines = json.lines(f:write_json())
    assert.equal(3000, #items)
    assert.same(items, lines)
    assert.equal("1000003", json.member(items[2], "a").number)
  end)

  it("names of JSON, and no others", function()
    local folder = text.new_folder()
    local f = locus.frame {{"a", {1}}}
    for _, ending in ipairs {"json", "jsonl", "ndjson", "JSON", "log", "txt2"} do
      f:write_json(folder .. "/x." .. ending)
      assert.equal('{"a":1.0}\n', text.read(folder .. "/x." .. ending))
    end
    for ending, is in pairs {csv = "text", parquet = "Parquet"} do
      local path = folder .. "/y." .. ending
      assert.equal(("write_json: '%s' would hold JSON and not %s; write "
        .. "f:write_json(\"%s/y.json\")"):format(path, is, folder),
        support.message(f.write_json, f, path))
    end
    os.execute("rm -r " .. support.quote(folder))
    assert.equal("write_json: cannot write to '/dev/full': No space left on device",
      support.message(f.write_json, f, "/dev/full"))
    assert.equal("write_json: 'target' must be a path, an open file or a function, got the number "
      .. "3", support.message(f.write_json, f, 3))
  end)
end)
