-- SPDX-License-Identifier: MIT
-- locus.savez(path, tensors) and locus.load of archives: the format byte by byte, round trips, and
-- NumPy itself where LOCUS_TEST_PYTHON, or else python3, has it. npz_hostile_spec.lua has archives
-- that are none.
local core = require "locus.core"
local locus = require "locus"
local archives = require "spec.support.data.archives"
local support = require "spec.support"
local files = require "spec.support.text"

local message, same = support.message, support.same
local pack, load_bytes, npy = archives.pack, archives.load, archives.npy
local read, with = files.read, files.with_file

-- The bytes that savez writes of these tensors.
local function saved(tensors)
  return with("what was there before is longer than nothing", function(path)
    assert.equal(0, select("#", locus.savez(path, tensors)))
    return read(path)
  end)
end

local function sorted_names(t)
  local names = {}
  for name in pairs(t) do names[#names + 1] = name end
  table.sort(names)
  return table.concat(names, " ")
end

describe("the checksum #once", function()
  local crc32 = core.internal.crc32

  it("is CRC-32, of strings and of tensors, whole or in parts", function()
    assert.equal(0xCBF43926, crc32("123456789", 0))
    assert.equal(0, crc32("", 0))
    local text = ("The quick brown fox jumps over the lazy dog"):rep(9)
    for cut = 0, 40 do
      local x = locus.from_string(text:sub(cut + 1), "uint8"):cpu()
      assert.equal(crc32(text, 0), crc32(x, crc32(text:sub(1, cut), 0)))
    end
    assert.equal(0x414FA339, crc32(text:sub(1, 43), 0))
  end)
end)

describe("locus.savez(path, tensors) #once", function()
  it("writes the elements as they are, at multiples of 64 bytes, sorted by name", function()
    local x, y = npy("<i2", "(2,)", "\1\0\254\255"), npy("|b1", "()", "\1")
    local function entry(name, padding, bytes)
      local crc = core.internal.crc32(bytes, 0)
      return ("PK\3\4\20\0\0\0\0\0\0\0\33\0") .. pack(crc, 4, #bytes, 4, #bytes, 4, #name, 2,
        6 + padding, 2) .. name .. "\53\217" .. pack(2 + padding, 2) .. "\64\0"
        .. ("\0"):rep(padding) .. bytes
    end
    local function central(name, offset, bytes)
      return "PK\1\2\20\3\20\0\0\0\0\0\0\0\33\0" .. pack(core.internal.crc32(bytes, 0), 4, #bytes,
        4, #bytes, 4, #name, 2, 0, 10, 0x81A4, 2, offset, 4) .. name
    end
    local first = entry("a.npy", 23, x)
    local second = entry("b.npy", 64 - (#first + 41) % 64, y)
    local entries = first .. second
    local directory = central("a.npy", 0, x) .. central("b.npy", #first, y)
    local last = "PK\5\6\0\0\0\0\2\0\2\0" .. pack(#directory, 4, #entries, 4, 0, 2)
    assert.equal(entries .. directory .. last, saved {
      b = support.tensor("bool", {1}, {}), a = support.tensor("int16", {1, -2})})
    assert.equal("PK\5\6" .. ("\0"):rep(18), saved {})
    assert.same({}, load_bytes(saved {}))
  end)

  it("puts the elements of each at a multiple of 64 bytes", function()
    local tensors, names = {}, {}
    for length = 0, 130 do
      names[length] = ("x"):rep(length)
      tensors[names[length]] = locus.full({length}, length, {dtype = "uint8"})
    end
    local bytes = saved(tensors)
    for length = 1, 130 do
      local at = assert(bytes:find(string.char(length):rep(length) .. "PK", 1, true))
      assert.equal(1, at % 64)
    end
    local back = load_bytes(bytes)
    for length = 0, 130 do assert.is_true(back[names[length]]:equal(tensors[names[length]])) end
  end)

  it("writes the same bytes at every run", function()
    local a, b = {}, {}
    for i = 1, 40 do a["x" .. i] = locus.tensor(i) end
    for i = 40, 1, -1 do b["x" .. i] = locus.tensor(i) end
    assert.equal(saved(a), saved(b))
  end)

  it("keeps every dtype and layout", function()
    for _, layout in ipairs(support.layouts) do
      local tensors = {}
      for _, dtype in ipairs(support.dtypes) do
        if dtype ~= "bfloat16" then
          tensors[dtype] = support.laid(support.tensor(dtype, {0, 1, 1, 0, 1, 0}, {2, 3}), layout)
        end
      end
      local back = load_bytes(saved(tensors))
      assert.equal(sorted_names(tensors), sorted_names(back))
      for dtype, x in pairs(tensors) do
        same(back[dtype], {2, 3}, support.values(x), dtype)
        assert.equal(support.device, back[dtype].device)
      end
    end
  end)

  it("keeps any size, and every name", function()
    local tensors = {
      zero = locus.tensor(5), empty = locus.zeros(3, 0, 2), [""] = locus.tensor {1},
      ["folder/x"] = locus.tensor {2}, ["a..b"] = locus.tensor {3}, ["d\195\169j\195\160"] =
      locus.tensor {4}, ["\255 no UTF-8"] = locus.tensor {5}, [("n"):rep(996)] = locus.tensor {6},
      ["x.npy"] = locus.tensor {7}, ["..."] = locus.tensor {8}, table = {{1, 2}, {3, 4}},
    }
    local back = load_bytes(saved(tensors))
    assert.equal(sorted_names(tensors), sorted_names(back))
    same(back.table, {2, 2}, {1, 2, 3, 4}, "float64")
    tensors.table = nil
    for name, x in pairs(tensors) do
      same(back[name], support.shape(x), support.values(x), x.dtype)
    end
  end)

  it("says of names in UTF-8 that they are", function()
    for name, flags in pairs {
      x = 0, ["d\195\169j\195\160"] = 8, ["\226\130\172 5"] = 8, ["\240\157\132\158"] = 8,
      ["\255"] = 0, ["\240\157\132"] = 0, ["\195\169\169"] = 0,
    } do
      assert.equal(flags, saved({[name] = locus.zeros(1)}):byte(8), name)
    end
  end)

  it("takes its arguments by position and by name", function()
    local x = locus.tensor {1, 2}
    with("", function(path)
      for _, call in ipairs {
        function() locus.savez(path, {path = x, tensors = x}) end,
        function() locus.savez {path = path, tensors = {path = x, tensors = x}} end,
        function() locus.savez {path, tensors = {path = x, tensors = x}} end,
      } do
        call()
        assert.equal("path tensors", sorted_names(locus.load(path)))
      end
    end)
    assert.equal("savez: 'path' is missing", message(locus.savez))
    assert.equal("savez: 'tensors' is missing", message(locus.savez, "/dev/null"))
    assert.equal("savez: 'path' must be a string, got the number 5", message(locus.savez, 5, {}))
    assert.equal("savez: there is no argument 'tensor'; did you mean 'tensors'?",
      message(locus.savez, {path = "/dev/null", tensor = {}}))
    assert.equal("savez: takes at most 2 arguments by position, got 3",
      message(locus.savez, "/dev/null", {}, 5))
  end)

  it("says what it cannot write, and leaves the file alone", function()
    local x = locus.zeros(3)
    for sentence, tensors in pairs {
      ["'tensors' must be a table of tensors by name, got a float64 tensor of size 3"] = x,
      ["'tensors' must have names as keys, got the number 1"] = {x, x},
      ["'tensors' must hold tensors, got the number 5 for 'a'"] = {a = 5},
      ["files of tensors have no bfloat16; write x:float() for 'a'"] = {a = x:to("bfloat16")},
      ["'tensors' has a name of 997 bytes; the limit is 996"] = {[("n"):rep(997)] = x},
      ["'tensors' has the name '/a', which is unsafe as the name of a file"] = {["/a"] = x},
      ["'tensors' has the name '..', which is unsafe as the name of a file"] = {[".."] = x},
      ["'tensors' has the name '../a', which is unsafe as the name of a file"] = {["../a"] = x},
      ["'tensors' has the name 'a/../b', which is unsafe as the name of a file"] = {["a/../b"] = x},
      ["'tensors' has the name 'a\\b', which is unsafe as the name of a file"] = {["a\\b"] = x},
      ["'tensors' has the name 'a?b', which is unsafe as the name of a file"] = {["a\0b"] = x},
    } do
      with("before", function(path)
        assert.equal("savez: " .. sentence, message(function() locus.savez(path, tensors) end))
        assert.equal("before", read(path))
      end)
    end
    assert.equal("savez: '/no/such/x.npz' cannot be opened: No such file or directory",
      message(locus.savez, "/no/such/x.npz", {a = x}))
    for _, n in ipairs {0, 3, 100000} do
      assert.equal("savez: '/dev/full' cannot be written: No space left on device",
        message(function() locus.savez("/dev/full", {a = locus.zeros(n)}) end))
    end
    assert.equal("a tensor has no 'savez'; write locus.savez(...)",
      message(function() return x.savez end))
    assert.equal("locus has no 'savez_compressed'; write locus.savez(path, tensors)",
      message(function() return locus.savez_compressed end))
  end)
end)

describe("locus.load(path) of an archive #once", function()
  local four = "\1\0\0\0\2\0\0\0\3\0\0\0\4\0\0\0"
  local x = npy("<i4", "(2, 2)", four)

  it("reads entries that are stored or deflated", function()
    for _, method in ipairs {0, 8} do
      local back = load_bytes(archives.zip {{name = "x.npy", bytes = x, method = method},
                                            {name = "b.npy", bytes = npy("|b1", "()", "\1")}})
      assert.equal("b x", sorted_names(back))
      same(back.x, {2, 2}, {1, 2, 3, 4}, "int32")
      same(back.b, {}, support.values(support.tensor("bool", {1}, {})), "bool")
    end
  end)

  it("reads both orders of bytes and of elements", function()
    local back = load_bytes(archives.zip {
      {name = "big.npy", bytes = npy(">i4", "(2,)", "\0\0\0\1\0\0\1\0"), method = 8},
      {name = "fortran.npy", bytes = npy("<i4", "(2, 2)", four, "True")}})
    same(back.big, {2}, {1, 256}, "int32")
    same(back.fortran, {2, 2}, {1, 3, 2, 4}, "int32")
    assert.same({1, 2}, {back.fortran:stride(1), back.fortran:stride(2)})
  end)

  it("reads long ones that are deflated", function()
    local long = locus.arange(300000):to("int32")
    with("", function(path)
      long:save(path)
      local back = load_bytes(archives.zip {{name = "x.npy", bytes = read(path), method = 8}})
      assert.is_true(back.x:equal(long))
      locus.zeros(1e6):save(path)
      back = load_bytes(archives.zip {{name = "x.npy", bytes = read(path), method = 8}})
      assert.is_true(back.x:equal(locus.zeros(1e6)))
    end)
  end)

  it("reads the records of large archives, wherever they are", function()
    for _, method in ipairs {0, 8} do
      local entry = {name = "x.npy", bytes = x, method = method, is_64 = true}
      for _, comment in ipairs {"", "a comment", "PK\5\6 in a comment" .. ("."):rep(40)} do
        local bytes = archives.zip({entry, {name = "y.npy", bytes = x}},
          {is_64 = true, comment = comment})
        same(load_bytes(bytes).x, {2, 2}, {1, 2, 3, 4}, "int32")
      end
    end
  end)

  it("writes such records beyond 4 GB", function()
    local zip = require "locus.files.zip"
    with("", function(path)
      local entries, offset = {}, 0
      local handle = assert(io.open(path, "wb"))
      for i, size in ipairs {2 ^ 32 - 2, 2 ^ 32 - 1, 0, 5e9, 64} do -- with holes in place of bytes
        local entry = {name = i .. ".npy", size = size, crc = i, offset = offset}
        handle:seek("set", offset)
        local header = zip.header(entry)
        assert.equal(0, (offset + #header) % 64)
        assert.equal(size >= 2 ^ 32 - 1 and 45 or 20, header:byte(5))
        handle:write(header)
        entries[i], offset = entry, offset + #header + size
      end
      handle:seek("set", offset)
      handle:write(zip.directory(entries, offset))
      handle:close()
      handle = assert(io.open(path, "rb"))
      for i, entry in ipairs(zip.entries(path, handle)) do
        local wanted = entries[i]
        assert.same({wanted.name, wanted.size, wanted.crc, wanted.offset},
          {entry.name, entry.size, entry.crc, entry.offset})
        assert.equal(wanted.size, entry.packed)
        assert.equal(wanted.size, zip.source(path, handle, entry).left())
      end
      handle:close()
    end)
  end)

  it("takes the memory of the tensors alone, and none where it fails #host", function()
    with("", function(path)
      locus.savez(path, {x = locus.zeros(1e6)})
      for _ = 1, 3 do collectgarbage() end
      local output, status = support.run(([[
        local locus = require "locus"
        local x = locus.load(%q).x
        print(#x, locus.memory.stats().peak_bytes < 8.01e6)
      ]]):format(path))
      assert.equal(0, status, output)
      assert.equal("1000000\ttrue\n", output)
      local bytes = read(path)
      files.write(path, bytes:sub(1, 4e6) .. "1" .. bytes:sub(4e6 + 2))
      local live = locus.live_bytes()
      for _ = 1, 10 do assert.is_false(pcall(locus.load, path)) end
      for _ = 1, 3 do collectgarbage() end
      assert.equal(live, locus.live_bytes())
    end)
  end)

  it("raises or recovers when any allocation fails, and leaves nothing behind #host", function()
    local bytes = archives.zip {{name = "x.npy", bytes = x, method = 8},
                                {name = "y.npy", bytes = x}}
    with(bytes, function(path)
      for _, persistent in ipairs {false, true} do
        local k, failures, refused = 0, 0
        repeat
          k = k + 1
          locus.fail_allocation(k, persistent)
          local ok, result = pcall(locus.load, path)
          refused = locus.fail_allocation(0)
          if ok then same(result.x, {2, 2}, {1, 2, 3, 4}, "int32")
          else assert.truthy(result:find("load: out of memory", 1, true), result) end
          if not ok then failures = failures + 1 end
        until refused == 0
        assert.is_true(k > 4)
        assert.equal(persistent and k - 1 or 0, failures)
      end
      assert.equal(0, files.left_by(function() locus.load(path) end))
    end)
  end)

  it("tells how far it is with each tensor", function()
    with("", function(path)
      locus.savez(path, {a = locus.zeros(3), b = locus.zeros(5)})
      local told = {}
      locus.load(path, {progress = function(...) told[#told + 1] = table.concat({...}, " of ") end})
      assert.same({"24 of 24", "40 of 40"}, told)
    end)
  end)

  it("cannot map it, nor read it from a pipe", function()
    with(archives.zip {{name = "x.npy", bytes = x}}, function(path)
      for _, mode in ipairs {"r", "r+"} do
        assert.equal(("load: '%s' is an archive, whose tensors cannot be mapped"):format(path),
          message(locus.load, path, {mmap = mode}))
      end
      local pipe = os.tmpname()
      os.remove(pipe)
      os.execute(("mkfifo %s; cat %s > %s &"):format(pipe, path, pipe))
      local text = message(locus.load, pipe)
      os.remove(pipe)
      assert.equal(("load: '%s' is an archive, which is read from its end, and does not say how "
        .. "long it is"):format(pipe), text)
    end)
  end)
end)

-- Writes the same arrays by savez and savez_compressed; then compares with them what locus has read
-- and written again.
local SCRIPT = [[
import sys, zipfile, numpy as np
folder, step = sys.argv[1:]
dtypes = "bool int8 uint8 int16 int32 int64 float16 float32 float64 complex64 complex128"
arrays = {"d\u00e9j\u00e0": np.arange(3)}
for dtype in dtypes.split():
    a = np.arange(24).reshape(2, 3, 4).astype(dtype)
    forms = {"zero": a[1, 2, 3], "row": a[1, 1], "cube": a, "empty": a[:, :0],
             "fortran": np.asfortranarray(a), "other": a.astype(a.dtype.newbyteorder(">"))}
    for form, array in forms.items():
        arrays[f"{dtype}_{form}"] = array
if step == "write":
    np.savez(f"{folder}/stored.npz", **arrays)
    np.savez_compressed(f"{folder}/deflated.npz", **arrays)
    np.savez(f"{folder}/none.npz")
for name in ("stored", "deflated") if step == "compare" else ():
    path = f"{folder}/{name}.npz.back"
    assert zipfile.ZipFile(path).testzip() is None
    back = np.load(path)
    assert sorted(back) == sorted(arrays)
    for key, array in arrays.items():
        assert back[key].dtype == array.dtype.newbyteorder("="), key
        assert back[key].shape == array.shape and (back[key] == array).all(), key
print("all right")
]]

describe("NumPy's archives #once", function()
  local name = files.python "numpy"
  if not name then
    pending("are not here: LOCUS_TEST_PYTHON may name a Python that has it")
    return
  end

  it("are read, and NumPy reads those of locus", function()
    support.in_folder({["/script.py"] = SCRIPT}, function(root)
      local function run(step)
        local pipe = io.popen(("%s %s/script.py %s %s 2>&1"):format(name, root, root, step))
        local output = pipe:read("*a")
        pipe:close()
        assert.equal("all right\n", output)
      end
      run("write")
      assert.same({}, locus.load(root .. "/none.npz"))
      for _, kind in ipairs {"stored", "deflated"} do
        local path = ("%s/%s.npz"):format(root, kind)
        local tensors, count = locus.load(path), 0
        for key, x in pairs(tensors) do
          local dtype, form = key:match("^(%w+)_(%w+)$")
          if dtype then
            local cube = locus.arange(24):view(2, 3, 4):to(dtype)
            local wanted = form == "zero" and cube[{2, 3}]:narrow(1, 4, 1):view({})
              or form == "row" and cube[{2, 2}]
              or form == "empty" and locus.zeros(2, 0, 4, {dtype = dtype}) or cube
            same(x, support.shape(wanted), support.values(wanted), dtype)
          end
          count = count + 1
        end
        assert.equal(67, count)
        locus.savez(path .. ".back", tensors)
      end
      run("compare")
    end)
  end)
end)
