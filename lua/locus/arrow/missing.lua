-- SPDX-License-Identifier: MIT
-- The option `missing` of from_arrow and from_arrow_stream: whether it is for such an array.
local declare = require "locus.declare"
local structs = require "locus.arrow.structs"
local internal = require("locus.core").internal

-- Whether what is missing has a value of its own in a column: "float" and "string" do.
local function kind_of(schema)
  while schema.dictionary ~= nil do schema = schema.dictionary end
  local format = schema.format ~= nil and structs.string(schema.format) or ""
  return format:find "^[efg]$" and "float" or format:find "^v?[uUzZ]$" and "string" or "other"
end

local scalars = {number = true, boolean = true, cdata = true}

local function check_scalar(missing)
  if scalars[type(missing)] then return end
  declare.raise("'missing' must be a number, a boolean or a table by column, got %s",
    internal.describe(missing))
end

-- Of a frame: the names of its columns, and whether one needs to be told.
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

local function check_by_column(missing, names, known)
  for name in pairs(missing) do
    if not known[name] then
      declare.raise("'missing' names the column '%s', and the frame has %s", declare.shown(name),
        #names > 0 and "'" .. table.concat(names, "', '") .. "'" or "none")
    end
  end
end

-- Raises where `missing` is nothing that may stand for what such an array lacks.
return function(missing, schema)
  if missing == nil or schema.format == nil then return end
  if structs.string(schema.format) == "+s" then
    local names, known, needy = columns_of(schema)
    if type(missing) == "table" then return check_by_column(missing, names, known) end
    check_scalar(missing)
    if needy or #names == 0 then return end
    declare.raise("'missing' is one value, but floats have NaN for what is missing and strings "
      .. "\"\"; name the columns that it is for: missing = {%s = value}", names[1])
  elseif type(missing) == "table" then
    declare.raise("'missing' has values by column, and 'array' is no frame; write missing = value")
  elseif kind_of(schema) ~= "string" then
    check_scalar(missing)
  elseif type(missing) ~= "string" then
    declare.raise("'missing' must be a string for a column of strings, got %s",
      internal.describe(missing))
  end
end
