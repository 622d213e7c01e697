-- SPDX-License-Identifier: MIT
-- How many instructions small calls take, which no noise of the machine changes: counted by
-- callgrind, on the plainest instruction set, and kept from growing by more than a tenth. A change
-- that is meant to cost more writes its count down here; so does one that gains much.
local instructions = require "spec.support.programs.instructions"
local locus = require "locus"

local COMPILER = "GCC: %([^)]*%) 12%." -- by which these were compiled
local COUNTS = {
  {"x + y", 4016},
  {"x + 1", 2868},
  {"x:searchsorted(y, {out = places})", 3107},
  {"mask:where(x, 0, {out = out})", 2744},
  {"mask:nonzero()", 2551},
  {"x:searchsorted(4.5, right)", 260},
  {"x[range]", 1259},
  {"x[at]", 2824},
}

local BEGIN = [[
  local locus = require "locus"
  local x, y = locus.arange(10):float(), locus.arange(10):float()
  local mask, out, places = x:gt(5), locus.zeros(10):float(), x:searchsorted(y)
  local at, range, right = locus.tensor({3, 1}, {dtype = "int64"}), {{2, 5}}, {right = true}]]

-- A loop of the call, which is compiled before it is counted.
local LOOP = [[
  do
    local function loop(times) for _ = 1, times do local _ = %s end end
    collectgarbage()
    loop(1500)
    mark()
    loop(TIMES)
    mark()
  end]]
local TIMES = 2000

local function read(path)
  local file = io.open(path, "rb")
  local text = file and file:read("*a") or ""
  if file then file:close() end
  return text
end

local PLAINEST = {LOCUS_ISA = "scalar", LOCUS_NUM_THREADS = "1"}

-- The instructions of one call of each entry, all in one process.
local function count(entries)
  local words = {"local TIMES = " .. TIMES, BEGIN}
  for _, entry in ipairs(entries) do words[#words + 1] = LOOP:format(entry[1]) end
  local marks = instructions.between_marks(table.concat(words, "\n"), PLAINEST)
  local found = {}
  for i in ipairs(entries) do found[i] = assert(marks[2 * i - 1], "no counts") / TIMES end
  return found
end

local counted

-- Those of the i-th entry: of a process of its own where all in one take more, since where a trace
-- begins is left to chance.
local function least(i, enough)
  counted = counted or count(COUNTS)
  local found = counted[i]
  for _ = 1, 3 do
    if found <= enough then break end
    found = math.min(found, count({COUNTS[i]})[1])
  end
  return found
end

local function why_not()
  if not instructions.are_counted() then return "no valgrind here, or a sanitizer" end
  local library = read(package.searchpath("locus.core", package.cpath))
  if not library:find(COMPILER) then return "another compiler, which needs counts of its own" end
  if locus.isa ~= "scalar" then return "counted on the scalar set" end
end

describe("instructions of small calls #host #native #lean", function()
  for i, entry in ipairs(COUNTS) do
    local call, known = unpack(entry)
    it("are no more than a tenth above " .. known .. ": " .. call, function()
      local reason = why_not()
      if reason then return pending(reason) end
      local found = least(i, 1.1 * known)
      if os.getenv "LOCUS_SHOW_COUNTS" then print(call, found) end
      assert.is_true(found <= 1.1 * known, ("%s: %.0f"):format(call, found))
    end)
  end
end)
