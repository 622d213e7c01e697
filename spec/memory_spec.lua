-- SPDX-License-Identifier: MIT
-- Every allocation of every op fails once and for good; the collector keeps pace with tensors;
-- finalizers of others may raise and allocate meanwhile.
local locus = require "locus"
local calls = require "spec.calls"
local support = require "spec.support"

local function collect()
  for _ = 1, 3 do collectgarbage() end
end

-- The bytes of every tensor among the inputs.
local function snapshot(inputs)
  local texts = {}
  for name, value in pairs(inputs) do
    if locus.is_tensor(value) then
      local shown = {tostring(value:size()), value.dtype}
      for _, v in ipairs(support.values(value)) do shown[#shown + 1] = support.show(v) end
      texts[name] = table.concat(shown, " ")
    end
  end
  return texts
end

-- Calls with the k-th allocation failing; says how many failed.
local function attempt(entry, k, persistent)
  local inputs = entry.make(locus)
  collect()
  local before, live = snapshot(inputs), locus.live_bytes()
  locus.fail_allocation(k, persistent)
  local ok, message = pcall(entry.call, locus, inputs)
  local hits = locus.fail_allocation(0)
  if not ok then
    assert.matches("out of memory %(wanted %d+ bytes, live %d+ bytes%)", message)
    assert.same(before, snapshot(inputs))
  end
  if not ok then
    collect()
    assert.equal(live, locus.live_bytes())
  end
  return hits, ok
end

describe("when memory runs out", function()
  for _, entry in ipairs(calls) do
    it(entry.name .. " raises, leaks nothing, leaves its arguments alone", function()
      local k, failures = 0, 0
      repeat
        k = k + 1
        local hits, ok = attempt(entry, k, true)
        assert.equal(hits == 0, ok)
        failures = failures + (ok and 0 or 1)
        assert.is_true(k < 100)
      until hits == 0
      assert.is_true(failures > 0 or entry.allocates == false)
    end)

    it(entry.name .. " recovers from one failure by collecting garbage", function()
      local k = 0
      repeat
        k = k + 1
        local hits, ok = attempt(entry, k, false)
        assert.is_true(ok)
      until hits == 0
    end)
  end
end)

describe("the collector", function()
  it("keeps a loop of ten thousand 10 MB temporaries below 100 MB", function()
    local output, status = support.run([[
      local locus = require "locus"
      local most = 0
      for i = 1, 10000 do
        local t = locus.empty(1310720)
        t:narrow(1, i, 1):fill_(i)
        most = math.max(most, locus.live_bytes())
      end
      local peak
      for line in io.lines("/proc/self/status") do
        peak = peak or tonumber(line:match("^VmHWM:%s*(%d+) kB"))
      end
      print(most, peak * 1024)
    ]])
    assert.equal(0, status)
    local live, resident = output:match("(%d+)%s+(%d+)")
    assert.is_true(tonumber(live) < 100e6, live)
    local sanitized = os.getenv("LD_PRELOAD") ~= nil -- a sanitizer keeps freed memory
    assert.is_true(sanitized or tonumber(resident) < 100e6, resident)
  end)

  it("survives finalizers that raise or allocate while tensors are made", function()
    local output, status = support.run([[
      local locus = require "locus"
      jit.off()
      local made, raised = 0, 0
      local function drop()
        local p = newproxy(true)
        getmetatable(p).__gc = function()
          made = made + 1
          local t = locus.ones(1000)
          if made % 2 == 0 then error("from a finalizer") end
        end
      end
      for i = 1, 3000 do
        pcall(drop) -- Lua's own allocations run finalizers too
        local ok, message = pcall(locus.empty, 262144)
        if not ok then
          raised = raised + 1
          assert(message:find("from a finalizer", 1, true), message)
        end
      end
      print(made > 1000, raised)
    ]])
    assert.equal(0, status, output)
    assert.matches("true\t%d+", output)
  end)

  it("may run finalizers that call the module while the state closes", function()
    local output, status = support.run([[
      local locus = require "locus"
      local p = newproxy(true)
      getmetatable(p).__gc = function() print(locus.ones(10):numel()) end
      KEEP = p
    ]])
    assert.equal(0, status, output)
    assert.equal("10\n", output)
  end)
end)
