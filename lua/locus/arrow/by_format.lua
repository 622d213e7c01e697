-- SPDX-License-Identifier: MIT
-- The values of a part of an array of Arrow (part.lua), by its format. Elements are shared,
-- read-only, where a dtype of ours has the same bytes and none is missing.
local core = require "locus.core"
local decimals = require "locus.arrow.decimals"
local extensions = require "locus.arrow.extensions"
local part_of = require "locus.arrow.part"
local strings = require "locus.frame.strings"
local structs = require "locus.arrow.structs"
local declare = require "locus.call.declare"
local unsigned = require "locus.tensor.unsigned"
local internal = core.internal

local elements, bits, filled = part_of.elements, part_of.bits, part_of.filled
local by_format = {}

local function fixed(dtype, size)
  return function(part)
    return filled(part, elements(part, 1, dtype, size, part.first, part.count))
  end
end

-- Unsigned integers, as signed ones that hold them all.
local function widened(dtype, size)
  return function(part)
    local values = elements(part, 1, dtype, size, part.first, part.count)
    return filled(part, unsigned.widen(values))
  end
end

local function uint64(part)
  local values = elements(part, 1, "int64", 8, part.first, part.count)
  if unsigned.has_past(values, part.there) then
    declare.raise("%s has values past 2^63 - 1", part.name)
  end
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
                  l = int64, S = widened("int16", 2), I = widened("int32", 4), L = uint64}

-- -- Strings -------------------------------------------------------------------------------------

-- The replacement of a missing string.
function by_format.stand_in_string(part)
  return part_of.stand_in(part, true) or ""
end

-- A column of those ids, where some are missing.
local function strings_of(part, ids, dictionary)
  if part.there and not part.is_dictionary then
    local id = internal.dictionary_add(dictionary, by_format.stand_in_string(part))
    ids = ids:masked_fill(part.there:logical_not(), id)
  end
  return strings.make(ids, dictionary)
end

local function none()
  return strings.make(core.empty(0, {dtype = "int32", device = "cpu"}), internal.dictionary())
end

-- Missing elements get the id of the empty string, which is added for them.
local function behind_offsets(dtype, size)
  return function(part)
    if part.count == 0 then return none() end
    local dictionary = internal.dictionary()
    local offsets = elements(part, 1, dtype, size, part.first, part.count + 1)
    local last = offsets[part.count + 1]
    local bytes = elements(part, 2, "uint8", 1, 0, math.max(tonumber(last), 0))
    local ids = internal.dictionary_add_offsets(dictionary, offsets, bytes, part.there)
    return strings_of(part, ids, dictionary)
  end
end

local function views(part)
  if part.count == 0 then return none() end
  local dictionary = internal.dictionary()
  local buffers = tonumber(part.array.n_buffers) - 3
  local addresses = core.empty(0, {dtype = "int64", device = "cpu"})
  if buffers > 0 then
    addresses = internal.arrow_view(structs.address(part.array.buffers + 2), part.holder,
      "int64", buffers)
  end
  local ids = internal.dictionary_add_views(dictionary,
    elements(part, 1, "int32", 4, 4 * part.first, 4 * part.count), addresses,
    elements(part, buffers + 2, "int64", 8, 0, buffers), part.there)
  return strings_of(part, ids, dictionary)
end

-- Strings of `width` bytes each, one behind the other.
local function of_width(part, bytes, width)
  local dictionary = internal.dictionary()
  local offsets = core.arange(part.count + 1, {dtype = "int64", device = "cpu"}) * width
  return strings_of(part,
    internal.dictionary_add_offsets(dictionary, offsets, bytes, part.there), dictionary)
end

local function fixed_binary(part, width)
  if part.count == 0 then return none() end
  return of_width(part, elements(part, 1, "uint8", 1, part.first * width, part.count * width),
    width)
end

local DIGITS = "0123456789abcdef"

-- UUIDs as people write them: 36 characters for 16 bytes.
local function uuid(part)
  if part.count == 0 then return none() end
  local bytes = elements(part, 1, "uint8", 1, 16 * part.first, 16 * part.count):view(-1, 16)
  local digits = core.from_string(DIGITS, "uint8"):cpu()
  local text = core.full({part.count, 36}, ("-"):byte(), {dtype = "uint8", device = "cpu"})
  local at = 1
  for byte = 1, 16 do
    local each = bytes:select(2, byte):long()
    text:select(2, at):copy_(digits[each:rshift(4) + 1])
    text:select(2, at + 1):copy_(digits[each:band(15) + 1])
    at = at + ((byte == 4 or byte == 6 or byte == 8 or byte == 10) and 3 or 2)
  end
  return of_width(part, text:view(-1), 36)
end

-- A column without any value: of the type of the value that stands for them, else strings.
local function null(part)
  local missing = part.missing
  if type(missing) == "table" then missing = missing[part.column] end
  if missing ~= nil and type(missing) ~= "string" then
    return core.full({part.count}, missing, {device = "cpu"})
  end
  if part.count == 0 then return none() end
  local dictionary = internal.dictionary()
  local id = internal.dictionary_add(dictionary, missing or "")
  return strings.make(core.full({part.count}, id, {dtype = "int32", device = "cpu"}), dictionary)
end

-- Bytes that are true unless they are 0.
local function bool8(part)
  return filled(part, elements(part, 1, "int8", 1, part.first, part.count):ne(0))
end

-- By the format: how many buffers there are, -1 for views, nil for any number, and the function
-- that reads them.
local formats = {
  b = {2, bool}, n = {nil, null}, e = {2, fixed("float16", 2)}, f = {2, fixed("float32", 4)},
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
by_format.integers = integers

-- How many buffers an array of that format has, as above, and the function that reads them; nil for
-- formats without a column.
local function reader(format)
  local known = formats[format:match "^ts[smun]" or format]
  if known then return known[1], known[2] end
  local width = tonumber(format:match "^w:(%d+)$")
  if width then return 2, function(part) return fixed_binary(part, width) end end
  local scale, bytes = decimals.parse(format)
  if scale then return 2, function(part) return decimals.read(part, scale, bytes) end end
end

-- The values of a part and their kind; raises if there is no column for its format.
function by_format.read(part)
  local format = structs.string(part.schema.format)
  local count, read = reader(format)
  if part.extension == "arrow.uuid" and format == "w:16" then read = uuid end
  if part.extension == "arrow.bool8" and format == "c" then read = bool8 end
  if not read then extensions.refuse(part, format) end
  local buffers = part.array and tonumber(part.array.n_buffers)
  if buffers and count and (count < 0 and buffers < 3 or count >= 0 and buffers ~= count) then
    declare.raise("%s has %d buffers, which are not those of format '%s'", part.name, buffers,
      format)
  end
  return read(part)
end

return by_format
