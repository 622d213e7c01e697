-- SPDX-License-Identifier: MIT
-- Every call of spec/ops, stopped between two instructions of Lua, as Ctrl-C stops
-- what runs outside of C; after each stop small calls must answer, and at the end the call itself.
local locus = require "locus"
local failing = require "spec.support.trials.failing"

local EACH = os.getenv "LOCUS_THOROUGH" and 1 or 5 -- instructions from one point to the next
local FIRST = 7 + math.random(EACH)
local stops = 0

-- The name below spec of the file in which a function of the stack is, or "" for others.
local function file_of(level)
  local info = debug.getinfo(level + 1, "S")
  return info and (info.source:match("spec/([%w_/]+)%.lua$") or "")
end

-- Raises, but not before the call or behind it; nor in functions that C calls through the FFI, nor
-- where a caller cannot tell whether a pointer is still its own (spec/ops/files.lua).
local function stop()
  debug.sethook()
  local file, level = file_of(2), 2
  if file == "support/trials/failing" or file == "support/trials/stops" then return end
  while file do
    if file == "support/data/arrow_stream" or file == "ops/files" then return end
    level = level + 1
    file = file_of(level)
  end
  stops = stops + 1
  error("interrupted!", 0)
end

-- Calls that keep something from one to the next.
local function check()
  local x = locus.arange(4)
  assert((x + 1):equal(locus.tensor{1, 2, 3, 4}))
  assert(locus.zeros(2):sum() == 0 and x:searchsorted(locus.tensor{1, 3}):sum() == 6)
  assert(x[{{2, 3}}]:sum() == 3 and x[2] == 1)
  local kept = locus.tidy(function() return x * 2 end)
  assert(kept:sum() == 12)
end

jit.off()
failing({
  arm = function(k)
    stops = 0
    debug.sethook(stop, "", FIRST + (k - 1) * EACH)
  end,
  disarm = function()
    debug.sethook()
    check()
    return stops
  end,
  message = "interrupted!$", changes = true, each = 12, endless = true,
}, function(entry)
  local ok, reason = pcall(entry.call, locus, entry.make(locus))
  if not ok then print(entry.name .. " no longer answers: " .. tostring(reason)) end
end)
