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

  -- The strings, and the value, a string or those of a column of the same length, in the place of
  -- missing ones; `what` names the value in errors.
  function strings.fill_missing(c, value, what)
    local ids, dictionary = strings.parts(c)
    local missing = internal.dictionary_find(dictionary, "")
    if strings.is(value) then
      if #value ~= #ids then
        declare.raise("%s must have %d rows, as the column, got %d", what, #ids, #value)
      end
      if not missing then return c end
      local united, own = strings.unite {{ids, dictionary}, {strings.parts(value)}}
      local empty = core.eq(united[1], internal.dictionary_find(own, ""))
      return strings.make(core.where(empty, united[2], united[1]), own)
    end
    if type(value) ~= "string" then
      declare.raise("%s must be a string or a string column, got %s", what,
        internal.describe(value))
    end
    if not missing then return c end
    local own, id = strings.with_name(dictionary, value)
    return strings.make(core.masked_fill(ids, core.eq(ids, missing), id), own)
  end

  -- fill_missing(value): the same as a method.
  method("fill_missing(input:any, value:any)", function(_, _, c, value)
    return strings.fill_missing(c, value, "'value'")
  end, true)
end
