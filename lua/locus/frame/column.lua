-- SPDX-License-Identifier: MIT
-- A column of a frame: a 1-D tensor, or a string column. Its kind, if it has one, says that its
-- int64 values are times, dates or addresses: {type = "time", unit = "us"}, {type = "date"}, {type
-- = "ipv4"}.
local core = require "locus.core"
local declare = require "locus.call.declare"
local strings = require "locus.frame.strings"
local tags = require "locus.tensor.kind"
local internal = core.internal

local size, ndim = core.methods.size, core.methods.dim
local column = {}

-- The tensor that holds a column's values; or the ids of its strings, and their dictionary.
function column.parts(c)
  if core.is_tensor(c) then return c end
  return strings.parts(c)
end

-- The same column, made of another tensor where f(tensor, ...) gives one.
function column.map(c, f, ...)
  local tensor, dictionary = column.parts(c)
  local made = f(tensor, ...)
  return dictionary and strings.like(c, made) or made
end

-- The same without a check of ids.
local function tensor_of(c) return core.is_tensor(c) and c or (strings.unchecked(c)) end

function column.rows(c) return size(tensor_of(c), 1) end

-- The columns, each with its kind as a tag, and the kinds by name: those that are given, else the
-- columns' own.
function column.tag(names, columns, given)
  local kinds, tagged = {}, columns
  for _, name in ipairs(names) do
    local c = columns[name]
    local k = given[name] or tags.of(c)
    kinds[name] = k
    local made = k and tags.tagged(c, k)
    if made and made ~= c then
      if tagged == columns then
        tagged = {}
        for key, other in pairs(columns) do tagged[key] = other end
      end
      tagged[name] = made
    end
  end
  return tagged, kinds
end

function column.device(c) return internal.device_of(tensor_of(c)) end

-- The elements that a key names; the key is not a single position.
function column.take(c, key)
  if strings.is(c) and type(key) == "table" then return c[key] end -- whose ids wait for their use
  return column.map(c, function(tensor) return tensor[key] end)
end

function column.to(c, device)
  return (strings.is(c) and strings.methods or core.methods).to(c, device)
end

-- Where a column of strings is read often, their texts by id.
local function texts(dictionary)
  return setmetatable({}, {__index = function(known, id)
    local text = internal.dictionary_name(dictionary, id)
    known[id] = text
    return text
  end})
end

-- The elements of a tensor that has a kind, as values that know it, where Lua has an FFI.
local function values_of(number)
  local make = require("locus.tensor.quantity").make
  return function(list)
    for i = 1, make and #list or 0 do list[i] = make(number, list[i]) end
    return list
  end
end

-- A function that gives the elements first..last as a Lua list; with `bare` times as numbers.
function column.reader(c, bare)
  local tensor, dictionary, origin = tensor_of(c), select(2, strings.unchecked(c))
  local text = dictionary and texts(dictionary)
  local names = origin and internal.dictionary_count(dictionary)
  local number = bare and 0 or internal.kind_of(tensor)
  local known = number > 0 and values_of(number)
  return function(first, last)
    local list = tensor[{{first, last}}]:totable()
    if known then return known(list) end
    for i = 1, text and #list or 0 do
      local id = list[i]
      if origin and (id < 1 or id > names) then strings.look_again(c) end -- which raises
      list[i] = text[id]
    end
    return list
  end
end

-- Its name in read_csv: "float64", "string", {"bool", "true", "false"}, {"time", unit = "ns"}.
function column.type(c, kind)
  if not kind then
    local word = core.is_tensor(c) and internal.dtype_of(c) or "string"
    return word == "bool" and {"bool", "true", "false"} or word
  end
  if kind.unit and kind.unit ~= "us" then return {kind.type, unit = kind.unit} end
  return kind.type
end

-- The same as one word, for people: other units than microseconds are shown, "time[ns]".
function column.type_text(c, kind)
  local word = column.type(c, kind)
  if type(word) == "string" then return word end
  return word.unit and ("%s[%s]"):format(word[1], word.unit) or word[1]
end

-- -- What a caller gives -------------------------------------------------------------------------

