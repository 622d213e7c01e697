-- SPDX-License-Identifier: MIT
-- In what surroundings a hostile call is made: alone, in a coroutine, in tidy, with an allocation
-- that fails, with hardly any memory for tensors, or with none from the system.
local ffi = require "ffi"
local locus = require "locus"
local plan = require "fuzz.callers.plan"

ffi.cdef [[
  typedef struct { unsigned long now, most; } fuzz_limit;
  int getrlimit(int what, fuzz_limit *limit);
  int setrlimit(int what, const fuzz_limit *limit);
]]

local random, chance = math.random, plan.chance
local modes = {}

local function alone(f, args) return pcall(f, unpack(args, 1, args.n)) end

-- One that yields is resumed a few times, and then left.
local function in_coroutine(f, args)
  local co = coroutine.create(f)
  local results = {coroutine.resume(co, unpack(args, 1, args.n))}
  for _ = 1, 5 do
    if coroutine.status(co) ~= "suspended" then break end
    results = {coroutine.resume(co, 1)}
  end
  return unpack(results)
end

local function in_tidy(f, args) return pcall(locus.tidy, f, unpack(args, 1, args.n)) end

-- Often enough for LuaJIT to compile what is in Lua of it, small calls through the FFI above all.
-- A loop of its own for each call, since it is compiled for the function that it calls.
local LOOP = "local f, %s = ... for _ = 1, 70 do pcall(f, %s) end return pcall(f, %s)"
local NAMES = {"a", "a, b", "a, b, c"}

local function in_a_loop(f, args, bare)
  local names = NAMES[args.n]
  if not names then return pcall(f, unpack(args, 1, args.n)) end
  pcall(f, unpack(args, 1, args.n))
  return loadstring(LOOP:format(names, names, names))(bare, unpack(args, 1, args.n))
end

-- The collector is at work all the time, so that garbage goes at once.
local function collecting(f, args)
  collectgarbage("setpause", 0)
  collectgarbage("setstepmul", 1000)
  local results = {pcall(f, unpack(args, 1, args.n))}
  collectgarbage("setpause", 200)
  collectgarbage("setstepmul", 200)
  return unpack(results)
end

local function failing(f, args)
  local k, persistent = random(chance(3) and 40 or 6), chance(2)
  return pcall(function(...)
    locus.fail_allocation(k, persistent)
    return f(...)
  end, unpack(args, 1, args.n))
end

local function short_of_room(f, args)
  local room = random(0, 3) * 64
  return pcall(function(...)
    locus.memory.set_limit(locus.live_bytes() + room)
    return f(...)
  end, unpack(args, 1, args.n))
end

local RLIMIT_AS = 9
local usual, least = ffi.new "fuzz_limit", ffi.new "fuzz_limit"
ffi.C.getrlimit(RLIMIT_AS, usual)

--- Whether there is a limit from the start, by ulimit -v.
modes.limited = usual.now < 2 ^ 60

-- The address space of this process, in bytes; nil where the system does not tell.
local function space()
  local file = io.open "/proc/self/statm"
  if not file then return nil end
  local pages = file:read "*n"
  file:close()
  return pages * 4096
end

-- Nothing more from the system than a little. AddressSanitizer's own memory would be refused, too.
local function starved(f, args)
  local bytes = not os.getenv "ASAN_OPTIONS" and space()
  if not bytes then return alone(f, args) end
  least.now, least.most = bytes + random(0, 3) * 65536, usual.most
  ffi.C.setrlimit(RLIMIT_AS, least)
  local results = {pcall(f, unpack(args, 1, args.n))}
  ffi.C.setrlimit(RLIMIT_AS, usual)
  return unpack(results)
end

local ALL = {
  {"alone", alone}, {"alone", alone}, {"alone", alone}, {"alone", alone},
  {"in a coroutine", in_coroutine}, {"in tidy", in_tidy}, {"while garbage goes", collecting},
  {"with an allocation failing", failing}, {"with an allocation failing", failing},
  {"with a limit", short_of_room}, {"starved", starved}, {"in a loop", in_a_loop},
}

--- A way to make the call, run(f, args, bare) -> as pcall, and its name; f sets a limit and calls
--- `bare`.
function modes.choose()
  local mode = plan.pick(ALL)
  return mode[2], mode[1]
end

return modes
