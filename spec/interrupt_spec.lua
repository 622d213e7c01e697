-- SPDX-License-Identifier: MIT
-- Ctrl-C stops a long call within 50 ms, releases what the call held and leaves the state in order.
local support = require "spec.support"

-- A child is sent SIGINT 0.2 s into an operation that takes longer, most of them hours. Says if
-- it returned, what it raised, whether in time, the bytes it lost, and a sum.
local function interrupted(prepare, operation)
  return support.run([[
    local locus, ffi = require "locus", require "ffi"
    ffi.cdef "typedef struct { long s, ns; } span; int clock_gettime(int, span *);"
    ffi.cdef "int getpid(void);"
    local function now()
      local t = ffi.new("span")
      ffi.C.clock_gettime(0, t)
      return tonumber(t.s) + tonumber(t.ns) / 1e9
    end
    local function collect() for _ = 1, 3 do collectgarbage() end end
    ]] .. prepare .. [[

    collect()
    local live, stamp = locus.live_bytes(), os.tmpname()
    local signal = "sleep 0.2; date +%%s.%%N > %s; kill -INT %d"
    os.execute(("env -u LD_PRELOAD sh -c '" .. signal .. "' &"):format(stamp, ffi.C.getpid()))
    local ok, message = pcall(function() return ]] .. operation .. [[ end)
    local late = now() - tonumber(io.open(stamp):read("*a"))
    os.remove(stamp)
    collect()
    local allowed = os.getenv("LD_PRELOAD") and 0.5 or 0.05 -- a sanitizer is slow
    print(ok, message, late < allowed, locus.live_bytes() - live, locus.ones(3):sum())
  ]])
end

local endless = "local x = locus.ones(1):expand(2 ^ 50)"
local entries = "local one, t = locus.ones(1), {} for i = 1, 2e6 do t[i] = one end"
local numbers = "local t = {} for i = 1, 2e7 do t[i] = i end"
local cases = {
  {endless, "x:sum()"}, {endless, "x:max()"},
  {"local x = locus.ones({2 ^ 21}, {dtype = 'uint8'})", "x:unfold(1, 2 ^ 20, 1):count_nonzero()"},
  {endless, "x:narrow(1, 1, 2 ^ 34):nonzero()"},
  {"local x = locus.ones(2 ^ 27, {dtype = 'float16'})", "x:pow(1.1)"},
  {"local x = locus.ones(70000, 1):byte() x[{6000, 1}] = 0", "x:expand(70000, 2 ^ 44):any(2)"},
  {"local x = locus.arange(2 ^ 24) * 1.1 % 7", "x:sort()"},
  {"local x = locus.arange(2 ^ 21) local v = x * 7919 % 2 ^ 21",
   "x:searchsorted(v:expand(64, 2 ^ 21))"},
  {numbers, "locus.tensor(t)"}, {numbers, "locus.tensor(t, {dtype = 'float32'})"},
  {entries, "locus.cat(t)"}, {entries, "locus.stack(t)"},
  {"local x = locus.ones(1, 1):expand(2 ^ 23, 2)", "x:totable()"},
}

describe("Ctrl-C #host", function()
  for _, case in ipairs(cases) do
    it("stops " .. case[2] .. " #native", function()
      local output
      for _ = 1, 3 do -- a busy machine may be late
        output = interrupted(case[1], case[2])
        if output:match("true\t0\t3") then break end
      end
      assert.equal("false\tinterrupted!\ttrue\t0\t3\n",
        (output:gsub("%(command line%):%d+: ", "")))
    end)
  end
end)
