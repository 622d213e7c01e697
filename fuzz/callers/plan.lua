-- SPDX-License-Identifier: MIT
-- The common part of both callers: which calls are asked for, the chance that one number of a call
-- gives, and where others see which call is running.
local ffi = require "ffi"

ffi.cdef [[
  unsigned alarm(unsigned seconds);
  int open(const char *path, int flags, ...);
  ssize_t pwrite(int file, const void *bytes, size_t count, int64_t offset);
  ssize_t write(int file, const void *bytes, size_t count);
]]

local plan = {}

local WRITING = 1 + 64 -- O_WRONLY | O_CREAT
local file = ffi.C.open(assert(os.getenv "CALL_FOLDER", "run fuzz/call") .. "/call", WRITING, 384)

local function note(text) ffi.C.pwrite(file, text, #text, 0) end

-- Begins call n of a seed: a process that is left alone for that many seconds then is ended. The
-- same two numbers give the same chances.
function plan.begin(seed, n, seconds)
  note(("%-12d"):format(n))
  ffi.C.alarm(seconds)
  math.randomseed(seed * 2 ^ 24 + n)
end

-- Ends the process after the last call: status 1 where some were wrong.
function plan.finish(wrong)
  note(("%-12s"):format("done"))
  os.exit(wrong == 0 and 0 or 1, true)
end

-- "7" is the calls 1 to 7, "5,9" those from 5 to 9.
function plan.range(text)
  local first, last = text:match "^(%d+),(%d+)$"
  if first then return tonumber(first), tonumber(last) end
  return 1, assert(tonumber(text), "COUNT is no number")
end

--- Lets LuaJIT compile these functions, of a file that is otherwise left to its interpreter: long
--- traces through code that runs once a call end, in 2.1.0-beta3, in wrong machine code.
function plan.compile(functions)
  for _, f in pairs(functions) do jit.on(f) end
  return functions
end

function plan.pick(list) return list[math.random(#list)] end

function plan.chance(one_in) return math.random(one_in) == 1 end

-- Standard output is where calls print; this goes to the one that the shell has.
function plan.say(format, ...)
  local line = format:format(...) .. "\n"
  ffi.C.write(3, line, #line)
end

return plan
