-- SPDX-License-Identifier: MIT
-- fork, exit, the instruction set, globals.
local support = require "spec.support"

describe("a process", function()
  it("may fork after any op, and parent and child go on #native #host", function()
    local output, status = support.run([[
      local locus, ffi = require "locus", require "ffi"
      ffi.cdef "int fork(void); int waitpid(int, int *, int); void _exit(int);"
      local x = locus.arange(100000)
      local want = x:sum()
      local function right()
        local threads = io.open("/proc/self/status"):read("*a"):match("Threads:%s*(%d+)")
        return x:sum() == want and (-x):sum() == -want and x:searchsorted(500) == 501, threads
      end
      local failures = right() and 0 or 1
      for _ = 1, 50 do
        local pid = ffi.C.fork()
        if pid == 0 then
          local _, alone = right()
          local ok, shared = right()
          ffi.C._exit(ok and alone == "1" and shared == "5" and 7 or 8)
        end
        local ok, threads = right()
        local status = ffi.new("int[1]")
        ffi.C.waitpid(pid, status, 0)
        if status[0] ~= 7 * 256 or not ok or threads ~= "5" then failures = failures + 1 end
      end
      print(failures)
    ]], {LOCUS_SMALL_PIECES = "1", LOCUS_NUM_THREADS = "5"})
    assert.equal(0, status, output)
    assert.equal("0\n", output)
  end)

  it("exits with status 0 and all of its output", function()
    local output, status = support.run([[
      local locus = require "locus"
      local x = locus.arange(1000000)
      print(x:gt(10):nonzero():size(1))
    ]])
    assert.equal(0, status, output)
    assert.equal("999989\n", output)
  end)

  it("gets the instruction set it asks for, or a sentence #host", function()
    local locus = require "locus"
    for _, name in ipairs(locus.instruction_sets()) do
      local output = support.run("print(require('locus').isa)", {LOCUS_ISA = name})
      assert.equal(name .. "\n", output)
    end
    local output, status = support.run("require 'locus'", {LOCUS_ISA = "mmx"})
    assert.equal(1, status)
    assert.matches('LOCUS_ISA is "mmx", but this CPU has:.* scalar', output)
  end)

  it("gets no global from require", function()
    local output = support.run([[
      local before = {}
      for name in pairs(_G) do before[name] = true end
      require "locus"
      for name in pairs(_G) do if not before[name] then print(name) end end
    ]])
    assert.equal("", output)
  end)
end)
