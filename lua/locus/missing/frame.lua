-- SPDX-License-Identifier: MIT
-- Frames: missing values filled, and rows without them.
local core = require "locus.core"
local declare = require "locus.call.declare"
local missing = require "locus.missing.tensor"
local strings = require "locus.frame.strings"
local internal, methods = core.internal, core.methods

local types = select(2, internal.dtypes())

-- Where a column is missing, or nil if it cannot be.
local function missing_of(c)
  if strings.is(c) then
    local ids, dictionary = strings.parts(c)
    local empty = internal.dictionary_find(dictionary, "")
    return empty and core.eq(ids, empty)
  end
  local kind = types[internal.dtype_of(c)].kind
  return (kind == "FLOAT" or kind == "COMPLEX") and core.isnan(c) or nil
end

-- A number, or a column as long as the frame.
local function of_rows(state, value, what)
  if type(value) == "table" then value = core.tensor(value) end
  if not core.is_tensor(value) or methods.dim(value) == 1 and #value == state.rows then
    return value
  end
  declare.raise("%s must be one value or a column of %d rows, got %s", what, state.rows,
    internal.describe(value))
end

return function(frame)
  -- fill_missing{name = value, ...}: the frame with the value, or those of a column, in the place
  -- of what is missing in the column of that name: NaN, or "".
  local function fill(state, values)
    if type(values) ~= "table" then
      declare.raise("'values' must be a table {name = value}, got %s", internal.describe(values))
    elseif next(values) == nil then
      declare.raise("'values' must name a column, {name = value}")
    end
    local columns = {}
    for name, value in pairs(values) do
      if type(name) ~= "string" then
        declare.raise("'values' must be a table {name = value}, and names no column by %s",
          internal.describe(name))
      end
      local c, what = frame.column(state, name), ("the value of '%s'"):format(declare.shown(name))
      columns[name] = strings.is(c) and strings.fill_missing(c, value, what)
        or missing.fill(c, of_rows(state, value, what), what,
          ("the column '%s'"):format(declare.shown(name)))
    end
    for name, c in pairs(state.columns) do columns[name] = columns[name] or c end
    return frame.make(state.names, columns, state.kinds)
  end

  -- The table has names of columns, not of arguments.
  declare.add(frame.methods, declare.plain("fill_missing(frame, values)", function(f, values, ...)
    local state = frame.state(f)
    if not state then
      declare.raise("'frame' must be a frame, got %s; write f:fill_missing{name = value}",
        internal.describe(f))
    elseif select("#", ...) > 0 then
      declare.raise("takes one table {name = value}, got %s behind it", internal.describe((...)))
    end
    local filled = frame.ask(state, fill, values)
    return filled
  end))

  -- drop_missing("a", ...): the rows in which nothing is missing in these columns, or in any.
  frame.method("drop_missing(frame:any, names...=nil)", function(state, names)
    local lost
    for _, name in ipairs(names and #names > 0 and names or state.names) do
      local own = missing_of(frame.column(state, name))
      lost = lost and own and core.logical_or(lost, own) or lost or own
    end
    if not lost then return frame.make(state.names, state.columns, state.kinds) end
    return frame.at(state, (core.nonzero(methods.logical_not(lost), {as_tuple = true})))
  end)
end
