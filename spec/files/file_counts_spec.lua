-- SPDX-License-Identifier: MIT
-- Sizes, counts, offsets and numbers of rows that functions of files and readers are given: what is
-- negative, no whole number or beyond all files raises, and leaves every file as it was.
local has_ffi, ffi = pcall(require, "ffi")
local locus = require "locus"
local support = require "spec.support"
local files = require "spec.support.text"

local CSV = "a,b\n1,2\n3,4\n5,6\n7,8\n"

-- Each is a function, its argument, whether infinity is one, and a call with it.
local calls = {
  {"npy_writer", "rows", false, function(path, n)
    locus.npy_writer(path, "int64", {append = true, rows = n})
  end},
  {"npy_writer", "sizes", false, function(path, n)
    locus.npy_writer(path, "int64", {sizes = {n}})
  end},
  {"npy_writer", "sizes", false, function(path, n)
    locus.npy_writer(path, "int64", {append = true, sizes = {2, n}})
  end},
  {"from_file", "offset", false, function(path, n)
    locus.from_file(path, "uint8", {offset = n})
  end},
  {"from_file", "count", false, function(path, n) locus.from_file(path, "int64", {count = n}) end},
  {"from_file", "offset", false, function(path, n)
    locus.from_file(path, "uint8", {offset = n, mmap = "r+"})
  end},
  {"from_file", "count", false, function(path, n)
    locus.from_file(path, "int64", {count = n, offset = 8, mmap = "r+"})
  end},
  {"chunks", "rows", true, function(_, n)
    locus.chunks(locus.arange(5), {rows = n})()
  end},
  {"chunks", "rows", true, function(_, n)
    locus.chunks({text = CSV}, {rows = n})()
  end},
}
for _, name in ipairs {"skip", "rows", "bad", "limit"} do
  calls[#calls + 1] = {"read_csv", name, true, function(_, n)
    locus.read_csv({text = CSV}, {[name] = n})
  end}
  calls[#calls + 1] = {"read_log", name, true, function(_, n)
    locus.read_log({text = "1 2\n"}, "$a $b", {[name] = n})
  end}
end
for _, name in ipairs {"head", "tail"} do
  calls[#calls + 1] = {name, "n", false, function(_, n)
    local f = locus.frame{{"x", {1, 2}}}
    f[name](f, n)
  end}
end

local never = {-1, -2 ^ 53, -2 ^ 62, -2 ^ 63, -1e300, .5, 1.5, -1 / 0, 0 / 0}
if has_ffi then
  never[#never + 1] = ffi.cast("int64_t", -1)
  never[#never + 1] = ffi.cast("int64_t", -2 ^ 63)
end

describe("a size, count, offset or number of rows #host #once", function()
  it("is a whole number, not negative, everywhere", function()
    files.with_file("", function(path)
      locus.range(1, 10):long():save(path)
      local before = files.read(path)
      for _, call in ipairs(calls) do
        local name, argument, takes_infinity, f = unpack(call)
        for _, bad in ipairs(never) do
          assert.matches(("^%s: '%s' must "):format(name, argument), support.message(f, path, bad))
        end
        if not takes_infinity then
          for _, bad in ipairs {1 / 0, 1e300} do
            assert.matches(("^%s: '%s' must "):format(name, argument),
              support.message(f, path, bad))
          end
        end
        assert.equal(before, files.read(path), name .. " " .. argument)
      end
    end)
  end)

  it("may be larger than all there is where it is a limit", function()
    for _, n in ipairs {2 ^ 53, 2 ^ 53 + 2, 2 ^ 62, has_ffi and ffi.cast("int64_t", 2 ^ 62) or 4,
        has_ffi and ffi.cast("int64_t", 4) or 4} do
      assert.equal(4, #locus.read_csv({text = CSV}, {rows = n, bad = n}))
      assert.equal(4, #locus.read_csv({text = CSV}, {limit = n}))
      assert.equal(1, #locus.read_log({text = "1 2\n"}, "$a $b", {rows = n, bad = n, limit = 9}))
      local f = locus.frame{{"x", {1, 2}}}
      assert.equal(2, #f:head(n))
      assert.equal(2, #f:tail(n))
      for part in locus.chunks(locus.arange(3), {rows = n}) do assert.equal(3, #part) end
    end
    assert.equal(0, #locus.read_csv({text = CSV}, {skip = 2 ^ 62, header = {"a", "b"}}))
  end)

  it("beyond the file is told of, however large", function()
    files.with_file("", function(path)
      locus.range(1, 10):long():save(path)
      local before = files.read(path)
      local function fails(text, f, ...)
        assert.matches("^" .. text, support.message(f, path, ...))
        assert.equal(before, files.read(path))
      end
      for _, n in ipairs {11, 2 ^ 53, 2 ^ 53 + 2, 2 ^ 62, 2 ^ 63 - 1024} do
        fails("npy_writer: '.*' has 10 rows, and 'rows' is %d+$", locus.npy_writer, "int64",
          {append = true, rows = n})
        for _, mmap in ipairs {"no", "r", "r+"} do
          mmap = mmap ~= "no" and mmap or nil
          fails("from_file: .*", locus.from_file, "int64", {offset = 128, count = n, mmap = mmap})
          if n > 11 then
            fails("from_file: '.*' has 208 bytes, and 'offset' is %d+$", locus.from_file, "int64",
              {offset = n, mmap = mmap})
          end
        end
      end
      for _, sizes in ipairs {{2 ^ 51}, {2 ^ 62}, {2 ^ 31, 2 ^ 31, 2 ^ 31}, {2 ^ 62, 2 ^ 62}} do
        fails("npy_writer: 'sizes' must make a row of fewer than 2^53 bytes, got ",
          locus.npy_writer, "int64", {sizes = sizes})
      end
      local many = {}
      for i = 1, 32 do many[i] = 1 end
      fails("npy_writer: 'sizes' must be at most 31 sizes, got 32$", locus.npy_writer, "int64",
        {sizes = many})
      fails("npy_writer: 'rows' is for append = true$", locus.npy_writer, "int64", {rows = 3})
      assert.equal("[writer of int64, size 0x1000000000000000]",
        (tostring(locus.npy_writer(path, "int8", {sizes = {1e15}})):gsub("int8", "int64")))
    end)
    assert.matches("' is not there, and 'rows' is 3$",
      support.message(locus.npy_writer, "/no/such.npy", "int64", {append = true, rows = 3}))
  end)

  it("of rows must be in the file that is added to", function()
    files.with_file("", function(path)
      locus.range(1, 10):long():save(path)
      files.write(path, files.read(path):sub(1, -9))
      local before = files.read(path)
      assert.matches("' is cut off: it has 72 of 80 bytes of elements$",
        support.message(locus.npy_writer, path, "int64", {append = true}))
      assert.equal(before, files.read(path))
      local w = locus.npy_writer(path, "int64", {append = true, rows = 9})
      w:write{42}
      w:close()
      assert.is_true(locus.load(path):equal(locus.LongTensor{1, 2, 3, 4, 5, 6, 7, 8, 9, 42}))
    end)
  end)
end)
