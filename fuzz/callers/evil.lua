-- SPDX-License-Identifier: MIT
-- Values that do something when they are used: functions, and tables, userdata and cdata with such
-- metatables. They raise, yield, call locus, collect garbage, or change the arguments of the call
-- that is running; `box.changed` then says so.
local locus = require "locus"
local plan = require "fuzz.callers.plan"

local pick, chance, random = plan.pick, plan.chance, math.random

local evil = {}

--- The beginning of every error raised here.
evil.OWN = "own trouble"
evil.own_table = setmetatable({}, {__tostring = function() return evil.OWN end})

local function change(box)
  box.changed = true
  for _, entry in ipairs(box.tensors) do
    local t = entry.tensor
    pcall(pick {function() t:zero_() end, function() t:free() end,
                function() locus.arange(7):add(1, {out = t}) end,
                function() t:fill_(2 ^ 40) end})
  end
  for _, t in ipairs(box.tables or {}) do
    if chance(2) then t[1] = nil else t[#t + 1] = random(9) end
  end
end

local DEEDS = {
  function() error(evil.OWN, 0) end,
  function() error(evil.own_table) end,
  function() error() end,
  function(box) change(box) return 1 end,
  function(box) change(box) return "a" end,
  function(box) change(box) return box.tensors[1] and pick(box.tensors).tensor end,
  function() collectgarbage() return 1 end,
  function() return coroutine.yield(1) end,
  function() return locus.arange(5):sum() end,
  function(_, ...) return locus.sum(...) end,
  function(_, x) return x end,
  function() return nil end,
  function() return 0 / 0 end,
  function() return 2 ^ 40 end,
  function() return {} end,
  function() return "text" end,
  function() return locus.tidy(function() return locus.zeros(3) end) end,
}

-- Called a thousand times, it does nothing any more.
local function deed(box)
  local act, left = pick(DEEDS), 1000
  return function(...)
    left = left - 1
    if left > 0 then return act(box, ...) end
  end
end

function evil.f(box) return deed(box) end

local EVENTS = {"__index", "__newindex", "__len", "__eq", "__lt", "__le", "__call", "__tostring",
                "__concat", "__unm", "__add", "__sub", "__mul", "__div", "__pairs", "__ipairs",
                "__metatable", "__name", "__mode"}

local function metatable(box)
  local events = {}
  for _ = 1, random(6) do events[pick(EVENTS)] = deed(box) end
  events.__mode = nil
  return events
end

local LISTS = {
  function() return {} end, function() return {1, 2, 3} end, function() return {"a", "b"} end,
  function() return {input = 1} end, function() return {dim = 1} end,
  function(box) return {box.tensors[1] and box.tensors[1].tensor} end,
}

local function with_metatable(box)
  local t = setmetatable(pick(LISTS)(box), metatable(box))
  box.tables = box.tables or {}
  box.tables[#box.tables + 1] = t
  return t
end

-- Its __gc calls locus whenever the collector likes; nothing else depends on it.
local function collected()
  local proxy = newproxy(true)
  getmetatable(proxy).__gc = function()
    pcall(function() locus.arange(3):add(1):free() end)
  end
  getmetatable(proxy).__index = function() error(evil.OWN, 0) end
  return proxy
end

local function proxy(box)
  local made = newproxy(true)
  local own = getmetatable(made)
  for name, act in pairs(metatable(box)) do own[name] = act end
  return made
end

local MAKERS = {
  evil.f, evil.f, with_metatable, with_metatable, proxy, collected,
  function(box) return coroutine.create(deed(box)) end,
  function(box) return coroutine.wrap(deed(box)) end,
}

function evil.any(box) return pick(MAKERS)(box) end

return evil
