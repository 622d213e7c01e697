-- SPDX-License-Identifier: MIT
-- read_json: paths, values, missing ones, types that the text decides, what is no JSON.
local locus = require "locus"
local text = require "spec.support.text"

local function read(lines, options)
  if type(lines) == "table" then lines = table.concat(lines, "\n") .. "\n" end
  return locus.read_json({text = lines}, options)
end

local function problem(...)
  local ok, message = pcall(read, ...)
  assert.is_false(ok)
  return (message:gsub("^.-read_json: ", ""))
end

-- The one value of a key `a` as a string.
local function decoded(value)
  return read('{"a":' .. value .. "}", {types = {a = "string"}}).a[1]
end

describe("read_json", function()
  it("reads keys in any order, of objects within objects and of arrays", function()
    local f = read({
      '{"n": 1, "user": {"name": "Ann", "tags": ["x", "y"]}, "skip": [{"n": 5}]}',
      '{"user":{"tags":[],"name":"Bob"},"n":2}',
      '  {"x":{"n":9},"n" : 3 , "user" : {"tags":["z"]}}  \r',
    }, {types = {n = "int64", name = {"string", path = "user.name"},
                 tag = {"string", path = "user.tags[1]"}, first = {"string", path = "user.tags[0]"},
                 tags = {"string", path = "user.tags"}, again = {"float64", path = "n"}}})
    assert.same({1, 2, 3}, f.n:totable())
    assert.same({1, 2, 3}, f.again:totable())
    assert.same({"Ann", "Bob", ""}, f.name:totable())
    assert.same({"y", "", ""}, f.tag:totable())
    assert.same({"x", "", "z"}, f.first:totable())
    assert.same({'["x", "y"]', "[]", '["z"]'}, f.tags:totable())
  end)

  it("finds a dot within a key, and elements of elements", function()
    local types = {["a.b.c"] = "int64"}
    for _, line in ipairs {'{"a":{"b":{"c":7}}}', '{"a.b":{"c":7}}', '{"a":{"b.c":7}}',
                           '{"a.b.c":7}', '{"a\\u002eb.c":7}'} do
      assert.same({7}, read({line}, {types = types})["a.b.c"]:totable())
    end
    local f = read({'{"m":[[1,2],[3,4,{"k":[5]}]]}'}, {types = {
      a = {"int64", path = "m[1][0]"}, b = {"int64", path = "m[0][1]"},
      c = {"int64", path = "m[1][2].k[0]"}}})
    assert.same({3, 2, 5}, {f.a[1], f.b[1], f.c[1]})
  end)

  it("takes the last of equal keys, with all that is below it", function()
    local types = {a = {"float64"}, b = {"string", path = "o.x"}, c = {"string", path = "o.y"}}
    local f = read({'{"a":"x","o":{"x":1,"y":2},"a":5,"o":{"y":3}}',
                    '{"o":{"x":1},"o":7,"a":1,"a":null}'}, {types = types})
    assert.equal(5, f.a[1])
    assert.is_true(f.a[2] ~= f.a[2])
    assert.same({"", ""}, f.b:totable())
    assert.same({"3", ""}, f.c:totable())
    f = read{'{"a":"x","a":5,"o":{"x":1},"o":{"y":2}}'}
    assert.same({"int64", "int64"}, {f.a.dtype, f["o.y"].dtype})
    assert.same({"a", "o.y"}, f:columns())
  end)

  it("learns the order of keys, and forgets it", function()
    local lines, sums = {}, {0, 0, 0}
    for i = 1, 500 do
      local keys = {'"a":' .. i, '"bb":' .. 2 * i,
                    '"a long key of more than thirty bytes":' .. 3 * i,
                    '"x' .. i % 90 .. '":[]', '"\\u0061a":1'}
      for k = 1, 5 do
        local other = (i * 7 + k * i) % 5 + 1
        keys[k], keys[other] = keys[other], keys[k]
      end
      lines[i] = "{" .. table.concat(keys, ", ") .. "}"
      for k = 1, 3 do sums[k] = sums[k] + k * i end
    end
    local f = read(lines, {types = {a = "int64", bb = "int32", aa = "int8",
                                    c = {"int64", path = "a long key of more than thirty bytes"}}})
    assert.same(sums, {f.a:sum(), f.bb:sum(), f.c:sum()})
    assert.equal(500, f.aa:sum())
  end)

  it("decodes escapes and surrogates", function()
    local cases = {
      ['"\\"\\\\\\/\\b\\f\\n\\r\\t"'] = '"\\/\b\f\n\r\t', ['"\\u0041\\u00e9\\u20AC"'] = "Aé€",
      ['"\\ud83d\\ude00!"'] = "😀!", ['"\\u0000"'] = "\0", ['""'] = "", ['"é€😀"'] = "é€😀",
      ['"\\uDBFF\\uDFFF"'] = "\244\143\191\191", ['"\127"'] = "\127",
      ['"\\u07ff\\u0800\\uffff"'] = "\223\191\224\160\128\239\191\191",
      ["true"] = "true", ["-1.50e+3"] = "-1.50e+3",
      ["[1, {\"b\": \"\\n\"}]"] = "[1, {\"b\": \"\\n\"}]",
      ["{}"] = "{}", ["null"] = "",
    }
    for written, meant in pairs(cases) do assert.equal(meant, decoded(written)) end
    for length = 0, 40 do -- ends and escapes in every place of a word
      local plain = ("x"):rep(length)
      assert.equal(plain, decoded('"' .. plain .. '"'))
      assert.equal(plain .. "\n" .. plain, decoded('"' .. plain .. "\\n" .. plain .. '"'))
      assert.equal(plain .. "é", decoded('"' .. plain .. 'é"'))
    end
  end)

  it("keeps every digit of numbers", function()
    local f = read({'{"i":9223372036854775807,"x":0.1,"s":"9007199254740993"}',
                    '{"i":-9223372036854775808,"x":1E400,"s":9007199254740993}'},
      {types = {i = "int64", x = "float64", s = "int64"}})
    assert.equal("9223372036854775807", tostring(f.i[1]):match "%d+")
    assert.equal("9223372036854775808", tostring(f.i[2]):match "%d+")
    assert.same({0.1, locus.inf}, f.x:totable())
    assert.equal("9007199254740993", tostring(f.s[1]):match "%d+")
    assert.equal("9007199254740993", tostring(f.s[2]):match "%d+")
    assert.equal("text:1: key 'i' is not an int64: \"1.0\"",
      problem({'{"i":1.0}'}, {types = {i = "int64"}}))
    assert.equal("text:1: key 'i' is not an int8: \"128\"",
      problem({'{"i":128}'}, {types = {i = "int8"}}))
  end)

  it("reads times, dates, addresses and bools", function()
    local f = read({'{"t":"2026-01-01T00:00:01Z","d":"1970-01-02","ip":"0.0.0.9",'
      .. '"b":true,"w":"y"}'},
      {types = {t = {"time", unit = "s"}, d = "date", ip = "ipv4", b = "bool",
                w = {"bool", "y", "n"}}})
    assert.same({1767225601, 1, 9, true, true},
      {f.t[1]:item(), f.d[1]:item(), f.ip[1]:item(), f.b[1], f.w[1]})
    assert.equal("text:1: key 't' is not a time: \"\\\"\"",
      problem({'{"t":"\\""}'}, {types = {t = "time"}}))
  end)

  it("knows missing values by each type's rule", function()
    local types = {x = "float64", s = "string", n = {"int64", missing = -1},
                   t = {"time", missing = 0}, m = {"string", missing = "none"}}
    local f = read({"{}", '{"x":null,"s":null,"n":null,"t":null,"m":null}',
                    '{"x":"","s":"","n":"NA","t":"","m":""}'}, {types = types, missing = {"NA"}})
    assert.equal(3, f.x:isnan():sum())
    assert.same({"", "", ""}, f.s:totable())
    assert.same({-1, -1, -1}, f.n:totable())
    assert.same({"none", "none", ""}, f.m:totable())
    assert.equal("text:2: key 'u.n' is missing or null; write {\"int64\", path = \"u.n\", "
      .. "missing = value} if it may be",
      problem({'{"u":{"n":1}}', "{}"}, {types = {n = {"int64", path = "u.n"}}}))
    assert.equal("text:1: key 'b' is missing or null; write {\"bool\", \"true\", \"false\", "
      .. "missing = value} if it may be",
      problem({'{"b":null}'}, {types = {b = "bool"}}))
  end)

  it("lets the text decide, over all lines", function()
    local f = read{'{"i":1,"x":1,"o":{"a":1,"b":{"c":"q"}},"l":[1],"m":1,"b":true,"g":null,"h":1}',
                   '{"i":2,"x":2.5,"o":{"b":{"c":"r"},"a":2},'
                   .. '"l":[],"m":"1","b":false,"late":7,"h":{}}',
                   '{"x":-3,"i":3,"o":{"a":3},"l":null,"m":true,'
                   .. '"b":true,"big":9223372036854775808}'}
    assert.same({"i", "x", "o.a", "o.b.c", "l", "m", "b", "g", "h", "late", "big"}, f:columns())
    assert.same({i = "int64", x = "float64", ["o.a"] = "int64", ["o.b.c"] = "string", l = "string",
                 m = "string", b = {"bool", "true", "false"}, g = "float64", h = "string",
                 late = "float64",
                 big = "string"}, f:types())
    assert.same({"1", "1", "true"}, f.m:totable())
    assert.same({"1", "{}", ""}, f.h:totable())
    assert.equal("9223372036854775808", f.big[3])
    f = read{'{"n":9007199254740993}', "{}"}
    assert.same({"9007199254740993", ""}, f.n:totable())
    f = read{'{"b":true}', "{}"}
    assert.same({"true", ""}, f.b:totable())
    f = read{'{"a.b":1}', '{"a":{"b":2}}'}
    assert.same({1, 2}, f["a.b"]:totable())
    f = read{'{"n":-0}', '{"n":1}'}
    assert.equal(-locus.inf, 1 / f.n[1])
    assert.same({0, 0}, {#read "", #read("", {types = {a = "int64"}})})
  end)

  it("takes columns in order, and guesses those without a type", function()
    local f = read({'{"a":1,"b":"x","c":2.5}'}, {columns = {"c", "a"}})
    assert.same({"c", "a"}, f:columns())
    f = read({'{"a":1,"b":"x","c":2.5}'}, {columns = {"c", "a"}, types = {a = "int8"}})
    assert.same({"float64", "int8"}, {f.c.dtype, f.a.dtype})
    f = read({'{"a":1,"b":"x","c":2.5}'}, {types = {c = "float32", z = "string", a = "int8",
                                                   b = "skip"}})
    assert.same({"a", "c", "z"}, f:columns())
    assert.truthy(problem({'{"a":1}'}, {columns = {"d"}}):find(
      "'columns' names a column 'd', which text does not have", 1, true))
  end)

  it("keeps other columns, and reads several files with their names", function()
    local f = read({'{"a":1,"u":{"n":"x","m":2},"c":2.5}'},
      {rest = true, types = {who = {"string", path = "u.n"}, z = "string", c = "float32"}})
    assert.same({"a", "who", "u.m", "c", "z"}, f:columns())
    assert.same({"int64", "float32"}, {f.a.dtype, f.c.dtype})
    text.with_file('[{"a":1},\n{"a":2}]', function(first)
      text.with_file('{"a":3}\n{"b":4,"a":5}', function(second)
        for _, options in ipairs {{types = {a = "int64"}}, {}} do
          options.path = "file"
          f = locus.read_json({first, second}, options)
          assert.same({1, 2, 3, 5}, f.a:totable())
          assert.same({first, first, second, second}, f.file:totable())
          assert.equal("file", f:columns()[#f:columns()])
        end
        assert.equal(4, f.b[4])
      end)
    end)
    assert.truthy(problem({'{"a":1}'}, {path = "a"}):find("'path' is 'a', and text has a column",
      1, true))
  end)

  it("reads records of which nothing is wanted, and checks them", function()
    for whole, bad in pairs {['{"a":x}\n'] = 1, ['{"a":1}\n{"b":[}\n'] = 1,
                             ['[{"a":1},7]'] = 1} do
      local f = read(whole, {bad = 9, types = {a = "skip"}})
      assert.equal(0, #f:columns())
      assert.equal(bad, #f.bad)
    end
    assert.equal(0, #read('{"a":x}\n', {bad = 1}):columns())
    assert.same({""}, read('{"a":1}\n', {types = {x = {"string", path = "[0]"}}}).x:totable())
  end)

  it("finds paths that begin as guessed columns do", function()
    local f = read({'{"b":{"c":1,"d":[3]},"x":1,"a":[1,2]}'}, {rest = true, types = {
      z = {"string", path = "b"}, y = {"int64", path = "b.c"}, w = {"int64", path = "b.d[0]"},
      v = {"int64", path = "a[1]"}}})
    assert.same({'{"c":1,"d":[3]}', 1, 3, 2}, {f.z[1], f.y[1], f.w[1], f.v[1]})
  end)

  it("shows of an element that is too long no other one", function()
    local f = read('[{"a":12},{"a":123},{"a":1}]', {limit = 8, bad = 9, types = {a = "int64"}})
    assert.equal('{"a":123}', f.bad.text[#f.bad])
  end)

  it("refuses what is no JSON, by line and byte, also where nobody asks for it", function()
    local cases = {
      ['{"a":1'] = "ends within an object (byte 7)", ['{"a":[1'] = "ends within an array (byte 8)",
      ['{"a":01}'] = "has a number that begins with 0 (byte 6)",
      ["[1]"] = "is no object (byte 1)", ["7"] = "is no object (byte 1)",
      ['{"a":NaN}'] = "has NaN or Infinity, which JSON does not have (byte 6)",
      ['{"a":"\\ud800"}'] = "has half of a surrogate pair (byte 7)",
      ['{"a":"\\udc00"}'] = "has half of a surrogate pair (byte 7)",
      ['{"a":"\\ud800\\u0041"}'] = "has half of a surrogate pair (byte 7)",
      ['{"a":"\255"}'] = "is not UTF-8 (byte 7)", ['{"a":"\192\128"}'] = "is not UTF-8 (byte 7)",
      ['{"a":"\237\160\128"}'] = "is not UTF-8 (byte 7)",
      ['{"a":"\244\144\128\128"}'] = "is not UTF-8 (byte 7)",
      ['{"a":"\240\128\128\128"}'] = "is not UTF-8 (byte 7)",
      ['{"\255":1}'] = "is not UTF-8 (byte 3)",
      ['{"a":1} x'] = "has text behind its object (byte 9)",
      ['{"a":1}{}'] = "has text behind its object (byte 8)",
      ['{"a":tru}'] = "has no value where one is due (byte 6)",
      ['{"a":}'] = "has no value where one is due (byte 6)",
      ['{"a":'] = "ends within a value (byte 6)",
      ['{"a":1,}'] = "has no key where one is due (byte 8)",
      ["{a:1}"] = "has no key where one is due (byte 2)",
      ['{"a" 1}'] = "has no colon behind a key (byte 6)",
      ['{"a":"x'] = "has a quote that does not close (byte 8)",
      ['{"a":"\t"}'] = "has a control character in a string (byte 7)",
      ['{"a":"\0"}'] = "has a control character in a string (byte 7)",
      ['{"a":"\\x"}'] = "has a backslash in front of a character that none may precede (byte 7)",
      ['{"a":"\\u12g4"}'] = "has \\u without four hexadecimal digits (byte 7)",
      ['{"a":-}'] = "has a minus sign without a number (byte 6)",
      ['{"a":1.}'] = "has a point without digits behind it (byte 7)",
      ['{"a":1e}'] = "has an exponent without digits (byte 7)",
      ['{"a":+1}'] = "has no value where one is due (byte 6)",
      ['{"a":.5}'] = "has no value where one is due (byte 6)",
      ['{"a":1 2}'] = "has no comma between two elements (byte 8)",
      ['{"a":[1,]}'] = "has no value where one is due (byte 9)",
      ['{"a":[1}'] = "has no comma between two elements (byte 8)",
      ['{"a":' .. ("["):rep(1023) .. ("]"):rep(1023) .. "}"] =
        "has more than 1023 arrays and objects within each other (byte 1028)",
    }
    for line, wrong in pairs(cases) do
      for _, types in ipairs {{a = "string"}, {b = "string"}, false} do
        local told = problem({'{"a":1}', line}, {types = types or nil})
        assert.equal("text:2: " .. wrong, (told:sub(1, #wrong + 8)))
        local f = read({'{"a":1}', line, '{"a":3}'}, {types = types or nil, bad = 1})
        assert.same({2, 2}, {#f, f.bad.line[1]})
      end
    end
    assert.equal(1, #read({'{"a":' .. ("["):rep(1022) .. ("]"):rep(1022) .. "}"}))
  end)

  it("leaves bad lines out, whole", function()
    local f = read({'{"n":1,"s":"a"}', '{"n":2,"s":"lost"', '{"n":"x","s":"lost"}', "",
                    '{"n":4,"s":"b"}'}, {types = {n = "int64", s = "string"}, bad = 2})
    assert.same({1, 4}, f.n:totable())
    assert.same({"a", "b"}, f.s.names)
    assert.same({2, 3}, f.bad.line:totable())
    assert.same({"", "n"}, f.bad:column("column"):totable())
    assert.same({'{"n":2,"s":"lost"', "x"}, f.bad.text:totable())
    assert.equal("is not an int64", f.bad.reason[2])
    f = read({'{"n":1}', '{"gone":1'}, {bad = 1}) -- nor does it make a column
    assert.same({"n"}, f:columns())
  end)

  it("reads rows, a limit, skipped lines and pieces of any size", function()
    local lines = {"# head", '{"a":1}', '{"a":"' .. ("x"):rep(50) .. '"}', '{"a":3}'}
    local f = read(lines, {types = {a = "string"}, skip = 1, rows = 1})
    assert.same({"1"}, f.a:totable())
    f = read(lines, {types = {a = "string"}, skip = 1, limit = 40, bad = 1})
    assert.same({"1", "3"}, f.a:totable())
    assert.equal("is longer than 40 bytes", f.bad.reason[1])
    f = read(lines, {skip = 1, limit = 40, bad = 1})
    assert.same({1, 3}, f.a:totable())
    local told = {}
    read({'{"a":1}'}, {types = {a = "int8"}, progress = function(n, all) told = {n, all} end})
    assert.same({8, 8}, told)
    local whole = '\239\187\191{"a":"\\u00e9é","b":[1,2]}\r\n\r\n{"a":"x"}'
    for size = 1, 12 do
      f = locus.read_json(text.pieces(whole, size), {types = {a = "string", b = "string"}})
      assert.same({"éé", "x", "[1,2]", ""},
        {f.a[1], f.a[2], f.b[1], f.b[2]})
    end
  end)

  it("reads an array of objects, in pieces of any size", function()
    local whole = ' [ {"a": 1, "s": "\\ud83d\\ude00,]"} ,\n\n{"s":"x","a":\n12345678901234.5e0},'
      .. '\r\n{\n  "a": -3,\n  "b": [[1], {"c": false}]\n}\n]\n \n'
    local types = {a = "float64", s = "string", b = "string"}
    for _, options in ipairs {{types = types}, {}} do
      for size = 1, #whole do
        local f = locus.read_json(text.pieces(whole, size), options)
        assert.same({1, 12345678901234.5, -3}, f.a:totable())
        assert.same({"😀,]", "x", ""}, f.s:totable())
        assert.equal('[[1], {"c": false}]', f.b[3])
      end
    end
    for _, empty in ipairs {"[]", " [\n ] \n", ""} do
      assert.equal(0, #read(empty, {types = types}))
      assert.equal(0, #read(empty))
    end
    local sizes = {}
    for part in locus.chunks({text = whole}, {format = "json", rows = 2}) do
      sizes[#sizes + 1] = #part
    end
    assert.same({2, 1}, sizes)
  end)

  it("says by line where an array is none", function()
    local cases = {
      ['[{"a":1},\n{"a":2},\n]'] = 'text:3: has a comma behind the last element: "]"',
      ['[{"a":1}\n'] = 'text:1: ends within an array',
      ['[\n'] = 'text:1: ends within an array',
      ['\n[\n \n'] = 'text:2: ends within an array',
      ['[\t\t\t'] = 'text:1: ends within an array',
      ['[{"a":1},'] = 'text:1: ends within an array',
      ['[\n{"a":1},\n{"a":'] = 'text:3: ends within a value',
      ['[{"a":1}]\n\n{"a":2}'] = 'text:3: has text behind the array: "{\\"a\\":2}',
      ['[{"a":1} {"a":2}]'] = 'text:1: has no comma between two elements: "{',
      ['[,]'] = 'text:1: has no value where one is due: ",]',
      ['[{"a":1},\n{"a":\n01}]'] = 'text:3: has a number that begins with 0: "01}]',
    }
    for whole, wrong in pairs(cases) do
      for _, options in ipairs {{types = {a = "int64"}}, {types = {a = "int64"}, bad = 9}, {}} do
        assert.equal(wrong, problem(whole, options):sub(1, #wrong))
        for size = 1, #whole do
          local ok, message = pcall(locus.read_json, text.pieces(whole, size), options)
          assert.is_false(ok)
          local told = message:gsub("^.-read_json: source:", "text:")
          assert.equal(wrong, told:sub(1, #wrong))
        end
      end
    end
  end)

  it("leaves out elements of an array that are no rows", function()
    local f = read('[{"a":1},\n7,\n{"a":"x"},{"a":"' .. ("y"):rep(50) .. '"}, [1,2] , {"a":4}]',
      {types = {a = "int64"}, bad = 4, limit = 40})
    assert.same({1, 4}, f.a:totable())
    assert.same({2, 3, 3, 3}, f.bad.line:totable())
    assert.same({"is no object", "is not an int64", "is longer than 40 bytes", "is no object"},
      f.bad.reason:totable())
    assert.same({"7", "x", "[1,2]"}, {f.bad.text[1], f.bad.text[2], f.bad.text[4]})
  end)

  it("gives chunks", function()
    local lines, sizes, sum = {}, {}, 0
    for i = 1, 25 do lines[i] = '{"a":{"n":' .. i .. '},"s":"k' .. i % 3 .. '"}' end
    local whole = table.concat(lines, "\n")
    for _, types in ipairs {{n = {"int64", path = "a.n"}}, false} do
      for part in locus.chunks({text = whole},
        {format = "json", rows = 10, types = types or nil}) do
        sizes[#sizes + 1] = #part
        sum = sum + part[types and "n" or "a.n"]:sum()
      end
    end
    assert.same({10, 10, 5, 10, 10, 5}, sizes)
    assert.equal(650, sum)
    local ok, message = pcall(locus.chunks, {text = ""}, {format = "json", quotes = "apache"})
    assert.is_false(ok)
    assert.truthy(message:find("chunks: 'quotes' is not for JSON", 1, true))
  end)

  it("says what its types must be", function()
    assert.equal("'types': column 'a' has the path the number 5; write path = \"user.name\"",
      problem({"{}"}, {types = {a = {"string", path = 5}}}))
    assert.equal("'types' must name each column, and has the number 1",
      problem({"{}"}, {types = {"string"}}))
    assert.truthy(problem({"{}"}, {types = {a = "text"}}):find("'types': column 'a' is \"text\"", 1,
      true))
    assert.truthy(problem({"{}"}, {types = {a = {"string", path = ("a."):rep(80)}}}):find(
      "'types': column 'a' has a path of more than 64 keys", 1, true))
  end)
end)
