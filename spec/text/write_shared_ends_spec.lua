-- SPDX-License-Identifier: MIT
-- Several threads that write a frame to a pipe, a disk that is full, and until Ctrl-C.
local locus = require "locus"
local support = require "spec.support"
local text = require "spec.support.text"

-- Where a new file is soon on its disk, if there is such a place.
local function new_folder()
  local pipe = io.popen "mktemp -d -p /dev/shm 2>/dev/null || mktemp -d"
  local folder = pipe:read "*l"
  pipe:close()
  return folder
end

local function entries(folder)
  local pipe = io.popen("ls -A " .. support.quote(folder))
  local names = pipe:read("*a"):gsub("%s+$", ""):gsub("\n", " ")
  pipe:close()
  return names
end

describe("write_csv by several threads, to the end,", function()
  local folder, path
  setup(function()
    folder = new_folder()
    path = folder .. "/x.csv"
  end)
  teardown(function() os.execute("rm -r " .. support.quote(folder)) end)

  it("fills pipes as one does", function()
    local n = locus.arange(0, 60000):long()
    local f = locus.frame {{"n", n * 1000003}, {"x", n:double() / 7}}
    local before = locus.get_num_threads()
    finally(function() locus.set_num_threads(before) end)
    for _, threads in ipairs {1, 2, 3, 5, 16} do
      locus.set_num_threads(threads)
      local pipe = io.popen("cat > " .. support.quote(path), "w")
      f:write_csv(pipe)
      pipe:close()
      assert.is_true(text.read(path) == f:write_csv())
    end
    local output = support.run(([[
      local locus = require "locus"
      local f = locus.frame{{"n", locus.arange(0, 600000):long()}}
      local pipe = io.popen("head -n 3 > %s", "w")
      print(pcall(f.write_csv, f, pipe))
    ]]):format(path), {LOCUS_NUM_THREADS = "3"})
    assert.equal("", output) -- killed, as programs are whose reader has gone
    assert.equal("n\n0\n1\n", text.read(path))
  end)

  it("leaves the old file where the disk is full", function()
    text.write(path, "old")
    local output = support.run(([[
      local locus = require "locus"
      local f, folder = locus.frame{{"n", locus.arange(0, 200000):long()}}, %q
      for _, n in ipairs {1, 2, 5} do
        locus.set_num_threads(n)
        for _, target in ipairs {folder .. "/x.csv", io.open(folder .. "/y.csv", "wb")} do
          print((select(2, pcall(f.write_csv, f, target)):gsub("^.-write_csv", "write_csv")))
        end
      end
    ]]):format(folder), nil, "sh -c 'trap \"\" XFSZ; ulimit -f 500; exec luajit \"$@\"' sh")
    local expected = ("write_csv: cannot write to '%s/x.csv': File too large\n"
      .. "write_csv: cannot write to the file: File too large\n"):format(folder)
    assert.equal(expected:rep(3), output)
    os.remove(folder .. "/y.csv")
    assert.equal("x.csv", entries(folder))
    assert.equal("old", text.read(path))
  end)

  it("stops at Ctrl-C, and leaves the old file #native #host", function()
    text.write(path, "old")
    local output = support.run(([[
      local locus, ffi = require "locus", require "ffi"
      ffi.cdef "int getpid(void);"
      local f = locus.frame{{"x", locus.ones(1):expand(2 ^ 50)}}
      os.execute("(sleep .2; kill -INT " .. ffi.C.getpid() .. ") &")
      print((select(2, pcall(f.write_csv, f, %q)):gsub("^.*: ", "")))
      print(locus.ones(3):sum())
    ]]):format(path), {LOCUS_NUM_THREADS = "3"})
    assert.equal("interrupted!\n3\n", output)
    assert.equal("x.csv", entries(folder))
    assert.equal("old", text.read(path))
  end)
end)
