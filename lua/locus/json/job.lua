-- SPDX-License-Identifier: MIT
-- Jobs whose records are JSON objects: the keys that become columns, from `types` or from the text.
local core = require "locus.core"
local declare = require "locus.call.declare"
local job = require "locus.frame.job"
local places = require "locus.json.places"
local types = require "locus.frame.types"
local internal = core.internal

local json = setmetatable({}, {__index = job})
json.__index = json

-- The most columns, and the records whose keys decide the order of columns.
local MOST, GLANCE = 4096, 100

-- -- Keys of the text -----------------------------------------------------------------------------

-- The places that the text's records have, as places.leaves gives them.
function json:found()
  local keys, parents, seen, counts, records, more = internal.reader_found(self.reader)
  if more then
    self.raise("%s has more than %d keys; name those that you want by 'types'", self.source.place,
      #keys)
  end
  return places.leaves(keys, parents, seen, counts, records)
end

-- Those of the first records.
function json:glance()
  internal.reader_note(self.reader)
  while internal.reader_glance(self.reader, GLANCE) ~= "full" and self:fill() do end
  return self:found()
end

-- Those of all records, `most` at the utmost, which are then to be read again.
function json:examine(most)
  if not self.source.rewind then
    self.raise("'types' must give the type of each column: %s cannot be read twice",
      self.source.place)
  end
  internal.reader_note(self.reader)
  self:read_rows(most)
  local leaves = self:found()
  self:begin_again()
  return leaves
end

-- -- Columns --------------------------------------------------------------------------------------

-- A type in the form of the other readers, without its path; a bool has JSON's own words.
local function plain(spec)
  if spec == "bool" then return {"bool", "true", "false"} end
  if type(spec) ~= "table" then return spec end
  local copy = {}
  for key, value in pairs(spec) do copy[key] = value end
  copy.path = nil
  if copy[1] == "bool" and copy[2] == nil and copy[3] == nil then
    copy[2], copy[3] = "true", "false"
  end
  return copy
end

-- The path of a column with that type.
function json:path_of(name, spec)
  if type(name) ~= "string" then
    self.raise("'types' must name each column, and has %s", internal.describe(name))
  end
  local path = type(spec) == "table" and spec.path or name
  if type(path) == "string" and path ~= "" then return path end
  self.raise("'types': column '%s' has the path %s; write path = \"user.name\"",
    declare.shown(name), internal.describe(path))
end

-- The column of a name, for its type of `types`, and the steps of its path.
function json:typed(name, spec)
  local path = self:path_of(name, spec)
  local function raise(format, ...)
    self.raise("'types': column '%s' " .. format, declare.shown(name), ...)
  end
  local entry = types.read(plain(spec), ".", raise)
  if not entry then return nil end
  if type(spec) == "table" then entry.spec = spec end
  entry.path = path
  return entry, places.split(path)
    or raise("has a path of more than %d keys", places.DEEP)
end

function json:add(name, entry, place)
  self.names[#self.names + 1] = name
  self.entries[#self.names] = entry
  self.slots[#self.names] = place
end

-- The names of `types` in the order of the text's first records, then those that these lack.
function json:order_of_types()
  local leaves, at, list = self:glance(), {}, {}
  for i, leaf in ipairs(leaves) do at[leaf.name] = at[leaf.name] or i end
  for name, spec in pairs(self.options.types) do
    local path = self:path_of(name, spec)
    list[#list + 1] = {name = name, at = at[path] or places.first(leaves, path) or math.huge}
  end
  table.sort(list, function(a, b)
    if a.at ~= b.at then return a.at < b.at end
    return a.name < b.name
  end)
  for i, item in ipairs(list) do list[i] = item.name end
  return list
end

function json:check_count(count)
  if count <= MOST then return end
  self.raise("%s has %d columns, and at most %d can be read; name those that you want by 'types' "
    .. "or 'columns'", self.source.place, count, MOST)
end

-- All columns have types of the caller.
function json:plan_types(names)
  for _, name in ipairs(names) do
    local entry, path = self:typed(name, self.options.types[name])
    if entry then self:add(name, entry, self.tree:path(path)) end
  end
end

-- The names of the text's columns, with those of `types`: in the place of their paths, else last.
function json:with_types(names)
  local given, by_path, list, added = self.options.types or {}, {}, {}, {}
  for name, spec in pairs(given) do
    local path = self:path_of(name, spec)
    by_path[path] = by_path[path] or {}
    table.insert(by_path[path], name)
  end
  local function add(path)
    table.sort(by_path[path])
    for _, name in ipairs(by_path[path]) do
      if not added[name] then list[#list + 1] = name end
      added[name] = true
    end
    by_path[path] = nil
  end
  for _, name in ipairs(names) do
    if by_path[name] then add(name)
    elseif not given[name] then list[#list + 1] = name end
  end
  local rest = {}
  for path in pairs(by_path) do rest[#rest + 1] = path end
  table.sort(rest)
  for _, path in ipairs(rest) do add(path) end
  return list
end

-- The text decides, for all columns or for those that `types` leaves out.
function json:plan_guesses(most)
  local leaves, known, names = self:examine(most), {}, {}
  local chosen, given = self.options.columns, self.options.types or {}
  for _, leaf in ipairs(leaves) do
    if not known[leaf.name] then names[#names + 1] = leaf.name end
    known[leaf.name] = places.merge(known[leaf.name], leaf)
  end
  self.names = names -- for the advice
  for _, name in ipairs(chosen or {}) do
    if not given[name] then self:check_known("columns", name, known) end
  end
  self.names = {}
  names = chosen or self:with_types(names)
  self:check_count(#names)
  for _, name in ipairs(names) do
    if given[name] then
      self:plan_types{name}
    else
      local entry = types.read(plain(places.type_of(known[name])), ".", self.raise)
      entry.path = name
      self:add(name, entry, self.tree:chains(known[name]))
    end
  end
end

local function has_all(names, given)
  for _, name in ipairs(names) do
    if given[name] == nil then return false end
  end
  return true
end

-- Decides the columns and their order.
function json:plan(most)
  self:open()
  self:begin()
  self.names, self.entries, self.slots, self.tree = {}, {}, {}, places.tree()
  local given, chosen = self.options.types, self.options.columns
  if given and (chosen and has_all(chosen, given) or not chosen and not self.options.rest) then
    local order = self:order_of_types()
    self:check_count(#(chosen or order))
    self:plan_types(chosen or order)
  else
    self:plan_guesses(most)
  end
  self.order = {unpack(self.names)}
  for _, name in ipairs(self.names) do
    if name == self.options.path then
      self.raise("'path' is '%s', and %s has a column of that name", name, self.source.place)
    end
  end
end

-- Tells the reader.
function json:set_program()
  local fields = {}
  for i, entry in ipairs(self.entries) do
    fields[i] = {column = entry.column, slot = self.slots[i] - 1}
  end
  internal.reader_program(self.reader, fields)
  internal.reader_keys(self.reader, self.tree.places, self.tree.slots)
end

-- All types are known before the rows are read.
function json.resolve_guesses() return nil end

-- No line is text with another separator.
function json.separator_advice() return "" end

return json
