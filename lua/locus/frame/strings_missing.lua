-- SPDX-License-Identifier: MIT
-- String columns: "" is missing, and filled from its neighbours or by a value.
local core = require "locus.core"
local declare = require "locus.call.declare"
local internal = core.internal

return function(strings)
  local method = strings.method

  -- A column of the strings whose numbers are fill(ids, missing), the number of "".
  local function filled(c, ids, dictionary, fill)
    local missing = internal.dictionary_find(dictionary, "")
    return missing and strings.like(c, fill(ids, missing)) or c
  end

  -- ffill(limit), bfill(limit): missing strings become the last one before them, or the first
  -- behind them, that is not missing and at most `limit` rows away.
  for _, name in ipairs {"ffill", "bfill"} do
    method(name .. "(input:any, {limit:integer=nil})", function(ids, dictionary, c, limit)
      return filled(c, ids, dictionary, function(own, missing)
        return core[name](own, 1, {limit = limit, missing = missing})
      end)
    end, true)
  end

  -- fill_missing(value): the string, or those of a column of the same length, in the place of
  -- missing ones.
  method("fill_missing(input:any, value:any)", function(ids, dictionary, c, value)
    local missing = internal.dictionary_find(dictionary, "")
    if strings.is(value) then
      if #value ~= #ids then
        declare.raise("'value' must have %d rows, as the column, got %d", #ids, #value)
      end
      if not missing then return c end
      local others, names = strings.parts(value)
      local united, own = strings.unite {{ids, dictionary}, {others, names}}
      local empty = internal.dictionary_find(own, "")
      return strings.make(core.where(core.eq(united[1], empty), united[2], united[1]), own)
    end
    if type(value) ~= "string" then
      declare.raise("'value' must be a string or a string column, got %s", internal.describe(value))
    end
    if not missing then return c end
    local own, id = strings.with_name(dictionary, value)
    return strings.make(core.masked_fill(ids, core.eq(ids, missing), id), own)
  end, true)
end
