-- SPDX-License-Identifier: MIT
-- Columns and frames from other libraries, by Arrow's C data interface.
local core = require "locus.core"
local by_format = require "locus.arrow.by_format"
local column = require "locus.frame.column"
local declare = require "locus.call.declare"
local check_missing = require "locus.arrow.missing"
local decimals = require "locus.arrow.decimals"
local extensions = require "locus.arrow.extensions"
local part_of = require "locus.arrow.part"
local strings = require "locus.frame.strings"
local structs = require "locus.arrow.structs"
local kinds = require "locus.tensor.kind"
local internal = core.internal

local read_column

-- Which rows there are, where the dictionary may lack some of its own elements: those that no row
-- uses say nothing.
local function rows_there(there, of_dictionary, indices)
  if not of_dictionary then return there end
  local used = core.take(of_dictionary, indices, false, {base = 0})
  return not used:all() and used or nil
end

-- The elements of a dictionary at indices.
local function read_encoded(part)
  local read, array = by_format.integers[structs.string(part.schema.format)], part.array
  local there = part.there
  if not read then declare.raise("%s has indices that are not integers", part.name) end
  if array and array.dictionary == nil then declare.raise("%s has no dictionary", part.name) end
  local dictionary = part_of.child(part, array and array.dictionary, part.schema.dictionary)
  dictionary.is_dictionary = true
  local values, kind = read_column(dictionary)
  part.there = nil
  local indices = read(part):long()
  local rows = column.rows(values)
  local past = indices:ge(rows):logical_or(indices:lt(0))
  if there then past = past:logical_and(there) end
  if past:any() then
    declare.raise("%s has indices past its dictionary of %d", part.name, rows)
  end
  if there then indices = indices:masked_fill(there:logical_not(), -1) end
  there = rows_there(there, dictionary.there, indices)
  part.there = there
  if there then indices = indices:masked_fill(there:logical_not(), -1) end
  if strings.is(values) then
    return values:take(indices, there and by_format.stand_in_string(part) or nil, {base = 0}), kind
  end
  return part_of.filled(part, core.take(values, indices, there and 0 or nil, {base = 0})), kind
end

-- The kind that our own export has written beside int64.
local function marked(part)
  local word, unit = (structs.metadata(part.schema)["locus.kind"] or ""):match "^(%w+) ?(%w*)$"
  return word and kinds.named(word, unit ~= "" and unit or nil)
end

-- A column, and its kind.
function read_column(part)
  part.there = part_of.present(part)
  part.extension = extensions.of(part)
  if part.schema.dictionary ~= nil then return read_encoded(part) end
  local values, kind = by_format.read(part)
  if structs.string(part.schema.format) == "l" then kind = kind or marked(part) end
  return values, kind
end

local function read_struct(part)
  local schema, array = part.schema, part.array
  local n = tonumber(schema.n_children)
  if array and tonumber(array.n_children) ~= n then
    declare.raise("'array' has %d columns, 'schema' %d", tonumber(array.n_children), n)
  end
  if part_of.present(part) then declare.raise("'array' has rows that are null; drop them first") end
  local columns = {}
  for i = 1, n do
    local below = schema.children[i - 1]
    local own = part_of.child(part, array and array.children[i - 1], below,
      below.name ~= nil and structs.string(below.name) or "")
    if array then
      if own.count < part.first + part.count then
        declare.raise("%s has %d rows, the frame %d", own.name, own.count, part.first + part.count)
      end
      own.first, own.count = own.first + part.first, part.count
    end
    local values, kind = read_column(own)
    columns[i] = {own.column, values, kind and {kind.type, unit = kind.unit}}
  end
  return core.frame(columns)
end

-- The value of an array and its schema; without an array, the same without rows. `options`: missing
-- and decimal.
local function read(array, schema, holder, options)
  if schema.format == nil then declare.raise("'schema' has no format") end
  local part = part_of.child({holder = holder, missing = options.missing,
                              decimal = options.decimal, name = "'array'"}, array, schema)
  if structs.string(schema.format) == "+s" then return read_struct(part) end
  local values, kind = read_column(part)
  return kind and kinds.tagged(values, kind) or values
