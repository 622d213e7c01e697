-- SPDX-License-Identifier: MIT
-- Every allocation of every op fails once and for good; there is a limit; the collector keeps pace
-- with tensors; finalizers of others may raise and allocate meanwhile; blocks grow within bounds.
local locus = require "locus"
local support = require "spec.support"

describe("when memory runs out #once", function()
  -- In a child, whose small heap is collected fast: this takes thousands of collections.
  local function failing(persistent)
    local output, status = support.run(
      "require('spec.support.trials.allocations')(" .. persistent .. ")")
    assert.equal(0, status, output)
    return output
  end

  it("every op raises, leaks nothing and leaves its arguments alone", function()
    local output = failing("true")
    local calls, failures = output:match("^(%d+) calls, (%d+) failures\n$")
    assert.is_truthy(calls, output)
    assert.is_true(tonumber(calls) > 60 and tonumber(failures) > tonumber(calls))
  end)

  it("every op recovers from one failure by collecting garbage", function()
    assert.matches("^%d+ calls, 0 failures\n$", failing("false"))
  end)
end)

describe("memory.set_limit #host", function()
  local function empty(n) return locus.empty(n, {dtype = "uint8"}) end

  after_each(function() locus.memory.set_limit(math.huge) end)

  it("makes calls that would pass it raise", function()
    for _ = 1, 3 do collectgarbage() end
    local live = locus.live_bytes()
    local x = empty(0)
    local own = locus.live_bytes() - live -- what a tensor takes besides its bytes
    locus.memory.set_limit(live + 2 * own + 900)
    assert.equal(live + 2 * own + 900, locus.memory.stats().limit)
    local y = empty(900)
    local live_now, limit = locus.live_bytes(), locus.memory.stats().limit
    assert.equal(limit, live_now)
    assert.matches(("^empty: out of memory %%(wanted %%d+ bytes, live %d bytes, limit %d bytes%%)$")
      :format(limit, limit), support.message(empty, 0))
    assert.equal(live_now, locus.live_bytes())
    locus.memory.set_limit(0)
    assert.truthy(support.message(empty, 0):find("out of memory", 1, true))
    locus.memory.set_limit(math.huge)
    assert.equal(math.huge, locus.memory.stats().limit)
    assert.equal(1000, x:numel() + y:numel() + empty(100):numel())
  end)

  it("collects garbage first", function()
    local output, status = support.run([[
      local locus = require "locus"
      locus.memory.set_limit(1e6)
      for _ = 1, 100 do locus.zeros(1e5) end
      print(locus.memory.stats().peak_bytes <= 1e6)
    ]])
    assert.equal(0, status, output)
    assert.equal("true\n", output)
  end)
end)

describe("an op without room", function()
  local x, at = locus.arange(1e5), locus.arange(1, 1e5, {dtype = "int64"})
  local function leave_garbage() locus.zeros(1e6) end

  for name, call in pairs {
    add = function() return x:add(x) end, neg = function() return x:neg() end,
    clamp = function() return x:clamp(1, 5) end, where = function() return x:gt(3):where(x, 0) end,
    cumsum = function() return x:cumsum(1) end, clone = function() return x:clone() end,
    searchsorted = function() return x:searchsorted(x) end,
    contiguous = function() return x:expand(2, 1e5):contiguous() end,
    to = function() return x:to("float32") end, rand = function() return locus.rand(1e5) end,
    reshape = function() return x:view(100, 1000):t():reshape(-1) end,
    index_select = function() return x:index_select(1, at) end,
    sort = function() return x:sort() end,
    full = function() return locus.full({1e5}, 7) end,
  } do
    it("collects garbage and goes on: " .. name .. " #host", function()
      finally(function() locus.memory.set_limit(math.huge) end)
      for _ = 1, 3 do collectgarbage() end
      leave_garbage()
      locus.memory.set_limit(locus.live_bytes() + 2000) -- a tensor's head, and not its elements
      assert.is_true(call():numel() > 9e4)
    end)
  end
end)

