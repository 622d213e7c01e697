-- SPDX-License-Identifier: MIT
-- The option `missing` of from_arrow and from_arrow_stream: whether it is for such an array.
local core = require "locus.core"
local column = require "locus.frame.column"
local declare = require "locus.call.declare"
local strings = require "locus.frame.strings"
local structs = require "locus.arrow.structs"
local internal = core.internal

-- Whether a missing element has a value of its own in a column: "float" and "string" do.
local function kind_of(schema)
  while schema.dictionary ~= nil do schema = schema.dictionary end
  local format = schema.format ~= nil and structs.string(schema.format) or ""
  return format:find "^[efg]$" and "float" or format:find "^v?[uUzZ]$" and "string" or "other"
end

local scalars = {number = true, boolean = true, cdata = true}

local function check_scalar(missing)
  if scalars[type(missing)] then return end
  declare.raise("'missing' must be a number, a boolean or a table by column, got %s",
    internal.describe_number(missing))
end

-- For a frame: the names of its columns, and whether one needs to be told.
local function columns_of(schema)
  local names, known, needy = {}, {}, false
  for i = 1, tonumber(schema.n_children) do
    local below = schema.children[i - 1]
    names[i] = below.name ~= nil and structs.string(below.name) or ""
    known[names[i]] = true
    needy = needy or kind_of(below) == "other"
  end
  return names, known, needy
end

-- Raises unless the value may stand in a column like this one.
local function check_value(value, values, what)
  local is_text = strings.is(values)
  if is_text and type(value) ~= "string" or not is_text and not scalars[type(value)] then
    declare.raise("'missing' must be a %s for %s, got %s",
      is_text and "string" or "number or a boolean", what, internal.describe(value))
  end
  if is_text or column.filling(value, internal.dtype_of(values)) then return end
  declare.raise("'missing' is %s for %s, which %s cannot hold", internal.describe(value), what,
    internal.dtype_of(values))
end

local function check_by_column(missing, names, known)
  for name in pairs(missing) do
    if not known[name] then
      declare.raise("'missing' names the column '%s', and the frame has %s", declare.shown(name),
        #names > 0 and "'" .. table.concat(names, "', '") .. "'" or "none")
    end
  end
end

-- For one value for all columns that need one: whether one of them can hold it.
local function check_for_all(missing, frame)
  for _, name in ipairs(frame:columns()) do
    local values = frame:column(name)
    local dtype = core.is_tensor(values) and internal.dtype_of(values) or "float"
    if not dtype:find "^float" and column.filling(missing, dtype) then return end
  end
  declare.raise("'missing' is %s, which no column of the frame that needs it can hold",
    internal.describe(missing))
end

local function check_frame(missing, schema, empty)
  local names, known, needy = columns_of(schema)
  if type(missing) == "table" then
    check_by_column(missing, names, known)
    local frame = empty()
    for name, value in pairs(missing) do
      check_value(value, frame:column(name), ("the column '%s'"):format(name))
    end
    return
  end
  check_scalar(missing)
  if not needy and #names > 0 then
    declare.raise("'missing' is one value, but floats have NaN for missing values and strings "
      .. "\"\"; name the columns that it is for: missing = {%s = value}", names[1])
  end
  if needy then check_for_all(missing, empty()) end
end

-- Raises if `missing` cannot serve such an array; empty() is that array without rows.
return function(missing, schema, empty)
  if missing == nil or schema.format == nil then return end
  if structs.string(schema.format) == "+s" then return check_frame(missing, schema, empty) end
  if type(missing) == "table" then
    declare.raise("'missing' has values by column, and 'array' is no frame; write missing = value")
  end
  if kind_of(schema) ~= "string" then check_scalar(missing) end
  check_value(missing, empty(), "'array'")
end
