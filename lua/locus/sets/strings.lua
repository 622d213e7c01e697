-- SPDX-License-Identifier: MIT
-- Which strings a column has, and where: those functions of lua/locus/sets/sets.lua by names.
local core = require "locus.core"
local declare = require "locus.call.declare"
local numbers = require "locus.sets.sets"
local internal = core.internal

return function(strings)
  local method = strings.method

  -- The ids in `dictionary` of a list's strings or of a column's, 0 for those that it lacks.
  local function ids_in(dictionary, values, device)
    local ids, own = strings.settled(values)
    if not ids then
      own = internal.dictionary()
      ids = internal.dictionary_add_list(own, values, "values"):to(device)
    elseif ids.device ~= device then
      declare.raise("'values' must be on %s, like 'input', got one on %s", device, ids.device)
    end
    if own == dictionary then return ids end
    return strings.by_name(ids, internal.dictionary_translate(own, dictionary))
  end

  -- isin(values): whether each string is among those of a list or of another string column.
  method("isin(input:any, values:any)", function(ids, dictionary, values)
    local wanted = ids_in(dictionary, values, ids.device)
    local is_wanted = core.zeros(internal.dictionary_count(dictionary) + 1,
      {dtype = "bool", device = ids.device})
    is_wanted[wanted + 1] = true -- one place more, for strings that are no names
    return strings.by_name(ids, is_wanted[{{2, -1}}])
  end)

  -- lookup(values): the first position of each of the values, a string, a list or a string column;
  -- base - 1 where it does not stand in the column.
  method("lookup(input:any, values:any, {base=1})", function(ids, dictionary, values, base)
    local single = type(values) == "string"
    local wanted = ids_in(dictionary, single and {values} or values, ids.device)
    local _, firsts, found = internal.factorize(ids, wanted,
      internal.dictionary_count(dictionary))
    local positions = numbers.positions(found, firsts, base)
    return single and positions:item() or positions
  end)

  -- unique(): each string once, in order of first appearance, which is that of their numbers, or
  -- `sorted` by bytes. As in x:unique of tensors also the place of each string among these, the
  -- counts, and the first positions.
  method("unique(input:any, {sorted:boolean=false, return_inverse:boolean=false, "
    .. "return_counts:boolean=false, return_index:boolean=false, base=1})",
    function(ids, dictionary, sorted, return_inverse, return_counts, return_index, base)
      local united, own = strings.unite {{ids, dictionary}}
      local n = internal.dictionary_count(own)
      local names = core.arange(1, n + 1, {dtype = "int32", device = ids.device})
      local places = united[1]
      local firsts = return_index and select(2, internal.factorize(places))
      if sorted then
        local ranks = strings.ranks(names, own)
        names, places = core.argsort(ranks):int(), ranks[places]
        firsts = firsts and firsts[names]
      end
      return numbers.answers(strings.make(names, own),
        return_inverse and places:long() + (base - 1),
        return_counts and core.bincount(places, nil, n), firsts and firsts + (base - 1))
    end)

  -- unique_consecutive(): the same, but a string is left out only where it equals the one before.
  method("unique_consecutive(input:any, {return_inverse:boolean=false, "
    .. "return_counts:boolean=false, return_index:boolean=false, base=1})",
    function(ids, _, c, return_inverse, return_counts, return_index, base)
      local names, begins, counts, inverse = numbers.runs(ids, return_counts or return_index,
        return_inverse, base)
      return numbers.answers(strings.like(c, names), inverse, return_counts and counts,
        return_index and begins)
    end, true)
end
