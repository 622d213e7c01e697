-- SPDX-License-Identifier: MIT
-- Threads that another library told to take denormal numbers for zero, as those that were built
-- with -Ofast do, or to round otherwise. Answers are those of IEEE 754, the thread stays as it was,
-- and why_denormals_are_zero() says so.
local support = require "spec.support"

local library

local function run(chunk, ...)
  return support.run(chunk:format(library, ...), {LOCUS_NUM_THREADS = "3",
    LOCUS_SMALL_PIECES = "1"}, "timeout 300 luajit")
end

describe("denormal numbers that are taken for zero #native #host", function()
  setup(function()
    library = os.tmpname()
    assert.equal(0, os.execute("env -u LD_PRELOAD cc -shared -fPIC -O1 "
      .. "spec/support/trials/flushing.c -o " .. library))
  end)
  teardown(function() os.remove(library) end)

  it("change no answer, nor does another rounding", function()
    for _, how in ipairs {"flushing", "flushing from the start", "upward"} do
      local output, status = run("require 'spec.support.trials.flushing'(%q, %q)", how)
      assert.matches("^%d+ calls\n$", output, how)
      assert.equal(0, status)
    end
  end)

  it("are said, and stay what the thread was told, after errors, too", function()
    local output = run([[
      local ffi, locus = require "ffi", require "locus"
      ffi.cdef "void flushing_on(void); void flushing_off(void); void upward_on(void);"
      ffi.cdef "void upward_off(void); int is_flushing(void);"
      local library = ffi.load(%q)
      print(locus.why_denormals_are_zero())
      library.flushing_on()
      print(locus.why_denormals_are_zero())
      local x = locus.tensor{2 ^ -1074, 1}
      for _ = 1, 200 do x = x + 0 end
      print(tostring(x), library.is_flushing(), 2 ^ -1074 * 1 == 0)
      print(pcall(locus.zeros, "a"), library.is_flushing())
      print(pcall(locus.tensor, {2 ^ -1074}, {dtype = "int64"}), library.is_flushing())
      local f = locus.frame {{"x", x}, {"k", {"a", "b"}}}
      local function fail() error("alas", 0) end
      print(pcall(f.group, f, "k"), library.is_flushing())
      print(pcall(f:group("k").each, f:group("k"), fail), library.is_flushing())
      print(pcall(locus.read_csv, fail), library.is_flushing())
      local co = coroutine.create(function() f:group("k"):each(coroutine.yield) end)
      coroutine.resume(co)
      print(library.is_flushing())
      local text = "x\n"
      local read = locus.read_csv(function()
        pcall(locus.zeros, "a") -- that error does not end the call around it
        text = text and (text == "x\n" and "x\n1e-310\n" or nil)
        return text
      end, {types = {x = "float64"}})
      library.flushing_off()
      print(read.x[1] == 1e-310)
      library.flushing_on()
      library.upward_on()
      print(locus.why_denormals_are_zero())
      library.flushing_off()
      print(locus.why_denormals_are_zero())
      library.upward_off()
      print(locus.why_denormals_are_zero())]])
    local why = ": a library that was built with -ffast-math or -Ofast has set this; locus still "
      .. "computes by IEEE 754, but Lua does not\n"
    local flushing, rounding = "this thread takes denormal numbers for zero", "does not round to "
      .. "the nearest"
    assert.equal("\n" .. flushing .. why
      .. " 4.9407e-324   1.0000e+00\n[float64 tensor of size 2]\t1\ttrue\n"
      .. "false\t1\nfalse\t1\n" .. "true\t1\nfalse\t1\nfalse\t1\n1\ntrue\n"
      .. flushing .. " and " .. rounding .. why .. "this thread " .. rounding .. why .. "\n",
      output)
  end)
end)
