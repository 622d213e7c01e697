-- SPDX-License-Identifier: MIT
-- Rows of a frame by position. The positions are checked once, and all columns are gathered in one
-- job, side by side.
local column = require "locus.frame.column"
local core = require "locus.core"
local declare = require "locus.call.declare"
local kinds = require "locus.tensor.kind"
local strings = require "locus.frame.strings"
local internal = core.internal

local gather = {}

-- The columns of a frame's state, by name, at the positions of an index tensor, as c[positions]
-- gives each.
function gather.at(state, positions)
  local tensors, columns = {}, {}
  for i, name in ipairs(state.names) do tensors[i] = column.parts(state.columns[name]) end
  if #tensors == 0 then return columns end
  for i, taken in ipairs(internal.index_columns(tensors, positions)) do
    local name = state.names[i]
    local c = state.columns[name]
    columns[name] = strings.is(c) and strings.like(c, taken) or taken
  end
  return columns
end

local function check_missing(name, missing)
  if type(missing) == "number" or type(missing) == "boolean" or type(missing) == "cdata"
    or core.is_tensor(missing) then
    return
  end
  declare.raise("'missing' of the column '%s' must be a number, got %s", name,
    internal.describe_number(missing))
end

-- A time as text or in another unit, as a 0-d tensor of the column's kind.
local NAMED = {string = true, cdata = true}
local function read_missing(name, value, kind)
  return internal.with_meanings(value, kind.number, "missing." .. name)
end

-- The same as c:take(positions, missing, {base=}) gives each; missing(name, c): its value for
-- nothing found, or nil.
function gather.take(state, positions, missing, base)
  local tensors, values, finish, columns = {}, {}, {}, {}
  for i, name in ipairs(state.names) do
    local c = state.columns[name]
    local value = missing(name, c)
    if strings.is(c) then
      tensors[i], values[i], finish[i] = strings.taking(c, value, name)
    else
      local kind = kinds.of(c)
      if kind and NAMED[type(value)] then value = read_missing(name, value, kind) end
      if value ~= nil then check_missing(name, value) end
      tensors[i], values[i] = c, value
    end
  end
  if #tensors == 0 then return columns end
  for i, taken in ipairs(internal.take_columns(tensors, positions, values, base)) do
    columns[state.names[i]] = finish[i] and finish[i](taken, positions, base) or taken
  end
  return columns
end

return gather