describe("the collector", function()
  it("keeps a loop of ten thousand 10 MB temporaries below 100 MB #host", function()
    local output, status = support.run([[
      local locus = require "locus"
      local most, x = 0, locus.ones(1310720)
      local times = os.getenv("LD_PRELOAD") and 1000 or 10000 -- a sanitizer is slow
      for i = 1, times do
        local t = i % 20 == 0 and x + 1 or locus.empty(1310720)
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

  it("gets the strings that a pattern was looked for in, whatever was compiled", function()
    local output = support.run([[
      local locus = require "locus"
      local names = {}
      for i = 1, 300 do names[i] = "name" .. i end
      local function run() locus.frame{{"s", names}}.s:match("1$") end
      run()
      local most = 0
      for i = 1, 60 do
        local live = locus.live_bytes()
        run()
        for _ = 1, 3 do collectgarbage() end
        most = math.max(most, locus.live_bytes() - live)
      end
      print(most)
    ]])
    assert.equal("0\n", output)
  end)

  it("survives finalizers that raise or allocate while tensors are made", function()
    local output, status = support.run([[
      local locus = require "locus"
      jit.off()
      local made, raised, raising = 0, 0, true
      local function drop()
        local p = newproxy(true)
        getmetatable(p).__gc = function()
          made = made + 1
          local t = locus.ones(1000)
          if raising and made % 2 == 0 then error("from a finalizer") end
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
      raising = false -- LuaJIT leaves finalizers out, at its end, behind ten that raise
      collectgarbage("stop") -- print allocates, too
      print(made > 1000, raised)
    ]])
    assert.equal(0, status, output)
    assert.matches("true\t%d+", output)
  end)

  it("names the call that fails, whatever finalizers have called meanwhile", function()
    local x = locus.ones(2)
    getmetatable(newproxy(true)).__gc = function() pcall(locus.arange, 3) end
    finally(function() locus.fail_allocation(0) end)
    locus.fail_allocation(1, true)
    local _, message = pcall(locus.le, x, 1)
    assert.matches("le: out of memory", message, 1, true)
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

describe("a block that grows #host", function()
  local sanitized = locus.memory.stats().cache_limit == 0 -- then nothing is kept

  -- The output of `code` when a block of 8 MB has grown to 192 MB, with 232 MB of others kept.
  local function grown(code, through)
    local output, status = support.run([[
      local locus = require "locus"
      local reserve = require "locus.core".internal.reserve
      local x, others = locus.ones(2 ^ 20), {}
      for i = 1, 29 do others[i] = locus.empty(2 ^ 20) end
      others = nil
      collectgarbage() collectgarbage()
      local kept = locus.memory.stats().cached_bytes
      reserve(x, 3 * 2 ^ 23)
      local s = locus.memory.stats()
    ]] .. code, {LOCUS_CACHE_LIMIT = "1000000000", LOCUS_NUM_THREADS = "1"}, through)
    assert.equal(0, status, output)
    return output
  end

  it("leaves so much that all is hardly more than was once live", function()
    local output = grown "print(s.reserved_bytes <= 1.25 * s.peak_bytes + 33 * 2 ^ 20, kept > 23e7)"
    assert.equal(sanitized and "true\tfalse\n" or "true\ttrue\n", output)
  end)

  it("gets what is kept when the system has no more, or stays as it is #native", function()
    if sanitized then return end
    local output = grown([[
      print(kept > 230e6, s.cached_bytes < 1e6, x:numel(), x[2 ^ 20])
      print(pcall(reserve, x, 2 ^ 26))
      print(x:numel(), x[2 ^ 20])
    ]], "sh -c 'ulimit -v 330000; exec luajit \"$@\"' sh")
    assert.matches("^true\ttrue\t25165824\t1\nfalse\t.*out of memory %(wanted 536870912 bytes.*"
      .. "\n25165824\t1\n$", output)
  end)
end)
