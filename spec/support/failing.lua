-- SPDX-License-Identifier: MIT
-- Runs every call of spec/support/calls.lua again and again, each time with the next point failing
-- at which it may. What fails and how is a `way`: arm(k) has the k-th point from now on fail,
-- disarm() ends that and says how many have failed, `message` is a pattern of what calls raise
-- then. Where `whole`, a call that raises leaves its inputs as they were, else their sizes and
-- dtypes. Where `always`, a call must raise when a point has failed. Of the points of a call the
-- first `each` ones fail, 40 without that, and one in five of the others.
local locus = require "locus"
local calls = require "spec.support.calls"
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

-- Collects garbage until so many bytes are live, or all of it: three times, for finalizers, weak
-- anchors and what hung from them.
local function collect(live)
  for _ = 1, 3 do
    collectgarbage()
    if locus.live_bytes() == live then return end
  end
end

-- The inputs of a call, what they look like, and how many bytes are live then: without garbage
-- where calls will raise; where none does, none can leak.
local function begin(entry, way)
  local inputs = entry.make(locus)
  local shown = snapshot(inputs, way.whole)
  if not way.mends then collect() end
  return {inputs = inputs, shown = shown, live = locus.live_bytes()}
end

-- What a call that raised has done wrong; nil when nothing.
local function fault(message, begun, way)
  if not tostring(message):find(way.message) then
    return "raised " .. tostring(message)
  elseif snapshot(begun.inputs, way.whole) ~= begun.shown then
    return "changed its arguments"
  end
  collect(begun.live)
  local leaked = locus.live_bytes() - begun.live
  if leaked > 0 then return ("leaked %d bytes"):format(leaked) end
end

-- Calls with the k-th point failing: whether it returned, whether any has failed, and what it has
-- done wrong.
local function try(entry, begun, k, way)
  way.arm(k)
  local ok, message = pcall(entry.call, locus, begun.inputs)
  local hit = way.disarm() > 0
  local wrong = not ok and fault(message, begun, way)
  if way.always and hit == ok then wrong = "returned although point failed" end
  return ok, hit, wrong
end

-- The same; tells what is wrong. A trace may keep a value of the call in which it was recorded, and
-- let go of it in another: a leak shows without traces, too.
local function attempt(entry, begun, k, way)
  local ok, hit, wrong = try(entry, begun, k, way)
  if wrong and wrong:find("^leaked") and jit then
    jit.flush()
    ok, hit, wrong = try(entry, begin(entry, way), k, way)
  end
  if wrong then print(("%s, point %d: %s"):format(entry.name, k, wrong)) end
  return ok, hit, not (ok or wrong) and begun
end

local MOST = 300 -- points of a call; what sorts on a device comes near

-- So many of them fail one by one, the others one in so many. Sanitizers and an emulated device are
-- slow.
local slow = support.device ~= "cpu" or os.getenv("LD_PRELOAD")
local hasty = slow and not support.thorough
local EACH, THEN = hasty and 10 or 40, hasty and 11 or 5

-- Calls until nothing fails any more: the number of the last point, and how many calls raised.
-- A call that raised and left its inputs as they were leaves them to the next one.
local function attempts(entry, way)
  local k, raised, hit, begun = 0, 0, true, nil
  local each = way.each or EACH
  while hit and k < MOST do
    local ok
    k = k + (k < each and 1 or THEN)
    ok, hit, begun = attempt(entry, way.whole and begun or begin(entry, way), k, way)
    raised = raised + (ok and 0 or 1)
  end
  if hit and not entry.endless then print(entry.name .. " never gets through") end
  return k, raised
end

--- Prints what is wrong, and how many calls raised. check(entry, k) hears the number of the last
--- point of each. `more` are entries like those of spec/support/calls.lua; one that is `endless`
--- may have more points than are tried.
return function(way, check, more)
  local failures, count = 0, 0
  for _, list in ipairs {calls, more or {}} do
    for _, entry in ipairs(list) do
      local k, raised = attempts(entry, way)
      failures, count = failures + raised, count + 1
      if check then check(entry, k) end
    end
  end
  print(("%d calls, %d failures"):format(count, failures))
end
