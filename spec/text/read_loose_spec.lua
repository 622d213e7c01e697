-- SPDX-License-Identifier: MIT
-- read_csv and chunks of text that is not quite CSV: skip_blanks, separator = "blanks", escape; and
-- what write_csv makes for them.
local locus = require "locus"
local support = require "spec.support"
local pieces = require("spec.support.text").pieces

-- The fields of all rows as one string each, by read_csv of the whole, of pieces of every size, and
-- by chunks; the names come first.
local function rows(bytes, options)
  local function shown(frames)
    local list = {table.concat(frames[1]:columns(), "|")}
    for _, f in ipairs(frames) do
      for _, row in f:iter() do
        local fields = {}
        for i, name in ipairs(f:columns()) do fields[i] = tostring(row[name]) end
        list[#list + 1] = table.concat(fields, "|")
      end
      for _, bad in (f.bad or f:head(0)):iter() do
        list[#list + 1] = ("%d:%s:%s:%s"):format(bad.line, bad.column, bad.text, bad.reason)
      end
    end
    return list
  end
  local whole = shown {locus.read_csv({text = bytes}, options)}
  for size = 1, #bytes do
    assert.same(whole, shown {locus.read_csv(pieces(bytes, size), options)}, "pieces of " .. size)
  end
  local list, in_chunks = {}, {rows = 1}
  for name, value in pairs(options) do in_chunks[name] = value end
  for part in locus.chunks({text = bytes}, in_chunks) do list[#list + 1] = part end
  if not options.bad and #list > 0 then assert.same(whole, shown(list)) end
  return whole
end

local function refused(bytes, options)
  local message = support.message(locus.read_csv, {text = bytes}, options)
  for size = 1, #bytes do
    local told = support.message(locus.read_csv, pieces(bytes, size), options)
    assert.equal(message, (told:gsub("source:", "text:")))
  end
  return (message:gsub("^read_csv: ", ""))
end

local STRINGS = {a = "string", b = "string"}

describe("skip_blanks #once", function()
  local function skipping(bytes, options)
    options = options or {}
    options.skip_blanks = true
    return rows(bytes, options)
  end

  it("passes over blanks about quotes and fields", function()
    assert.same({"name|city", "Smith, J|x \"y\"", "a b|c", "  in | q"}, skipping(
      'name, city \n"Smith, J" , "x ""y"""\n  a b ,\tc\t \n  "  in " , " q"\n'))
    assert.same({"a|b", "1|2", "3|4"}, skipping("a, b\r\n 1 ,2 \r\n3\t,\t4\t\r\n"))
    assert.same({"a|b", "1\n2|x"}, skipping(' "a" ,b\n "1\n2" \t, x', {types = STRINGS}))
    assert.same({"a|b", "|", "|x"}, skipping("a,b\n , \n\"\" , x\n", {types = STRINGS}))
  end)

  it("takes a line of blanks for an empty one", function()
    assert.same({"a|b", "1|2"}, skipping("  \na,b\n \t \n1,2\n\t"))
    assert.same({"a", "1", "nan", "nan"}, skipping(" a\n1\n  \n\n"))
  end)

  it("leaves blanks that separate, and all of them without it", function()
    for _, case in ipairs {{"\t", "a\tb\n\t1\n x \t \n"}, {" ", "a b\n 1\n\tx \t\n"}} do
      assert.same({"a|b", "|1", "x|"}, skipping(case[2], {separator = case[1], types = STRINGS}))
    end
    assert.same({"a|b", " x | \"y\""}, rows("a,b\n x , \"y\"\n", {types = STRINGS}))
  end)

  it("passes over comments behind blanks, however long", function()
    for _, options in ipairs {{comment = "#"}, {comment = "##", limit = 4}} do
      assert.same({"a|b", "1|2", "3|4"}, skipping(
        "  ## x\na,b\n \t##, note\n1,2\n\t ## \"\n3,4\n ##", options))
      options.separator = "blanks"
      assert.same({"a|b", "1|2", "3|4"}, skipping(
        "  ## x\na b\n \t## note\n1 2\n\t ## \"\n3 4\n ##", options))
    end
    assert.same({"a", "1", "2"}, rows("a\n1\n # \n2\n",
      {separator = "blanks", comment = "#"}))
    assert.same({"a", "1", "2"}, skipping("a\n1\n # \n2\n", {comment = "#"}))
    assert.same({"a|b", "1|2"}, skipping("a,b\n # x\n # y\n1,2\n", {comment = " #"}))
    assert.same({"a|b", "|# 1", "2|x"}, skipping("a\tb\n\t# 1\n # 1\n2\tx\n",
      {separator = "\t", comment = "#", types = STRINGS}))
    -- A line of more blanks than a record may have bytes is one, whatever follows.
    local eight = (" "):rep(8)
    assert.same({"a|b", "1|2"}, skipping("a,b\n" .. eight .. " \n1,2\n" .. eight .. "# xyz\n",
      {comment = "#", limit = 9}))
    for _, blanks in ipairs {9, 10, 11, 12, 20} do
      for _, behind in ipairs(blanks > 9 and {"", "#"} or {"#", "##"}) do
        assert.equal(('text:2: is longer than 9 bytes: "         "'),
          refused("a,b\n" .. (" "):rep(blanks) .. behind .. "\n1,2\n",
            {skip_blanks = true, comment = "#", limit = 9}))
      end
    end
  end)

  it("is no matter of comments, guesses and missing texts", function()
    assert.same({"a|b", " # 1|2.5", "3|nan"}, rows("a,b\n\" # 1\",2.5\n#x\n3 , NA\n",
      {skip_blanks = true, comment = "#", missing = "NA", types = {a = "string", b = "float64"}}))
    local f = locus.read_csv({text = 'a,b,c\n "1" , 2.5 , x \n'}, {skip_blanks = true})
    assert.same({"int64", "float64", "string"}, {f.a.dtype, f.b.dtype, f.c.dtype})
    assert.equal("x", f.c[1])
  end)

  it("tells of bad lines", function()
    local options = {skip_blanks = true, types = {a = "int64", b = "string"}}
    assert.equal('text:2: column \'b\' (2) has text behind the closing quote: "\\"y\\" z"',
      refused('a,b\n1, "y" z\n', options))
    assert.equal('text:3: has 3 fields and not 2: " 1 , 2 , 3"', refused("a,b\n\n 1 , 2 , 3\r\n",
      options))
    assert.equal('text:2: column \'a\' (1) is not an int64: "x y"', refused("a,b\n  x y  ,z\n",
      options))
    assert.equal('text:2: column \'b\' (2) has a quote that never closes: "\\"x"',
      refused('a,b\n1 , "x\n2,y\n', options))
    options.bad = 9
    assert.same({"a|b", "1|2", "5|z", '3:b:"y" z:has text behind the closing quote'},
      rows('a,b\n1,2\n 3, "y" z\n5, z\n', options))
  end)
end)

describe("separator = \"blanks\" #once", function()
  local function blank(bytes, options)
    options = options or {}
    options.separator = "blanks"
    return rows(bytes, options)
  end

  it("takes any run of spaces and tabs for a separator, and none at a line's ends", function()
    assert.same({"n|x|y", "1|a b|2.5", "3||4"}, blank(
      '  n  x\ty\n 1 "a b"  2.5 \n\t3   ""\t 4\r\n\n'))
    assert.same({"column1|column2", "1|2", "3|4"}, blank("1 2\n   3\t\t4  \n", {header = false}))
    assert.same({"a|b", 'x"y|, ;'}, blank('a b\nx"y ", ;"\n', {types = STRINGS}))
    assert.same({"a|b", "1\n 2|x"}, blank('a b\n"1\n 2" x\n', {types = STRINGS}))
  end)

  it("passes over lines of blanks, of one column, too", function()
    assert.same({"a", "1", "2"}, blank(" a \n\n 1\n   \t\n2\n \n"))
    assert.same({"a", "1", "nan", "2"}, blank('a\n1\n""\n2\n'))
    assert.same({"a|b"}, blank("a b\n  \n\r\n"))
  end)

  it("goes with a decimal comma, comments and an escape", function()
    assert.same({"a|b", "1.5|2"}, blank("% x\na b\n1,5 2\n% y \n", {decimal = ",", comment = "%"}))
    assert.same({"a|b", 'x" y|z'}, blank('a b\n"x\\" y" z\n', {escape = "\\", types = STRINGS}))
  end)

  it("tells of bad lines", function()
    local options = {separator = "blanks", types = {a = "int64", b = "string"}}
    assert.equal('text:2: has 3 fields and not 2: " 1  2 3 "', refused("a b\n 1  2 3 \n", options))
    assert.equal('text:2: has 1 field and not 2: "1"', refused("a b\n1\n", options))
    assert.equal('text:2: column \'b\' (2) has text behind the closing quote: "\\"x\\"y z"',
      refused('a b\n1 "x"y z\n', options))
    assert.equal('text:2: has a carriage return (CR) without a line feed: "2\\rx"',
      refused("a b\n1 2\rx\n", options))
  end)
end)

describe("escape #once", function()
  local function escaped(bytes, options)
    options = options or {types = STRINGS}
    options.escape = options.escape or "\\"
    return rows(bytes, options)
  end

  -- A backslash in front of anything else is one: "C:\temp" loses nothing.
  it("takes a quote or an escape behind it along, within quotes", function()
    assert.same({"a|b", 'say "hi"|C:\\temp\\n', 'x"y|\\"z'},
      escaped('a,b\n"say \\"hi\\"","C:\\temp\\n"\n"x""y",\\"z\n'))
    assert.same({"a|b", "\\|\\\\", '\\"|"'}, escaped('a,b\n"\\\\","\\\\\\\\"\n"\\\\\\"","\\""\n'))
    assert.same({"a|b", '","|\n"'}, escaped('a,b\n"\\",\\"","\n\\""\n'))
    assert.same({"a|b", "\\|x"}, escaped('a,b\n\\,x\n'))
    assert.same({"a|b", '"|x?'}, escaped('a,b\n"?"",x?\n', {escape = "?", types = STRINGS}))
  end)

  it("is told of bytes that are something else, too", function()
    local function told(options) return refused("a,b\n", options) end
    local blank = {separator = "blanks"}
    assert.equal("'escape' is for quotes, and 'quote' is false",
      told {escape = "\\", quote = false})
    assert.equal("'escape' and 'separator' are both \",\"", told {escape = ","})
    blank.escape = " "
    assert.equal("'escape' and 'separator' are both \" \"", told(blank))
    assert.equal("'escape' must be one byte, other than a line's end, got the string \"ab\"",
      told {escape = "ab"})
    assert.equal("'skip_blanks' must be true or false, got the string \"yes\"",
      told {skip_blanks = "yes"})
    assert.equal("'quote' must not be a blank if blanks do not count, got the string \" \"",
      told {quote = " ", skip_blanks = true})
    blank.quote, blank.escape = "\t", nil
    assert.truthy(told(blank):find("'quote' must not be a blank if", 1, true))
    assert.truthy(support.message(locus.chunks, {text = ""}, {format = "$a", escape = "\\"})
      :find("'escape' is not for logs", 1, true))
    assert.truthy(support.message(locus.read_log, {text = ""}, "$a", {skip_blanks = true})
      :find("skip_blanks", 1, true))
  end)

  it("that is the quote itself changes nothing", function()
    assert.same({"a|b", '"|x'}, escaped('a,b\n"""",x\n', {escape = '"', types = STRINGS}))
  end)

  it("is found anywhere in a long field, and none behind it", function()
    for length = 0, 20 do
      local x = ("x"):rep(length)
      for _, special in ipairs {'\\"', '""', "\\\\", "\\y", "\n"} do
        local meant = special:gsub('\\(["\\])', "%1"):gsub('""', '"')
        local f = locus.read_csv({text = ('a,b\n"%s%s%s",%s\\"\n'):format(x, special, x, x)},
          {escape = "\\", types = STRINGS})
        assert.same({x .. meant .. x, x .. '\\"'}, {f.a[1], f.b[1]})
      end
    end
  end)

  it("that does not close is told of the line that opens it", function()
    assert.equal('text:3: column \'b\' (2) has a quote that never closes: "\\"y\\\\\\""',
      refused('a,b\n1,x\n2,"y\\"\n3,z\n', {escape = "\\", types = STRINGS}))
  end)
end)

-- Which are told of by no option: the header and the first row say it.
describe("a separator at the end of each row #once", function()
  it("is no field more", function()
    for _, header in ipairs {"a,b,\n", "a,b\n", "a,b,\r\n"} do
      assert.same({"a|b", "1|x", "3|"}, rows(header .. "1,x,\n\n3,,\n", {}))
      assert.same({"a|b", "1|x"}, rows(header .. '1,x, "" \n', {skip_blanks = true}))
      assert.same({"a|b", "1|x"}, rows(header .. "1,x, \t\r\n", {types = STRINGS}))
      assert.same({"a|b", "1|x", "2|y"}, rows(header .. "1,x\n2,y\n", {}))
      assert.same({"b", "x", "y"}, rows(header .. "1,x,\n2,y,\n", {columns = {"b"}}))
      assert.same({"a|b"}, rows(header, {}))
    end
    assert.same({"a|b", "1|2", "3|4"}, rows("1,2,\n3,4,\n", {header = {"a", "b"}}))
    assert.same({"a|b", "1::1,2,:has 3 fields and not 2"},
      rows("1,2,\n", {header = {"a", "b"}, bad = 1}))
    assert.same({"a", "1", "2"}, rows("a,\n1,\n2,\n", {}))
    assert.same({"a|b", "1|2"}, rows("a;b;\n1;2;", {separator = ";"}))
  end)

  it("is then there in all of them, with nothing behind it", function()
    for _, header in ipairs {"a,b,\n", "a,b\n"} do
      local many = header .. ("1,2,\n"):rep(100)
      local function told(line) return refused(many .. line, {types = {a = "int8", b = "int8"}}) end
      assert.equal('text:102: has no separator at its end: "3,4"', told("3,4\n"))
      assert.equal(
        'text:102: has text behind the separator that ends the line: "5"', told("3,4,5\n"))
      assert.equal('text:102: has 3 fields and not 2: "3,4,,"', told("3,4,,\n"))
      for _, line in ipairs {"3", "3,"} do
        assert.equal(('text:102: has 1 field and not 2: "%s"'):format(line), told(line .. "\n"))
      end
      local f = locus.read_csv({text = many .. "3,4\n3,4,5\n7,8,\n"}, {bad = 2})
      assert.same({101, 7, 8}, {#f, f.a[-1], f.b[-1]})
      assert.same({"has no separator at its end",
        "has text behind the separator that ends the line"}, f.bad.reason:totable())
    end
    -- Most of the first hundred records decide, and of two alike neither.
    assert.equal('text:2: has 3 fields and not 2: "1,2,"', refused("a,b\n1,2,\n3,4\n"))
    assert.same({"a|b", "3|4", "2::1,2,:has 3 fields and not 2"},
      rows("a,b\n1,2,\n3,4\n", {bad = 2}))
    assert.equal('text:3: has 3 fields and not 2: "3,4,"', refused("a,b\n1,2\n3,4,\n"))
    assert.equal("text:1: column 3 has no name; write header = {names} and skip = 1",
      refused("a,b,\n1,2,3\n"))
    assert.equal("text:1: column 3 has no name; write header = {names} and skip = 1",
      refused("a,b,,\n1,2,,\n"))
  end)

  it("is told of the rows that differ from most", function()
    for _, header in ipairs {"a,b,\n", "a,b\n"} do
      assert.equal('text:3: has no separator at its end: "3,4"',
        refused(header .. "1,2,\n3,4\n5,6,\n"))
      assert.equal('text:2: has no separator at its end: "1,2"',
        refused(header .. "1,2\n3,4,\n5,6,\n"))
      assert.equal('text:3: has 1 field and not 2: "3,"', refused(header .. "1,2,\n3,\n5,6,\n"))
      assert.equal('text:4: has text behind the separator that ends the line: "7"',
        refused(header .. "1,2,\n3,4,\n5,6,7\n"))
      assert.equal('text:3: column \'a\' (1) has text behind the closing quote: "\\"3\\"x,4,"',
        refused(header .. '1,2,\n"3"x,4,\n5,6,\n'))
      assert.equal('text:3: has 3 fields and not 2: "3,4,"',
        refused(header .. "1,2\n3,4,\n5,6\n7,8\n"))
      assert.same({"a|b", "1|2", "5|6", "3::3,4:has no separator at its end",
        '4:a:"3"x,:has text behind the closing quote'},
        rows(header .. '1,2,\n3,4\n"3"x,\n5,6,\n', {bad = 9}))
    end
    assert.equal('text:3: has no separator at its end: "3,4"', refused("a,b,\n1,2,\n3,4\n"))
    assert.equal("text:1: column 3 has no name; write header = {names} and skip = 1",
      refused("a,b,\n1,2,\n1,2,3\n1,2,4\n"))
    assert.equal('text:2: has 3 fields and not 2: "1 2 \\"\\""',
      refused('a b\n1 2 ""\n', {separator = "blanks"}))
  end)

  it("is a field where nothing names the columns", function()
    assert.same({"column1|column2", "1|nan"}, rows("1,\n", {header = false}))
  end)
end)

describe("records of many fields #once", function()
  local function wide(count)
    local names, values = {}, {}
    for i = 1, count do names[i], values[i] = "c" .. i, i end
    return table.concat(names, ",") .. "\n" .. table.concat(values, ",") .. "\n"
  end

  it("are read where few columns are wanted", function()
    local text = wide(100000)
    local f = locus.read_csv({text = text}, {columns = {"c99999", "c1"}})
    assert.same({"c99999", "c1"}, f:columns())
    assert.same({99999, 1}, {f.c99999[1], f.c1[1]})
    f = locus.read_csv({text = text}, {types = {[4097] = "int32", c5000 = "float32"}})
    assert.same({4097, 5000}, {f.c4097[1], f.c5000[1]})
    for part in locus.chunks({text = text}, {types = {c100000 = "int64"}}) do
      assert.equal(100000, part.c100000[1])
    end
    local format = "$_," .. ("$_,"):rep(5000) .. "$x"
    assert.equal(7, locus.read_log({text = ("1,"):rep(5001) .. "7\n"}, format).x[1])
    assert.equal('text:3: has 1 field and not 100000: "1"',
      (support.message(locus.read_csv, {text = text .. "1\n"}, {columns = {"c1"}})
        :gsub("^read_csv: ", "")))
  end)

  it("are refused where too many are", function()
    local text = wide(4097)
    local sentence = "read_csv: text has 4097 columns, and at most 4096 can be read; name those "
      .. "that you want by 'types' or 'columns'"
    assert.equal(sentence, support.message(locus.read_csv, {text = text}))
    local types = {}
    for i = 1, 4096 do types[i] = "int16" end
    assert.equal(4096, #locus.read_csv({text = text}, {types = types}):columns())
    types[4097] = "int16"
    assert.equal(sentence, support.message(locus.read_csv, {text = text}, {types = types}))
  end)
end)

describe("what write_csv writes is read by each of these #once", function()
  local BYTES = {" ", "\t", ",", '"', "\\", "\n", "\r\n", "#", "a", "1", ";", "'", "-", "\195\164"}

  local function string_of()
    local list = {}
    for i = 1, math.random(0, 5) do list[i] = BYTES[math.random(#BYTES)] end
    return table.concat(list)
  end

  it("with the option of the same name", function()
    local written = {
      {}, {escape = "\\"}, {separator = "blanks"}, {separator = "blanks", escape = "\\"},
      {separator = "\t"}, {separator = " "}, {separator = ";", quote = "'"},
      {separator = "blanks", comment = "a"}, {escape = "\\", comment = "#"}, {escape = "a"},
      {separator = "blanks", newline = "\r\n", escape = "#"},
    }
    for round = 1, support.hasty and 20 or 60 do
      local n, strings, others = math.random(0, 6), {}, {}
      for i = 1, n do strings[i], others[i] = string_of(), string_of() end
      local f = locus.frame {{"a", locus.strings(strings)}, {" #b\\\"\t", locus.strings(others)},
        {"n", locus.arange(n):long() - 2}, {"x", locus.arange(n) / 4}}
      for _, options in ipairs(written) do
        for _, skipping in ipairs {false, true} do
          for _, columns in ipairs {f:columns(), {"a"}, {"x"}} do
            local part = f:select(columns)
            local text = part:write_csv(nil, options)
            local g = locus.read_csv(pieces(text, round), {types = part:types(),
              separator = options.separator, quote = options.quote, escape = options.escape,
              comment = options.comment, skip_blanks = skipping})
            for _, name in ipairs(columns) do
              assert.same(part:column(name):totable(), g:column(name):totable(), text)
            end
          end
        end
      end
    end
  end)

  it("in its own way", function()
    local f = locus.frame {{"a b", {"x y", "", '"\\'}}, {"n", {1, locus.nan, 3}}}
    assert.equal('"a b" n\n"x y" 1.0\n"" ""\n"""\\" 3.0\n', f:write_csv {separator = "blanks"})
    assert.equal('a b,n\nx y,1.0\n,\n"\\"\\\\",3.0\n', f:write_csv {escape = "\\"})
    local function told(options) return support.message(f.write_csv, f, nil, options) end
    assert.equal("write_csv: 'separator' and 'escape' must differ, got ',' for both",
      told {escape = ","})
    assert.equal("write_csv: 'escape' must be one byte that ends no line, got the string \"ab\"",
      told {escape = "ab"})
    assert.truthy(told({separator = "blanks", quote = "\t"})
      :find("write_csv: 'separator' and 'quote' must differ", 1, true))
  end)
end)