end

-- The same, which takes the array over where all went well.
local function read_and_take(array, schema, options)
  local holder = internal.arrow_borrow()
  local made = read(array, schema, holder, options)
  internal.arrow_take(structs.address(array), holder)
  return made
end

-- The options, checked beside a schema.
local function check(schema, missing, decimal)
  decimals.check(decimal)
  local options = {missing = missing, decimal = decimal}
  local none = {decimal = decimal}
  check_missing(missing, schema, function() return read(nil, schema, nil, none) end)
  return options
end

-- from_arrow(array, schema, {missing, decimal}): the contents of an ArrowArray and its ArrowSchema,
-- which then belong to the tensor: a 1-D tensor, a string column, or a frame of a struct's columns.
-- The array is released when the last tensor over its memory is gone; after an error both are still
-- the caller's. Elements are shared, read-only, except those of types that no dtype of ours has:
-- bools, dates, unsigned integers (int32 for uint16, int64 for uint32 and uint64), decimals,
-- strings. Missing values are NaN in floats, "" in strings, and else the value in `missing`: one
-- value, or values by column. Decimals with a scale are float64 with decimal = "float64". Errors: a
-- type without a column (lists); missing values without a replacement.
-- Source: https://arrow.apache.org/docs/format/CDataInterface.html
declare.func("from_arrow(array:any, schema:any, {missing:any=nil, decimal:any=nil})",
  function(array, schema, missing, decimal)
    structs.need_ffi()
    array, schema = structs.given(array, "array"), structs.given(schema, "schema")
    local made = read_and_take(array, schema, check(schema, missing, decimal))
    structs.release(schema)
    return made
  end)

-- -- Streams -------------------------------------------------------------------------------------

-- The error of a call of a stream's function.
local function check_stream(stream, status)
  if status == 0 then return end
  local said = stream.get_last_error(stream)
  declare.raise("'stream': %s", said ~= nil and structs.string(said) or "error " .. status)
end

local function is_float64(x) return core.is_tensor(x) and internal.dtype_of(x) == "float64" end

-- The same parts, where decimals that are whole numbers in some and past int64 in others are
-- float64 in all.
local function alike(parts)
  if core.is_tensor(parts[1]) then
    local floats = false
    for _, part in ipairs(parts) do floats = floats or is_float64(part) end
    for i, part in ipairs(parts) do parts[i] = floats and part:double() or part end
  elseif not strings.is(parts[1]) then
    for _, name in ipairs(parts[1]:columns()) do
      local columns = {}
      for i, part in ipairs(parts) do columns[i] = part:column(name) end
      for i, made in ipairs(alike(columns)) do
        if made ~= parts[i]:column(name) then parts[i] = parts[i]:with(name, made) end
      end
    end
  end
  return parts
end

-- from_arrow_stream(stream, {missing, decimal}): the same of an ArrowArrayStream, from its next
-- array to its last one, joined where there are several; it is released at the end, and after an
-- error still the caller's.
-- Source: https://arrow.apache.org/docs/format/CStreamInterface.html
declare.func("from_arrow_stream(stream:any, {missing:any=nil, decimal:any=nil})",
  function(stream, missing, decimal)
    structs.need_ffi()
    stream = structs.given(stream, "stream")
    local schema, parts = structs.new "schema", {}
    check_stream(stream, stream.get_schema(stream, schema))
    local options = check(schema, missing, decimal)
    while true do
      local array = structs.new "array"
      check_stream(stream, stream.get_next(stream, array))
      if array.release == nil then break end
      parts[#parts + 1] = read_and_take(array, schema, options)
    end
    if decimal and #parts > 1 then parts = alike(parts) end
    local made = parts[2] and core.cat(parts) or parts[1] or read(nil, schema, nil, options)
    structs.release(stream)
    return made
  end)
