-- SPDX-License-Identifier: MIT
-- The array behind a header of NumPy's format .npy (npy.lua): a tensor, a column of strings, or of
-- records a frame.
local core = require "locus.core"
local declare = require "locus.call.declare"
local file = require "locus.files.file"
local lazy = require "locus.call.lazy"
local npy = require "locus.files.npy"
local unsigned = require "locus.tensor.unsigned"
local internal, methods = core.internal, core.methods

local array = {}

-- -- Elements ------------------------------------------------------------------------------------

-- Numbers of a tensor on the CPU that was filled with the bytes of an element: nil and the reason
-- where they have no dtype.
local function numbers(element, x)
  if element.swapped then internal.swap_bytes(x) end
  if not element.unsigned then return x end
  if element.unsigned == "int64" and unsigned.has_past(x) then
    return nil, "holds uint64 past 2^63 - 1; in NumPy, save x.astype('float64')"
  end
  return unsigned.widen(x)
end

-- An empty tensor for the bytes of that many elements.
local function room_for(element, count)
  if element.text == "S" then
    return core.empty(count * element.width, {dtype = "uint8", device = "cpu"})
  elseif element.text then
    return core.empty(count * element.width, {dtype = "int32", device = "cpu"})
  end
  return core.empty(count, {dtype = element.unsigned or element.dtype, device = "cpu"})
end

local function strings_room()
  local open_room = declare.later[core.frame] -- columns have methods from all of its files
  if open_room then open_room() end
  return lazy("locus.frame.strings")
end

-- Strings of a tensor that was filled with their bytes, as room_for makes it.
local function strings(element, x, count)
  local column, dictionary = strings_room(), internal.dictionary()
  if element.width == 0 or count == 0 then
    local id = count > 0 and internal.dictionary_add(dictionary, "") or 1
    return column.make(core.full({count}, id, {dtype = "int32", device = "cpu"}), dictionary)
  end
  if element.text == "U" then
    if element.swapped then internal.swap_bytes(x) end
    local wrong = internal.utf8_of_codes(x, element.width)
    if wrong then return nil, ("holds a string in row %d that is no Unicode"):format(wrong) end
  end
  return column.make(internal.dictionary_add_padded(dictionary, x, element.size), dictionary)
end

local function values(element, x, count)
  if element.text then return strings(element, x, count) end
  return numbers(element, x)
end

-- -- Whole arrays --------------------------------------------------------------------------------

local function count_of(layout)
  local count = 1
  for _, size in ipairs(layout.sizes) do count = count * size end
  return count
end

-- A frame of the records that come next.
local function records(source, layout, option)
  local count, size = count_of(layout), layout.size
  local columns, first = {}, 1
  file.check_room(source, count * size)
  for i, field in ipairs(layout.fields) do columns[i] = room_for(field.element, count) end
  file.pieces(source, count * size, file.row_pieces(size, count), function(rows)
    for i, field in ipairs(layout.fields) do
      internal.copy_field(rows, size, field.offset, columns[i], first, field.element.size)
    end
    first = first + methods.numel(rows) / size
  end, option)
  local named = {}
  for i, field in ipairs(layout.fields) do
    local c, why = values(field.element, columns[i], count)
    if not c then return nil, ("%s, in the field '%s'"):format(why, field.name) end
    named[i], columns[i] = {field.name, c}, false
  end
  strings_room()
  return core.frame(named)
end

-- Why there is nothing for such an array; nil where there is.
local function refusal(layout)
  local ndim = #layout.sizes
  if layout.fields then
    if layout.fields.refused then return layout.fields.refused end
    if ndim > 1 then
      return ("holds records in %d dimensions, and a frame has one; in NumPy, save x.ravel()")
        :format(ndim)
    end
    return layout.size == 0 and "holds records without fields" or nil
  elseif layout.text then
    return ndim > 1 and ("holds strings in %d dimensions, and a column has one; in NumPy, save "
      .. "x.ravel()"):format(ndim) or nil
  end
  return not layout.unsigned and layout.refused or nil
end

-- The hint for elements of a dtype that NumPy does not know and writes as raw bytes.
local function raw_advice(source, layout)
  local sizes = {}
  for d = 1, #layout.sizes do
    sizes[d] = ("%d"):format(layout.sizes[layout.fortran and #layout.sizes + 1 - d or d])
  end
  local place = source.place and source.place()
  if layout.raw ~= 2 or not place or layout.fortran then
    return "; where they are numbers, in Python save x.astype('float32')"
  end
  return ("; where they are bfloat16, write locus.from_file(path, \"bfloat16\", {offset = %d})%s")
    :format(place, #sizes ~= 1 and (":view(%s)"):format(#sizes > 0
      and table.concat(sizes, ", ") or "{}") or "")
end

-- The array that comes next, or behind the `start` of its header, on the default device: a tensor,
-- which on the CPU is all the memory that this takes if there is such a dtype; a column of strings,
-- or for one without dimensions a string of Lua; a frame of records. nil and the reason where there
-- is nothing for such an array. `option` is that of progress.
function array.try(source, start, option)
  local layout = npy.header_of(source, start)
  local why = refusal(layout)
  if why and layout.raw then why = why .. raw_advice(source, layout) end
  if why then return nil, why end
  local device = core.get_default_device()
  local made
  if layout.fields then
    made, why = records(source, layout, option)
  elseif layout.text then
    local count = count_of(layout)
    local x = file.elements(source, layout.text == "S" and "uint8" or "int32",
      {count * layout.width}, option)
    made, why = strings(layout, x, count)
    if made and #layout.sizes == 0 then return made[1] end
  else
    local x = file.elements(source, layout.unsigned or layout.dtype, layout.sizes, option)
    made, why = numbers(layout, x)
    if made then return npy.view(layout, methods.to(made, device)) end
  end
  if made and device ~= "cpu" then made = made:to(device) end
  return made, why
end

-- Fills rows, a contiguous tensor on the CPU, with the numbers that come next; their header has
-- been read.
function array.fill(source, layout, rows, option)
  local is_plain = not layout.unsigned and (not layout.fortran or #layout.sizes < 2)
  if is_plain then
    file.fill(source, rows, option)
    if layout.swapped then internal.swap_bytes(rows) end
    return
  end
  local x, why = numbers(layout,
    file.elements(source, layout.unsigned or layout.dtype, layout.sizes, option))
  if not x then file.fail(source.path, "%s", why) end
  methods.copy_(rows, npy.view(layout, x))
end

-- The same as `try`, where what is nothing raises.
function array.read(source, start, option)
  local made, why = array.try(source, start, option)
  if made == nil then file.fail(source.path, "%s", why) end
  return made
end

return array
