-- SPDX-License-Identifier: MIT
-- Names of files that promise a format that is not written: an error, what to write, and no file.
local locus = require "locus"
local support = require "spec.support"
local files = require "spec.support.text"

local x = locus.tensor{1, 2, 3}
local f, p = locus.frame{{"a", x}}, x:hist()

local function with_folder(body)
  local root = files.new_folder()
  local ok, problem = pcall(body, root .. "/")
  os.execute("rm -rf " .. support.quote(root))
  if not ok then error(problem, 0) end
end

-- By writer: a call, the endings that are right, what the error says to write.
local writers = {
  {"write_csv", function(path) f:write_csv(path) end, "csv tsv txt dat", 'f:write_csv("%s.csv")'},
  {"save", function(path) f:save(path) end, "trades bin", 'f:save("%s") for a folder, or '
    .. 'f:write_csv("%s.csv")'},
  {"save", function(path) x:save(path) end, "npy NPY dat", 'x:save("%s.npy")'},
  {"savez", function(path) locus.savez(path, {x = x}) end, "npz dat",
   'locus.savez("%s.npz", tensors)'},
  {"tofile", function(path) x:tofile(path) end, "bin raw f64",
   'x:tofile("%s.bin"), or x:save(path) for NumPy'},
  {"npy_writer", function(path) locus.npy_writer(path, "float64"):close() end, "npy dat",
   'npy_writer("%s.npy", dtype)'},
  {"save", function(path) p:save(path) end, "svg SVG dat",
   'p:save("%s.svg"), which rsvg-convert turns into PNG, PDF and PostScript'},
}

local promises = {"parquet", "PARQUET", "arrow", "feather", "json", "ndjson", "xlsx", "pt", "h5",
                  "hdf5", "mat", "pkl", "png", "Png", "jpg", "pdf", "html", "nc", "t7"}

local function exists(path)
  local handle = io.open(path)
  if handle then handle:close() end
  return handle ~= nil
end

describe("a name that promises another format #once #host", function()
  it("raises, says what to write, and leaves no file", function()
    with_folder(function(root)
      for _, writer in ipairs(writers) do
        local name, write, _, advice = unpack(writer)
        for _, ending in ipairs(promises) do
          local path = root .. "a.b." .. ending
          local said = support.message(write, path)
          local head = ("%s: '%s' would hold "):format(name, path)
          assert.equal(head, said:sub(1, #head))
          local tail = "; write " .. advice:gsub("%%s", function() return root .. "a.b" end)
          assert.equal(tail, said:sub(-#tail))
          assert.is_false(exists(path))
        end
      end
      for i = 2, #writers do
        local said = support.message(writers[i][2], root .. "a.csv.gz")
        assert.matches("' would hold .* and not compressed bytes; write ", said)
        assert.truthy(said:find(root .. "a[\".]"), said)
      end
      assert.matches("^write_csv: .* would be plain text.*xz", support.message(writers[1][2],
        root .. "a.csv.xz"))
    end)
  end)

  it("does not raise where the ending is right, unknown or none", function()
    with_folder(function(root)
      for _, writer in ipairs(writers) do
        for ending in writer[3]:gmatch("%S+") do writer[2](root .. "a." .. ending) end
        writer[2](root .. "plain")
        writer[2](root .. "of.2026-11-28")
        writer[2](root .. ".png")
        os.execute("rm -rf " .. support.quote(root))
        os.execute("mkdir " .. support.quote(root))
      end
      x:tofile("/dev/null")
    end)
  end)

  it("is not asked of pipes, nor of a frame's folder that is there", function()
    with_folder(function(root)
      f:save(root .. "a")
      os.rename(root .. "a", root .. "a.parquet")
      f:save(root .. "a.parquet", {append = true})
      assert.equal(6, #locus.load(root .. "a.parquet"))
      os.execute("mkfifo " .. support.quote(root .. "p.png"))
      os.execute("cat " .. support.quote(root .. "p.png") .. " > " .. support.quote(root .. "o")
        .. " &")
      p:save(root .. "p.png")
    end)
  end)
end)
