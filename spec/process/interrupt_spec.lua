-- SPDX-License-Identifier: MIT
-- Ctrl-C stops a long call within 50 ms, releases what the call held and leaves the state in order.
-- Times are the processor's, of the calling thread: what another program takes is not counted.
local support = require "spec.support"

-- A child gets SIGINT after `after` seconds of work on an operation that takes longer, most of
-- them hours.
-- Gives if it returned, what it raised, the bytes it lost and a sum; and how long it still worked.
local function interrupted(prepare, operation, after)
  local output = support.run([[
    local locus, ffi = require "locus", require "ffi"
    ffi.cdef "typedef struct { long s, ns; } span; typedef struct { span every, first; } alarm;"
    ffi.cdef "typedef struct { void *value; int signal, notify, rest[12]; } event;"
    ffi.cdef "int clock_gettime(int, span *); int timer_create(int, event *, void **);"
    ffi.cdef "int timer_settime(void *, int, const alarm *, void *);"
    local THREAD, SIGINT = 3, 2
    local has_timers = pcall(function() return ffi.C.timer_create end)
    local timers = has_timers and ffi.C or ffi.load("librt.so.1")
    local function now()
      local t = ffi.new("span")
      ffi.C.clock_gettime(THREAD, t)
      return tonumber(t.s) + tonumber(t.ns) / 1e9
    end
    local function collect() for _ = 1, 3 do collectgarbage() end end
    ]] .. prepare .. [[

    collect()
    local live, timer = locus.live_bytes(), ffi.new("void *[1]")
    assert(timers.timer_create(THREAD, ffi.new("event", {signal = SIGINT}), timer) == 0)
    local start = now()
    local alarm = ffi.new("alarm", {first = {0, ]] .. after .. [[ * 1e9}})
    assert(timers.timer_settime(timer[0], 0, alarm, nil) == 0)
    local ok, message = pcall(function() return ]] .. operation .. [[ end)
    local late = now() - start - ]] .. after .. [[

    collect()
    print(ok, message, locus.live_bytes() - live, locus.ones(3):sum())
    print(late)
  ]], {LOCUS_NUM_THREADS = os.getenv("LOCUS_NUM_THREADS") or "2"})
  local said, late = output:gsub("%(command line%):%d+: ", ""):match("^(.*\n)(.-)\n$")
  return said or output, tonumber(late)
end

local endless = "local x = locus.ones(1):expand(2 ^ 50)"
local entries = "local one, t = locus.ones(1), {} for i = 1, 2e6 do t[i] = one end"
local numbers = "local t = {} for i = 1, 2e7 do t[i] = i end"
-- memory bounds this one: of half a second's work, five threads would leave each just that tenth
local powers = "locus.set_num_threads(math.min(2, locus.get_num_threads())) "
  .. "local x = locus.ones(2 ^ 27, {dtype = 'float16'})"
local cases = {
  {endless, "x:sum()"}, {endless, "x:max()"},
  {"local x = locus.ones({2 ^ 21}, {dtype = 'uint8'})", "x:unfold(1, 2 ^ 20, 1):count_nonzero()"},
  {endless, "x:narrow(1, 1, 2 ^ 34):nonzero()"},
  {powers, "x:pow(1.1)"},
  {"local x = locus.ones(70000, 1):byte() x[{6000, 1}] = 0", "x:expand(70000, 2 ^ 44):any(2)"},
  {"local x = locus.arange(2 ^ 24) * 1.1 % 7", "x:sort()", 0.01},
  {"local x = locus.arange(2 ^ 24) * 1.1 % 7", "x:sort{indices = false}", 0.01},
  {"local x = locus.arange(2 ^ 21) local v = x * 7919 % 2 ^ 21",
   "x:searchsorted(v:expand(64, 2 ^ 21))"},
  {numbers, "locus.tensor(t)"}, {numbers, "locus.tensor(t, {dtype = 'float32'})"},
  {entries, "locus.cat(t)"}, {entries, "locus.stack(t)"},
  {"local x = locus.ones(1, 1):expand(2 ^ 23, 2)", "x:totable()"},
  {endless .. " local f = locus.frame{{'x', x}}", "f:write_csv('/dev/null')"},
  {endless .. " local f = locus.frame{{'x', x}}", "f:write_json('/dev/null')"},
  {"local x = locus.ones(2 ^ 25) local t = {a = x, b = x, c = x, d = x}",
   "locus.savez('/dev/null', t)"},
}

describe("Ctrl-C #host", function()
  -- A sanitizer is slow, and gives back slowly what the other thread has touched meanwhile.
  local allowed = os.getenv("LD_PRELOAD") and 2 or 0.05
  for _, case in ipairs(support.sample(cases, 5)) do
    -- The best of three: a machine that others share can only add to the time.
    it("stops " .. case[2] .. " #native", function()
      local least = math.huge
      for _ = 1, 3 do
        local said, late = interrupted(case[1], case[2], case[3] or 0.1)
        -- Functions written in Lua may be stopped there, by Lua's own hook, which names the line.
        said = said:gsub("%./lua/locus/[%w_/]+%.lua:%d+: ", "")
        assert.equal("false\tinterrupted!\t0\t3\n", said)
        least = math.min(least, late)
        if least < allowed then break end
      end
      assert.is_true(least < allowed, least)
    end)
  end
end)

describe("Ctrl-C whenever a call asks for it #native #host #once", function()
  it("stops every op, which leaks nothing", function()
    local pipe = io.popen("env -u LD_PRELOAD cc -print-file-name=libluajit-5.1.so")
    local library = pipe:read("*l")
    pipe:close()
    if not library:find("/", 1, true) then return pending("no shared library of LuaJIT") end
    local program = os.tmpname()
    assert.equal(0, os.execute(("env -u LD_PRELOAD cc -std=gnu11 spec/support/trials/polls.c %s "
      .. "-ldl -Wl,-E -Wl,-rpath,%s -o %s"):format(library, library:match("^(.*)/"), program)))
    -- Which counts bytes itself.
    local output, status = support.run("require 'spec.support.trials.polls'",
      {ASAN_OPTIONS = (os.getenv("ASAN_OPTIONS") or "") .. ":detect_leaks=0"}, program)
    os.remove(program)
    assert.equal(0, status, output)
    local calls, stopped = output:match("^(%d+) calls, (%d+) failures\n$")
    assert.is_truthy(calls, output)
    assert.is_true(tonumber(stopped) > 2 * tonumber(calls))
  end)
end)

describe("Ctrl-C between two instructions of Lua #host #once", function()
  it("stops every call, and nothing is in disorder", function()
    local output = support.run(("math.randomseed(%d) require 'spec.support.trials.stops'")
      :format(os.time()))
    local calls, stopped = output:match("^(%d+) calls, (%d+) failures\n$")
    assert.is_truthy(calls, output)
    assert.is_true(tonumber(stopped) > 2 * tonumber(calls))
  end)
end)
