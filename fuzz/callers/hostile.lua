-- SPDX-License-Identifier: MIT
-- Calls that know nothing: hostile.lua SEED COUNT. Call n of a seed is always the same. No call may
-- end the process, take for ever, say what is no sentence of ours, change tensors that it does not
-- write to, or leave memory behind.
local calls = require("spec.ops").calls
local functions = require "fuzz.callers.functions"
local locus = require "locus"
local modes = require "fuzz.callers.modes"
local plan = require "fuzz.callers.plan"
local prompt = require "fuzz.callers.prompt"
local sense = require "fuzz.callers.sense"
local things = require "fuzz.callers.things"
local watch = require "fuzz.callers.watch"

local seed = assert(tonumber(arg[1]), "SEED is no number")
local first, last = plan.range(arg[2])
local pick, chance, random = plan.pick, plan.chance, math.random

local SECONDS = 60 -- seconds for one call; a longer one is ended
local ROOM = 2 ^ 24 -- the bytes of tensors that a call may add

-- -- One call -----------------------------------------------------------------------------------

local function chosen()
  while true do
    local entry = pick(functions)
    if not entry.rare or chance(entry.rare) then return entry end
  end
end

local function of_function(box)
  local entry = chosen()
  local arguments = chance(5) and sense.nothing or sense.arguments
  return {name = entry.name, operator = entry.operator, named = not entry.operator, f = entry.f,
          args = arguments(box, entry)}
end

-- Those of spec/ops, except the ones that take an address and a size, which must fit each other.
local changeable = {}
for _, entry in ipairs(calls) do
  if entry.calls ~= "from_ptr" then changeable[#changeable + 1] = entry end
end

-- Such a call, of whose inputs one or two are others.
local function of_calls(box)
  local entry = pick(changeable)
  local inputs, names = entry.make(locus), {}
  for name in pairs(inputs) do names[#names + 1] = name end
  table.sort(names)
  for _ = 1, math.min(#names, random(2)) do
    local name = table.remove(names, random(#names))
    local v = inputs[name]
    inputs[name] = locus.is_tensor(v) and not chance(3)
      and things.tensor(box, chance(2) and v.dtype or nil, chance(2) and v:size() or nil)
      or things.any(box)
    if type(inputs[name]) == "cdata" then inputs[name] = 1 end -- brackets follow pointers
  end
  return {name = entry.name, f = entry.call, args = {n = 2, locus, inputs}, careless = true}
end

local KINDS = {of_function, of_function, of_function, of_function, of_function, of_function,
               of_calls, of_calls, prompt.call}

-- The results of a call are read, so that a sanitizer sees every element; they may be freed by
-- then.
local function look(v)
  if locus.is_tensor(v) then
    pcall(tostring, v)
    if pcall(v.numel, v) and v:numel() < 1e5 then pcall(v.totable, v) end
  elseif type(v) == "userdata" then
    pcall(tostring, v)
  end
end

-- Settings that calls have changed.
local function restore()
  locus.fail_allocation(0)
  locus.memory.set_limit(math.huge)
  locus.memory.set_cache_limit(0) -- a block that is freed is gone, for sanitizers
  locus.set_default_dtype "float64"
  locus.set_default_device "cpu"
  locus.set_num_threads(2)
  locus.set_printoptions {profile = "default"}
end

local function results_of(...) return ... end

-- f with a limit; `bare`: Lua has no frame of the function that calls f then.
local function bounded(f, bare)
  return function(...)
    locus.memory.set_limit(locus.live_bytes() + ROOM)
    if bare then return f(...) end
    return results_of(f(...))
  end
end

local function describe(v)
  if locus.is_tensor(v) then
    local there, text = pcall(function()
      return ("%s tensor %s by %s"):format(v.dtype, table.concat(v:size(), "x"),
                                           table.concat(v:stride(), ","))
    end)
    return there and text or "freed tensor"
  elseif type(v) == "string" then
    return ("%q"):format(v:sub(1, 60))
  elseif type(v) == "table" then
    local words = {}
    for k, inner in next, v do
      if #words == 6 then break end
      words[#words + 1] = ("[%s]=%s"):format(type(k) == "string" and k or type(k),
        type(inner) == "table" and "table" or describe(inner))
    end
    return (rawequal(getmetatable(v), nil) and "{" or "evil {") .. table.concat(words, ", ") .. "}"
  elseif type(v) == "number" or type(v) == "boolean" or type(v) == "nil" or type(v) == "cdata" then
    return tostring(v)
  end
  return type(v)
end

local function report(n, call, wrong)
  local words = {}
  for i = 1, call.args.n do words[i] = describe(call.args[i]) end
  io.stderr:write(("hostile, seed %d, call %d: %s(%s), %s: %s\n"):format(seed, n, call.name,
    table.concat(words, ", "), call.mode, wrong))
end

local answered = 0 -- calls that raised nothing

local function one(n)
  plan.begin(seed, n, SECONDS)
  local box = things.box()
  local call = pick(KINDS)(box)
  local run
  run, call.mode = modes.choose()
  watch.begin(box)
  call.careless = call.careless or call.mode == "in a loop" -- the first times may have answered
  call.bare = chance(5)
  local results = {run(bounded(call.f, call.bare), call.args, call.f)}
  restore()
  local wrong = watch.fault(box, call, results[1], results[2])
  answered = answered + (results[1] and 1 or 0)
  if results[1] then
    for i = 2, math.min(#results, 6) do look(results[i]) end
  end
  if call.name:find "save" or call.name:find "to_?file" or call.name:find "writ" then
    os.execute "rm -rf ./*"
  end
  if wrong then report(n, call, wrong) end
  return not wrong
end

-- The same; where memory is short, there may be none for what is around the call.
local function attempt(n)
  local done, right = pcall(one, n)
  if done then return right end
  collectgarbage()
  restore()
  if right == "not enough memory" or tostring(right):find "out of memory" then return true end
  error(right, 0)
end

-- -- Many calls ---------------------------------------------------------------------------------

-- The bytes of live tensors when all garbage is gone; a trace may keep a value of the call in which
-- it was recorded.
local function live()
  jit.flush()
  for _ = 1, 4 do collectgarbage() end
  return locus.live_bytes()
end

-- Whether calls leave memory behind each time that they are made; those that do are named.
local function leaks(from, to)
  local before = live()
  for n = from, to do attempt(n) end
  local left = live() - before
  if left <= 0 or from == to then return left > 0 and left end
  for n = from, to do
    local bytes = leaks(n, n) and leaks(n, n)
    if bytes then
      io.stderr:write(("hostile, seed %d, call %d leaves %d bytes\n"):format(seed, n, bytes))
      return true
    end
  end
end

local BATCH = 1000

restore()
attempt(first)
local wrong, base = 0, live()
for from = first, last, BATCH do
  local to = math.min(last, from + BATCH - 1)
  for n = from, to do wrong = wrong + (attempt(n) and 0 or 1) end
  if live() > base and leaks(from, to) then wrong = wrong + 1 end
  base = live()
end
plan.say("hostile: %d calls of seed %d, of which %d answered, %d wrong", last - first + 1, seed,
  answered, wrong)
plan.finish(wrong)
