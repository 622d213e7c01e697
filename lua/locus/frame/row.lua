-- SPDX-License-Identifier: MIT
-- Rows of frames: tables by name, which are copies of elements of the columns. A write into a copy
-- would be lost, so copies can only be read.
local declare = require "locus.call.declare"
local lazy = require "locus.call.lazy"
local printable = require "locus.frame.printable"
local internal = require "locus.core".internal

local row = {}

local function refuse(r, key)
  local name, value = declare.shown(key), r[key]
  local near = value == nil and type(key) == "string"
    and lazy("locus.names.advice").nearest_own(key, r()) or ""
  if near ~= "" then
    internal.raise(("a row is a copy and read-only, and has no '%s'%s"):format(name, near))
  end
  local column = value ~= nil and type(value) ~= "string"
    and ("f:column(\"%s\")[i] = value, "):format(name) or ""
  internal.raise(("a row is a copy and read-only; write %sf = f:with(\"%s\", column), or row() for "
    .. "a table to change"):format(column, name))
end

-- A table of its own, which may be changed, walked through with pairs, or handed on.
local function copy(r)
  local made = {}
  for _, name in ipairs(getmetatable(r).names) do made[name] = r[name] end
  return made
end

local function walk(r) return next, copy(r), nil end

local function shown(value)
  if type(value) == "string" then return '"' .. printable(value) .. '"' end
  return type(value) == "number" and internal.spell(value) or tostring(value)
end

-- {time = 6, price = 2.5000, sym = "AAPL"}, in the order of the columns
local function text(r)
  local list = {}
  for i, name in ipairs(getmetatable(r).names) do
    local key = name:find("^[%a_][%w_]*$") and name or ('["%s"]'):format((printable(name)))
    list[i] = key .. " = " .. shown(r[name])
  end
  return "{" .. table.concat(list, ", ") .. "}"
end

-- A row of those values, by name. It is an empty table with a metatable of its own, so that every
-- read and write is seen, and loops stay compiled.
function row.of(names, values)
  return setmetatable({}, {__index = values, names = names, __newindex = refuse, __call = copy,
    __pairs = walk, __tostring = text})
end

local function read(r, name)
  local class = getmetatable(r)
  local list = class.lists[name]
  return list and list[class.place]
end

-- A row of the elements at one place of lists by name. It keeps the lists, which takes half the
-- time of a copy.
function row.at(names, lists, place)
  return setmetatable({}, {__index = read, lists = lists, place = place, names = names,
    __newindex = refuse, __call = copy, __pairs = walk, __tostring = text})
end

function row.is(value)
  local class = type(value) == "table" and getmetatable(value)
  return type(class) == "table" and rawget(class, "__newindex") == refuse
end

return row
