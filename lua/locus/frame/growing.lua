-- SPDX-License-Identifier: MIT
-- A column that grows, the part of builders: a tensor with room behind its elements. The builder
-- keeps the count, so that a row counts in all columns at once. Elements are written through
-- LuaJIT's FFI, so that loops that push stay compiled; other values go to the core.
local column_type = require "locus.frame.column".type_text
local core = require "locus.core"
local declare = require "locus.call.declare"
local denormal = require "locus.tensor.denormal"
local handle = require "locus.tensor.handle".type
local kinds = require "locus.tensor.kind"
local strings = require "locus.frame.strings"
local ffi = handle and require "ffi"
local internal, methods = core.internal, core.methods

local MOST_KNOWN = 65536 -- names whose ids Lua remembers, too

local int64_t = ffi and ffi.typeof("int64_t")
local dtypes, types = internal.dtypes()

-- For each dtype, the pointer to elements that are numbers, or bytes of bool.
local pointers = {}
for _, dtype in ipairs(dtypes) do
  local c = types[dtype]
  if ffi and c.element == c.value and c.kind ~= "COMPLEX" then
    pointers[dtype] = ffi.typeof(c.element .. " *")
  end
end

local growing = {}

-- A column; errors use its name. The kind is that of a frame's column, nil for none.
function growing.new(name, word, kind)
  local is_string = word == "string"
  local dtype = is_string and "int32" or word
  local c = types[dtype]
  return {
    name = name, type = kind and column_type(nil, kind) or word, kind = kind,
    pointer = pointers[dtype],
    takes = c.kind == "BOOL" and "boolean" or "number", exact = ffi and dtype == "int64",
    single = dtype == "float32",
    low = c.kind == "INTEGER" and c.low or nil, past = c.past,
    tensor = core.keep(kinds.tagged(core.empty(0, {dtype = dtype, device = "cpu"}), kind)),
    dictionary = is_string and internal.dictionary() or nil, known = is_string and {} or nil,
  }
end

-- The id of a string in the column's dictionary.
local function id_of(column, value)
  local known = column.known[value]
  if known then return known end
  if type(value) ~= "string" then
    declare.raise("'%s' must be a string, got %s", column.name, internal.describe(value))
  end
  local id = internal.dictionary_add(column.dictionary, value)
  if id <= MOST_KNOWN then column.known[value] = id end
  return id
end

-- Whether the element equals the value, as the FFI converts it.
local function fits(column, value)
  local kind = type(value)
  if kind ~= column.takes then
    return kind == "cdata" and column.exact and ffi.istype(int64_t, value)
  end
  if column.single then return not denormal.in_float32(value) end
  local low = column.low
  return not low or value >= low and value < column.past and value % 1 == 0
    and (value ~= 0 or denormal.is_zero(value))
end

-- Writes column[at] = value; there is room for it. Raises if the value does not fit.
function growing.put(column, at, value)
  if value == nil then declare.raise("'%s' is missing", column.name) end
  if column.dictionary then value = id_of(column, value) end
  local pointer = column.pointer
  if pointer and fits(column, value) then
    local t = ffi.cast(handle, column.tensor).tensor
    if at <= t.numel then -- not when the tensor has been freed, as the Lua state closes
      if value == true then value = 1 elseif value == false then value = 0 end
      ffi.cast(pointer, t.data)[at - 1] = value
      return
    end
  end
  internal.put_at(column.tensor, at, value, column.name)
end

-- The ids of a list of strings, or of a string column, in the column's dictionary.
local function ids_of(column, values, name)
  local ids, own = strings.parts(values)
  if ids then
    ids = methods.contiguous(methods.cpu(ids))
    return (select(2, internal.dictionary_gather(own, column.dictionary, ids)))
  end
  return internal.dictionary_add_list(column.dictionary, values, name)
end

-- Writes the values of a tensor or a list, which errors call `name`, behind the first `count`.
-- Returns the new count.
function growing.append(column, count, values, name)
  if column.dictionary then
    values = ids_of(column, values, name)
  elseif core.is_tensor(values) then
    values = methods.cpu(values)
  end
  return internal.append(column.tensor, count, values, name)
end

-- A tensor or string column of the first `count`, on the default device.
function growing.copy(column, count)
  local elements, device = internal.head(column.tensor, count), core.get_default_device()
  if not column.dictionary then return methods.to(elements, device) end
  return strings.make(elements, column.dictionary):compact():to(device)
end

-- Forgets the names of a string column.
function growing.clear(column)
  if not column.dictionary then return end
  column.dictionary, column.known = internal.dictionary(), {}
end

return growing
