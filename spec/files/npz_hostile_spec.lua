-- SPDX-License-Identifier: MIT
-- locus.load of archives that are cut, damaged, or lie: one sentence each, and nothing is allocated
-- for what a file only claims to hold.
local locus = require "locus"
local archives = require "spec.support.data.archives"
local support = require "spec.support"
local files = require "spec.support.text"

local pack, npy, refused, zip = archives.pack, archives.npy, archives.refused, archives.zip
local BYTES = npy("<i4", "(4,)", "\1\0\0\0\2\0\0\0\3\0\0\0\4\0\0\0")

-- The sentence about an archive of one entry x.npy of four numbers that says these things.
local function entry_refused(said)
  local entry = {name = "x.npy", bytes = BYTES}
  for key, value in pairs(said) do entry[key] = value end
  return refused(zip {{name = "first.npy", bytes = BYTES}, entry})
end

local function archive_refused(said)
  return refused(zip({{name = "x.npy", bytes = BYTES}}, said))
end

describe("locus.load of a hostile archive #once #host", function()
  it("refuses entries that are no tensors, by name", function()
    assert.equal("holds 'x.txt', which is no tensor", entry_refused {name = "x.txt"})
    assert.equal("holds 'x', which is no tensor", entry_refused {name = "x"})
    assert.equal("holds '', which is no tensor", entry_refused {name = ""})
    assert.equal("holds 'folder/', which is no tensor",
      entry_refused {name = "folder/", bytes = ""})
    assert.equal(": x.npy' is not a file in NumPy's format .npy",
      entry_refused {bytes = "text"})
    assert.equal(": x.npy' is not a file in NumPy's format .npy",
      entry_refused {bytes = ""})
    assert.equal(": x.npy' is cut off in its header", entry_refused {bytes = BYTES:sub(1, 100)})
    assert.equal(": x.npy' is cut off: it has 12 of 16 bytes of elements",
      entry_refused {bytes = BYTES:sub(1, -5)})
    for _, method in ipairs {0, 8} do
      assert.equal(": x.npy' has bytes behind its elements: it has 19 bytes for 16",
        entry_refused {bytes = BYTES .. "abc", method = method})
    end
    assert.matches("^: x.npy' is cut off: it has 16 of %d+ bytes of elements$",
      entry_refused {bytes = npy("<f8", "(1000000000, 1000000000)", ("x"):rep(16))})
  end)

  it("says what stands behind the end", function()
    local whole = zip {{name = "x.npy", bytes = BYTES}}
    assert.equal("is an archive with 1 byte behind its end; remove them",
      archives.refused(whole .. "\0"))
    assert.equal("is an archive with 512 bytes behind its end; remove them",
      archives.refused(whole .. ("\0"):rep(512)))
  end)

  it("refuses names that cannot be, and the same one twice", function()
    assert.equal("holds 'first.npy' twice", entry_refused {name = "first.npy"})
    assert.equal("holds an entry with a zero byte in its name", entry_refused {name = "a\0.npy"})
    assert.equal("holds an entry with a name of 1001 bytes; the limit is 1000",
      entry_refused {name = ("n"):rep(997) .. ".npy"})
    local x = archives.load(zip {{name = "../../x\n\\.npy", bytes = BYTES}})
    support.same(x["../../x\n\\"], {4}, {1, 2, 3, 4}, "int32")
    assert.equal("holds 'x\\n.txt', which is no tensor", entry_refused {name = "x\n.txt"})
  end)

  it("refuses what it cannot decode", function()
    assert.equal("holds 'x.npy', which is encrypted", entry_refused {flags = 1})
    assert.equal("holds 'x.npy' in compression method 12; only 0 (stored) and 8 (deflate) are "
      .. "supported",
      entry_refused {method = 12})
    assert.equal("is a part of a split archive", archive_refused {part = 1})
    assert.equal("is a part of a split archive", archive_refused {part = 1, is_64 = true})
  end)

  it("verifies every checksum", function()
    for _, method in ipairs {0, 8} do
      assert.equal(": x.npy' is damaged: its checksum is not the one in its directory",
        entry_refused {crc = 1, method = method})
    end
  end)

  it("refuses sizes that the file has no room for", function()
    for _, is_64 in ipairs {false, true} do
      assert.equal("holds 'x.npy', which would run into the directory",
        entry_refused {said_packed = 1000, said_size = 1000, is_64 = is_64})
    end
    assert.equal("holds 'x.npy' in 144 bytes, which cannot be the 145 of its directory",
      entry_refused {said_size = 145})
    assert.equal("holds 'x.npy' in 144 bytes, which cannot be the 100 of its directory",
      entry_refused {said_size = 100})
    local packed = #archives.deflate(BYTES)
    for _, size in ipairs {1032 * packed + 1, 2 ^ 32 - 2, 2 ^ 40, 2 ^ 63} do
      assert.equal(("holds 'x.npy' in %d bytes, which cannot be the %.0f of its directory")
        :format(packed, size),
        entry_refused {said_size = size, method = 8, is_64 = size > 2 ^ 32})
    end
    for _, bytes in ipairs {2 ^ 40, 2 ^ 53, 2 ^ 62, 2 ^ 64 - 2 ^ 11} do
      assert.equal("holds 'x.npy', which would run into the directory",
        entry_refused {said_packed = bytes, said_size = bytes, is_64 = true})
      assert.equal("holds 'x.npy', which would run into the directory",
        entry_refused {offset = bytes, is_64 = true})
      assert.equal("is an archive with a damaged directory",
        archive_refused {size = bytes, is_64 = true})
      assert.equal("is an archive with a damaged directory",
        archive_refused {first = bytes, is_64 = true})
      assert.equal("is an archive with a damaged directory",
        archive_refused {place = bytes, is_64 = true})
      assert.matches("^is an archive of %d+ entries; the limit is 65536$",
        archive_refused {count = bytes, is_64 = true})
    end
  end)

  it("refuses entries that share bytes, or are elsewhere", function()
    for _, offset in ipairs {0, 9, 100} do
      assert.equal("holds 'first.npy', which overlaps the entry behind it",
        entry_refused {offset = offset})
    end
    assert.equal("is an archive with a damaged directory", refused(
      "PK\3\4" .. zip {{name = "x.npy", bytes = BYTES}}))
    assert.equal("holds 'x.npy', which is not where the directory says",
      entry_refused {local_name = "y.npy"})
    local again = {name = "x.npy", bytes = BYTES}
    local inner = zip {again}
    inner = inner:sub(1, inner:find("PK\1\2", 1, true) - 1) -- of another entry's bytes
    assert.equal("holds 'a.npy', which overlaps the entry behind it", refused(zip {
      {name = "a.npy", bytes = inner}, {name = "x.npy", bytes = BYTES, offset = 35}}))
  end)

  it("refuses directories that are longer or shorter than they say", function()
    local wrong = "is an archive with a damaged directory"
    for _, is_64 in ipairs {false, true} do
      assert.equal(wrong, archive_refused {count = 0, is_64 = is_64})
      assert.equal(wrong, archive_refused {count = 2, is_64 = is_64})
      assert.equal(wrong, archive_refused {count = 60000, is_64 = is_64})
      assert.equal(wrong, archive_refused {size = 50, is_64 = is_64})
      assert.equal(wrong, archive_refused {size = 52, behind = "PK\1\2", is_64 = is_64})
      assert.equal(wrong, archive_refused {first = 3, is_64 = is_64})
    end
    assert.equal(wrong, entry_refused {extra = "\1\0\9\0"})
    assert.equal(wrong, entry_refused {said_size = 0xFFFFFFFF, extra = "\1\0\4\0\0\0\0\0"})
  end)

  it("refuses compressed bytes that are not what the directory says", function()
    local bomb = archives.deflate(BYTES .. ("\0"):rep(1e7))
    assert.equal(": x.npy' inflates to more bytes than its directory says",
      entry_refused {method = 8, bytes = BYTES, packed = bomb})
    local packed = archives.deflate(BYTES)
    local function told(text) return entry_refused {method = 8, bytes = BYTES, packed = text} end
    assert.equal(": x.npy' has bytes behind the end of the compressed ones", told(packed .. "x"))
    assert.equal(": x.npy' cannot be read: the compressed bytes end too early",
      told(packed:sub(1, -2)))
    assert.matches("^: x.npy' cannot be read: the compressed bytes are damaged %(.*%)$",
      told("\255" .. packed))
    local short = npy("<i4", "(5,)", BYTES:sub(-16))
    assert.equal(": x.npy' inflates to fewer bytes than its directory says",
      entry_refused {method = 8, bytes = short .. "....", packed = archives.deflate(short)})
  end)

  it("refuses every beginning of one", function()
    local bytes = zip({{name = "x.npy", bytes = BYTES, method = 8},
                       {name = "y.npy", bytes = BYTES}}, {is_64 = true, comment = "the end"})
    for length = 0, #bytes - 1 do
      assert.equal(length < 4 and "is not a file in NumPy's format .npy"
        or "is an archive that is cut off: it has no directory", refused(bytes:sub(1, length)))
    end
  end)

  -- The answer of load for those bytes: tensors, or one sentence.
  local function try(path, bytes)
    files.write(path, bytes)
    local ok, result = pcall(locus.load, path)
    if ok then
      for _, x in pairs(locus.is_tensor(result) and {result} or result) do
        assert.is_true(locus.is_tensor(x))
      end
    else
      assert.truthy(result:find("load: '" .. path, 1, true) and not result:find("\n"), result)
    end
    return ok
  end

  it("raises or gives tensors where any byte is another", function()
    for _, is_64 in ipairs {false, true} do
      local bytes = zip({{name = "x.npy", bytes = BYTES, method = 8, is_64 = is_64},
                         {name = "y.npy", bytes = BYTES, is_64 = is_64}}, {is_64 = is_64})
      local first = bytes:find(BYTES, 1, true) - 1
      files.with_file("", function(path)
        for at = 1, #bytes do
          local byte = bytes:byte(at)
          for _, change in ipairs(support.sample({1, 128, 255 - byte}, 1)) do
            local other = string.char((byte + change) % 256)
            local ok = try(path, bytes:sub(1, at - 1) .. other .. bytes:sub(at + 1))
            assert.is_false(ok and change > 0 and at > first and at <= first + #BYTES)
          end
        end
      end)
    end
  end)

  it("raises or gives tensors where bytes are random", function()
    local bytes = zip {{name = "x.npy", bytes = BYTES, method = 8}, {name = "y.npy", bytes = BYTES}}
    files.with_file("", function(path)
      math.randomseed(5)
      for _ = 1, support.slow and 500 or 2000 do
        local parts = {bytes}
        for _ = 1, math.random(4) do
          local whole = table.concat(parts)
          local at, count = math.random(#whole), math.random(8)
          local new = {}
          for i = 1, math.random(0, 8) do new[i] = string.char(math.random(0, 255)) end
          parts = {whole:sub(1, at - 1), table.concat(new), whole:sub(at + count)}
        end
        try(path, table.concat(parts))
      end
    end)
  end)

  it("reads as many entries as there may be, and no more #large", function()
    local data = npy("|b1", "()", "\1")
    local crc = require("locus.core").internal.crc32(data, 0)
    local here, records, heads, offset = {}, {}, {}, 0
    for i = 1, 65537 do
      local name = i .. ".npy"
      local head = heads[#name] or pack(20, 2, 0, 8, crc, 4, #data, 4, #data, 4, #name, 2, 0, 2)
      heads[#name] = head
      here[i] = "PK\3\4" .. head .. name .. data
      records[i] = "PK\1\2\20\3" .. head .. pack(0, 10, offset, 4) .. name
      offset = offset + #here[i]
    end
    local function many(count)
      local first = table.concat(here, "", 1, count)
      local directory = table.concat(records, "", 1, count)
      return first .. directory .. zip({}, {is_64 = true, count = count, size = #directory,
        first = #first, place = #first + #directory})
    end
    local tensors = archives.load(many(65536))
    local count = 0
    for _ in pairs(tensors) do count = count + 1 end
    assert.equal(65536, count)
    assert.equal("is an archive of 65537 entries; the limit is 65536", refused(many(65537)))
  end)

  it("says what the system says when it cannot read", function()
    local internal = require("locus.core").internal
    for _, deflated in ipairs {false, true} do
      local folder, x = assert(io.open("spec")), locus.zeros(4, {dtype = "uint8", device = "cpu"})
      local entry = internal.zip_entry(4, deflated)
      local got, wrong = internal.zip_read(entry, folder, x)
      assert.same({0, "cannot be read: Is a directory"}, {got, wrong})
      folder:close()
    end
  end)

  it("gives what there is of a file that ends too early", function()
    local internal = require("locus.core").internal
    files.with_file("abc", function(path)
      local file, x = assert(io.open(path, "rb")), locus.zeros(4, {dtype = "uint8", device = "cpu"})
      local entry = internal.zip_entry(4, false)
      assert.equal(3, internal.zip_read(entry, file, x))
      assert.equal("has bytes behind the end of the compressed ones",
        internal.zip_finish(entry, file, 0))
      file:close()
    end)
  end)
end)
