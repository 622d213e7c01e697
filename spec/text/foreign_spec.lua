-- SPDX-License-Identifier: MIT
-- Files that are no text, given to readers of text, and text whose separator is another one: an
-- error that says what to write.
local files = require "spec.support.text"
local locus = require "locus"
local support = require "spec.support"
local message = support.message

local kinds = {
  {"PAR1\21\4\21\16\21\20L\21\2PAR1", "is Parquet; write it as CSV"},
  {"PAR1\0\0\0\0PAR1", "is Parquet; write it as CSV"},
  {"ARROW1\0\0\255\255\255\255", "is in Arrow's format; write it as CSV"},
  {"\255\255\255\255\240\0\0\0", "is in Arrow's format; write it as CSV"},
  {"\147NUMPY\1\0v\0{'descr': '<f8'}\n1234",
   "is a tensor in NumPy's format; write locus.load(path)"},
  {"PK\3\4\20\0\0\0a\nb\n", "is a zip archive; write locus.load(path) for one of NumPy's"},
  {"SQLite format 3\0\16\0\1\1", "is a database of SQLite; write io.popen(\"sqlite3 "},
  {"\137PNG\r\n\26\n\0\0\0\13IHDR", "is a picture, and no text"},
  {"\255\254a\0,\0b\0\n\0", "is UTF-16: convert it to UTF-8; write io.popen(\"iconv -f UTF-16 "},
  {"\254\255\0a\0,\0b\0\n", "is UTF-16: convert it to UTF-8; write io.popen(\"iconv -f UTF-16 "},
  {"\255\254\0\0a\0\0\0", "is UTF-32: convert it to UTF-8; write io.popen(\"iconv -f UTF-32 "},
  {"\137HDF\r\n\26\naaaa", "is HDF5; write it as CSV"},
  {"\208\207\17\224\161\177\26\225aa", "is a spreadsheet; save it as CSV"},
  {"Obj\1\4\22avro.codec", "is Avro; write it as CSV"},
  {"ORC\8\3\16\0", "is ORC; write it as CSV"},
}

local function says(text, what, f, ...)
  local said = message(f, ...)
  assert.truthy(said and said:find(text, 1, true), what .. ": " .. tostring(said))
end

describe("files that are no text #once", function()
  it("are told by their first bytes, by every reader and from every source", function()
    for _, kind in ipairs(kinds) do
      local bytes, text = unpack(kind)
      files.with_file(bytes, function(path)
        text = " " .. text
        says(path .. text, "path", locus.read_csv, path)
        says(path .. text, "types", locus.read_csv, path, {types = {a = "int64"}, bad = 9})
        says(path .. text, "log", locus.read_log, path, "$a $b", {types = {a = "int64"}})
        says(path .. text, "chunks", function() return locus.chunks(path)() end)
        says("text" .. text, "text", locus.read_csv, {text = bytes})
        local handle = io.open(path, "rb")
        says("file" .. text, "file", locus.read_csv, handle)
        handle:close()
        for step = 1, 4 do
          local at = 1 - step
          says("source" .. text, "pieces", locus.read_csv, function()
            at = at + step
            return at <= #bytes and bytes:sub(at, at + step - 1) or nil
          end)
        end
      end)
    end
  end)

  it("are told by load, too", function()
    for _, i in ipairs {1, 3, 8, 9} do
      files.with_file(kinds[i][1], function(path)
        says(("load: '%s' %s"):format(path, kinds[i][2]), "load", locus.load, path)
      end)
    end
  end)

  it("are not told of text that begins with the same letters", function()
    for _, name in ipairs {"PAR1", "PK", "PAR1x", "ORC", "Obj", "BZh", "BZh9", "ARROW1", "Rar!",
                           "SQLite format 3", "MATLAB", "7z", "FEA1", "P", "PA", "\253", "\40",
                           "\137", "\255", "(\194\181"} do
      for _, rest in ipairs {"", ",b", "\n1", "\r\n1\r\n", ",b\n1,2\n"} do
        local f = locus.read_csv({text = name .. rest})
        assert.equal(name, f:columns()[1])
        local at = 0
        local g = locus.read_csv(function()
          at = at + 1
          local text = name .. rest
          return at <= #text and text:sub(at, at) or nil
        end)
        assert.equal(name, g:columns()[1])
      end
    end
  end)

  it("are never what write_csv writes", function()
    for _, kind in ipairs(kinds) do
      local f = locus.frame{{kind[1], {1, 2}}, {"b", {3, 4}}}
      assert.same(f:columns(), locus.read_csv({text = f:write_csv()}):columns())
    end
  end)

  it("are others than text with zero bytes, which are bytes of strings", function()
    local f = locus.read_csv({text = "a,b\n1,x\0y\n2,\0\n"})
    assert.same({"x\0y", "\0"}, f.b:totable())
  end)
end)

describe("text with another separator #once", function()
  local function ends(tail, text, options)
    local said = message(locus.read_csv, {text = text}, options or {rows = 9})
    assert.equal(tail, said and said:sub(-#tail), said)
  end

  it("is told where a row or a column fails, and counts agree", function()
    for _, pair in ipairs {{";", '; write separator = ";"'}, {"\t", '; write separator = "\\t"'},
                           {"|", '; write separator = "|"'}} do
      local byte, advice = unpack(pair)
      local function with(text) return (text:gsub("!", byte)) end
      local types = {types = {a = "int64", b = "int64"}}
      ends(advice, with "a!b\n1,5!2\n")
      ends(advice, with "a!b,c\n1!2,3\n4!5\n")
      ends(advice, with "a,b\n1!2\n", types)
      ends(advice, with "a,b\n1!2\n")
      ends(advice, with "a!b\n1!2\n", types)
      ends(advice, with "a!b\n1!2\n", {columns = {"b"}})
      ends(advice, with "1!2\n", {header = {"a", "b"}})
      ends(advice, with "a!b\n1!2\n", {types = {[with "a!b"] = "int64"}})
      local f = locus.read_csv({text = with "a!b\n1!2\n"}, {separator = byte})
      assert.same({"a", "b"}, f:columns())
    end
  end)

  it("is not told where nothing speaks for it", function()
    local types = {types = {a = "int64", b = "int64"}}
    ends('"1"', "a,b\n1\n")
    ends('"x;y"', "a,b\nx;y,1\n", types)
    assert.same({"a;b"}, locus.read_csv({text = "a;b\n1;2\n"}):columns())
  end)
end)
