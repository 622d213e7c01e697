-- SPDX-License-Identifier: MIT
-- Blocks from 16 KB to 4 MB are pieces of huge pages: they come without many page faults, lie
-- apart, and their pages go back to the system.
local locus = require "locus"
local support = require "spec.support"

-- The output of a chunk in a process of its own that can tell its memory in MB and its page faults.
local function printed(chunk)
  local output, status = support.run([[
    local ffi, locus = require "ffi", require "locus"
    ffi.cdef "typedef struct { long times[4], most, rest[3], faults, more[9]; } usage;"
    ffi.cdef "int getrusage(int, usage *);"
    local now = ffi.new "usage"
    function faults()
      ffi.C.getrusage(0, now)
      return tonumber(now.faults)
    end
    function resident()
      for line in io.lines "/proc/self/status" do
        local kilobytes = line:match "^VmRSS:%s*(%d+) kB"
        if kilobytes then return kilobytes / 1024 end
      end
    end
  ]] .. chunk, {LOCUS_CACHE_LIMIT = "200000000", LOCUS_NUM_THREADS = "1"})
  assert.equal(0, status, output)
  return output
end

local function watched() -- AddressSanitizer sees the C library's blocks alone
  return printed [[
    locus.ones(1e5)
    collectgarbage() collectgarbage()
    print(locus.memory.stats().cached_bytes)]] == "0\n"
end

local function has_huge_pages()
  local file = io.open "/sys/kernel/mm/transparent_hugepage/enabled"
  local text = file and file:read "*a" or "[never]"
  if file then file:close() end
  return not text:find("[never]", 1, true)
end

describe("blocks out of huge pages #host #native #once", function()
  it("cost a script's first hundred calls less than ten page faults #lean", function()
    if watched() or not has_huge_pages() then return end
    local least = math.huge -- where stack, heap and code lie in their pages makes two more or less
    for _ = 1, 5 do
      least = math.min(least, tonumber(printed [[
        local x, c = locus.arange(1e5):float(), locus.arange(1e5):gt(5)
        local before = faults()
        for _ = 1, 100 do local _ = c:where(x, x) end
        print(faults() - before)]]))
    end
    assert.is_true(least < 10, least)
  end)

  it("go back to the system, and serve again", function()
    if watched() then return end
    local freed, zeros = printed [[
      local kept = {}
      for i = 1, 200 do kept[i] = locus.ones(25000 + 40 * i) end
      kept = nil
      collectgarbage() collectgarbage()
      local before = resident()
      locus.memory.trim()
      local freed, wrong = before - resident(), 0
      for i = 1, 200 do wrong = wrong + locus.zeros(25000 + 40 * i):count_nonzero() end
      print(freed, wrong)]]:match "(%S+)\t(%S+)"
    assert.is_true(tonumber(freed) > 30, freed)
    assert.equal("0", zeros)
  end)

  it("take hardly more than the data of columns, of each size", function()
    if watched() then return end
    local output = printed [[
      for _, case in ipairs {
        {200000, "float64", 200}, {200000, "float32", 200}, {70001, "float64", 400},
        {3000, "float64", 4000}, {9001, "float32", 2000}, {450000, "float64", 60},
        {530000, "float64", 60}, {1100000, "float64", 30}, {1100000, "float32", 50},
        {2200000, "float64", 20}, {30000, "int64", 500}, {1100000, "uint8", 150},
      } do
        local n, dtype, count = unpack(case)
        local before, kept = resident(), {}
        for i = 1, count do kept[i] = locus.full({n}, i % 100, {dtype = dtype}) end
        local bytes = count * kept[1]:element_size() * n / 2 ^ 20
        print(("%.3f %d %s"):format((resident() - before) / bytes, n, dtype))
        kept = nil
        collectgarbage() collectgarbage()
        locus.memory.trim()
      end]]
    for share, case in output:gmatch "(%S+) ([^\n]+)" do
      assert.is_true(tonumber(share) < 1.08, case .. ": " .. share)
    end
  end)
end)

describe("columns that are read #host #native #once", function()
  it("take hardly more than their data, meanwhile and then", function()
    if watched() then return end
    local path = os.tmpname()
    finally(function() os.remove(path) end)
    local names = {}
    for i = 1, 120 do names[i] = "a" .. i end
    local file = io.open(path, "w")
    file:write(table.concat(names, ","), "\n")
    for _ = 1, 140 do file:write((("12345,"):rep(119) .. "12345\n"):rep(1000)) end
    file:close()
    for dtype, megabytes in pairs {float64 = 128.2, int32 = 64.1} do
      local output = printed(([[
        local types = {}
        for i = 1, 120 do types["a" .. i] = %q end
        local before = resident()
        local f = locus.read_csv(%q, {types = types})
        local function most()
          for line in io.lines "/proc/self/status" do
            local kilobytes = line:match "^VmHWM:%%s*(%%d+) kB"
            if kilobytes then return kilobytes / 1024 end
          end
        end
        print(f.a120:sum(), resident() - before, most() - before)]]):format(dtype, path))
      local sum, now, peak = output:match "(%S+)\t(%S+)\t(%S+)"
      assert.equal(12345 * 140000, tonumber(sum))
      local most = 1.08 * megabytes + 8 -- the reader's, and Lua's
      assert.is_true(tonumber(now) < most and tonumber(peak) < most, output)
    end
  end)
end)

describe("blocks of every size", function()
  it("lie apart, at multiples of 64 bytes", function()
    local kept, sizes = {}, {}
    math.randomseed(51)
    for round = 1, 3 do
      for i = 1, 60 do
        if not kept[i] then
          sizes[i] = math.floor(2 ^ (10 + 9 * math.random()))
          kept[i] = locus.full({sizes[i]}, i, {dtype = "float64"})
        end
      end
      for i = 1, 60 do
        assert.equal(sizes[i], kept[i]:eq(i):sum(), i)
        if i % 3 == round - 1 then kept[i] = nil end
      end
      collectgarbage() collectgarbage()
      locus.memory.trim()
    end
  end)
end)
