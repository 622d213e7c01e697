-- SPDX-License-Identifier: MIT
-- CUDA devices: finding the backend, and tensors that lie on a device. The emulator is the device
-- here: host code cannot touch its memory, nor its kernels the host's. Specs that need it, or its
-- two devices, are tagged #emulator; the rest holds on a GPU, too (bench/cuda/run).
local locus = require "locus"
local support = require "spec.support"

local message, same = support.message, support.same

-- Elements of a dtype that differ from each other in every part.
local function sample(dtype, shape)
  local x = locus.arange(support.numel(shape)):to(dtype):view(shape)
  return dtype == "bool" and locus.arange(x:numel()):remainder(3):eq(0):view(shape) or x
end

describe("without a CUDA device #cuda", function()
  local function why(path)
    local output, status = support.run([[
      local locus = require "locus"
      assert(not locus.cuda.is_available() and locus.cuda.device_count() == 0)
      local why = locus.cuda.why()
      local ok, said = pcall(locus.zeros, 2, {device = "cuda"})
      assert(not ok and said:find("zeros: " .. why, 1, true), said)
      assert(not pcall(locus.cuda.synchronize) and not pcall(locus.cuda.current_device))
      assert(locus.zeros(2).device == "cpu")
      io.write(why)]], {LOCUS_CUDA = path})
    assert.equal(0, status, output)
    return output
  end

  it("says that there is no module", function()
    local said = why("/nowhere/cuda.so")
    assert.truthy(said:find("^there is no CUDA here: /nowhere/cuda.so: "), said)
  end)

  it("says that the module is of another version", function()
    local core = package.searchpath("locus.core", package.cpath)
    assert.equal(core .. " is of another version of locus; build and install both together",
      why(core))
  end)
end)

describe("locus.cuda #cuda", function()
  it("tells of its devices #emulator", function()
    assert.is_true(locus.cuda.is_available())
    assert.is_nil(locus.cuda.why())
    assert.equal(2, locus.cuda.device_count())
    assert.equal(0, locus.cuda.current_device())
    assert.equal("emulator", locus.cuda.device_info().name)
    assert.same(locus.cuda.device_info(0), locus.cuda.device_info())
    assert.same(locus.cuda.device_info(1), locus.cuda.device_info("cuda:1"))
    locus.cuda.synchronize()
    locus.cuda.set_device("cuda:1")
    assert.equal(1, locus.cuda.current_device())
    assert.equal("cuda:1", locus.zeros(2, {device = "cuda"}).device)
    locus.cuda.set_device(0)
    assert.equal("cuda:0", locus.zeros(2):cuda().device)
  end)

  it("knows which devices there are #emulator", function()
    local none = "'device' is \"cuda:2\", but there are 2 CUDA devices, counted from cuda:0"
    assert.equal("cuda.set_device: " .. none, message(locus.cuda.set_device, 2))
    assert.equal("zeros: " .. none, message(locus.zeros, 2, {device = "cuda:2"}))
    assert.equal("cuda: " .. none, message(locus.zeros(2).cuda, locus.zeros(2), 2))
    assert.equal("cuda.set_device: 'device' must be a CUDA device, got the string \"cpu\"",
      message(locus.cuda.set_device, "cpu"))
    for _, name in ipairs{"cuda:", "cuda:x", "cuda:-1", "cuda:0x"} do
      assert.truthy(message(locus.zeros, 2, {device = name}):find("'device' is", 1, true), name)
    end
    assert.equal("zeros: 'device' must be \"cpu\", \"cuda\" or \"cuda:<number>\", got \"cudax\"",
      message(locus.zeros, 2, {device = "cudax"}))
  end)

  it("counts the bytes that tensors hold #emulator", function()
    collectgarbage()
    collectgarbage()
    local before = locus.cuda.memory_stats()
    local other = locus.cuda.memory_stats(1)
    local x = locus.zeros(1000, {dtype = "int32"}):cuda() -- luacheck: ignore 231
    assert.equal(before.live_bytes + 4000, locus.cuda.memory_stats().live_bytes)
    assert.equal(other.live_bytes, locus.cuda.memory_stats(1).live_bytes)
    assert.truthy(locus.cuda.memory_stats().allocated_bytes >= before.allocated_bytes + 4000)
    x = nil
    collectgarbage()
    collectgarbage()
    assert.equal(before.live_bytes, locus.cuda.memory_stats().live_bytes)
    locus.cuda.empty_cache()
  end)
end)

