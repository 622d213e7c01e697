-- SPDX-License-Identifier: MIT
-- Columns and frames from other libraries, by Arrow's C data interface. Elements are shared,
-- read-only, where a dtype of ours has the same bytes and none is missing.
local core = require "locus.core"
local column = require "locus.frame.column"
local declare = require "locus.call.declare"
local check_missing = require "locus.arrow.missing"
local frame = require "locus.frame.frame"
local strings = require "locus.frame.strings"
local structs = require "locus.arrow.structs"
local kinds = require "locus.tensor.kind"
local internal = core.internal

local place = structs.place

-- -- Elements ------------------------------------------------------------------------------------

-- A part of an array: `array`, `schema`, `first` and `count` of its elements; `there`, bools that
-- say which of them are there, nil if all are; whether it `is_dictionary`, whose unused elements
-- may be missing; the `column` that it becomes, and its `name` in errors. All parts share `holder`,
-- which owns the memory, and `missing`.

-- Elements of a buffer, counted from 0.
local function elements(part, buffer, dtype, size, first, count)
  if count == 0 then return core.empty(0, {dtype = dtype, device = "cpu"}) end
  local address = part.array.buffers[buffer]
  if address == nil then declare.raise("%s has no elements in buffer %d", part.name, buffer) end
  return internal.arrow_view(structs.address(place(address, first * size)), part.holder, dtype,
    count)
end

-- Bits of a buffer, the lowest of each byte first, as bools.
local function bits(part, buffer)
  local skipped = part.first % 8
  if part.count == 0 then return core.empty(0, {dtype = "bool", device = "cpu"}) end
  local bytes = elements(part, buffer, "uint8", 1, (part.first - skipped) / 8,
    math.ceil((skipped + part.count) / 8))
  local weights = core.tensor({1, 2, 4, 8, 16, 32, 64, 128}, {dtype = "uint8", device = "cpu"})
  local each = bytes:view(-1, 1):band(weights):ne(0):view(-1)
  return each[{{skipped + 1, skipped + part.count}}]
end

-- The bools `there` of a part.
local function present(part)
  local array = part.array
  if part.count == 0 or array.null_count == 0 or array.n_buffers == 0 then return nil end
  if array.buffers[0] == nil then return nil end
  local there = bits(part, 0)
  return not there:all() and there:contiguous() or nil
end

-- The caller's value for missing elements of a column. One value for a frame is for columns that
-- have none of their own.
local function stand_in(part, has_own)
  local missing = part.missing
  if type(missing) == "table" then return missing[part.column] end
  if part.column == nil or not has_own then return missing end
end

local function filled(part, values)
  local there = part.there
  if not there or part.is_dictionary then return values end
  local is_float = internal.dtype_of(values):find "^float" ~= nil
  local value = stand_in(part, is_float)
  if value == nil and is_float then value = 0 / 0 end
  if value == nil then
    declare.raise("%s lacks %s; give a value for missing ones: missing = %s", part.name,
      frame.count(part.count - there:sum(), "value"),
      part.column and ("{%s = value}"):format(part.column) or "value")
  end
  return values:masked_fill(there:logical_not(), value)
end

local function fixed(dtype, size)
  return function(part)
    return filled(part, elements(part, 1, dtype, size, part.first, part.count))
  end
end

-- Unsigned integers, as signed ones that hold them all.
local function widened(dtype, size, method, mask)
  return function(part)
    local values = elements(part, 1, dtype, size, part.first, part.count)
    return filled(part, values[method](values):band(mask))
  end
end

local function uint64(part)
  local values = elements(part, 1, "int64", 8, part.first, part.count)
  local past = values:lt(0)
  if part.there then past = past:logical_and(part.there) end
  if past:any() then declare.raise("%s has values past 2^63 - 1", part.name) end
  return filled(part, values)
end

local function bool(part) return filled(part, bits(part, 1)) end

local function timed(kind, read)
  return function(part) return read(part), kind end
end

local int32, int64 = fixed("int32", 4), fixed("int64", 8)

local function date(part)
  local days = elements(part, 1, "int32", 4, part.first, part.count)
  return filled(part, days:long()), {type = "date"}
end

