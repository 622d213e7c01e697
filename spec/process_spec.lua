-- SPDX-License-Identifier: MIT
-- Ctrl-C, fork, exit.
local support = require "spec.support"

describe("Ctrl-C", function()
  -- The child is sent SIGINT 0.2 s into an operation that takes longer, most of them hours.
  local function interrupted(x, operation)
    return support.run([[
      local locus, ffi = require "locus", require "ffi"
      ffi.cdef "typedef struct { long s, ns; } span; int clock_gettime(int, span *);"
      ffi.cdef "int getpid(void);"
      local function now()
        local t = ffi.new("span")
        ffi.C.clock_gettime(0, t)
        return tonumber(t.s) + tonumber(t.ns) / 1e9
      end
      local x = ]] .. x .. [[

      for _ = 1, 3 do collectgarbage() end
      local live, stamp = locus.live_bytes(), os.tmpname()
      local signal = "sleep 0.2; date +%%s.%%N > %s; kill -INT %d"
      os.execute(("env -u LD_PRELOAD sh -c '" .. signal .. "' &"):format(stamp, ffi.C.getpid()))
      local ok, message = pcall(function() return ]] .. operation .. [[ end)
      local late = now() - tonumber(io.open(stamp):read("*a"))
      os.remove(stamp)
      for _ = 1, 3 do collectgarbage() end
      local allowed = os.getenv("LD_PRELOAD") and 0.5 or 0.05 -- a sanitizer is slow
      print(ok, message, late < allowed, locus.live_bytes() - live, locus.ones(3):sum())
    ]])
  end

  local endless = "locus.ones(1):expand(2 ^ 50)"
  for _, case in ipairs{
    {endless, "x:sum()"}, {endless, "x:max()"}, {endless, "x:count_nonzero()"},
    {endless, "x:narrow(1, 1, 2 ^ 34):nonzero()"},
    {"locus.arange(2 ^ 24) * 1.1 % 7", "x:sort()"},
    {"locus.arange(2 ^ 20)", "x:searchsorted(x:expand(64, 2 ^ 20))"},
  } do
    local operation = case[2]
    it("stops " .. operation .. " within 50 ms and leaves the state in order", function()
      local output
      for _ = 1, 3 do -- a busy machine may be late
        output = interrupted(case[1], operation)
        if output:match("true\t0\t3") then break end
      end
      assert.equal("false\tinterrupted!\ttrue\t0\t3\n", (output:gsub("%(command line%):%d+: ", "")))
    end)
  end
end)

describe("a process", function()
  it("may fork after any op, and parent and child go on", function()
    local output, status = support.run([[
      local locus, ffi = require "locus", require "ffi"
      ffi.cdef "int fork(void); int waitpid(int, int *, int); void _exit(int);"
      local x = locus.arange(100000)
      local want = x:sum()
      local failures = 0
      for _ = 1, 50 do
        local pid = ffi.C.fork()
        if pid == 0 then
          ffi.C._exit(x:sum() == want and x:searchsorted(500) == 501 and 7 or 8)
        end
        local status = ffi.new("int[1]")
        ffi.C.waitpid(pid, status, 0)
        if status[0] ~= 7 * 256 or x:sum() ~= want then failures = failures + 1 end
      end
      print(failures)
    ]])
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

  it("gets the instruction set it asks for, or a sentence", function()
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
