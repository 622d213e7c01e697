-- SPDX-License-Identifier: MIT
-- locus.memory: freed blocks are kept by size class and used again, within limits, and given back.
local internal = require "locus.core".internal
local ffi = require "ffi"
local locus = require "locus"
local support = require "spec.support"

local memory = locus.memory
local MB = 2 ^ 20

local function collect()
  for _ = 1, 2 do collectgarbage() end
end

local usual = memory.stats().cache_limit
memory.set_cache_limit(2 ^ 30)
local sanitized = memory.stats().cache_limit == 0 -- AddressSanitizer wants to see every free
memory.set_cache_limit(usual)

-- A spec of what is kept: from an empty cache with a limit of 1 GB.
local function with_cache(text, f)
  it(text, function()
    if sanitized then return end
    finally(function() memory.set_cache_limit(usual) end)
    memory.set_cache_limit(2 ^ 30)
    collect()
    memory.trim()
    f()
  end)
end

local function bytes(n) return locus.empty(n, {dtype = "uint8"}) end

local function address(x) return tonumber(ffi.cast("uintptr_t", x:data())) end

-- Makes a tensor of that many bytes and lets it go.
local function come_and_go(n)
  bytes(n)
  collect()
end

-- The same; where its bytes were.
local function place_of(n)
  local place = address(bytes(n))
  collect()
  return place
end

local function cached() return memory.stats().cached_bytes end

-- The bytes that are kept of a tensor of that many bytes.
local function kept_of(n)
  memory.trim()
  come_and_go(n)
  return cached()
end

-- By how much f makes those counts grow.
local function growth(f, ...)
  local before, grown = memory.stats(), {}
  f()
  local after = memory.stats()
  for i, name in ipairs {...} do grown[i] = after[name] - before[name] end
  return grown
end

-- The least of 64, 128, ..., 512, 640, ... that holds n bytes; above 16 KB of whole pages.
local function class(n)
  local step, size = 64, 64
  while size < n do
    if size == 16384 then step = 4096 end
    if size >= (step < 4096 and 8 or 32) * step then step = 2 * step end
    size = size + step
  end
  return size
end

describe("memory.stats #host", function()
  it("counts what is live, as it was asked for", function()
    collect()
    local x, y
    local own = growth(function() x = bytes(0) end, "live_bytes", "allocated_bytes")
    assert.same({own[1] + 1e5, own[1] + 1e5}, growth(function() y = bytes(1e5) end, "live_bytes",
      "allocated_bytes"))
    assert.is_true(memory.stats().peak_bytes >= memory.stats().live_bytes)
    assert.equal(memory.stats().live_bytes, locus.live_bytes())
    assert.same({-own[1] - 1e5, 0}, growth(function() y = nil collect() end, "live_bytes",
      "allocated_bytes"))
    assert.same({0, nil}, {x:numel(), y})
  end)

  it("has the most that was ever live", function()
    local output = support.run([[
      local locus = require "locus"
      local x = locus.empty(1e6)
      local most = locus.live_bytes()
      x = nil
      collectgarbage() collectgarbage()
      x = locus.empty(10)
      print(locus.memory.stats().peak_bytes == most, locus.live_bytes() < most)
    ]])
    assert.equal("true\ttrue\n", output)
  end)
end)

