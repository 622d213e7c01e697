-- SPDX-License-Identifier: MIT
-- locus.load of what NumPy writes and no dtype of ours is: unsigned integers, strings, records, raw
-- bytes; alone and as members of archives, of which `only` some are read.
local locus = require "locus"
local archives = require "spec.support.data.archives"
local support = require "spec.support"
local files = require "spec.support.text"

local message, same, npy = support.message, support.same, archives.npy
local load_bytes = archives.load

local function pack(...) return archives.pack(...) end

-- An .npy file of records; descr is a list in Python.
local function npy_of(descr, shape, data)
  local text = ("{'descr': %s, 'fortran_order': False, 'shape': %s, }\n"):format(descr, shape)
  return "\147NUMPY\1\0" .. pack(#text, 2) .. text .. data
end

-- What load says of the bytes, without the path; of those alone, and as an archive's only member.
local function refuses(sentence, bytes)
  assert.equal(sentence, archives.refused(bytes))
  assert.equal(": x.npy' " .. sentence, archives.refused(archives.zip {
    {name = "x.npy", bytes = bytes}}))
end

-- The array of those bytes, which is the same alone, in an archive, and packed.
local function load(bytes)
  local alone = load_bytes(bytes)
  for _, method in ipairs {0, 8} do
    local x = load_bytes(archives.zip {{name = "x.npy", bytes = bytes, method = method}}).x
    assert.equal(tostring(alone), tostring(x))
  end
  return alone
end

-- Text as NumPy writes it: code points of 32 bits in one order or the other.
local function codes(order, width, ...)
  local parts = {}
  for _, list in ipairs {...} do
    for k = 1, width do
      local bytes = pack(list[k] or 0, 4)
      parts[#parts + 1] = order == ">" and bytes:reverse() or bytes
    end
  end
  return table.concat(parts)
end

describe("unsigned integers of NumPy #once", function()
  it("become the next wider dtype, in both orders of bytes", function()
    same(load(npy("<u2", "(3,)", "\1\0\255\255\0\128")), {3}, {1, 65535, 32768}, "int32")
    same(load(npy(">u2", "(2,)", "\1\0\255\254")), {2}, {256, 65534}, "int32")
    same(load(npy("<u4", "(2,)", "\255\255\255\255\2\0\0\0")), {2}, {2 ^ 32 - 1, 2}, "int64")
    same(load(npy(">u4", "()", "\128\0\0\0")), {}, {2 ^ 31}, "int64")
    same(load(npy("<u2", "(2, 2)", "\1\0\2\0\3\0\4\0", "True")), {2, 2}, {1, 3, 2, 4}, "int32")
    same(load(npy("<u2", "(0,)", "")), {0}, {}, "int32")
  end)

  it("of 64 bits are int64 where they fit", function()
    same(load(npy("<u8", "(2,)", ("\255"):rep(7) .. "\127" .. pack(5, 8))), {2},
      {support.range.int64[2], 5}, "int64")
    same(load(npy(">u8", "(1,)", "\0\0\0\0\0\0\0\7")), {1}, {7}, "int64")
    refuses("holds uint64 past 2^63 - 1; in NumPy, save x.astype('float64')",
      npy("<u8", "(2,)", pack(5, 8) .. ("\0"):rep(7) .. "\128"))
  end)

  it("of several files are rows of one tensor", function()
    support.in_folder({["/a.npy"] = npy("<u2", "(1, 2)", "\255\255\1\0"),
      ["/b.npy"] = npy(">u2", "(2, 2)", "\0\2\0\4\0\3\0\5", "True"),
      ["/c.npy"] = npy("|S2", "(2,)", "abcd")}, function(root)
      local function load_list(list, options) return locus.load(list, options) end
      same(load_list {root .. "/a.npy", root .. "/b.npy"}, {3, 2}, {65535, 1, 2, 3, 4, 5}, "int32")
      assert.matches("c.npy' holds strings, for which there is no dtype",
        message(load_list, {root .. "/c.npy", root .. "/c.npy"}))
      assert.equal("load: 'only' is for an archive, and 'path' names 2",
        message(load_list, {root .. "/a.npy", root .. "/b.npy"}, {only = {"x"}}))
    end)
  end)

  it("cannot be mapped, nor taken for signed ones", function()
    files.with_file(npy("<u2", "(1,)", "\1\0"), function(path)
      assert.equal(("load: '%s' holds uint16, for which there is no dtype; in NumPy, save "
        .. "x.astype('int32'); it is read without 'mmap'"):format(path),
        message(locus.load, path, {mmap = "r"}))
      assert.matches("holds uint16", message(locus.npy_writer, path, "int16", {append = true}))
    end)
  end)
end)

describe("strings of NumPy #once", function()
  it("become columns: bytes as they are, text as UTF-8", function()
    local c = load(npy("|S3", "(4,)", "abcx\0\0\0\0\0a\0b"))
    assert.same({"abc", "x", "", "a\0b"}, c:totable())
    for _, order in ipairs {"<", ">"} do
      c = load(npy(order .. "U5", "(4,)", codes(order, 5, {0x61, 0xE9, 0x20AC, 0x1D11E, 0x7A},
        {0x10FFFF}, {}, {0x62, 0, 0x63})))
      assert.same({"a\195\169\226\130\172\240\157\132\158z", "\244\143\191\191", "", "b\0c"},
        c:totable())
      assert.equal(support.device, c.device)
    end
    assert.same({}, load(npy("<U5", "(0,)", "")):totable())
    assert.same({"", ""}, load(npy("<U0", "(2,)", "")):totable())
  end)

  it("of a thousand rows and more, by any number of names", function()
    local parts, wanted = {}, {}
    for i = 1, 5000 do
      wanted[i] = "name " .. i % 700
      parts[i] = wanted[i] .. ("\0"):rep(10 - #wanted[i])
    end
    assert.same(wanted, load(npy("|S10", "(5000,)", table.concat(parts))):totable())
  end)

  it("without a dimension are one of Lua's", function()
    assert.equal("abc", load_bytes(npy("<U3", "()", codes("<", 3, {0x61, 0x62, 0x63}))))
    assert.equal("xy", load_bytes(npy("|S4", "()", "xy\0\0")))
  end)

  it("are refused in several dimensions, and where they are no text", function()
    refuses("holds strings in 2 dimensions, and a column has one; in NumPy, save x.ravel()",
      npy("|S1", "(2, 2)", "abcd"))
    for _, code in ipairs {0xD800, 0xDFFF, 0x110000, 0xFFFFFFFF} do
      refuses("holds a string in row 2 that is no Unicode",
        npy("<U1", "(2,)", codes("<", 1, {0x61}, {code})))
    end
  end)
end)

describe("raw bytes of NumPy #once", function()
  it("get the hint of from_file where they may be bfloat16", function()
    local data = "\128\63\0\64\64\64\128\64"
    for shape, view in pairs {["(2, 2)"] = ":view(2, 2)", ["(4,)"] = ""} do
      local bytes = npy("<V2", shape, data)
      files.with_file(bytes, function(path)
        local said = message(locus.load, path)
        assert.equal(("load: '%s' holds records or raw bytes, for which there is no dtype; where "
          .. "they are bfloat16, write locus.from_file(path, \"bfloat16\", {offset = %d})%s")
          :format(path, #bytes - #data, view), said)
        local x = assert(loadstring("local locus, path = ... return "
          .. said:match "locus%.from_file.*$"))(locus, path)
        same(x:view(-1), {4}, {1, 2, 3, 4}, "bfloat16")
      end)
    end
    assert.equal(": x.npy' holds records or raw bytes, for which there is no dtype; where they are "
      .. "numbers, in Python save x.astype('float32')", archives.refused(archives.zip {
        {name = "x.npy", bytes = npy("<V2", "(4,)", data)}}))
  end)
end)

describe("records of NumPy #once", function()
  it("become frames, whatever lies between the fields", function()
    local data = "\1\0\0\0" .. codes("<", 2, {0x61}) .. "zzz" .. pack(40000, 2) .. "ab"
      .. "\254\255\255\255" .. codes("<", 2, {0xE9, 0x62}) .. "zzz" .. pack(2, 2) .. "\0\0"
    local f = load(npy_of("[('a', '<i4'), (('a title', 's'), '<U2'), ('', '|V3'), ('u', '<u2'), "
      .. "('b', 'S2')]", "(2,)", data))
    assert.same({"a", "s", "u", "b"}, f:columns())
    same(f.a, {2}, {1, -2}, "int32")
    assert.same({"a", "\195\169b"}, f.s:totable())
    same(f.u, {2}, {40000, 2}, "int32")
    assert.same({"ab", ""}, f.b:totable())
    assert.equal(support.device, f.a.device)
  end)

  it("within records have names with a point; both orders of bytes; no rows, one row", function()
    local descr = "[('p', [('x', '>f4'), ('y', '<f8')]), ('ok', '|b1')]"
    local data = "\63\128\0\0" .. "\0\0\0\0\0\0\0\64" .. "\1"
    local f = load(npy_of(descr, "(1,)", data))
    assert.same({"p.x", "p.y", "ok"}, f:columns())
    assert.same({1, 2, true}, {f["p.x"][1], f["p.y"][1], f.ok[1]})
    assert.equal(1, #load(npy_of(descr, "()", data)))
    assert.equal(0, #load(npy_of(descr, "(0,)", "")))
  end)

  it("are read in pieces, with the progress of all bytes", function()
    local rows, n = {}, 30000
    for i = 1, n do rows[i] = pack(i, 4) .. ("x"):rep(1000) .. pack(i % 7, 1) end
    files.with_file(npy_of("[('i', '<i4'), ('', '|V1000'), ('k', '|u1')]", "(30000,)",
      table.concat(rows)), function(path)
      local told = {}
      local f = locus.load(path, {progress = function(done) told[#told + 1] = done end})
      assert.is_true(f.i:equal(locus.arange(1, n + 1):int()))
      assert.is_true(f.k:equal((locus.arange(1, n + 1) % 7):byte()))
      assert.same({16693 * 1005, 30000 * 1005}, told)
    end)
  end)

  it("are refused where a field has no column, and in several dimensions", function()
    local function field(descr, sentence)
      refuses("holds records whose field 'b' " .. sentence,
        npy_of("[('a', '<i4'), ('b', " .. descr .. ")]", "(1,)", ("\0"):rep(64)))
    end
    field("'<M8[s]'", "holds times, for which there is no dtype; in NumPy, save x.astype('int64')")
    field("'|O'", "holds Python objects, for which there is no dtype")
    field("'<f8', (3,)", "is an array; in NumPy, save x['b'] alone")
    field("[('c', '<i4')], (2,)", "is an array of records")
    refuses("holds records in 2 dimensions, and a frame has one; in NumPy, save x.ravel()",
      npy_of("[('a', '<i4')]", "(2, 2)", ("\0"):rep(16)))
    refuses("holds records without fields", npy_of("[]", "(2,)", ""))
    refuses("holds uint64 past 2^63 - 1; in NumPy, save x.astype('float64'), in the field 'u'",
      npy_of("[('u', '<u8')]", "(1,)", ("\255"):rep(8)))
    refuses("is cut off: it has 7 of 8 bytes of elements", npy_of("[('a', '<i4')]", "(2,)",
      "1234567"))
    for _, descr in ipairs {"[('a', '<i4'", "[('a')]", "[('a', 5)]", "['a', '<i4']",
      "[('a', '<i4') ", "[('a', '<i4'),,]", ("[('a', "):rep(20) .. "'<i4'" .. (")]"):rep(20)} do
      refuses("has a header that is not NumPy's", npy_of(descr, "(1,)", "1234"))
    end
  end)
end)

describe("members of an archive #once", function()
  local objects = npy("|O", "(1,)", "pickle")
  local function numbers(x) return npy("<i4", "(1,)", pack(x, 4)) end

  it("of a type that there is nothing for spoil no other", function()
    local t = load_bytes(archives.zip {{name = "x.npy", bytes = numbers(1)},
      {name = "o.npy", bytes = objects}, {name = "s.npy", bytes = npy("|S2", "(1,)", "ab")}})
    same(t.x, {1}, {1}, "int32")
    assert.equal("ab", t.s[1])
    local names = {}
    for name in pairs(t) do names[#names + 1] = name end
    table.sort(names)
    assert.same({"s", "x"}, names)
    assert.matches("^load: '.*: o.npy' holds Python objects, for which there is no dtype$",
      message(function() return t.o end))
    assert.is_nil(t.nosuch)
    assert.equal(": o.npy' holds Python objects, for which there is no dtype",
      archives.refused(archives.zip {{name = "o.npy", bytes = objects}}))
  end)

  it("are verified, whatever is in them", function()
    local bytes = archives.zip {{name = "x.npy", bytes = numbers(1)},
      {name = "o.npy", bytes = objects, crc = 5}}
    assert.matches("o.npy", archives.refused(bytes))
  end)

  it("are read if `only` names them", function()
    local bytes = archives.zip {{name = "x.npy", bytes = numbers(1)},
      {name = "y.npy", bytes = numbers(2), crc = 5}, {name = "o.npy", bytes = objects},
      {name = "notes.txt", bytes = "hello"}}
    files.with_file(bytes, function(path)
      for _, only in ipairs {{"x"}, "x"} do
        local t = locus.load(path, {only = only})
        same(t.x, {1}, {1}, "int32")
        assert.is_nil(t.y)
      end
      assert.same({}, locus.load(path, {only = {}}))
      local function says(sentence, only)
        assert.equal(sentence:format(path), message(locus.load, path, {only = only}))
      end
      says("load: 'only' names 'z', and '%s' holds 'o', 'x', 'y'", {"x", "z"})
      says("load: '%s: o.npy' holds Python objects, for which there is no dtype", {"o"})
      says("load: 'only' must be a name or a list of names, got the number 5", 5)
      says("load: 'only' must be a name or a list of names, got a table", {x = true})
      says("load: 'only' must be a name or a list of names, got a table", {1})
      assert.matches("y.npy", message(locus.load, path, {only = {"y"}}))
      locus.zeros(1):save(path)
      says("load: 'only' is for archives, and '%s' is none", {"x"})
    end)
  end)
end)

-- Arrays of every kind, written by NumPy, and what Python says of them.
local SCRIPT = [[
import sys, numpy as np
folder = sys.argv[1]
np.savez_compressed(f"{folder}/x.npz", u2=np.array([0, 65535], "u2"),
    u4=np.array([2**32 - 1], ">u4"), u8=np.array([2**63 - 1], "u8"),
    s=np.array(["a", "d\u00e9j\u00e0", "\U0001d11e"]),
    b=np.array([b"x", b"yz"]), zero=np.array("abc"), o=np.array([None]),
    f=np.array([(1, "one", b"1", 1.5, (2, 3))], dtype=[("i", "i2"), ("s", "U5"), ("b", "S3"),
        ("x", ">f8"), ("p", [("y", "u4"), ("z", "?")])]),
    aligned=np.zeros(2, dtype=np.dtype([("a", "i1"), ("b", "f8")], align=True)))
]]

describe("NumPy's own files #once", function()
  local name = files.python "numpy"
  if not name then
    pending("are not here: LOCUS_TEST_PYTHON may name a Python that has it")
    return
  end

  it("are read", function()
    support.in_folder({["/script.py"] = SCRIPT}, function(root)
      assert.equal(0, os.execute(("%s %s/script.py %s"):format(name, root, root)))
      local t = locus.load(root .. "/x.npz")
      same(t.u2, {2}, {0, 65535}, "int32")
      same(t.u4, {1}, {2 ^ 32 - 1}, "int64")
      same(t.u8, {1}, {support.range.int64[2]}, "int64")
      assert.same({"a", "d\195\169j\195\160", "\240\157\132\158"}, t.s:totable())
      assert.same({"x", "yz"}, t.b:totable())
      assert.equal("abc", t.zero)
      assert.matches("Python objects", message(function() return t.o end))
      assert.same({"i", "s", "b", "x", "p.y", "p.z"}, t.f:columns())
      assert.same({1, "one", "1", 1.5, 2, true}, {t.f.i[1], t.f.s[1], t.f.b[1], t.f.x[1],
        t.f["p.y"][1], t.f["p.z"][1]})
      assert.same({"a", "b"}, t.aligned:columns())
    end)
  end)
end)
