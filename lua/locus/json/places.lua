-- SPDX-License-Identifier: MIT
-- Places in JSON objects: keys, keys of objects within them, and elements of arrays. A place has a
-- name, as "user.name" or "tags[0]"; a dot leads into an object, or is a part of the key: both are
-- found.
local places = {}

places.DEEP = 64 -- the most keys in a path

-- What the values at a place have been (json_seen of src/text/json/schema.h).
local NULL, BOOL, WIDE, FLOAT, HUGE, STRING, OBJECT, TEXT = 1, 2, 8, 16, 32, 64, 128, 512
local TIME, BARE, ZONED, FINE, FAR = 2048, 4096, 8192, 16384, 32768 -- of strings; FAR: SEEN_WIDE

local function has(seen, bit) return seen % (2 * bit) >= bit end

-- -- Paths ----------------------------------------------------------------------------------------

-- The steps of a path: {text=, index= (of an element; nil: a key)}; nil if they are too many.
function places.split(path)
  local steps = {}
  for part in (path .. "."):gmatch("([^.]*)%.") do
    local key, at = part, #steps + 1
    while key:find("%[%d+%]$") do
      local rest, index = key:match("^(.*)%[(%d+)%]$")
      table.insert(steps, at, {text = "[" .. index .. "]", index = tonumber(index)})
      key = rest
    end
    if key ~= "" or at > #steps then table.insert(steps, at, {text = key}) end
  end
  return #steps <= places.DEEP and steps or nil
end

-- The text of the steps from `first` to `last`.
local function joined(steps, first, last)
  local text = steps[first].text
  for i = first + 1, last do
    text = text .. (steps[i].index and "" or ".") .. steps[i].text
  end
  return text
end

-- -- Trees ----------------------------------------------------------------------------------------

-- The places that lead to columns, as internal.reader_keys wants them.
local tree = {}
tree.__index = tree

function places.tree()
  return setmetatable({places = {{names = {}, to = {}, indexes = {}, items = {}}}, slots = 0,
                       by_key = {{}}, by_text = {}}, tree)
end

function tree:new()
  local number = #self.places + 1
  self.places[number] = {names = {}, to = {}, indexes = {}, items = {}}
  self.by_key[number] = {}
  return number
end

function tree:slot(number)
  local place = self.places[number]
  if not place.slot then
    self.slots = self.slots + 1
    place.slot = self.slots
  end
  return place.slot
end

-- The place that the key of a place leads to; `to`: it leads there.
function tree:key(from, name, to)
  local found = self.by_key[from][name]
  if found then return found end
  local place = self.places[from]
  to = to or self:new()
  self.by_key[from][name] = to
  place.names[#place.names + 1], place.to[#place.to + 1] = name, to
  return to
end

function tree:item(from, index, to)
  local place, at = self.places[from], 1
  while place.indexes[at] and place.indexes[at] < index do at = at + 1 end
  if place.indexes[at] == index then return end
  table.insert(place.indexes, at, index)
  table.insert(place.items, at, to)
end

-- The slot of a path's value. Each part of it that may be one key leads on.
function tree:path(steps)
  local at = {[0] = 1}
  for last = 1, #steps do
    local text = joined(steps, 1, last)
    self.by_text[text] = self.by_text[text] or self:new()
    at[last] = self.by_text[text]
    if steps[last].index then self:item(at[last - 1], steps[last].index, at[last]) end
    for first = 1, last do
      if not steps[first].index then
        self:key(at[first - 1], joined(steps, first, last), at[last])
      end
    end
  end
  return self:slot(at[#steps])
end

-- The slot of a value that is found by any of these lists of keys.
function tree:chains(leaf)
  local slot
  for _, keys in ipairs(leaf.chains) do
    local at = 1
    for i = 1, #keys do
      local text = table.concat(keys, ".", 1, i)
      at = self:key(at, keys[i], self.by_text[text])
      self.by_text[text] = self.by_text[text] or at
    end
    if slot then self.places[at].slot = slot end
    slot = self:slot(at)
  end
  return slot
end

-- -- What the text has ----------------------------------------------------------------------------

-- The places that become columns, in their order: {name=, chains= (lists of keys that lead there),
-- seen=, missing= (not all records have it)}. Objects become the columns of their keys, unless
-- other values are in their place, too.
function places.leaves(keys, parents, seen, counts, records)
  local below, leaves = {}, {}
  for i = 1, #keys do
    local list = below[parents[i]] or {}
    below[parents[i]] = list
    if seen[i] > 0 then list[#list + 1] = i end
  end
  local function visit(list, chain)
    for _, i in ipairs(list) do
      local here = {}
      for k, key in ipairs(chain) do here[k] = key end
      here[#here + 1] = keys[i]
      local only_objects = seen[i] == OBJECT or seen[i] == OBJECT + NULL
      if only_objects and below[i] and #below[i] > 0 then
        visit(below[i], here)
      else
        leaves[#leaves + 1] = {name = table.concat(here, "."), chains = {here}, seen = seen[i],
                               missing = counts[i] < records}
      end
    end
  end
  visit(below[0] or {}, {})
  return leaves
end

-- Two places of the same name are one column: {"a.b": 1} and {"a": {"b": 1}}.
function places.merge(known, leaf)
  if not known then return leaf end
  for bit = 0, 15 do
    if has(leaf.seen, 2 ^ bit) and not has(known.seen, 2 ^ bit) then
      known.seen = known.seen + 2 ^ bit
    end
  end
  known.missing = true
  table.insert(known.chains, leaf.chains[1])
  return known
end

-- The type of strings, as read_csv guesses it (locus_guess_type).
local function type_of_strings(seen)
  if has(seen, TEXT) or has(seen, BARE) and has(seen, ZONED) then return "string" end
  if not has(seen, TIME) then return "date" end
  if not has(seen, FINE) then return "time" end
  return has(seen, FAR) and "string" or {"time", unit = "ns"}
end

-- The type that loses nothing.
function places.type_of(leaf)
  local seen = leaf.seen - (has(leaf.seen, NULL) and NULL or 0)
  if seen % TEXT == STRING and not leaf.missing then return type_of_strings(seen) end
  if seen == 0 then return "float64" end
  if seen == BOOL then return leaf.missing and "string" or "bool" end
  if seen >= HUGE or has(seen, BOOL) then return "string" end
  if not has(seen, FLOAT) and not leaf.missing then return "int64" end
  return has(seen, WIDE) and "string" or "float64"
end

-- The place in the list of the first column at the path or below it.
function places.first(leaves, path)
  local beginning = path:match("^[^%[]*") .. "."
  for i, leaf in ipairs(leaves) do
    if leaf.name .. "." == beginning or leaf.name:sub(1, #beginning) == beginning then return i end
  end
end

return places
