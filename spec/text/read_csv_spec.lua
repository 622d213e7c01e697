-- SPDX-License-Identifier: MIT
-- read_csv: fields of every type, options, bad lines, what it refuses. The sources are in
-- read_source_spec, guesses in read_guess_spec, strange input in hostile_spec.
local locus = require "locus"
local support = require "spec.support"

-- The frame of that text; `options` are read_csv's, or its types.
local function read(text, options)
  if options and not options.types then options = {types = options} end
  return locus.read_csv({text = text}, options)
end

-- The sentence that it raises, without the function's name.
local function problem(text, options)
  local ok, message = pcall(locus.read_csv, {text = text}, options)
  assert.is_false(ok)
  return (message:gsub("^.-read_csv: ", ""))
end

-- The values of the one column of a file of these lines, read as that type.
local function column(type, ...)
  return read("x\n" .. table.concat({...}, "\n") .. "\n", {x = type}).x:totable()
end

local function refused(type, field)
  local told = problem("x\n" .. field .. "\n", {types = {x = type}})
  return told:match("^text:2: column 'x' %(1%) (.*)$")
end

describe("fields of read_csv #once", function()
  it("are integers of every dtype, within its range", function()
    for _, dtype in ipairs(support.integers) do
      local low, high = unpack(support.range[dtype])
      low, high = tostring(low):gsub("LL", ""), tostring(high):gsub("LL", "")
      if dtype == "int64" then low, high = "-9223372036854775808", "9223372036854775807" end
      local f = read(("x\n%s\n%s\n 7\t\n+8\n007\n"):format(low, high), {x = dtype})
      assert.equal(dtype, f.x.dtype)
      local values = f.x:totable()
      assert.equal(support.integer(low), values[1])
      assert.equal(support.integer(high), values[2])
      assert.same({7, 8, 7}, {values[3], values[4], values[5]})
    end
  end)

  it("are no integers when they are anything else", function()
    for _, field in ipairs {"1.5", "1e3", "0x10", "1_000", "x", "1 2", "--1", "-", "nan", "1,5"} do
      local text = field:find(",") and '"' .. field .. '"' or field
      assert.equal(('is not an int64: "%s"'):format(field), refused("int64", text))
    end
    assert.equal('is not an int64: "9223372036854775808"', refused("int64", "9223372036854775808"))
    assert.equal('is not an int8: "128"', refused("int8", "128"))
    assert.equal('is not a uint8: "-1"', refused("uint8", "-1"))
    assert.equal('is not a uint8: "256"', refused("uint8", "256"))
  end)

  it("are floats of every dtype, rounded once", function()
    for _, dtype in ipairs(support.floats) do
      local f = read("x\n1.5\n-0\ninf\n-Infinity\n1e400\n.5\n5.\n 2 \n", {x = dtype})
      assert.equal(dtype, f.x.dtype)
      assert.same({1.5, 0, locus.inf, -locus.inf, locus.inf, 0.5, 5, 2}, f.x:totable())
      assert.equal(-locus.inf, 1 / f.x[2])
    end
    assert.equal(0.1, column("float64", "0.1000000000000000055511151231257827")[1])
    assert.is_true(column("float64", "NaN")[1] ~= column("float64", "nan")[1])
    for _, dtype in ipairs(support.floats) do -- as Fortran writes those of double precision
      assert.same({1536, -0.25, 256, 0.5},
        column(dtype, "1.536D+03", "-2.5d-01", "2.56D2", "+.05D1"), dtype)
    end
    assert.equal(0.1, column("float64", "1.000000000000000055511151231257827D-01")[1])
    assert.equal(1 / 0, column("float64", "1D400")[1])
    for _, field in ipairs {"D5", "1D", "1D+", "1.5D1.0", "1.5D1e1", "1.5e1D1", "1DD1", "nanD1"} do
      assert.equal(('is not a float64: "%s"'):format(field), refused("float64", field))
    end
    assert.equal('is not an int64: "1D3"', refused("int64", "1D3"))
    assert.equal(150.5, locus.read_csv({text = "a;b\n1,505D+02;x\n"},
      {separator = ";", decimal = ","}).a[1])
    assert.equal('is not a float64: "12,3x"', refused("float64", '"12,3x"'))
    assert.equal('is not a float32: "1.5.2"', refused("float32", "1.5.2"))
  end)

  it("are NaN, an empty string, or what the type says where nothing stands", function()
    local f = read("f,s,i,d\n,,,\n1,a,2,2026-11-22\n", {
      f = "float32", s = "string", i = {"int16", missing = -1}, d = {"date", missing = 0},
    })
    assert.is_true(f.f[1] ~= f.f[1])
    assert.equal("", f.s[1])
    assert.same({-1, 2}, f.i:totable())
    assert.same({0, 20779}, f.d:totable())
    assert.equal('is empty; write {"int64", missing = value} if it may be',
      problem("a,x\n1,\n", {types = {x = "int64"}}):match("%(2%) (.*)$"))
    for _, case in ipairs {
      {{"date", "%d/%m/%Y"}, '"date", "%d/%m/%Y"'}, {"time", '"time"'}, {"ipv4", '"ipv4"'},
      {{"time", "%d\t%m\t%Y", unit = "ns"}, '"time", "%d\\t%m\\t%Y", unit = "ns"'},
      {{"time", unit = "s"}, '"time", unit = "s"'},
      {{"bool", {"yes", "y"}, "no"}, '"bool", {"yes", "y"}, "no"'},
    } do
      assert.equal(("is empty; write {%s, missing = value} if it may be"):format(case[2]),
        problem("a,x\n1,\n", {types = {x = case[1]}}):match("%(2%) (.*)$"))
    end
    assert.same({7, 7, 1}, read("x\n\"\"\n  \n1\n", {x = {"int64", missing = 7}}).x:totable())
    f = read("x,s\nNA,NA\n-,-\n1,b\n", {types = {x = "float64", s = {"string", missing = "?"}},
                                          missing = {"NA", "-"}})
    assert.same({"?", "?", "b"}, f.s:totable())
    assert.equal(1, f.x[3])
    assert.same({true, true, false}, f.x:isnan():totable())
  end)

  it("are strings of any bytes", function()
    local bytes = {}
    for c = 0, 255 do bytes[c + 1] = string.char(c):gsub('"', '""') end
    local all = table.concat(bytes)
    local f = read('s,n\n"' .. all .. '",1\nplain,2\n', {s = "string", n = "int64"})
    assert.equal((all:gsub('""', '"')), f.s[1])
    assert.same({1, 2}, f.n:totable())
    assert.same({"x\"y", " z "}, column("string", 'x"y', " z "))
  end)

  it("are words of truth that the type names", function()
    assert.same({true, false, true}, column({"bool", "yes", "no"}, "yes", "no", " yes"))
    assert.same({true, false, false},
      column({"bool", {"y", "1"}, {"n", "0"}, missing = false}, "1", "n", ""))
    assert.equal('is neither "yes" nor "no": "Yes"', refused({"bool", "yes", "no"}, "Yes"))
    local words = {}
    for i = 1, 15 do words[i] = "w" .. i end
    assert.same({true, false}, column({"bool", words, "no"}, "w15", "no"))
    assert.truthy(problem("x\nno\n", {types = {x = {"bool", words, {"no", "n"}}}})
      :find("has more than 16 words", 1, true))
    local told = problem("x\nyes\n", {types = {x = "bool"}})
    assert.truthy(told:find('write {"bool", "yes", "no"}', 1, true))
  end)

  it("are times, dates, addresses and paths", function()
    local f = read("t,m,d,ip,r\n1970-01-01T00:00:01.5Z,01.02.1970 00:01,1970-01-03,0.0.1.2,"
      .. "GET /a/b?c HTTP/1.1\n", {
        t = "time", m = {"time", "%d.%m.%Y %H:%M", unit = "s"}, d = "date", ip = "ipv4",
        r = "request_path",
      })
    assert.same({1500000, 31 * 86400 + 60, 2, 258, "/a/b"},
      {f.t[1], f.m[1], f.d[1], f.ip[1], f.r[1]})
    assert.equal('is not a time: "yesterday"', refused("time", "yesterday"))
    assert.equal('has a finer fraction than milliseconds: "2026-11-22T08:30:59.2501"',
      refused({"time", unit = "ms"}, "2026-11-22T08:30:59.2501"))
    assert.equal('is not a date: "2026-02-29"', refused("date", "2026-02-29"))
    assert.equal('is not an IPv4 address: "1.2.3.256"', refused("ipv4", "1.2.3.256"))
    assert.same({"/", "", "MGLNDD_1", "*"}, column("request_path", "GET / HTTP/1.0", '""',
      "MGLNDD_1", "OPTIONS * HTTP/1.1"))
  end)
end)

