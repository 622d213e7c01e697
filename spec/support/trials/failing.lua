-- SPDX-License-Identifier: MIT
-- Runs every call of spec/ops again and again, each time with the next point failing at which it
-- may. A `mode` says which points fail, and how: arm(k) has the k-th point fail, disarm() ends that
-- and says how many have failed, `message` is a pattern of the error of calls then. Where `whole`,
-- a call that raises leaves its inputs as they were, else their sizes and dtypes, but not where it
-- `changes` them. Where `always`, a call must raise when a point has failed. The first `each`
-- points of a call fail (by default 12, or 40 in a thorough run), and a sample of the others,
-- another one each time. With `endless` there may be more points than are tried.
local locus = require "locus"
local calls = require("spec.ops").calls
local support = require "spec.support"

-- The sizes, dtypes and elements of every tensor among the inputs.
local function snapshot(inputs, whole)
  local texts = {}
  for name, value in pairs(inputs) do
    if locus.is_tensor(value) then
      local shown = {name, tostring(value:size()), value.dtype}
      for _, v in ipairs(whole and support.values(value) or {}) do
        shown[#shown + 1] = support.show(v)
      end
      texts[#texts + 1] = table.concat(shown, " ")
    end
  end
  table.sort(texts)
  return table.concat(texts, "\n")
end

-- The inputs of a call, and what they look like.
local function begin(entry, mode)
  local inputs = entry.make(locus)
  return {inputs = inputs, shown = snapshot(inputs, mode.whole)}
end

-- The fault of a call that raised; nil when there is none.
local function fault(message, begun, mode)
  if not tostring(message):find(mode.message) then
    return "raised " .. tostring(message)
  elseif not mode.changes and snapshot(begun.inputs, mode.whole) ~= begun.shown then
    return "changed its arguments"
  end
end

local function say(entry, k, wrong) print(("%s, point %d: %s"):format(entry.name, k, wrong)) end

-- Calls with the k-th point failing, and tells what is wrong: whether it returned, whether any has
-- failed, and the inputs where it raised and did nothing wrong.
local function attempt(entry, begun, k, mode)
  mode.arm(k)
  local ok, message = pcall(entry.call, locus, begun.inputs)
  local hit = mode.disarm() > 0
  local wrong = not ok and fault(message, begun, mode)
  if mode.always and hit == ok then wrong = "returned although point failed" end
  if wrong then say(entry, k, wrong) end
  return ok, hit, not (ok or wrong) and begun
end

local MOST = 500 -- points of a call; what sorts by keys on a device comes near

-- The first of them fail one by one, and then a sample of the others.
local EACH, THEN = 12, 11
if support.thorough then EACH, THEN = 40, 5 elseif support.slow then EACH, THEN = 3, 59
elseif support.hasty then EACH, THEN = 4, 29 end
local SEED = os.time()

-- Calls until nothing fails any more: the number of the last point, and how many calls raised.
-- A call that raised and left its inputs as they were leaves them to the next one.
local function attempts(entry, mode)
  local k, raised, hit, begun = 0, 0, true, nil
  local each = mode.each or EACH
  math.randomseed(SEED) -- the same points when it is called again to name a leak
  while hit and k < MOST do
    local ok
    k = k + (k < each and 1 or math.random(2 * THEN - 1))
    ok, hit, begun = attempt(entry, mode.whole and begun or begin(entry, mode), k, mode)
    raised = raised + (ok and 0 or 1)
  end
  if hit and not mode.endless then print(entry.name .. " never gets through") end
  return k, raised
end

-- Collects garbage until that many bytes are live, or all of it: three times, for finalizers, weak
-- anchors and what hung from them.
local function collect(live)
  for _ = 1, 3 do
    collectgarbage()
    if locus.live_bytes() == live then return end
  end
end

local clean -- the bytes that are live between two calls, when garbage has been collected

-- How many bytes a function leaves behind.
local function leaked_by(f)
  if not clean then
    collect()
    clean = locus.live_bytes()
  end
  local before = clean
  f()
  collect(before)
  clean = locus.live_bytes()
  return clean - before
end

-- Tells which of the first points leak, and how much all of them together.
local function name_leaks(entry, mode, last)
  local bytes = leaked_by(function() attempts(entry, mode) end)
  if bytes == 0 then return end
  for k = 1, last do
    local here = leaked_by(function() attempt(entry, begin(entry, mode), k, mode) end)
    if here > 0 then say(entry, k, ("leaked %d bytes"):format(here)) end
  end
  print(("%s: leaked %d bytes"):format(entry.name, bytes))
end

-- Calls as attempts does, and tells of leaks. A trace keeps values of the call in which it was
-- recorded: what leaks does so without traces, too.
local function attempts_leaking_nothing(entry, mode)
  local last, raised
  if leaked_by(function() last, raised = attempts(entry, mode) end) ~= 0 then
    jit.flush()
    jit.off()
    clean = nil
    name_leaks(entry, mode, last)
    jit.on()
  end
  return last, raised
end

--- Prints what is wrong, and how many calls raised. check(entry, k) hears the number of the last
--- point of each. `more` are entries like those of spec/ops.
return function(mode, check, more)
  local failures, count = 0, 0
  for _, list in ipairs {calls, more or {}} do
    for _, entry in ipairs(list) do
      local k, raised = attempts_leaking_nothing(entry, mode)
      failures, count = failures + raised, count + 1
      if check then check(entry, k) end
    end
  end
  print(("%d calls, %d failures"):format(count, failures))
end