local integers = {c = fixed("int8", 1), C = fixed("uint8", 1), s = fixed("int16", 2), i = int32,
                  l = int64, S = widened("int16", 2, "int", 0xffff),
                  I = widened("int32", 4, "long", 0xffffffff), L = uint64}

-- -- Strings -------------------------------------------------------------------------------------

-- The replacement of a missing string.
local function stand_in_string(part)
  return stand_in(part, true) or ""
end

-- A column of those ids, where some are missing.
local function strings_of(part, ids, dictionary)
  if part.there and not part.is_dictionary then
    local id = internal.dictionary_add(dictionary, stand_in_string(part))
    ids = ids:masked_fill(part.there:logical_not(), id)
  end
  return strings.make(ids, dictionary)
end

-- Missing elements get the id of the empty string, which is added for them.
local function behind_offsets(dtype, size)
  return function(part)
    local dictionary = internal.dictionary()
    if part.count == 0 then
      return strings.make(core.empty(0, {dtype = "int32", device = "cpu"}), dictionary)
    end
    local offsets = elements(part, 1, dtype, size, part.first, part.count + 1)
    local last = offsets[part.count + 1]
    local bytes = elements(part, 2, "uint8", 1, 0, math.max(tonumber(last), 0))
    local ids = internal.dictionary_add_offsets(dictionary, offsets, bytes, part.there)
    return strings_of(part, ids, dictionary)
  end
end

local function views(part)
  local dictionary = internal.dictionary()
  if part.count == 0 then
    return strings.make(core.empty(0, {dtype = "int32", device = "cpu"}), dictionary)
  end
  local buffers = tonumber(part.array.n_buffers) - 3
  local addresses = core.empty(0, {dtype = "int64", device = "cpu"})
  if buffers > 0 then
    addresses = internal.arrow_view(structs.address(part.array.buffers + 2), part.holder, "int64",
      buffers)
  end
  local ids = internal.dictionary_add_views(dictionary,
    elements(part, 1, "int32", 4, 4 * part.first, 4 * part.count), addresses,
    elements(part, buffers + 2, "int64", 8, 0, buffers), part.there)
  return strings_of(part, ids, dictionary)
end

-- By the format of a schema: how many buffers there are, -1 for any number, and the function that
-- reads them.
local formats = {
  b = {2, bool}, e = {2, fixed("float16", 2)}, f = {2, fixed("float32", 4)},
  g = {2, fixed("float64", 8)}, tdD = {2, date},
  tdm = {2, timed({type = "time", unit = "ms"}, int64)},
  tts = {2, int32}, ttm = {2, int32}, ttu = {2, int64}, ttn = {2, int64},
  u = {3, behind_offsets("int32", 4)}, U = {3, behind_offsets("int64", 8)}, vu = {-1, views},
}
formats.z, formats.Z, formats.vz = formats.u, formats.U, formats.vu
for format, read in pairs(integers) do formats[format] = {2, read} end
for _, unit in ipairs {"s", "m", "u", "n"} do
  local word = unit == "s" and unit or unit .. "s"
  formats["tD" .. unit] = {2, timed({type = "duration", unit = word}, int64)}
  formats["ts" .. unit] = {2, timed({type = "time", unit = word}, int64)}
end

-- -- Arrays --------------------------------------------------------------------------------------

-- The part for a schema and its array, one column. Without an array it is empty.
local function child(parent, array, schema, name)
  local part = {array = array, schema = schema, holder = parent.holder, missing = parent.missing,
                first = 0, count = 0, name = parent.name, column = parent.column}
  if name then part.name, part.column = ("the column '%s'"):format(name), name end
  if array == nil then return part end
  part.first, part.count = tonumber(array.offset), tonumber(array.length)
  if part.first < 0 or part.count < 0 then
    declare.raise("%s has a length or an offset below 0", part.name)
  end
  return part
end

local function format_of(part) return structs.string(part.schema.format) end

local function read_plain(part)
  local format = format_of(part)
  local known = formats[format:match "^ts[smun]" or format]
  if not known then
    declare.raise("%s is of Arrow's format '%s', for which there is no column; cast it first",
      part.name, format:sub(1, 40))
  end
  local buffers = part.array and tonumber(part.array.n_buffers)
  if part.array and (known[1] < 0 and buffers < 3 or known[1] > 0 and buffers ~= known[1]) then
    declare.raise("%s has %d buffers, which are not those of format '%s'", part.name, buffers,
      format)
  end
  return known[2](part)
