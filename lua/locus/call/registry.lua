-- SPDX-License-Identifier: MIT
-- Tables that are looked up by name: functions, methods, fields, metamethods. A name goes into one
-- of them once; registering it again raises, so that no function takes another's place unseen.
local internal = require("locus.core").internal

local registry = {}

-- Functions that wait for the files of those that take their place (later.lua), each with the
-- loader of these: load(f) gives the one that takes the place of f.
registry.later = setmetatable({}, {__mode = "k"})

-- The tables in use. They stay with the core: locus may be loaded again, and then registers its
-- names again.
internal.registered = internal.registered or setmetatable({}, {__mode = "k"})
local tables = internal.registered

-- By table, its entries when the last load began; nothing before the second.
local old = setmetatable({}, {__mode = "k"})

--- Begins a load of locus, or of a file that Ctrl-C has stopped: each name may come once more.
function registry.begin()
  for names in pairs(tables) do
    old[names] = {}
    for name, value in pairs(names) do old[names][name] = value end
  end
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

--- Raises where a table has a name that is looked up beside its own.
function registry.check_new(names, name)
  if rawget(names, name) ~= nil then twice(name) end
end

--- Registers a value in a table.
function registry.put(names, name, value)
  local taken = rawget(names, name)
  local is_old = old[names] and old[names][name] == taken
  if taken ~= nil and not is_old and not registry.later[taken] then twice(name) end
  tables[names] = true
  names[name] = value
end

--- Stands for a table in definitions: `function once.name()` registers the name in it.
function registry.once(names)
  return setmetatable({}, {__newindex = function(_, name, value)
    registry.put(names, name, value)
  end})
end

return registry
