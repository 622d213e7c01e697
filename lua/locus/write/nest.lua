-- SPDX-License-Identifier: MIT
-- Columns `a.b` as members of nested objects of JSON.
local declare = require "locus.call.declare"
local raise = declare.raise

local nest = {}

local DEEPEST = 100 -- objects in each other, which most readers take

-- Adds a name to the tree of objects: each has a list of {key, name} and {key, object}, and `by`
-- key the item.
local function add(root, name)
  local at, depth = root, 0
  local path, last = name:match("^(.*)%.([^.]*)$")
  for key in ((path or "") .. (path and "." or "")):gmatch("([^.]*)%.") do
    local item = at.by[key]
    if not item then
      item = {key = key, object = {by = {}}}
      at.by[key], at[#at + 1] = item, item
    elseif item.name then
      raise("columns '%s' and '%s' cannot be nested: the first is a value where the second needs "
        .. "an object", declare.shown(item.name), declare.shown(name))
    end
    at, depth = item.object, depth + 1
  end
  if depth > DEEPEST then
    raise("column '%s' would be nested %d deep, at most %d are written", declare.shown(name), depth,
      DEEPEST)
  end
  last = last or name
  if at.by[last] then
    raise("columns '%s' and those that begin with '%s.' cannot be nested: the first is a value "
      .. "where the others need an object", declare.shown(name), declare.shown(name))
  end
  local item = {key = last, name = name}
  at.by[last], at[#at + 1] = item, item
end

-- The names in the order in which they are written, members of an object side by side; what stands
-- before each value: {closes, opens, key}, as text_key of src/text/write/writer.h; and how many
-- braces end the last object. key(name) is a name as a key.
function nest.plan(names, key)
  local root, order, keys = {by = {}}, {}, {}
  local closes, opens = 0, ""
  for _, name in ipairs(names) do add(root, name) end

  local function walk(object)
    for _, item in ipairs(object) do
      if item.name then
        order[#order + 1] = item.name
        keys[#keys + 1] = {closes = closes, opens = opens, key = key(item.key)}
        closes, opens = 0, ""
      else
        opens = opens .. key(item.key) .. "{"
        walk(item.object)
        closes = closes + 1
      end
    end
  end
  walk(root)
  return order, keys, closes
end

return nest
