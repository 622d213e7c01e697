-- SPDX-License-Identifier: MIT
-- Rows for a driver of ADBC, as an array of Arrow: strings lie one behind the other, not in a
-- dictionary, which not every driver reads; NaN and the values that stand for missing ones are
-- nulls. Durations are numbers, since SQLite has none, and others give intervals back, which have
-- months.
local core = require "locus.core"
local column = require "locus.frame.column"
local declare = require "locus.call.declare"
local export = require "locus.arrow.export"
local frame = require "locus.frame.frame"
local kinds = require "locus.tensor.kind"
local strings = require "locus.frame.strings"
local structs = require "locus.arrow.structs"
local internal = core.internal

local batch = {}

-- The dtypes that databases lack, and those that hold the same numbers.
local WIDER = {int8 = "int16", uint8 = "int16", float16 = "float32", bfloat16 = "float32"}

-- The strings of the ids, on the CPU, one behind the other: the bytes, and where each begins and
-- the last one ends, counted from 0.
local function texts(ids, dictionary)
  local all, ends = internal.dictionary_texts(dictionary)
  local zero = core.zeros(1, {dtype = "int64", device = "cpu"})
  local begins = core.cat {zero, ends}[{{1, #ends}}]
  local own, lengths = core.take(begins, ids), core.take(ends - begins, ids)
  local offsets = core.cat {zero, lengths:cumsum(1)}
  local total = offsets[#offsets]
  local skipped = core.repeat_interleave(own - offsets[{{1, #ids}}], lengths)
  local places = core.arange(0, total, {dtype = "int64", device = "cpu"}) + skipped
  return core.take(all, places, nil, {base = 0}), offsets
end

-- A text that is no UTF-8 is binary, and so are all of its column.
local function string_part(c, name, missing)
  local ids, dictionary = strings.settled(c)
  ids = ids:cpu()
  local utf8 = internal.is_utf8(dictionary)
  local id = missing ~= nil and internal.dictionary_find(dictionary, missing)
  local there = id and ids:ne(id)
  local bytes, offsets = texts(ids, dictionary)
  local wide = #bytes >= 2 ^ 31
  return {format = utf8 and (wide and "U" or "u") or (wide and "Z" or "z"), name = name,
          length = #ids, children = 0, dictionary = false, there = there,
          buffers = {false, wide and offsets or offsets:int(), bytes}}
end

local function number_part(x, kind, name, missing)
  x = x:cpu()
  if kind and kind.type == "duration" then x, kind = kinds.plain(x), nil end
  local dtype = internal.dtype_of(x)
  local wider = not kind and WIDER[dtype]
  local there = missing ~= nil and x:ne(missing)
  if dtype:find "float" then
    local is_number = x:isnan():logical_not()
    there = there and there:logical_and(is_number) or is_number
  end
  local part = export.part(wider and x:to(wider) or x, kind, name)
  part.there = there
  return part
end

-- A row of nulls, whose type is open.
local function null_part(name)
  return {format = "n", name = name, length = 1, buffers = {}, children = 0, dictionary = false}
end

-- Fills a struct of a child; the first buffer says which elements are there, where one is not.
local function fill(schema, array, part)
  local there = part.there
  local lacking = there and #there - there:sum() or 0
  if lacking > 0 then part.buffers[1] = export.packed(there) end
  export.fill(schema, array, part)
  array.null_count = part.format == "n" and part.length or lacking
  schema.flags = 2 -- ARROW_FLAG_NULLABLE
end

--- The array and schema of columns, each {name, column, kind, missing}, or {name} for a null; all
--- have that many rows.
function batch.of(columns, rows)
  local schema, array = structs.new "schema", structs.new "array"
  export.fill(schema, array, {format = "+s", name = "", length = rows, buffers = {false},
                              children = #columns, dictionary = false})
  for i, own in ipairs(columns) do
    local name, c, kind, missing = own[1], own[2], own[3], own.missing
    export.check_name(name)
    local part = c == nil and null_part(name) or strings.is(c) and string_part(c, name, missing)
      or number_part(c, kind, name, missing)
    fill(schema.children[i - 1], array.children[i - 1], part)
  end
  return array, schema
end

--- The columns of some rows of a frame, for batch.of. missing: by column, what is written as null.
function batch.columns(f, missing)
  local state, columns = frame.state(f), {}
  for i, name in ipairs(state.names) do
    columns[i] = {name, state.columns[name], state.kinds[name], missing = missing[name]}
  end
  return columns, state.rows
end

--- Raises unless `missing` names columns of the frame, and their values fit.
function batch.check_missing(f, missing)
  if missing == nil then return {} end
  if type(missing) ~= "table" then
    declare.raise("'missing' must be a table of values by column, got %s",
      internal.describe(missing))
  end
  local state = frame.state(f)
  for name, value in pairs(missing) do
    local c = state.columns[name]
    if c == nil then declare.raise("there is no column '%s' for 'missing'", declare.shown(name)) end
    local fits
    if strings.is(c) then fits = type(value) == "string"
    else fits = type(value) ~= "string" and column.filling(value, internal.dtype_of(c)) end
    if not fits then
      declare.raise("'missing' is %s for the column '%s', which is %s", internal.describe(value),
        name, column.type_text(c, state.kinds[name]))
    end
  end
  return missing
end

return batch
