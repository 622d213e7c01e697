-- SPDX-License-Identifier: MIT
-- Patterns of paths, as glob(3) has them, and lists of paths and patterns.
local declare = require "locus.call.declare"
local internal = require "locus.core".internal

local paths = {}

-- Whether a path is a pattern. A file of that very name is meant before any pattern.
function paths.is_pattern(path)
  if not path:find("[*?%[]") or path:find("\0", 1, true) then return false end
  local is_folder, other = internal.is_folder(path)
  return not is_folder and other == nil
end

-- Appends the files that match, sorted by their bytes, without folders.
local function add_matches(raise, list, pattern)
  local found, reason = internal.glob(pattern)
  if not found then
    raise("cannot look for '%s': %s", pattern, reason)
  elseif #found == 0 then
    raise("no file matches '%s', and none has that name", pattern)
  end
  for _, path in ipairs(found) do list[#list + 1] = path end
end

-- The items of a list, the argument of that name, whose patterns have become paths. takes(item)
-- says whether an item that is no string may stand there, and `what` what may, in words.
function paths.items(raise, name, given, takes, what)
  local items = {}
  local surplus = declare.surplus(given, #given)
  if surplus then raise("'%s' must be a list of %s, and has %s", name, what, surplus) end
  if #given == 0 then raise("'%s' is an empty list", name) end
  for i, item in ipairs(given) do
    if type(item) == "string" and paths.is_pattern(item) then
      add_matches(raise, items, item)
    elseif type(item) == "string" or takes(item) then
      items[#items + 1] = item
    else
      raise("'%s[%d]' must be one of %s, got %s", name, i, what, internal.describe(item))
    end
  end
  return items
end

local function takes_none() return false end

-- The paths that the argument `path` stands for: a pattern, or a list of paths and patterns; nil
-- for one path.
function paths.several(raise, given)
  if type(given) == "string" then
    if not paths.is_pattern(given) then return nil end
    given = {given}
  elseif type(given) ~= "table" then
    raise("'path' must be a path, a pattern or a list of paths, got %s", internal.describe(given))
  end
  return paths.items(raise, "path", given, takes_none, "paths")
end

-- Values by position before names are all items of the argument `list`: f{"a.csv", "b.csv", types =
-- t} is f({"a.csv", "b.csv"}, {types = t}). `needs` may name an argument that otherwise comes
-- second, and must then be among the names.
function paths.gather(list, needs)
  return function(...)
    local given = ...
    if select("#", ...) ~= 1 or type(given) ~= "table" or #given < 2 or given[list] ~= nil
      or needs and given[needs] == nil or not declare.surplus(given, #given) then
      return ...
    end
    local named = {[list] = {}}
    for key, value in pairs(given) do
      if type(key) == "number" then named[list][key] = value else named[key] = value end
    end
    return named
  end
end

return paths
