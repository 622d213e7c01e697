-- SPDX-License-Identifier: MIT
-- Rows of frames: tables by name, which are copies of what stands in the columns. A write into a
-- copy would be lost, so copies can only be read.
local declare = require "locus.declare"
local printable = require "locus.frame.printable"
local internal = require "locus.core".internal

local row = {}

local function refuse(r, key)
  local name, value = declare.shown(key), getmetatable(r).__index[key]
  local column = value ~= nil and type(value) ~= "string"
    and ("f:column(\"%s\")[i] = value, "):format(name) or ""
  internal.raise(("a row is a copy and read-only; write %sf = f:with(\"%s\", column), or row() for "
    .. "a table to change"):format(column, name))
end

-- A table of its own, which may be changed, walked through with pairs, or handed on.
local function copy(r)
  local class, made = getmetatable(r), {}
  for _, name in ipairs(class.names) do made[name] = class.__index[name] end
  return made
end

local function walk(r) return next, copy(r), nil end

local function shown(value)
  if type(value) == "string" then return '"' .. printable(value) .. '"' end
  return type(value) == "number" and internal.spell(value) or tostring(value)
end

-- {time = 6, price = 2.5000, sym = "AAPL"}, in the order of the columns
local function text(r)
  local class, list = getmetatable(r), {}
  for i, name in ipairs(class.names) do
    local key = name:find("^[%a_][%w_]*$") and name or ('["%s"]'):format((printable(name)))
    list[i] = key .. " = " .. shown(class.__index[name])
  end
  return "{" .. table.concat(list, ", ") .. "}"
end

-- A row of those values, by name. Each has its own metatable: loops that read it stay compiled.
function row.of(names, values)
  return setmetatable({}, {__index = values, names = names, __newindex = refuse, __call = copy,
    __pairs = walk, __tostring = text})
end

function row.is(value)
  local class = type(value) == "table" and getmetatable(value)
  return type(class) == "table" and rawget(class, "__newindex") == refuse
end

return row
