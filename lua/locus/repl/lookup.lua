-- SPDX-License-Identifier: MIT
-- The value of a name with dots among the variables of a session, found without a call of a user's
-- function: it looks only into tables, and into the fields of values of locus.
local core = require "locus.core"
local kinds = require "locus.repl.kinds"

local lookup = {}

-- The table where a table looks further; nil if that is a function's work.
local function behind(t)
  local metatable = debug.getmetatable(t)
  local index = type(metatable) == "table" and rawget(metatable, "__index")
  return type(index) == "table" and index or nil
end

local DEEPEST = 20 -- tables behind tables

-- Calls each(t) for a table and those behind it, until it answers something.
local function through(t, each)
  for _ = 1, DEEPEST do
    local answer = each(t)
    if answer ~= nil then return answer end
    t = behind(t)
    if not t then return nil end
  end
end

-- The table in which a value of another type has its fields: string's, a file's.
local function fields_of(value)
  if value == core.mpi then require "locus.mpi" end -- which defines them
  if type(value) == "table" then return value end
  local known = type(value) == "string" or type(value) == "userdata"
  return known and behind(value) or nil
end

local function column(frame, name)
  for _, known in ipairs(kinds.columns(frame)) do
    if known == name then return require("locus.frame.frame").state(frame).columns[name] end
  end
end

local function get(value, name) return value[name] end

-- value.name
function lookup.field(value, name)
  local kind = kinds.of(value)
  if kind then
    local method = kinds.method(kind, name)
    if method ~= nil then return method end
    for _, field in ipairs(kind.fields or {}) do
      if field == name then
        local there, found = pcall(get, value, name) -- f.bad may be two things, and raise
        return there and found or nil
      end
    end
    return column(value, name)
  end
  local fields = fields_of(value)
  return fields and through(fields, function(t) return rawget(t, name) end)
end

-- The names of the fields of a value, with the values, as each(name, value).
function lookup.each(value, each)
  local fields = fields_of(value)
  if not fields then return end
  through(fields, function(t)
    for name, field in next, t do
      if type(name) == "string" then each(name, field) end
    end
  end)
end

-- The value of a path: {"f", "price"} is f.price. Nil if a part is missing.
function lookup.path(variables, parts)
  local value = lookup.field(variables, parts[1])
  for i = 2, #parts do
    if value == nil then return nil end
    value = lookup.field(value, parts[i])
  end
  return value
end

return lookup
