-- SPDX-License-Identifier: MIT
-- Calls whose answers are known: known.lua SEED COUNT [OP ...]. COUNT is as many calls of each op,
-- or FIRST,LAST of them, or with an e, 1e8, as many elements as must be compared for each. For each
-- op is said how many elements were compared and a digest of them, the same on every instruction
-- set.
local compared = require "fuzz.callers.known.compared"
local drawn = require "fuzz.callers.known.drawn"
local locus = require "locus"
local plan = require "fuzz.callers.plan"

if jit then jit.opt.start("maxtrace=8000", "maxmcode=65536", "maxsnap=2000", "loopunroll=30") end

local seed = assert(tonumber(arg[1]), "SEED is no number")
local wanted = arg[2]:find "e" and tonumber(arg[2])
local first, last = 1, math.huge
if not wanted then first, last = plan.range(arg[2]) end
local SECONDS = 120

local ops, names = {}, {}
for _, file in ipairs {"elementwise", "selecting", "ordering", "reducing", "alike"} do
  for name, f in pairs(require("fuzz.callers.known." .. file)) do
    ops[name] = f
    names[#names + 1] = name
  end
end
table.sort(names)
if #arg > 2 then names = {unpack(arg, 3)} end

-- Garbage is let go between calls: arrays of the FFI do not pace the collector.
local function run(name)
  local f = assert(ops[name], "there is no op " .. name)
  compared.reset()
  drawn.reset(name)
  local n, wrong, began = first, 0, os.clock()
  while n <= last and not (wanted and compared.count >= wanted) do
    plan.begin(seed, n, SECONDS)
    drawn.begin()
    local done, message = pcall(f)
    if not done then
      wrong = wrong + 1
      io.stderr:write(("known, seed %d, call %d of %s on %s: %s\n"):format(seed, n, name, locus.isa,
        tostring(message)))
      if wrong == 10 then break end
    end
    n = n + 1
    if n % 50 == 0 then collectgarbage() end
  end
  local judged, mistakes = drawn.verdict()
  for _, mistake in ipairs(mistakes) do
    wrong = wrong + 1
    io.stderr:write(("known, seed %d, %s, %s\n"):format(seed, name, mistake))
  end
  plan.say("%-24s %d calls, %.0f elements, %d operands judged, %d wrong, digest %08x, %.1f s", name,
    n - first, compared.count, judged, wrong, compared.digest % 2 ^ 32, os.clock() - began)
  return wrong
end

local wrong, elements = 0, 0
for _, name in ipairs(names) do
  wrong = wrong + run(name)
  elements = elements + compared.count
end
plan.say("known: %d ops on %s, seed %d, %.0f elements, %d wrong", #names, locus.isa, seed, elements,
  wrong)
plan.finish(wrong)
