-- SPDX-License-Identifier: MIT
-- Sorting the rows of a frame by columns: a stable sort for each, from the last one to the first.
local column = require "locus.frame.column"
local core = require "locus.core"
local declare = require "locus.declare"
local strings = require "locus.frame.strings"
local internal = core.internal

local types = select(2, internal.dtypes())

-- The column that a key names, and whether it descends: "-time" does, unless a column has that
-- very name.
local function read_key(frame, state, key)
  local descending = key:sub(1, 1) == "-" and not state.columns[key]
  local name = descending and key:sub(2) or key
  return frame.column(state, name), descending, name
end

-- A tensor that sorts as the column does, and whether it descends still. Strings sort by their
-- bytes, that is by the ranks of their names. Floats that descend are negated: NaN stays last.
local function sortable(c, descending, name)
  if strings.is(c) then return strings.ranks(strings.parts(c)), descending end
  local kind = types[internal.dtype_of(c)].kind
  if kind == "COMPLEX" then
    declare.raise("the column '%s' is %s, and complex numbers have no order", name,
      internal.dtype_of(c))
  end
  if descending and kind == "FLOAT" then return core.neg(c), false end
  return c, descending
end

return function(frame)
  -- sort("sym"), sort{"sym", "-time"}: the rows in the order of these columns, the first one above
  -- all, a name with a minus descending. Equal rows stay in their order; NaN comes last, whichever
  -- way its column is sorted; strings sort by bytes.
  frame.method("sort(frame:any, names...)", function(state, keys)
    if #keys == 0 then declare.raise("'names' must hold the name of a column") end
    local positions
    for k = #keys, 1, -1 do
      local values, descending = sortable(read_key(frame, state, keys[k]))
      if positions then values = values[positions] end
      local order = core.argsort(values, 1, descending)
      positions = positions and positions[order] or order
    end
    return frame.map(state, function(c) return column.take(c, positions) end)
  end)
end
