-- SPDX-License-Identifier: MIT
-- The option `missing` of from_arrow and from_arrow_stream: whether it is for such an array. One
-- value is for each column that can hold it, alone or in a frame; a table has values by column.
local core = require "locus.core"
local column = require "locus.frame.column"
local declare = require "locus.call.declare"
local kinds = require "locus.tensor.kind"
local quantity = require "locus.tensor.quantity"
local strings = require "locus.frame.strings"
local structs = require "locus.arrow.structs"
local internal = core.internal

-- Whether nothing in it has a value: such a column takes any.
local function is_null(schema)
  while schema.dictionary ~= nil do schema = schema.dictionary end
  return schema.format ~= nil and structs.string(schema.format) == "n"
end

local scalars = {number = true, boolean = true, cdata = true}

local function check_scalar(missing)
  if scalars[type(missing)] or type(missing) == "string" then return end
  declare.raise("'missing' must be a number, a boolean, a string or a table by column, got %s",
    internal.describe(missing))
end

-- Raises unless the value may stand in a column like this one.
local function check_value(value, values, schema, what)
  if is_null(schema) then return check_scalar(value) end
  local is_text = strings.is(values)
  if is_text and type(value) ~= "string" or not is_text and not scalars[type(value)] then
    declare.raise("'missing' must be a %s for %s, got %s",
      is_text and "string" or "number or a boolean", what, internal.describe(value))
  end
  local kind = quantity.is and quantity.is(value) and quantity.parts(value)
  if kind and kind ~= kinds.of(values) then
    declare.raise("'missing' is %s, a %s%s, and %s is another; write v:as_unit(...) or a number",
      internal.describe(value), kind.type, kind.unit and " in " .. kind.unit or "", what)
  end
  if is_text or column.filling(value, internal.dtype_of(values)) then return end
  declare.raise("'missing' is %s for %s, which %s cannot hold", internal.describe(value), what,
    internal.dtype_of(values))
end

-- The names of a frame's columns, and their schemas by name.
local function columns_of(schema)
  local names, below = {}, {}
  for i = 1, tonumber(schema.n_children) do
    local child = schema.children[i - 1]
    names[i] = child.name ~= nil and structs.string(child.name) or ""
    below[names[i]] = child
  end
  return names, below
end

local function check_by_column(missing, frame, names, below)
  for name in pairs(missing) do
    if not below[name] then
      declare.raise("'missing' names the column '%s', and the frame has %s", declare.shown(name),
        #names > 0 and "'" .. table.concat(names, "', '") .. "'" or "none")
    end
  end
  for name, value in pairs(missing) do
    check_value(value, frame:column(name), below[name], ("the column '%s'"):format(name))
  end
end

-- For one value for all columns: whether one of them can hold it.
local function check_for_all(missing, frame, names, below)
  if quantity.is and quantity.is(missing) then
    declare.raise("'missing' is %s; write it by column, missing = {time = ...}",
      internal.describe(missing))
  end
  for _, name in ipairs(names) do
    local values = frame:column(name)
    local is_text = strings.is(values)
    if is_null(below[name]) or is_text == (type(missing) == "string")
        and (is_text or column.filling(missing, internal.dtype_of(values))) then return end
  end
  if #names == 0 then return end
  declare.raise("'missing' is %s, which no column of the frame can hold",
    internal.describe(missing))
end

-- Raises if `missing` cannot serve such an array; empty() is that array without rows.
return function(missing, schema, empty)
  if missing == nil or schema.format == nil then return end
  local is_frame = structs.string(schema.format) == "+s"
  if type(missing) ~= "table" then
    check_scalar(missing)
  elseif not is_frame then
    declare.raise("'missing' has values by column, and 'array' is no frame; write missing = value")
  end
  if not is_frame then return check_value(missing, empty(), schema, "'array'") end
  local names, below = columns_of(schema)
  if type(missing) == "table" then
    return check_by_column(missing, empty(), names, below)
  end
  check_for_all(missing, empty(), names, below)
end