-- A context takes some 500 MB of a device, and is refused where another process has it alone.
describe("cuda:1 alone #cuda", function()
  local function contexts(chunk)
    local output = support.run([[
      local ffi, locus = require "ffi", require "locus"
      ffi.cdef "unsigned locus_emulator_contexts(void); int locus_emulator_device(void);"
      local function emulator() -- once something has loaded it
        return ffi.load(package.searchpath("locus.cuda_emu", package.cpath))
      end
      do ]] .. chunk .. [[ end
      collectgarbage() collectgarbage()
      locus.cuda.empty_cache()
      io.write(emulator().locus_emulator_contexts())]], {LOCUS_CUDA = "emu"})
    return output
  end

  it("makes no context on cuda:0 #emulator", function()
    assert.equal("0", contexts("locus.cuda.is_available()"))
    assert.equal("2", contexts('local x = locus.ones(9, {device = "cuda:1"}) + 1; x:nonzero()'))
    assert.equal("2", contexts("locus.cuda.Stream(1):record_event():synchronize()"))
    assert.equal("2", contexts('locus.ones(9, {device = "cuda:1"}):cpu():pin_memory():cuda(1)'))
    assert.equal("2", contexts("locus.cuda.set_device(1); locus.ones(9):pin_memory():cuda()"))
    assert.equal("2", contexts("locus.cuda.device_info(1)"))
  end)

  it("goes back to the device that was current, where that is in use #emulator", function()
    assert.equal("3", contexts([[
      local a, b = locus.ones(9, {device = "cuda:0"}), locus.ones(9, {device = "cuda:1"})
      assert((a + 1):sum() == 18 and (b + 1):sum() == 18)
      assert(b:cuda(0):sum() == 9)
      assert(emulator().locus_emulator_device() == 0)]]))
    assert.equal("2", contexts([[
      locus.ones(9, {device = "cuda:1"})
      assert(emulator().locus_emulator_device() == 1)]]))
  end)
end)

describe("a device without memory pools #cuda", function()
  it("takes and frees memory behind the work of all streams #emulator", function()
    local output, status = support.run([[
      local locus = require "locus"
      local cuda = locus.cuda
      local stream, here = cuda.Stream(), locus.zeros(1000):pin_memory()
      do
        local x = locus.full({1000}, 5, {device = "cuda"})
        stream:wait_stream(cuda.current_stream())
        cuda.with_stream(stream, function() here:copy_(x, true) end)
      end
      collectgarbage() collectgarbage() -- x, whose memory the stream still reads
      local later = locus.full({1000}, 6, {device = "cuda"})
      stream:synchronize()
      assert(here:eq(5):all() and later:eq(6):all())
      local x = locus.arange(5000, 1, -1, {device = "cuda"})
      assert(locus.equal(x:sort(), locus.arange(2, 5001, {device = "cuda"})), "sort")
      assert(x:gt(10):nonzero():size(1) == 4990)
      local live = cuda.memory_stats().free_bytes
      for _ = 1, 9 do x = locus.empty(2 ^ 27, {device = "cuda"}) end -- 9 GB, on a device of 4
      x = nil
      collectgarbage() collectgarbage()
      cuda.empty_cache()
      assert(cuda.memory_stats().free_bytes > live)]],
      {LOCUS_CUDA = "emu", LOCUS_EMU_POOLS = "0"})
    assert.same({"", 0}, {output, status})
  end)
end)

