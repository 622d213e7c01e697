-- SPDX-License-Identifier: MIT
-- How many instructions small calls take, which no noise of the machine changes: counted by
-- callgrind, on the plainest instruction set, and kept from growing by more than a tenth. A change
-- that is meant to cost more writes its count down here; so does one that gains much.
local instructions = require "spec.support.programs.instructions"
local locus = require "locus"

local COMPILER = "GCC: %([^)]*%) 12%." -- by which these were compiled
local COUNTS = {
  {"x + y", 3954},
  {"x + 1", 4145},
  {"x:searchsorted(y, {out = places})", 3324},
  {"mask:where(x, 0, {out = out})", 3042},
  {"mask:nonzero()", 3924},
  {"x:searchsorted(4.5, right)", 234}, -- from 172 on: where the trace begins is left to chance
  {"x[range]", 2350},
  {"x[at]", 4149},
}

local CHUNK = [[
  local locus = require "locus"
  local x, y = locus.arange(10):float(), locus.arange(10):float()
  local mask, out, places = x:gt(5), locus.zeros(10):float(), x:searchsorted(y)
  local at, range, right = locus.tensor({3, 1}, {dtype = "int64"}), {{2, 5}}, {right = true}
  local function loop(times) for _ = 1, times do local _ = %s end end
  loop(%d)]]

local function read(path)
  local file = io.open(path, "rb")
  local text = file and file:read("*a") or ""
  if file then file:close() end
  return text
end

local PLAINEST = {LOCUS_ISA = "scalar", LOCUS_NUM_THREADS = "1"}

-- The instructions of a process that makes the call so often.
local function total(call, times)
  return instructions.of(CHUNK:format(call, times), PLAINEST)
end

-- The instructions of one call, once it is compiled; the least of some tries, since a trace may
-- begin elsewhere.
local function count(call, enough)
  local least = math.huge
  for _ = 1, 3 do
    least = math.min(least, (total(call, 9000) - total(call, 3000)) / 6000)
    if least <= enough then break end
  end
  return least
end

local function why_not()
  if not instructions.are_counted() then return "no valgrind here, or a sanitizer" end
  local library = read(package.searchpath("locus.core", package.cpath))
  if not library:find(COMPILER) then return "another compiler, which needs counts of its own" end
  if locus.isa ~= "scalar" then return "counted on the scalar set" end
end

describe("instructions of small calls #host #native #lean", function()
  for _, entry in ipairs(COUNTS) do
    local call, known = unpack(entry)
    it("are no more than a tenth above " .. known .. ": " .. call, function()
      local reason = why_not()
      if reason then return pending(reason) end
      local found = count(call, 1.1 * known)
      if os.getenv "LOCUS_SHOW_COUNTS" then print(call, found) end
      assert.is_true(found <= 1.1 * known, ("%s: %.0f"):format(call, found))
    end)
  end
end)
