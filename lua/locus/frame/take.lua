-- SPDX-License-Identifier: MIT
-- Rows by position; the position before the first one means nothing found.
local column = require "locus.frame.column"
local core = require "locus.core"
local declare = require "locus.call.declare"
local gather = require "locus.frame.gather"
local strings = require "locus.frame.strings"
local internal = core.internal

local types = select(2, internal.dtypes())

-- The default for nothing found in a column: NaN, ""; nil where its type has no such value.
local function usual(c)
  if strings.is(c) then return "" end
  local kind = types[internal.dtype_of(c)].kind
  return (kind == "FLOAT" or kind == "COMPLEX") and 0 / 0 or nil
end

return function(frame)
  -- The rows of a frame at these positions. missing, by name: a column's value for nothing found,
  -- else NaN and "". A column of integers, which has no such value, must find all.
  function frame.take(state, positions, missing, base)
    local lacks
    for name in pairs(missing) do frame.column(state, name) end
    return frame.make(state.names, gather.take(state, positions, function(name, c)
      local value = missing[name]
      if value == nil then value = usual(c) end
      if value ~= nil then return value end
      if lacks == nil then
        local none = core.eq(positions, base - 1)
        lacks = core.any(none)
        core.methods.free(none)
      end
      if lacks then
        declare.raise("a row of the column '%s' finds nothing, and %s has no NaN; write "
          .. "missing = {%s = ...}", name, column.type_text(c), name)
      end
    end, base), state.kinds)
  end

  -- take(positions, missing, {base=1}): the rows at these positions. `missing` is a value for every
  -- column, or a table of values by name; with it, position base - 1 gives a row of these. Columns
  -- that the table does not name have NaN or "" there; integers, which have neither, raise.
  frame.method("take(frame:any, positions:any, missing:any=nil, {base=1})",
    function(state, positions, missing, base)
      if type(positions) == "table" and state.names[1] then
        local device = column.device(state.columns[state.names[1]])
        positions = core.tensor(positions, {dtype = "int64", device = device})
      end
      if not core.is_tensor(positions) or core.methods.dim(positions) ~= 1 then
        declare.raise("'positions' must be a 1-D tensor or a list, got %s",
          internal.describe(positions))
      end
      if type(missing) == "table" then return frame.take(state, positions, missing, base) end
      local columns = gather.take(state, positions, function() return missing end, base)
      return frame.make(state.names, columns, state.kinds)
    end)

  -- Whether a table is one of values by column: it is empty or has a name that no argument has.
  local arguments = {positions = true, missing = true, base = true}
  local function is_by_column(given)
    if type(given) ~= "table" then return false end
    for name in pairs(given) do
      if not arguments[name] then return true end
    end
    return next(given) == nil
  end

  -- A table of values by column is not one of arguments: it must not come last.
  local named = frame.methods.take
  local function by_position(f, positions, ...)
    local taken
    if select("#", ...) == 1 and is_by_column(...) then taken = named(f, positions, ..., {})
    else taken = named(f, positions, ...) end
    return taken
  end
  frame.methods.take, declare.declared[by_position] = by_position, declare.declared[named]
end
