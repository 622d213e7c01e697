-- SPDX-License-Identifier: MIT
-- Where read_csv, read_log and chunks take text from, and how they tell of it: files, handles,
-- pieces, gzip, progress, and what cannot be read.
local locus = require "locus"
local support = require "spec.support"
local text = require "spec.support.text"

local pieces, times_open, with_file = text.pieces, text.times_open, text.with_file

local TYPES = {types = {a = "int64", b = "string"}}

local function same(bytes, frame)
  local expected = locus.read_csv({text = bytes}, TYPES)
  assert.same(expected.a:totable(), frame.a:totable())
  assert.same(expected.b:totable(), frame.b:totable())
end

local TEXT = 'a,b\r\n1,x\n2,"y\r\n""z"""\n\n3,\n4,last'

describe("a source of text #once", function()
  it("is a path, an open file, a string", function()
    with_file(TEXT, function(path)
      same(TEXT, locus.read_csv(path, TYPES))
      local file = io.open(path)
      same(TEXT, locus.read_csv(file, TYPES))
      assert.equal("file", io.type(file))
      file:close()
      file = io.open(path)
      file:read("*l")
      local f = locus.read_csv(file, {header = {"a", "b"}, types = TYPES.types})
      assert.same({1, 2, 3, 4}, f.a:totable())
      file:close()
    end)
    same(TEXT, locus.read_csv{text = TEXT, types = TYPES.types})
  end)

  it("is a function that gives pieces of any size, empty ones, too", function()
    for size = 1, #TEXT do same(TEXT, locus.read_csv(pieces(TEXT, size), TYPES)) end
    local list, at = {"a,b\n1", "", ",x", "", "\n"}, 0
    local f = locus.read_csv(function()
      at = at + 1
      return list[at]
    end, TYPES)
    assert.same({1}, f.a:totable())
  end)

  it("is not asked again once it gave nil", function()
    local function read(f, bytes, size, options)
      local pull, ended = pieces(bytes, size), false
      local result = f(function()
        assert.is_false(ended)
        local piece = pull()
        ended = piece == nil
        return piece
      end, options)
      assert.is_true(ended)
      return result
    end
    local function chunks(...)
      local rows = 0
      for part in locus.chunks(...) do rows = rows + #part end
      return rows
    end
    -- The last line changes a guess, has an end or none, lies near the first one or far behind it.
    for _, last in ipairs {"x", "x\n", "1.5", '"x', "2"} do
      for _, lines in ipairs {0, 1, 100, 100000} do
        local bytes = "a,b\n" .. ("1,2\n"):rep(lines) .. "3," .. last
        for _, size in ipairs {lines > 100 and 1000 or 1, 7e5} do
          if last ~= '"x' then
            assert.equal(lines + 1, #read(locus.read_csv, bytes, size))
            assert.equal(lines + 1, read(chunks, bytes, size, {types = {b = "string"}}))
          end
          assert.truthy(read(locus.read_csv, bytes, size, {bad = 1}))
        end
      end
    end
    assert.equal(0, #read(locus.read_csv, "a,b", 1))
    assert.equal(1, #read(locus.read_csv, "1", 1, {header = false}))
    assert.equal(1, #read(function(source) return locus.read_log(source, "$a") end, "1", 1))
  end)

  it("keeps the ends of its lines", function() -- else rows would be joined in silence
    local function told(source, options)
      local ok, message = pcall(locus.read_csv, source, options)
      assert.is_false(ok)
      return (message:gsub("^.-read_csv: ", ""))
    end
    with_file("a,b\n1,x\n2,y\n", function(path)
      local sentence = "'source' gives lines without their ends, as io.lines(path) does; write the "
        .. "path, an open file, or io.lines(path, \"*L\")"
      assert.equal(sentence, told(io.lines(path), TYPES))
      assert.equal(sentence, told(io.lines(path)))
      assert.equal(sentence, told(io.open(path):lines()))
      assert.equal(sentence, told(io.lines(path, "*l")))
      assert.matches("lines without their ends", select(2, pcall(locus.chunks, io.lines(path))))
      assert.matches("lines without their ends",
        select(2, pcall(locus.read_log, io.lines(path), "$a,$b")))
      same("a,b\n1,x\n2,y\n", locus.read_csv(io.lines(path, "*L"), TYPES))
      same("a,b\n1,x\n2,y\n", locus.read_csv(io.lines(path, 3), TYPES))
      local file = io.open(path)
      assert.equal("'source' gave 3 strings without a line end, each with 1 of \",\", and strings "
        .. "are joined as they are; write line .. \"\\n\"", told(function()
          return file:read "*l"
        end, TYPES))
      file:close()
    end)
    assert.matches("^'source' gave 3 strings", told(("a;b\n1;2\n3;4\n"):gmatch("[^\n]+"),
      {separator = ";"}))
    -- what is one line, whatever its pieces
    for size = 1, 9 do
      assert.same({"abc", "def", "g"}, locus.read_csv(pieces("abc,def,g", size)):columns())
    end
    assert.equal(1, #locus.read_csv(pieces(",,", 1), {header = false}))
  end)

  it("may begin with a byte order mark, in any pieces", function()
    for size = 1, 4 do
      same(TEXT, locus.read_csv(pieces("\239\187\191" .. TEXT, size), TYPES))
    end
    assert.same({"a"}, locus.read_csv({text = "\239\187\191a\n"}):columns())
    assert.same({"\239\187a"}, locus.read_csv({text = "\239\187a\n"}):columns())
  end)

  it("is stdin", function()
    with_file(TEXT, function(path)
      local script = [[local f = require("locus").read_csv("-") print(#f, f.a[4], f.b[4])]]
      assert.equal("4\t4\tlast\n", (support.run(script, {}, "<" .. path .. " luajit")))
    end)
  end)

  it("is closed when it is done with, and when it fails", function()
    with_file("a,b\n1,x\n2\n", function(path)
      local file = io.open(path)
      assert.equal(1, times_open(path))
      file:close()
      pcall(locus.read_csv, path, TYPES)
      pcall(locus.read_csv, path, {types = {c = "int8"}})
      locus.read_csv(path, {types = TYPES.types, bad = 1})
      for _ in locus.chunks(path, {types = TYPES.types, bad = 1, rows = 1}) do end
      assert.equal(0, times_open(path))
    end)
  end)

  it("is refused when it is none", function()
    local function told(source)
      return (select(2, pcall(locus.read_csv, source, TYPES)):gsub("^.-read_csv: ", ""))
    end
    assert.equal("cannot open /no/such.csv: No such file or directory", told("/no/such.csv"))
    assert.matches("^cannot open .*; write {text = s} for text$", told("a,b\n1,2\n"))
    with_file(TEXT, function(path) -- the system would take that for the file itself
      assert.equal("'source' is a path with a zero byte; write {text = s} for text",
        told(path .. "\0.csv"))
    end)
    assert.truthy(told("/"):find("/ cannot be read: Is a directory", 1, true))
    local file = io.tmpfile()
    file:close()
    assert.truthy(told(file):find("got a closed file", 1, true))
    assert.equal("'source' must give strings until nil, gave the number 5",
      told(function() return 5 end))
    assert.equal("my own", told(function() error("my own", 0) end))
    local utf_16 = "text is UTF-16: convert it to UTF-8; write io.popen(\"iconv -f UTF-16 -t UTF-8 "
      .. "FILE\")"
    assert.equal(utf_16, told({text = "\255\254a\0"}))
    assert.equal(utf_16, told({text = "\254\255\0a"}))
  end)
end)

describe("text compressed by gzip #once", function()
  local function gzip(bytes)
    local compressed
    with_file(bytes, function(path)
      local pipe = io.popen("gzip -c " .. path)
      compressed = pipe:read("*a")
      pipe:close()
    end)
    return compressed
  end

  it("is recognised in files and pieces, of one member or several", function()
    local compressed = gzip(TEXT:sub(1, 10)) .. gzip(TEXT:sub(11))
    with_file(compressed, function(path) same(TEXT, locus.read_csv(path, TYPES)) end)
    same(TEXT, locus.read_csv({text = compressed}, TYPES))
    for _, size in ipairs {1, 2, 7, 40} do
      same(TEXT, locus.read_csv(pieces(compressed, size), TYPES))
    end
    for _, behind in ipairs {"\0", ("\0"):rep(100), ("\0"):rep(300000)} do -- as tapes leave them
      same(TEXT, locus.read_csv({text = compressed .. behind}, TYPES))
      with_file(compressed .. behind, function(path) same(TEXT, locus.read_csv(path, TYPES)) end)
    end
    local long = "a,b\n" .. ("12345,abcde\n"):rep(200000)
    local short, told = gzip(long), 0
    same(long, locus.read_csv({text = short}, {
      types = TYPES.types, progress = function(bytes) told = bytes end}))
    assert.equal(#short, told)
    assert.equal("int64", locus.read_csv({text = compressed}).a.dtype)
  end)

  it("is refused when it is damaged", function()
    local compressed = gzip(TEXT)
    local function told(bytes)
      return (select(2, pcall(locus.read_csv, {text = bytes}, TYPES)):gsub("^.-read_csv: ", ""))
    end
    local function early(at, member)
      return ("text cannot be read: the compressed bytes end too early (at offset %d in the gzip "
        .. "member that begins at %d)"):format(at, member)
    end
    for kept = 1, #compressed - 1 do
      assert.equal(early(kept, 0), told(compressed:sub(1, kept)))
      assert.equal(early(#compressed + kept, #compressed),
        told(compressed .. compressed:sub(1, kept)))
    end
    with_file(compressed:sub(1, -9), function(path)
      assert.equal(early(#compressed - 8, 0):gsub("^text", path),
        (select(2, pcall(locus.read_csv, path, TYPES)):gsub("^.-read_csv: ", "")))
    end)
    assert.truthy(told(compressed:sub(1, 20) .. "\0\0\0\0" .. compressed:sub(25))
      :find("text cannot be read: the compressed bytes are damaged (", 1, true))
    assert.truthy(told("\31\139\7"):find("cannot be read", 1, true))
    assert.truthy(told(compressed .. compressed:sub(1, 20) .. "\0\0\0\0" .. compressed:sub(25))
      :find(("in the gzip member that begins at %d)"):format(#compressed), 1, true))
  end)

  -- Nothing behind a member is passed over, since rows may follow it: libarchive 643.
  it("is refused, with the offset, where something else is between or behind members", function()
    local first, second = gzip(TEXT:sub(1, 10)), gzip(TEXT:sub(11))
    local zeros, at = ("\0"):rep(5), #first
    local cases = {
      {"\30" .. second:sub(2), "byte 0x1e", at}, {"\n" .. second, "byte 0x0a", at},
      {zeros .. second, "byte 0x1f", at + 5}, {"7,8\n", "byte 0x37", at}, {"x", "byte 0x78", at},
      {zeros .. "7,8\n", "byte 0x37", at + 5}, {"\0\n", "byte 0x0a", at + 1},
      {second .. "\n", "byte 0x0a", at + #second},
      {second .. zeros .. "\n", "byte 0x0a", at + #second + 5},
    }
    local function check(bytes, sentence)
      local function told(f, ...)
        local ok, message = pcall(f, ...)
        assert.is_false(ok)
        return message:match("(%S+ cannot be read: .*)$") or message
      end
      for size = 1, #bytes do
        assert.equal("source" .. sentence, told(locus.read_csv, pieces(bytes, size), TYPES))
      end
      with_file(bytes, function(path)
        assert.equal(path .. sentence, told(locus.read_csv, path, TYPES))
        assert.equal(path .. sentence, told(locus.read_csv, path))
        assert.equal(path .. sentence, told(locus.read_log, path, "$a,$b",
          {skip = 1, types = TYPES.types, bad = 9}))
        assert.equal(path .. sentence, told(function()
          for part in locus.chunks(path, {types = TYPES.types, rows = 1}) do assert(part) end
        end))
      end)
    end
    for _, case in ipairs(cases) do
      local ended = case[3] >= at + #second and at + #second or at
      local zero = case[3] > ended and " behind zeros" or ""
      check(first .. case[1], (" cannot be read: the gzip member that ends at offset %d "
        .. "is followed by no other one, but by the %s at offset %d%s"):format(ended, case[2],
                                                                               case[3], zero))
    end
    -- what begins as a member does, and is none
    local function told(bytes)
      return (select(2, pcall(locus.read_csv, {text = bytes}, TYPES)))
    end
    assert.truthy(told(first .. "\31\0" .. second):find(("(incorrect header check, at offset %d in "
      .. "the gzip member that begins at %d)"):format(at + 2, at), 1, true))
    assert.truthy(told(first .. "\31"):find(("the compressed bytes end too early (at offset %d in "
      .. "the gzip member that begins at %d)"):format(at + 1, at), 1, true))
  end)
end)

describe("progress #once", function()
  it("is told to a function", function()
    local long = "a,b\n" .. ("1,x\n"):rep(300000)
    local told = {}
    locus.read_csv({text = long}, {types = TYPES.types, progress = function(bytes, length)
      told[#told + 1] = bytes
      assert.equal(#long, length)
    end})
    assert.is_true(#told > 3)
    assert.equal(#long, told[#told])
    for i = 2, #told do assert.is_true(told[i] >= told[i - 1]) end
  end)

  it("ends the read when it raises", function()
    local function read()
      local ok, message = pcall(locus.read_csv, {text = TEXT}, {
        types = TYPES.types, progress = function() error("enough", 0) end})
      assert.is_false(ok)
      assert.equal("enough", message)
    end
    assert.is_true(0 >= text.left_by(read))
  end)
end)