describe("a freed block #host", function()
  with_cache("is used again for the next tensor of about its size", function()
    for n, other in pairs {[0] = 0, [8] = 60, [100] = 128, [4096] = 4090, [4097] = 5120,
      [65536] = 62000, [1e6] = 1015808, [4 * MB] = 4 * MB - 1, [10 * MB] = 9.75 * MB} do
      local place = place_of(n)
      local grown = growth(function()
        assert.equal(place, place_of(n), n)
        assert.equal(place, place_of(other), n)
      end, "misses", "cached_bytes")
      assert.same({0, 0}, grown)
    end
  end)

  with_cache("is at most a quarter larger than what was asked for, a column's less", function()
    local own = kept_of(0)
    for _, n in ipairs {4097, 5120, 5121, 6144, 6145, 7168, 8192, 8193, 65536, 65537, 81920, 81921,
      1e6, 4 * MB - 1, 4 * MB, 4 * MB + 1, 5 * MB, 5 * MB + 1, 10 * MB, 10 * MB + 1, 33 * MB} do
      assert.equal(own + class(n), kept_of(n), n)
      assert.is_true(class(n) <= (n < 16384 and 1.25 or n < 65536 and 1 + 4096 / n or 1.0625) * n)
    end
  end)

  with_cache("holds a small tensor's bytes and its header", function()
    local own = kept_of(0)
    for n = 0, 4096, 61 do assert.equal(own - 64 + class(64 + n), kept_of(n), n) end
    assert.equal(own - 64 + class(64 + 4096), kept_of(4096))
  end)

  with_cache("of two sizes serves each", function()
    local large, small = place_of(1e6), place_of(1e5)
    assert.equal(large, place_of(1e6))
    assert.equal(small, place_of(1e5))
    assert.is_true(large ~= small)
  end)

  with_cache("of 10 MB costs no page fault the next time #native", function()
    local output, status = support.run([[
      local locus = require "locus"
      local x = locus.zeros(1310720)
      local function faults()
        local file = io.open("/proc/self/stat")
        local text = file:read("*a"):match("%) (.*)")
        file:close()
        return tonumber(text:match("^%a" .. (" %-?%d+"):rep(6) .. " (%d+)"))
      end
      local function work() for _ = 1, 100 do locus.add(x, 1) end end
      work()
      local before = faults()
      work()
      print(faults() - before)
    ]], {LOCUS_NUM_THREADS = "1"})
    assert.equal(0, status, output)
    assert.is_true(tonumber(output) < 100, output) -- the Lua heap's own; a new block has 5 or 2560
  end)

  it("starts at a multiple of 64 bytes, a large one at one of 2 MB", function()
    for n = 0, 300, 7 do
      local x, y = bytes(n), bytes(n)
      assert.equal(0, address(x) % 64)
      assert.equal(0, address(y) % 64)
    end
    for _, n in ipairs {4096, 4097, 1e5, 3e6} do assert.equal(0, address(bytes(n)) % 64) end
    for _, n in ipairs {4 * MB, 5 * MB, 33 * MB} do
      assert.equal(0, sanitized and 0 or address(bytes(n)) % (2 * MB))
    end
  end)

  with_cache("counts as an allocation that may fail, just like a new one", function()
    finally(function() locus.fail_allocation(0) end)
    local function allocations() -- of a tensor
      local k = 0
      repeat
        k = k + 1
        locus.fail_allocation(k, true)
        local ok = pcall(bytes, 1e6)
        assert.equal(ok, locus.fail_allocation(0) == 0)
        collect()
      until ok
      return k - 1
    end
    memory.set_cache_limit(0)
    local fresh = allocations()
    memory.set_cache_limit(1e8)
    come_and_go(1e6)
    assert.same({0}, growth(function() assert.equal(fresh, allocations()) end, "misses"))
    assert.is_true(fresh >= 2)
  end)

  with_cache("of no bytes leaves nothing behind", function()
    local grown = growth(function()
      for _ = 1, 1000 do bytes(0) end
      collect()
      memory.trim()
    end, "live_bytes", "reserved_bytes", "cached_bytes")
    assert.same({0, 0, 0}, grown)
  end)
end)

