-- SPDX-License-Identifier: MIT
-- Ctrl-C. LuaJIT's program answers the first SIGINT with a hook that raises "interrupted!", and the
-- next one with its end. For lines and scripts that handler is put back each time; the prompt has
-- one of its own, which stays, so that no second signal comes too soon.
local ffi = require "ffi"
local internal = require("locus.core").internal

ffi.cdef [[
  void *locus_signal(int, void *) __asm__("signal");
  int locus_siginterrupt(int, int) __asm__("siginterrupt");
]]
local SIGINT, DEFAULT, IGNORED = 2, ffi.cast("void *", 0), ffi.cast("void *", 1)

local interrupts = {}

local luajits = ffi.C.locus_signal(SIGINT, DEFAULT)
local at_prompt = false
ffi.C.locus_signal(SIGINT, luajits)

-- Makes ready for the next Ctrl-C; one that has come is still answered.
function interrupts.catch()
  local own = at_prompt and ffi.cast("void *", internal.interrupt_handler())
  ffi.C.locus_signal(SIGINT, own or luajits)
end

-- The same, and one that has come is forgotten. Hooks that a user has set stay.
function interrupts.arm()
  if debug.gethook() == "external hook" then debug.sethook() end
  interrupts.catch()
end

-- Calls f(...) with the prompt's own handler; reads of the terminal end at Ctrl-C, instead of being
-- begun anew.
function interrupts.over(f, ...)
  at_prompt = true
  ffi.C.locus_siginterrupt(SIGINT, 1)
  interrupts.catch()
  f(...)
  at_prompt = false
  interrupts.catch()
end

-- Calls f(...), which reads keys: meanwhile Ctrl-C is one of them, and no signal. No hook may be
-- called behind a library that reads them.
function interrupts.as_key(f, ...)
  ffi.C.locus_signal(SIGINT, IGNORED)
  local key = internal.terminal_interrupt(io.stdin)
  local ok, answer = pcall(f, ...)
  internal.terminal_interrupt(io.stdin, key)
  interrupts.catch()
  if not ok then error(answer, 0) end
  return answer
end

return interrupts