end

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
  local read, array, there = integers[format_of(part)], part.array, part.there
  if not read then declare.raise("%s has indices that are not integers", part.name) end
  if array and array.dictionary == nil then declare.raise("%s has no dictionary", part.name) end
  local dictionary = child(part, array and array.dictionary, part.schema.dictionary)
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
    return values:take(indices, there and stand_in_string(part) or nil, {base = 0}), kind
  end
  return filled(part, core.take(values, indices, there and 0 or nil, {base = 0})), kind
end

-- A column, and its kind.
function read_column(part)
  part.there = present(part)
  if part.schema.dictionary ~= nil then return read_encoded(part) end
  return read_plain(part)
end

local function read_struct(part)
  local schema, array = part.schema, part.array
  local n = tonumber(schema.n_children)
  if array and tonumber(array.n_children) ~= n then
    declare.raise("'array' has %d columns, 'schema' %d", tonumber(array.n_children), n)
  end
  if present(part) then declare.raise("'array' has rows that are null; drop them first") end
  local columns = {}
  for i = 1, n do
    local below = schema.children[i - 1]
    local own = child(part, array and array.children[i - 1], below,
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

-- The value of an array and its schema; without an array, the same without rows.
local function read(array, schema, holder, missing)
  if schema.format == nil then declare.raise("'schema' has no format") end
  local part = child({holder = holder, missing = missing, name = "'array'"}, array, schema)
  if format_of(part) == "+s" then return read_struct(part) end
  local values, kind = read_column(part)
  return kind and kinds.tagged(values, kind) or values
end

-- The same, which takes the array over where all went well.
local function read_and_take(array, schema, missing)
  local holder = internal.arrow_borrow()
  local made = read(array, schema, holder, missing)
  internal.arrow_take(structs.address(array), holder)
  return made
end

-- from_arrow(array, schema, {missing}): the contents of an ArrowArray and its ArrowSchema, which
-- then belong to the tensor: a 1-D tensor, a string column, or a frame of a struct's columns. The
-- array is released when the last tensor over its memory is gone; after an error both are still the
-- caller's. Elements are shared, read-only, except those of types that no dtype of ours has: bools,
-- dates, unsigned integers (int32 for uint16, int64 for uint32 and uint64), strings. Missing values
-- are NaN in floats, "" in strings, and else the value in `missing`: one value, or values by
-- column. Errors: a type without a column (lists, decimals); missing values without a replacement.
-- Source: https://arrow.apache.org/docs/format/CDataInterface.html
declare.func("from_arrow(array:any, schema:any, {missing:any=nil})",
  function(array, schema, missing)
    structs.need_ffi()
    array, schema = structs.given(array, "array"), structs.given(schema, "schema")
    check_missing(missing, schema, function() return read(nil, schema) end)
    local made = read_and_take(array, schema, missing)
    structs.release(schema)
    return made
  end)

-- The error of a call of a stream's function.
local function check_stream(stream, status)
  if status == 0 then return end
  local said = stream.get_last_error(stream)
  declare.raise("'stream': %s", said ~= nil and structs.string(said) or "error " .. status)
end

-- from_arrow_stream(stream, {missing}): the same of an ArrowArrayStream, from its next array to its
-- last one, joined where there are several; it is released at the end, and after an error still the
-- caller's.
-- Source: https://arrow.apache.org/docs/format/CStreamInterface.html
declare.func("from_arrow_stream(stream:any, {missing:any=nil})", function(stream, missing)
  structs.need_ffi()
  stream = structs.given(stream, "stream")
  local schema, parts = structs.new "schema", {}
  check_stream(stream, stream.get_schema(stream, schema))
  check_missing(missing, schema, function() return read(nil, schema) end)
  while true do
    local array = structs.new "array"
    check_stream(stream, stream.get_next(stream, array))
    if array.release == nil then break end
    parts[#parts + 1] = read_and_take(array, schema, missing)
  end
  local made = parts[2] and core.cat(parts) or parts[1] or read(nil, schema, nil, missing)
  structs.release(stream)
  return made
end)