describe("memory.set_cache_limit #host", function()
  with_cache("is never passed, and gives back at once what is too much", function()
    for i = 1, 20 do come_and_go(1e5 * i) end
    assert.is_true(cached() > 1e7)
    memory.set_cache_limit(3e6)
    assert.is_true(cached() <= 3e6 and cached() > 1e6)
    for i = 1, 40 do
      come_and_go(1e5 * i)
      assert.is_true(cached() <= 3e6, i)
    end
    assert.equal(3e6, memory.stats().cache_limit)
    memory.set_cache_limit(0)
    assert.equal(0, cached())
    come_and_go(10)
    come_and_go(1e6)
    assert.equal(0, cached())
  end)

  with_cache("gives back what has not been used for longest", function()
    memory.set_cache_limit(40e6)
    come_and_go(15e6)
    come_and_go(10e6)
    come_and_go(15e6)
    come_and_go(20e6) -- in place of 10e6
    assert.same({0}, growth(function() come_and_go(15e6) end, "misses"))
    assert.same({0}, growth(function() come_and_go(20e6) end, "misses"))
    assert.same({1}, growth(function() come_and_go(10e6) end, "misses"))
  end)

  with_cache("lets a block go that is larger, and nothing else", function()
    memory.set_cache_limit(8e6)
    come_and_go(5e6)
    come_and_go(9e6)
    assert.same({0}, growth(function() come_and_go(5e6) end, "misses"))
  end)

  it("takes what LOCUS_CACHE_LIMIT says at first", function()
    if sanitized then return end
    local chunk = "print(require('locus').memory.stats().cache_limit)"
    for text, bytes_said in pairs {["0"] = 0, ["5"] = 5, ["123456789"] = 123456789} do
      assert.equal(bytes_said .. "\n", support.run(chunk, {LOCUS_CACHE_LIMIT = text}))
    end
    assert.equal("77\n", support.run([[
      require("locus").memory.set_cache_limit(77)
      package.loaded.locus, package.loaded["locus.core"] = nil
    ]] .. chunk, {LOCUS_CACHE_LIMIT = "5"}))
    local known = internal.usual_cache_limit("") .. "\n"
    assert.equal(known, support.run(chunk, {LOCUS_CACHE_LIMIT = ""}))
    for _, text in ipairs {"-1", "1.5", "1e6", "many", "1 2"} do
      local output, status = support.run(chunk, {LOCUS_CACHE_LIMIT = text})
      assert.equal(1, status)
      local said = ('LOCUS_CACHE_LIMIT is "%s", but must be a whole number of bytes'):format(text)
      assert.is_truthy(output:find(said, 1, true), output)
    end
  end)

  it("is at first an eighth of the memory that the control groups leave, or 1 GB", function()
    local function usual_of(files) return support.in_folder(files, internal.usual_cache_limit) end
    local free = usual_of{["/proc/self/cgroup"] = "0::/\n"}
    assert.is_true(free > 0 and free <= 2 ^ 30)
    for text, limit in pairs {["max"] = free, ["8000"] = 1000, ["800000000000000"] = free} do
      assert.equal(limit, usual_of{
        ["/proc/self/cgroup"] = "0::/a/b\n", ["/sys/fs/cgroup/a/b/memory.max"] = text .. "\n",
      })
      assert.equal(limit, usual_of{
        ["/proc/self/cgroup"] = "0::/a/b\n", ["/sys/fs/cgroup/memory.max"] = text .. "\n",
      })
    end
    for _, folder in ipairs {"/a", ""} do
      assert.equal(2, usual_of{
        ["/proc/self/cgroup"] = "5:cpu:/x\n4:memory:/a\n0::/\n",
        ["/sys/fs/cgroup/memory" .. folder .. "/memory.limit_in_bytes"] = "16\n",
        ["/sys/fs/cgroup/cpu/x/memory.limit_in_bytes"] = "8\n",
      })
    end
    assert.equal(free, usual_of{
      ["/proc/self/cgroup"] = "4:memory:/a\n",
      ["/sys/fs/cgroup/memory/a/memory.limit_in_bytes"] = "9223372036854771712\n",
    })
  end)

  it("is no negative number, and any other one", function()
    finally(function() memory.set_cache_limit(usual) end)
    memory.set_cache_limit(math.huge)
    assert.equal(sanitized and 0 or math.huge, memory.stats().cache_limit)
    for _, value in ipairs {-1, locus.nan, -math.huge} do
      assert.matches("^memory.set_cache_limit: 'bytes' must be 0 or more, got the number",
        support.message(memory.set_cache_limit, value))
    end
  end)
end)

