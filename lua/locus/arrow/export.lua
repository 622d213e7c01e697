-- SPDX-License-Identifier: MIT
-- Columns and frames for other libraries, by Arrow's C data interface. Elements are shared if Arrow
-- has the same bytes; bools are packed into bits, dates become int32, and the ids of strings are
-- written again, counted from 0.
local core = require "locus.core"
local column = require "locus.frame.column"
local declare = require "locus.call.declare"
local frame = require "locus.frame.frame"
local kinds = require "locus.tensor.kind"
local strings = require "locus.frame.strings"
local structs = require "locus.arrow.structs"
local internal = core.internal

local FORMATS = {int8 = "c", uint8 = "C", int16 = "s", int32 = "i", int64 = "l", float16 = "e",
                 float32 = "f", float64 = "g"}
local UNITS = {["date "] = "tdD"} -- by type and unit of the kind
for unit in ("s ms us ns"):gmatch("%a+") do
  UNITS["time " .. unit] = "ts" .. unit:sub(1, 1) .. ":"
  UNITS["duration " .. unit] = "tD" .. unit:sub(1, 1)
end

-- Fills a schema and an array that count as released; children and dictionary are the caller's to
-- fill. part: format, name, length, buffers, children (how many), dictionary (whether), kind: what
-- a column of int64 means, as metadata, which import.lua reads.
local function fill(schema, array, part)
  internal.arrow_describe(structs.address(schema), part.format, part.name, part.children,
    part.dictionary, part.kind)
  internal.arrow_export(structs.address(array), part.length, part.buffers, part.children,
    part.dictionary)
end

-- The bits of bools, the first one the lowest of its byte.
local function packed(bools)
  local bytes = math.ceil(#bools / 8)
  local bits = core.zeros(bytes * 8, {dtype = "uint8", device = "cpu"})
  bits[{{1, #bools}}] = bools
  local weights = core.tensor({1, 2, 4, 8, 16, 32, 64, 128}, {dtype = "uint8", device = "cpu"})
  return bits:view(bytes, 8):mul(weights):sum(2, {dtype = "uint8"})
end

-- The same elements in memory that an array can keep.
local function lasting(x)
  x = x:contiguous()
  return internal.arrow_can_keep(x) and x or x:clone()
end

local function in_days(days, name)
  if not days:equal(days:clamp(-2 ^ 31, 2 ^ 31 - 1)) then
    declare.raise("the column '%s' has dates that int32 cannot hold", name)
  end
  return days:int()
end

-- A kind as one word, "time us", for metadata.
local function said(kind) return kind and kind.type .. (kind.unit and " " .. kind.unit or "") end

local function tensor_part(x, kind, name)
  local dtype = internal.dtype_of(x)
  local format = kind and UNITS[kind.type .. " " .. (kind.unit or "")]
    or dtype == "bool" and "b" or FORMATS[dtype]
  if not format then
    declare.raise("%s is %s, which Arrow does not have; write x:to(dtype)",
      name == "" and "'input'" or ("the column '%s'"):format(name), dtype)
  end
  local values
  if format == "b" then values = packed(x)
  elseif format == "tdD" then values = in_days(x, name)
  else values = lasting(x) end
  return {format = format, name = name, length = #x, buffers = {false, values}, children = 0,
          dictionary = false, kind = said(kind)}
end

-- Ids counted from 0, into the texts of the dictionary's strings.
local function export_strings(schema, array, c, name)
  local ids, dictionary = strings.settled(c)
  if #ids < internal.dictionary_count(dictionary) then
    local united, own = strings.unite {{ids, dictionary}}
    ids, dictionary = united[1], own
  end
  local bytes, ends = internal.dictionary_texts(dictionary)
  local offsets = core.cat {core.zeros(1, {dtype = "int64", device = "cpu"}), ends}
  local wide, utf8 = #bytes >= 2 ^ 31, internal.is_utf8(dictionary)
  fill(schema, array, {format = "i", name = name, length = #ids, buffers = {false, ids - 1},
                       children = 0, dictionary = true})
  fill(schema.dictionary, array.dictionary, {
    format = utf8 and (wide and "U" or "u") or (wide and "Z" or "z"), name = "", length = #ends,
    buffers = {false, wide and offsets or offsets:int(), bytes}, children = 0, dictionary = false})
end

local function check_name(name)
  if name:find("%z") or not internal.is_utf8(name) then
    declare.raise("the name of a column must be UTF-8 without zero bytes, got %s",
      internal.describe(name))
  end
end

local function export_column(schema, array, c, kind, name)
  if column.device(c) ~= "cpu" then
    declare.raise("'%s' is on %s; write :to(\"cpu\") first", name == "" and "input" or name,
      column.device(c))
  end
  check_name(name)
  if strings.is(c) then return export_strings(schema, array, c, name) end
  fill(schema, array, tensor_part(c, kind, name))
end

local function export(f, ...)
  structs.need_ffi()
  local schema, array = structs.new "schema", structs.new "array"
  f(schema, array, ...)
  return array, schema
end

-- to_arrow(): two structs for another library in the same process: an ArrowArray over the elements,
-- and the ArrowSchema that describes it. Who imports them moves them elsewhere; what nobody has
-- moved is released by the collector. The storage stays until then. Elements are shared, but those
-- of bools, and those that do not lie side by side or belong to others (from_ptr). Errors: a tensor
-- that is not 1-D; bfloat16 and complex; a device other than the CPU.
-- Source: https://arrow.apache.org/docs/format/CDataInterface.html
declare.method("to_arrow(input:tensor)", function(input)
  if core.methods.dim(input) ~= 1 then
    declare.raise("'input' must be 1-D, got %s", internal.describe(input))
  end
  return export(export_column, input, kinds.of(input), "")
end)

-- The same of strings, as int32 indices into a dictionary of utf8, or of binary where not all are
-- UTF-8.
strings.method("to_arrow(input:any)", function(_, _, c)
  return export(export_column, c, nil, "")
end, true)

-- The same of a frame: a struct of its columns. Times are timestamps without a zone, dates date32,
-- durations durations, addresses int64; so are those of a tensor. Metadata says the kind. Errors: a
-- date that is no int32; a name that is not UTF-8.
frame.method("to_arrow(frame:any)", function(state)
  return export(function(schema, array)
    local names = state.names
    fill(schema, array, {format = "+s", name = "", length = state.rows, buffers = {false},
                         children = #names, dictionary = false})
    for i, name in ipairs(names) do
      export_column(schema.children[i - 1], array.children[i - 1], state.columns[name],
        state.kinds[name], name)
    end
  end)
end)

return {fill = fill, packed = packed, part = tensor_part, check_name = check_name}
