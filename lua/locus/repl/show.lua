-- SPDX-License-Identifier: MIT
-- Values as the prompt shows them: strings quoted, tables with their items, numbers with all their
-- digits.
local core = require "locus.core"
local lex = require "locus.repl.lex"
local print_ = require "locus.print"

local show = {}

local MOST_ENTRIES = 40 -- of a table
local MOST_BYTES = 2000 -- of a string
local DEEPEST = 4 -- tables in tables

local function quoted(text)
  local told = ""
  if #text > MOST_BYTES then
    told = (" ... (%d bytes)"):format(#text)
    text = text:sub(1, MOST_BYTES):gsub("[\194-\255][\128-\191]*$", "")
  end
  return '"' .. core.internal.visible(text, true) .. '"' .. told
end

-- A message of somebody's as no terminal obeys it, line by line.
function show.lines(text) return (text:gsub("[^\n\t]+", core.internal.visible)) end

local function is_word(key)
  return type(key) == "string" and key:find("^[%a_][%w_]*$") and not lex.keywords[key]
end

local function has_tostring(v)
  local metatable = debug.getmetatable(v)
  local f = type(metatable) == "table" and rawget(metatable, "__tostring")
  return type(f) == "function" or type(f) == "table"
end

-- The keys of a table that are no positions of its list, in order.
local function other_keys(t, length)
  local keys = {}
  for key in next, t do
    local place = type(key) == "number" and key % 1 == 0 and key >= 1 and key <= length
    if not place then keys[#keys + 1] = key end
  end
  table.sort(keys, function(a, b)
    if type(a) == type(b) and (type(a) == "number" or type(a) == "string") then return a < b end
    return type(a) < type(b)
  end)
  return keys
end

local inside -- what stands in a table

-- The entries of a table as texts, at most MOST_ENTRIES.
local function entries(t, depth, seen)
  local list, length = {}, #t
  local keys = other_keys(t, length)
  for i = 1, math.min(length, MOST_ENTRIES) do list[i] = inside(rawget(t, i), depth, seen) end
  for i = 1, math.min(#keys, MOST_ENTRIES - #list) do
    local key = keys[i]
    local name = is_word(key) and key or "[" .. inside(key, DEEPEST, seen) .. "]"
    list[#list + 1] = name .. " = " .. inside(rawget(t, key), depth, seen)
  end
  local more = length + #keys - #list
  if more > 0 then list[#list + 1] = ("... %d more"):format(more) end
  return list
end

-- The entries in lines that are filled as far as they fit; one of several lines begins a new one.
local function filled(list, most)
  local lines, used = {""}, 0
  for i, entry in ipairs(list) do
    if i < #list then entry = entry .. "," end
    local size = entry:find("\n") and most or print_.width(entry)
    if used > 0 and used + 1 + size > most then
      lines[#lines + 1], used = "", 0
    end
    lines[#lines] = lines[#lines] .. (used > 0 and " " or "") .. entry
    used = used + (used > 0 and 1 or 0) + size
  end
  return lines
end

-- In one line where it fits.
local function braces(list, depth)
  local line, columns = "{" .. table.concat(list, ", ") .. "}", print_.columns_of_line()
  if not line:find("\n") and print_.width(line) + 2 * depth <= columns then return line end
  local indent = "\n" .. ("  "):rep(depth + 1)
  local lines = filled(list, math.max(columns - #indent, 20))
  return "{" .. indent .. table.concat(lines, indent) .. "\n" .. ("  "):rep(depth) .. "}"
end

local function in_table(t, depth, seen)
  if has_tostring(t) then return tostring(t) end
  if seen[t] then return "{the table around it}" end
  if next(t) == nil then return "{}" end
  if depth >= DEEPEST then return "{...}" end
  seen[t] = true
  local text = braces(entries(t, depth + 1, seen), depth)
  seen[t] = nil
  return text
end

function inside(v, depth, seen)
  if type(v) == "table" then return in_table(v, depth, seen) end
  if type(v) == "userdata" and (core.is_tensor(v) or core.internal.is_object(v)) then
    return "[" .. core.internal.describe(v):gsub("^an? ", "") .. "]"
  end
  return (show.text(v))
end

-- The text of a value; several lines of a tensor, a frame or a large table.
function show.text(v)
  local kind = type(v)
  if kind == "number" then return core.internal.spell(v) end
  if kind == "string" then return quoted(v) end
  if kind == "table" then return in_table(v, 0, {}) end
  return tostring(v)
end

-- The text of an error that is no string; the conversion may raise.
function show.raised(problem)
  local done, text = pcall(show.text, problem)
  return done and text or ("a %s, whose __tostring raises"):format(type(problem))
end

return show
