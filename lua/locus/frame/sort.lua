-- SPDX-License-Identifier: MIT
-- Sorting the rows of a frame by columns, and its rows that differ.
local argsort = require "locus.frame.argsort"
local core = require "locus.core"
local declare = require "locus.call.declare"
local keys_of = require "locus.frame.keys"
local strings = require "locus.frame.strings"
local internal = core.internal

local types = select(2, internal.dtypes())

-- The column that a key names, and whether it descends: "-time" does, unless a column is called
-- "-time".
local function read_key(frame, state, key)
  local descending = key:sub(1, 1) == "-" and not state.columns[key]
  local name = descending and key:sub(2) or key
  return frame.column(state, name), descending, name
end

-- A tensor that sorts as the column does, whether it still descends, and whether it is a copy.
-- Descending floats are negated, so that NaN stays last.
local function sortable(c, descending, name)
  if strings.is(c) then return argsort.sortable(c), descending end
  local kind = types[internal.dtype_of(c)].kind
  if kind == "COMPLEX" then
    declare.raise("the column '%s' is %s, and complex numbers have no order", name,
      internal.dtype_of(c))
  end
  if descending and kind == "FLOAT" then return core.neg(c), false, true end
  return c, descending
end

return function(frame)
  -- sort("sym"), sort{"sym", "-time"}: the rows in the order of these columns, the first one above
  -- all. A minus before a name means descending. Equal rows keep their order, NaN comes last in
  -- either direction, and strings sort by bytes.
  frame.method("sort(frame:any, names...)", function(state, names)
    if #names == 0 then declare.raise("'names' must hold the name of a column") end
    local keys, descending, copied = {}, {}, {}
    for k, name in ipairs(names) do
      keys[k], descending[k], copied[k] = sortable(read_key(frame, state, name))
    end
    local positions = argsort.by_keys(keys, descending)
    for k, key in ipairs(keys) do
      if copied[k] then core.methods.free(key) end
    end
    local sorted = frame.at(state, positions)
    core.methods.free(positions)
    return sorted
  end)

  -- unique("sym"), unique{"sym", "day"}: the first of the rows with equal values in these columns,
  -- in order of appearance. NaN equals NaN.
  frame.method("unique(frame:any, names...)", function(state, names)
    if #names == 0 then declare.raise("'names' must hold the name of a column") end
    local list = {}
    for k, name in ipairs(names) do list[k] = frame.column(state, name) end
    local _, firsts = keys_of.number(list)
    return frame.at(state, firsts)
  end)
end
