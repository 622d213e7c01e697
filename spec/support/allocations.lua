-- SPDX-License-Identifier: MIT
-- Runs every call of spec/support/calls.lua again and again, each time with the next allocation
-- failing: from then on where `persistent`, else once. Prints what is wrong, and how many calls
-- raised.
local locus = require "locus"
local calls = require "spec.support.calls"
local support = require "spec.support"

-- The sizes, dtypes and elements of every tensor among the inputs.
local function snapshot(inputs)
  local texts = {}
  for name, value in pairs(inputs) do
    if locus.is_tensor(value) then
      local shown = {name, tostring(value:size()), value.dtype}
      for _, v in ipairs(support.values(value)) do shown[#shown + 1] = support.show(v) end
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
-- where all allocations fail; where one does, no call raises, and so none can leak.
local function begin(entry, persistent)
  local inputs = entry.make(locus)
  local shown = snapshot(inputs)
  if persistent then collect() end
  return {inputs = inputs, shown = shown, live = locus.live_bytes()}
end

-- What a call that raised has done wrong; nil when nothing.
local function fault(message, begun)
  if not tostring(message):find("out of memory.* %(wanted %d+ bytes.*%)") then
    return "raised " .. tostring(message)
  elseif snapshot(begun.inputs) ~= begun.shown then
    return "changed its arguments"
  end
  collect(begun.live)
  local leaked = locus.live_bytes() - begun.live
  if leaked > 0 then return ("leaked %d bytes"):format(leaked) end
end

-- Calls with the k-th allocation failing: whether it returned, whether any allocation failed, and
-- what it has done wrong.
local function try(entry, begun, k, persistent)
  locus.fail_allocation(k, persistent)
  local ok, message = pcall(entry.call, locus, begun.inputs)
  local hit = locus.fail_allocation(0) > 0
  local wrong = not ok and fault(message, begun)
  if persistent and hit == ok then wrong = "returned although an allocation failed" end
  return ok, hit, wrong
end

-- The same; tells what is wrong. A trace may keep a value of the call in which it was recorded, and
-- let go of it in another: a leak shows without traces, too.
local function attempt(entry, begun, k, persistent)
  local ok, hit, wrong = try(entry, begun, k, persistent)
  if wrong and wrong:find("^leaked") and jit then
    jit.flush()
    ok, hit, wrong = try(entry, begun, k, persistent)
  end
  if wrong then print(("%s, allocation %d: %s"):format(entry.name, k, wrong)) end
  return ok, hit, not (ok or wrong) and begun
end

local MOST = 300 -- allocations of a call; what sorts on a device comes near
-- So many of them fail one by one, the others one in so many. An emulated device is slow.
local hasty = support.device ~= "cpu" and not support.thorough
local EACH, THEN = hasty and 10 or 40, hasty and 11 or 5

-- Calls until nothing fails any more; gives the number of the last allocation, and how many calls
-- raised. A call that raised has left its inputs as they were: they serve the next one.
local function attempts(entry, persistent)
  local k, raised, hit, begun = 0, 0, true, nil
  while hit and k < MOST do
    local ok
    k = k + (k < EACH and 1 or THEN)
    ok, hit, begun = attempt(entry, begun or begin(entry, persistent), k, persistent)
    raised = raised + (ok and 0 or 1)
  end
  if hit then print(entry.name .. " never gets through") end
  return k, raised
end

return function(persistent)
  local failures = 0
  for _, entry in ipairs(calls) do
    local k, raised = attempts(entry, persistent)
    failures = failures + raised
    if k == 1 and entry.allocates ~= false then print(entry.name .. " allocates nothing") end
    local claims_none = entry.allocates == false and support.device == "cpu"
    if k > 1 and claims_none then print(entry.name .. " allocates") end
  end
  print(("%d calls, %d failures"):format(#calls, failures))
end
