-- SPDX-License-Identifier: MIT
-- String columns beside strings or other columns: eq, ne, by numbers; lt, le, gt, ge by bytes.
local core = require "locus.core"
local declare = require "locus.call.declare"
local internal = core.internal

return function(strings)
  local method = strings.method

  -- Raises where a value is neither.
  local function check_other(other)
    if strings.is(other) then return end
    declare.raise("'other' must be a string or a string column, got %s", internal.describe(other))
  end

  -- Equality: a string that is no name has an id that no row has.
  for _, name in ipairs {"eq", "ne"} do
    method(name .. "(input:any, other:any)", function(ids, dictionary, c, other)
      if type(other) == "string" then
        return strings.equal(c, internal.dictionary_find(dictionary, other) or 0, name == "ne")
      end
      check_other(other)
      local count = internal.dictionary_count(dictionary)
      local other_ids, own = strings.parts(other)
      if own ~= dictionary then
        other_ids = strings.by_name(other_ids, internal.dictionary_translate(own, dictionary))
      end
      if not strings.is_watched(c) and not strings.is_watched(other) then
        return core[name](ids, other_ids)
      end
      return internal.compare_ids(ids, other_ids, count, own == dictionary and count or nil,
        name == "ne")
    end, true)
  end

  -- Order, by bytes.
  for _, name in ipairs {"lt", "le", "gt", "ge"} do
    method(name .. "(input:any, other:any)", function(ids, dictionary, other)
      if type(other) == "string" then
        return strings.by_name(ids, core[name](internal.dictionary_compare(dictionary, other), 0))
      end
      check_other(other)
      local columns = {{ids, dictionary}, {strings.parts(other)}}
      local united, both = {ids, columns[2][1]}, dictionary
      if columns[2][2] ~= dictionary then united, both = strings.unite(columns) end
      return core[name](strings.ranks(united[1], both), strings.ranks(united[2], both))
    end)
  end
end