-- By word: the types of src/text/read/text_type.def that are written neither as numbers nor as
-- strings, and durations, which no text has.
column.kinds = {}
local kinds = {}
for _, type in ipairs(internal.text_types()) do
  if type.means ~= "VALUE" and type.means ~= "STRING" then
    column.kinds[type.word] = true
    kinds[#kinds + 1] = type.word
  end
end

column.kinds.duration = true
kinds[#kinds + 1] = "duration"

--- How kinds are written, for messages, with that unit as the example.
function column.kind_forms(unit)
  local forms = {}
  for _, word in ipairs(kinds) do
    forms[#forms + 1] = ('"%s"'):format(word)
    if word == "time" then forms[#forms + 1] = ('{"time", unit = "%s"}'):format(unit) end
  end
  return table.concat(forms, ", ", 1, #forms - 1) .. " or " .. forms[#forms]
end

-- The line to write for a type with a foreign name, as "datetime64[ns]": 'write {"time", unit =
-- "ns"}'; nil for words of no library. Integers and floats become the widest ones, which text may
-- need.
function column.advice(word)
  if type(word) ~= "string" then return nil end
  local ours, other = internal.type_elsewhere(word)
  if ours == "time" then
    local inside = word:lower():match("[%[(](.*)$")
    if not inside then
      return 'write "time", or write {"time", unit = "ns"} for nanoseconds'
    elseif inside:find("^d") then
      return 'write "date"'
    end
    local unit = inside:match("%f[%w]([mun]?s)%f[%W]")
    return unit and ('write {"time", unit = "%s"}'):format(unit) or 'write "time"'
  end
  other = other and not ours:find("64", 1, true) and (' or "%s"'):format(other) or ""
  return ours and ('write "%s"%s'):format(ours, other)
end

-- The same for a table {"time", "ns"} that has the unit in place of a pattern.
function column.unit_advice(written)
  local unit = written[2]
  if written[1] ~= "time" or not column.per_second[unit] then return nil end
  return ('write {"time", unit = "%s"}'):format(unit)
end

column.per_second = {s = 1, ms = 1e3, us = 1e6, ns = 1e9} -- by unit of times

-- The kind that is written "time", {"time", unit = "ns"}, "date" or "ipv4".
function column.kind(name, written)
  if written == nil then return nil end
  local word, unit = written, nil
  if type(written) == "table" then
    word, unit = written[1], written.unit
    local advice = column.unit_advice(written)
    if advice then
      declare.raise("the kind of '%s' must be %s, and has an item 2; %s", name,
        column.kind_forms("ns"), advice)
    end
    declare.check_keys(written, ("the kind of '%s'"):format(name),
      column.kind_forms("ns"), 1, {unit = true})
  end
  local has_unit = word == "time" or word == "duration"
  if not column.kinds[word] or unit ~= nil and not has_unit then
    local ours = type(word) == "string" and internal.type_elsewhere(word)
    local advice = column.kinds[ours] and ours ~= word and column.advice(word)
    declare.raise("the kind of '%s' must be %s, got %s%s", name, column.kind_forms("ns"),
      internal.describe(type(word) == "string" and word or written),
      advice and "; " .. advice or "")
  end
  local kind = tags.named(word, has_unit and (unit or "us") or nil)
  if not kind then
    declare.raise("the unit of '%s' must be \"s\", \"ms\", \"us\" or \"ns\", got %s", name,
      internal.describe(unit))
  end
  return kind
end

column.filling = require "locus.derived.filling"

-- The column made of a list, on that device.
local function made_of(list, kind, device)
  if type(list[1]) == "string" then return strings.of(list, device) end
  return core.tensor(list, {dtype = kind and "int64" or nil, device = device})
end

-- The same, but errors name the column, not the argument of the called function.
local function of_list(name, list, kind, device)
  local ok, made = pcall(made_of, list, kind, device)
  if ok then return made end
  name = name:gsub("%%", "%%%%")
  error((tostring(made):gsub("'data'", "the column '" .. name .. "'", 1)
    :gsub("'list", "'" .. name, 1)), 0)
end

-- The column made of a value; a list becomes one on that device. Raises if it is none.
function column.of(name, value, kind, device)
  if type(value) == "table" then value = of_list(name, value, kind, device) end
  if strings.is(value) then
    if not kind then return value end
  elseif not core.is_tensor(value) then
    declare.raise("the column '%s' must be a 1-D tensor, a string column or a list, got %s", name,
      internal.describe(value))
  elseif ndim(value) ~= 1 then
    declare.raise("the column '%s' must be 1-D, got %s", name, internal.describe(value))
  end
  if kind and column.type(value) ~= "int64" then
    declare.raise("the column '%s' is of kind %s and must be int64, got %s%s", name, kind.type,
      internal.describe(value), strings.is(value) and "" or "; write x:long()")
  end
  return value
end

return column