describe("a tensor on a device #cuda", function()
  it("goes there and back, whatever its dtype and layout", function()
    for _, dtype in ipairs(support.dtypes) do
      for _, shape in ipairs{{}, {0}, {1}, {5}, {2, 0}, {3, 4}, {2, 3, 5}} do
        for _, layout in ipairs(support.layouts) do
          local x = support.laid(sample(dtype, shape), layout)
          local there = x:cuda()
          assert.equal("cuda:0", there.device)
          assert.equal(dtype, there.dtype)
          support.same(there:cpu(), shape, support.values(x), dtype)
          support.same(there, shape, support.values(x), dtype)
          assert.equal(there, there:cuda())
          assert.equal(there, there:to("cuda:0"))
          assert.equal(x, x:cpu())
        end
      end
    end
  end)

  it("is made from data", function()
    local x = locus.tensor({{1, 2}, {3, 4}}, {dtype = "int16", device = "cuda"})
    assert.equal("cuda:0", x.device)
    support.same(x, {2, 2}, {1, 2, 3, 4}, "int16")
    assert.equal("cuda:0", locus.tensor(x).device)
    support.same(locus.tensor(x, {device = "cpu"}), {2, 2}, {1, 2, 3, 4}, "int16")
    assert.equal(2.5, locus.tensor(2.5, {device = "cuda"}):item())
  end)

  it("prints, and gives single elements", function()
    local x = locus.tensor{{1, 2}, {3, 4.5}}:cuda()
    assert.equal(" 1.0000  2.0000\n 3.0000  4.5000\n[float64 tensor of size 2x2 on cuda:0]",
      tostring(x))
    assert.equal(4.5, x[{2, 2}])
    assert.equal(3, x[2][1])
    assert.equal(2, x:t()[{2, 1}])
    assert.equal(4.5, x[2][2])
    support.same(x[2], {2}, {3, 4.5})
    support.same(x:t(), {2, 2}, {1, 3, 2, 4.5})
    assert.truthy(message(function() return x[{3, 1}] end):find("index", 1, true))
  end)

  it("is copied to and from", function()
    local here = locus.tensor{1, 2, 3}
    local there = locus.zeros(3):cuda()
    assert.equal(there, there:copy_(here))
    support.same(there, {3}, {1, 2, 3})
    here:zero_():copy_(there)
    support.same(here, {3}, {1, 2, 3})
    there:copy_(locus.tensor({7}, {dtype = "int32"}))
    support.same(there, {3}, {7, 7, 7})
  end)

  it("goes with tables, numbers and 0-d tensors", function()
    local x = locus.tensor({1, 3, 5}):cuda()
    support.same(x:searchsorted({2, 5}), {2}, {2, 3}, "int64")
    support.same(x:search_index():searchsorted({2, 5}), {2}, {2, 3}, "int64")
    assert.equal(2, x:searchsorted(2))
    local before = locus.cuda.memory_stats().allocated_bytes
    assert.equal(1, x:searchsorted(3, {base = 0}))
    assert.equal(before, locus.cuda.memory_stats().allocated_bytes) -- no tensor is made for it
    assert.equal(3, x:searchsorted(3, {right = true}))
    assert.same({1, 4, 4}, {x:searchsorted(-9), x:searchsorted(9), x:searchsorted(0 / 0)})
    for _, dtype in ipairs(support.ordered) do
      local here = locus.arange(90):remainder(2):cumsum(1):to(dtype == "bool" and "uint8" or dtype)
      local wide = here:cuda()
      for value = -1.5, 46, 0.5 do
        assert.equal(here:searchsorted(value), wide:searchsorted(value), dtype)
        assert.equal(here[{{1, 90, 3}}]:searchsorted(value), wide[{{1, 90, 3}}]:searchsorted(value))
      end
      assert.equal(1, wide:narrow(1, 1, 0):searchsorted(3))
    end
    assert.equal(2, x:search_index():searchsorted(2))
    support.same(x + {1, 2, 3}, {3}, {2, 5, 8}, "float64")
    support.same(x * locus.tensor(2), {3}, {2, 6, 10}, "float64")
    support.same(locus.where(x:gt(2), locus.tensor(7), x), {3}, {1, 7, 7}, "float64")
    assert.equal("cuda:0", (x + locus.tensor(1)).device)
    assert.same({9, 3, 5}, {x:sum(), x:mean(), x:max()})
    support.same(x[x:lt(4)], {2}, {1, 3}, "float64")
  end)

  it("does not mix with one elsewhere", function()
    local there, here = locus.zeros(3):cuda(), locus.zeros(3)
    assert.equal("add: 'other' is on cpu, but 'input' is on cuda:0",
      message(locus.add, there, here))
    assert.equal("where: 'y' is on cpu, but 'x' is on cuda:0",
      message(locus.where, there:cpu():eq(0):cuda(), there, here))
    assert.truthy(message(there.searchsorted, there, here):find("cuda:0", 1, true))
  end)
end)

describe("from_ptr on a device #cuda #emulator", function()
  it("shares the memory", function()
    local x = locus.arange(6, {device = "cuda:1"})
    local y = locus.from_ptr(x:data(), 2, 3, {device = "cuda:1", keep = x})
    x:add_(1)
    same(y, {2, 3}, {1, 2, 3, 4, 5, 6})
    assert.equal("cuda:1", y.device)
    x = nil -- luacheck: ignore 311
    collectgarbage()
    collectgarbage()
    same(y:t(), {3, 2}, {1, 4, 2, 5, 3, 6})
    local pinned = locus.arange(3):pin_memory()
    same(locus.from_ptr(pinned:data(), 3, {device = "cuda", keep = pinned}), {3}, {0, 1, 2})
  end)

  it("takes no address that the device does not reach", function()
    local x, here = locus.arange(6, {device = "cuda:1"}), locus.arange(6)
    for _, case in ipairs{{x, "cuda:0"}, {here, "cuda:0"}} do
      local said = message(locus.from_ptr, case[1]:data(), 6, {device = case[2]})
      assert.truthy(said:find("^from_ptr: 'pointer' is 0x%x+, where there is no memory of cuda:0$"),
        said)
    end
    assert.equal(0, locus.from_ptr(here:data(), 0, {device = "cuda"}):numel())
  end)
end)
