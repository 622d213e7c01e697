-- SPDX-License-Identifier: MIT
-- Errors of CUDA when something fails, and when nothing does: whose error it becomes, and in which
-- words. The emulator fails as it is told to, by the numbers of the runtime's own errors.
local ffi = require "ffi"
local locus = require "locus"
local support = require "spec.support"

local cuda, message, same = locus.cuda, support.message, support.same

-- The emulator's own functions, for specs alone.
ffi.cdef [[
  int locus_emulator_last_error(int error);
  void locus_emulator_fail_next(int error);
  void locus_emulator_mend(void);
]]
local function emulator()
  cuda.is_available() -- loads it
  return ffi.load(package.searchpath("locus.cuda_emu", package.cpath))
end

local function collect()
  collectgarbage()
  collectgarbage()
end

describe("another library's last error #cuda", function()
  it("is not the next call's #emulator", function()
    local x = locus.tensor({3, 1, 2}, {device = "cuda"})
    finally(function() emulator().locus_emulator_last_error(0) end)
    for _, call in ipairs{"abs", "sort", "nonzero", "cpu"} do
      emulator().locus_emulator_last_error(1) -- cudaErrorInvalidValue
      x[call](x)
    end
  end)
end)

describe("what fails on a device #cuda", function()
  local failed = "CUDA says: unspecified launch failure (cudaErrorLaunchFailure); this call or an "
    .. "earlier one did it (LOCUS_CUDA_SYNC=1 tells which), and only a new process can use CUDA "
    .. "again"

  it("is raised by the next call that hears of it, and all that follow #emulator", function()
    local x = locus.ones(5, {device = "cuda"})
    cuda.synchronize()
    finally(function() emulator().locus_emulator_mend() end)
    emulator().locus_emulator_fail_next(719)
    local y = x + 1
    assert.equal("cuda.synchronize: " .. failed, message(cuda.synchronize))
    assert.equal("add: " .. failed, message(locus.add, x, 1))
    emulator().locus_emulator_mend()
    same(y * 0 + x, {5}, {1, 1, 1, 1, 1})
  end)

  it("is raised by every op, wherever it fails, which leaks nothing #emulator", function()
    local output, status = support.run([[
      require("locus").set_default_device("cuda")
      require "spec.support.trials.device_errors"]], {LOCUS_CUDA = "emu"})
    assert.equal(0, status, output)
    local calls, failures = output:match("^(%d+) calls, (%d+) failures\n$")
    assert.is_truthy(calls, output)
    assert.is_true(tonumber(failures) > 2 * tonumber(calls))
  end)

  it("is said to be final where CUDA's documentation says so #emulator", function()
    local x = locus.ones(5, {device = "cuda"})
    local final = {[214] = 1, [226] = 1, [700] = 1, [702] = 1, [710] = 1, [714] = 1, [715] = 1,
      [716] = 1, [717] = 1, [718] = 1, [719] = 1, [721] = 1, [810] = 1, [911] = 1}
    finally(function() emulator().locus_emulator_mend() end)
    for error = 3, 999 do
      x:add(1)
      emulator().locus_emulator_fail_next(error)
      local said = message(cuda.synchronize)
      emulator().locus_emulator_mend()
      assert.equal(final[error] ~= nil, said:find("only a new process", 1, true) ~= nil,
        error .. ": " .. said)
    end
  end)

  it("is raised by the call itself with LOCUS_CUDA_SYNC #emulator", function()
    local output, status = support.run([[
      local ffi, locus = require "ffi", require "locus"
      ffi.cdef "void locus_emulator_fail_next(int error);"
      local x = locus.ones(5, {device = "cuda"})
      ffi.load(package.searchpath("locus.cuda_emu", package.cpath)).locus_emulator_fail_next(719)
      print(select(2, pcall(locus.add, x, 1)))]], {LOCUS_CUDA = "emu", LOCUS_CUDA_SYNC = "1"})
    assert.equal(0, status, output)
    assert.truthy(output:find("add: " .. failed, 1, true), output)
  end)

  it("is everything in a forked child, except on the CPU #emulator", function()
    local output = support.run([[
      local ffi, locus = require "ffi", require "locus"
      ffi.cdef "int fork(void); int waitpid(int, int *, int); void _exit(int);"
      local x, here = locus.ones(5, {device = "cuda"}), locus.ones(5)
      local pinned, cuda = here:pin_memory(), locus.cuda
      local pid = ffi.C.fork()
      if pid > 0 then
        ffi.C.waitpid(pid, nil, 0)
        return print("parent", x:add(1):sum())
      end
      for _, f in ipairs{
        function() x:add(1) end, function() x:cpu() end, function() here:cuda() end,
        function() locus.zeros(5e6):pin_memory() end, cuda.synchronize, cuda.Stream,
        function() cuda.current_stream():query() end,
      } do
        print(select(2, pcall(f)))
      end
      x, pinned = nil, nil
      collectgarbage() collectgarbage()
      cuda.empty_cache()
      print("child", here:add(1):sum())
      io.stdout:flush()
      ffi.C._exit(0)]], {LOCUS_CUDA = "emu"})
    local why = "CUDA does not work after fork, since the parent process has used it: fork before "
      .. "that, or start a new process"
    local said = {}
    for line in output:gmatch("[^\n]+") do said[#said + 1] = line end
    assert.same({"child\t10", "parent\t10"}, {said[8], said[9]}, output)
    for i = 1, 7 do assert.equal(why, said[i]:match(": (CUDA.*)$"), said[i]) end
  end)

  it("is memory, after garbage was collected #emulator", function()
    local said = message(locus.zeros, 2 ^ 31, {device = "cuda"})
    assert.equal("zeros: out of memory on cuda:0 (wanted 17179869184 bytes)", said)
    for _ = 1, 20 do -- 10 GB in all, on a device of 4
      assert.equal(2 ^ 29, locus.empty(2 ^ 29, {dtype = "int8", device = "cuda"}):numel())
    end
    collect()
    cuda.empty_cache()
  end)

  it("loses nothing when an allocation fails", function()
    local x = locus.tensor({3, 0, 1}):cuda()
    local function op() return locus.where(x:gt(0), x, 0):sort():nonzero() end
    local refused = 0
    for k = 1, 100 do
      locus.fail_allocation(k, true)
      local ok, said = pcall(op)
      if locus.fail_allocation(0) == 0 then break end
      refused = refused + 1
      assert.is_false(ok)
      assert.truthy(said:find("out of memory", 1, true), said)
    end
    assert.is_true(refused > 5)
    same(op(), {2, 1}, {2, 3}, "int64")
  end)
end)
