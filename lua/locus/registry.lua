-- SPDX-License-Identifier: MIT
-- Tables that are looked up by name: functions, methods, fields, metamethods. A name goes into one
-- of them once; registering it again raises, so that no function takes another's place unseen.
local internal = require("locus.core").internal

local registry = {}

-- Functions that wait for the file of the one that takes their place (later.lua): what loads it.
registry.later = setmetatable({}, {__mode = "k"})

-- By table and name, the load at which `put` registered that. They stay with the core: locus may be
-- loaded again, and then registers its names again.
local loads = internal.loads or setmetatable({}, {__mode = "k"})
local current = 0

--- Begins a load of locus.
function registry.begin()
  current = math.max(current, loads.count or 0) + 1
  loads.count, internal.loads = current, loads
end

-- The lines that lead from the file that is being loaded to this one.
local function place()
  local lines, level = {}, 3
  local info = debug.getinfo(level, "Sl")
  while info and info.what ~= "C" do
    local file = info.short_src:match("[^/]*$")
    if file ~= "registry.lua" then lines[#lines + 1] = file .. ":" .. info.currentline end
    level = level + 1
    info = debug.getinfo(level, "Sl")
  end
  return table.concat(lines, ", ")
end

local function twice(name)
  error(("locus: '%s' is registered twice, the second time at %s"):format(name, place()), 0)
end

local function load_of(names, name) return loads[names] and loads[names][name] end

--- Whether `put` has registered a name in a table.
function registry.has(names, name) return load_of(names, name) ~= nil end

--- Raises where a table has a name that is looked up beside its own.
function registry.check_new(names, name)
  if rawget(names, name) ~= nil then twice(name) end
end

--- Registers a value in a table. Ctrl-C may come between any two of these lines, and then the file
--- is loaded anew: what is not known as registered is not there.
function registry.put(names, name, value)
  local taken, load = rawget(names, name), load_of(names, name)
  local earlier = load and load < current
  if taken ~= nil and not earlier and not registry.later[taken] then twice(name) end
  loads[names] = loads[names] or {}
  loads[names][name] = current
  names[name] = value
end

--- Stands for a table in definitions: `function once.name()` registers the name in it.
function registry.once(names)
  return setmetatable({}, {__newindex = function(_, name, value)
    registry.put(names, name, value)
  end})
end

return registry
