-- SPDX-License-Identifier: MIT
-- Calls that make the CPU wait for a CUDA device: the emulator counts.
local locus = require "locus"
local support = require "spec.support"

local emulated = os.getenv("LOCUS_CUDA") == "emu"
local each = emulated and it or pending

-- How often f waits; what it answers is kept until then.
local function waits(f)
  local ffi = require "ffi"
  pcall(ffi.cdef, "int64_t locus_emulator_waits(void);")
  local core = package.searchpath("locus.core", package.cpath)
  local emulator = ffi.load((core:gsub("core%.so$", "cuda_emu.so")))
  local before = emulator.locus_emulator_waits()
  local answer = f()
  return tonumber(emulator.locus_emulator_waits() - before), answer
end

describe("the CPU #cuda", function()
  local x = locus.arange(70000):remainder(3):sub(1) -- -1 0 1 -1 0 ...
  local there = x:cuda()
  local sorted, values = locus.arange(3000):cuda(), locus.arange(0, 500, 0.5):cuda()

  each("waits for a count", function()
    assert.equal(1, (waits(function() return there:nonzero() end)))
    assert.equal(1, (waits(function() return there:count_nonzero() end)))
    assert.equal(1, (waits(function() return there:masked_select(there:gt(0)) end)))
    assert.equal(1, (waits(function() return there:view(7, -1):nonzero{as_tuple = true} end)))
  end)

  each("waits for bytes, and when told to", function()
    assert.equal(1, (waits(function() return x:cuda() end)))
    assert.equal(1, (waits(function() return there:cpu() end)))
    assert.equal(1, (waits(function() return there[5] end)))
    assert.equal(1, (waits(function() locus.cuda.synchronize() end)))
  end)

  each("does not wait for elements that are computed", function()
    for name, f in pairs{
      add = function() return there + 1 end,
      lt = function() return there:lt(there) end,
      where = function() return locus.where(there:gt(0), there, 5) end,
      searchsorted = function() return sorted:searchsorted(values) end,
      right = function() return locus.searchsorted(sorted, values, {side = "right"}) end,
      sum = function() return there:sum(1) end,
      cumsum = function() return there:cumsum(1) end,
      sort = function() return there:sort() end,
      to = function() return there:to("float32") end,
      fill = function() return there:clone():fill_(3) end,
      zeros = function() return locus.zeros(5, {device = "cuda"}) end,
    } do
      assert.equal(name .. " waits 0 times", ("%s waits %d times"):format(name, (waits(f))))
    end
  end)

  each("does not wait for rows whose number is given", function()
    for _, size in ipairs{0, 1, 40000, 46666, 46667, 46668, 70000, 70001} do
      local waited, rows = waits(function() return there:nonzero_static{size = size} end)
      assert.equal(0, waited)
      assert.is_true(rows:cpu():equal(x:nonzero_static{size = size}))
      local out = locus.zeros(size, 1, {dtype = "int64", device = "cuda"})
      assert.equal(0, (waits(function()
        return there:nonzero_static{size = size, fill_value = -9, out = out}
      end)))
      assert.is_true(out:cpu():equal(x:nonzero_static{size = size, fill_value = -9}))
    end
    local few = locus.zeros(0, 3, {device = "cuda"})
    local waited, rows = waits(function() return few:nonzero_static{size = 2, fill_value = 7} end)
    assert.equal(0, waited)
    support.same(rows:cpu(), {2, 2}, {7, 7, 7, 7}, "int64")
  end)
end)
