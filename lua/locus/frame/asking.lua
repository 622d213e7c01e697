-- SPDX-License-Identifier: MIT
-- String columns: match and map, which ask each name once.
local core = require "locus.core"
local declare = require "locus.call.declare"
local internal = core.internal

-- Finds the names that match the pattern. Compiled code may keep a function that pcall calls alive,
-- so this one holds no values.
local function matches(names, pattern)
  local found = {}
  for id, name in ipairs(names) do found[id] = name:find(pattern) ~= nil end
  return found
end

local kinds = {string = true, number = true, boolean = true, cdata = true} -- cdata: int64, complex

-- The results of f for each of the names, and the type that all of them have.
local function results_of(f, names)
  local results, kind = {}, nil
  for id, name in ipairs(names) do
    local result = declare.call(f, name)
    kind = kind or type(result)
    if type(result) ~= kind or not kinds[kind] then
      declare.raise("'f' must give strings, numbers or booleans, and one kind for all, got %s%s",
        internal.describe(result), id > 1 and " after " .. internal.describe(results[1]) or "")
    end
    results[id] = result
  end
  return results, kind
end

return function(strings)
  local method = strings.method

  -- match(pattern): where Lua's string.find finds the pattern, a bool mask.
  method("match(input:any, pattern:string)", function(ids, dictionary, pattern)
    ids, dictionary = strings.in_use(ids, dictionary)
    local ok, found = pcall(matches, internal.dictionary_names(dictionary), pattern)
    if not ok then declare.raise("'pattern': %s", tostring(found):gsub("^.-:%d+: ", "")) end
    return strings.by_name(ids, core.tensor(found, {dtype = "bool", device = "cpu"}))
  end)

  -- map(f, {dtype}): f(s) for each string. f is called once for each distinct string, in order of
  -- first appearance. The answer is a string column, a float64 tensor of numbers, a bool tensor, or
  -- a tensor of `dtype`, which also decides the type for an empty column.
  -- Errors: results that are none of these, or of more than one kind.
  method("map(input:any, f:function, {dtype=nil})", function(ids, dictionary, f, dtype)
    local united, own = strings.unite {{ids, dictionary}}
    local results, kind = results_of(f, internal.dictionary_names(own))
    if not dtype and (kind == "string" or not kind) then
      local mapped = internal.dictionary()
      local mapped_ids = internal.dictionary_add_list(mapped, results, "f")
      return strings.make(strings.by_name(united[1], mapped_ids), mapped)
    end
    dtype = dtype or kind == "number" and "float64" or nil
    return strings.by_name(united[1], core.tensor(results, {dtype = dtype, device = "cpu"}))
  end)
end