describe("what is kept and what is live #host", function()
  it("are together hardly more than was once live", function()
    local output, status = support.run([[
      local locus = require "locus"
      math.randomseed(3)
      local keep, worst = {}, -math.huge
      for i = 1, 3000 do -- of sizes that fill their blocks
        local x = locus.empty(math.random(5, 8) * 2 ^ math.random(7, 18))
        if i % 10 == 0 then keep[i % 200] = x end
        local s = locus.memory.stats()
        worst = math.max(worst, s.reserved_bytes - 1.25 * s.peak_bytes)
      end
      local s = locus.memory.stats()
      print(worst <= 33 * 2 ^ 20, s.cached_bytes > 0, s.hits > 1000, worst, s.misses)
    ]])
    assert.equal(0, status, output)
    assert.matches(sanitized and "^true" or "^true\ttrue\ttrue", output)
  end)
end)

describe("memory.trim #host", function()
  with_cache("gives everything kept back and says how much that was", function()
    come_and_go(1e5)
    come_and_go(5e6)
    local kept = cached()
    assert.is_true(kept > 5e6)
    local grown = growth(function() assert.equal(kept, memory.trim()) end, "reserved_bytes",
      "live_bytes")
    assert.same({-kept, 0}, grown)
    assert.equal(0, cached())
    assert.equal(0, memory.trim())
  end)

  with_cache("makes the process smaller", function()
    local output, status = support.run([[
      local locus = require "locus"
      local function resident()
        for line in io.lines("/proc/self/status") do
          local kilobytes = line:match("^VmRSS:%s*(%d+) kB")
          if kilobytes then return kilobytes / 1024 end
        end
      end
      local x = locus.ones(8 * 2 ^ 20)
      x = nil
      collectgarbage() collectgarbage()
      local before = resident()
      locus.memory.trim()
      print(before - resident())
    ]], {LOCUS_CACHE_LIMIT = "100000000"})
    assert.equal(0, status, output)
    assert.is_true(tonumber(output) > 60, output)
  end)
end)

describe("when the system has no more memory #host", function()
  it("what is kept is given back and the allocation tried again #native", function()
    if sanitized then return end
    local output, status = support.run([[
      local locus = require "locus"
      local keep = {}
      for i = 1, 30 do keep[i] = locus.empty(2 ^ 20) end -- 8 MB each
      keep = nil
      collectgarbage() collectgarbage()
      local before = locus.memory.stats()
      local x = locus.empty(3 * 2 ^ 23) -- 192 MB
      local after = locus.memory.stats()
      print(before.cached_bytes >= 200e6, after.cached_bytes < 1e6, x:numel())
      print(pcall(locus.empty, 2 ^ 26))
    ]], {LOCUS_CACHE_LIMIT = "1000000000", LOCUS_NUM_THREADS = "1"},
      "sh -c 'ulimit -v 330000; exec luajit \"$@\"' sh")
    assert.equal(0, status, output)
    assert.matches("^true\ttrue\t25165824\nfalse\t.*out of memory %(wanted 536870912 bytes", output)
  end)
end)

describe("a forked child #host", function()
  it("has its own copy of what is kept and of what is live #native", function()
    local output, status = support.run([[
      local locus, ffi = require "locus", require "ffi"
      ffi.cdef "int fork(void); int waitpid(int, int *, int); void _exit(int);"
      local function fill(value)
        local x = locus.full({1e6}, value)
        return locus.full({10}, value):sum() + x:sum() == 1000010 * value
      end
      fill(1)
      collectgarbage() collectgarbage()
      local failures = 0
      for i = 1, 20 do
        local pid = ffi.C.fork()
        if pid == 0 then
          local good = fill(3)
          collectgarbage() collectgarbage()
          locus.memory.trim()
          ffi.C._exit(good and fill(4) and 7 or 8)
        end
        local good, status = fill(5), ffi.new("int[1]")
        ffi.C.waitpid(pid, status, 0)
        if status[0] ~= 7 * 256 or not good then failures = failures + 1 end
      end
      print(failures)
    ]])
    assert.equal(0, status, output)
    assert.equal("0\n", output)
  end)
end)
