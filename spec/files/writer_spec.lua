-- SPDX-License-Identifier: MIT
-- locus.npy_writer: files in format .npy that grow; they are right after every write, whatever ends
-- the program.
local locus = require "locus"
local support = require "spec.support"
local files = require "spec.support.text"

local message, same, with = support.message, support.same, files.with_file

describe("a writer #once", function()
  it("adds rows of every dtype, and the file is right after each", function()
    for _, dtype in ipairs(support.dtypes) do
      if dtype ~= "bfloat16" then
        with("what was there before is longer than nothing: it is lost", function(path)
          local w = locus.npy_writer(path, dtype)
          same(locus.load(path), {0}, {}, dtype)
          local x = support.tensor(dtype, {0, 1, 1}, {3})
          w:write(x)
          same(locus.load(path), {3}, support.values(x), dtype)
          w:write(x:narrow(1, 2, 2):flatten())
          local all = locus.cat({x, x:narrow(1, 2, 2)}, 1)
          same(locus.load(path), {5}, support.values(all), dtype)
          assert.equal(5, #w)
          local saved = files.read(path)
          all:save(path)
          assert.equal(files.read(path), saved)
        end)
      end
    end
  end)

  it("takes rows, one row, tables, and nothing", function()
    with("", function(path)
      local w = locus.npy_writer(path, "int64", {sizes = {2, 2}})
      w:write{{{1, 2}, {3, 4}}}
      w:write{{5, 6}, {7, 8}}
      w:write(locus.LongTensor(0, 2, 2))
      w:write(locus.LongTensor{{{9, 11}, {10, 12}}}:transpose(2, 3))
      same(locus.load(path), {3, 2, 2}, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}, "int64")
      assert.equal("[writer of int64, size 3x2x2]", tostring(w))
      w = locus.npy_writer(path, "int64")
      w:write(locus.tensor(2 ^ 53, {dtype = "int64"}) + 1)
      same(locus.load(path), {1}, {support.int64 and support.int64("9007199254740993")
        or locus.tensor({"9007199254740993"}, {dtype = "int64"})[1]}, "int64")
    end)
  end)

  it("goes on with a file that is there, also one of NumPy's other versions", function()
    with("", function(path)
      os.remove(path)
      locus.npy_writer(path, "float32", {append = true, sizes = {2}}):write{1, 2}
      local w = locus.npy_writer(path, "float32", {append = true, sizes = {2}})
      assert.equal(1, #w)
      w:write{{3, 4}, {5, 6}}
      same(locus.load(path), {3, 2}, {1, 2, 3, 4, 5, 6}, "float32")
      local text = "{'descr': '<f4', 'fortran_order': False, 'shape': (1,), }"
      local header = "\147NUMPY\2\0\180\0\0\0" .. text .. (" "):rep(179 - #text) .. "\n"
      files.write(path, header .. "\0\0\128\63")
      w = locus.npy_writer(path, "float32", {append = true})
      w:write{2, 3}
      same(locus.load(path), {3}, {1, 2, 3}, "float32")
    end)
  end)

  it("overwrites what a write that did not end has left", function()
    with("", function(path)
      locus.IntTensor{1, 2}:save(path)
      files.write(path, "half a row", "ab")
      same(locus.load(path), {2}, {1, 2})
      local w = locus.npy_writer(path, "int32", {append = true})
      w:write{3}
      same(locus.load(path), {3}, {1, 2, 3})
    end)
  end)

  it("leaves a right file when the program is killed", function()
    with("", function(path)
      files.killed(([[
        local locus = require "locus"
        local w = locus.npy_writer(%q, "int64", {sync = true})
        for i = 1, 1e9 do
          w:write{i}
          if i == 100 then print "now" end
        end]]):format(path))
      local x = locus.load(path)
      assert.is_true(#x >= 100)
      assert.is_true(x:equal(locus.range(1, #x):long()))
    end)
  end)

  it("refuses what does not fit, and the file stays as it was", function()
    with("", function(path)
      local w = locus.npy_writer(path, "int32", {sizes = {2}})
      w:write{1, 2}
      local before = files.read(path)
      local function fails(text, values)
        assert.equal("write: " .. text, message(w.write, w, values))
        assert.equal(before, files.read(path))
        assert.equal(1, #w)
      end
      fails("'values' must be int32, got float64", locus.tensor{1, 2})
      fails("'values' must be rows of size 2, got a tensor of size 3", {1, 2, 3})
      fails("'values' must be rows of size 2, got a tensor of size 1x1x2", {{{1, 2}}})
      fails("'data' is 1.5, which int32 cannot hold, at [2]", {1, 1.5})
      assert.matches("^npy_writer: '.*' holds int32 of size 1x2$",
        message(locus.npy_writer, path, "int64", {append = true, sizes = {2}}))
      assert.matches("^npy_writer: '.*' holds int32 of size 1x2$",
        message(locus.npy_writer, path, "int32", {append = true}))
      w:close()
      local closed = ("the writer of '%s' is closed"):format(path)
      assert.equal("write: " .. closed, message(w.write, w, {1, 2}))
      assert.equal("close: " .. closed, message(w.close, w))
      files.write(path, "no tensor")
      assert.matches("is not a file in NumPy's format .npy$",
        message(locus.npy_writer, path, "int32", {append = true}))
    end)
    assert.equal("npy_writer: files of tensors have no bfloat16",
      message(locus.npy_writer, "/dev/null", "bfloat16"))
    assert.matches("^npy_writer: '/no/such/x' cannot be opened: ",
      message(locus.npy_writer, "/no/such/x", "int32"))
    assert.matches("^npy_writer: '/dev/full' cannot be written: No space left on device$",
      message(locus.npy_writer, "/dev/full", "int32"))
    local w = locus.npy_writer("/dev/null", "int32")
    assert.matches("a writer has no 'wite'; it has write and close",
      message(function() w.wite() end))
    assert.matches("a writer has no fields; write w:write%(...%)", message(function() w.x = 1 end))
    assert.matches("^write: 'writer' must be made by locus.npy_writer, got",
      message(w.write, locus.tensor{1}, {1}))
  end)
end)