describe("options of read_csv #once", function()
  it("choose and order columns", function()
    local text = "a,b,c\n1,2,3\n4,5,6\n"
    assert.same({"a", "b", "c"}, read(text):columns())
    assert.same({"c", "a"}, read(text, {columns = {"c", "a"}, types = {a = "int8", c = "int16"}})
      :columns())
    local f = read(text, {types = {c = "float32", a = "skip"}})
    assert.same({"c"}, f:columns())
    assert.same({3, 6}, f.c:totable())
    assert.equal("'types' names a column 'sise', which text does not have; did you mean 'size'?",
      problem("size,b\n1,2\n", {types = {sise = "int64"}}))
    assert.equal("'types' names a column 'PRICE', which text does not have; did you mean 'price'?",
      problem("price\n1\n", {types = {PRICE = "int64"}}))
    assert.equal("'types' gives two types for column 'a'",
      problem(text, {types = {a = "int64", [1] = "int8"}}))
    assert.equal("'columns' names a column 'z', which text does not have; it has 'a', 'b', 'c'",
      problem(text, {columns = {"z"}}))
  end)

  it("name columns", function()
    assert.same({"x", "y"}, read("1,2\n", {header = {"x", "y"}, types = {x = "int64", y = "int8"}})
      :columns())
    local f = read("1,2\n", {header = false, types = {"int64", "float32"}})
    assert.same({"column1", "column2"}, f:columns())
    assert.equal("float32", f.column2.dtype)
    assert.equal("text:1: column 2 has no name; write header = {names} and skip = 1",
      problem("a,\n1,2\n"))
    assert.same({"a\0b"}, read("a\0b\n1\n"):columns())
    assert.equal("'header' has 'a' twice", problem("1,2\n", {header = {"a", "a"}}))
    assert.equal("text:1: has 2 fields and not 1: \"1,2\"", problem("1,2\n", {header = {"a"}}))
  end)

  it("leave lines out", function()
    local f = read("made by hand\n\"\na\n# none\n1\n#2\n3\n", {skip = 2, comment = "#",
                                                            types = {a = "int64"}})
    assert.same({1, 3}, f.a:totable())
    assert.same({1, 2}, read("a\n1\n2\n3\n", {rows = 2, types = {a = "int64"}}).a:totable())
    assert.equal(0, #read("a\n1\n", {rows = 0, types = {a = "int64"}}))
    assert.equal("text has no header behind the lines that 'skip' = 5 leaves out",
      problem("x\n", {skip = 5}))
    assert.equal("text has nothing behind the lines that 'skip' = 2 leaves out: the number " ..
      "of its columns is unknown", problem("x\n", {skip = 2, header = false}))
    assert.equal("text is empty: there is no header", problem("", {skip = 0}))
    assert.equal("'skip' must be a whole number of at least 0, got the number inf",
      problem("x\n", {skip = math.huge}))
    for _, most in ipairs {math.huge, 2 ^ 53, 2 ^ 63, 1e300} do -- all there is
      local g = locus.read_csv({text = "a\n1\n2\n"}, {rows = most, bad = most, limit = most})
      assert.same({1, 2}, g.a:totable())
    end
    local long = ("x"):rep(3e6)
    local g = locus.read_csv({text = 'a\n"' .. long .. '"\n'}, {limit = math.huge})
    assert.same({long}, g.a:totable())
  end)

  it("say how fields are written", function()
    local f = read("a;b\n1,5;'x;y'\n", {separator = ";", quote = "'", decimal = ",",
                                        types = {a = "float64", b = "string"}})
    assert.equal(1.5, f.a[1])
    assert.equal("x;y", f.b[1])
    f = read('a\tb\n"1\t2"\n', {separator = "\t", quote = false,
                                  types = {a = "string", b = "string"}})
    assert.equal('"1', f.a[1])
    assert.equal('2"', f.b[1])
  end)

  it("are refused when they cannot be meant", function()
    local cases = {
      [{separator = ",,"}] = "'separator' must be one byte, other than a line's end, got",
      [{separator = '"'}] = "'separator' and 'quote' are both",
      [{decimal = ","}] = "'decimal' and 'separator' are both",
      [{decimal = ";"}] = "'decimal' must be",
      [{separator = "\\t"}] = 'got the string "\\\\t"; write separator = "\\t" for a tab',
      [{quote = "\n"}] = "'quote' must be one byte",
      [{missing = {1}}] = "'missing[1]' must be a string, got the number 1",
      [{columns = 5}] = "'columns' must be a list of strings, got the number 5",
      [{skip = -1}] = "'skip' must be a whole number of at least 0, got the number -1",
      [{rows = 1.5}] = "'rows' must be a whole number of at least 0",
      [{limit = 0}] = "'limit' must be a whole number of at least 1",
      [{bad = "skip"}] = "'bad' must be a whole number of at least 0",
      [{comment = ""}] = "'comment' must be the text that begins a comment",
      [{comment = 5}] = "'comment' must be the text that begins a comment, got the number 5",
      [{columns = {"a", "a"}}] = "'columns' has 'a' twice",
      [{columns = {}}] = "'columns' names no column",
      [{header = {}}] = "'header' names no column",
      [{progress = 1}] = "'progress' must be a function or false",
      [{types = {}}] = "'types' must be a table of types by column, got an empty one",
      [{types = {a = "int"}}] = "'types': column 'a' is \"int\"; write \"int64\"",
      [{types = {a = "Float32"}}] = "'types': column 'a' is \"Float32\"; write \"float32\"",
      [{types = {a = "complex64"}}] = "'types': column 'a' is \"complex64\"; the types are uint8",
      [{delimiter = ";"}] = "there is no argument 'delimiter'; write 'separator'",
      [{types = {a = 5}}] = "'types': column 'a' is the number 5, which is no type",
      [{types = {a = {"int8", missing = 300}}}] = "which int8 cannot hold",
      [{types = {a = {"int8", unit = "s"}}}] = "has the option 'unit', which int8 does not have",
      [{types = {a = {"time", unit = "h"}}}] = "has the unit the string",
      [{types = {a = {"time", "%Q"}}}] = "has the pattern",
      [{types = {a = {"bool", {"1", "y"}, {"n", "1"}}}}] = 'has "1" for both true and false',
    }
    for options, expected in pairs(cases) do
      local told = problem("a\n1\n", options)
      assert.truthy(told:find(expected, 1, true), told)
    end
    assert.error_matches(function() locus.read_csv() end, "read_csv: 'source' is missing")
    assert.error_matches(function() locus.read_csv(5) end, "'source' must be a path")
    assert.error_matches(function() locus.read_csv("x.csv", {separater = ";"}) end, "separater")
  end)
end)

describe("bad lines of read_csv #once", function()
  it("raise, and say where", function()
    assert.equal('text:3: has 1 field and not 2: "3"', problem("a,b\n1,2\n3\n"))
    assert.equal("text:4: column 'b' (2) is not an int8: \"x\"",
      problem('a,b\n"1\n1",2\n3,x\n', {types = {b = "int8"}}))
    local long = ("é"):rep(30)
    assert.equal(("text:2: column 'a' (1) is not an int8: \"%s\"..."):format(("é"):rep(20)),
      problem("a\n" .. long .. "\n", {types = {a = "int8"}}))
    assert.equal(("text:2: column 'a' (1) is not an int8: \"%s\"..."):format(("a"):rep(37)),
      problem("a\n" .. ("a"):rep(37) .. "\240\157\132\158\n", {types = {a = "int8"}}))
    assert.equal("text:2: column 'a' (1) is not an int8: \"\\x01\\t\\\"\\\\\"",
      problem("a\n\1\t\"\\\n", {types = {a = "int8"}}))
    assert.equal("text:3: column 'a\\nb' (1) is not an int8: \"x\"",
      problem('"a\nb"\nx\n', {types = {"int8"}}))
  end)

  it("raise where a quote opens that never closes", function()
    assert.equal("text:4: column 'b' (2) has a quote that never closes: \"\\\"x\"",
      problem('a,b\n1,"\n"\n2,"x\n3,y\n'))
    assert.equal('text:2: column \'a\' (1) has a quote that does not close within 20 bytes: "\\"x"',
      problem('a\n"x\n' .. ("y\n"):rep(300000), {limit = 20}))
  end)

  it("are left out, up to a limit, and told of", function()
    local text = "a,b\n1,x\n2\n3x,y\n4,\"z\n5,w\n6,7,8\n9,v\n"
    local f = read(text, {types = {a = "int64", b = "string"}, bad = 4})
    assert.same({1, 5, 9}, f.a:totable())
    assert.same({"x", "w", "v"}, f.b:totable())
    assert.same({"x", "w", "v"}, f.b.names)
    local rows = {}
    for _, row in f.bad:iter() do
      rows[#rows + 1] = ("%d|%s|%s|%s"):format(row.line, row.column, row.text, row.reason)
    end
    assert.same({
      "3||2|has 1 field and not 2", "4|a|3x|is not an int64",
      '5|b|"z|has a quote that never closes', "7||6,7,8|has 3 fields and not 2",
    }, rows)
    assert.equal("text:7: has 3 fields and not 2: \"6,7,8\" (and 3 bad lines before)",
      problem(text, {types = {a = "int64", b = "string"}, bad = 3}))
    assert.equal(0, #read("a\n1\n", {types = {a = "int64"}, bad = 1}).bad)
  end)

  it("are those that are too long", function()
    local text = "a,b\n1,2\n" .. ("9"):rep(100) .. ",1\n3,4\n"
    assert.equal("text:3: is longer than 50 bytes", problem(text, {limit = 50}):sub(1, 31))
    local f = read(text, {limit = 50, bad = 1, types = {a = "int64"}})
    assert.same({1, 3}, f.a:totable())
    text = "a\n1\n" .. ("9"):rep(3e6) .. "\n2\n"
    f = read(text, {bad = 1, types = {a = "int64"}})
    assert.same({1, 2}, f.a:totable())
    assert.equal(3, f.bad.line[1])
    text = "a\n1\n" .. ("9"):rep(3e6)
    assert.same({1}, read(text, {bad = 1, types = {a = "int64"}}).a:totable())
    local most = ("9"):rep(2 ^ 20)
    assert.equal(most, read("a\n" .. most .. "\n", {a = "string"}).a[1])
  end)
end)

describe("the frame of read_csv #once", function()
  it("has no rows where there are none", function()
    local f = read("a,b,c\n", {a = "int8", b = "string", c = "time"})
    assert.equal(0, #f)
    assert.equal("int8", f.a.dtype)
    assert.same({}, f.b:totable())
  end)

  it("has as many rows as there are lines, however long it is", function()
    local lines = {}
    for i = 1, 200000 do lines[i] = i .. ",s" .. i % 1000 end
    local f = read("n,s\n" .. table.concat(lines, "\n"), {n = "int32", s = "string"})
    assert.equal(200000, #f)
    assert.is_true(f.n:eq(locus.arange(1, 200001)):all())
    assert.equal(1000, #f.s.names)
    assert.equal("s999", f.s[199999])
  end)

  it("is as wide as it may be, and no wider", function()
    local names, values = {}, {}
    for i = 1, 4097 do names[i], values[i] = "c" .. i, i end
    local wide = table.concat(names, ",", 1, 4096) .. "\n" .. table.concat(values, ",", 1, 4096)
    assert.equal(4096, read(wide).c4096[1])
    local wider = table.concat(names, ",") .. "\n" .. table.concat(values, ",")
    assert.matches("^text has 4097 columns, and at most 4096", problem(wider))
  end)
end)
