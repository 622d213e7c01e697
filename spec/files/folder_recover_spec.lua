-- SPDX-License-Identifier: MIT
-- Frames in folders that the machine has lost rows or names of: how an error says what to write,
-- and what recover takes.
local locus = require "locus"
local support = require "spec.support"
local files = require "spec.support.text"
local frames = require "spec.support.data.frames"

local message = support.message

local function with_folder(f)
  local root = files.new_folder()
  local ok, problem = pcall(f, root .. "/frame one")
  os.execute("rm -rf " .. support.quote(root))
  if not ok then error(problem, 0) end
end

local function trades()
  return locus.frame{{"time", locus.LongTensor{1, 5, 9}, {"time", unit = "ms"}},
    {"sym", {"IBM", "", "IBM"}}, {"size", locus.LongTensor{3, -1, 0}}}
end

local function equal(a, b)
  local different = frames.difference(a, b)
  assert.is_nil(different, different)
end

describe("a folder that has lost something #once", function()
  it("loses at most rows when the machine ends, which recover leaves out", function()
    with_folder(function(path)
      local f = trades()
      f:save(path)
      f:save(path, {append = true, sync = true})
      files.write(path .. "/size.npy", files.read(path .. "/size.npy"):sub(1, -9))
      for _, options in ipairs {{progress = false}, {mmap = "r"}, {mmap = "r+"}} do
        assert.matches("/size.npy' is cut off: it has %d+ of %d+ bytes of elements; load it with "
          .. "{recover = true} for the rows that all columns have$",
          message(locus.load, path, options))
        options.recover = true
        equal(locus.cat{f, f[{{1, 2}}]}, locus.load(path, options))
      end
      assert.matches("^save: .*/size.npy' is cut off: it has %d+ of %d+ bytes of elements; load "
        .. "the frame with {recover = true} and save that over it, then append$",
        message(f.save, f, path, {append = true}))
      locus.load(path, {recover = true}):save(path)
      f:save(path, {append = true})
      equal(locus.cat{f, f[{{1, 2}}], f}, locus.load(path))
    end)
  end)

  it("leaves out rows whose names the machine has lost, too", function()
    local f = locus.frame{{"s", {"a", "bc", "a", "def", "bc", ""}}, {"n", {1, 2, 3, 4, 5, 6}}}
    for _, case in ipairs {{"names", 1, 3}, {"names", 3, 3}, {"names", 4, 1}, {"ends", 8, 5},
                           {"ends", 9, 3}, {"ends", 32, 0}, {"names", 6, 0}} do
      local part, bytes, rows = unpack(case)
      with_folder(function(path)
        f:save(path)
        local name = path .. "/s." .. part .. ".npy"
        files.write(name, files.read(name):sub(1, -1 - bytes))
        assert.matches("/s." .. part .. ".npy' is cut off: it has %d+ of %d+ bytes of elements; "
          .. "load it with {recover = true} for the rows that all columns have$",
          message(locus.load, path))
        assert.matches("; load the frame with {recover = true} and save that over it, then append$",
          message(f.save, f, path, {append = true}))
        for _, mmap in ipairs {"r", "r+", "none"} do
          local options = {recover = true, mmap = mmap ~= "none" and mmap or nil}
          equal(f[{{1, rows}}], locus.load(path, options))
        end
        locus.load(path, {recover = true}):save(path)
        f:save(path, {append = true})
        equal(locus.cat{f[{{1, rows}}], f}, locus.load(path))
      end)
    end
  end)

  it("says so where headers count too few, and not of files of tensors", function()
    with_folder(function(path)
      local f = trades()
      f:save(path)
      local before = files.read(path .. "/size.npy")
      f:save(path, {append = true})
      files.write(path .. "/size.npy", before)
      assert.matches("/size.npy' has 3 rows where the frame has 6; load it with {recover = true} "
        .. "for the rows that all columns have$", message(locus.load, path))
      assert.matches("/size.npy' has 3 rows where the frame has 6; load the frame with {recover",
        message(f.save, f, path, {append = true}))
      equal(f, locus.load(path, {recover = true}))
      files.write(path .. "/one.npy", before:sub(1, -2))
      for _, options in ipairs {{progress = false}, {mmap = "r"}} do
        assert.matches("/one.npy' is cut off: it has %d+ of %d+ bytes of elements$",
          message(locus.load, path .. "/one.npy", options))
      end
    end)
  end)
end)
