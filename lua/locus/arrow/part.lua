-- SPDX-License-Identifier: MIT
-- A part of an array of Arrow: `array`, `schema`, `first` and `count` of its elements; `there`,
-- bools that say which of them are there, nil if all are; whether it `is_dictionary`, whose unused
-- elements may be missing; the `column` that it becomes, and its `name` in errors. All parts share
-- `holder`, which owns the memory, and the caller's options, `missing` and `decimal`.
local core = require "locus.core"
local declare = require "locus.call.declare"
local frame = require "locus.frame.frame"
local structs = require "locus.arrow.structs"
local column = require "locus.frame.column"
local internal = core.internal

local place = structs.place
local part_of = {}

-- Elements of a buffer, counted from 0.
function part_of.elements(part, buffer, dtype, size, first, count)
  if count == 0 then return core.empty(0, {dtype = dtype, device = "cpu"}) end
  local address = part.array.buffers[buffer]
  if address == nil then declare.raise("%s has no elements in buffer %d", part.name, buffer) end
  return internal.arrow_view(structs.address(place(address, first * size)), part.holder, dtype,
    count)
end

-- Bits of a buffer, the lowest of each byte first, as bools.
function part_of.bits(part, buffer)
  local skipped = part.first % 8
  if part.count == 0 then return core.empty(0, {dtype = "bool", device = "cpu"}) end
  local bytes = part_of.elements(part, buffer, "uint8", 1, (part.first - skipped) / 8,
    math.ceil((skipped + part.count) / 8))
  local weights = core.tensor({1, 2, 4, 8, 16, 32, 64, 128}, {dtype = "uint8", device = "cpu"})
  local each = bytes:view(-1, 1):band(weights):ne(0):view(-1)
  return each[{{skipped + 1, skipped + part.count}}]
end

-- The bools `there` of a part.
function part_of.present(part)
  local array = part.array
  if part.count == 0 or array.null_count == 0 or array.n_buffers == 0 then return nil end
  if array.buffers[0] == nil then return nil end
  local there = part_of.bits(part, 0)
  return not there:all() and there:contiguous() or nil
end

-- The part for a schema and its array, one column. Without an array it is empty.
function part_of.child(parent, array, schema, name)
  local part = {array = array, schema = schema, holder = parent.holder, missing = parent.missing,
                decimal = parent.decimal, first = 0, count = 0, name = parent.name,
                column = parent.column}
  if name then part.name, part.column = ("the column '%s'"):format(name), name end
  if array == nil then return part end
  part.first, part.count = tonumber(array.offset), tonumber(array.length)
  if part.first < 0 or part.count < 0 then
    declare.raise("%s has a length or an offset below 0", part.name)
  end
  return part
end

-- -- What is missing -----------------------------------------------------------------------------

-- The caller's value for missing elements of the column, if it is for columns like this one: a
-- string for strings, else a number or a boolean.
function part_of.stand_in(part, is_text)
  local missing = part.missing
  if type(missing) == "table" then return missing[part.column] end
  if (type(missing) == "string") == is_text then return missing end
end

local function raise_lacking(part, value, dtype)
  local lacking = frame.count(part.count - part.there:sum(), "value")
  if value ~= nil then
    declare.raise("%s lacks %s, and 'missing' is %s, which %s cannot hold", part.name, lacking,
      internal.describe(value), dtype)
  end
  declare.raise("%s lacks %s; give a value for missing ones: missing = %s", part.name, lacking,
    part.column and ("{%s = value}"):format(part.column) or "value")
end

-- The values, where none is missing any longer.
function part_of.filled(part, values)
  local there = part.there
  if not there or part.is_dictionary then return values end
  local dtype = internal.dtype_of(values)
  local is_float, value = dtype:find "^float" ~= nil, part_of.stand_in(part, false)
  local fits = value ~= nil and column.filling(value, dtype)
  if value == nil and is_float then value, fits = 0 / 0, true end
  if not fits then raise_lacking(part, value, dtype) end
  return values:masked_fill(there:logical_not(), value)
end

return part_of
