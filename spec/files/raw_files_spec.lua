-- SPDX-License-Identifier: MIT
-- Files and strings of elements alone: from_file, tofile, tobytes.
local locus = require "locus"
local support = require "spec.support"
local files = require "spec.support.text"

local message, same, with = support.message, support.same, files.with_file

describe("from_file #once", function()
  it("begins at an offset, and takes as many elements as are asked for", function()
    with("\1\0\2\0\3\0\4\0", function(path)
      same(locus.from_file(path, "int16", {offset = 2}), {3}, {2, 3, 4}, "int16")
      same(locus.from_file(path, "int16", {offset = 2, count = 2}), {2}, {2, 3})
      same(locus.from_file(path, "int16", {offset = 3, count = 1}), {1}, {768})
      same(locus.from_file(path, "int16", {count = 0}), {0}, {})
      same(locus.from_file(path, "int16", {offset = 8}), {0}, {})
      assert.equal(support.device, locus.from_file(path, "int16", {offset = 2}).device)
    end)
  end)

  it("refuses what is not there, before it allocates", function()
    with("\1\0\2\0\3\0\4", function(path)
      local function fails(text, options)
        assert.equal("from_file: " .. text:gsub("PATH", "'" .. path .. "'"),
          message(locus.from_file, path, "int16", options))
      end
      fails("PATH ends within an element: it has 7 bytes, and int16 takes 2")
      fails("PATH ends within an element: it has 5 bytes, and int16 takes 2", {offset = 2})
      fails("PATH has 7 bytes, and 'offset' is 8", {offset = 8})
      fails("PATH is cut off: it has 7 of 8 bytes of elements", {count = 4})
      fails("PATH is cut off: it has 7 of 2000000000000 bytes of elements", {count = 1e12})
      fails("'offset' must not be negative, got -1", {offset = -1})
      fails("'count' must not be negative, got -2", {count = -2})
      fails("'offset' must be a whole number, got the number 0.5", {offset = 0.5})
    end)
  end)
end)

describe("tofile and tobytes #once", function()
  it("give the elements in C order, of every layout and dtype", function()
    for _, dtype in ipairs(support.dtypes) do
      local x = support.tensor(dtype, {0, 1, 1, 0, 1, 0}, {2, 3})
      for _, layout in ipairs(support.layouts) do
        local laid = support.laid(x, layout)
        local bytes = laid:tobytes()
        assert.equal(6 * x:element_size(), #bytes)
        same(locus.from_string(bytes, dtype), {6}, support.values(x), dtype)
        with("what was there before is longer than nothing", function(path)
          assert.equal(0, select("#", laid:tofile(path)))
          assert.equal(bytes, files.read(path))
          same(locus.from_file(path, dtype), {6}, support.values(x), dtype)
        end)
      end
    end
    assert.equal("", locus.zeros(0, 3):tobytes())
    assert.equal("\7", locus.tensor(7, {dtype = "uint8"}):tobytes())
  end)

  it("keep NaN and large integers bit for bit", function()
    local bytes = "\1\0\0\0\0\0\240\255\255\255\255\255\255\255\255\127\1\0\0\0\0\0\32\0"
    assert.equal(bytes, locus.from_string(bytes, "float64"):tobytes())
    assert.equal(bytes, locus.from_string(bytes, "int64"):tobytes())
  end)

  it("refuse what is none", function()
    assert.matches("^tofile: '/no/such' cannot be opened: No such file or directory$",
      message(locus.tensor({1}).tofile, locus.tensor({1}), "/no/such"))
    assert.matches("^tofile: '/dev/full' cannot be written: No space left on device$",
      message(locus.tensor({1}).tofile, locus.tensor({1}), "/dev/full"))
    assert.matches("^tobytes: 'input' must be a tensor or a table",
      message(locus.tensor({1}).tobytes, "abc"))
    local path = os.tmpname()
    assert.matches("^tofile: 'path' ", message(locus.tensor({1}).tofile, locus.tensor({1}), {path}))
    os.remove(path)
  end)
end)
